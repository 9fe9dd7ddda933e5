/*
 * Where bytes go, inside libokra-io: a file or standard output, through one buffer. The first failure is remembered.
 */
#ifndef OKRA_IO_SINK_H
#define OKRA_IO_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"

typedef struct okra_sink {
    int fd;
    char name[OKRA_NAME]; /* what messages call it */
    bool standard;        /* output: it stays open */
    bool regular;         /* a regular file: nobody waits for each row */
    char *buffer;
    size_t capacity, used;
    uint64_t bytes; /* of the output, with those in the buffer */
    int error;      /* errno of the first failure; 0: none yet */
} okra_sink;

/*
 * Opens path for writing, or standard output where it is NULL or "-"; nothing is changed yet. `existing`: the file must
 * be there, and can be read as well. The buffer can take a piece of `room` bytes. On failure there is nothing to close.
 */
okra_status okra_sink_open(okra_sink *sink, const char *path, bool existing, size_t room, okra_message *why);

/* Drops everything after the first `keep` bytes, and goes on from there. */
okra_status okra_sink_start(okra_sink *sink, uint64_t keep, okra_message *why);

/* Room for `bytes`, at most the `room` of open; okra_sink_add() then says how many of them were used. */
char *okra_sink_reserve(okra_sink *sink, size_t bytes);
static inline void okra_sink_add(okra_sink *sink, size_t bytes) { sink->used += bytes, sink->bytes += bytes; }

/* Text of any length. */
void okra_sink_put(okra_sink *sink, const char *text, size_t length);

/* Hands the buffer over to the system. */
void okra_sink_spill(okra_sink *sink);

/* Overwrites bytes that were spilt before. */
void okra_sink_patch(okra_sink *sink, const char *bytes, size_t count, uint64_t offset);

/* To the disk, where there is one. */
void okra_sink_sync(okra_sink *sink);

/* OKRA_E_WRITE with the cause and the remedy, where anything has failed so far. */
okra_status okra_sink_check(const okra_sink *sink, okra_message *why);

/* Closes and frees, whatever happens; a failure is remembered. */
void okra_sink_close(okra_sink *sink);

#endif
