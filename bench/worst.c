/*
 * Section worst: how much longer the longest step takes than the usual one, for every recipe. The same samples are
 * learnt several times from the same start, and of each step the shortest of its times counts: what is left is the
 * filter's own work, not the machine's interruptions.
 */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "sections.h"

enum { INPUTS = 5, FEATURES = 300, STEPS = 20000, QUICK_STEPS = 2000, REPLAYS = 7 };

/* A filter, or a model that finds its scale, and the samples for it. */
typedef struct subject {
    okra_filter *filter;
    okra_filter *model;
    int precision;
    size_t steps;
    double *X, *y;
    float *Xf, *yf;
} subject;

static okra_status step(const subject *s, size_t i)
{
    double yhat;
    float yhatf;
    const double *x = s->X + INPUTS * i, *y = s->y + i;
    const float *xf = s->Xf + INPUTS * i, *yf = s->yf + i;
    if (s->model)
        return s->precision == OKRA_F64 ? okra_step(s->model, x, y, 1, &yhat, NULL)
                                        : okra_step_f32(s->model, xf, yf, 1, &yhatf, NULL);
    return s->precision == OKRA_F64 ? okra_step(s->filter, x, y, 1, &yhat, NULL)
                                    : okra_step_f32(s->filter, xf, yf, 1, &yhatf, NULL);
}

/* Example 2's inputs are standard normals; this target has its kind of bend. */
static void make_samples(subject *s)
{
    okra_random random = {.seed = 7};
    s->X = bench_take(s->steps * INPUTS, sizeof *s->X), s->y = bench_take(s->steps, sizeof *s->y);
    s->Xf = bench_take(s->steps * INPUTS, sizeof *s->Xf), s->yf = bench_take(s->steps, sizeof *s->yf);
    okra_random_normal(&random, s->steps * INPUTS, s->X);
    okra_random_normal(&random, s->steps, s->y);
    for (size_t i = 0; i < s->steps; i++) {
        const double *x = s->X + INPUTS * i;
        s->y[i] = x[0] + 0.1 * x[1] * x[1] * x[2] + 0.05 * s->y[i];
        s->yf[i] = (float)s->y[i];
    }
    for (size_t i = 0; i < s->steps * INPUTS; i++)
        s->Xf[i] = (float)s->X[i];
}

static void free_subject(subject *s)
{
    okra_free(s->filter), okra_free(s->model);
    free(s->X), free(s->y), free(s->Xf), free(s->yf);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void replay(const subject *s, double *shortest)
{
    bench_check(s->model ? okra_reset(s->model) : okra_reset(s->filter));
    for (size_t i = 0; i < s->steps; i++) {
        double start = now_ns();
        bench_check(step(s, i));
        double took = now_ns() - start;
        if (shortest[i] == 0 || took < shortest[i])
            shortest[i] = took;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first steps of a new object touch its memory for the first time in the first replay only. */
static void measure(bench *b, const char *name, subject *s)
{
    double *shortest = bench_take(s->steps, sizeof *shortest);
    make_samples(s);
    bench_progress(b, "worst: %s, float%d", name, s->precision);
    for (size_t k = 0; k < bench_rounds(b, REPLAYS); k++)
        replay(s, shortest);
    bench_progress(b, NULL);
    qsort(shortest, s->steps, sizeof *shortest, compare);
    double usual = shortest[s->steps / 2], longest = shortest[s->steps - 1];
    report_text(&b->report, "what", 36, name);
    report_count(&b->report, "bits", (size_t)s->precision);
    report_count(&b->report, "steps", s->steps);
    report_real(&b->report, "median_us", usual / 1e3);
    report_real(&b->report, "p999_us", shortest[s->steps - 1 - s->steps / 1000] / 1e3);
    report_real(&b->report, "longest_us", longest / 1e3);
    report_real(&b->report, "longest_over_median", longest / usual);
    report_row(&b->report);
    free(shortest);
    free_subject(s);
}

static size_t steps_of(const bench *b, const char *recipe)
{
    size_t steps = b->quick ? QUICK_STEPS : STEPS;
    return strcmp(recipe, "auto") == 0 ? steps / 5 : steps; /* it takes five times as long as any other */
}

/* `more`: a parameter and its value. */
static void measure_filter(bench *b, const char *recipe, double beta, const char *more, int precision)
{
    okra_spec spec;
    char name[64];
    bench_check(okra_spec_init(&spec, recipe, INPUTS, 1));
    spec.precision = precision;
    spec.sigma = INPUTS, spec.scale = OKRA_SCALE_NONE;
    if (spec.features)
        spec.features = FEATURES;
    if (beta > 0)
        spec.beta = beta;
    if (more) {
        char parameter[32] = "";
        size_t length = strcspn(more, " ");
        memcpy(parameter, more, length < sizeof parameter ? length : sizeof parameter - 1);
        bench_check(okra_spec_set(&spec, parameter, more + length + 1, NULL));
    }
    subject s = {.precision = precision, .steps = steps_of(b, recipe)};
    bench_check(okra_create(&spec, &s.filter));
    size_t used = (size_t)snprintf(name, sizeof name, beta > 0 ? "%s, beta %g" : "%s", recipe, beta);
    if (more)
        snprintf(name + used, sizeof name - used, ", %s", more);
    measure(b, name, &s);
}

/* With automatic scale and width: rows 16, 64, 256 and 512 learn all rows before them again. */
static void measure_model(bench *b, const char *recipe, int precision)
{
    okra_spec spec;
    char name[64];
    bench_check(okra_spec_init(&spec, recipe, INPUTS, 1));
    spec.precision = precision;
    spec.sigma = OKRA_SIGMA_AUTO;
    spec.scale = OKRA_SCALE_AUTO;
    subject s = {.precision = precision, .steps = steps_of(b, recipe)};
    bench_check(okra_create(&spec, &s.model));
    snprintf(name, sizeof name, "%s, automatic scale and width", recipe);
    measure(b, name, &s);
}

void worst_section(bench *b)
{
    static const int precisions[] = {OKRA_F64, OKRA_F32};
    report_table(&b->report, NULL, "worst: the longest step, %d inputs, %d features, the shortest of %zu replays",
                 INPUTS, FEATURES, bench_rounds(b, REPLAYS));
    for (size_t p = 0; p < 2; p++) {
        const okra_recipe *recipe;
        for (size_t i = 0; (recipe = okra_recipe_at(i)); i++)
            measure_filter(b, recipe->name, 0, NULL, precisions[p]);
        measure_filter(b, "rff-krls", 0.99, NULL, precisions[p]);
        measure_filter(b, "rff-krls", 0.99, "forget prior", precisions[p]);
        measure_filter(b, "rff-krls", 0, "loss huber", precisions[p]);
        measure_filter(b, "rff-nlms", 0, "mu auto", precisions[p]);
        measure_model(b, "rff-krls", precisions[p]);
        measure_model(b, "auto", precisions[p]);
    }
}
