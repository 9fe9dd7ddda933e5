/*
 * Where bytes come from: a file or standard input as a sequence of records, inside libokra-io.
 *
 * A record is a line, or several where a quoted field holds line ends (RFC 4180). It may be of any length, and is
 * there as soon as its last byte is: a source never waits for more input than the record needs.
 */
#ifndef OKRA_IO_SOURCE_H
#define OKRA_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

/* Valid until the next okra_source_next(). text[length] is a NUL in place of the line end. */
typedef struct okra_record {
    char *text;
    size_t length;
    uint64_t line; /* its first line, from 1 */
} okra_record;

/* The search for the end of a record, kept between reads so that no byte is looked at twice. Offsets from its start. */
typedef struct okra_scan {
    size_t at;       /* the next byte to look at */
    size_t closed;   /* just past the last closing quote; 0: none yet */
    size_t break_at; /* the first line end inside quotes, where `breaks` > 0 */
    uint64_t breaks; /* line ends inside quotes */
    bool quoted;
} okra_scan;

typedef struct okra_source {
    int fd;
    char path[256];   /* what messages call it; the end of a path that is longer */
    int64_t size;     /* of the whole input; negative where it cannot be known */
    int64_t position; /* of the next read, where size is known */
    char *buffer;
    size_t capacity, start, end; /* bytes [start, end) are read and not yet taken */
    uint64_t line;               /* of the byte at start, from 1 */
    okra_scan scan;
    bool finished; /* the last read found the end */
} okra_source;

/* Opens path, or standard input where it is NULL or "-". On failure there is nothing to close. */
okra_status okra_source_open(okra_source *source, const char *path, okra_message *why);

void okra_source_close(okra_source *source);

/*
 * The next record that is not blank; *more is false at the end. OKRA_E_FORMAT where a quote is never closed: `record`
 * then has its line, and the next call goes on with the line after it.
 */
okra_status okra_source_next(okra_source *source, okra_record *record, bool *more, okra_message *why);

/* The share of the input that has been taken, 0 to 1; negative where its size is not known. */
double okra_source_progress(const okra_source *source);

/* Writes a message of one line, whatever file names and fields it quotes: control characters become '?'. */
void okra_say(okra_message *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
