/*
 * Estimates scale and kernel width from the rows so far: mean and deviation of each column, and the median distance
 * between regressors. Rows are kept unscaled, so that they can be learnt again after each estimate.
 */
#include <string.h>

#include "../filter/scale.h"
#include "../spec/params.h"
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

bool warmup_is_wild(const stream *s, const okra_filter *filter, const stream_row *row)
{
    bool wild = false;
    for (size_t c = 0; c < s->targets && filter->spec.loss != OKRA_LOSS_SQUARE; c++)
        wild = wild || row->y[c] < s->range[2 * c] || row->y[c] > s->range[2 * c + 1];
    return wild && filter->spec.scale == OKRA_SCALE_AUTO;
}

static void estimate_column(stream *s, size_t c, size_t rows)
{
    real range[2];
    scale_estimate(s->column, take_column(s, c, rows), &s->mean[c], &s->deviation[c], range);
    if (c >= s->inputs)
        memcpy(s->range + 2 * (c - s->inputs), range, sizeof range);
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
    scale_sort(s->distance, pairs);
    double median = (double)s->distance[pairs / 2];
    return median > 1e-30 && median < 1e30 ? median : sqrt((double)s->dimension);
}

/* Keeps the regressors of up to WIDTH_ROWS rows, evenly spread, under the new scale and in units of the inputs' widths.
 */
static size_t sample_rows(stream *s, const okra_spec *spec, size_t n)
{
    size_t kept = 0, step = (n + WIDTH_ROWS - 1) / WIDTH_ROWS;
    stream_forget(s, spec);
    for (size_t i = 0; i < n; i++) {
        stream_row row = stream_warm_row(s, i);
        if (i % step == step - 1 && kept < WIDTH_ROWS) {
            real *x = s->sample + kept * s->dimension;
            stream_embed(s, spec, i, row.u, x);
            for (size_t j = 0; j < s->dimension; j++)
                x[j] /= (real)okra_spec_input_width(spec, j);
            kept += row.weight >= 0 && s->vec->finite(s->dimension, x) == s->dimension;
        }
        stream_push(s, i, row.u, row.y);
    }
    return kept;
}

/* From up to SEARCH_ROWS rows, evenly spread, under the new scale. */
static okra_status find_widths(stream *s, const okra_filter *filter, size_t n)
{
    const okra_spec *spec = &filter->spec;
    size_t kept = 0, step = (n + SEARCH_ROWS - 1) / SEARCH_ROWS;
    okra_spec samples = *spec;
    samples.inputs = s->dimension;
    finder_begin(s->finder);
    stream_forget(s, spec);
    for (size_t i = 0; i < n; i++) {
        stream_row row = stream_warm_row(s, i);
        stream_embed(s, spec, i, row.u, s->x);
        bool takes = s->vec->finite(s->dimension, s->x) == s->dimension &&
                     s->vec->finite(s->targets, row.y) == s->targets && row.weight > 0;
        if (i % step == step - 1 && kept < SEARCH_ROWS && takes && !warmup_is_wild(s, filter, &row)) {
            finder_add(s->finder, s->x, row.y, row.weight);
            kept++;
        }
        stream_push(s, i, row.u, row.y);
    }
    return finder_find(s->finder, &samples, s->widths, s->relevance);
}

okra_status warmup_estimate(stream *s, const okra_filter *filter, size_t n)
{
    if (filter->spec.scale == OKRA_SCALE_AUTO)
        for (size_t c = 0; c < s->columns; c++)
            estimate_column(s, c, n);
    if (filter->sigma_auto)
        *s->sigma = (real)median_distance(s, sample_rows(s, &filter->spec, n));
    return filter->widths_auto ? find_widths(s, filter, n) : OKRA_OK;
}
