/*
 * The interface of a format of output, inside libokra-io. writer.c checks the options. The file of a format knows how
 * to write a row. The bytes go to an output (output.c).
 */
#ifndef OKRA_IO_WRITER_H
#define OKRA_IO_WRITER_H

#include <okra/io.h>

#include "compression.h"
#include "format.h"

/* ---- outputs ------------------------------------------------------------------------------------------------- */

/* A file or standard output, with a buffer. The first failure is kept. */
typedef struct okra_output {
    int fd;
    char name[OKRA_NAME]; /* its name in messages */
    bool standard;        /* standard output: it stays open */
    bool regular;         /* a regular file, so rows can be written in large pieces */
    char *buffer;
    size_t capacity, used;
    uint64_t bytes; /* written so far, those in the buffer included */
    int error;      /* errno of the first failure; 0: none yet */

    const okra_codec *codec; /* of a compressed output; NULL: none */
    void *encoder;
    uint64_t packed;        /* bytes of the file */
    bool member, unflushed; /* a member has begun; the encoder holds bytes back */
} okra_output;

/*
 * Opens path for writing, or standard output if it is NULL or "-"; nothing is changed yet. `existing`: the file must
 * exist, and is opened for reading too. The buffer can hold a piece of `piece` bytes. On failure there is nothing to
 * close.
 */
okra_status okra_output_open(okra_output *output, const char *path, bool existing, size_t piece, okra_message *why);

/* Compresses what is written from here on; false if memory runs out. */
bool okra_output_compress(okra_output *output, const okra_codec *codec);

/* Drops everything after the first `keep` bytes, and continues from there. */
okra_status okra_output_start(okra_output *output, uint64_t keep, okra_message *why);

/* Space for `bytes`, at most the `piece` of open. Call okra_output_add() with the number used. */
char *okra_output_reserve(okra_output *output, size_t bytes);
static inline void okra_output_add(okra_output *output, size_t bytes) { output->used += bytes, output->bytes += bytes; }

/* Text of any length. */
void okra_output_put(okra_output *output, const char *text, size_t length);

/* Hands the buffer over to the system. */
void okra_output_flush(okra_output *output);

/* Flushes, and ends the member of a compressed output: it is then whole, and another can follow. */
void okra_output_end_member(okra_output *output);

/* The size of the file, or what it will be once flushed; of a compressed output, without what the encoder holds. */
static inline uint64_t okra_output_size(const okra_output *output)
{
    return output->codec ? output->packed : output->bytes;
}

/* Overwrites bytes that were flushed before. */
void okra_output_patch(okra_output *output, const char *bytes, size_t count, uint64_t offset);

/* Syncs a regular file to the disk. */
void okra_output_sync(okra_output *output);

/* OKRA_E_WRITE with the cause and the remedy, if anything has failed so far. */
okra_status okra_output_check(const okra_output *output, okra_message *why);

/* Closes and frees, even after a failure, and keeps the first failure. */
void okra_output_close(okra_output *output);

/* ---- formats ------------------------------------------------------------------------------------------------- */

typedef struct okra_writer_class {
    /* Keeps what it needs of the names (NULL: none) in `own`, which is freed with the writer; before row_bytes. False
     * if memory runs out. NULL: nothing to do. */
    bool (*prepare)(okra_writer *writer, const char *const *names);

    /* The maximum length of a row, in bytes; NULL: rows do not go through the output. */
    size_t (*row_bytes)(const okra_writer *writer);

    /* Whether an existing file can be continued after its first append_at bytes: OKRA_E_FORMAT if not. NULL: never, and
     * refused earlier. */
    okra_status (*check)(okra_writer *writer, okra_message *why);

    /* Writes what comes before the rows; NULL: nothing. The caller checks the output for failures. */
    okra_status (*begin)(okra_writer *writer, const char *const *names, okra_message *why);

    /* Writes a row to `to`, and returns where it ends. */
    char *(*row)(okra_writer *writer, const double *values, char *to);

    /* Writes the columns of text and the end of the row, after its numbers; needed if the format has `text`. */
    void (*texts)(okra_writer *writer, const char *texts);

    /* Updates the header to the rows written so far. Everything has been flushed. NULL: nothing to do. */
    void (*update_header)(okra_writer *writer);

    /* Writes what comes after the rows, and frees what `own` points to; also called if `begin` has failed. NULL:
     * nothing. */
    void (*end)(okra_writer *writer);
} okra_writer_class;

struct okra_writer {
    const okra_writer_class *class;
    const okra_format_row *format;
    const okra_codec *codec;     /* by the ending of the name; NULL: not compressed */
    okra_writer_options options; /* names are not kept */
    okra_output output;
    size_t row_bytes;
    okra_writer_info info;
    void *own; /* the format's, freed with the writer */
};

extern const okra_writer_class okra_text_writer, okra_jsonl_writer, okra_npy_writer, okra_raw_writer, okra_audio_writer;

/* A number of column c as text, with the digits that the options ask for; returns where it ends, at a NUL. */
char *okra_write_number(const okra_writer_options *o, size_t c, double x, char *to);

/* The check of formats of lines: a line must end at append_at. */
okra_status okra_check_lines(okra_writer *writer, okra_message *why);

/* Reads `count` bytes of an existing file; false if it has fewer. */
bool okra_writer_look(const okra_writer *writer, uint64_t offset, char *bytes, size_t count);

#endif
