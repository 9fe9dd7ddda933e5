/*
 * Recursive least squares on z with exponential forgetting: theta minimises sum_i beta^(n-i) w_i (y_i - theta.z_i)^2 +
 * beta^n lambda |theta|^2. On random Fourier features this is the paper's RFF-KRLS (section 6). P is kept as U diag(d)
 * U' (ud.h), so it cannot lose positivity.
 *
 *     f = U'z, total = beta/w + z'Pz, theta += (y - theta.z) P z / total, P = (P - P z z'P / total) / beta
 *
 * Forgetting lets P grow without bound in directions that the input does not excite. Cyclic regularisation stops that:
 * every T samples, one direction e_j, with cyclic j, is measured with weight lambda (1 - beta) D T, in U and d only. On
 * average that restores the lambda I that forgetting removes, so P stays near 1/lambda at most. theta does not change:
 * a pull to zero would bias it.
 *
 * With P bounded, the damage of an outlier to theta in those directions lasts. So, with cyclic regularisation, errors
 * are clipped at LIMIT predictive deviations: no single sample can spoil the filter for long, and ordinary data never
 * gets there. Plain least squares, beta = 1 or cyclic = 0, stays exact.
 *
 * In a block, the pass that forms the next sample's f also updates U by the last sample. Nothing is pending at the end.
 */
#include "rls.h"

/* The weight psi(e) / e of a quantile is unbounded for small errors, and would add samples to P that do not exist. So
 * the quantile loss uses psi(e) along P z, like a gradient filter, times QUANTILE_STEP, because P shrinks. */
enum { QUANTILE_STEP = 2 };

enum { LIMIT = 1000, LIMIT_FROM = 10 /* samples before the noise estimate is used */ };

/* T = 3 / (D (1 - beta)), from 1 to 8: P grows by a few percent between two measurements of a direction. */
static size_t auto_period(double beta, size_t features)
{
    double period = floor(3 / ((double)features * (1 - beta)));
    return period < 1 ? 1 : period > 8 ? 8 : (size_t)period;
}

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct rls *f = self;
    const okra_spec *spec = shape->spec;
    weights_lay_out(&f->w, shape, block);
    ud_lay_out(&f->p, shape->features, shape->vec, block);
    noise_lay_out(&f->noise, shape->outputs, (real)spec->beta, block);
    f->loss = spec->loss == OKRA_LOSS_SQUARE ? NULL : shape->loss;
    f->target = okra_block_take(block, shape->outputs, sizeof(real));
    f->error = okra_block_take(block, shape->outputs, sizeof(real));
    f->beta = (real)spec->beta;
    f->inv_beta = 1 / f->beta;
    f->period = spec->cyclic == OKRA_AUTO ? auto_period(spec->beta, shape->features) : spec->cyclic;
    if (spec->beta >= 1)
        f->period = 0;
    f->cyclic_share = (real)((1 - spec->beta) * (double)shape->features * (double)f->period);
    rls_set_lambda(f, (real)spec->lambda);
}

void rls_set_lambda(struct rls *f, real lambda)
{
    real weight = lambda * f->cyclic_share;
    f->inv_lambda = 1 / lambda;
    f->cyclic_r = weight > 0 ? 1 / weight : 0;
}

static void reset(void *self)
{
    struct rls *f = self;
    weights_reset(&f->w);
    ud_reset(&f->p, f->w.features, f->inv_lambda);
    noise_reset(&f->noise);
    f->cycle = 0;
    f->theta_pending = false;
}

/* theta += error g, once g = P z is known. */
static void move_theta(struct rls *f)
{
    if (f->theta_pending)
        for (size_t o = 0; o < f->w.outputs; o++)
            f->w.vec->axpy(f->w.width, f->error[o], f->p.g, f->w.theta + o * f->w.width);
    f->theta_pending = false;
}

static void settle(void *self)
{
    struct rls *f = self;
    if (ud_settle(&f->p))
        move_theta(f);
}

/* With forgetting and a long zero input, most of U or theta decays to denormals, which are a hundred times slower on
 * some processors. One sweep per direction keeps them few, at almost no cost. */
static void sweep(struct rls *f, size_t j)
{
    ud_sweep(&f->p, j);
    for (size_t o = 0; o < f->w.outputs; o++) {
        real *theta = &f->w.theta[o * f->w.width + j];
        *theta = real_abs(*theta) < REAL_MIN ? 0 : *theta;
    }
}

/* Measures direction e_j, with cyclic j, after every T-th sample. If that overflows, it is left out. */
static void regularise(struct rls *f)
{
    real total;
    size_t j = (size_t)((f->cycle / f->period - 1) % f->w.features);
    settle(f);
    sweep(f, j);
    ud_row(&f->p, j);
    if (ud_measure(&f->p, f->cyclic_r, 1, &total))
        ud_accept(&f->p, 1);
}

/* error_o = (y_o - yhat_o) / total for all outputs. Fails if theta + error P z may not be finite. */
static okra_status find_errors(struct rls *f, const real *z, const real *y, const real *yhat, real spread, real total)
{
    okra_status status = OKRA_OK;
    for (int attempt = 0; attempt < 2; attempt++) {
        /* |P z|_i <= sqrt(P_ii z'Pz) */
        real g_max = real_sqrt(f->p.diag_max) * real_sqrt(spread);
        status = OKRA_OK;
        for (size_t o = 0; o < f->w.outputs && !status; o++)
            status = weights_gain(&f->w, z, g_max, 1 / total, y[o], yhat[o], &f->error[o]);
        if (!status)
            return OKRA_OK;
        ud_refresh(&f->p); /* perhaps only the bound was too large */
    }
    return status;
}

