/*
 * Records from a file descriptor, through read(2) and one buffer that grows to the longest record.
 *
 * stdio is not used because it may wait to fill its buffer, and `tail -f sensor.csv | okra run` must answer every row
 * at once. read(2) returns what is there.
 */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "number.h"

enum { FIRST_CAPACITY = 1 << 16 };

/*
 * A quote that nobody closes would take the rest of an endless stream for one field. So a field that runs over line
 * ends may be this long after the first of them, and is otherwise reported.
 */
enum { LONGEST_BROKEN_FIELD = 1 << 16 };

/* ---- messages ------------------------------------------------------------------------------------------------ */

void okra_say(okra_message *why, const char *format, ...)
{
    if (!why)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    for (char *p = why->text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
}

static okra_status cannot_open(const okra_source *source, int error, okra_message *why)
{
    if (error == ENOENT)
        okra_say(why, "%s: no such file: check the name and the folder", source->path);
    else if (error == EACCES)
        okra_say(why, "%s: permission denied: you need the right to read it", source->path);
    else if (error == EISDIR)
        okra_say(why, "%s: is a directory: name a file in it", source->path);
    else
        okra_say(why, "%s: cannot be opened: %s", source->path, strerror_l(error, okra_c_locale()));
    return OKRA_E_OPEN;
}

static okra_status out_of_memory(const okra_source *source, okra_message *why)
{
    okra_say(why, "%s:%llu: out of memory for a line of this length: is it a text file?", source->path,
             (unsigned long long)source->line);
    return OKRA_E_MEMORY;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

/* The end of a long path says more than its beginning. */
static void name_source(okra_source *source, const char *path)
{
    size_t length = strlen(path), room = sizeof source->path - 1;
    if (length <= room)
        memcpy(source->path, path, length + 1);
    else
        snprintf(source->path, sizeof source->path, "...%s", path + length - (room - 3));
}

static int measure(okra_source *source)
{
    struct stat info;
    if (fstat(source->fd, &info) != 0)
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    /* Files of /proc say that they are empty. */
    source->size = S_ISREG(info.st_mode) && info.st_size > 0 ? (int64_t)info.st_size : -1;
    off_t here = source->size >= 0 ? lseek(source->fd, 0, SEEK_CUR) : 0;
    source->position = here > 0 ? (int64_t)here : 0;
    return 0;
}

static okra_status fill(okra_source *source, okra_message *why);

/* Windows programs begin UTF-8 files with a byte order mark. Reads no further than it takes to tell. */
static okra_status skip_mark(okra_source *source, okra_message *why)
{
    static const char mark[] = {'\xEF', '\xBB', '\xBF'};
    while (source->end < sizeof mark && !source->finished && memcmp(source->buffer, mark, source->end) == 0) {
        okra_status status = fill(source, why);
        if (status)
            return status;
    }
    if (source->end >= sizeof mark && memcmp(source->buffer, mark, sizeof mark) == 0)
        source->start = sizeof mark;
    return OKRA_OK;
}

okra_status okra_source_open(okra_source *source, const char *path, okra_message *why)
{
    bool standard = !path || strcmp(path, "-") == 0;
    *source = (okra_source){.fd = STDIN_FILENO, .line = 1};
    name_source(source, standard ? "standard input" : path);
    if (!standard && (source->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return cannot_open(source, errno, why);
    int error = measure(source);
    okra_status status = error ? cannot_open(source, error, why) : OKRA_OK;
    if (!status && (!(source->buffer = malloc(FIRST_CAPACITY)) || !okra_c_locale()))
        status = out_of_memory(source, why);
    source->capacity = FIRST_CAPACITY;
    if (!status)
        status = skip_mark(source, why);
    if (status)
        okra_source_close(source);
    return status;
}

void okra_source_close(okra_source *source)
{
    if (source->fd != STDIN_FILENO)
        close(source->fd);
    free(source->buffer);
    source->buffer = NULL;
}

double okra_source_progress(const okra_source *source)
{
    if (source->size < 0)
        return -1;
    double taken = (double)source->position - (double)(source->end - source->start);
    double share = taken / (double)source->size;
    return share < 1 ? share : 1; /* the file may have grown since it was opened */
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

/* Room for one more byte at least, and for the NUL after the last record. */
static okra_status make_room(okra_source *source, okra_message *why)
{
    if (source->start > 0) {
        memmove(source->buffer, source->buffer + source->start, source->end - source->start);
        source->end -= source->start;
        source->start = 0;
    }
    if (source->capacity - source->end >= 2)
        return OKRA_OK;
    char *larger = source->capacity <= SIZE_MAX / 2 ? realloc(source->buffer, source->capacity * 2) : NULL;
    if (!larger)
        return out_of_memory(source, why);
    source->buffer = larger;
    source->capacity *= 2;
    return OKRA_OK;
}

/* Some other program may have made our standard input non-blocking. */
static void wait_for_input(int fd)
{
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    poll(&waiting, 1, -1);
}

/* One read(2): as much as there is, at least a byte, or the end. */
static okra_status fill(okra_source *source, okra_message *why)
{
    okra_status status = make_room(source, why);
    if (status)
        return status;
    ssize_t got;
    while ((got = read(source->fd, source->buffer + source->end, source->capacity - source->end - 1)) < 0) {
        if (errno == EAGAIN)
            wait_for_input(source->fd);
        else if (errno != EINTR) {
            okra_say(why, "%s:%llu: cannot be read: %s", source->path, (unsigned long long)source->line,
                     strerror_l(errno, okra_c_locale()));
            return OKRA_E_READ;
        }
    }
    source->end += (size_t)got;
    source->position += got;
    source->finished = got == 0;
    return OKRA_OK;
}

/* ---- records ------------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* A quote opens a field only as its first character; right after a closing one it stands for itself, still inside. */
static bool opens_field(const okra_source *source, size_t quote)
{
    const okra_scan *scan = &source->scan;
    const char *record = source->buffer + source->start;
    if (scan->closed > 0 && scan->closed == quote)
        return true;
    while (quote > 0 && is_blank(record[quote - 1]))
        quote--;
    return quote == 0 || record[quote - 1] == ',';
}

static void scan_quoted(okra_scan *scan, const char *record, size_t length)
{
    while (scan->at < length && scan->quoted) {
        char c = record[scan->at];
        if (c == '\n' && scan->breaks++ == 0)
            scan->break_at = scan->at;
        scan->at++;
        scan->quoted = c != '"';
    }
    if (!scan->quoted)
        scan->closed = scan->at;
}

/* True when scan.at has come to the line end that ends the record; false when it has come to the end of the buffer. */
static bool scan_record(okra_source *source)
{
    okra_scan *scan = &source->scan;
    const char *record = source->buffer + source->start;
    size_t length = source->end - source->start;
    while (scan->at < length) {
        if (scan->quoted) {
            scan_quoted(scan, record, length);
            continue;
        }
        if (record[scan->at] == '\n')
            return true;
        if (record[scan->at] == '"')
            scan->quoted = opens_field(source, scan->at);
        scan->at++;
    }
    return false;
}

static bool quote_runs_away(const okra_scan *scan)
{
    return scan->quoted && scan->breaks > 0 && scan->at - scan->break_at > LONGEST_BROKEN_FIELD;
}

/* Reads until the record at `start` is whole: its length is then scan.at. */
static okra_status complete_record(okra_source *source, okra_message *why)
{
    while (!scan_record(source) && !source->finished && !quote_runs_away(&source->scan)) {
        okra_status status = fill(source, why);
        if (status)
            return status;
    }
    return OKRA_OK;
}

/* Hands out the first `length` bytes and moves past them and their line end. */
static void take_record(okra_source *source, size_t length, uint64_t lines, okra_record *record)
{
    size_t left = source->end - source->start;
    *record = (okra_record){source->buffer + source->start, length, source->line};
    source->start += length < left ? length + 1 : length;
    source->line += lines;
    source->scan = (okra_scan){0};
    if (record->length > 0 && record->text[record->length - 1] == '\r')
        record->length--;
    record->text[record->length] = '\0';
}

static okra_status refuse_quote(okra_source *source, okra_record *record, okra_message *why)
{
    okra_scan scan = source->scan;
    take_record(source, scan.breaks > 0 ? scan.break_at : scan.at, 1, record);
    okra_say(why, "%s:%llu: a quote (\") is opened and never closed: close it or remove it", source->path,
             (unsigned long long)record->line);
    return OKRA_E_FORMAT;
}

static bool blank_record(const okra_record *record)
{
    for (size_t i = 0; i < record->length; i++)
        if (!is_blank(record->text[i]))
            return false;
    return true;
}

okra_status okra_source_next(okra_source *source, okra_record *record, bool *more, okra_message *why)
{
    do {
        okra_status status = complete_record(source, why);
        *more = !status && source->end > source->start;
        if (status || !*more)
            return status;
        if (source->scan.quoted)
            return refuse_quote(source, record, why);
        take_record(source, source->scan.at, source->scan.breaks + 1, record);
    } while (blank_record(record));
    return OKRA_OK;
}
