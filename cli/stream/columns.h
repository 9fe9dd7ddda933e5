/*
 * Columns of the input: which are targets, inputs or weights, and which are copied to the output.
 */
#ifndef OKRA_CLI_COLUMNS_H
#define OKRA_CLI_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

#define NO_COLUMN SIZE_MAX

typedef struct columns {
    size_t n_targets, n_inputs, n_kept;
    bool kept_as_text;               /* kept columns are copied as they are written, and not read as numbers */
    size_t *targets, *inputs, *kept; /* columns from 0, in the order asked for; a target may be NO_COLUMN: not there */
    size_t weight;                   /* NO_COLUMN: none */
} columns;

/* What a column is for. A column has one of these parts at most, but for KEPT: any may be kept beside. */
typedef enum part { TARGET, WEIGHT, INPUT, LEFT_OUT, KEPT, N_PARTS } part;

/* The columns of one part. */
typedef struct column_list {
    size_t n;
    struct column_item {
        char *text;  /* a name, or a number from 1 if there is no such name: a header may call its columns 0, 1, 2 */
        bool number; /* it is a number, whatever the columns are called */
    } * items;
} column_list;

/* What is asked for. Absent lists: the target is the last column that is not left out, the inputs all that have no
 * other part and are not kept. */
typedef struct column_request {
    bool kept_as_text;                 /* see columns */
    const column_list *lists[N_PARTS]; /* NULL: not asked for */
    const char *said[N_PARTS];         /* what messages call the asker: "--target" */
    bool no_inputs;                    /* there are none, rather than all others */
    bool targets_may_miss;             /* a target that is not in the file is no error */
} column_request;

/*
 * Finds the columns and tells the table to read no others. Returns EXIT_DONE, or another exit status after an error
 * message. Free it in either case.
 */
int columns_choose(columns *chosen, okra_table *table, const column_request *request);

void columns_free(columns *chosen);

/* Splits a comma-separated list. Returns EXIT_DONE, or another exit status after an error message, beginning with
 * `said`. Free it in either case. */
int column_list_split(column_list *list, const char *text, const char *said);

/* Adds a copy of an item's text; false if there is no memory. */
bool column_list_add(column_list *list, const char *text, bool number);

void column_list_free(column_list *list);

/* A column's name in messages: "column 3 (x3)", or "column 3" without a header. Returns `label`. */
enum { COLUMN_LABEL = 96 };
const char *column_label(const okra_table *table, size_t column, char label[COLUMN_LABEL]);

#endif
