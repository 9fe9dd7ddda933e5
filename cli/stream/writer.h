/*
 * Rows written behind: a thread turns numbers into text and writes it while the main one learns. A failure is
 * remembered, and told once, by the call that comes upon it.
 */
#ifndef OKRA_CLI_WRITER_H
#define OKRA_CLI_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/io.h>

#include "columns.h"
#include "reader.h"

/* What is written of a row. */
typedef struct writer_rows {
    const columns *columns;
    bool intervals; /* lo and hi behind each prediction */
    bool residual;  /* errors alone */
    bool eager;     /* somebody may be waiting for each row: what has come is written at once */
} writer_rows;

typedef struct writer writer;

/* Takes `to` over. Blocks go back to the reader once they are written. NULL if there is no memory or no thread: `to`
 * is then still the caller's. */
writer *writer_start(okra_writer *to, const writer_rows *what, reader *from);

/* Hands a block over. EXIT_DONE, or EXIT_IO after an error message. */
int writer_put(writer *w, block *b);

/* Waits until everything is on the disk, or wherever it goes; *bytes is how much there is of it. */
int writer_sync(writer *w, uint64_t *bytes);

/* How many values have been clipped so far, of every row handed over; 0 where w is NULL. */
uint64_t writer_clipped(writer *w);

/* Writes what is left, closes and frees; NULL is allowed. */
int writer_close(writer *w);

#endif
