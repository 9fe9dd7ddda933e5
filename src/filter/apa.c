/*
 * Affine projection on z (K. Ozeki, T. Umeda 1984; on kernels C. Richard et al. 2009). A step corrects the last q rows
 * at once, as far as mu and reg allow:
 *
 *     theta += mu Z' (Z Z' + reg I)^-1 e,      Z the last q rows z, e their errors under theta.
 *
 * With one row it is NLMS. More rows decorrelate the input, at q times the work. A row's weight multiplies its error
 * for as long as the row is held.
 */
#include "row_window.h"

struct apa {
    linear_weights w;
    row_window rows;
    real mu, reg;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct apa *f = self;
    weights_lay_out(&f->w, shape, block);
    window_lay_out(&f->rows, shape, block);
    f->mu = (real)shape->spec->mu;
    f->reg = (real)shape->spec->reg;
}

static void reset(void *self)
{
    struct apa *f = self;
    weights_reset(&f->w);
    window_reset(&f->rows);
}

static void find_gains(const void *self)
{
    const struct apa *f = self;
    window_solve(&f->rows, f->w.outputs, f->reg, f->mu);
}

static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct apa *f = self;
    return window_step(&f->rows, &f->w, z, y, weight, yhat, f, find_gains);
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct apa *f = self;
    return i == 0 ? weights_array(f, 0, view) : window_array(&f->rows, &f->w, i - 1, view);
}

static uint64_t *counter(void *self, size_t i, const char **name, uint64_t *max)
{
    return window_counter(&((struct apa *)self)->rows, i, name, max);
}

static void after_load(void *self)
{
    struct apa *f = self;
    weights_after_load(&f->w);
    window_after_load(&f->rows, &f->w);
}

const filter_class OKRA_TYPED(filter_apa) = {
    .name = "apa",
    .applies_loss = true,
    .state_bytes = STATE_BYTES(struct apa),
    .lay_out = lay_out,
    .reset = reset,
    .step = step,
    .predict = weights_predict,
    .array = array,
    .counter = counter,
    .after_load = after_load,
};
