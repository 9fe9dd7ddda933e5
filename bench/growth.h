/* What section growth found for a number of inputs, and its picture. */
#ifndef OKRA_BENCH_GROWTH_H
#define OKRA_BENCH_GROWTH_H

#include <stddef.h>

#include "bench.h"

typedef struct growth_point {
    size_t inputs;
    double qklms_ns, centres;
    const char *map; /* the fastest at QKLMS's floor; NULL if none got there */
    double map_ns;
    size_t features;
} growth_point;

/* DIR/growth.csv, growth.gp, growth.png and growth.svg. */
void growth_draw(const bench *b, const growth_point *points, size_t n);

#endif
