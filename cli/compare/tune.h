/*
 * Tuning: candidates from a grid of parameters, ranked by successive halving.
 *
 * tune_candidates.c draws candidates, tune_search.c runs them, tune_report.c prints the result.
 */
#ifndef OKRA_CLI_TUNE_H
#define OKRA_CLI_TUNE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

#include "runner.h"
#include "../common/output.h"
#include "recipe_list.h"
#include "row_table.h"

enum { TUNE_AXES = 8, TUNE_VALUES = 12, TUNE_TEXT = 24 };

/* The values of a parameter to try, in order, so that neighbours are similar. */
typedef struct tune_axis {
    const char *name;
    size_t n, usual; /* and the place to start from */
    char values[TUNE_VALUES][TUNE_TEXT];
} tune_axis;

/* The grid of a recipe: the parameters that the command line leaves open. A recipe on features has two, with equal
 * widths and with a width for each input. */
typedef struct tune_space {
    okra_spec base; /* the recipe with its defaults, width and scale automatic: the one to beat; or with found widths */
    bool found;     /* it has found widths, and no default */
    size_t n_axes;
    tune_axis axes[TUNE_AXES];
} tune_space;

typedef struct candidate {
    size_t space;
    bool is_default;
    size_t at[TUNE_AXES]; /* place on each axis; a default has none */
    okra_spec spec;
    runner runner;
    double *errors; /* rows x targets */
    size_t rows;    /* gone through */
    bool out;       /* of the race, by a rung or by a refusal */
    double late;    /* NMSE over the later ones of these; infinite if it diverged */
} candidate;

typedef struct tuning {
    const row_table *rows;
    size_t n_spaces;
    tune_space *spaces;
    size_t budget; /* candidates, defaults included */
    int threads;   /* 0: all */
    bool quiet;
    atomic_bool *lacks_memory; /* set by any thread if a candidate ran out of memory */

    size_t n, draws;
    candidate *candidates;
    const candidate *plain, *winner; /* the best default, and what is to be used: maybe the same */
} tuning;

/* The grid around a recipe, for these rows; it has no axes if the command line leaves nothing open. With `found`, that
 * of widths found on the first rows; false if there are none: they were given, or the recipe has none. */
bool tune_space_make(tune_space *space, const recipe_entry *recipe, bool found, const arguments *options,
                     const row_table *rows);

/* The default, the i-th place to start from, a place by chance, and the place so many steps up an axis, or down;
 * false if there is none. */
void tune_default(const tune_space *space, candidate *c);
bool tune_start(const tune_space *space, size_t i, candidate *c);
bool tune_draw(const tune_space *space, uint32_t number, candidate *c);
bool tune_neighbour(const tune_space *space, const candidate *of, size_t axis, int steps, candidate *c);

/* The places that one candidate's steps away from another lead to from a third, all at once. */
bool tune_combine(const tune_space *space, const candidate *of, const int *steps, candidate *c);

/* The number of rows that widths are found on. */
size_t tune_width_rows(size_t rows);

/* Runs candidates until the budget is spent. Returns EXIT_DONE, or another exit status after an error message. */
int tune_search(tuning *t);
void tune_free(tuning *t);

/* How many of so many rows are not scored: the first ones. */
size_t tune_late(size_t rows);

/* NMSE of a candidate over rows [from, to), which it has gone through, as `run` would tell it. */
double tune_nmse(const tuning *t, const candidate *c, size_t from, size_t to);

/* The winner as a command line on standard output; the errors and the finalists on standard error, or as JSON. */
int tune_print(const tuning *t, const arguments *options);
void tune_note(const tuning *t);
int tune_write(const tuning *t, const arguments *options, output *out);

#endif
