/*
 * A chunk of a stream's rows in memory, for commands that give the same rows to several learners.
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

/* Opens the stream that the settings name, with the columns of the loaded model, if any. Returns EXIT_DONE, or
 * another exit status after an error message. Close it in either case. The arguments must outlive it. */
int row_table_open(row_table *s, const arguments *options, const settings *set, const resume_state *fits);

/* Replaces the rows by the next `max_rows`, or fewer at the end of the stream. Returns EXIT_DONE, or EXIT_IO after an
 * error message. */
int row_table_fill(row_table *s, size_t max_rows);

/* Checks that these rows can rank learners: every input has a value, and some target has two. Returns EXIT_DONE, or
 * EXIT_IO when it has said what is wrong. */
int row_table_check_varies(const row_table *s);

void row_table_close(row_table *s);

#endif
