/*
 * Section accuracy: how far z(x).z(y) is from the gaussian kernel, for every map, at inputs about a width apart.
 * Nothing is timed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "sections.h"

enum { SEEDS = 20, PAIRS = 50, FEATURES = 100, MAX_INPUTS = 20 };

/* The sum of squared errors of one map over pairs of normal inputs, the same for all. */
static double squared_error(okra_map *map, const okra_spec *spec)
{
    double x[MAX_INPUTS], y[MAX_INPUTS], zx[FEATURES], zy[FEATURES], sum = 0;
    okra_random random = {.seed = 77};
    for (int p = 0; p < PAIRS; p++) {
        okra_random_normal(&random, spec->inputs, x);
        okra_random_normal(&random, spec->inputs, y);
        bench_check(okra_map_apply(map, 1, x, zx));
        bench_check(okra_map_apply(map, 1, y, zy));
        double e = -okra_kernel_value(spec->kernel, spec->sigma, spec->inputs, x, y);
        for (size_t i = 0; i < FEATURES; i++)
            e += zx[i] * zy[i];
        sum += e * e;
    }
    return sum;
}

/* The root mean squared error over seeds and pairs; NaN if the map refuses. */
static double rms_error(const char *name, size_t inputs)
{
    okra_spec spec;
    double sum = 0;
    if (!bench_map_spec(&spec, name, inputs, FEATURES, OKRA_F64))
        return NAN;
    spec.sigma = sqrt(2 * (double)inputs); /* the typical distance of two such inputs */
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        okra_map *map;
        spec.seed = seed;
        bench_check(okra_map_create(&spec, &map));
        sum += squared_error(map, &spec);
        okra_map_free(map);
    }
    return sqrt(sum / (SEEDS * PAIRS));
}

void accuracy_section(bench *b)
{
    static const size_t dims[] = {1, 2, 3, 5, 10, MAX_INPUTS};
    const char *name;
    report_table(
        &b->report, NULL,
        "accuracy: thousandths of root mean squared error of z(x).z(y), gaussian kernel, %d features, inputs a width "
        "apart, %d seeds.",
        FEATURES, SEEDS);
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        report_count(&b->report, "d", dims[i]);
        for (size_t m = 0; (name = bench_map_at(m)); m++)
            if (strncmp(name, "linear", 6) != 0) /* sums are as good as their part */
                report_real(&b->report, name, 1000 * rms_error(name, dims[i]));
        report_row(&b->report);
    }
}