/* target = y, with `share` of its error, limited; `spread` is the predictive variance in units of the noise. */
static void limit_errors(struct rls *f, const real *y, const real *yhat, real share, real spread)
{
    bool limited = f->period && noise_weight(&f->noise) >= LIMIT_FROM;
    for (size_t o = 0; o < f->w.outputs; o++) {
        real max = limited ? LIMIT * real_sqrt(noise_variance(&f->noise, o, spread)) : 0, e = share * (y[o] - yhat[o]);
        bool wild = max > 0 && real_abs(e) > max;
        f->target[o] = wild ? yhat[o] + (e > 0 ? max : -max) : share != 1 ? yhat[o] + e : y[o];
    }
}

/* Predicts and learns a sample; the update of U stays pending in p. On error nothing has changed. */
static okra_status step(void *self, const real *z, const real *y, real weight, real *yhat)
{
    struct rls *f = self;
    if (ud_project(&f->p, z))
        move_theta(f);
    weights_predict(f, z, NULL, yhat, NULL);
    real expected = f->loss ? 1 + ud_spread_of(&f->p, f->p.f) : 1;
    real share = f->loss ? loss_weight(f->loss, y, yhat, expected) : 1;
    if (f->loss && f->loss->kind == OKRA_LOSS_QUANTILE) {
        share *= QUANTILE_STEP;
    } else {
        weight *= share;
        share = 1;
    }
    if (!(weight > 0 && f->beta / weight <= REAL_MAX)) /* 0, -0 or almost 0 learns nothing */
        return f->w.vec->finite(f->w.outputs, yhat) == f->w.outputs ? OKRA_OK : OKRA_E_DIVERGED;
    real total, r = f->beta / weight;
    ud_tighten(&f->p, f->inv_beta);
    if (!ud_measure(&f->p, r, f->inv_beta, &total))
        return f->w.vec->dot(f->w.width, z, z) <= REAL_MAX ? OKRA_E_DIVERGED : OKRA_E_RANGE;
    real spread = total > r ? total - r : 0;
    limit_errors(f, y, yhat, share, 1 / weight + spread);
    okra_status status = find_errors(f, z, f->target, yhat, spread, total);
    if (status)
        return status;
    ud_accept(&f->p, f->inv_beta);
    f->theta_pending = true;
    noise_learn(&f->noise, f->target, yhat, 1 / weight + spread);
    if (f->loss)
        loss_learn(f->loss, y, yhat, expected);
    f->cycle++;
    if (f->period && f->cycle % f->period == 0)
        regularise(f);
    return OKRA_OK;
}

/* theta = R^-1 (R'^-1 Z'y), from the columns behind those of the features. */
static void solve_theta(struct rls *f, const real *r, const real *inverse, size_t stride)
{
    size_t n = f->w.features;
    real *column = f->p.g; /* nothing is pending */
    for (size_t o = 0; o < f->w.outputs; o++) {
        for (size_t j = 0; j < n; j++)
            column[j] = r[j * stride + n + o];
        for (size_t i = 0; i < n; i++)
            f->w.theta[o * f->w.width + i] = f->w.vec->dot(n - i, inverse + i * stride + i, column + i);
    }
}

bool rls_start(struct rls *f, const real *r, const real *inverse, size_t stride, real samples)
{
    size_t n = f->w.features;
    reset(f);
    bool usable = ud_start(&f->p, inverse, stride);
    solve_theta(f, r, inverse, stride);
    for (size_t o = 0; o < f->w.outputs; o++)
        f->noise.sums[o] = r[(n + o) * stride + n + o];
    f->noise.sums[f->w.outputs] = samples;
    usable = usable && f->w.vec->finite(f->w.outputs * f->w.width, f->w.theta) == f->w.outputs * f->w.width;
    if (!usable) {
        reset(f);
        return false;
    }
    weights_after_load(&f->w);
    noise_after_load(&f->noise);
    return true;
}

static size_t scratch(const void *self) { return padded(((const struct rls *)self)->p.capacity); }

static void predict(const void *self, const real *z, real *work, real *yhat, real *variance)
{
    const struct rls *f = self;
    weights_predict(f, z, NULL, yhat, NULL);
    if (!variance)
        return;
    real spread = 1 + ud_spread(&f->p, z, work);
    for (size_t o = 0; o < f->w.outputs; o++)
        variance[o] = noise_variance(&f->noise, o, spread);
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct rls *f = self;
    if (i == 0)
        return weights_array(f, 0, view);
    if (i < 3)
        return ud_array(&f->p, i - 1, view);
    noise_array(&f->noise, view);
    return i == 3;
}

static void after_load(void *self)
{
    struct rls *f = self;
    weights_after_load(&f->w);
    ud_refresh(&f->p);
    noise_after_load(&f->noise);
}

static uint64_t *counter(void *self, size_t i, const char **name, uint64_t *max)
{
    *name = "cycle";
    *max = UINT64_MAX;
    return i == 0 ? &((struct rls *)self)->cycle : NULL;
}

static const filter_class *variant(const okra_spec *spec)
{
    return spec->forget == OKRA_FORGET_PRIOR && spec->beta < 1 ? &OKRA_TYPED(filter_rls_prior) : NULL;
}

const filter_class OKRA_TYPED(filter_rls) = {
    .name = "rls",
    .variant = variant,
    .applies_loss = true,
    .merging = OKRA_MERGE_EXACT,
    .state_bytes = STATE_BYTES(struct rls),
    .lay_out = lay_out,
    .reset = reset,
    .step = step,
    .settle = settle,
    .predict = predict,
    .probabilistic = true,
    .scratch = scratch,
    .array = array,
    .counter = counter,
    .after_load = after_load,
};
