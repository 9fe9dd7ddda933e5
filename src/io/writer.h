/*
 * What a format of output is, inside libokra-io. writer.c is the door; a format's file knows how a row is written.
 */
#ifndef OKRA_IO_WRITER_H
#define OKRA_IO_WRITER_H

#include <okra/io.h>

#include "sink.h"

typedef struct okra_writer_class {
    /* The longest that a row can be, in bytes. */
    size_t (*row_bytes)(const okra_writer_options *options);

    /* Whether an existing file can be gone on with after its first append_at bytes: OKRA_E_FORMAT where it cannot. */
    okra_status (*check)(okra_writer *writer, okra_message *why);

    /* Writes what comes before the rows. */
    void (*begin)(okra_writer *writer, const char *const *names);

    /* Writes a row to `to`, and returns where it ends. */
    char *(*row)(const okra_writer *writer, const double *values, char *to);

    /* Makes the bytes before the rows agree with them; everything has been spilt. NULL: nothing to do. */
    void (*settle)(okra_writer *writer);
} okra_writer_class;

struct okra_writer {
    const okra_writer_class *class;
    okra_writer_options options; /* format settled, names gone */
    okra_sink sink;
    size_t row_bytes;
};

extern const okra_writer_class okra_text_writer, okra_npy_writer, okra_raw_writer;

/* Text columns, and the end of the line, after a row of numbers. */
void okra_write_texts(okra_writer *writer, const char *texts);

/* Reads what an existing file has; false where it has less. */
bool okra_writer_look(const okra_writer *writer, uint64_t offset, char *bytes, size_t count);

#endif
