/*
 * Recursive least squares that forgets back to the prior (S. Van Vaerenbergh, M. Lazaro-Gredilla, I. Santamaria 2012).
 * After each sample, the posterior decays by beta to the prior, theta = 0 with covariance I / lambda:
 *
 *     g = P z, total = 1/w + z'Pz, theta += (y - theta.z) g / total, P -= g g'/total      the sample
 *     theta *= sqrt(beta), P = beta P + (1 - beta) I / lambda                             forgetting
 *
 * So P never exceeds its prior: it cannot wind up. P itself is kept, symmetric to the bit, and not a factor of it,
 * because there is no cheap way to add to the whole diagonal of a factored P. Forgetting makes that safe: after each
 * sample P has a floor of (1 - beta) / lambda in every direction, far above the rounding errors. If rounding still
 * removes half of the floor in the direction of z, the floor is restored there.
 *
 * P / scale is stored: instead of all of P, `scale` is multiplied by beta, until it comes near the end of the format.
 * In a block one pass over P applies a sample's update and forms g of the next.
 */
#include <string.h>

#include "noise.h"
#include "ud.h"
#include "weights.h"

#define SCALE_MIN ((real)0x1p-20)

struct rls_prior {
    linear_weights w;
    noise_estimate noise;
    loss_state *loss; /* NULL: the square */
    real beta, root_beta;
    real prior;  /* 1 / lambda */
    real fade;   /* (1 - beta) / lambda */
    size_t cols; /* features, in whole tiles */
    real *p;     /* triangle of P / scale, see vec/body_sym.h */
    real *scale; /* [1] */
    real *u;     /* P z / scale of the current sample */
    real *k;     /* P still lacks -k k' .. */
    bool pending;
    real *target; /* [outputs]: y under the loss */
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct rls_prior *f = self;
    const okra_spec *spec = shape->spec;
    size_t width = shape->width, square = SIZE_MAX;
    weights_lay_out(&f->w, shape, block);
    noise_lay_out(&f->noise, shape->outputs, (real)spec->beta, block);
    f->loss = spec->loss == OKRA_LOSS_SQUARE ? NULL : shape->loss;
    f->beta = (real)spec->beta;
    f->root_beta = real_sqrt(f->beta);
    f->prior = (real)(1 / spec->lambda);
    f->fade = (real)((1 - spec->beta) / spec->lambda);
    f->cols = ud_columns(shape->features);
    /* about cols^2 / 2 numbers: check first that the square does not overflow */
    bool fits = okra_multiply(f->cols, f->cols, &square) && okra_multiply(square, sizeof(real), &square);
    f->p = okra_block_take(block, fits ? triangle_size(f->cols) : SIZE_MAX, sizeof(real));
    f->scale = okra_block_take(block, 1, sizeof(real));
    f->u = okra_block_take(block, width, sizeof(real));
    f->k = okra_block_take(block, width, sizeof(real));
    f->target = okra_block_take(block, shape->outputs, sizeof(real));
}

static void add_to_diagonal(struct rls_prior *f, real amount)
{
    for (size_t j = 0; j < f->w.features; j++)
        f->p[triangle_place(j, j)] += amount;
}

static void reset(void *self)
{
    struct rls_prior *f = self;
    weights_reset(&f->w);
    noise_reset(&f->noise);
    memset(f->p, 0, triangle_size(f->cols) * sizeof *f->p);
    memset(f->k, 0, f->w.width * sizeof *f->k);
    memset(f->u, 0, f->w.width * sizeof *f->u);
    *f->scale = 1;
    add_to_diagonal(f, f->prior);
    f->pending = false;
}

/* ---- a sample ------------------------------------------------------------------------------------------------- */

static void settle(void *self)
{
    struct rls_prior *f = self;
    if (f->pending)
        f->w.vec->sym_update(f->cols, f->p, -1, f->k);
    f->pending = false;
}

/* u = P z / scale; applies the pending update too. */
static void project(struct rls_prior *f, const real *z)
{
    if (f->pending)
        f->w.vec->sym_update_product(f->cols, f->p, -1, f->k, z, f->u);
    else
        f->w.vec->sym_product(f->cols, f->p, z, f->u);
    f->pending = false;
}

/* The amount that z'Pz is below its floor, if rounding has removed more than half of the floor. */
static real missing_floor(const struct rls_prior *f, real power, real spread)
{
    real floor = f->fade * power;
    return spread < floor / 2 ? floor - spread : 0;
}

/* b = part a, and zeros beyond. */
static void copy_scaled(const struct rls_prior *f, real part, const real *a, real *b)
{
    memset(b, 0, f->w.width * sizeof *b);
    f->w.vec->axpy(f->w.width, part, a, b);
}

/* Adds the missing amount of z'Pz to P in the direction of z; u already includes it. */
static void mend(struct rls_prior *f, const real *z, real power, real lack)
{
    copy_scaled(f, real_sqrt(lack / *f->scale) / power, z, f->k);
    f->w.vec->sym_update(f->cols, f->p, 1, f->k);
}

