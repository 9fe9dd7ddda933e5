/* The public filter handle: an engine, and the stream around it. filter.c creates it; stream.c processes its rows. */
#ifndef OKRA_HANDLE_H
#define OKRA_HANDLE_H

#include "../filter/engine.h"

struct okra_filter {
    okra_spec spec;
    bool bare;          /* a row is a sample: no lags, no horizon, no scale, and sigma is given */
    bool sigma_auto;    /* the width is estimated */
    bool widths_auto;   /* a width for each input is found */
    bool warms_up;      /* scale or widths are estimated */
    bool scales_itself; /* .. by the algorithm, and not by the stream */
    bool frozen;
    bool empty;       /* created to be loaded from a state */
    bool loading;     /* .. whose last array is not written yet */
    bool owns_memory; /* false: the caller's, see okra_init() */
    size_t bytes;

    okra_engine *engine;
    size_t engine_bytes;
    void *core;    /* typed, see stream.c */
    bool begun;    /* okra_begin() has predicted a row, and okra_commit() is due: its inputs are in row */
    void *row;     /* [inputs] reals */
    float *narrow; /* [inputs + 3 outputs]: a row converted from double, if the precision is OKRA_F32 */

    uint64_t rows;          /* taken so far: the index of the next one */
    uint64_t since;         /* first row of the current warm-up */
    uint64_t estimated;     /* rows that the current scale and width were estimated from */
    uint64_t learnt_before; /* samples learnt before row `since` */
};

/* Functions of each precision; not used for a bare filter. */
typedef struct okra_stream_ops {
    /* Lays out rings and scratch behind the handle; sets addresses only, see block.h. */
    void (*lay_out)(okra_filter *filter, okra_block *block);
    /* The stream's part of a reset, and of a restart. */
    void (*reset)(okra_filter *filter);
    okra_status (*restart)(okra_filter *filter);
    void (*skip)(okra_filter *filter);
    /* The stream's arrays; the engine's come after them. */
    /* Of a filter that finds widths, see okra_get_relevance(); false if it has not found any. */
    bool (*relevance)(const okra_filter *filter, double *relevance);
    okra_status (*array_at)(const okra_filter *filter, size_t i, okra_array *array);
    okra_status (*array_read)(const okra_filter *filter, size_t i, void *out);
    okra_status (*array_write)(okra_filter *filter, size_t i, const void *in);
} okra_stream_ops;

extern const okra_stream_ops okra_stream_ops_f64, okra_stream_ops_f32;

/* Inputs of the engine: taps of inputs and of targets. */
static inline size_t stream_dimension(const okra_spec *spec)
{
    uint64_t taps = (uint64_t)spec->inputs * spec->lags + (uint64_t)spec->outputs * spec->target_lags;
    return taps < SIZE_MAX ? (size_t)taps : SIZE_MAX; /* too large for any engine */
}

/* Rows seen in the current warm-up, and whether it is still running. */
static inline uint64_t warmup_rows(const okra_filter *filter) { return filter->rows - filter->since; }
static inline bool warming_up(const okra_filter *filter)
{
    return filter->warms_up && warmup_rows(filter) < filter->spec.warmup;
}

/* Begins a warm-up with the next row, or `past` rows before it. */
static inline void warmup_begin(okra_filter *filter, size_t past)
{
    filter->since = filter->rows - past;
    filter->learnt_before = filter->engine->learnt;
}

#endif
