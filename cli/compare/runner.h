/*
 * A learner on rows in memory, which other runners learn too.
 */
#ifndef OKRA_CLI_RUNNER_H
#define OKRA_CLI_RUNNER_H

#include <stddef.h>

#include "../stream/learner.h"
#include "../stream/metrics.h"
#include "row_table.h"

typedef struct runner {
    learner learner;
    okra_status status; /* why it stopped: divergence or a refused row; OKRA_OK while it runs */
    uint64_t rows;      /* taken before it stopped */
    double *yhat;
} runner;

/* Starts with a copy of `model`, or with a new one of the spec if that is NULL. Free it in either case. */
okra_status runner_start(runner *e, const okra_spec *spec, const okra_filter *model);
void runner_free(runner *e);

/*
 * Rows [first, last) of the row_table, prequentially, as `run` does: errors[(last - first) x targets] (may be NULL),
 * NaN if there is no prediction, no target or, after a refusal, no learner any more.
 */
void runner_go(runner *e, const row_table *s, size_t first, size_t last, double *errors);

/* Adds rows [first, last) of the row_table to a score; errors begin with those of row `first`. */
void runner_score(const row_table *s, size_t first, size_t last, const double *errors, score *to);

#endif
