/*
 * Section lms: RFF-KLMS through the public block call, against the machine's lower bounds and against baselines.
 * Written once for both precisions.
 */
#include <stdlib.h>

#include "bench.h"
#include "probe.h"
#include "race.h"
#include "baselines.h"
#include "sections.h"
#include "sklearn.h"

#define run(filter, n, X, Y, weights, Yhat, done) OKRA_PUBLIC(okra_run)(filter, n, X, Y, weights, Yhat, NULL, done)
#define step(filter, x, y, yhat)                  OKRA_PUBLIC(okra_step)(filter, x, y, 1, yhat, NULL)

/* What is fastest is given this many samples a round for every one of what is slow. */
enum { SLOW = 8, SKLEARN_ROWS = 50, SKLEARN_INPUTS = 5, SKLEARN_FEATURES = 300 };

typedef struct problem {
    okra_spec spec;
    size_t n;
    okra_filter *filter, *wide; /* wide: the same in double */
    real *X, *Y, *Yhat;
    double *wide_X, *wide_Y, *wide_Yhat;
    frequencies f;
    real *theta, *z; /* of the naive loop */
    sleef_map *sleef;
} problem;

/* ---- runners ---------------------------------------------------------------------------------------------- */

static void block(void *context)
{
    problem *p = context;
    bench_check(run(p->filter, p->n, p->X, p->Y, NULL, p->Yhat, NULL));
}

static void block_in_double(void *context)
{
    problem *p = context;
    bench_check(okra_run(p->wide, p->n, p->wide_X, p->wide_Y, NULL, p->wide_Yhat, NULL, NULL));
}

static void steps(void *context)
{
    problem *p = context;
    for (size_t s = 0; s < p->n; s++)
        bench_check(step(p->filter, p->X + s * p->spec.inputs, p->Y + s, p->Yhat + s));
}

static void naive(void *context)
{
    problem *p = context;
    naive_lms(&p->f, (real)p->spec.mu, (p->n + SLOW - 1) / SLOW, p->X, p->Y, p->theta, p->z, p->Yhat);
}

static void with_sleef(void *context)
{
    problem *p = context;
    sleef_lms(p->sleef, (real)p->spec.mu, p->n, p->X, p->Y, p->Yhat);
}

/* ---- the problem --------------------------------------------------------------------------------------------- */

static void make_data(problem *p)
{
    size_t d = p->spec.inputs;
    okra_random random = {.seed = 1};
    p->wide_X = bench_take(p->n * d, sizeof(double)), p->wide_Y = bench_take(p->n, sizeof(double));
    p->wide_Yhat = bench_take(p->n, sizeof(double));
    p->X = bench_take(p->n * d, sizeof(real)), p->Y = bench_take(p->n, sizeof(real));
    p->Yhat = bench_take(p->n, sizeof(real));
    okra_random_normal(&random, p->n * d, p->wide_X);
    okra_random_normal(&random, p->n, p->wide_Y);
    for (size_t i = 0; i < p->n * d; i++)
        p->X[i] = (real)p->wide_X[i];
    for (size_t i = 0; i < p->n; i++)
        p->Y[i] = (real)p->wide_Y[i];
}

/* A baseline that computes something else would be no baseline: all must predict what the double filter predicts. */
static void check_baselines(problem *p)
{
    void (*const all[])(void *) = {block, naive, with_sleef};
    double worst = 0;
    block_in_double(p);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k] == with_sleef && !p->sleef)
            continue;
        all[k](p);
        for (size_t s = 0; s < p->n / SLOW; s++)
            worst = fmax(worst, fabs((double)p->Yhat[s] - p->wide_Yhat[s]));
    }
    bench_expect(worst < (OKRA_PRECISION == 64 ? 1e-9 : 1e-2), "the baselines do not compute the same");
}

/* About 0.2 ms of work. */
static size_t samples_for(size_t d, size_t features)
{
    size_t n = 1500000 / (features * (d + 9));
    return n < SLOW ? SLOW : n > 1000 ? 1000 : n;
}

static bool make_problem(problem *p, const char *map, size_t d, size_t features)
{
    okra_spec wide;
    *p = (problem){.n = samples_for(d, features)};
    if (!bench_map_spec(&p->spec, map, d, features, OKRA_PRECISION))
        return false;
    wide = p->spec, wide.precision = OKRA_F64;
    bench_check(okra_create(&p->spec, &p->filter));
    bench_check(okra_create(&wide, &p->wide));
    make_data(p);
    p->f = frequencies_of(&p->spec);
    p->theta = bench_take(features, sizeof(real)), p->z = bench_take(features, sizeof(real));
    p->sleef = sleef_create(&p->f);
    check_baselines(p);
    return true;
}

static void free_problem(problem *p)
{
    void *arrays[] = {p->X, p->Y, p->Yhat, p->wide_X, p->wide_Y, p->wide_Yhat, p->theta, p->z};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    okra_free(p->filter), okra_free(p->wide);
    frequencies_free(&p->f);
    sleef_free(p->sleef);
}

/* ---- lower bounds-------------------------------------------------------------------------------------------- */

