/*
 * A model whose precision does not show: rows come as doubles, and a float32 model is given floats.
 */
#ifndef OKRA_CLI_LEARNER_H
#define OKRA_CLI_LEARNER_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

typedef struct learner {
    okra_model *model;
    size_t inputs, outputs;
    bool f32;
    float *u, *y, *yhat, *variance; /* room for float calls; NULL in double precision */
} learner;

/* To be freed in either case. */
okra_status learner_start(learner *l, const okra_spec *spec);

/* A model that is there already, and the learner's from here on. */
okra_status learner_adopt(learner *l, okra_model *model);

void learner_free(learner *l);

/* Labels that are still to be learnt, where the horizon is above 1, never will be. */
void learner_freeze(learner *l);

/*
 * Predicts the row with inputs u[inputs] into yhat[outputs], with its variance[outputs] unless that is NULL, then
 * learns what is due; NaN stands for what is missing. Values must fit the precision.
 */
okra_status learner_step(learner *l, const double *u, const double *y, double weight, double *yhat, double *variance);

/* The same row, learning nothing. */
okra_status learner_predict(learner *l, const double *u, const double *y, double *yhat, double *variance);

/*
 * Forgets everything and begins anew in the middle of a stream, with the lags filled, so that no row to come lacks a
 * prediction for want of a past. The last row, of this weight, is learnt again; the only one whose own lags are known.
 */
okra_status learner_relearn(learner *l, double weight);

/* Samples that the filter inside has learnt so far. */
uint64_t learner_learnt(const learner *l);

/* error = y - yhat, in the model's own arithmetic. */
void learner_error(const learner *l, const double *y, const double *yhat, double *error);

/* lo, hi = yhat -+ q sqrt(variance), as numbers of the model's precision. */
void learner_interval(const learner *l, double q, const double *yhat, const double *variance, double *lo, double *hi);

/* A value as the model sees it: rounded to its precision. */
double learner_rounded(const learner *l, double value);

/* Whether a value is finite in the model's precision. */
bool learner_fits(const learner *l, double value);

#endif
