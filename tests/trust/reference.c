/* The references that are linear in features: LMS, NLMS and RLS. */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *reference_memory(size_t bytes)
{
    void *zeros = calloc(1, bytes + 1);
    if (!zeros)
        abort();
    return zeros;
}

wide *reference_zeros(size_t n) { return reference_memory(n * sizeof(wide)); }

wide reference_norm(size_t n, const wide *a)
{
    wide sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sqrtl(sum);
}

/* Cholesky: R = L L', then two triangles. b is n x columns. */
void reference_solve(size_t n, wide *R, size_t columns, wide *b)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            wide sum = R[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= R[i * n + k] * R[j * n + k];
            R[i * n + j] = i == j ? sqrtl(sum) : sum / R[j * n + j];
        }
    for (size_t c = 0; c < columns; c++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < i; k++)
                b[i * columns + c] -= R[i * n + k] * b[k * columns + c];
            b[i * columns + c] /= R[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++)
                b[i * columns + c] -= R[k * n + i] * b[k * columns + c];
            b[i * columns + c] /= R[i * n + i];
        }
    }
}

/* ---- features ----------------------------------------------------------------------------------------------- */

/* z = (x, 1) and cosines, as `map` says. */
typedef struct feature_reference {
    const okra_spec *spec;
    int map;
    drawn_map drawn;
    wide clip; /* of the inputs of the cosines; 0: none */
    size_t inputs, linear, frequencies, count;
} feature_reference;

static feature_reference features_for(const okra_spec *spec, int map, const drawn_map *drawn)
{
    feature_reference f = {.spec = spec, .map = map, .inputs = spec->inputs};
    int cosines = map & ~OKRA_MAP_LINEAR;
    f.drawn = drawn ? *drawn : (drawn_map){0};
    f.linear = map & OKRA_MAP_LINEAR ? spec->inputs + 1 : 0;
    f.frequencies = !cosines ? 0 : cosines == OKRA_MAP_RFF ? spec->features : spec->features / 2;
    f.count = f.linear + (cosines ? spec->features : 0);
    return f;
}

/* Row i of H S H S H S, H the Walsh-Hadamard matrix, applied to x; *size is what its rounding is relative to: n^(3/2)
 * times |x|, as each H stretches by sqrt(n). */
static wide rotated(const feature_reference *f, size_t i, const wide *x, wide *size, size_t *n)
{
    wide v[2][16] = {{0}};
    size_t block = i / 16;
    *n = 16; /* for up to 16 inputs */
    memcpy(v[0], x, f->inputs * sizeof *x);
    for (size_t round = 0; round < 3; round++)
        for (size_t row = 0; row < 16; row++) {
            v[(round + 1) % 2][row] = 0;
            for (size_t k = 0; k < 16; k++)
                v[(round + 1) % 2][row] += (__builtin_popcountll(row & k) % 2 ? -1 : 1) *
                                           f->drawn.signs[(block * 3 + round) * 16 + k] * v[round % 2][k];
        }
    *size = 64 * reference_norm(f->inputs, x);
    return v[1][i % 16];
}

/*
 * t_i = omega_i . x + b_i in cycles: d + 1 multiply-adds, each rounded to half an eps of what has been added up so far.
 * For sorf three transforms of log2(n) additions each.
 */
static wide cycles(const feature_reference *f, size_t i, const wide *x, wide *doubt)
{
    wide eps = eps_of(f->spec), t, size;
    if (f->map & OKRA_MAP_SORF) {
        size_t n;
        t = f->drawn.length[i] * rotated(f, i, x, &size, &n);
        *doubt = (3 * log2l((wide)n) + 3) * eps / 2 * f->drawn.length[i] * size;
        return t;
    }
    t = f->drawn.phase ? f->drawn.phase[i] : 0, size = fabsl(t);
    for (size_t j = 0; j < f->inputs; j++) {
        wide part = f->drawn.omega[i * f->inputs + j] * x[j];
        t += part, size += fabsl(part);
    }
    *doubt = ((wide)f->inputs + 2) * eps / 2 * size;
    return t;
}

