/*
 * A learning curve in fixed memory, however long the stream: mean squared errors over intervals of rows, which double
 * in length whenever there are too many of them.
 */
#ifndef OKRA_CLI_CURVE_H
#define OKRA_CLI_CURVE_H

#include <stddef.h>
#include <stdint.h>

enum { CURVE_POINTS = 256 };

typedef struct curve_point {
    uint64_t rows;   /* of the stream, at the end of the interval */
    double seconds;  /* of learning, by then */
    double squares;  /* sum of squared errors */
    uint64_t errors; /* how many */
} curve_point;

typedef struct curve {
    size_t n;
    uint64_t interval; /* rows of each point but the last, which may have fewer */
    curve_point points[CURVE_POINTS];
} curve;

/* The next row: its squared error, or NaN if it has none, and the seconds spent by its end. A new curve is zero. */
void curve_add(curve *c, double square, double seconds);

/* The mean squared error about point i, smoothed over its neighbours; NaN if there is none. */
double curve_mse(const curve *c, size_t i);

#endif
