/*
 * RLS that cannot diverge: long runs under the conditions that break the plain recursion. Compiled once per precision.
 * Without arguments a short form, for every change; `stability full` is the long one whose figures the documentation
 * quotes.
 *
 * Each case prints a line and fails where a filter becomes non-finite, loses positivity, or ends with a larger error
 * than it should.
 */
#include "typed.h"

enum { D = 5, FEATURES = 300, BLOCK = 1000 };

static bool full;
static int failures;

static void report(bool good, const char *name, const char *format, ...)
{
    va_list args;
    printf("%-4s f%d %-46s ", good ? "ok" : "FAIL", OKRA_PRECISION, name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    failures += !good;
}

/* ---- Example 2 ---------------------------------------------------------------------------------------------- */

typedef struct plant {
    okra_random inputs, noise;
    double w[2 * D];
} plant;

static plant make_plant(void)
{
    plant p = {.inputs = {.seed = 7, .stream = 2}, .noise = {.seed = 7, .stream = 3}};
    okra_random random = {.seed = 7, .stream = 1};
    okra_random_normal(&random, 2 * D, p.w);
    return p;
}

/* A block of samples; the noise in it too, so that an error can be compared with what was there to be had. */
static void generate(plant *p, real *X, real *Y, double *noise)
{
    static double x[BLOCK * D];
    okra_random_normal(&p->inputs, BLOCK * D, x);
    okra_random_normal(&p->noise, BLOCK, noise);
    for (size_t i = 0; i < BLOCK; i++) {
        double linear = 0, square = 0;
        for (size_t j = 0; j < D; j++) {
            X[i * D + j] = (real)x[i * D + j];
            linear += p->w[j] * x[i * D + j];
            square += p->w[D + j] * x[i * D + j];
        }
        noise[i] *= 0.05;
        Y[i] = (real)(linear + 0.1 * square * square + noise[i]);
    }
}

static okra_filter *make_krls(double sigma, double lambda, double beta)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "rff-krls", D, 1));
    spec.sigma = sigma, spec.lambda = lambda, spec.beta = beta, spec.features = FEATURES,
    spec.precision = OKRA_PRECISION;
    okra_filter *filter;
    okra_status status = okra_create(&spec, &filter);
    if (status) {
        fprintf(stderr, "stability: %s\n", okra_strerror(status));
        exit(1);
    }
    return filter;
}

/* The plain P recursion in double over the features that a map gives: what the error should be, while it lasts. */
typedef struct plain {
    okra_map *map;
    double beta, *p, theta[FEATURES];
} plain;

static double plain_step(plain *o, const double *x, double y)
{
    double z[FEATURES], g[FEATURES], total = o->beta, yhat = 0;
    okra_map_apply(o->map, 1, x, z);
    for (size_t i = 0; i < FEATURES; i++) {
        g[i] = 0;
        for (size_t j = 0; j < FEATURES; j++)
            g[i] += o->p[i * FEATURES + j] * z[j];
        total += z[i] * g[i];
        yhat += o->theta[i] * z[i];
    }
    for (size_t i = 0; i < FEATURES; i++) {
        double gain = g[i] / total;
        o->theta[i] += gain * (y - yhat);
        for (size_t j = 0; j < FEATURES; j++)
            o->p[i * FEATURES + j] = (o->p[i * FEATURES + j] - gain * g[j]) / o->beta;
    }
    return y - yhat;
}

/* Mean square error over the mean square noise, in dB, of the plain recursion's samples 5,000 to 10,000. */
static double plain_excess_db(double sigma, double lambda, double beta)
{
    static real X[BLOCK * D], Y[BLOCK];
    static double noise[BLOCK];
    plain *o = calloc(1, sizeof *o);
    okra_spec spec;
    okra_spec_init(&spec, "rff-krls", D, 1);
    spec.sigma = sigma, spec.features = FEATURES;
    if (okra_map_create(&spec, &o->map))
        exit(1);
    o->beta = beta;
    o->p = calloc(FEATURES * FEATURES, sizeof *o->p);
    for (size_t i = 0; i < FEATURES; i++)
        o->p[i * FEATURES + i] = 1 / lambda;
    plant p = make_plant();
    double error = 0, floor = 0;
    for (int block = 0; block < 10; block++) {
        generate(&p, X, Y, noise);
        for (size_t i = 0; i < BLOCK; i++) {
            double x[D], e;
            for (size_t j = 0; j < D; j++)
                x[j] = (double)X[i * D + j];
            e = plain_step(o, x, (double)Y[i]);
            error += block >= 5 ? e * e : 0;
            floor += block >= 5 ? noise[i] * noise[i] : 0;
        }
    }
    okra_map_free(o->map);
    free(o->p), free(o);
    return 10 * log10(error / floor);
}

/* The same of the filter, in each window of 10,000 samples from 10,000 on: the smallest and largest; and min d at the
 * end. */
