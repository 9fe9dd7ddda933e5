/*
 * Kernel LMS with the surprise criterion (W. Liu, I. Park, J. C. Principe 2009). Under a Gaussian process the negative
 * log likelihood of a sample is, up to constants, S = ln(v) / 2 + e^2 / 2 v, with v its predictive variance. v is
 * approximated by the best single centre, v = reg + 1 - max_m kappa(c_m, x)^2. A sample with S from surprise to
 * surprise-max becomes a centre with coefficient mu e. Below, it is redundant; above, abnormal; neither is learnt.
 */
#include "dictionary.h"

struct sc_klms {
    dictionary d;
    real mu, reg, surprise, surprise_max;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct sc_klms *f = self;
    dictionary_lay_out(&f->d, shape, block);
    f->d.keeps_kernels = true;
    f->mu = (real)shape->spec->mu;
    f->reg = (real)shape->spec->reg;
    f->surprise = (real)shape->spec->surprise;
    f->surprise_max = (real)shape->spec->surprise_max;
}

/* S, from the mean square of the outputs' errors. */
static real surprise(const struct sc_klms *f, const dictionary_match *match, const real *y, const real *yhat)
{
    real k = f->d.vec->amax(f->d.count, match->kernel), v = f->reg + (1 - k) * (1 + k), square = 0;
    v = v > f->reg ? v : f->reg; /* k may round above 1 */
    for (size_t o = 0; o < f->d.outputs; o++)
        square += (y[o] - yhat[o]) * (y[o] - yhat[o]) / (real)f->d.outputs;
    return real_log(v) / 2 + square / (2 * v);
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct sc_klms *f = self;
    dictionary_match match;
    okra_status status = dictionary_eval(&f->d, x, f->d.work, &match, yhat);
    if (status)
        return status;
    real s = surprise(f, &match, y, yhat);
    bool learnable = f->d.count == 0 || (s >= f->surprise && s <= f->surprise_max);
    return dictionary_learn(&f->d, x, &match, learnable, learnable ? f->mu * weight : 0, y, yhat);
}

const filter_class OKRA_TYPED(filter_sc_klms) = {
    .name = "sc-klms",
    .state_bytes = STATE_BYTES(struct sc_klms),
    .lay_out = lay_out,
    .step = step,
    DICTIONARY_ENTRIES,
};
