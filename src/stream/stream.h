/* The stream state of a filter, in one precision. */
#ifndef OKRA_STREAM_H
#define OKRA_STREAM_H

#include "../filter/engine_run.h"
#include "../filter/width_finder.h"
#include "../vec/vec.h"
#include "handle.h"

/* An automatic width is estimated from the distances of this many rows, pair by pair. */
enum { WIDTH_ROWS = 64, WIDTH_PAIRS = WIDTH_ROWS * (WIDTH_ROWS - 1) / 2 };

#define stream OKRA_TYPED(stream)
typedef struct stream {
    const vec_table *vec;
    size_t inputs, targets, columns; /* columns = inputs + targets */
    size_t dimension;                /* of a regressor x */
    size_t input_rows, target_rows;  /* rows in the rings */

    real *u; /* [input_rows][inputs]: the last rows, row t at t mod input_rows; NaN if missing */
    real *y; /* [target_rows][targets] */

    /* Regressors and weights of rows with pending labels, [horizon][..]; a weight below 0: not to be learnt. */
    real *pending_x, *pending_weight;

    real *sigma;              /* [1]: the current width, if it is estimated */
    real *widths, *relevance; /* [dimension]: the current widths of inputs and what they say, if they are found .. */
    width_finder *finder;     /* .. by this */
    real *mean, *deviation;   /* [columns]: inputs, then targets; 0 and 1 if nothing is scaled */
    real *warm;               /* [warmup][columns + 1]: the rows of the warm-up, and their weights */
    real *column;             /* [warmup]: one column of those rows */
    real *range;              /* [targets][2]: smallest and largest target without outliers */

    real *x, *target, *yhat; /* of this row, scaled */
    real *missing;           /* [columns] of NaN */
    real *sample, *distance; /* [WIDTH_ROWS][dimension], [WIDTH_PAIRS] */
} stream;

/* One row, unscaled. If it is not to be learnt, y is NaN or the weight is below 0. */
#define stream_row OKRA_TYPED(stream_row)
typedef struct stream_row {
    const real *u, *y;
    real weight;
} stream_row;

#define stream_embed      OKRA_TYPED(stream_embed)
#define stream_push       OKRA_TYPED(stream_push)
#define stream_forget     OKRA_TYPED(stream_forget)
#define stream_warm_row   OKRA_TYPED(stream_warm_row)
#define stream_use_widths OKRA_TYPED(stream_use_widths)
#define warmup_due        OKRA_TYPED(warmup_due)
#define warmup_is_wild    OKRA_TYPED(warmup_is_wild)
#define warmup_estimate   OKRA_TYPED(warmup_estimate)

#define stream_any_infinite OKRA_TYPED(stream_any_infinite)
#define stream_array_at     OKRA_TYPED(stream_array_at)
#define stream_array_read   OKRA_TYPED(stream_array_read)
#define stream_array_write  OKRA_TYPED(stream_array_write)

bool stream_any_infinite(const real *a, size_t n);

/* The state arrays of the stream, see okra_array_at() and so on. In state.c. */
okra_status stream_array_at(const okra_filter *filter, size_t i, okra_array *array);
okra_status stream_array_read(const okra_filter *filter, size_t i, void *out);
okra_status stream_array_write(okra_filter *filter, size_t i, const void *in);

/* x for row t, scaled; NaN if a lag is missing. u holds the row's own inputs; the rest comes from the rings. */
void stream_embed(const stream *s, const okra_spec *spec, uint64_t t, const real *u, real *x);

/* Adds row t to the rings. */
void stream_push(stream *s, uint64_t t, const real *u, const real *y);

/* Clears rings and pending labels. */
void stream_forget(stream *s, const okra_spec *spec);

/* Gives the engine widths[dimension]. */
okra_status stream_use_widths(okra_filter *filter, const real *widths);

/* Row i of the warm-up. */
stream_row stream_warm_row(const stream *s, size_t i);

/* Whether scale and width are due to be estimated: after 16, 64, 256, .. rows of the warm-up and after its last. The
 * first estimate comes later if that row is not to be learnt. A later warm-up has no estimate after 16 rows, because it
 * replaces a filter that has learnt more. */
bool warmup_due(const okra_filter *filter);

/* Estimates scale and widths from the first n rows of the warm-up. Leaves the rings as after those rows. Fails if no
 * features can be drawn for the search. */
okra_status warmup_estimate(stream *s, const okra_filter *filter, size_t n);

/* Under a robust loss: whether the last estimate left out one of the row's targets as an outlier. Such a row is not
 * learnt again, because in the first rows the loss cannot yet recognise outliers. */
bool warmup_is_wild(const stream *s, const okra_filter *filter, const stream_row *row);

#endif
