/*
 * Estimates scale and kernel width from the rows so far: mean and deviation of each column, and the median distance
 * between regressors. Rows are kept unscaled, so that they can be learnt again after each estimate.
 */
#include <stdlib.h>
#include <string.h>

#include "stream.h"

enum { FIRST_ESTIMATE = 16 };

bool warmup_due(const okra_filter *filter)
{
    uint64_t rows = warmup_rows(filter);
    if (rows == filter->spec.warmup || (filter->estimated == 0 && rows >= FIRST_ESTIMATE))
        return true;
    for (uint64_t n = 4 * FIRST_ESTIMATE; n <= rows && n < filter->spec.warmup; n *= 4)
        if (n == rows)
            return true;
    return false;
}

stream_row stream_warm_row(const stream *s, size_t i)
{
    const real *row = s->warm + i * (s->columns + 1);
    return (stream_row){.u = row, .y = row + s->inputs, .weight = row[s->columns]};
}

static int compare(const void *a, const void *b)
{
    real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

/* Copies the values of a column that are present and to be learnt into s->column; returns their number. */
static size_t take_column(const stream *s, size_t c, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const real *row = s->warm + i * (s->columns + 1);
        if (!isnan(row[c]) && !(row[s->columns] < 0))
            s->column[count++] = row[c];
    }
    return count;
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
    qsort(column, n, sizeof *column, compare);
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

bool warmup_is_wild(const stream *s, const okra_filter *filter, const stream_row *row)
{
    bool wild = false;
    for (size_t c = 0; c < s->targets && filter->spec.loss != OKRA_LOSS_SQUARE; c++)
        wild = wild || row->y[c] < s->range[2 * c] || row->y[c] > s->range[2 * c + 1];
    return wild && filter->spec.scale == OKRA_SCALE_AUTO;
}

/* Welford's recursion. */
static void estimate_column(stream *s, size_t c, size_t rows)
{
    size_t all = take_column(s, c, rows), n = leave_out_wild(s->column, all);
    real mean = 0, square = 0;
    if (c >= s->inputs) {
        real *range = s->range + 2 * (c - s->inputs);
        range[0] = n < all ? s->column[0] : -REAL_MAX;
        range[1] = n < all ? s->column[n - 1] : REAL_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        real value = s->column[i], from_mean = value - mean;
        mean += from_mean / (real)(i + 1);
        square += from_mean * (value - mean);
    }
    real deviation = real_sqrt(square / (real)(n > 1 ? n - 1 : 1));
    s->mean[c] = real_abs(mean) <= REAL_MAX ? mean : 0;
    s->deviation[c] = deviation > 0 && deviation <= REAL_MAX ? deviation : 1; /* a constant has no scale */
}

static real distance(const stream *s, const real *a, const real *b)
{
    real sum = 0;
    for (size_t j = 0; j < s->dimension; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return real_sqrt(sum);
}

/* Of the sampled rows; the root of the dimension if there is no usable distance. */
static double median_distance(stream *s, size_t rows)
{
    size_t pairs = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < i; j++) {
            real d = distance(s, s->sample + i * s->dimension, s->sample + j * s->dimension);
            if (d <= REAL_MAX)
                s->distance[pairs++] = d;
        }
    if (pairs == 0)
        return sqrt((double)s->dimension);
    qsort(s->distance, pairs, sizeof *s->distance, compare);
    double median = (double)s->distance[pairs / 2];
    return median > 1e-30 && median < 1e30 ? median : sqrt((double)s->dimension);
}

/* Keeps the regressors of up to WIDTH_ROWS rows, evenly spread, under the new scale. */
static size_t sample_rows(stream *s, const okra_spec *spec, size_t n)
{
    size_t kept = 0, step = (n + WIDTH_ROWS - 1) / WIDTH_ROWS;
    stream_forget(s, spec);
    for (size_t i = 0; i < n; i++) {
        stream_row row = stream_warm_row(s, i);
        if (i % step == step - 1 && kept < WIDTH_ROWS) {
            real *x = s->sample + kept * s->dimension;
            stream_embed(s, spec, i, row.u, x);
            kept += row.weight >= 0 && s->vec->finite(s->dimension, x) == s->dimension;
        }
        stream_push(s, i, row.u, row.y);
    }
    return kept;
}

void warmup_estimate(stream *s, const okra_filter *filter, size_t n)
{
    if (filter->spec.scale == OKRA_SCALE_AUTO)
        for (size_t c = 0; c < s->columns; c++)
            estimate_column(s, c, n);
    if (filter->sigma_auto)
        *s->sigma = (real)median_distance(s, sample_rows(s, &filter->spec, n));
}

/* ---- following the data ------------------------------------------------------------------------------------- */

/*
 * A standardised column has a mean absolute value of about 0.8. Far above, the features of a map are noise; far below,
 * they are all alike. Then scale and width are chosen again, and what was learnt is forgotten. Values are clipped, so
 * that a few outliers do not count as a new scale. The limits are wide, so that bursts and heavy tails pass.
 *
 * More than half of the columns that still move must have left their scale. A single column that wanders, such as a
 * clock or a counter, would otherwise force one restart after another. Columns such as flags may be constant for long.
 */
enum { MEMORY = 256, REST = 1024 };

static void watch_column(stream *s, size_t c, real value)
{
    const real max_size = 20;
    real size = real_abs((value - s->mean[c]) / s->deviation[c]);
    if (!isnan(size))
        s->watch[c] += ((size < max_size ? size : max_size) - s->watch[c]) / MEMORY;
}

static bool has_left_its_scale(const stream *s)
{
    const real high = 4, low = (real)0.1;
    size_t above = 0, moving = 0;
    for (size_t c = 0; c < s->columns; c++) {
        above += s->watch[c] > high;
        moving += s->watch[c] >= low;
    }
    return moving == 0 || 2 * above > moving;
}

void warmup_watch(stream *s, okra_filter *filter, const stream_row *row)
{
    if (!filter->follows || warming_up(filter))
        return;
    for (size_t c = 0; c < s->columns; c++)
        watch_column(s, c, c < s->inputs ? row->u[c] : row->y[c - s->inputs]);
    if (!has_left_its_scale(s) || warmup_rows(filter) < filter->spec.warmup + REST)
        return;
    warmup_begin(filter, 0);
    filter->restarts++;
    for (size_t c = 0; c < s->columns; c++)
        s->watch[c] = 1;
}
