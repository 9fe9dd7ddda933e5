/*
 * theta, the weights of every filter that is linear in z: yhat = theta . z for each output. Prediction, reset, the
 * state array, and the guard that no step makes a weight non-finite.
 *
 * If a filter's state struct begins with `linear_weights`, its class can use these functions directly: they take its
 * address as `self`.
 */
#ifndef OKRA_WEIGHTS_H
#define OKRA_WEIGHTS_H

#include "filter.h"

#define linear_weights OKRA_TYPED(linear_weights)
typedef struct linear_weights {
    const vec_table *vec;
    size_t features, width, outputs;
    bool halves;  /* theta is in two halves, like a paired z in the fused primitives */
    real *theta;  /* [outputs][width] */
    real *gain;   /* [outputs]: each output's step along z, all computed before theta changes */
    real keep;    /* factor on theta in a step: below 1 with a leak */
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

/* Whether every weight is certain to stay finite if it moves by at most `step`. If so, adds `step` to max_abs. */
bool weights_reserve(linear_weights *w, real step);

/*
 * *gain = rate (y - yhat), the step of one output along z. OKRA_E_RANGE if z is not finite, OKRA_E_DIVERGED if
 * theta + gain z may not be finite. No |z_i| may be above z_max.
 */
okra_status weights_gain(linear_weights *w, const real *z, real z_max, real rate, real y, real yhat, real *gain);

/* yhat = theta . z, then theta = keep theta + rate (y - yhat) z, for all outputs or, on error, for none. A rate of 0
 * learns nothing. */
okra_status weights_learn(linear_weights *w, const real *z, real rate, const real *y, real *yhat);

/* The factor on theta in a step of size mu. */
static inline real weights_keep(const okra_spec *spec, double mu) { return (real)(1 - mu * spec->leak); }

#endif
