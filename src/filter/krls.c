/*
 * Kernel recursive least squares with a dictionary that is sparse by approximate linear dependence (Y. Engel, S.
 * Mannor, R. Meir 2004): a sample becomes a centre if its squared distance from the span of the others, in feature
 * space, is above nu.
 *
 * Engel stores K^-1, P and alpha, and K is nearly singular by design. The same filter in orthonormal coordinates is
 * well conditioned. With K = L L' and phi = L^-1 k, kappa(x, x) - |phi|^2 = delta, the ALD distance, without an
 * inverse. yhat = w.phi with w = L'alpha. Engel's recursion becomes plain RLS on phi with Q = L^-1 P L^-T, which can be
 * kept as U diag(d) U' (ud.h). In these coordinates Engel's step for a new centre appends e / sqrt(delta) to w, and
 * with h = phi'Q phi
 *
 *     Q becomes ( Q                      -Q phi / sqrt(delta) )
 *               ( -phi'Q / sqrt(delta)   (1 + h) / delta      )
 *
 * which is an RLS update by phi, followed by a column -Q phi sqrt(delta) / (1 + h) of U with d = (1 + h) / delta. L is
 * stored as V = L^-T, upper triangular: phi = V'k, and a new column is (-V phi, 1) / sqrt(delta).
 */
#include "dictionary.h"
#include "noise.h"
#include "ud.h"

#include <string.h>

#include "../spec/check.h"

struct krls {
    dictionary d; /* its alpha holds w */
    ud_factor p;
    noise_estimate noise;
    loss_state *loss; /* NULL: the square */
    real *target;     /* [outputs]: of a new centre, limited by the loss */
    real nu;
    real *v;      /* V, a triangle like U */
    real *phi;    /* [room] */
    real *none;   /* [room] zeros */
    real *column; /* [room] */
};

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct krls *f = self;
    dictionary_lay_out(&f->d, shape, block);
    f->d.keeps_kernels = true;
    ud_lay_out(&f->p, f->d.capacity, shape->vec, block);
    noise_lay_out(&f->noise, shape->outputs, 1, block);
    f->loss = shape->spec->loss == OKRA_LOSS_SQUARE ? NULL : shape->loss;
    f->target = okra_block_take(block, shape->outputs, sizeof(real));
    f->nu = (real)shape->spec->nu;
    f->v = okra_block_take(block, triangle_size(ud_columns(f->d.capacity)), sizeof(real));
    f->phi = okra_block_take(block, f->d.room, sizeof(real));
    f->none = okra_block_take(block, f->d.room, sizeof(real));
    f->column = okra_block_take(block, f->d.room, sizeof(real));
}

static void reset(void *self)
{
    struct krls *f = self;
    dictionary_reset(&f->d);
    ud_reset(&f->p, 0, 1);
    noise_reset(&f->noise);
    memset(f->phi, 0, f->d.room * sizeof *f->phi);
}

/* phi for x, and delta; yhat[outputs] = w . phi. */
static okra_status project(const struct krls *f, const real *x, real *work, real *phi, real *delta, real *yhat)
{
    const dictionary *d = &f->d;
    dictionary_match match;
    okra_status status = dictionary_eval(d, x, work, &match, yhat);
    if (status)
        return status;
    d->vec->ud_product(f->p.cols, f->v, match.kernel, phi); /* V is zero for repeated centres in the padding */
    real rest = 1 - d->vec->dot(f->p.cols, phi, phi);
    *delta = rest > 0 ? rest : 0;
    for (size_t o = 0; o < d->outputs; o++)
        yhat[o] = d->vec->dot(f->p.cols, d->alpha + o * d->room, phi);
    return d->vec->finite(d->outputs, yhat) == d->outputs ? OKRA_OK : OKRA_E_DIVERGED;
}