/* z(x), and how far each feature may be off: 2 pi times its cycles' error, and 4 eps of its own. */
static void features(const feature_reference *f, const wide *x, wide *z, wide *off)
{
    wide clipped[REFERENCE_INPUTS], two_pi = 2 * acosl(-1), scale;
    bool paired = f->count - f->linear == 2 * f->frequencies;
    for (size_t j = 0; j < f->inputs; j++)
        clipped[j] = f->clip > 0 ? fmaxl(fminl(x[j], f->clip), -f->clip) : x[j];
    for (size_t j = 0; j < f->linear; j++)
        z[j] = j < f->inputs ? x[j] : 1, off[j] = 0;
    scale = sqrtl((paired ? 1 : 2) / (wide)f->frequencies);
    for (size_t i = 0; i < f->frequencies; i++) {
        wide doubt, t = cycles(f, i, clipped, &doubt), a = f->drawn.amplitude ? f->drawn.amplitude[i] : scale;
        size_t at = f->linear + i, other = at + f->frequencies;
        z[at] = a * cosl(two_pi * t), off[at] = a * (two_pi * doubt + 4 * eps_of(f->spec));
        if (paired)
            z[other] = a * sinl(two_pi * t), off[other] = off[at];
    }
}

/* ---- LMS, NLMS, RLS ----------------------------------------------------------------------------------------- */

enum method { LMS, NLMS, RLS };

typedef struct linear_reference {
    const okra_spec *spec;
    enum method method;
    feature_reference map;
    size_t n, outputs;
    wide *theta;       /* outputs x n */
    wide *z, *off, *g; /* n */
    wide y[REFERENCE_OUTPUTS], yhat[REFERENCE_OUTPUTS], weight;
    wide own;          /* what a prediction's own rounding may be */
    wide lost;         /* bound on |error of theta| */
    wide lambda, beta; /* RLS .. */
    wide cyclic;       /* .. weight of a regularising measurement */
    size_t period, learnt;
    wide *P, *R, *b;       /* .. n x n, the inverse of n x n, and R theta = b, n x outputs */
    wide information;      /* .. trace R */
    wide residual, energy; /* .. sums of w e^2, e before learning, and of w y^2 */
    wide noise;            /* .. the largest relative error of a z so far */
} linear_reference;

static linear_reference *make_linear(const okra_spec *spec, enum method method, int map, const drawn_map *drawn)
{
    linear_reference *r = reference_memory(sizeof *r);
    *r = (linear_reference){.spec = spec, .method = method, .map = features_for(spec, map, drawn)};
    size_t n = r->n = r->map.count;
    r->outputs = spec->outputs;
    r->theta = reference_zeros(n * r->outputs);
    r->z = reference_zeros(n), r->off = reference_zeros(n), r->g = reference_zeros(n);
    if (method == RLS)
        r->P = reference_zeros(n * n), r->R = reference_zeros(n * n), r->b = reference_zeros(n * r->outputs);
    return r;
}

/* The start of RLS, and the period of its cyclic regularisation: 3 / (D (1 - beta)), from 1 to 8, where it is to be
 * chosen. */
static void start_rls(linear_reference *r, double lambda, double beta, size_t cyclic)
{
    r->lambda = lambda, r->beta = narrowed(r->spec, beta);
    double chosen = floor(3 / ((double)r->n * (1 - beta)));
    r->period = cyclic != OKRA_AUTO ? cyclic : chosen < 1 ? 1 : chosen > 8 ? 8 : (size_t)chosen;
    if (beta >= 1)
        r->period = 0;
    for (size_t i = 0; i < r->n; i++)
        r->P[i * r->n + i] = 1 / r->lambda, r->R[i * r->n + i] = r->lambda;
    r->information = r->lambda * (wide)r->n;
    r->cyclic = (wide)(lambda * (1 - beta)) * (wide)r->n * (wide)r->period;
}

static void free_linear(linear_reference *r)
{
    free(r->theta), free(r->z), free(r->off), free(r->g), free(r->P), free(r->R), free(r->b), free(r);
}

static wide trace(size_t n, const wide *M)
{
    wide sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += M[i * n + i];
    return sum;
}

/*
 * LMS and NLMS. An error in theta becomes (I - rate z z') times itself, which is no longer while rate |z|^2 <= 2: so
 * the steps' own errors add up at most; beyond, they grow by |1 - rate |z|^2|. They move a prediction by |z| times
 * that.
 *
 * RLS. theta minimises sum w (y - theta.z)^2 + ..; with R = P^-1 and residuals r, features that are off by dz move
 * theta by P sum w (dz r - z dz'theta), and a prediction for z by z' times that: at most, by Cauchy and Schwarz,
 * sqrt(z'Pz) times sqrt(sum w |dz|^2) (sqrt(trace(P) sum w r^2) + |theta|). UD's own rounding is like a dz of some eps
 * |z|. 1 / beta, rounded, makes the weight of a sample wrong by half an eps for each that came after it, which moves a
 * prediction by sqrt(z'Pz) sqrt(sum w r^2) of that.
 */
