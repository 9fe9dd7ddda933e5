/*
 * Normalised LMS on z: theta += mu e z / (reg + |z|^2). The step size does not depend on the power of the input: 0 < mu
 * < 2. With a leak, theta first shrinks by 1 - mu leak.
 */
#include "weights.h"

struct nlms {
    linear_weights w;
    real mu, reg;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct nlms *f = self;
    weights_lay_out(&f->w, shape, block);
    f->mu = (real)shape->spec->mu;
    f->w.keep = weights_keep(shape->spec, shape->spec->mu);
    f->reg = (real)shape->spec->reg;
}

static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct nlms *f = self;
    real power = f->w.vec->dot(f->w.width, z, z);
    if (!(power <= REAL_MAX))
        return OKRA_E_RANGE; /* division by an overflow would learn nothing, without an error */
    return weights_learn(&f->w, z, f->mu * weight / (f->reg + power), y, yhat);
}

static const filter_class *variant(const okra_spec *spec)
{
    return spec->mu == OKRA_MU_AUTO ? &OKRA_TYPED(filter_nlms_bank) : NULL;
}

const filter_class OKRA_TYPED(filter_nlms) = {
    .name = "nlms",
    .variant = variant,
    .merging = OKRA_MERGE_MEAN,
    .state_bytes = STATE_BYTES(struct nlms),
    .lay_out = lay_out,
    .reset = weights_reset,
    .step = step,
    .predict = weights_predict,
    .array = weights_array,
    .after_load = weights_after_load,
};
