/*
 * Rows of numbers as bytes, inside libokra-io: a whole file of them, or the part of one behind a header.
 */
#ifndef OKRA_IO_RAW_H
#define OKRA_IO_RAW_H

#include "cells.h"
#include "table.h"

/* As many rows as there are. */
#define OKRA_TO_THE_END UINT64_MAX

typedef struct okra_raw {
    okra_table base;
    okra_cells cells;
    size_t row_bytes;
    uint64_t left; /* rows still to come; OKRA_TO_THE_END */
} okra_raw;

/* Sets cells, columns and rows to come; the source is at the first of them. */
void okra_raw_start(okra_raw *raw, okra_cells cells, size_t columns, uint64_t rows);

/*
 * Takes the row whose cells begin at `bytes`, one every `stride`. OKRA_E_FORMAT, naming row and column, where one is
 * not finite, or a whole number beyond 2^53.
 */
okra_status okra_raw_take(okra_raw *raw, const char *bytes, size_t stride, double *row, okra_message *why);

/* The `next`, `skip` and `part` of rows that follow one another. */
okra_status okra_raw_next(okra_table *table, double *row, bool *more, okra_message *why);
okra_status okra_raw_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why);
okra_status okra_raw_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead,
                          okra_message *why);

#endif
