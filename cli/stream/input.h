/*
 * The input of a command: a table, what its columns are for, and rows of it as the model takes them.
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
    const resume_state *resume; /* the model file that the columns are to fit; its model is NULL: none */
    bool learns;                /* rows are learnt from, with the weights that they have; or only predicted */
    bool f32;                   /* numbers are rounded to float32, and must fit it */
    bool skips_bad_rows;

    okra_table *table;
    columns columns;
    bool countable;               /* it can be gone through twice: once to count its rows */
    uint64_t score_from;          /* rows that are not scored */
    double *values;               /* the row being read */
    uint64_t fingerprint;         /* of the rows so far: another file, or the same with other numbers, has another */
    void (*waits)(void *context); /* called before more of a pipe is waited for; NULL: nobody is told */
    void *context;
} input;

/* Opens the input that the settings name, and settles its columns. EXIT_DONE, or another exit status when it has said
 * why; to be closed in either case. What is given must outlive it. */
int input_open(input **opened, const arguments *options, const settings *set, const resume_state *fits, bool learns);
void input_close(input *in);

/* Settles the columns that the options name, or the model file. */
int input_choose_columns(input *in);

/* Gives a spec the inputs and targets that there are. */
void input_fit(const input *in, okra_spec *spec);

/*
 * Reads the next row into the block that *place is once the row has come, where there is room for it. A bad row that
 * does not stop is one of weight -1. The block's state tells where there are no more.
 */
void input_next(input *in, block **place);

#endif
