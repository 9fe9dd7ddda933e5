/*
 * Section kernel: dictionaries against features, both sides equally optimised.
 *
 * 1. QKLMS with a dictionary that no longer grows, against RFF-KLMS. 2. On Example 2: our krls, our rff-krls and, if
 * installed, dlib's krls: time per sample and the error floors.
 */
#include <math.h>
#include <stdlib.h>

#include <okra/lab.h>

#include "bench.h"
#include "race.h"
#include "sections.h"
#ifdef OKRA_HAVE_DLIB
#include "dlib_krls.h"
#endif

/* A filter, and a stream for it. */
typedef struct entry {
    okra_filter *filter;
    size_t n, tail;
    const double *X, *y;
    double *yhat, floor;
} entry;

static void learn(void *context)
{
    entry *e = context;
    bench_check(okra_run(e->filter, e->n, e->X, e->y, NULL, e->yhat, NULL, NULL));
}

/* ---- QKLMS against RFF-KLMS ---------------------------------------------------------------------------------- */

/* M centres first, one a sample; full afterwards, so that none is added. */
static okra_filter *full_qklms(size_t d, size_t centres, const double *X, const double *y)
{
    okra_spec spec;
    okra_filter *filter;
    okra_stats stats;
    bench_check(okra_spec_init(&spec, "qklms", d, 1));
    spec.capacity = centres, spec.epsilon = 0, spec.sigma = sqrt((double)d), spec.mu = 0.2;
    bench_check(okra_create(&spec, &filter));
    bench_check(okra_run(filter, centres, X, y, NULL, NULL, NULL, NULL));
    bench_check(okra_get_stats(filter, &stats));
    bench_expect(stats.centres == centres, "a dictionary that did not fill");
    return filter;
}

static okra_filter *features_filter(const char *map, size_t d, size_t features)
{
    okra_spec spec;
    okra_filter *filter = NULL;
    if (bench_map_spec(&spec, map, d, features, OKRA_F64))
        bench_check(okra_create(&spec, &filter));
    return filter;
}

static void race_qklms(bench *b, size_t d, size_t centres, size_t features)
{
    size_t n = 1 + 1000000 / (centres * (d + 15));
    n = n > 512 ? 512 : n;
    double *X = bench_take((n + centres) * d, sizeof *X), *y = bench_take(n + centres, sizeof *y);
    okra_random random = {.seed = 3};
    okra_random_normal(&random, (n + centres) * d, X);
    okra_random_normal(&random, n + centres, y);
    entry q = {.n = n, .X = X, .y = y, .yhat = bench_take(n, sizeof(double))}, rff = q, pair = q;
    q.filter = full_qklms(d, centres, X + n * d, y + n);
    rff.filter = features_filter("rff", d, features), pair.filter = features_filter("pair", d, features);
    runner c[] = {{.work = learn, .context = &q, .samples = (double)n},
                  {.work = learn, .context = &rff, .samples = (double)n},
                  {.work = pair.filter ? learn : NULL, .context = &pair, .samples = (double)n}};
    race r = race_run(c, 3, bench_rounds(b, 61));
    report_count(&b->report, "d", d);
    report_count(&b->report, "M", centres);
    report_count(&b->report, "D", features);
    report_real(&b->report, "qklms_ns", race_best(&r, 0));
    report_real(&b->report, "rff_ns", race_best(&r, 1));
    report_real(&b->report, "pair_ns", race_best(&r, 2));
    report_spread(&b->report, "qklms_over_rff", race_ratio(&r, 0, 1));
    report_spread(&b->report, "qklms_over_pair", race_ratio(&r, 0, 2));
    report_row(&b->report);
    race_free(&r);
    okra_free(rff.filter), okra_free(pair.filter), okra_free(q.filter);
    free(X), free(y), free(q.yhat);
}

