/*
 * The interface of an algorithm. An algorithm is one file with a `filter_class` at its end, one row in FILTER_LIST, and
 * a recipe in recipes.c. The handle (src/stream) and the engine check everything: algorithms get finite samples of the
 * right shape.
 */
#ifndef OKRA_FILTER_INTERNAL_H
#define OKRA_FILTER_INTERNAL_H

#include <okra/filter.h>

#include "../vec/array.h"
#include "../core/block.h"
#include "../map/map.h"
#include "loss.h"

/* The dimensions of an algorithm. */
#define filter_shape OKRA_TYPED(filter_shape)
typedef struct filter_shape {
    const okra_spec *spec;
    const vec_table *vec;
    size_t features; /* D */
    size_t width;    /* D padded to whole blocks: the length of z; the padding is zero */
    size_t fused;    /* the length of z in the fused primitives; 0 if the map has no cosines .. */
    bool halves;     /* .. and whether that z is in two halves, each padded */
    size_t outputs;
    loss_state *loss; /* for a class that applies it */
} filter_shape;

/* A block of samples for run(): X[n][inputs], Y[n][outputs], weights[n] or NULL, Yhat[n][outputs] or NULL. */
#define sample_block OKRA_TYPED(sample_block)
typedef struct sample_block {
    size_t n;
    const real *X, *Y, *weights;
    real *Yhat;
} sample_block;

#define filter_class OKRA_TYPED(filter_class)
typedef struct filter_class {
    const char *name;
    size_t state_bytes;
    /* Another class, if this spec needs another form of the algorithm; else NULL. Optional. */
    const struct filter_class *(*variant)(const okra_spec *spec);
    /* Optional: its own checks of a spec whose values are in range. */
    okra_status (*check)(const okra_spec *spec, okra_message *why);
    bool applies_loss;    /* itself: it knows the expected errors, or holds rows; else the engine does */
    bool finds_mu;        /* the step size may be automatic */
    okra_merging merging; /* of filters of this class that were trained separately */
    /* Takes the arrays from the block and sets what the spec fixes. Runs more than once, see block.h: it must not touch
       the arrays, nor what reset() sets. */
    void (*lay_out)(void *self, const filter_shape *shape, okra_block *block);
    /* Optional: fills arrays that depend on the spec only, once, before the first reset. */
    okra_status (*init_params)(void *self, const okra_spec *spec);
    /* With init_params, and instead of it if these arrays will be loaded. */
    void (*init_empty)(void *self);
    /* Returns to the state of a new filter. */
    void (*reset)(void *self);
    /* Predicts into yhat[outputs], then learns y[outputs] with that weight. On error the state is unchanged. */
    okra_status (*step)(void *self, const real *z, const real *y, real weight, real *yhat);
    /* Optional: does the work that steps have deferred, whether they succeeded or not. Called before a call of the
       engine returns, so that a block of steps can share passes over memory. */
    void (*settle)(void *self);
    /* Predicts into yhat[outputs]. If variance is not NULL, also the predictive variance of each output; always NULL
       for a class that is not `probabilistic`. work[scratch(self)] is the caller's. */
    void (*predict)(const void *self, const real *z, real *work, real *yhat, real *variance);
    bool probabilistic;
    /* The length of predict's scratch; optional if it needs none. */
    size_t (*scratch)(const void *self);
    /* State array i; false past the last. Its size may depend on the counters. */
    bool (*array)(const void *self, size_t i, array_view *view);
    /* Counter i, part of the state, or NULL past the last; *name is static, *max the largest value allowed. Optional
       if there are none. */
    uint64_t *(*counter)(void *self, size_t i, const char **name, uint64_t *max);
    /* The number of samples that changed the weights; optional if each does. */
    uint64_t (*updates)(const void *self);
    /* How often it was fitted to another scale of the data; optional. */
    uint64_t (*restarts)(const void *self);
    /* Writes the relevance of each input, see okra_get_relevance(); false if it is not known yet. Optional. */
    bool (*relevance)(const void *self, double *relevance);
    /* The number of centres; optional if there is no dictionary. */
    size_t (*centres)(const void *self, uint64_t *full);
    /* Called after state arrays were loaded: recomputes what depends on them. */
    void (*after_load)(void *self);

    /* Optional. Learns a block together with its map, using z[map_buffer(map)] as scratch; *done counts the samples
       learnt. Nothing is pending on return, and the bits are those of one sample at a time. */
    okra_status (*run)(void *self, const feature_map *map, const sample_block *samples, real *z, size_t *done);
    /* With run: whether it supports this map. If so, single steps are blocks of one. */
    bool (*can_run)(const void *self, const feature_map *map);
    /* Optional, for filters that track their own prediction errors. predict_pending() predicts as predict() does, and
       keeps the prediction in `slot`, below spec->delay. learn_delayed() learns as step() does, with the error of that
       prediction. cancel_pending() undoes the last predict_pending() and restores the slot. */
    void (*predict_pending)(void *self, size_t slot, const real *z, real *yhat, real *variance);
    void (*cancel_pending)(void *self, size_t slot);
    okra_status (*learn_delayed)(void *self, size_t slot, const real *z, const real *y, real weight);
    /* Optional, with run: a step in two halves, if z has another layout in run() than in step(). begin() predicts and
     * leaves z[map_buffer(map)]; commit() learns that sample. */
    real (*begin)(const void *self, const feature_map *map, const real *x, real *z);
    okra_status (*commit)(void *self, const real *z, real yhat, const real *y, real weight);
    /* Optional, with run: predicts a block together with its map. */
    void (*predict_block)(const void *self, const feature_map *map, size_t n, const real *X, real *z, real *Yhat);
} filter_class;

/* All algorithms, one per row: file NAME.c ends with `const filter_class OKRA_TYPED(filter_NAME)`. */
#define FILTER_LIST(X) \
    X(apa)             \
    X(apsm)            \
    X(ensemble)        \
    X(klms)            \
    X(knlms)           \
    X(krls)            \
    X(lms)             \
    X(nc_klms)         \
    X(nlms)            \
    X(nlms_bank)       \
    X(qklms)           \
    X(rls)             \
    X(rls_prior)       \
    X(sc_klms)

#define FILTER_DECLARE(name) extern const filter_class OKRA_TYPED(filter_##name);
FILTER_LIST(FILTER_DECLARE)
#undef FILTER_DECLARE

/* The weights from a sample on, or NULL. */
static inline const real *sample_weights_from(const sample_block *samples, size_t first)
{
    return samples->weights ? samples->weights + first : NULL;
}

/* The weight of a sample in a block. */
static inline real sample_weight(const sample_block *samples, size_t i)
{
    return samples->weights ? samples->weights[i] : 1;
}

#endif
