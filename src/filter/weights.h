/*
 * theta, the weights of every filter that is linear in z: yhat = theta . z for each output. Prediction, reset, the view
 * from outside, and the guard that no step makes a weight non-finite.
 *
 * A filter's state struct that begins with `linear_weights` can put these functions straight into its class: they take
 * its address as `self`.
 */
#ifndef OKRA_WEIGHTS_H
#define OKRA_WEIGHTS_H

#include "filter.h"

#define linear_weights OKRA_TYPED(linear_weights)
typedef struct linear_weights {
    const vec_table *vec;
    size_t features, width, outputs;
    bool halves;  /* theta is in two halves, as the fused primitives have a paired z */
    real *theta;  /* [outputs][width] */
    real *gain;   /* [outputs]: each output's step along z, all known before theta is touched */
    real keep;    /* what a step leaves of theta: below 1 if it leaks */
    real max_abs; /* no |theta_i| is larger */
} linear_weights;

#define weights_lay_out    OKRA_TYPED(weights_lay_out)
#define weights_reset      OKRA_TYPED(weights_reset)
#define weights_predict    OKRA_TYPED(weights_predict)
#define weights_array      OKRA_TYPED(weights_array)
#define weights_after_load OKRA_TYPED(weights_after_load)
#define weights_gain       OKRA_TYPED(weights_gain)
#define weights_reserve    OKRA_TYPED(weights_reserve)
#define weights_learn      OKRA_TYPED(weights_learn)
#define weights_keep       OKRA_TYPED(weights_keep)

void weights_lay_out(linear_weights *w, const filter_shape *shape, okra_block *block);
void weights_reset(void *self);
void weights_predict(const void *self, const real *z, real *work, real *yhat, real *variance);
bool weights_array(const void *self, size_t i, array_view *view);
void weights_after_load(void *self);

/* Whether every weight is certain to stay finite if it moves by `step` at most; if so, max_abs counts that it has. */
bool weights_reserve(linear_weights *w, real step);

/*
 * *gain = rate (y - yhat), the step of one output along z, where theta + gain z is certain to be finite. Else the
 * reason: OKRA_E_RANGE where z is not finite, OKRA_E_DIVERGED. No |z_i| may be above z_max.
 */
okra_status weights_gain(linear_weights *w, const real *z, real z_max, real rate, real y, real yhat, real *gain);

/* yhat = theta . z, then theta = keep theta + rate (y - yhat) z, for all outputs or, refused, for none. A rate of 0
 * learns nothing. */
okra_status weights_learn(linear_weights *w, const real *z, real rate, const real *y, real *yhat);

/* What a step of mu leaves of theta. */
static inline real weights_keep(const okra_spec *spec, double mu) { return (real)(1 - mu * spec->leak); }

#endif
