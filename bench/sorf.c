/*
 * Section sorf: dense orthogonal features against structured ones, which replace the d multiply-adds of a frequency by
 * some 3 log2(d) additions: the map alone, and RFF-KLMS through the block call.
 */
#include <stdlib.h>

#include "bench.h"
#include "race.h"
#include "sections.h"

/* One map, both ways. */
typedef struct entry {
    okra_map *map;
    okra_filter *filter;
    size_t n;
    double *X, *y, *Z;
} entry;

static void apply(void *context)
{
    entry *e = context;
    bench_check(okra_map_apply(e->map, e->n, e->X, e->Z));
}

static void learn(void *context)
{
    entry *e = context;
    bench_check(okra_run(e->filter, e->n, e->X, e->y, NULL, NULL, NULL, NULL));
}

static void make_entry(entry *e, const okra_spec *spec, size_t n)
{
    size_t d = spec->inputs;
    okra_random random = {.seed = 1};
    *e = (entry){.n = n, .X = bench_take(n * d, sizeof *e->X), .y = bench_take(n, sizeof *e->y)};
    bench_check(okra_map_create(spec, &e->map));
    bench_check(okra_create(spec, &e->filter));
    e->Z = bench_take(n * okra_map_outputs(e->map), sizeof *e->Z);
    okra_random_normal(&random, n * d, e->X);
    okra_random_normal(&random, n, e->y);
}

static void free_entry(entry *e)
{
    okra_map_free(e->map), okra_free(e->filter);
    free(e->X), free(e->y), free(e->Z);
}

enum { DENSE_MAP, STRUCTURED_MAP, DENSE_LMS, STRUCTURED_LMS };

static void report_size(bench *b, const race *r, size_t d, size_t features)
{
    report_count(&b->report, "d", d);
    report_count(&b->report, "D", features);
    report_real(&b->report, "orf_map_ns", race_best(r, DENSE_MAP));
    report_real(&b->report, "sorf_map_ns", race_best(r, STRUCTURED_MAP));
    report_spread(&b->report, "orf_over_sorf_map", race_ratio(r, DENSE_MAP, STRUCTURED_MAP));
    report_real(&b->report, "orf_lms_ns", race_best(r, DENSE_LMS));
    report_real(&b->report, "sorf_lms_ns", race_best(r, STRUCTURED_LMS));
    report_spread(&b->report, "orf_over_sorf_lms", race_ratio(r, DENSE_LMS, STRUCTURED_LMS));
    report_row(&b->report);
}

static void race_size(bench *b, size_t d, size_t features)
{
    okra_spec dense_spec, structured_spec;
    entry dense, structured;
    bench_expect(bench_map_spec(&dense_spec, "orf", d, features, OKRA_F64) &&
                     bench_map_spec(&structured_spec, "sorf", d, features, OKRA_F64),
                 "orf or sorf refuses a size");
    size_t work = d * features, n = 1 + 500000 / work;
    bench_progress(b, "sorf: d = %zu, D = %zu", d, features);
    make_entry(&dense, &dense_spec, n);
    make_entry(&structured, &structured_spec, n < 20 ? 20 : n);
    runner c[] = {
        [DENSE_MAP] = {.work = apply, .context = &dense, .samples = (double)dense.n},
        [STRUCTURED_MAP] = {.work = apply, .context = &structured, .samples = (double)structured.n},
        [DENSE_LMS] = {.work = learn, .context = &dense, .samples = (double)dense.n},
        [STRUCTURED_LMS] = {.work = learn, .context = &structured, .samples = (double)structured.n},
    };
    race r = race_run(c, sizeof c / sizeof *c, bench_rounds(b, 31));
    bench_progress(b, NULL);
    report_size(b, &r, d, features);
    race_free(&r);
    free_entry(&dense), free_entry(&structured);
}

void sorf_section(bench *b)
{
    static const size_t sizes[][2] = {{64, 64},   {256, 256}, {1024, 1024}, {4096, 4096}, {16, 1024},
                                      {32, 1024}, {64, 1024}, {128, 1024},  {256, 1024}};
    okra_spec spec;
    report_table(&b->report, NULL, "sorf: dense orthogonal features (orf) against structured ones (sorf), double");
    if (!bench_map_spec(&spec, "orf", 64, 64, OKRA_F64) || !bench_map_spec(&spec, "sorf", 64, 64, OKRA_F64)) {
        report_note(&b->report, "orf or sorf: not in this library");
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!b->quick || sizes[i][0] * sizes[i][1] <= 65536)
            race_size(b, sizes[i][0], sizes[i][1]);
}
