/*
 * A filter and the rows of a file, where values may be missing; and numbers in the precision that it has.
 */
#ifndef OKRA_CLI_LEARNER_H
#define OKRA_CLI_LEARNER_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

typedef struct learner {
    okra_filter *model;
    size_t inputs, outputs;
    bool f32;
} learner;

/* To be freed in either case. */
okra_status learner_start(learner *l, const okra_spec *spec);

/* A model that is there already, and the learner's from here on. */
void learner_adopt(learner *l, okra_filter *model);

void learner_free(learner *l);

/*
 * Predicts the row with inputs u[inputs] into yhat[outputs], with its variance[outputs] unless that is NULL, then
 * learns what is due; NaN stands for what is missing. Values must fit the precision.
 */
okra_status learner_step(learner *l, const double *u, const double *y, double weight, double *yhat, double *variance);

/* The spec, with the width that was found in place of the wish to find one. */
okra_spec learner_spec(const learner *l);

/* Samples that the filter inside has learnt so far. */
uint64_t learner_learnt(const learner *l);

/* Restarts of a filter that chooses scale and width by itself: see okra_stats. */
uint64_t learner_restarts(const learner *l);

/* error = y - yhat, in the model's own arithmetic. */
void learner_error(const learner *l, const double *y, const double *yhat, double *error);

/* lo, hi = yhat -+ q sqrt(variance), as numbers of the model's precision. */
void learner_interval(const learner *l, double q, const double *yhat, const double *variance, double *lo, double *hi);

/* A value as the model sees it: rounded to its precision. */
double learner_rounded(const learner *l, double value);

/* Whether a value is finite in the model's precision. */
bool learner_fits(const learner *l, double value);

#endif
