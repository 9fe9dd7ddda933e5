/*
 * A block of rows: what is read, learnt and written together. Blocks go from the thread that reads to the one that
 * learns and on to the one that writes, and then round again.
 */
#ifndef OKRA_CLI_BLOCK_H
#define OKRA_CLI_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

#include "columns.h"

typedef enum block_state {
    BLOCK_GOOD,    /* more may follow */
    BLOCK_ENDED,   /* the input has ended after these rows */
    BLOCK_STOPPED, /* the row after these is a bad one, and bad rows stop */
    BLOCK_FAILED   /* the input cannot be read any further */
} block_state;

typedef struct block {
    size_t n, capacity; /* rows */
    double *u;          /* n x inputs; NaN stands for what is missing */
    double *y;          /* n x targets */
    double *weight;     /* n; below 0: a bad row that is skipped, with NaN for its numbers */
    uint64_t *line;     /* n: where they stand in the input */
    double *kept;       /* n x columns kept as numbers */
    char *texts; /* of columns kept as text: those of each row after those of the row before, each ended by a NUL .. */
    size_t length, texts_capacity; /* .. so many bytes */
    size_t *text;                  /* n: where those of a row begin */

    block_state state;
    okra_message why; /* of a bad row, the first of the block; or why the input failed */
    double progress;  /* see okra_table_progress() */

    uint64_t fingerprint;                      /* of all rows of the input up to the last of these */
    uint64_t first;                            /* rows of the input before this block */
    double *yhat, *error, *variance, *lo, *hi; /* n x targets, once they are learnt */
} block;

/* Room for so many rows; what is there stays. False if there is no memory. To be freed in either case. */
bool block_reserve(block *b, size_t rows, const columns *c);
void block_free(block *b);

/* Makes it empty. */
void block_clear(block *b);

/* Room for so many bytes of text after those that are there; false if there is no memory. */
bool block_reserve_text(block *b, size_t bytes);

#endif
