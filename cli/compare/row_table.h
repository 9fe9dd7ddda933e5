/*
 * Rows of a stream in memory, a chunk at a time, for the commands that show the same rows to several learners.
 */
#ifndef OKRA_CLI_ROW_TABLE_H
#define OKRA_CLI_ROW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../stream/input.h"

typedef struct row_table {
    input *from;
    block rows;             /* of this chunk; its state is not BLOCK_GOOD at the end of the stream */
    size_t inputs, targets; /* of a row */
    uint64_t before;        /* rows of the chunks before */
    uint64_t skipped;
} row_table;

/* Opens the stream that the settings name, with the columns of a saved model where there is one. EXIT_DONE, or another
 * exit status after an error message; to be closed in either case. What is given must outlive it. */
int row_table_open(row_table *s, const arguments *options, const settings *set, const resume_state *fits);

/* Reads the next chunk, up to `max_rows` rows, in place of the last: fewer at the end of the stream only. EXIT_DONE, or
 * EXIT_IO after an error message. */
int row_table_fill(row_table *s, size_t max_rows);

/* Whether these rows can show who predicts better: each input has a value somewhere, and a target has two. EXIT_DONE,
 * or EXIT_IO when it has said what is wrong. */
int row_table_check_varies(const row_table *s);

void row_table_close(row_table *s);

#endif