typedef struct curve {
    double min, max, mse_db, d_min;
    okra_status status;
} curve;

static curve run_example(double sigma, double lambda, double beta, size_t samples, size_t window)
{
    static real X[BLOCK * D], Y[BLOCK], Yhat[BLOCK], d[FEATURES];
    static double noise[BLOCK];
    okra_filter *filter = make_krls(sigma, lambda, beta);
    plant p = make_plant();
    curve c = {.min = (double)INFINITY, .max = -(double)INFINITY, .d_min = (double)INFINITY};
    double error = 0, floor = 0;
    for (size_t n = 0; n < samples && !c.status; n += BLOCK) {
        generate(&p, X, Y, noise);
        c.status = run(filter, BLOCK, X, Y, NULL, Yhat, NULL);
        for (size_t i = 0; i < BLOCK; i++) {
            error += ((double)Y[i] - (double)Yhat[i]) * ((double)Y[i] - (double)Yhat[i]);
            floor += noise[i] * noise[i];
        }
        if ((n + BLOCK) % window == 0) {
            c.mse_db = 10 * log10(error / (double)window);
            if (n >= window) {
                c.min = fmin(c.min, 10 * log10(error / floor));
                c.max = fmax(c.max, 10 * log10(error / floor));
            }
            error = floor = 0;
        }
    }
    assert_ok(okra_array_read(filter, "d", d));
    for (size_t i = 0; i < FEATURES; i++)
        c.d_min = (double)d[i] < c.d_min ? (double)d[i] : c.d_min; /* fmin() here breaks gcc 12 for 64-bit ARM */
    okra_free(filter);
    return c;
}

static void example2_stays_at_its_floor(void)
{
    double oracle = plain_excess_db(5, 1e-4, 0.9995);
    curve c = run_example(5, 1e-4, 0.9995, full ? 1000000 : 30000, 10000);
    bool good = !c.status && c.max <= oracle + 0.2 && c.d_min > 0;
    report(good, "Example 2, beta 0.9995",
           "%d samples: excess over noise %.2f to %.2f dB, plain recursion %.2f dB, min d %.1e", full ? 1000000 : 30000,
           c.min, c.max, oracle, c.d_min);
}

static void wide_kernel_and_short_memory(void)
{
    curve c = run_example(50, 1e-4, 0.99, full ? 100000 : 10000, 5000);
    bool good = !c.status && fabs(c.mse_db + 25.5) <= 0.5 && c.d_min > 0;
    report(good, "Example 2, sigma 50, beta 0.99",
           "%d samples: last 5000 at %.2f dB, excess %.2f to %.2f dB, min d %.1e", full ? 100000 : 10000, c.mse_db,
           c.min, c.max, c.d_min);
}

/* ---- back to the prior --------------------------------------------------------------------------------------- */

/* The smallest pivot of P in Cholesky's factorisation, relative to the prior: above 0 if P is positive. */
static double smallest_pivot(const okra_filter *filter, double lambda)
{
    static real packed[FEATURES * (FEATURES + 1) / 2];
    static double L[FEATURES][FEATURES];
    real scale;
    double least = (double)INFINITY;
    assert_ok(okra_array_read(filter, "p", packed));
    assert_ok(okra_array_read(filter, "p_scale", &scale));
    for (size_t i = 0; i < FEATURES; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = lambda * (double)scale * (double)packed[i * (i + 1) / 2 + j];
            for (size_t k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0))
                return sum;
            least = i == j && sum < least ? sum : least;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    return least;
}

/* A wide kernel excites few directions, hard: P keeps its prior in most, and next to nothing in some. */
static void prior_stays_positive(double beta, size_t samples)
{
    static real X[BLOCK * D], Y[BLOCK], Yhat[BLOCK];
    static double noise[BLOCK];
    const double lambda = 1e-2;
    okra_spec spec;
    okra_filter *filter;
    assert_ok(okra_spec_init(&spec, "rff-krls", D, 1));
    spec.sigma = 50, spec.lambda = lambda, spec.beta = beta, spec.forget = OKRA_FORGET_PRIOR;
    spec.features = FEATURES, spec.precision = OKRA_PRECISION;
    assert_ok(okra_create(&spec, &filter));
    plant p = make_plant();
    okra_status status = OKRA_OK;
    double least = (double)INFINITY, error = 0;
    for (size_t n = 0; n < samples && !status && least > 0; n += BLOCK) {
        generate(&p, X, Y, noise);
        status = run(filter, BLOCK, X, Y, NULL, Yhat, NULL);
        error = 0;
        for (size_t i = 0; i < BLOCK; i++)
            error += ((double)Y[i] - (double)Yhat[i]) * ((double)Y[i] - (double)Yhat[i]) / BLOCK;
        if ((n / BLOCK) % (samples / BLOCK / 10) == 0)
            least = fmin(least, smallest_pivot(filter, lambda));
    }
    report(!status && least > 0, "sigma 50, back to the prior",
           "beta %g, %zu samples: smallest pivot %.1e of the prior, last 1000 at %.2f dB", beta, samples, least,
           10 * log10(error));
    okra_free(filter);
}

