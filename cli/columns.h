/*
 * Which columns of the input are targets, inputs and weight.
 */
#ifndef OKRA_CLI_COLUMNS_H
#define OKRA_CLI_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

#define NO_COLUMN SIZE_MAX

typedef struct columns {
    size_t n_targets, n_inputs;
    size_t *targets, *inputs; /* columns from 0, in the order asked for */
    size_t weight;            /* NO_COLUMN: none */
} columns;

/*
 * Finds the columns that the options name, by name or 1-based number, and tells the reader to read no others. Any of
 * the three texts may be NULL: the target is then the last column, the inputs all that have no other part. EXIT_DONE,
 * or another exit status when it has said why; to be freed in either case.
 */
int columns_choose(columns *chosen, okra_reader *reader, const char *targets, const char *inputs, const char *weight);

void columns_free(columns *chosen);

/* How messages call a column: "column 3 (x3)", or "column 3" where there is no header. Returns `label`. */
enum { COLUMN_LABEL = 96 };
const char *column_label(const okra_reader *reader, size_t column, char label[COLUMN_LABEL]);

#endif
