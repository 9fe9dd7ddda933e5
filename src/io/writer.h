/*
 * What a format of output is, inside libokra-io. writer.c is the door; a format's file knows how a row is written.
 */
#ifndef OKRA_IO_WRITER_H
#define OKRA_IO_WRITER_H

#include <okra/io.h>

#include "format.h"
#include "sink.h"

typedef struct okra_writer_class {
    /* The longest that a row can be, in bytes; NULL: rows do not go through the sink. */
    size_t (*row_bytes)(const okra_writer *writer);

    /* Whether an existing file can be gone on with after its first append_at bytes: OKRA_E_FORMAT where it cannot.
     * NULL: never, and refused before. */
    okra_status (*check)(okra_writer *writer, okra_message *why);

    /* Writes what comes before the rows; NULL: nothing. A failure of the sink is found by others. */
    okra_status (*begin)(okra_writer *writer, const char *const *names, okra_message *why);

    /* Writes a row to `to`, and returns where it ends. */
    char *(*row)(okra_writer *writer, const double *values, char *to);

    /* Makes the bytes before the rows agree with them; everything has been spilt. NULL: nothing to do. */
    void (*settle)(okra_writer *writer);

    /* Writes what comes after the rows, and frees what the format has; also where `begin` has failed. NULL: nothing. */
    void (*end)(okra_writer *writer);
} okra_writer_class;

struct okra_writer {
    const okra_writer_class *class;
    const okra_format_row *format;
    okra_writer_options options; /* names gone */
    okra_sink sink;
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
