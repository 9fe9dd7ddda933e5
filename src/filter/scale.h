/* The scale of a column of data: its mean and deviation, without outliers. */
#ifndef OKRA_SCALE_H
#define OKRA_SCALE_H

#include "../core/real.h"

#define scale_estimate OKRA_TYPED(scale_estimate)
#define scale_sort     OKRA_TYPED(scale_sort)

/* Sorts numbers, the smallest first. */
void scale_sort(real *column, size_t n);

/*
 * Mean and deviation of column[n], which it sorts. A constant has deviation 1. If outliers were left out, range[2] is
 * that of the others, else of all numbers.
 */
void scale_estimate(real *column, size_t n, real *mean, real *deviation, real *range);

#endif
