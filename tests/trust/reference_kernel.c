/* The references on a dictionary of centres: KLMS with its sparsification rules, and Engel's KRLS. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum verdict { IGNORED, MERGED, ADDED } verdict;

struct kernel_reference {
    const okra_spec *spec;
    size_t count, oldest, full;
    wide *centres;  /* capacity x inputs */
    wide *alpha;    /* outputs x capacity */
    wide *k, *off;  /* capacity: kernel values with x, and how far they may be off */
    size_t nearest; /* .. by squared distance, and what that is */
    wide squared;
    bool sure;      /* which is the nearest does not hang on rounding */
    wide own, lost; /* what a prediction's own rounding may be, and what earlier ones have left behind */
    wide x[REFERENCE_INPUTS], y[REFERENCE_OUTPUTS], weight;
    opinion said;
    verdict verdict;
    size_t slot; /* of a new centre; SIZE_MAX: none */
    /* Engel's: least squares in beta = K alpha, G beta = h, and a = K^-1 k */
    wide *K, *G, *h, *a;
    wide delta, condition, largest, worst_off;
};

/* ---- kernels ------------------------------------------------------------------------------------------------ */

typedef struct gap {
    wide squared, l1, product, from_origin;
} gap;

static gap between(const kernel_reference *r, const wide *x, const wide *c)
{
    gap d = {.product = 1};
    for (size_t j = 0; j < r->spec->inputs; j++) {
        wide difference = x[j] - c[j], scaled = difference / r->spec->sigma, ox = x[j] - r->centres[j],
             oc = c[j] - r->centres[j];
        d.squared += difference * difference, d.l1 += fabsl(difference);
        d.product *= 1 + scaled * scaled, d.from_origin += ox * ox + oc * oc;
    }
    return d;
}

/*
 * kappa(x, c), and how far the filter's may be off. Of d scaled differences, each good to 1.5 eps, d + 3 roundings make
 * |r|^2, d + 2 make |r|_1, 4 d the cauchy product. Where |x|^2 + |c|^2, from the first centre on, is small in units of
 * the width, the gaussian's |r|^2 is 2 c.x - |c|^2 - |x|^2: some 2 d + 8 roundings of that sum. The exponential is good
 * to 4 eps, and gives 0 where the format nears its end.
 */
static wide kernel(const kernel_reference *r, const wide *x, const wide *c, wide *off)
{
    const okra_spec *spec = r->spec;
    wide eps = eps_of(spec), d = (wide)spec->inputs, sigma = spec->sigma, value, log_off, a;
    gap apart = between(r, x, c);
    switch (spec->kernel) {
    case OKRA_GAUSSIAN: {
        wide expanded = (spec->precision == OKRA_F64 ? 256 : 32) * 2 * sigma * sigma * logl(2);
        wide size = fmaxl(apart.squared, fminl(apart.from_origin, expanded));
        value = expl(-apart.squared / (2 * sigma * sigma));
        log_off = (2 * d + 8) * eps * size / (2 * sigma * sigma);
        break;
    }
    case OKRA_LAPLACIAN:
        value = expl(-apart.l1 / sigma), log_off = (d + 4) * eps * apart.l1 / sigma;
        break;
    case OKRA_CAUCHY:
        value = 1 / apart.product, log_off = 4 * d * eps;
        break;
    default:
        a = sqrtl(spec->kernel == OKRA_MATERN32 ? 3 : 5) * sqrtl(apart.squared) / sigma;
        value = (1 + a + (spec->kernel == OKRA_MATERN32 ? 0 : a * a / 3)) * expl(-a);
        log_off = (d + 6) * eps * a + 4 * eps;
    }
    *off = value * (expm1l(fminl(log_off, 1)) + 4 * eps) + (spec->precision == OKRA_F64 ? 0x1p-980L : 0x1p-108L);
    return value;
}

/* ---- meeting ------------------------------------------------------------------------------------------------ */

static bool is(const kernel_reference *r, const char *recipe) { return strcmp(r->spec->recipe, recipe) == 0; }

static void find_nearest(kernel_reference *r, const wide *x)
{
    wide second = INFINITY, eps = eps_of(r->spec);
    r->nearest = 0, r->squared = INFINITY;
    for (size_t m = 0; m < r->count; m++) {
        wide squared = between(r, x, r->centres + m * r->spec->inputs).squared;
        if (squared < r->squared)
            second = r->squared, r->nearest = m, r->squared = squared;
        else
            second = fminl(second, squared);
    }
    r->sure = r->count < 2 || !(second - r->squared <= ((wide)r->spec->inputs + 4) * 2 * eps * second);
}

