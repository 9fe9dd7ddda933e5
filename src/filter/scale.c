#include "scale.h"

#include <string.h>

/* Moves the number at `i` down to its place in a heap of n, the largest on top. */
static void sift(real *heap, size_t i, size_t n)
{
    real value = heap[i];
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (!(heap[child] > value))
            break;
        heap[i] = heap[child];
    }
    heap[i] = value;
}

/* A heap sort, because qsort() may allocate. */
void scale_sort(real *column, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(column, i, n);
    while (n > 1) {
        real largest = column[0];
        column[0] = column[--n];
        sift(column, 0, n);
        column[n] = largest;
    }
}

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
