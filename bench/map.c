/*
 * Section map: okra_map_apply alone, for every map that the library has, in both precisions.
 */
#include <stdlib.h>

#include "bench.h"
#include "race.h"
#include "sections.h"

enum { MAX = 64 };

/* A map in one precision, and inputs for it. */
typedef struct entry {
    const char *name;
    okra_map *map;
    int precision;
    size_t n;
    double *X, *Z;
    float *Xf, *Zf;
} entry;

static void apply(void *context)
{
    entry *e = context;
    bench_check(e->precision == OKRA_F64 ? okra_map_apply(e->map, e->n, e->X, e->Z)
                                         : okra_map_apply_f32(e->map, e->n, e->Xf, e->Zf));
}

static bool make_entry(entry *e, const char *name, size_t d, size_t features, int precision)
{
    okra_spec spec;
    okra_random random = {.seed = 1};
    if (!bench_map_spec(&spec, name, d, features, precision))
        return false;
    *e = (entry){.name = name, .precision = precision};
    bench_check(okra_map_create(&spec, &e->map));
    e->n = 1 + 400000 / (okra_map_outputs(e->map) * (d + 7));
    size_t outputs = e->n * okra_map_outputs(e->map);
    e->X = bench_take(e->n * d, sizeof *e->X), e->Z = bench_take(outputs, sizeof *e->Z);
    e->Xf = bench_take(e->n * d, sizeof *e->Xf), e->Zf = bench_take(outputs, sizeof *e->Zf);
    okra_random_normal(&random, e->n * d, e->X);
    for (size_t i = 0; i < e->n * d; i++)
        e->Xf[i] = (float)e->X[i];
    return true;
}

static void free_entry(entry *e)
{
    okra_map_free(e->map);
    free(e->X), free(e->Z), free(e->Xf), free(e->Zf);
}

/* Each map twice: in double, then in float32. */
static size_t make_entries(entry *entries, size_t d, size_t features)
{
    size_t n = 0;
    const char *name;
    for (size_t i = 0; (name = bench_map_at(i)) && n + 2 <= MAX; i++)
        if (make_entry(&entries[n], name, d, features, OKRA_F64) &&
            make_entry(&entries[n + 1], name, d, features, OKRA_F32))
            n += 2;
    return n;
}

/* The first, rff in double, is what all are compared with. */
static void report_map(bench *b, const race *r, size_t i, const entry *e, size_t d)
{
    report_text(&b->report, "map", 18, e->name);
    report_count(&b->report, "d", d);
    report_count(&b->report, "D", okra_map_outputs(e->map));
    report_real(&b->report, "ns", race_best(r, i));
    report_spread(&b->report, "rff", race_ratio(r, 0, i));
    report_real(&b->report, "f32_ns", race_best(r, i + 1));
    report_spread(&b->report, "double", race_ratio(r, i, i + 1));
    report_row(&b->report);
}

static void race_size(bench *b, size_t d, size_t features)
{
    entry entries[MAX];
    runner c[MAX];
    size_t n = make_entries(entries, d, features);
    for (size_t i = 0; i < n; i++)
        c[i] = (runner){.work = apply, .context = &entries[i], .samples = (double)entries[i].n};
    race r = race_run(c, n, bench_rounds(b, 41));
    for (size_t i = 0; i < n; i += 2)
        report_map(b, &r, i, &entries[i], d);
    for (size_t i = 0; i < n; i++)
        free_entry(&entries[i]);
    race_free(&r);
}

void map_section(bench *b)
{
    static const size_t sizes[][2] = {{2, 100}, {5, 300}, {20, 1000}, {50, 4000}};
    report_table(
        &b->report, NULL,
        "map: okra_map_apply, z(x) alone. rff: the time of rff over this one's; double: its time in double over that "
        "in float32.");
    for (size_t i = 0; i < (b->quick ? 2 : sizeof sizes / sizeof *sizes); i++)
        race_size(b, sizes[i][0], sizes[i][1]);
}
