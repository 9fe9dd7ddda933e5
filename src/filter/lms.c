/*
 * Least mean squares on z: yhat = theta . z, e = y - yhat, theta += mu e z. On random Fourier features this is the
 * paper's RFF-KLMS (section 4), on the inputs themselves the classic LMS. A sample's weight multiplies its error.
 *
 * In a block the update of one sample is applied while the next one's features are computed, in one pass over memory
 * instead of two; the arithmetic on each weight is the same, so the bits are too.
 */
#include "weights.h"

struct lms {
    weights w;
    real mu;
    bool fused; /* theta is laid out as z is by the primitives that learn along with a map of cosines */
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct lms *f = self;
    filter_shape own = *shape;
    f->fused = shape->fused && shape->outputs == 1;
    if (f->fused)
        own.width = shape->fused;
    weights_lay_out(&f->w, &own, block);
    f->w.halves = f->fused && shape->halves;
    f->mu = (real)shape->spec->mu;
}

static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct lms *f = self;
    return weights_learn(&f->w, z, f->mu * weight, y, yhat);
}

static bool can_run(const void *self, const feature_map *map)
{
    (void)map;
    return ((const struct lms *)self)->fused;
}

static okra_status run(void *self, const feature_map *map, const sample_block *samples, real *z, size_t *done)
{
    struct lms *f = self;
    const vec_table *vec = f->w.vec;
    const real *x = samples->X;
    const real z_max = (real)1.5; /* above sqrt(2/D) for any D */
    real gain = 0;
    for (*done = 0; *done < samples->n; ++*done, x += map->inputs) {
        size_t i = *done;
        const real *phase = map_phases(map, x, z);
        real yhat = i == 0 ? vec->trig_dot(map->trig, phase, x, f->w.theta, z)
                           : vec->trig_lms(map->trig, phase, x, gain, f->w.theta, z);
        real rate = f->mu * sample_weight(samples, i);
        okra_status status = weights_gain(&f->w, z, z_max, rate, samples->Y[i], yhat, &gain);
        if (status)
            return status; /* theta is settled: the pass has just applied the update before */
        if (samples->Yhat)
            samples->Yhat[i] = yhat;
    }
    if (samples->n > 0)
        vec->axpy(f->w.width, gain, z, f->w.theta);
    return OKRA_OK;
}

static void ask(const void *self, const feature_map *map, size_t n, const real *X, real *z, real *Yhat)
{
    const struct lms *f = self;
    for (size_t i = 0; i < n; i++, X += map->inputs)
        Yhat[i] = f->w.vec->trig_dot(map->trig, map_phases(map, X, z), X, f->w.theta, z);
}

const filter_class OKRA_TYPED(filter_lms) = {
    .name = "lms",
    .state_bytes = STATE_BYTES(struct lms),
    .lay_out = lay_out,
    .reset = weights_reset,
    .step = step,
    .predict = weights_predict,
    .array = weights_array,
    .restored = weights_restored,
    .run = run,
    .can_run = can_run,
    .ask = ask,
};