/*
 * Cycles that a sample cannot do without, at two vector multiply-adds a cycle and one store in the place of one: for a
 * vector of features d of them for the projection, 9 for the cosine (float32: 6) and the two of LMS, and two stores. A
 * pair shares its projection.
 */
static double core_floor(const problem *p)
{
    double d = (double)p->spec.inputs, wave = OKRA_PRECISION == 64 ? 9 : 6, vectors = (double)p->spec.features;
    vectors /= OKRA_PRECISION == 64 ? 4 : 8;
    return vectors * (p->f.paired ? (d + 2 * wave) / 4 + 2 : (d + wave) / 2 + 2);
}

/* Bytes that a sample reads and writes: omega and phase once, theta and z in and out. */
static double traffic(const problem *p)
{
    size_t numbers = p->f.count * (p->spec.inputs + !p->f.paired) + 4 * p->spec.features;
    return (double)(numbers * sizeof(real));
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

enum { BLOCK, DOUBLE, STEP, NAIVE, SLEEF, SKLEARN, READ, RUNNERS };

static void report_problem(bench *b, const problem *p, const race *r, const char *map)
{
    report_text(&b->report, "map", 5, map);
    report_count(&b->report, "bits", OKRA_PRECISION);
    report_count(&b->report, "d", p->spec.inputs);
    report_count(&b->report, "D", p->spec.features);
    report_real(&b->report, "ns", race_best(r, BLOCK));
    report_real(&b->report, "samples_per_s", 1e9 / race_best(r, BLOCK));
    report_real(&b->report, "best_core", race_best(r, BLOCK) / core_floor(p) / race_fastest_cycle(r));
    report_spread(&b->report, "core_floor", race_in_cycles(r, BLOCK, core_floor(p)));
    report_spread(&b->report, "bandwidth_floor", race_in_units(r, BLOCK, READ, traffic(p)));
    report_spread(&b->report, "step", race_ratio(r, STEP, BLOCK));
    report_spread(&b->report, "naive", race_ratio(r, NAIVE, BLOCK));
    report_spread(&b->report, "sleef", race_ratio(r, SLEEF, BLOCK));
    report_spread(&b->report, "double", race_ratio(r, DOUBLE, BLOCK));
    report_spread(&b->report, "sklearn", race_ratio(r, SKLEARN, BLOCK));
    report_row(&b->report);
}

static void race_problem(bench *b, problem *p, const char *map, child *sklearn)
{
    size_t few = (p->n + SLOW - 1) / SLOW;
    double n = (double)p->n;
    reading memory = reading_make((size_t)traffic(p));
    runner c[RUNNERS] = {
        [BLOCK] = {.work = block, .context = p, .samples = n},
        [DOUBLE] = {.work = block_in_double, .context = p, .samples = n},
        [STEP] = {.work = steps, .context = p, .samples = n},
        [NAIVE] = {.work = naive, .context = p, .samples = (double)few},
        [SLEEF] = {.work = p->sleef ? with_sleef : NULL, .context = p, .samples = n},
        [SKLEARN] = {.work = sklearn ? child_go : NULL, .context = sklearn, .samples = SKLEARN_ROWS},
        [READ] = {.work = reading_work, .context = &memory, .samples = reading_bytes(&memory)},
    };
    if (sklearn)
        c[SKLEARN].clock = &sklearn->seconds;
    race r = race_run(c, RUNNERS, bench_rounds(b, 61));
    report_problem(b, p, &r, map);
    race_free(&r);
    reading_free(&memory);
}

/* False if the library refuses the map. */
static bool try_size(bench *b, const char *map, size_t d, size_t features)
{
    problem p;
    child sklearn;
    if (!make_problem(&p, map, d, features))
        return false;
    bool both = OKRA_PRECISION == 64 && !p.f.paired && d == SKLEARN_INPUTS && features == SKLEARN_FEATURES &&
                sklearn_start(&sklearn, d, features, SKLEARN_ROWS);
    race_problem(b, &p, map, both ? &sklearn : NULL);
    if (both)
        child_end(&sklearn);
    free_problem(&p);
    return true;
}

void OKRA_TYPED(lms_section)(bench *b)
{
    static const size_t sizes[][2] = {{1, 100}, {2, 100}, {5, 100}, {5, 300}, {20, 1000}, {50, 4000}};
    static const char *const maps[] = {"rff", "pair"};
    size_t n = b->quick ? 4 : sizeof sizes / sizeof *sizes;
    if (OKRA_PRECISION == 64)
        report_table(&b->report, NULL,
                     "lms: rff-klms through okra_run. core_floor: time over ((d + 9)/2 + 2) cycles for each vector of "
                     "features, paired ((d + 18)/4 + 2), float32 6 and 12 in the\nplace of 9 and 18; best_core: the "
                     "same of ns and the fastest clock. bandwidth_floor: "
                     "time over that of reading what a sample touches. step, naive (libm), sleef, double, sklearn: "
                     "their time over the block's.");
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        bool known = true;
        for (size_t i = 0; known && i < n; i++)
            known = try_size(b, maps[m], sizes[i][0], sizes[i][1]);
        if (!known)
            report_note(&b->report, "%s: not in this library", maps[m]);
    }
}
