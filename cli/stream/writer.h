/*
 * Writes behind: a thread formats and writes rows while the main thread learns. The next call after a failure reports
 * it, once.
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
    bool eager;     /* a reader may be waiting for each row: write at once */
} writer_rows;

typedef struct writer writer;

/* Takes over `to`. Written blocks return to the reader. NULL if there is no memory or no thread; the caller then
 * still owns `to`. */
writer *writer_start(okra_writer *to, const writer_rows *what, reader *from);

/* Passes a block to the writer. Returns EXIT_DONE, or EXIT_IO after an error message. */
int writer_put(writer *w, block *b);

/* Waits until everything is written and on disk. *bytes is the length of the output. */
int writer_sync(writer *w, uint64_t *bytes);

/* Number of values clipped so far; 0 if w is NULL. */
uint64_t writer_clipped(writer *w);

/* Writes what is left, closes and frees; NULL is allowed. */
int writer_close(writer *w);

#endif
