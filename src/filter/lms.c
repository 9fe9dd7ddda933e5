/*
 * Least mean squares on z: yhat = theta . z, e = y - yhat, theta += mu e z. On random Fourier features this is the
 * paper's RFF-KLMS (section 4), on the inputs themselves the classic LMS. A sample's weight multiplies its error. With
 * a leak, theta = (1 - mu leak) theta + mu e z.
 *
 * In a block, one pass over memory applies the update of a sample and computes the features of the next. The arithmetic
 * on each weight is the same, so the bits are too.
 */
#include "weights.h"

struct lms {
    linear_weights w;
    real mu;
    bool fused; /* theta has the layout of z in the fused primitives for maps of cosines */
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct lms *f = self;
    filter_shape own = *shape;
    f->fused = shape->fused && shape->outputs == 1 && shape->spec->leak == 0; /* the fused primitives have none */
    if (f->fused)
        own.width = shape->fused;
    weights_lay_out(&f->w, &own, block);
    f->w.halves = f->fused && shape->halves;
    f->mu = (real)shape->spec->mu;
    f->w.keep = weights_keep(shape->spec, shape->spec->mu);
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

#define Z_MAX ((real)1.5) /* bound of a cosine feature: above sqrt(2/D) for any D */

/* The part of samples [first, n) for one call of the primitive: all, or one sample if phases depend on the sample. */
static lms_block block_from(const struct lms *f, const feature_map *map, const sample_block *samples, size_t first)
{
    return (lms_block){.n = map->phase ? samples->n - first : 1,
                       .X = samples->X + first * map->inputs,
                       .Y = samples->Y + first,
                       .importance = sample_weights_from(samples, first),
                       .Yhat = samples->Yhat ? samples->Yhat + first : NULL,
                       .theta = f->w.theta,
                       .mu = f->mu,
                       .z_max = Z_MAX};
}

/* Called if a step may leave weights that are not finite. Checks whether only the bound was too large. */
static okra_status recheck(struct lms *f, const real *z, bool fresh)
{
    if (fresh)
        return f->w.vec->finite(f->w.width, z) == f->w.width ? OKRA_E_DIVERGED : OKRA_E_RANGE;
    weights_after_load(&f->w);
    return OKRA_OK;
}

static okra_status run(void *self, const feature_map *map, const sample_block *samples, real *z, size_t *done)
{
    struct lms *f = self;
    okra_status status = OKRA_OK;
    bool fresh = false, pending = false;
    real gain = 0;
    for (*done = 0; *done < samples->n && !status;) {
        lms_block b = block_from(f, map, samples, *done);
        b.z = z, b.max_abs = f->w.max_abs, b.pending = pending, b.gain = gain;
        size_t taken = f->w.vec->trig_lms(map->trig, map_phases(map, b.X, z), &b);
        f->w.max_abs = b.max_abs, pending = b.pending, gain = b.gain;
        *done += taken;
        if (taken < b.n)
            status = recheck(f, z, fresh && taken == 0);
        fresh = taken < b.n;
    }
    if (pending)
        f->w.vec->axpy(f->w.width, gain, z, f->w.theta);
    return status;
}

static real begin(const void *self, const feature_map *map, const real *x, real *z)
{
    const struct lms *f = self;
    return f->w.vec->trig_dot(map->trig, map_phases(map, x, z), x, f->w.theta, z);
}

static okra_status commit(void *self, const real *z, real yhat, const real *y, real weight)
{
    struct lms *f = self;
    real gain;
    okra_status status = weights_gain(&f->w, z, Z_MAX, f->mu * weight, *y, yhat, &gain);
    if (!status)
        f->w.vec->axpy(f->w.width, gain, z, f->w.theta);
    return status;
}

static void predict_block(const void *self, const feature_map *map, size_t n, const real *X, real *z, real *Yhat)
{
    const struct lms *f = self;
    if (map->phase) {
        f->w.vec->trig_predict(map->trig, map->phase, n, X, f->w.theta, Yhat);
        return;
    }
    for (size_t i = 0; i < n; i++, X += map->inputs)
        Yhat[i] = begin(self, map, X, z);
}

static const filter_class *variant(const okra_spec *spec)
{
    return spec->mu == OKRA_MU_AUTO ? &OKRA_TYPED(filter_nlms_bank) : NULL;
}

const filter_class OKRA_TYPED(filter_lms) = {
    .name = "lms",
    .variant = variant,
    .merging = OKRA_MERGE_MEAN,
    .state_bytes = STATE_BYTES(struct lms),
    .lay_out = lay_out,
    .reset = weights_reset,
    .step = step,
    .predict = weights_predict,
    .array = weights_array,
    .after_load = weights_after_load,
    .run = run,
    .can_run = can_run,
    .begin = begin,
    .commit = commit,
    .predict_block = predict_block,
};
