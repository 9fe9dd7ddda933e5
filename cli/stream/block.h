/*
 * A block of rows, which are read, learnt and written together. Blocks circulate from the reading thread to the
 * learning one, to the writing one, and back.
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
    BLOCK_STOPPED, /* the next row is bad, and --bad-rows is stop */
    BLOCK_FAILED   /* reading failed */
} block_state;

typedef struct block {
    size_t n, capacity; /* rows */
    double *u;          /* n x inputs; NaN stands for what is missing */
    double *y;          /* n x targets */
    double *weight;     /* n; below 0: a bad row that is skipped; its numbers are NaN */
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

/* Reserves space for so many rows and keeps those that are there. False if there is no memory. Free it in either
 * case. */
bool block_reserve(block *b, size_t rows, const columns *c);
void block_free(block *b);

/* Removes all rows. */
void block_clear(block *b);

/* Reserves space for so many more bytes of text; false if there is no memory. */
bool block_reserve_text(block *b, size_t bytes);

#endif
