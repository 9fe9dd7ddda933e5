/*
 * A learner that goes through rows in memory, beside others that go through the same.
 */
#ifndef OKRA_CLI_ENTRANT_H
#define OKRA_CLI_ENTRANT_H

#include <stddef.h>

#include "../stream/learner.h"
#include "../stream/score.h"
#include "stock.h"

typedef struct entrant {
    learner learner;
    okra_status status; /* why it stopped: divergence, or what the filter refused; OKRA_OK while it goes on */
    uint64_t rows;      /* taken before it stopped */
    double *yhat;
} entrant;

/* A new one of the spec, or where there is a model a twin of that. To be freed in either case. */
okra_status entrant_start(entrant *e, const okra_spec *spec, const okra_filter *model);
void entrant_free(entrant *e);

/*
 * Rows [first, last) of the stock, each predicted before it is learnt, as `run` does it: errors[(last - first) x
 * targets] (may be NULL), NaN where there is no prediction, no target or, after a refusal, no learner any more.
 */
void entrant_go(entrant *e, const stock *s, size_t first, size_t last, double *errors);

/* Adds rows [first, last) of the stock to a score; errors begin with those of row `first`. */
void entrant_score(const stock *s, size_t first, size_t last, const double *errors, score *to);

#endif
