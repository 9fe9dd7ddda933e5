/*
 * Adaptive projected subgradients on z (K. Slavakis, S. Theodoridis, I. Yamada 2008). For each of the last q rows, the
 * thetas that predict it to within the tolerance form a slab. theta moves towards its projections on those slabs:
 *
 *     c_i = sign(e_i) max(|e_i| - tolerance, 0) / |z_i|^2, v = mean of c_i z_i over the rows held,
 *     theta += mu M v, M = mean of c_i^2 |z_i|^2 / |v|^2,
 *
 * e_i the errors under theta. M >= 1 is the factor by which a step along v may be longer and still come nearer to every
 * theta that satisfies all rows. M is at most q, because v almost vanishes if rows contradict each other. If all errors
 * are within the tolerance, theta does not move. The counter `updates` counts the rows that move it.
 */
#include "row_window.h"

struct apsm {
    linear_weights w;
    row_window rows;
    real mu, tolerance;
    uint64_t updates;
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct apsm *f = self;
    weights_lay_out(&f->w, shape, block);
    window_lay_out(&f->rows, shape, block);
    f->mu = (real)shape->spec->mu;
    f->tolerance = (real)shape->spec->tolerance;
}

static void reset(void *self)
{
    struct apsm *f = self;
    weights_reset(&f->w);
    window_reset(&f->rows);
    f->updates = 0;
}

/* Writes c_i of the rows into their gain. */
static void project(const struct apsm *f, size_t o)
{
    const row_window *r = &f->rows;
    for (size_t i = 0; i < r->count; i++) {
        real e = r->error[o * r->order + i], beyond = real_abs(e) - f->tolerance, power = r->gram[i * r->order + i];
        bool outside = !(beyond <= 0) && power > 0; /* true for NaN: the move then fails */
        r->gain[o * r->order + i] = outside ? (e > 0 ? beyond : -beyond) / power : 0;
    }
}

/* The gain of each row: mu M c_i / n. */
static void extrapolate(const struct apsm *f, size_t o)
{
    const row_window *r = &f->rows;
    real *c = r->gain + o * r->order, n = (real)r->count, squares = 0, square = 0;
    for (size_t i = 0; i < r->count; i++) {
        squares += c[i] * c[i] * r->gram[i * r->order + i] / n;
        for (size_t j = 0; j < r->count; j++)
            square += c[i] * c[j] * r->gram[i * r->order + j] / (n * n);
    }
    real max = (real)r->order, m = squares < max * square ? squares / square : max;
    for (size_t i = 0; i < r->count; i++)
        c[i] *= f->mu * (m > 1 ? m : 1) / n;
}

static void find_gains(const void *self)
{
    const struct apsm *f = self;
    for (size_t o = 0; o < f->w.outputs; o++) {
        project(f, o);
        extrapolate(f, o);
    }
}

static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct apsm *f = self;
    okra_status status = window_step(&f->rows, &f->w, z, y, weight, yhat, f, find_gains);
    f->updates += f->rows.moved;
    return status;
}

static uint64_t updates(const void *self) { return ((const struct apsm *)self)->updates; }

static bool array(const void *self, size_t i, array_view *view)
{
    const struct apsm *f = self;
    return i == 0 ? weights_array(f, 0, view) : window_array(&f->rows, &f->w, i - 1, view);
}

static uint64_t *counter(void *self, size_t i, const char **name, uint64_t *max)
{
    struct apsm *f = self;
    if (i > 0)
        return window_counter(&f->rows, i - 1, name, max);
    *name = "updates";
    *max = UINT64_MAX;
    return &f->updates;
}

static void after_load(void *self)
{
    struct apsm *f = self;
    weights_after_load(&f->w);
    window_after_load(&f->rows, &f->w);
}

const filter_class OKRA_TYPED(filter_apsm) = {
    .name = "apsm",
    .applies_loss = true,
    .state_bytes = STATE_BYTES(struct apsm),
    .lay_out = lay_out,
    .reset = reset,
    .step = step,
    .updates = updates,
    .predict = weights_predict,
    .array = array,
    .counter = counter,
    .after_load = after_load,
};