/* yhat = sum_m alpha_m kappa(c_m, x). */
static void predict(kernel_reference *r, const wide *x)
{
    wide eps = eps_of(r->spec);
    r->own = 0;
    for (size_t m = 0; m < r->count; m++)
        r->k[m] = kernel(r, x, r->centres + m * r->spec->inputs, &r->off[m]);
    for (size_t o = 0; o < r->spec->outputs; o++) {
        wide own = 0;
        r->said.yhat[o] = 0;
        for (size_t m = 0; m < r->count; m++) {
            wide alpha = r->alpha[o * r->spec->capacity + m];
            r->said.yhat[o] += alpha * r->k[m];
            own += fabsl(alpha) * (r->off[m] + ((wide)r->count / 4 + 8) * eps * r->k[m]);
        }
        r->own = fmaxl(r->own, own);
    }
}

/* value > threshold; a sample is marginal where an error of that size could change it. */
static bool above(kernel_reference *r, wide value, wide threshold, wide error)
{
    r->said.marginal = r->said.marginal || !(fabsl(value - threshold) > error);
    return value > threshold;
}

static wide largest_error(const kernel_reference *r)
{
    wide max = 0;
    for (size_t o = 0; o < r->spec->outputs; o++)
        max = fmaxl(max, fabsl(r->y[o] - r->said.yhat[o]));
    return max;
}

static bool is_novel(kernel_reference *r)
{
    wide distance = narrowed(r->spec, r->spec->novelty_distance), root = sqrtl(r->squared);
    bool far = above(r, root, distance, ((wide)r->spec->inputs + 4) * eps_of(r->spec) * (root + distance));
    return far && above(r, largest_error(r), narrowed(r->spec, r->spec->novelty_error), r->said.tolerance);
}

/* S = ln(v) / 2 + mean e^2 / 2 v, v = reg + 1 - max kappa^2: from surprise to surprise-max. */
static bool is_surprising(kernel_reference *r)
{
    wide k = 0, off = 0, square = 0, slope = 0, eps = eps_of(r->spec), n = (wide)r->spec->outputs;
    for (size_t m = 0; m < r->count; m++)
        if (r->k[m] > k)
            k = r->k[m], off = r->off[m];
    for (size_t o = 0; o < r->spec->outputs; o++) {
        wide e = r->y[o] - r->said.yhat[o];
        square += e * e / n, slope += 2 * fabsl(e) / n;
    }
    wide v = narrowed(r->spec, r->spec->reg) + 1 - k * k, of_v = 2 * off + 4 * eps, s = logl(v) / 2 + square / (2 * v);
    wide error = of_v / (2 * v) * (1 + square / v) + slope * r->said.tolerance / (2 * v) + 8 * eps * (1 + fabsl(s));
    bool enough = above(r, s, narrowed(r->spec, r->spec->surprise), error);
    bool too_much = above(r, s, narrowed(r->spec, r->spec->surprise_max), error);
    return enough && !too_much;
}

static bool is_coherent(kernel_reference *r)
{
    for (size_t m = 0; m < r->count; m++)
        if (above(r, r->k[m], narrowed(r->spec, r->spec->coherence), r->off[m]))
            return true;
    return false;
}

static verdict judge(kernel_reference *r)
{
    if (!(r->weight > 0))
        return IGNORED;
    if (r->count == 0 || is(r, "klms"))
        return ADDED;
    if (is(r, "qklms"))
        return above(r, r->squared, narrowed(r->spec, r->spec->epsilon),
                     ((wide)r->spec->inputs + 4) * eps_of(r->spec) * r->squared)
                   ? ADDED
                   : MERGED;
    if (is(r, "nc-klms"))
        return is_novel(r) ? ADDED : IGNORED;
    if (is(r, "knlms"))
        return is_coherent(r) ? MERGED : ADDED;
    if (is(r, "sc-klms"))
        return is_surprising(r) ? ADDED : IGNORED;
    return above(r, r->delta, narrowed(r->spec, r->spec->nu), r->said.tolerance /* set by engel_meet */) ? ADDED
                                                                                                         : MERGED;
}

/* Where a new centre goes, or what is to be done if the dictionary is full. */
static void plan(kernel_reference *r)
{
    r->verdict = judge(r);
    r->slot = SIZE_MAX;
    if (r->verdict == ADDED) {
        if (r->count < r->spec->capacity)
            r->slot = r->count;
        else if (r->spec->when_full == OKRA_FULL_OLDEST)
            r->slot = r->oldest;
        else if (r->spec->when_full == OKRA_FULL_ERROR)
            r->said.status = OKRA_E_FULL;
    }
    bool at_nearest = r->verdict != IGNORED && r->slot == SIZE_MAX && !is(r, "knlms") && !is(r, "krls");
    if (at_nearest && !r->sure)
        r->said.marginal = true;
}

