/*
 * Learning curves.
 */
#include "curve.h"

#include <math.h>

enum { FIRST_INTERVAL = 16 };

/* Merges every two points into one. */
static void merge_pairs(curve *c)
{
    for (size_t i = 0; i < CURVE_POINTS / 2; i++) {
        const curve_point *a = &c->points[2 * i], *b = a + 1;
        c->points[i] = (curve_point){b->rows, b->seconds, a->squares + b->squares, a->errors + b->errors};
    }
    c->n = CURVE_POINTS / 2;
    c->interval *= 2;
}

void curve_add(curve *c, double square, double seconds)
{
    if (c->n == 0)
        c->interval = FIRST_INTERVAL;
    uint64_t rows = c->n > 0 ? c->points[c->n - 1].rows : 0;
    if (rows % c->interval == 0) {
        if (c->n == CURVE_POINTS)
            merge_pairs(c);
        c->points[c->n++] = (curve_point){0};
    }
    curve_point *last = &c->points[c->n - 1];
    last->rows = rows + 1;
    last->seconds = seconds;
    last->squares += isnan(square) ? 0 : square;
    last->errors += isnan(square) ? 0 : 1;
}

double curve_mse(const curve *c, size_t i)
{
    enum { NEIGHBOURS = 4 };
    size_t near = i < NEIGHBOURS ? i : NEIGHBOURS; /* as far on both sides, or the first errors would hide how fast they
                                                      fall */
    double squares = 0, errors = 0;
    for (size_t k = i - near; k <= i + near && k < c->n; k++) {
        squares += c->points[k].squares;
        errors += (double)c->points[k].errors;
    }
    return c->points[i].errors > 0 ? squares / errors : (double)NAN;
}
