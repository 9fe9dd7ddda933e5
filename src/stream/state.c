/* The state arrays of a stream, in one precision. */
#include <string.h>

#include "../vec/array.h"
#include "stream.h"

/* Array i of the filter's current arrays; false past the last. */
static bool find_view(const okra_filter *filter, size_t i, array_view *view)
{
    const stream *s = filter->core;
    const okra_spec *spec = &filter->spec;
    bool warming = warming_up(filter), scaled = spec->scale == OKRA_SCALE_AUTO && !filter->scales_itself;
    bool widths = filter->widths_auto && filter->estimated > 0;
    const array_view views[] = {
        {"widths", widths, s->dimension, s->widths, ARRAY_ROWS, s->dimension, true},
        {"relevance", widths, s->dimension, s->relevance, ARRAY_ROWS, s->dimension, false},
        {"sigma", filter->sigma_auto && filter->estimated > 0, 1, s->sigma, ARRAY_ROWS, 1, true},
        {"history.inputs", s->input_rows, s->inputs, s->u, ARRAY_ROWS, s->inputs, false},
        {"history.targets", s->target_rows, s->targets, s->y, ARRAY_ROWS, s->targets, false},
        {"pending.x", spec->horizon > 1 ? spec->horizon : 0, s->dimension, s->pending_x, ARRAY_ROWS, s->dimension,
         false},
        {"pending.weight", spec->horizon > 1 ? spec->horizon : 0, 1, s->pending_weight, ARRAY_ROWS, 1, false},
        {"scale.mean", scaled, s->columns, s->mean, ARRAY_ROWS, s->columns, false},
        {"scale.deviation", scaled, s->columns, s->deviation, ARRAY_ROWS, s->columns, false},
        {"warmup", warming ? (size_t)warmup_rows(filter) : 0, s->columns + 1, s->warm, ARRAY_ROWS, s->columns + 1,
         false},
    };
    for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        if (views[k].rows == 0 || views[k].cols == 0)
            continue;
        if (i-- == 0) {
            *view = views[k];
            return true;
        }
    }
    return false;
}

okra_status stream_array_at(const okra_filter *filter, size_t i, okra_array *array)
{
    array_view view;
    if (!find_view(filter, i, &view))
        return OKRA_E_ARRAY;
    *array = (okra_array){view.name, view.rows, view.cols};
    return OKRA_OK;
}

okra_status stream_array_read(const okra_filter *filter, size_t i, void *out)
{
    array_view view;
    if (!find_view(filter, i, &view))
        return OKRA_E_ARRAY;
    memcpy(out, view.data, view.rows * view.cols * sizeof(real));
    return OKRA_OK;
}

/*
 * Whether a scale leaves ordinary numbers finite. Otherwise no row could be predicted. The warm-up gives only such
 * scales. A deviation is 1 or the root of a number above 0, so at least the root of the smallest number. If it is below
 * 1, values differ by at least the last bit of their mean: mean and deviation are less than 66 powers of two apart, in
 * float32 37.
 */
static bool can_scale(const real *mean, const real *deviation, size_t n)
{
    const real min = real_sqrt(REAL_LEAST), max = real_sqrt(REAL_MAX);
    for (size_t k = 0; k < n; k++)
        if (!(deviation[k] >= min && deviation[k] <= max) ||
            (deviation[k] < 1 && !(real_abs(mean[k]) / deviation[k] <= REAL_MAX / 2)))
            return false;
    return true;
}

static bool all_within(const real *a, size_t n, real min, real max)
{
    for (size_t k = 0; k < n; k++)
        if (!(a[k] >= min && a[k] <= max))
            return false;
    return true;
}

okra_status stream_use_widths(okra_filter *filter, const real *widths)
{
    const stream *s = filter->core;
    double list[OKRA_INPUT_WIDTHS_MAX];
    for (size_t j = 0; j < s->dimension; j++)
        list[j] = (double)widths[j];
    return okra_engine_set_widths(filter->engine, list, filter->empty && filter->loading);
}

/* NaN is a missing value. Rows are finite, but a scaled regressor may overflow. Mean and deviation must be finite and
 * make a scale. Weights must be finite. */
okra_status stream_array_write(okra_filter *filter, size_t i, const void *in)
{
    array_view view;
    const real *from = in;
    if (!find_view(filter, i, &view))
        return OKRA_E_ARRAY;
    size_t n = view.rows * view.cols;
    const stream *s = filter->core;
    bool plain = view.data == s->mean || view.data == s->deviation || view.data == s->pending_weight;
    if (plain ? s->vec->finite(n, from) < n : view.data != s->pending_x && stream_any_infinite(from, n))
        return OKRA_E_SAMPLE;
    bool scales = view.data == s->mean        ? can_scale(from, s->deviation, n)
                  : view.data == s->deviation ? can_scale(s->mean, from, n)
                                              : true;
    /* an array that is not there has the address of the next one */
    bool is_width = filter->widths_auto && view.data == s->widths, is_sigma = view.positive && !is_width;
    bool is_share = filter->widths_auto && view.data == s->relevance;
    if (!scales || (view.positive && !all_within(from, n, (real)1e-30, (real)1e30)) ||
        (is_share && !all_within(from, n, 0, 1)))
        return OKRA_E_SAMPLE;
    memcpy(view.data, from, n * sizeof(real));
    if (is_width)
        return stream_use_widths(filter, from);
    return is_sigma ? okra_engine_set_sigma(filter->engine, (double)*from, filter->empty) : OKRA_OK;
}
