/*
 * LMS and NLMS with an automatic step size: a bank of normalised LMS filters on the same z, with steps from 1 down to
 * 0.01. The prediction is their mean, weighted by recent errors (mixture.h). Each filter learns every sample from the
 * start, by its own error, with its own step. The next few errors alone would always favour too small a step, because
 * the cost of small steps shows late.
 */
#include <string.h>

#include "mixture.h"
#include "weights.h"

enum { STEPS = 4 };
static const double steps[STEPS] = {1, 0.3, 0.1, 0.01};

struct nlms_bank {
    linear_weights w[STEPS];
    real reg;
    real *theta;     /* [STEPS][outputs][width] */
    real *loss;      /* [STEPS + 1]: see mixture.h */
    real *predicted; /* [STEPS][outputs] */
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct nlms_bank *f = self;
    size_t row = SIZE_MAX, all = SIZE_MAX;
    linear_weights shared;
    filter_shape none = *shape;
    none.width = 0; /* gains only: the weights are one array */
    weights_lay_out(&shared, &none, block);
    okra_multiply(shape->width, sizeof(real), &row);
    okra_multiply(shape->outputs, STEPS, &all);
    f->theta = okra_block_take(block, all, row);
    f->loss = okra_block_take(block, STEPS + 1, sizeof(real));
    f->predicted = okra_block_take(block, all, sizeof(real));
    f->reg = (real)shape->spec->reg;
    for (size_t k = 0; k < STEPS; k++) {
        f->w[k] = shared;
        f->w[k].width = shape->width;
        f->w[k].theta = block->base ? f->theta + k * shape->outputs * shape->width : NULL;
        f->w[k].keep = weights_keep(shape->spec, steps[k]);
    }
}

static void reset(void *self)
{
    struct nlms_bank *f = self;
    for (size_t k = 0; k < STEPS; k++)
        weights_reset(&f->w[k]);
    memset(f->loss, 0, (STEPS + 1) * sizeof *f->loss);
}

static void combine(const struct nlms_bank *f, const real *predicted, real *yhat)
{
    real weights[STEPS];
    size_t outputs = f->w[0].outputs;
    mixture_weights(STEPS, f->loss, weights);
    for (size_t o = 0; o < outputs; o++) {
        yhat[o] = 0;
        for (size_t k = 0; k < STEPS; k++)
            if (weights[k] > 0)
                yhat[o] += weights[k] * predicted[k * outputs + o];
    }
}

/* Fails if a step may leave a weight that is not finite. Changes only bounds. */
static okra_status find_gains(struct nlms_bank *f, const real *z, const real *y, real rate)
{
    size_t outputs = f->w[0].outputs;
    real z_max = f->w[0].vec->amax(f->w[0].width, z), gain;
    for (size_t k = 0; k < STEPS; k++)
        for (size_t o = 0; o < outputs; o++) {
            okra_status status =
                weights_gain(&f->w[k], z, z_max, rate * (real)steps[k], y[o], f->predicted[k * outputs + o], &gain);
            if (status)
                return status;
        }
    return OKRA_OK;
}

static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct nlms_bank *f = self;
    size_t outputs = f->w[0].outputs;
    real power = f->w[0].vec->dot(f->w[0].width, z, z);
    if (!(power <= REAL_MAX))
        return OKRA_E_RANGE; /* division by an overflow would learn nothing, without an error */
    real rate = f->reg + power > 0 ? weight / (f->reg + power) : 0;
    for (size_t k = 0; k < STEPS; k++)
        weights_predict(&f->w[k], z, NULL, f->predicted + k * outputs, NULL);
    combine(f, f->predicted, yhat);
    okra_status status = find_gains(f, z, y, rate <= REAL_MAX ? rate : 0);
    if (status)
        return status;
    for (size_t k = 0; k < STEPS && rate <= REAL_MAX && !status; k++)
        status = weights_learn(&f->w[k], z, rate * (real)steps[k], y, f->predicted + k * outputs);
    mixture_learn(STEPS, outputs, f->predicted, y, weight, f->loss);
    return status;
}

static size_t scratch(const void *self) { return STEPS * ((const struct nlms_bank *)self)->w[0].outputs; }

static void predict(const void *self, const real *z, real *work, real *yhat, real *variance)
{
    const struct nlms_bank *f = self;
    (void)variance;
    for (size_t k = 0; k < STEPS; k++)
        weights_predict(&f->w[k], z, NULL, work + k * f->w[0].outputs, NULL);
    combine(f, work, yhat);
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct nlms_bank *f = self;
    const linear_weights *w = f->w;
    if (i == 0)
        *view = (array_view){"bank", STEPS * w->outputs, w->features, f->theta, ARRAY_ROWS, w->width, false};
    else if (i == 1)
        *view = (array_view){"loss", 1, STEPS + 1, f->loss, ARRAY_ROWS, STEPS + 1, false};
    return i < 2;
}

static void after_load(void *self)
{
    struct nlms_bank *f = self;
    for (size_t k = 0; k < STEPS; k++)
        weights_after_load(&f->w[k]);
    for (size_t k = 0; k <= STEPS; k++)
        f->loss[k] = f->loss[k] > 0 ? f->loss[k] : 0;
}

const filter_class OKRA_TYPED(filter_nlms_bank) = {
    .name = "nlms-bank",
    .finds_mu = true,
    .state_bytes = STATE_BYTES(struct nlms_bank),
    .lay_out = lay_out,
    .reset = reset,
    .step = step,
    .predict = predict,
    .scratch = scratch,
    .array = array,
    .after_load = after_load,
};