/* Column n of V. */
static void append_direction(struct krls *f, real root)
{
    size_t n = f->d.count;
    real *a = f->p.g;
    f->d.vec->ud_update(f->p.cols, f->v, f->none, f->phi, a); /* with l = 0 the pass only gathers g = V phi */
    if (n % TILE_COLS == 0)
        memset(f->v + triangle_size(n), 0, (triangle_size(n + TILE_COLS) - triangle_size(n)) * sizeof *f->v);
    for (size_t i = 0; i < n; i++)
        f->v[triangle_place(i, n)] = -a[i] / root;
    f->v[triangle_place(n, n)] = 1 / root;
}

/* Computes the update of Q by the projected phi with that weight: *total = 1 / weight + phi'Q phi. commit() then
 * applies it and leaves Q phi in p.g. */
static okra_status measure(struct krls *f, real weight, real *total)
{
    return ud_measure(&f->p, 1 / weight, 1, total) ? OKRA_OK : OKRA_E_DIVERGED;
}

static void commit(struct krls *f)
{
    ud_accept(&f->p, 1);
    ud_settle(&f->p);
}

static okra_status grow(struct krls *f, size_t slot, const real *x, const real *y, real weight, const real *yhat,
                        real delta)
{
    dictionary *d = &f->d;
    real total, root = real_sqrt(delta);
    okra_status status = measure(f, weight, &total);
    if (!status && !(total / delta <= UD_MOST)) /* a tiny weight */
        status = OKRA_E_DIVERGED;
    if (!status)
        status = dictionary_gains(d, 1 / root, 1, y, yhat);
    if (status)
        return status;
    commit(f);
    for (size_t i = 0; i < d->count; i++)
        f->column[i] = -f->p.g[i] * root / total;
    append_direction(f, root);
    ud_append(&f->p, f->column, total / delta);
    dictionary_add(d, slot, x, d->gain);
    return OKRA_OK;
}

/* RLS on phi. */
static okra_status refine(struct krls *f, const real *y, real weight, const real *yhat)
{
    dictionary *d = &f->d;
    real total;
    okra_status status = measure(f, weight, &total);
    real spread = total > 1 / weight ? total - 1 / weight : 0;
    if (!status) /* |Q phi|_i <= sqrt(Q_ii phi'Q phi) */
        status = dictionary_gains(d, 1 / total, real_sqrt(f->p.diag_max) * real_sqrt(spread), y, yhat);
    if (status)
        return status;
    commit(f);
    for (size_t o = 0; o < d->outputs; o++)
        d->vec->axpy(f->p.cols, d->gain[o], f->p.g, d->alpha + o * d->room);
    noise_learn(&f->noise, y, yhat, total);
    return OKRA_OK;
}

/* The target of a new centre. A new centre fits its target exactly, whatever the weight, so the loss limits the error
 * instead. */
static const real *limit_target(const struct krls *f, const real *y, const real *yhat, real share)
{
    for (size_t o = 0; o < f->d.outputs; o++)
        f->target[o] = share != 1 ? yhat[o] + share * (y[o] - yhat[o]) : y[o];
    return f->target;
}

/* Learns a projected sample; the loss counts `share` of it. */
static okra_status learn(struct krls *f, const real *x, const real *y, real weight, real share, const real *yhat,
                         real delta)
{
    size_t slot = SIZE_MAX;
    bool fresh = delta > f->nu || f->d.count == 0;
    if (fresh) {
        okra_status status = dictionary_slot(&f->d, &slot);
        if (status)
            return status;
        if (slot != SIZE_MAX)
            return grow(f, slot, x, limit_target(f, y, yhat, share), weight, yhat, delta);
    }
    if (f->loss && f->loss->kind == OKRA_LOSS_QUANTILE)
        y = limit_target(f, y, yhat, share), share = 1;
    okra_status status = refine(f, y, weight * share, yhat);
    if (!status && fresh)
        dictionary_add(&f->d, slot, x, NULL); /* counts `full` */
    return status;
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct krls *f = self;
    real delta, share = 1, expected = 1;
    okra_status status = project(f, x, f->d.work, f->phi, &delta, yhat);
    if (status)
        return status;
    ud_project(&f->p, f->phi);
    if (f->loss) {
        expected += ud_spread_of(&f->p, f->p.f);
        share = loss_weight(f->loss, y, yhat, expected);
    }
    if (!(weight * share > 0 && 1 / (weight * share) / f->nu <= REAL_MAX))
        return OKRA_OK; /* a weight of 0, -0 or almost 0 learns nothing */
    status = learn(f, x, y, weight, share, yhat, delta);
    if (!status && f->loss)
        loss_learn(f->loss, y, yhat, expected);
    return status;
}

