/*
 * Section predict: okra_predict on a batch, against what a linear algebra library offers: gemm for the projections,
 * cosines by the vector, gemv for the sum. Written once for both precisions.
 */
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#ifdef OKRA_HAVE_OPENBLAS
#include <cblas.h>
#endif

#include "bench.h"
#include "race.h"
#include "baselines.h"
#include "sections.h"

#define predict                                   OKRA_PUBLIC(okra_predict)
#define run(filter, n, X, Y, weights, Yhat, done) OKRA_PUBLIC(okra_run)(filter, n, X, Y, weights, Yhat, NULL, done)

enum { ROWS = 1000, LEARNT = 50 };

typedef struct problem {
    okra_spec spec;
    okra_filter *filter;
    void *scratch;
    real *X, *Y, *Yhat;
    frequencies f;
    size_t tile;           /* rows at a time, so that their features stay in a cache */
    real *theta, *angles;  /* of the baseline */
    real *cosines, *sines; /* [tile][count] each */
    real *Ybaseline;
} problem;

static void ours(void *context)
{
    problem *p = context;
    bench_check(predict(p->filter, p->scratch, ROWS, p->X, p->Yhat, NULL));
}

/* ---- the baseline ----------------------------------------------------------------------------------------------- */

#ifdef OKRA_HAVE_OPENBLAS
#if OKRA_PRECISION == 64
#define gemm cblas_dgemm
#define gemv cblas_dgemv
#else
#define gemm cblas_sgemm
#define gemv cblas_sgemv
#endif

static void waves(size_t n, const real *angles, real *cosines, real *sines)
{
    if (sleef_waves(n, angles, cosines, sines))
        return;
    for (size_t i = 0; i < n; i++) {
        cosines[i] = cos(angles[i]);
        if (sines)
            sines[i] = sin(angles[i]);
    }
}

static void predict_tile(problem *p, size_t rows, const real *X, real *yhat)
{
    const frequencies *f = &p->f;
    int n = (int)rows, count = (int)f->count, d = (int)f->inputs;
    for (size_t i = 0; i < rows; i++)
        memcpy(p->angles + i * f->count, f->phase, f->count * sizeof(real));
    gemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, count, d, 1, X, d, f->omega, d, 1, p->angles, count);
    real scale = sqrt((real)2 / (real)f->features);
    waves(rows * f->count, p->angles, p->cosines, f->paired ? p->sines : NULL);
    gemv(CblasRowMajor, CblasNoTrans, n, count, scale, p->cosines, count, p->theta, 1, 0, yhat, 1);
    if (f->paired)
        gemv(CblasRowMajor, CblasNoTrans, n, count, scale, p->sines, count, p->theta + f->count, 1, 1, yhat, 1);
}

static void with_blas(void *context)
{
    problem *p = context;
    for (size_t i = 0; i < ROWS; i += p->tile)
        predict_tile(p, ROWS - i < p->tile ? ROWS - i : p->tile, p->X + i * p->spec.inputs, p->Ybaseline + i);
}
#else
#define with_blas NULL
#endif

/* ---- the problem --------------------------------------------------------------------------------------------- */

static real *normals(uint32_t stream, size_t n)
{
    okra_random random = {.seed = 1, .stream = stream};
    double *wide = bench_take(n, sizeof *wide);
    real *out = bench_take(n, sizeof *out);
    okra_random_normal(&random, n, wide);
    for (size_t i = 0; i < n; i++)
        out[i] = (real)wide[i];
    free(wide);
    return out;
}

static bool make_problem(problem *p, const char *map, size_t d, size_t features)
{
    *p = (problem){0};
    if (!bench_map_spec(&p->spec, map, d, features, OKRA_PRECISION))
        return false;
    bench_check(okra_create(&p->spec, &p->filter));
    p->scratch = malloc(okra_scratch_size(p->filter));
    p->X = normals(1, ROWS * d), p->Y = normals(2, ROWS), p->Yhat = bench_take(ROWS, sizeof(real));
    bench_check(run(p->filter, LEARNT, p->X, p->Y, NULL, NULL, NULL));
    p->f = frequencies_of(&p->spec);
    p->tile = 1 + 16384 / features;
    p->theta = bench_take(features, sizeof(real)), p->angles = bench_take(p->tile * features, sizeof(real));
    p->cosines = bench_take(p->tile * features, sizeof(real)), p->sines = bench_take(p->tile * features, sizeof(real));
    p->Ybaseline = bench_take(ROWS, sizeof(real));
    bench_check(okra_array_read(p->filter, "theta", p->theta));
    return true;
}

static void check_baseline(problem *p)
{
    double worst = 0;
    void (*baseline)(void *) = with_blas;
    if (!baseline)
        return;
    ours(p);
    baseline(p);
    for (size_t i = 0; i < ROWS; i++)
        worst = fmax(worst, fabs((double)p->Yhat[i] - (double)p->Ybaseline[i]));
    bench_expect(worst < (OKRA_PRECISION == 64 ? 1e-9 : 1e-2), "BLAS does not predict the same");
}

static void free_problem(problem *p)
{
    void *arrays[] = {p->X, p->Y, p->Yhat, p->theta, p->angles, p->cosines, p->sines, p->Ybaseline};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    okra_free(p->filter);
    free(p->scratch);
    frequencies_free(&p->f);
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

/* False if the library refuses the map. */
static bool try_size(bench *b, const char *map, size_t d, size_t features)
{
    problem p;
    if (!make_problem(&p, map, d, features))
        return false;
    check_baseline(&p);
    runner c[] = {{.work = ours, .context = &p, .samples = ROWS}, {.work = with_blas, .context = &p, .samples = ROWS}};
    race r = race_run(c, 2, bench_rounds(b, 21));
    report_text(&b->report, "map", 5, map);
    report_count(&b->report, "bits", OKRA_PRECISION);
    report_count(&b->report, "d", d);
    report_count(&b->report, "D", features);
    report_real(&b->report, "ns", race_best(&r, 0));
    report_real(&b->report, "samples_per_s", 1e9 / race_best(&r, 0));
    report_spread(&b->report, "blas", race_ratio(&r, 1, 0));
    report_row(&b->report);
    race_free(&r);
    free_problem(&p);
    return true;
}

void OKRA_TYPED(predict_section)(bench *b)
{
    static const size_t sizes[][2] = {{5, 300}, {20, 1000}, {50, 4000}};
    static const char *const maps[] = {"rff", "pair"};
    if (OKRA_PRECISION == 64)
        report_table(
            &b->report, NULL,
            "predict: okra_predict on %d rows. blas: the time of OpenBLAS gemm, %s cosines and gemv over ours.", ROWS,
            sleef_waves(0, NULL, NULL, NULL) ? "SLEEF's" : "libm's");
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        bool known = true;
        for (size_t i = 0; known && i < (b->quick ? 2 : sizeof sizes / sizeof *sizes); i++)
            known = try_size(b, maps[m], sizes[i][0], sizes[i][1]);
        if (!known)
            report_note(&b->report, "%s: not in this library", maps[m]);
    }
}
