/*
 * The input of a command: a table, the roles of its columns, and its rows as the model takes them.
 */
#ifndef OKRA_CLI_INPUT_H
#define OKRA_CLI_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "block.h"
#include "columns.h"
#include "resume_state.h"
#include "run_options.h"
#include "../common/options.h"

typedef struct input {
    const arguments *options;
    const settings *set;
    const resume_state *resume; /* the model file that decides the columns; its model is NULL: none */
    bool learns;                /* learns rows, with their weights; or only predicts */
    bool f32;                   /* numbers are rounded to float32, and must be in its range */
    bool skips_bad_rows;

    okra_table *table;
    columns columns;
    bool countable;               /* a regular file, whose rows can be counted first */
    uint64_t score_from;          /* rows that are not scored */
    double *values;               /* the row being read */
    uint64_t fingerprint;         /* hash of the rows so far, to recognise the same file */
    void (*waits)(void *context); /* called before waiting for more of a pipe; NULL: none */
    void *context;
} input;

/* Opens the input that the settings name, and chooses its columns. Returns EXIT_DONE, or another exit status after
 * an error message. Close it in either case. The arguments must outlive it. */
int input_open(input **opened, const arguments *options, const settings *set, const resume_state *fits, bool learns);
void input_close(input *in);

/* Chooses the columns that the options or the model file name. */
int input_choose_columns(input *in);

/* Sets the spec's numbers of inputs and targets. */
void input_fit(const input *in, okra_spec *spec);

/*
 * Reads the next row into the block that *place points to once the row has arrived; the block must have space for it. A
 * bad row that is skipped has weight -1. The block's state says if there are no more rows.
 */
void input_next(input *in, block **place);

#endif
