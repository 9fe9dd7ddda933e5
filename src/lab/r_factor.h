/* The inside of an R factor. */
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
 * What RLS keeps instead of the leading triangle R, and back: P = R^-1 R^-T = U diag(d) U', U unit upper, `u` its
 * columns down to the diagonal one after the other. R is n x n by columns, with n columns of `stride` numbers; what is
 * below its diagonal is not touched.
 * OKRA_E_DIVERGED where R, or U diag(d) U', is singular.
 */
okra_status r_factor_to_ud(size_t n, const double *r, size_t stride, double *u, double *d);
okra_status r_factor_from_ud(size_t n, const double *u, const double *d, double *r, size_t stride);

/* The arrays of a model by name, as doubles whatever its precision; a new one, or NULL. */
double *model_array(const okra_filter *model, const char *name, size_t *n);
okra_status model_array_set(okra_filter *model, const char *name, size_t n, const double *numbers);

/* Samples, and all that RLS keeps: theta, d, u and the noise, one after the other. */
okra_status model_set_rls(okra_filter *model, uint64_t samples, size_t features, size_t outputs, const double *numbers);

okra_status model_counter(const okra_filter *model, const char *name, uint64_t *value);

/* theta, outputs x features: the minimiser of lambda |theta|^2 + sum w (y - theta.z)^2. OKRA_E_DIVERGED where there is
 * none because lambda was 0 and the samples do not decide. */
okra_status okra_r_factor_theta(okra_r_factor *t, double *theta);

#endif
