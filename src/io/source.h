/*
 * Buffered bytes from a file or standard input, inside libokra-io.
 *
 * A source never waits for more input than it is asked for, so `tail -f sensor.csv | okra run` answers every row at
 * once.
 */
#ifndef OKRA_IO_SOURCE_H
#define OKRA_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

#include "message.h"

typedef struct okra_unpacker okra_unpacker;

typedef struct okra_source {
    int fd;
    char path[OKRA_NAME]; /* its name in messages */
    int64_t size;         /* of the whole input; negative: not known */
    int64_t position;     /* of the next read, if the size of the file is known */
    char *buffer;
    size_t capacity, start, end;  /* bytes [start, end) are read but not yet taken */
    uint64_t line;                /* of the byte at start, from 1; of a binary file, the row */
    bool finished;                /* the last read found the end; if followed, of a file that another has replaced */
    void (*waits)(void *context); /* see okra_table_options */
    void *context;
    char *follow;            /* the name of a file that is followed; NULL: not followed */
    okra_unpacker *unpacker; /* of a compressed file, see compression.h: its size is not known; NULL: none */
} okra_source;

/* Opens path, or standard input if it is NULL or "-". On failure there is nothing to close. */
okra_status okra_source_open(okra_source *source, const char *path, okra_message *why);

void okra_source_close(okra_source *source);

/* From here on, wait for more at the end of the file: see okra_table_options.follow. OKRA_E_MEMORY. */
okra_status okra_source_follow(okra_source *source, const char *path);

/* OKRA_E_READ, with the errno of a read that failed. */
okra_status okra_cannot_read(const okra_source *source, okra_message *why);

/* One read(2): what is available, at least a byte, or the end. There is space for a NUL at buffer[end]. */
okra_status okra_source_fill(okra_source *source, okra_message *why);

/* Reads until `bytes` are in the buffer; fewer at the end. */
okra_status okra_source_need(okra_source *source, size_t bytes, okra_message *why);

/* Whether the input begins with these bytes. Reads no further than needed. */
okra_status okra_source_begins(okra_source *source, const char *bytes, size_t count, bool *begins, okra_message *why);

/* Skips a byte order mark, with which Windows programs begin UTF-8 files. */
#define OKRA_BYTE_ORDER_MARK "\xEF\xBB\xBF"
okra_status okra_source_skip_mark(okra_source *source, okra_message *why);

/* Skips so many bytes, without reading them if possible; *skipped is fewer at the end. */
okra_status okra_source_skip(okra_source *source, uint64_t bytes, uint64_t *skipped, okra_message *why);

/* After the last row: reads a compressed input to its end, where its checksum is. Others are left as they are. */
okra_status okra_source_finish(okra_source *source, okra_message *why);

/* How many bytes are left, by the size of the file when it was opened; negative: not known. */
int64_t okra_source_left(const okra_source *source);

/* The share of the input that has been taken, 0 to 1; negative: size not known. */
double okra_source_progress(const okra_source *source);

static inline size_t okra_source_held(const okra_source *source) { return source->end - source->start; }

/* Whether nothing can be added to what is held. After the last byte of a file that is followed comes the next file. */
static inline bool okra_source_ended(const okra_source *source)
{
    return source->finished && !(source->follow && okra_source_held(source) == 0);
}

#endif
