#include "scale.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

void scale_sort(real *column, size_t n) { qsort(column, n, sizeof *column, compare); }

/*
 * Leaves out outliers: values further than 20 deviations from the median, the deviation taken from the median distance.
 * Up to one value, or one in fifty, can be outliers; if there are more, all values stay. Returns how many are left.
 */
static size_t leave_out_wild(real *column, size_t n)
{
    const real far = 20 * (real)1.4826;
    if (n < 4)
        return n;
    scale_sort(column, n);
    real median = column[n / 2];
    size_t low = n / 4, high = n - 1 - n / 4, wild = n / 50 > 1 ? n / 50 : 1, first = 0, last = n;
    /* Half of the values lie between the quartiles, so half of the quartiles' distance is near the median distance. */
    real reach = far * (column[high] / 2 - column[low] / 2);
    if (!(reach > 0 && reach <= REAL_MAX))
        return n;
    while (first < n && median - column[first] > reach)
        first++;
    while (last > first && column[last - 1] - median > reach)
        last--;
    if (first + (n - last) > wild)
        return n;
    memmove(column, column + first, (last - first) * sizeof *column);
    return last - first;
}

/* Welford's recursion. */
void scale_estimate(real *column, size_t n, real *mean, real *deviation, real *range)
{
    size_t all = n;
    n = leave_out_wild(column, all);
    real middle = 0, square = 0;
    range[0] = n < all ? column[0] : -REAL_MAX;
    range[1] = n < all ? column[n - 1] : REAL_MAX;
    for (size_t i = 0; i < n; i++) {
        real from_mean = column[i] - middle;
        middle += from_mean / (real)(i + 1);
        square += from_mean * (column[i] - middle);
    }
    real spread = real_sqrt(square / (real)(n > 1 ? n - 1 : 1));
    *mean = real_abs(middle) <= REAL_MAX ? middle : 0;
    *deviation = spread > 0 && spread <= REAL_MAX ? spread : 1;
}
