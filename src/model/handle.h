/* The public model handle, and what each precision provides for it (stream.c). */
#ifndef OKRA_MODEL_HANDLE_H
#define OKRA_MODEL_HANDLE_H

#include <okra/model.h>

#include "../core/block.h"

struct okra_model {
    okra_spec spec; /* sigma is the width in force */
    bool sigma_auto;
    bool warms_up; /* scale or width are to be estimated */
    bool follows;  /* and to be estimated anew where the data leaves what they were chosen for */
    size_t bytes;

    okra_filter *filter;
    void *filter_memory;
    size_t filter_bytes;
    void *core; /* typed, see stream.c */

    uint64_t rows;      /* taken so far: the index of the next one */
    uint64_t since;     /* the row that the warm-up in force began with */
    uint64_t estimated; /* rows that the scale and width in force were estimated from */
    uint64_t restarts;  /* warm-ups that began because the data had left the scale in force */
};

typedef struct okra_model_ops {
    /* Lays rings and scratch out behind the handle; sets addresses only, see block.h. */
    void (*lay_out)(okra_model *model, okra_block *block);
    /* The stream's share of a reset. */
    void (*reset)(okra_model *model);
    okra_status (*skip)(okra_model *model);
    /* The model's own arrays; the filter's come after them. */
    okra_status (*array_at)(const okra_model *model, size_t i, okra_array *array);
    okra_status (*array_read)(const okra_model *model, size_t i, void *out);
    okra_status (*array_write)(okra_model *model, size_t i, const void *in);
} okra_model_ops;

extern const okra_model_ops okra_model_ops_f64, okra_model_ops_f32;

/* Inputs of the filter: taps of inputs and of targets. */
static inline size_t model_dimension(const okra_spec *spec)
{
    uint64_t taps = (uint64_t)spec->inputs * spec->lags + (uint64_t)spec->outputs * spec->target_lags;
    return taps < SIZE_MAX ? (size_t)taps : SIZE_MAX; /* which no filter has */
}

/* Rows of the warm-up in force that have been seen, and whether it still goes on. */
static inline uint64_t warmup_rows(const okra_model *model) { return model->rows - model->since; }
static inline bool warming_up(const okra_model *model)
{
    return model->warms_up && warmup_rows(model) < model->spec.warmup;
}

/* Builds the filter anew in its memory, with that width. */
okra_status model_rebuild_filter(okra_model *model, double sigma);

#endif
