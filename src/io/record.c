/*
 * The ends of records, and the beginnings of lines in the middle of a file. Most lines hold no quote, and are found by
 * two calls of memchr.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memrchr */
#endif
#include "csv.h"

#include <errno.h>
#include <stdlib.h>

#include "transfer.h"

/*
 * A quote that is never closed would make one field of the rest of an endless stream. So a field may hold this many
 * bytes after its first line end; a longer one is an error.
 */
enum { LONGEST_BROKEN_FIELD = 1 << 16 };

static bool is_separator(char c, char separator)
{
    return separator ? c == separator : c && strchr(OKRA_SEPARATORS, c) != NULL;
}

/* What spreadsheets write instead of a value: a field, though it begins with '#'. */
static bool is_spreadsheet_error(const char *text, const char *end, char separator)
{
    static const char *const words[] = {"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - text) < length || memcmp(text, words[i], length) != 0)
            continue;
        const char *next = text + length;
        return next == end || *next == '\r' || okra_is_blank(*next, separator) || is_separator(*next, separator);
    }
    return false;
}

bool okra_is_comment(const char *text, const char *end, char separator)
{
    return text < end && *text == '#' && !is_spreadsheet_error(text, end, separator);
}

/* A quote opens a field only as its first character; right after a closing quote it is a literal quote, still inside.
   The beginning of the record is examined only once: otherwise a line of blanks and quotes would take quadratic
   time. */
static bool opens_field(okra_scan *scan, const char *record, size_t quote)
{
    const char *seen = record + quote + 1; /* with the quote: no word ends there */
    if (!scan->comment_known)
        scan->comment = okra_is_comment(okra_skip_blanks(record, seen, scan->separator), seen, scan->separator);
    scan->comment_known = true;
    if (scan->comment)
        return false;
    if (scan->closed > 0 && scan->closed == quote)
        return true;
    while (quote > 0 && okra_is_blank(record[quote - 1], scan->separator) &&
           !is_separator(record[quote - 1], scan->separator))
        quote--;
    return quote == 0 || is_separator(record[quote - 1], scan->separator);
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
static bool scan_record(okra_scan *scan, const char *record, size_t length)
{
    size_t line_end = 0; /* of the line that scan.at is on, or `length`; searched once a line */
    while (scan->at < length) {
        if (scan->quoted) {
            scan_quoted(scan, record, length);
            continue;
        }
        const char *at = record + scan->at, *found;
        if (line_end <= scan->at) {
            found = memchr(at, '\n', length - scan->at);
            line_end = found ? (size_t)(found - record) : length;
        }
        found = memchr(at, '"', line_end - scan->at);
        if (!found) {
            scan->at = line_end;
            return line_end < length;
        }
        scan->quoted = opens_field(scan, record, (size_t)(found - record));
        scan->at = (size_t)(found - record) + 1;
    }
    return false;
}

static bool quote_runs_away(const okra_scan *scan)
{
    return scan->quoted && scan->breaks > 0 && scan->at - scan->break_at > LONGEST_BROKEN_FIELD;
}

/* Reads until the record at `start` is complete: its length is then scan.at. */
static okra_status complete_record(okra_source *source, okra_scan *scan, okra_message *why)
{
    while (!scan_record(scan, source->buffer + source->start, okra_source_held(source)) && !okra_source_ended(source) &&
           !quote_runs_away(scan)) {
        okra_status status = okra_source_fill(source, why);
        if (status)
            return status;
    }
    return OKRA_OK;
}

/* Returns the first `length` bytes as a record, and moves past them and their line end. */
static void take_record(okra_source *source, okra_scan *scan, size_t length, uint64_t lines, okra_record *record)
{
    size_t held = okra_source_held(source);
    *record = (okra_record){source->buffer + source->start, length, source->line};
    source->start += length < held ? length + 1 : length;
    source->line += lines;
    *scan = okra_scan_restart(scan);
    while (record->length > 0 && record->text[record->length - 1] == '\r')
        record->length--;
    record->text[record->length] = '\0';
}

static okra_status refuse_quote(okra_source *source, okra_scan *scan, okra_record *record, okra_message *why)
{
    take_record(source, scan, scan->breaks > 0 ? scan->break_at : scan->at, 1, record);
    return okra_refuse(why, "%s:%llu: a quote (\") is opened and never closed: close it or remove it", source->path,
                       (unsigned long long)record->line);
}

bool okra_record_is_blank(const okra_record *record, char separator)
{
    const char *end = record->text + record->length;
    return okra_skip_blanks(record->text, end, separator) == end;
}

/* Whether a comment is one of the lines that InfluxDB writes above the header of each of its tables. */
static bool is_annotation(const char *comment, const char *end)
{
    static const char *const words[] = {"#group", "#datatype", "#default"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - comment) > length && memcmp(comment, words[i], length) == 0 && comment[length] == ',')
            return true;
    }
    return false;
}

