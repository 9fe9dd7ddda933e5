/*
 * Kernel filters through the public API, interleaved in one run.
 *
 * 1. QKLMS with a dictionary that no longer grows, against RFF-KLMS: both sides equally optimised.
 * 2. On Example 2: our krls, our rff-krls and, where installed, dlib's krls: time per sample and the error floors.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <okra/okra.h>

#include "clock.h"
#ifdef OKRA_HAVE_DLIB
#include "dlib_krls.h"
#endif

static void *allocate(size_t count)
{
    void *p = calloc(count, sizeof(double));
    if (!p) {
        fputs("bench_kernel: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void check(okra_status status)
{
    if (status) {
        fprintf(stderr, "bench_kernel: %s\n", okra_strerror(status));
        exit(1);
    }
}

/* A filter, a stream for it, and what a race needs. */
typedef struct entry {
    okra_spec spec;
    okra_filter *filter;
    size_t n, tail;
    const double *X, *y;
    double *yhat, floor;
} entry;

static void learn(void *context)
{
    entry *e = context;
    check(okra_run(e->filter, e->n, e->X, e->y, NULL, e->yhat, NULL));
}

/* ---- QKLMS against RFF-KLMS --------------------------------------------------------------------------------- */

/* M centres first, one a sample; with an epsilon that covers everything afterwards, none is added. */
static okra_filter *full_qklms(size_t d, size_t centres, const double *X, const double *y)
{
    okra_spec spec;
    okra_filter *filter;
    okra_stats stats;
    check(okra_spec_init(&spec, "qklms", d));
    spec.capacity = centres, spec.epsilon = 0, spec.sigma = sqrt((double)d), spec.mu = 0.2;
    check(okra_create(&spec, &filter));
    check(okra_run(filter, centres, X, y, NULL, NULL, NULL));
    check(okra_get_stats(filter, &stats));
    if (stats.centres != centres)
        check(OKRA_E_FORMAT);
    return filter;
}

static void race_qklms(size_t d, size_t centres, size_t features)
{
    size_t n = centres * d > 20000 ? 64 : 512;
    double *X = allocate((n + centres) * d), *y = allocate(n + centres), *yhat = allocate(n);
    okra_random random = {.seed = 3};
    okra_random_normal(&random, (n + centres) * d, X);
    okra_random_normal(&random, n + centres, y);
    entry rff = {.n = n, .X = X, .y = y, .yhat = yhat}, q = rff;
    check(okra_spec_init(&rff.spec, "rff-klms", d));
    rff.spec.features = features, rff.spec.sigma = sqrt((double)d);
    check(okra_create(&rff.spec, &rff.filter));
    q.filter = full_qklms(d, centres, X + n * d, y + n);
    contender c[] = {{"qklms", learn, &q, 0}, {"rff-klms", learn, &rff, 0}};
    race(c, 2, 60);
    printf("%4zu %6zu %6zu %10.0f %10.0f %10.2f\n", d, centres, features, 1e9 * c[0].best / (double)n,
           1e9 * c[1].best / (double)n, c[0].best / c[1].best);
    okra_free(rff.filter), okra_free(q.filter);
    free(X), free(y), free(yhat);
}

/* ---- KRLS --------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 15000, TAIL = SAMPLES / 20, INPUTS = 5 };

/* Example 2 of the paper. */
static void make_example2(uint32_t run, double *X, double *y)
{
    double w[2][INPUTS];
    okra_random coefficients = {.seed = 2, .run = run, .stream = 1}, inputs = {.seed = 2, .run = run, .stream = 2},
                noise = {.seed = 2, .run = run, .stream = 3};
    okra_random_normal(&coefficients, 2 * INPUTS, w[0]);
    okra_random_normal(&inputs, SAMPLES * INPUTS, X);
    okra_random_normal(&noise, SAMPLES, y);
    for (size_t i = 0; i < SAMPLES; i++) {
        double linear = 0, square = 0;
        for (size_t j = 0; j < INPUTS; j++) {
            linear += w[0][j] * X[i * INPUTS + j];
            square += w[1][j] * X[i * INPUTS + j];
        }
        y[i] = linear + 0.1 * square * square + 0.05 * y[i];
    }
}

static void learn_afresh(void *context)
{
    entry *e = context;
    check(okra_reset(e->filter));
    learn(e);
    e->floor = 0;
    for (size_t i = e->n - e->tail; i < e->n; i++)
        e->floor += (e->y[i] - e->yhat[i]) * (e->y[i] - e->yhat[i]) / (double)e->tail;
}

#ifdef OKRA_HAVE_DLIB
typedef struct dlib_entry {
    const double *X, *y;
    double floor;
    size_t centres;
} dlib_entry;

static void learn_dlib(void *context)
{
    dlib_entry *e = context;
    e->floor = dlib_krls_run(SAMPLES, e->X, e->y, 5, 5e-4, TAIL, &e->centres);
}
#endif

static void race_krls(void)
{
    double *X = allocate(SAMPLES * INPUTS), *y = allocate(SAMPLES), *yhat = allocate(SAMPLES);
    make_example2(0, X, y);
    entry krls = {.n = SAMPLES, .tail = TAIL, .X = X, .y = y, .yhat = yhat}, rff = krls;
    check(okra_spec_init(&krls.spec, "krls", INPUTS));
    krls.spec.sigma = 5, krls.spec.nu = 5e-4, krls.spec.capacity = 400;
    check(okra_create(&krls.spec, &krls.filter));
    check(okra_spec_init(&rff.spec, "rff-krls", INPUTS));
    rff.spec.sigma = 5, rff.spec.lambda = 1e-4, rff.spec.beta = 0.9995;
    check(okra_create(&rff.spec, &rff.filter));
    contender c[] = {
        {"rff-krls, D = 300", learn_afresh, &rff, 0},
        {"krls, nu = 5e-4", learn_afresh, &krls, 0},
#ifdef OKRA_HAVE_DLIB
        {"dlib::krls, tolerance 5e-4", learn_dlib, &(dlib_entry){.X = X, .y = y}, 0},
#endif
    };
    size_t n = sizeof c / sizeof *c;
    race(c, n, 3);
    okra_stats stats;
    check(okra_get_stats(krls.filter, &stats));
    printf("\nExample 2, %d samples: us per sample, ratio to each of ours, floor over the last 5%%\n", SAMPLES);
    for (size_t k = 0; k < n; k++) {
        double floor = k == 0 ? rff.floor : krls.floor;
        size_t centres = k == 0 ? 0 : stats.centres;
#ifdef OKRA_HAVE_DLIB
        if (k == 2)
            floor = ((dlib_entry *)c[k].context)->floor, centres = ((dlib_entry *)c[k].context)->centres;
#endif
        printf("  %-28s %8.2f us   / rff-krls %5.2f   / krls %5.2f   %7.2f dB   %zu centres\n", c[k].name,
               1e6 * c[k].best / SAMPLES, c[k].best / c[0].best, c[k].best / c[1].best, 10 * log10(floor), centres);
    }
    okra_free(krls.filter), okra_free(rff.filter);
    free(X), free(y), free(yhat);
}

int main(void)
{
    static const size_t sizes[][3] = {{1, 7, 100}, {2, 32, 100}, {5, 100, 300}, {20, 1000, 1000}, {20, 5000, 1000}};
    printf("%s, double: ns per sample\n%4s %6s %6s %10s %10s %10s\n", okra_isa(), "d", "M", "D", "qklms", "rff-klms",
           "ratio");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        race_qklms(sizes[i][0], sizes[i][1], sizes[i][2]);
    race_krls();
    return 0;
}
