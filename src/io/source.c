/*
 * Bytes from a file descriptor, by read(2) into one buffer that grows to the longest piece asked for.
 *
 * stdio is not used because it may wait to fill its buffer. read(2) returns what is available.
 */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compression.h"
#include "number.h"
#include "transfer.h"

enum { FIRST_CAPACITY = 1 << 16 };

/* No row is longer: input without line ends, or with a wrong number of columns, must not take all memory. */
enum { LARGEST_CAPACITY = 1 << 26 };

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_status out_of_memory(const okra_source *source, okra_message *why)
{
    return okra_error(OKRA_E_MEMORY, why, "%s:%llu: out of memory for a line of this length: is it a text file?",
                      source->path, (unsigned long long)source->line);
}

static int measure(okra_source *source)
{
    struct stat info;
    if (fstat(source->fd, &info) != 0)
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    /* Files in /proc have size 0. */
    source->size = S_ISREG(info.st_mode) && info.st_size > 0 ? (int64_t)info.st_size : -1;
    off_t here = source->size >= 0 ? lseek(source->fd, 0, SEEK_CUR) : 0;
    source->position = here > 0 ? (int64_t)here : 0;
    return 0;
}

okra_status okra_source_open(okra_source *source, const char *path, okra_message *why)
{
    bool standard = okra_is_standard(path);
    *source = (okra_source){.fd = STDIN_FILENO, .line = 1, .capacity = FIRST_CAPACITY};
    okra_name_file(source->path, standard ? "standard input" : path);
    if (!standard && (source->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return okra_cannot_open(source->path, errno, why);
    int error = measure(source);
    okra_status status = error ? okra_cannot_open(source->path, error, why) : OKRA_OK;
    if (!status && (!(source->buffer = malloc(FIRST_CAPACITY)) || !okra_c_locale()))
        status = out_of_memory(source, why);
    if (status)
        okra_source_close(source);
    return status;
}

void okra_source_close(okra_source *source)
{
    if (source->fd != STDIN_FILENO)
        close(source->fd);
    free(source->buffer), free(source->follow), okra_unpack_close(source->unpacker);
    source->buffer = source->follow = NULL;
    source->unpacker = NULL;
}

okra_status okra_source_follow(okra_source *source, const char *path)
{
    source->follow = strdup(path);
    source->size = -1; /* not known */
    source->finished = false;
    return source->follow ? OKRA_OK : OKRA_E_MEMORY;
}

/* ---- files that grow ------------------------------------------------------------------------------------------- */

/* Goes to the beginning of the file that has the name now; false if that cannot be opened yet. Bytes still held are the
 * end of the file before, and keep their line numbers. */
static bool begin_next(okra_source *source, bool other)
{
    int fd = other ? open(source->follow, O_RDONLY | O_CLOEXEC) : source->fd;
    if (fd < 0 || (!other && lseek(fd, 0, SEEK_SET) != 0))
        return false;
    if (other)
        close(source->fd);
    source->fd = fd;
    source->position = 0;
    source->finished = okra_source_held(source) > 0;
    source->line = source->finished ? source->line : 1;
    return true;
}

/*
 * At the end of a file that is followed. Returns the number of bytes read, if some were written since, or 0 to try
 * again: the file was replaced or cut and the next has begun, or there was a wait.
 */
static ssize_t wait_at_end(okra_source *source)
{
    const struct timespec delay = {.tv_nsec = 100 * 1000 * 1000};
    struct stat own, named;
    bool known = fstat(source->fd, &own) == 0 && stat(source->follow, &named) == 0; /* else it is being moved */
    bool other = known && (own.st_dev != named.st_dev || own.st_ino != named.st_ino);
    bool cut = known && !other && named.st_size < (off_t)source->position;
    ssize_t rest = other ? read(source->fd, source->buffer + source->end, source->capacity - source->end - 1) : 0;
    if (rest > 0) /* written since the last read */
        return rest;
    if (!(other || cut) || !begin_next(source, other))
        nanosleep(&delay, NULL);
    return 0;
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

/* Space for at least one more byte, and for the NUL after the last record. */
static okra_status reserve(okra_source *source, okra_message *why)
{
    if (source->start > 0) {
        memmove(source->buffer, source->buffer + source->start, okra_source_held(source));
        source->end -= source->start;
        source->start = 0;
    }
    if (source->capacity - source->end >= 2)
        return OKRA_OK;
    if (source->capacity >= LARGEST_CAPACITY)
        return okra_error(OKRA_E_READ, why, "%s:%llu: more than %d MiB without a line end: is it a text file?",
                          source->path, (unsigned long long)source->line, LARGEST_CAPACITY >> 20);
    char *larger = realloc(source->buffer, source->capacity * 2);
    if (!larger)
        return out_of_memory(source, why);
    source->buffer = larger;
    source->capacity *= 2;
    return OKRA_OK;
}

okra_status okra_cannot_read(const okra_source *source, okra_message *why)
{
    return okra_error(OKRA_E_READ, why, "%s:%llu: cannot be read: %s: check the disk, or use another copy",
                      source->path, (unsigned long long)source->line, okra_error_text(errno));
}

okra_status okra_source_fill(okra_source *source, okra_message *why)
{
    okra_status status = reserve(source, why);
    if (status)
        return status;
    if (source->waits && source->size < 0)
        source->waits(source->context);
    if (source->unpacker)
        return okra_unpack_fill(source, why);
    if (source->follow && source->finished) {
        source->finished = false;
        source->line = 1;
    }
    ssize_t got;
    while ((got = read(source->fd, source->buffer + source->end, source->capacity - source->end - 1)) <= 0) {
        if (got == 0 && !source->follow)
            break;
        if (got == 0 && (got = wait_at_end(source)) > 0)
            break;
        if (got == 0 && source->finished)
            return OKRA_OK;
        if (got < 0 && !okra_wait(source->fd, POLLIN))
            return okra_cannot_read(source, why);
    }
    source->end += (size_t)got;
    source->position += got;
    source->finished = got == 0;
    return OKRA_OK;
}

okra_status okra_source_need(okra_source *source, size_t bytes, okra_message *why)
{
    okra_status status = OKRA_OK;
    while (!status && okra_source_held(source) < bytes && !source->finished)
        status = okra_source_fill(source, why);
    return status;
}

okra_status okra_source_begins(okra_source *source, const char *bytes, size_t count, bool *begins, okra_message *why)
{
    size_t held;
    while ((held = okra_source_held(source)) < count && !source->finished &&
           memcmp(source->buffer + source->start, bytes, held) == 0) {
        okra_status status = okra_source_fill(source, why);
        if (status)
            return status;
    }
    *begins = held >= count && memcmp(source->buffer + source->start, bytes, count) == 0;
    return OKRA_OK;
}

okra_status okra_source_skip_mark(okra_source *source, okra_message *why)
{
    bool marked = false;
    okra_status status = okra_source_begins(source, OKRA_BYTE_ORDER_MARK, 3, &marked, why);
    source->start += marked ? 3 : 0;
    return status;
}

/* ---- moving on ----------------------------------------------------------------------------------------------- */

static uint64_t drop_held(okra_source *source, uint64_t bytes)
{
    size_t held = okra_source_held(source), dropped = bytes < held ? (size_t)bytes : held;
    source->start += dropped;
    return dropped;
}

/* Not beyond the end, because that gives no error: the rest is read. */
static uint64_t seek_over(okra_source *source, uint64_t bytes)
{
    int64_t left = source->size - source->position;
    int64_t step = left > 0 && bytes > (uint64_t)left ? left : (int64_t)bytes;
    if (source->size < 0 || left <= 0 || lseek(source->fd, (off_t)(source->position + step), SEEK_SET) < 0)
        return 0;
    source->position += step;
    return (uint64_t)step;
}

okra_status okra_source_skip(okra_source *source, uint64_t bytes, uint64_t *skipped, okra_message *why)
{
    okra_status status = OKRA_OK;
    *skipped = drop_held(source, bytes);
    if (*skipped < bytes)
        *skipped += seek_over(source, bytes - *skipped);
    while (!status && *skipped < bytes && !source->finished) {
        status = okra_source_fill(source, why);
        *skipped += drop_held(source, bytes - *skipped);
    }
    return status;
}

okra_status okra_source_finish(okra_source *source, okra_message *why)
{
    okra_status status = OKRA_OK;
    while (!status && source->unpacker && !source->finished) {
        source->start = source->end;
        status = okra_source_fill(source, why);
    }
    return status;
}

int64_t okra_source_left(const okra_source *source)
{
    return source->size < 0 ? -1 : source->size - source->position + (int64_t)okra_source_held(source);
}

double okra_source_progress(const okra_source *source)
{
    if (source->unpacker)
        return okra_unpack_progress(source);
    if (source->size < 0)
        return -1;
    double share = 1 - (double)okra_source_left(source) / (double)source->size;
    return share < 1 ? share : 1; /* the file may have grown since it was opened */
}