static bool is_passed_over(const okra_record *record, okra_scan *scan)
{
    const char *end = record->text + record->length, *text = okra_skip_blanks(record->text, end, scan->separator);
    if (text == end)
        return !scan->blank_too;
    if (!okra_is_comment(text, end, scan->separator))
        return false;
    scan->annotated |= is_annotation(text, end);
    return true;
}

okra_status okra_record_next(okra_source *source, okra_scan *scan, okra_record *record, bool *more, okra_message *why)
{
    do {
        okra_status status = complete_record(source, scan, why);
        *more = !status && source->end > source->start;
        if (status || !*more)
            return status;
        if (scan->quoted)
            return refuse_quote(source, scan, record, why);
        take_record(source, scan, scan->at, scan->breaks + 1, record);
    } while (is_passed_over(record, scan));
    return OKRA_OK;
}

/* ---- lines in the midst of a file ---------------------------------------------------------------------------- */

okra_status okra_lines_refuse(const okra_source *source, okra_message *why)
{
    int error = errno;
    okra_message_set(why, "%s: cannot be read in parts: %s", source->path, okra_error_text(error));
    return error == ENOMEM ? OKRA_E_MEMORY : OKRA_E_READ;
}

/* Bytes from .. to of the file, to be freed; NULL with errno on failure. */
static char *read_window(const okra_source *source, int64_t from, int64_t to)
{
    size_t length = (size_t)(to - from);
    int error = EIO; /* if the file has become shorter */
    char *bytes = malloc(length + 1);
    if (!bytes || okra_read_at(source->fd, bytes, length, from, &error) == length)
        return bytes;
    free(bytes);
    errno = error;
    return NULL;
}

enum { WINDOW = 1 << 16 };

okra_status okra_lines_find(const okra_source *source, int64_t at, int64_t *line, okra_message *why)
{
    for (int64_t from = at - 1; from < source->size;) {
        int64_t to = source->size - from < WINDOW ? source->size : from + WINDOW;
        char *bytes = read_window(source, from, to), *found;
        if (!bytes)
            return okra_lines_refuse(source, why);
        found = memchr(bytes, '\n', (size_t)(to - from));
        *line = from + (found ? found - bytes + 1 : 0);
        free(bytes);
        if (found)
            return OKRA_OK;
        from = to;
    }
    *line = source->size;
    return OKRA_OK;
}

/* The number of rows in a text of whole lines; *begin is where the last `wanted` of them begin. */
static size_t count_rows(const char *text, size_t length, const okra_scan *scan, size_t wanted, size_t *begin)
{
    size_t rows = 0, end = length;
    *begin = length;
    while (end > 0 && rows < wanted) {
        const char *before = end > 1 ? memrchr(text, '\n', end - 1) : NULL;
        size_t line = before ? (size_t)(before - text) + 1 : 0;
        const char *said = text + line, *stop = text + end - 1;
        said = okra_skip_blanks(said, stop, scan->separator);
        bool blank = said == stop || *said == '\r';
        bool is_row = blank ? scan->blank_too : !okra_is_comment(said, stop, scan->separator);
        rows += is_row;
        *begin = is_row ? line : *begin;
        end = line;
    }
    return rows;
}

okra_status okra_lines_back(const okra_source *source, const okra_scan *scan, int64_t first, size_t wanted,
                            int64_t *line, size_t *ahead, okra_message *why)
{
    const int64_t end = *line;
    int64_t from = end;
    for (int64_t width = WINDOW; *ahead < wanted && from > first; width *= 2) {
        size_t begin;
        from = end - first > width ? end - width : first;
        okra_status status = from > first ? okra_lines_find(source, from, &from, why) : OKRA_OK;
        if (status)
            return status;
        char *text = read_window(source, from, end);
        if (!text)
            return okra_lines_refuse(source, why);
        *ahead = count_rows(text, (size_t)(end - from), scan, wanted, &begin);
        *line = from + (int64_t)begin;
        free(text);
    }
    return OKRA_OK;
}
