/* The state of recursive least squares, for rls.c and for the ensemble, whose members it is. */
#ifndef OKRA_RLS_H
#define OKRA_RLS_H

#include "noise.h"
#include "ud.h"
#include "weights.h"

#define rls OKRA_TYPED(rls)
struct rls {
    linear_weights w;
    ud_factor p;
    noise_estimate noise;
    loss_state *loss; /* NULL: the square */
    real beta, inv_beta, inv_lambda;
    size_t period;      /* T; 0: no cyclic regularisation */
    real cyclic_share;  /* weight of the regularising measurement, in lambdas .. */
    real cyclic_r;      /* .. and its variance */
    uint64_t cycle;     /* samples learnt, which gives j */
    real *target;       /* [outputs]: y with its error limited */
    real *error;        /* [outputs]: error of the pending sample, divided by its total */
    bool theta_pending; /* whether the pending update of p moves theta */
};

#define rls_set_lambda OKRA_TYPED(rls_set_lambda)
#define rls_start      OKRA_TYPED(rls_start)

/* Another regularisation, from the next reset on, and in cyclic regularisation. */
void rls_set_lambda(struct rls *f, real lambda);

/*
 * The state after a whole set of samples at once: r is the factor of their sums and inverse is R^-1, see matrix.h, with
 * the targets in the columns behind the features. `samples` is what the sum of squares is divided by for the noise.
 * False, and a new filter, if the result cannot be used.
 */
bool rls_start(struct rls *f, const real *r, const real *inverse, size_t stride, real samples);

#endif
