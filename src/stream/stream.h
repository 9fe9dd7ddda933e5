/* What a filter remembers of its stream, in one precision. */
#ifndef OKRA_STREAM_H
#define OKRA_STREAM_H

#include "../filter/engine_run.h"
#include "../vec/vec.h"
#include "handle.h"

/* Rows that an automatic width is estimated from: their pairs' distances. */
enum { WIDTH_ROWS = 64, WIDTH_PAIRS = WIDTH_ROWS * (WIDTH_ROWS - 1) / 2 };

#define stream OKRA_TYPED(stream)
typedef struct stream {
    const vec_table *vec;
    size_t inputs, targets, columns; /* columns = inputs + targets */
    size_t dimension;                /* of a regressor x */
    size_t input_rows, target_rows;  /* rows in the rings */

    real *u; /* [input_rows][inputs]: the last rows, row t at t mod input_rows; NaN where missing */
    real *y; /* [target_rows][targets] */

    /* Regressors of the rows whose labels are still to come, [horizon][..]; a weight below 0: not to be learnt. */
    real *pending_x, *pending_weight;

    real *sigma;            /* [1]: the width in force, where it was to be found */
    real *mean, *deviation; /* [columns]: inputs, then targets; 0 and 1 where nothing is scaled */
    real *warm;             /* [warmup][columns + 1]: the rows seen, and their weights, while warming up */
    real *column;           /* [warmup]: one column of those rows */
    real *range;            /* [targets][2]: of the targets that were not left out as wild */
    real *watch;            /* [columns]: mean |scaled value| lately, where the scale is to follow the data */

    real *x, *target, *yhat; /* of this row, scaled */
    real *missing;           /* [columns] of NaN */
    real *sample, *distance; /* [WIDTH_ROWS][dimension], [WIDTH_PAIRS] */
} stream;

/* One row as it came. y and weight: NaN and below 0 where it is not to be learnt. */
#define stream_row OKRA_TYPED(stream_row)
typedef struct stream_row {
    const real *u, *y;
    real weight;
} stream_row;

#define stream_embed    OKRA_TYPED(stream_embed)
#define stream_push     OKRA_TYPED(stream_push)
#define stream_forget   OKRA_TYPED(stream_forget)
#define stream_warm_row OKRA_TYPED(stream_warm_row)
#define warmup_due      OKRA_TYPED(warmup_due)
#define warmup_is_wild  OKRA_TYPED(warmup_is_wild)
#define warmup_estimate OKRA_TYPED(warmup_estimate)
#define warmup_watch    OKRA_TYPED(warmup_watch)

#define stream_any_infinite OKRA_TYPED(stream_any_infinite)
#define stream_array_at     OKRA_TYPED(stream_array_at)
#define stream_array_read   OKRA_TYPED(stream_array_read)
#define stream_array_write  OKRA_TYPED(stream_array_write)

bool stream_any_infinite(const real *a, size_t n);

/* The arrays of the state that are the stream's: see okra_array_at() and so on. In state.c. */
okra_status stream_array_at(const okra_filter *filter, size_t i, okra_array *array);
okra_status stream_array_read(const okra_filter *filter, size_t i, void *out);
okra_status stream_array_write(okra_filter *filter, size_t i, const void *in);

/* x for row t, scaled, NaN where a lag is missing; u is the row's own inputs, the rest comes from the rings. */
void stream_embed(const stream *s, const okra_spec *spec, uint64_t t, const real *u, real *x);

/* Row t becomes the past. */
void stream_push(stream *s, uint64_t t, const real *u, const real *y);

/* Nothing has been seen yet. */
void stream_forget(stream *s, const okra_spec *spec);

/* Row i of the warm-up. */
stream_row stream_warm_row(const stream *s, size_t i);

/* Whether scale and width are to be estimated anew now that so many rows of the warm-up have been seen: 16, 64, 256, ..
 * and the last; the first of them later where that row was not to be learnt. A later warm-up leaves the first out, for
 * it takes the place of what has learnt more. */
bool warmup_due(const okra_filter *filter);

/* Looks at a row after it was taken: where the data has left the scale in force for good, a new warm-up begins with the
 * next row. */
void warmup_watch(stream *s, okra_filter *filter, const stream_row *row);

/* Estimates them from the first n rows of the warm-up. Leaves the rings as after those rows. */
void warmup_estimate(stream *s, const okra_filter *filter, size_t n);

/* Under a loss that knows wild targets: whether the last estimate has left one of the row's out. Such a row is not
 * learnt again: the first rows come before a loss knows what is wild. */
bool warmup_is_wild(const stream *s, const okra_filter *filter, const stream_row *row);

#endif
