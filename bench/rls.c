/*
 * Section rls: recursive least squares through the public block call (the UD factor) against its baselines: a packed
 * triangle of P, as fast as it can be made, OpenBLAS's symv and syr, and one reading of the triangle. All see the same
 * features of Example 2.
 */
#include <stdlib.h>
#include <string.h>

#ifdef OKRA_HAVE_OPENBLAS
#include <cblas.h>
#endif

#include "bench.h"
#include "probe.h"
#include "race.h"
#include "sections.h"
#include "tri_p.h"

enum { INPUTS = 5, OUTPUTS = 4 };
static const double lambda = 1e-2, beta = 0.9995;

typedef struct problem {
    size_t inner, samples; /* inner: features that a filter is given; it adds a bias */
    double *Z, *y, *y4;    /* y4: the same target, OUTPUTS times */
    float *Zf, *yf;
    okra_filter *ud, *cyclic, *four, *single, *prior, *prior_single;
    tri_p *triangle;
    double *p, *theta, *u, scale; /* for BLAS */
} problem;

/* ---- the problem --------------------------------------------------------------------------------------------- */

/* Features of Example 2. */
static void make_features(problem *p, const double *X)
{
    okra_spec spec;
    okra_map *map;
    bench_check(okra_spec_init(&spec, "rff-klms", INPUTS, 1));
    spec.features = p->inner, spec.sigma = 5;
    bench_check(okra_map_create(&spec, &map));
    bench_check(okra_map_apply(map, p->samples, X, p->Z));
    okra_map_free(map);
    for (size_t i = 0; i < p->samples * p->inner; i++)
        p->Zf[i] = (float)p->Z[i];
}

static void make_data(problem *p)
{
    size_t n = p->samples;
    double *X = bench_take(n * INPUTS, sizeof *X);
    okra_random random = {.seed = 1};
    okra_random_normal(&random, n * INPUTS, X);
    okra_random_normal(&random, n, p->y);
    make_features(p, X);
    for (size_t i = 0; i < n; i++) {
        double sum = X[INPUTS * i] - X[INPUTS * i + 1] + 0.5 * X[INPUTS * i + 2];
        p->y[i] = sum + 0.1 * sum * sum + 0.05 * p->y[i];
        p->yf[i] = (float)p->y[i];
        for (size_t o = 0; o < OUTPUTS; o++)
            p->y4[i * OUTPUTS + o] = p->y[i];
    }
    free(X);
}

static okra_filter *make_filter(const problem *p, size_t outputs, size_t cyclic, int forget, int precision)
{
    okra_spec spec;
    okra_filter *filter;
    bench_check(okra_spec_init(&spec, "rls", p->inner, 1));
    spec.lambda = lambda, spec.beta = beta, spec.cyclic = cyclic, spec.outputs = outputs, spec.precision = precision;
    spec.forget = forget;
    bench_check(okra_create(&spec, &filter));
    return filter;
}

static void make_problem(problem *p, size_t features)
{
    *p = (problem){.inner = features - 1, .samples = features <= 300 ? 256 : 64, .scale = 1};
    size_t n = p->samples, inner = p->inner;
    p->Z = bench_take(n * inner, sizeof *p->Z), p->y = bench_take(n, sizeof *p->y);
    p->Zf = bench_take(n * inner, sizeof *p->Zf), p->yf = bench_take(n, sizeof *p->yf);
    p->y4 = bench_take(n * OUTPUTS, sizeof *p->y4);
    make_data(p);
    p->ud = make_filter(p, 1, 0, OKRA_FORGET_EXPONENTIAL, OKRA_F64),
    p->cyclic = make_filter(p, 1, 8, OKRA_FORGET_EXPONENTIAL, OKRA_F64);
    p->four = make_filter(p, OUTPUTS, 0, OKRA_FORGET_EXPONENTIAL, OKRA_F64),
    p->single = make_filter(p, 1, 0, OKRA_FORGET_EXPONENTIAL, OKRA_F32);
    p->prior = make_filter(p, 1, 0, OKRA_FORGET_PRIOR, OKRA_F64);
    p->prior_single = make_filter(p, 1, 0, OKRA_FORGET_PRIOR, OKRA_F32);
    p->triangle = probe_has_avx2() ? tri_p_create(inner, lambda, beta) : NULL;
    p->p = bench_take(inner * inner, sizeof *p->p), p->theta = bench_take(inner, sizeof *p->theta);
    p->u = bench_take(inner, sizeof *p->u);
    for (size_t i = 0; i < inner; i++)
        p->p[i * inner + i] = 1 / lambda;
}

static void free_problem(problem *p)
{
    void *arrays[] = {p->Z, p->y, p->y4, p->Zf, p->yf, p->p, p->theta, p->u};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    okra_free(p->ud), okra_free(p->cyclic), okra_free(p->four), okra_free(p->single);
    okra_free(p->prior), okra_free(p->prior_single);
    if (p->triangle)
        tri_p_free(p->triangle);
}