/* ---- KRLS ---------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 15000, TAIL = SAMPLES / 20, INPUTS = 5 };

static void make_example2(double *X, double *y)
{
    okra_signal_spec spec;
    okra_signal *signal;
    bench_check(okra_signal_spec_init(&spec, "ex2"));
    bench_check(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, SAMPLES, X, y);
    okra_signal_free(signal);
}

static void learn_afresh(void *context)
{
    entry *e = context;
    bench_check(okra_reset(e->filter));
    learn(e);
    e->floor = 0;
    for (size_t i = e->n - e->tail; i < e->n; i++)
        e->floor += (e->y[i] - e->yhat[i]) * (e->y[i] - e->yhat[i]) / (double)e->tail;
}

typedef struct dlib_entry {
    const double *X, *y;
    double floor;
    size_t centres;
} dlib_entry;

#ifdef OKRA_HAVE_DLIB
static void learn_dlib(void *context)
{
    dlib_entry *e = context;
    e->floor = dlib_krls_run(SAMPLES, e->X, e->y, 5, 5e-4, TAIL, &e->centres);
}
#else
#define learn_dlib NULL
#endif

static okra_filter *krls_filter(const char *recipe)
{
    okra_spec spec;
    okra_filter *filter;
    bench_check(okra_spec_init(&spec, recipe, INPUTS, 1));
    spec.sigma = 5, spec.nu = 5e-4, spec.capacity = 400, spec.lambda = 1e-4, spec.beta = 0.9995;
    bench_check(okra_create(&spec, &filter));
    return filter;
}

static void report_krls(bench *b, const race *r, size_t who, const char *name, double floor, size_t centres)
{
    report_text(&b->report, "filter", 28, name);
    report_real(&b->report, "us", 1e-3 * race_best(r, who));
    report_spread(&b->report, "over_rff_krls", race_ratio(r, who, 0));
    report_spread(&b->report, "over_krls", race_ratio(r, who, 1));
    report_real(&b->report, "floor_db", 10 * log10(floor));
    report_count(&b->report, "centres", centres);
    report_row(&b->report);
}

static void race_krls(bench *b)
{
    double *X = bench_take(SAMPLES * INPUTS, sizeof *X), *y = bench_take(SAMPLES, sizeof *y);
    make_example2(X, y);
    entry rff = {.n = SAMPLES, .tail = TAIL, .X = X, .y = y, .yhat = bench_take(SAMPLES, sizeof(double))}, krls = rff;
    rff.filter = krls_filter("rff-krls"), krls.filter = krls_filter("krls");
    dlib_entry dlib = {.X = X, .y = y};
    runner c[] = {{.work = learn_afresh, .context = &rff, .samples = SAMPLES},
                  {.work = learn_afresh, .context = &krls, .samples = SAMPLES},
                  {.work = learn_dlib, .context = &dlib, .samples = SAMPLES}};
    race r = race_run(c, 3, b->quick ? 1 : 5); /* half a second each */
    okra_stats stats;
    bench_check(okra_get_stats(krls.filter, &stats));
    report_table(&b->report, "krls", "kernel: Example 2, %d samples, least squares; floor over the last 5%%", SAMPLES);
    report_krls(b, &r, 0, "rff-krls, D = 300", rff.floor, 0);
    report_krls(b, &r, 1, "krls, nu = 5e-4", krls.floor, stats.centres);
    if (c[2].work)
        report_krls(b, &r, 2, "dlib::krls, tolerance 5e-4", dlib.floor, dlib.centres);
    race_free(&r);
    okra_free(krls.filter), okra_free(rff.filter);
    free(X), free(y), free(rff.yhat);
}

void kernel_section(bench *b)
{
    static const size_t sizes[][3] = {{1, 7, 100}, {2, 32, 100}, {5, 100, 300}, {20, 1000, 1000}, {20, 5000, 1000}};
    report_table(&b->report, "qklms",
                 "kernel: QKLMS with a full dictionary of M against rff-klms with D features, double, okra_run");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        race_qklms(b, sizes[i][0], sizes[i][1], sizes[i][2]);
    race_krls(b);
}