/* ---- hostile streams ---------------------------------------------------------------------------------------- */

static bool all_finite(const okra_filter *filter)
{
    okra_array array;
    bool finite = true;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++) {
        real *copy = malloc((array.rows * array.cols + 1) * sizeof *copy);
        okra_array_read(filter, array.name, copy);
        for (size_t k = 0; k < array.rows * array.cols; k++)
            finite = finite && real_abs(copy[k]) <= REAL_MAX;
        free(copy);
    }
    return finite;
}

enum stream { ZEROS, CONSTANT, TINY, HUGE_INPUTS, OUTLIER };

static void hostile_sample(enum stream what, size_t n, const real *x, real *out, real *y)
{
    const double tiny = OKRA_PRECISION == 64 ? 1e-150 : 1e-30, huge = OKRA_PRECISION == 64 ? 1e150 : 1e30;
    double scale = what == ZEROS || what == CONSTANT ? 0 : what == TINY ? tiny : what == HUGE_INPUTS ? huge : 1;
    for (size_t j = 0; j < D; j++)
        out[j] = (real)(scale * (double)x[j]) + (what == CONSTANT ? (real)1 : 0);
    if (what == OUTLIER && n == 1000)
        *y = (real)1e12;
}

/* Feeds a stream; the state must be finite at the end, whatever the statuses were. `after`: ordinary samples are learnt
 * again. */
static void hostile(const char *recipe, enum stream what, const char *name, size_t samples)
{
    static real X[BLOCK * D], Y[BLOCK];
    static double noise[BLOCK];
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, recipe, D, 1));
    spec.beta = 0.999, spec.precision = OKRA_PRECISION;
    if (spec.features)
        spec.features = 64, spec.sigma = 5;
    okra_filter *filter;
    assert_ok(okra_create(&spec, &filter));
    plant p = make_plant();
    size_t diverged = 0, range = 0;
    for (size_t n = 0; n < samples; n++) {
        real x[D], yhat;
        if (n % BLOCK == 0)
            generate(&p, X, Y, noise);
        hostile_sample(what, n, X + n % BLOCK * D, x, &Y[n % BLOCK]);
        okra_status status = step(filter, x, &Y[n % BLOCK], &yhat);
        diverged += status == OKRA_E_DIVERGED;
        range += status == OKRA_E_RANGE;
    }
    bool finite = all_finite(filter);
    double error = 0;
    enum { AFTER = 20 * BLOCK };
    for (size_t n = 0; n < AFTER; n++) {
        real yhat = 0;
        if (n % BLOCK == 0)
            generate(&p, X, Y, noise);
        step(filter, X + n % BLOCK * D, &Y[n % BLOCK], &yhat);
        if (n >= AFTER - BLOCK)
            error += ((double)Y[n % BLOCK] - (double)yhat) * ((double)Y[n % BLOCK] - (double)yhat) / BLOCK;
    }
    /* linear: what is not linear in Example 2 remains; random features: near the noise at -26 dB */
    bool recovered = 10 * log10(error) < (spec.features ? -20 : 5);
    if (what == HUGE_INPUTS && !spec.features)
        recovered = true; /* least squares has seen inputs of 1e150: ordinary ones weigh nothing until those are
                             forgotten */
    char label[64];
    snprintf(label, sizeof label, "%s, %s", recipe, name);
    report(finite && (recovered || diverged) && all_finite(filter), label,
           "%zu samples: %zu diverged, %zu out of range, then %.1f dB on ordinary data", samples, diverged, range,
           10 * log10(error));
    okra_free(filter);
}

int main(int argc, char **argv)
{
    SKIP_WITHOUT_ISA();
    full = argc > 1 && strcmp(argv[1], "full") == 0;
    size_t samples = full ? 1000000 : 20000;
    example2_stays_at_its_floor();
    wide_kernel_and_short_memory();
    prior_stays_positive(0.99, full ? 1000000 : 10000);
    prior_stays_positive(0.995, full ? 10000000 : 20000);
    prior_stays_positive(0.9995, full ? 1000000 : 20000);
    prior_stays_positive(0.99999, full ? 1000000 : 20000);
    static const char *const recipes[] = {"rff-krls", "rls"};
    for (size_t r = 0; r < COUNT_OF(recipes); r++) {
        hostile(recipes[r], ZEROS, "all inputs zero", samples);
        hostile(recipes[r], CONSTANT, "constant input", samples);
        hostile(recipes[r], TINY, "inputs x 1e-150 (float32: 1e-30)", samples);
        hostile(recipes[r], HUGE_INPUTS, "inputs x 1e150 (float32: 1e30)", samples);
        hostile(recipes[r], OUTLIER, "one target of 1e12", samples);
    }
    return failures > 0;
}