/* ---- Engel's ------------------------------------------------------------------------------------------------ */

/* The largest sum of a row of |K|, times that of K^-1. */
static wide condition_of(const kernel_reference *r)
{
    size_t n = r->count;
    wide *K = reference_zeros(n * n), *inverse = reference_zeros(n * n), max[2] = {0, 0};
    memcpy(K, r->K, n * n * sizeof *K);
    for (size_t i = 0; i < n; i++)
        inverse[i * n + i] = 1;
    reference_solve(n, K, n, inverse);
    for (size_t i = 0; i < n; i++) {
        wide sum[2] = {0, 0};
        for (size_t j = 0; j < n; j++)
            sum[0] += fabsl(r->K[i * n + j]), sum[1] += fabsl(inverse[i * n + j]);
        max[0] = fmaxl(max[0], sum[0]), max[1] = fmaxl(max[1], sum[1]);
    }
    free(K), free(inverse);
    return max[0] * max[1];
}

/*
 * a = K^-1 k, delta = 1 - k'a; every sample learnt is a row a' of a least-squares problem in beta = K alpha, whose
 * normal equations are G beta = h; yhat = k'alpha = a'beta.
 *
 * Kernel values off by q change delta = (a, -1)'(K k; k' 1)(a, -1) by q (1 + |a|_1)^2, and a prediction by q cond(K)
 * times the targets.
 */
static wide engel_meet(kernel_reference *r, wide *of_delta)
{
    size_t n = r->count, outputs = r->spec->outputs;
    wide *K = reference_zeros(n * n), *G = reference_zeros(n * n), *beta = reference_zeros(n * outputs), l1 = 1;
    memcpy(K, r->K, n * n * sizeof *K), memcpy(G, r->G, n * n * sizeof *G);
    memcpy(beta, r->h, n * outputs * sizeof *beta), memcpy(r->a, r->k, n * sizeof *r->a);
    reference_solve(n, K, 1, r->a);
    reference_solve(n, G, outputs, beta);
    r->delta = 1;
    for (size_t m = 0; m < n; m++) {
        r->delta -= r->k[m] * r->a[m], l1 += fabsl(r->a[m]);
        r->worst_off = fmaxl(r->worst_off, r->off[m]);
    }
    for (size_t o = 0; o < outputs; o++) {
        r->said.yhat[o] = 0;
        for (size_t m = 0; m < n; m++)
            r->said.yhat[o] += r->a[m] * beta[m * outputs + o];
    }
    free(K), free(G), free(beta);
    wide q = r->worst_off + 4 * eps_of(r->spec);
    *of_delta = 2 * q * l1 * l1;
    return q * (r->condition + 10) * (r->largest + 1);
}

/* K with the new centre: its kernel values and a 1; rows of G and h are there from now on, and empty. */
static void engel_grow(kernel_reference *r)
{
    size_t n = r->count, outputs = r->spec->outputs, m = n + 1;
    wide *K = reference_zeros(m * m), *G = reference_zeros(m * m), *h = reference_zeros(m * outputs);
    for (size_t i = 0; i < n; i++) {
        memcpy(K + i * m, r->K + i * n, n * sizeof *K), memcpy(G + i * m, r->G + i * n, n * sizeof *G);
        K[i * m + n] = K[n * m + i] = r->k[i];
    }
    K[n * m + n] = 1;
    memcpy(h, r->h, n * outputs * sizeof *h);
    free(r->K), free(r->G), free(r->h);
    r->K = K, r->G = G, r->h = h;
    memset(r->a, 0, m * sizeof *r->a);
    r->a[n] = 1; /* the sample itself */
    memcpy(r->centres + n * r->spec->inputs, r->x, r->spec->inputs * sizeof *r->x);
    r->count++;
    r->condition = condition_of(r);
}

static void engel_learn(kernel_reference *r)
{
    if (r->verdict == IGNORED)
        return;
    if (r->slot != SIZE_MAX)
        engel_grow(r);
    else
        r->full += r->verdict == ADDED;
    for (size_t i = 0; i < r->count; i++) {
        for (size_t j = 0; j < r->count; j++)
            r->G[i * r->count + j] += r->weight * r->a[i] * r->a[j];
        for (size_t o = 0; o < r->spec->outputs; o++)
            r->h[i * r->spec->outputs + o] += r->weight * r->a[i] * r->y[o];
    }
    for (size_t o = 0; o < r->spec->outputs; o++)
        r->largest = fmaxl(r->largest, fabsl(r->y[o]));
}

/* ---- LMS on centres ----------------------------------------------------------------------------------------- */