/* For the dictionary, then phi and U'phi. */
static size_t scratch(const void *self)
{
    const struct krls *f = self;
    return dictionary_scratch(&f->d) + 2 * f->d.room;
}

/* The prior variance of the function as a Gaussian process: coordinates of w are draws from it. Times delta, it is the
   variance that remains away from all centres. */
static real amplitude(const struct krls *f, size_t o)
{
    const real *w = f->d.alpha + o * f->d.room;
    return f->d.count ? f->d.vec->dot(f->d.count, w, w) / (real)f->d.count : 0;
}

static void predict(const void *self, const real *x, real *work, real *yhat, real *variance)
{
    const struct krls *f = self;
    real delta, *phi = work + dictionary_scratch(&f->d);
    memset(phi, 0, f->d.room * sizeof *phi);
    if (project(f, x, work, phi, &delta, yhat)) {
        yhat[0] = (real)NAN; /* the caller returns OKRA_E_RANGE */
        return;
    }
    if (!variance)
        return;
    real spread = 1 + ud_spread(&f->p, phi, phi + f->d.room);
    for (size_t o = 0; o < f->d.outputs; o++)
        variance[o] = noise_variance(&f->noise, o, spread) + (delta > 0 ? amplitude(f, o) * delta : 0);
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct krls *f = self;
    size_t n = f->d.count;
    switch (i) {
    case 0:
        return dictionary_array(f, 0, view);
    case 1:
        return dictionary_array(f, 2, view);
    case 2:
        *view = (array_view){"w", f->d.outputs, n, f->d.alpha, ARRAY_ROWS, f->d.room, false};
        return true;
    case 3:
        *view = (array_view){"v", 1, array_triangle(n), f->v, ARRAY_TRIANGLE, 0, false};
        return true;
    case 4:
    case 5:
        return ud_array(&f->p, i - 4, view);
    default:
        noise_array(&f->noise, view);
        return i == 6;
    }
}

static void after_load(void *self)
{
    struct krls *f = self;
    dictionary_after_load(&f->d);
    ud_resize(&f->p, f->d.count);
    ud_clear_padding(&f->p);
    for (size_t j = f->d.count; j < f->p.cols; j++)
        for (size_t i = 0; i <= j; i++)
            f->v[triangle_place(i, j)] = 0;
    ud_refresh(&f->p);
    noise_after_load(&f->noise);
}

static okra_status check(const okra_spec *spec, okra_message *why)
{
    const double min = 5e-4; /* below it, float32 rounding decides whether a sample becomes a centre */
    if (spec->when_full == OKRA_FULL_OLDEST)
        return okra_refuse(OKRA_E_PARAMETER, why, "krls cannot take a centre back: set when-full to stop or error");
    if (spec->precision == OKRA_F32 && spec->nu < min)
        return okra_refuse(OKRA_E_PARAMETER, why, "nu = %g is too small for krls in float32: it must be at least %g",
                           spec->nu, min);
    return OKRA_OK;
}

const filter_class OKRA_TYPED(filter_krls) = {
    .name = "krls",
    .check = check,
    .applies_loss = true,
    .state_bytes = STATE_BYTES(struct krls),
    .lay_out = lay_out,
    .reset = reset,
    .step = step,
    .predict = predict,
    .probabilistic = true,
    .scratch = scratch,
    .array = array,
    .counter = dictionary_counter,
    .centres = dictionary_centres,
    .after_load = after_load,
};
