/*
 * Several recipes on one stream.
 *
 * compare_run.c runs them, compare_report.c makes the table, compare_draw.c the pictures.
 */
#ifndef OKRA_CLI_COMPARE_H
#define OKRA_CLI_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "curve.h"
#include "runner.h"
#include "../draw/figure.h"
#include "../common/output.h"
#include "recipe_list.h"
#include "../stream/metrics.h"
#include "row_table.h"

typedef struct compared {
    const recipe_entry *entry;
    runner runner;
    score score;
    curve curve;
    double seconds; /* of one core */
} compared;

typedef struct comparison {
    row_table *rows;
    size_t n;
    compared *runners;
} comparison;

/* Takes the rows through all of them, up to `max_rows`. Returns EXIT_DONE, or another exit status after an error
 * message. Free it in either case. */
int compare_run(comparison *c, const recipe_list *recipes, row_table *rows, uint64_t max_rows, bool quiet);
void compare_free(comparison *c);

/* What tables and pictures call it: a, b, .. */
char compare_mark(size_t k);

/* Variance of the targets scored: what errors are normalised by. */
double compare_variance(const comparison *c);

/* The table, to standard output; or as JSON. compare_note() adds a note if there is no error to show. */
void compare_print(const comparison *c);
void compare_note(const comparison *c);
int compare_write(const comparison *c, output *out);

/* compare.csv, .gp, .png and .svg in a directory; the curves in the terminal. */
int compare_draw(const comparison *c, const char *directory);
void compare_plot(const comparison *c);

#endif
