/* The internals of an R factor. */
#ifndef OKRA_R_FACTOR_INTERNAL_H
#define OKRA_R_FACTOR_INTERNAL_H

#include <lapacke.h>
#include <okra/merge.h>
#include <okra/okra.h>

struct okra_r_factor {
    size_t features, outputs, n; /* n = features + outputs */
    uint64_t samples;
    double *t;       /* [n][n] by columns: the factor; zeros below the diagonal */
    double *rows;    /* [n][BATCH] by columns: samples not yet in the factor */
    size_t buffered; /* how many of them */
    double *scratch; /* scratch of LAPACK */
};

/* Adds the buffered samples to the factor. */
okra_status r_factor_flush(okra_r_factor *t);

/*
 * Converts between the leading triangle R and the state of RLS: P = R^-1 R^-T = U diag(d) U', with U unit upper
 * triangular; `u` holds its columns down to the diagonal, one after the other. R is n x n, with n columns of `stride`
 * numbers; below the diagonal it is not touched. OKRA_E_DIVERGED if R, or U diag(d) U', is singular.
 */
okra_status r_factor_to_ud(size_t n, const double *r, size_t stride, double *u, double *d);
okra_status r_factor_from_ud(size_t n, const double *u, const double *d, double *r, size_t stride);

/* An array of a model by name, as doubles in either precision; newly allocated, or NULL. */
double *model_array(const okra_filter *model, const char *name, size_t *n);
okra_status model_array_set(okra_filter *model, const char *name, size_t n, const double *numbers);

/* Sets the number of samples and the state of RLS: theta, d, u and the noise, one after the other. */
okra_status model_set_rls(okra_filter *model, uint64_t samples, size_t features, size_t outputs, const double *numbers);

okra_status model_counter(const okra_filter *model, const char *name, uint64_t *value);

/* theta, outputs x features: the minimiser of lambda |theta|^2 + sum w (y - theta.z)^2. OKRA_E_DIVERGED if it is not
 * unique, because lambda is 0 and there are too few samples. */
okra_status okra_r_factor_theta(okra_r_factor *t, double *theta);

#endif
