/*
 * Lines in the midst of a file: for reading a part of it without what comes before.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memrchr */
#endif
#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transfer.h"

okra_status okra_lines_refuse(const okra_source *source, okra_message *why)
{
    int error = errno;
    okra_message_set(why, "%s: cannot be read in parts: %s", source->path, okra_error_text(error));
    return error == ENOMEM ? OKRA_E_MEMORY : OKRA_E_READ;
}

/* Bytes from .. to of the file, to be freed; NULL with errno where they cannot be had. */
static char *read_window(const okra_source *source, int64_t from, int64_t to)
{
    size_t length = (size_t)(to - from);
    int error = EIO; /* of a file that has become shorter */
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