static wide tolerance(const linear_reference *r)
{
    if (r->method != RLS)
        return reference_norm(r->n, r->z) * r->lost + r->own;
    wide spread = 0, size = reference_norm(r->n * r->outputs, r->theta);
    for (size_t i = 0; i < r->n; i++)
        for (size_t j = 0; j < r->n; j++)
            spread += r->z[i] * r->P[i * r->n + j] * r->z[j];
    wide ageing = r->beta < 1 ? (wide)r->learnt * eps_of(r->spec) / 2 : 0, rest = r->residual + r->lambda * size * size;
    return sqrtl(spread) * (r->noise * sqrtl(r->information) * (size + sqrtl(trace(r->n, r->P) * r->residual)) +
                            ageing * sqrtl(rest)) +
           r->own;
}

static wide linear_meet(linear_reference *r, const wide *x, const wide *y, wide weight)
{
    wide eps = eps_of(r->spec);
    features(&r->map, x, r->z, r->off);
    r->own = 0, r->weight = weight;
    for (size_t o = 0; o < r->outputs; o++) {
        wide own = 0;
        r->y[o] = y[o], r->yhat[o] = 0;
        for (size_t i = 0; i < r->n; i++) {
            wide part = r->theta[o * r->n + i] * r->z[i];
            r->yhat[o] += part;
            own += fabsl(r->theta[o * r->n + i]) * r->off[i] + ((wide)r->n / 4 + 8) * eps * fabsl(part);
        }
        r->own = fmaxl(r->own, own);
    }
    if (r->method == RLS) {
        wide size = reference_norm(r->n, r->z);
        wide off = 8 * eps + (size > 0 ? reference_norm(r->n, r->off) / size : 0);
        r->noise = fmaxl(r->noise, off);
    }
    return tolerance(r);
}

static void lms_learn(linear_reference *r)
{
    wide eps = eps_of(r->spec), size = reference_norm(r->n, r->z), off = reference_norm(r->n, r->off), worst = 0,
         rate = narrowed(r->spec, r->spec->mu) * r->weight, of_rate = 6 * eps;
    if (r->method == NLMS) {
        wide power = narrowed(r->spec, r->spec->reg) + size * size;
        rate /= power;
        of_rate += ((wide)r->n / 4 + 8) * eps + 2 * size * off / power;
    }
    for (size_t o = 0; o < r->outputs; o++) {
        wide gain = rate * (r->y[o] - r->yhat[o]), *theta = r->theta + o * r->n;
        wide keep = r->weight > 0 ? narrowed(r->spec, 1 - r->spec->mu * r->spec->leak) : 1;
        for (size_t i = 0; i < r->n; i++)
            theta[i] = keep * theta[i] + gain * r->z[i];
        wide of_error = r->own + 2 * eps * (fabsl(r->y[o]) + fabsl(r->yhat[o]));
        wide step = rate * of_error * size + fabsl(gain) * (off + of_rate * size) + eps * reference_norm(r->n, theta);
        worst = fmaxl(worst, step);
    }
    r->lost = r->lost * fmaxl(1, fabsl(1 - rate * size * size)) + worst;
}

