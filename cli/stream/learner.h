/*
 * A filter that takes rows with missing values, in the precision of the filter.
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

/* Free it in either case. */
okra_status learner_start(learner *l, const okra_spec *spec);

/* Takes over an existing model. */
void learner_adopt(learner *l, okra_filter *model);

void learner_free(learner *l);

/*
 * Predicts each of n rows, u[n][inputs], into yhat[n][outputs], with its variance[n][outputs] unless that is NULL, then
 * learns what is due; NaN stands for what is missing. Values must fit the precision. weight[n] may be NULL: all 1.
 * Stops at the first row that is refused, with the reason; *done rows were taken.
 */
okra_status learner_run(learner *l, size_t n, const double *u, const double *y, const double *weight, double *yhat,
                        double *variance, size_t *done);

/* The spec, with the width that was found instead of `auto`. */
okra_spec learner_spec(const learner *l);

/* Samples that the filter inside has learnt so far. */
uint64_t learner_learnt(const learner *l);

/* A counter of the filter by name; 0 if it has none of that name. */
uint64_t learner_counter(const learner *l, const char *name);

/* error = y - yhat, in the model's own arithmetic. */
void learner_error(const learner *l, const double *y, const double *yhat, double *error);

/* lo, hi = yhat -+ q sqrt(variance), as numbers of the model's precision. */
void learner_interval(const learner *l, double q, const double *yhat, const double *variance, double *lo, double *hi);

#endif
