/* Calls in double on a float32 filter: inputs are rounded. Used only by stream.c in double. */
#ifndef OKRA_NARROW_H
#define OKRA_NARROW_H

#include <okra/filter.h>

okra_status okra_narrow_step(okra_filter *filter, const double *u, const double *y, double weight, double *yhat,
                             double *variance);
okra_status okra_narrow_begin(okra_filter *filter, const double *u, double *yhat, double *variance);
okra_status okra_narrow_commit(okra_filter *filter, const double *y, double weight);
okra_status okra_narrow_run(okra_filter *filter, size_t n, const double *U, const double *Y, const double *weights,
                            double *Yhat, double *variance, size_t *done);
okra_status okra_narrow_predict(const okra_filter *filter, void *scratch, size_t n, const double *U, double *Yhat,
                                double *variance);

#endif
