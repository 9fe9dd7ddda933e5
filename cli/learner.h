/*
 * A filter whose precision does not show: rows come as doubles, and a float32 filter is given floats.
 */
#ifndef OKRA_CLI_LEARNER_H
#define OKRA_CLI_LEARNER_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

typedef struct learner {
    okra_filter *filter;
    size_t inputs, outputs;
    bool f32;
    float *x, *y, *yhat; /* room for float calls; NULL in double precision */
} learner;

/* To be freed in either case. */
okra_status learner_start(learner *l, const okra_spec *spec);
void learner_free(learner *l);

/* Predicts x[inputs] into yhat[outputs], then learns y[outputs], unless y is NULL. Values must fit the precision. */
okra_status learner_step(learner *l, const double *x, const double *y, double weight, double *yhat);

/* error = y - yhat, in the filter's own arithmetic. */
void learner_error(const learner *l, const double *y, const double *yhat, double *error);

/* Whether a value is finite in the filter's precision. */
bool learner_fits(const learner *l, double value);

#endif