/* Updates P by the sample, which stays pending, and forgets. */
static void accept(struct rls_prior *f, real total)
{
    copy_scaled(f, real_sqrt(*f->scale / total), f->u, f->k);
    f->pending = true;
    *f->scale *= f->beta;
    add_to_diagonal(f, f->fade / *f->scale);
    if (*f->scale < SCALE_MIN) {
        settle(f);
        f->w.vec->axpby(triangle_size(f->cols), 0, f->p, *f->scale, f->p);
        *f->scale = 1;
    }
}

/* target = y under the loss, which changes the weight or, for a quantile, the error. */
static real apply_loss(struct rls_prior *f, const real *y, const real *yhat, real weight, real spread)
{
    real share = f->loss ? loss_weight(f->loss, y, yhat, spread) : 1;
    bool shifts = f->loss && f->loss->kind == OKRA_LOSS_QUANTILE;
    for (size_t o = 0; o < f->w.outputs; o++)
        f->target[o] = shifts ? yhat[o] + share * (y[o] - yhat[o]) : y[o];
    return shifts ? weight : weight * share;
}

/* Predicts and learns a sample; the update of P stays pending. On error nothing has changed. */
static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct rls_prior *f = self;
    const vec_table *vec = f->w.vec;
    project(f, z);
    weights_predict(f, z, NULL, yhat, NULL);
    real power = vec->dot(f->w.width, z, z), spread = *f->scale * vec->dot(f->w.width, z, f->u);
    real lack = missing_floor(f, power, spread);
    if (lack > 0) {
        vec->axpy(f->w.width, lack / (*f->scale * power), z, f->u);
        spread += lack;
    }
    real expected = 1 + spread;
    weight = apply_loss(f, y, yhat, weight, expected);
    if (!(weight > 0 && 1 / weight <= REAL_MAX)) /* 0, -0 or almost 0 learns nothing */
        return vec->finite(f->w.outputs, yhat) == f->w.outputs ? OKRA_OK : OKRA_E_DIVERGED;
    real total = 1 / weight + spread;
    if (!(power <= REAL_MAX))
        return OKRA_E_RANGE;
    if (!(total <= REAL_MAX) || vec->finite(f->w.width, f->u) < f->w.width)
        return OKRA_E_DIVERGED;
    real u_max = vec->amax(f->w.width, f->u);
    for (size_t o = 0; o < f->w.outputs; o++) {
        okra_status status = weights_gain(&f->w, z, u_max, *f->scale / total, f->target[o], yhat[o], &f->w.gain[o]);
        if (status)
            return status;
    }
    if (lack > 0)
        mend(f, z, power, lack);
    for (size_t o = 0; o < f->w.outputs; o++)
        vec->axpby(f->w.width, f->root_beta * f->w.gain[o], f->u, f->root_beta, f->w.theta + o * f->w.width);
    noise_learn(&f->noise, f->target, yhat, total);
    if (f->loss)
        loss_learn(f->loss, y, yhat, expected);
    accept(f, total);
    return OKRA_OK;
}

/* ---- prediction and state ------------------------------------------------------------------------------------- */

static size_t scratch(const void *self) { return ((const struct rls_prior *)self)->w.width; }

static void predict(const void *self, const real *z, real *work, real *yhat, real *variance)
{
    const struct rls_prior *f = self;
    weights_predict(f, z, NULL, yhat, NULL);
    if (!variance)
        return;
    memset(work, 0, f->w.width * sizeof *work);
    f->w.vec->sym_product(f->cols, f->p, z, work);
    real spread = *f->scale * f->w.vec->dot(f->w.width, z, work);
    for (size_t o = 0; o < f->w.outputs; o++)
        variance[o] = noise_variance(&f->noise, o, 1 + (spread > 0 ? spread : 0));
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct rls_prior *f = self;
    switch (i) {
    case 0:
        return weights_array(f, 0, view);
    case 1:
        *view = (array_view){"p", 1, array_triangle(f->w.features), f->p, ARRAY_TRIANGLE, 0, false};
        return true;
    case 2:
        *view = (array_view){"p_scale", 1, 1, f->scale, ARRAY_ROWS, 1, true};
        return true;
    default:
        noise_array(&f->noise, view);
        return i == 3;
    }
}

/* Fills in the part below the diagonal in the diagonal tiles. */
static void mirror(struct rls_prior *f)
{
    size_t n = f->w.features;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n && i / TILE_ROWS == j / TILE_ROWS; i++)
            f->p[triangle_place(i, j)] = f->p[triangle_place(j, i)];
}

static void after_load(void *self)
{
    struct rls_prior *f = self;
    weights_after_load(&f->w);
    mirror(f);
    if (!(*f->scale >= SCALE_MIN && *f->scale <= 1))
        *f->scale = 1;
    noise_after_load(&f->noise);
}

const filter_class OKRA_TYPED(filter_rls_prior) = {
    .name = "rls-prior",
    .applies_loss = true,
    .state_bytes = STATE_BYTES(struct rls_prior),
    .lay_out = lay_out,
    .reset = reset,
    .step = step,
    .settle = settle,
    .predict = predict,
    .probabilistic = true,
    .scratch = scratch,
    .array = array,
    .after_load = after_load,
};