/* ---- runners ---------------------------------------------------------------------------------------------- */

static void run_filter(const problem *p, okra_filter *filter, const double *Y)
{
    bench_check(okra_run(filter, p->samples, p->Z, Y, NULL, NULL, NULL, NULL));
}

static void run_ud(void *context) { run_filter(context, ((problem *)context)->ud, ((problem *)context)->y); }
static void run_cyclic(void *context) { run_filter(context, ((problem *)context)->cyclic, ((problem *)context)->y); }
static void run_four(void *context) { run_filter(context, ((problem *)context)->four, ((problem *)context)->y4); }

static void run_prior(void *context) { run_filter(context, ((problem *)context)->prior, ((problem *)context)->y); }

static void run_f32(const problem *p, okra_filter *filter)
{
    bench_check(okra_run_f32(filter, p->samples, p->Zf, p->yf, NULL, NULL, NULL, NULL));
}

static void run_single(void *context) { run_f32(context, ((problem *)context)->single); }
static void run_prior_single(void *context) { run_f32(context, ((problem *)context)->prior_single); }

static void run_triangle(void *context)
{
    problem *p = context;
    tri_p_run(p->triangle, p->samples, p->Z, p->y);
}

#ifdef OKRA_HAVE_OPENBLAS
/* P = scale x the stored matrix, so that forgetting costs nothing. */
static void run_blas(void *context)
{
    problem *p = context;
    int n = (int)p->inner;
    for (size_t s = 0; s < p->samples; s++) {
        const double *z = p->Z + s * p->inner;
        double e = p->y[s] - cblas_ddot(n, p->theta, 1, z, 1);
        cblas_dsymv(CblasRowMajor, CblasLower, n, 1, p->p, n, z, 1, 0, p->u, 1);
        double total = beta + p->scale * cblas_ddot(n, p->u, 1, z, 1);
        cblas_daxpy(n, p->scale / total * e, p->u, 1, p->theta, 1);
        cblas_dsyr(CblasRowMajor, CblasLower, n, -p->scale / total, p->u, 1, p->p, n);
        p->scale /= beta;
        if (p->scale > 1e30) {
            cblas_dscal(n * n, p->scale, p->p, 1);
            p->scale = 1;
        }
    }
}
#else
#define run_blas NULL
#endif

/* ---- the table ----------------------------------------------------------------------------------------------- */

static void report_problem(bench *b, const problem *p, const race *r, const char *const *names, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        report_count(&b->report, "D", p->inner + 1);
        report_text(&b->report, "filter", 34, names[k]);
        report_real(&b->report, "us", 1e-3 * race_best(r, k));
        report_spread(&b->report, "over_ud", race_ratio(r, k, 0));
        report_spread(&b->report, "over_reading", race_ratio(r, k, n - 1));
        report_row(&b->report);
    }
}

static void race_size(bench *b, size_t features)
{
    static const char *const names[] = {"UD factor",
                                        "UD, cyclic regularisation every 8",
                                        "UD, four outputs",
                                        "UD, float32",
                                        "back to the prior",
                                        "back to the prior, float32",
                                        "triangle of P",
                                        "OpenBLAS symv + syr",
                                        "reading the triangle once"};
    problem p;
    make_problem(&p, features);
    reading memory = reading_make(features * (features + 1) / 2 * sizeof(double));
    double n = (double)p.samples, readings = reading_bytes(&memory) / (double)memory.bytes;
    runner c[] = {
        {.work = run_ud, .context = &p, .samples = n},
        {.work = run_cyclic, .context = &p, .samples = n},
        {.work = run_four, .context = &p, .samples = n},
        {.work = run_single, .context = &p, .samples = n},
        {.work = run_prior, .context = &p, .samples = n},
        {.work = run_prior_single, .context = &p, .samples = n},
        {.work = p.triangle ? run_triangle : NULL, .context = &p, .samples = n},
        {.work = run_blas, .context = &p, .samples = n},
        {.work = reading_work, .context = &memory, .samples = readings},
    };
    race r = race_run(c, sizeof c / sizeof *c, bench_rounds(b, 21));
    report_problem(b, &p, &r, names, sizeof c / sizeof *c);
    race_free(&r);
    reading_free(&memory);
    free_problem(&p);
}

void rls_section(bench *b)
{
    static const size_t sizes[] = {100, 300, 1000, 2000};
    report_table(
        &b->report, NULL,
        "rls: least squares on D given features, okra_run, double but where it says float32; times over the UD "
        "factor's, and over one reading of the triangle in double");
    for (size_t i = 0; i < (b->quick ? 2 : sizeof sizes / sizeof *sizes); i++)
        race_size(b, sizes[i]);
}
