/*
 * What a format of output is, inside libokra-io. writer.c is the door; a format's file knows how a row is written; the
 * bytes go into a output (output.c).
 */
#ifndef OKRA_IO_WRITER_H
#define OKRA_IO_WRITER_H

#include <okra/io.h>

#include "format.h"

/* ---- outputs --------------------------------------------------------------------------------------------------- */

/* A file or standard output, through one buffer. The first failure is remembered. */
typedef struct okra_output {
    int fd;
    char name[OKRA_NAME]; /* what messages call it */
    bool standard;        /* output: it stays open */
    bool regular;         /* a regular file: nobody waits for each row */
    char *buffer;
    size_t capacity, used;
    uint64_t bytes; /* of the output, with those in the buffer */
    int error;      /* errno of the first failure; 0: none yet */
} okra_output;

/*
 * Opens path for writing, or standard output where it is NULL or "-"; nothing is changed yet. `existing`: the file must
 * be there, and can be read as well. The buffer can take a piece of `piece` bytes. On failure there is nothing to
 * close.
 */
okra_status okra_output_open(okra_output *output, const char *path, bool existing, size_t piece, okra_message *why);

/* Drops everything after the first `keep` bytes, and goes on from there. */
okra_status okra_output_start(okra_output *output, uint64_t keep, okra_message *why);

/* Space for `bytes`, at most the `piece` of open; okra_output_add() then says how many of them were used. */
char *okra_output_reserve(okra_output *output, size_t bytes);
static inline void okra_output_add(okra_output *output, size_t bytes) { output->used += bytes, output->bytes += bytes; }

/* Text of any length. */
void okra_output_put(okra_output *output, const char *text, size_t length);

/* Hands the buffer over to the system. */
void okra_output_flush(okra_output *output);

/* Overwrites bytes that were flushed before. */
void okra_output_patch(okra_output *output, const char *bytes, size_t count, uint64_t offset);

/* To the disk, where there is one. */
void okra_output_sync(okra_output *output);

/* OKRA_E_WRITE with the cause and the remedy, where anything has failed so far. */
okra_status okra_output_check(const okra_output *output, okra_message *why);

/* Closes and frees, whatever happens; a failure is remembered. */
void okra_output_close(okra_output *output);

/* ---- formats ------------------------------------------------------------------------------------------------- */

typedef struct okra_writer_class {
    /* The longest that a row can be, in bytes; NULL: rows do not go through the output. */
    size_t (*row_bytes)(const okra_writer *writer);

    /* Whether an existing file can be gone on with after its first append_at bytes: OKRA_E_FORMAT where it cannot.
     * NULL: never, and refused before. */
    okra_status (*check)(okra_writer *writer, okra_message *why);

    /* Writes what comes before the rows; NULL: nothing. A failure of the output is found by others. */
    okra_status (*begin)(okra_writer *writer, const char *const *names, okra_message *why);

    /* Writes a row to `to`, and returns where it ends. */
    char *(*row)(okra_writer *writer, const double *values, char *to);

    /* Makes the bytes before the rows agree with them; everything has been flushed. NULL: nothing to do. */
    void (*update_header)(okra_writer *writer);

    /* Writes what comes after the rows, and frees what the format has; also where `begin` has failed. NULL: nothing. */
    void (*end)(okra_writer *writer);
} okra_writer_class;

struct okra_writer {
    const okra_writer_class *class;
    const okra_format_row *format;
    okra_writer_options options; /* names gone */
    okra_output output;
    size_t row_bytes;
    okra_writer_info info;
    void *own; /* the format's */
};

extern const okra_writer_class okra_text_writer, okra_npy_writer, okra_raw_writer, okra_audio_writer;

/* Text columns, and the end of the line, after a row of numbers. */
void okra_write_texts(okra_writer *writer, const char *texts);

/* Reads what an existing file has; false where it has less. */
bool okra_writer_look(const okra_writer *writer, uint64_t offset, char *bytes, size_t count);

#endif