/* P -= P z z'P / (variance + z'Pz); returns that total, and P z in g. */
static wide measure(linear_reference *r, const wide *z, wide variance)
{
    size_t n = r->n;
    wide total = variance;
    for (size_t i = 0; i < n; i++) {
        r->g[i] = 0;
        for (size_t j = 0; j < n; j++)
            r->g[i] += r->P[i * n + j] * z[j];
        total += z[i] * r->g[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            r->P[i * n + j] -= r->g[i] * r->g[j] / total;
    return total;
}

/* The same sample in the normal equations R theta = b. A regularising measurement says what theta says already. */
static void gather(linear_reference *r, const wide *z, const wide *y, wide weight)
{
    for (size_t i = 0; i < r->n; i++) {
        for (size_t j = 0; j < r->n; j++)
            r->R[i * r->n + j] += weight * z[i] * z[j];
        for (size_t o = 0; o < r->outputs; o++)
            r->b[i * r->outputs + o] += weight * z[i] * y[o];
    }
    r->information += weight * reference_norm(r->n, z) * reference_norm(r->n, z);
}

static void regularise(linear_reference *r)
{
    size_t j = (r->learnt / r->period - 1) % r->n;
    wide y[REFERENCE_OUTPUTS], *unit = r->off;
    memset(unit, 0, r->n * sizeof *unit);
    unit[j] = 1;
    for (size_t o = 0; o < r->outputs; o++)
        y[o] = r->theta[o * r->n + j];
    measure(r, unit, 1 / r->cyclic);
    gather(r, unit, y, r->cyclic);
}

/* theta += e P z / total, P = (P - P z z'P / total) / beta, total = beta / w + z'Pz. */
static void rls_learn(linear_reference *r)
{
    size_t n = r->n;
    if (!(r->weight > 0))
        return;
    wide total = measure(r, r->z, r->beta / r->weight);
    for (size_t o = 0; o < r->outputs; o++)
        for (size_t i = 0; i < n; i++)
            r->theta[o * n + i] += (r->y[o] - r->yhat[o]) * r->g[i] / total;
    for (size_t i = 0; i < n * n; i++)
        r->P[i] /= r->beta, r->R[i] *= r->beta;
    for (size_t i = 0; i < n * r->outputs; i++)
        r->b[i] *= r->beta;
    r->information *= r->beta, r->energy *= r->beta, r->residual *= r->beta;
    gather(r, r->z, r->y, r->weight);
    r->energy += r->weight * reference_norm(r->outputs, r->y) * reference_norm(r->outputs, r->y);
    for (size_t o = 0; o < r->outputs; o++)
        r->residual += r->weight * (r->y[o] - r->yhat[o]) * (r->y[o] - r->yhat[o]);
    r->learnt++;
    if (r->period && r->learnt % r->period == 0)
        regularise(r);
}

static void linear_learn(linear_reference *r)
{
    if (r->method == RLS)
        rls_learn(r);
    else
        lms_learn(r);
}

/* In a prediction for the z of the last sample; of that, long double loses condition x eps at every step. */
static wide batch_disagreement(const linear_reference *r)
{
    size_t n = r->n, m = r->outputs;
    wide *R = reference_zeros(n * n), *solution = reference_zeros(n * m), worst = 0, size = 0;
    memcpy(R, r->R, n * n * sizeof *R), memcpy(solution, r->b, n * m * sizeof *R);
    reference_solve(n, R, m, solution);
    for (size_t o = 0; o < m; o++) {
        wide difference = 0;
        for (size_t i = 0; i < n; i++) {
            difference += r->z[i] * (r->theta[o * n + i] - solution[i * m + o]);
            size += fabsl(r->z[i] * r->theta[o * n + i]);
        }
        worst = fmaxl(worst, fabsl(difference));
    }
    free(R), free(solution);
    wide condition = trace(n, r->P) * r->information;
    return worst / (0x1p-63L * (wide)(r->learnt + 1) * condition * (size + sqrtl(r->energy)) + 0x1p-1000L);
}

/* ---- any of them -------------------------------------------------------------------------------------------- */

bool reference_follows(const okra_spec *spec)
{
    const char *filter = okra_recipe_find(spec->recipe)->filter;
    return strcmp(filter, "apa") != 0 && strcmp(filter, "apsm") != 0 && strcmp(filter, "ensemble") != 0;
}

struct reference {
    const okra_spec *spec;
    linear_reference *linear;
    kernel_reference *kernel;
};

reference *reference_create(const okra_spec *spec, const drawn_map *map)
{
    reference *r = reference_memory(sizeof *r);
    const char *filter = okra_recipe_find(spec->recipe)->filter;
    *r = (reference){.spec = spec};
    if (strcmp(filter, "lms") == 0)
        r->linear = make_linear(spec, LMS, spec->map, map);
    else if (strcmp(filter, "nlms") == 0)
        r->linear = make_linear(spec, NLMS, spec->map, map);
    else if (strcmp(filter, "rls") == 0)
        r->linear = make_linear(spec, RLS, spec->map, map);
    else if (spec->capacity > 0)
        r->kernel = kernel_reference_create(spec);
    else {
        fprintf(stderr, "there is no reference for the filter %s: write one here, from its equations\n", filter);
        abort();
    }
    if (r->linear && r->linear->method == RLS)
        start_rls(r->linear, spec->lambda, spec->beta, spec->cyclic);
    return r;
}

void reference_free(reference *r)
{
    if (r->linear)
        free_linear(r->linear);
    if (r->kernel)
        kernel_reference_free(r->kernel);
    free(r);
}

opinion reference_meet(reference *r, const wide *x, const wide *y, wide weight)
{
    if (r->kernel)
        return kernel_reference_meet(r->kernel, x, y, weight);
    opinion said = {.tolerance = linear_meet(r->linear, x, y, weight)};
    memcpy(said.yhat, r->linear->yhat, sizeof said.yhat);
    return said;
}

void reference_learn(reference *r)
{
    if (r->kernel)
        kernel_reference_learn(r->kernel);
    else
        linear_learn(r->linear);
}

size_t reference_centres(const reference *r, size_t *full)
{
    *full = 0;
    return r->kernel ? kernel_reference_centres(r->kernel, full) : 0;
}

wide reference_disagreement(const reference *r)
{
    return r->linear && r->linear->method == RLS ? batch_disagreement(r->linear) : 0;
}