static void put_centre(kernel_reference *r)
{
    r->full += r->count == r->spec->capacity;
    if (r->slot == SIZE_MAX)
        return;
    if (r->slot == r->count)
        r->count++;
    else
        r->oldest = (r->oldest + 1) % r->spec->capacity;
    memcpy(r->centres + r->slot * r->spec->inputs, r->x, r->spec->inputs * sizeof *r->x);
    for (size_t o = 0; o < r->spec->outputs; o++)
        r->alpha[o * r->spec->capacity + r->slot] = 0;
    r->k[r->slot] = 1, r->off[r->slot] = 0;
}

/*
 * alpha_m += rate e, at the new centre or the nearest; knlms: alpha += rate e k / (reg + |k|^2).
 *
 * What a step is off by adds up: the recursion's own response to an error is (I - rate k_x k_x') times it, in the space
 * of functions, where |k_x| = 1 (knlms: of coefficients), and does not make it longer while the filter is stable.
 */
static void lms_learn(kernel_reference *r)
{
    wide eps = eps_of(r->spec), rate = narrowed(r->spec, r->spec->mu) * r->weight, worst = 0, power = 0;
    bool all = is(r, "knlms");
    size_t at = r->slot != SIZE_MAX ? r->slot : r->nearest;
    if (r->verdict == IGNORED)
        return;
    if (r->verdict == ADDED)
        put_centre(r);
    for (size_t m = 0; m < r->count; m++)
        power += r->k[m] * r->k[m];
    wide along = all ? sqrtl(power) : 1;
    rate /= all ? narrowed(r->spec, r->spec->reg) + power : 1;
    for (size_t o = 0; o < r->spec->outputs; o++) {
        wide e = r->y[o] - r->said.yhat[o], *alpha = r->alpha + o * r->spec->capacity, size = 0;
        for (size_t m = 0; m < r->count && r->spec->leak > 0; m++) {
            alpha[m] *= narrowed(r->spec, 1 - r->spec->mu * r->spec->leak);
            size += fabsl(alpha[m]);
        }
        for (size_t m = 0; m < r->count; m++)
            if (all || m == at) {
                alpha[m] += rate * e * (all ? r->k[m] : 1);
                size += fabsl(alpha[m]);
            }
        wide of_error = r->own + 2 * eps * (fabsl(r->y[o]) + fabsl(r->said.yhat[o]));
        wide of_rate = (all ? ((wide)r->count / 4 + 12) * eps + 2 * reference_norm(r->count, r->off) : 4 * eps);
        worst = fmaxl(worst, rate * along * (of_error + of_rate * fabsl(e)) + eps * size);
    }
    r->lost = r->lost * fmaxl(1, fabsl(1 - rate * along * along)) + worst;
}

/* ---- any of them -------------------------------------------------------------------------------------------- */

kernel_reference *kernel_reference_create(const okra_spec *spec)
{
    kernel_reference *r = reference_memory(sizeof *r);
    size_t capacity = spec->capacity;
    *r = (kernel_reference){.spec = spec};
    r->centres = reference_zeros(capacity * spec->inputs), r->alpha = reference_zeros(capacity * spec->outputs);
    r->k = reference_zeros(capacity), r->off = reference_zeros(capacity), r->a = reference_zeros(capacity);
    r->K = reference_zeros(1), r->G = reference_zeros(1), r->h = reference_zeros(spec->outputs);
    return r;
}

void kernel_reference_free(kernel_reference *r)
{
    free(r->centres), free(r->alpha), free(r->k), free(r->off), free(r->a), free(r->K), free(r->G), free(r->h), free(r);
}

opinion kernel_reference_meet(kernel_reference *r, const wide *x, const wide *y, wide weight)
{
    wide of_delta = 0, tolerance;
    memcpy(r->x, x, r->spec->inputs * sizeof *x), memcpy(r->y, y, r->spec->outputs * sizeof *y);
    r->weight = weight;
    r->said = (opinion){.marginal = false};
    predict(r, x);
    find_nearest(r, x);
    if (is(r, "krls"))
        tolerance = engel_meet(r, &of_delta);
    else
        tolerance = r->own + r->lost * (is(r, "knlms") ? reference_norm(r->count, r->k) : 1);
    r->said.tolerance = is(r, "krls") ? of_delta : tolerance;
    plan(r);
    r->said.tolerance = tolerance;
    return r->said;
}

void kernel_reference_learn(kernel_reference *r)
{
    if (is(r, "krls"))
        engel_learn(r);
    else
        lms_learn(r);
}

size_t kernel_reference_centres(const kernel_reference *r, size_t *full)
{
    *full = r->full;
    return r->count;
}
