/*
 * A dictionary of centres with coefficients, yhat = sum_m alpha_m kappa(c_m, x): the model of the kernel filters
 * without random features. Its capacity is fixed; the spec defines what happens when it is full.
 *
 * If a filter's state struct begins with `dictionary`, its class can use the functions that take `self` directly.
 */
#ifndef OKRA_DICTIONARY_H
#define OKRA_DICTIONARY_H

#include "filter.h"

#define dictionary OKRA_TYPED(dictionary)
typedef struct dictionary {
    const vec_table *vec;
    size_t inputs, outputs, capacity;
    int when_full;
    real keep; /* factor on alpha in a step: below 1 with a leak */
    int kernel;
    bool keeps_kernels; /* set by filters whose step needs each kernel value, not only the sum */
    size_t room;        /* capacity, padded */

    uint64_t count;  /* centres held */
    uint64_t oldest; /* if full: the slot of the oldest centre, which the next one replaces */
    uint64_t full;   /* times that it was full when a centre was to be added */

    real *alpha;         /* [outputs][room], zeros beyond the count */
    real *origin;        /* [inputs]: the first centre, subtracted from inputs to reduce cancellation */
    centre_set set;      /* the centres */
    real largest_square; /* the largest |c|^2, scaled and from the origin */
    real max_abs;        /* no |alpha| is larger */
    real *work;          /* scratch of a step; predict has its own */
    real *gain;          /* [outputs] */
} dictionary;

/* An input compared with the centres. */
#define dictionary_match OKRA_TYPED(dictionary_match)
typedef struct dictionary_match {
    const real *kernel; /* [count]: kappa(c_m, x), if keeps_kernels */
    size_t nearest;     /* index of the nearest centre, the lowest of several; 0 if there is none */
    real dist2;         /* its squared distance, computed directly; infinite if there is none */
} dictionary_match;

#define dictionary_lay_out    OKRA_TYPED(dictionary_lay_out)
#define dictionary_reset      OKRA_TYPED(dictionary_reset)
#define dictionary_scratch    OKRA_TYPED(dictionary_scratch)
#define dictionary_predict    OKRA_TYPED(dictionary_predict)
#define dictionary_array      OKRA_TYPED(dictionary_array)
#define dictionary_counter    OKRA_TYPED(dictionary_counter)
#define dictionary_after_load OKRA_TYPED(dictionary_after_load)
#define dictionary_centres    OKRA_TYPED(dictionary_centres)
#define dictionary_eval       OKRA_TYPED(dictionary_eval)
#define dictionary_gains      OKRA_TYPED(dictionary_gains)
#define dictionary_add        OKRA_TYPED(dictionary_add)
#define dictionary_slot       OKRA_TYPED(dictionary_slot)
#define dictionary_learn      OKRA_TYPED(dictionary_learn)
#define dictionary_leak       OKRA_TYPED(dictionary_leak)

void dictionary_lay_out(dictionary *d, const filter_shape *shape, okra_block *block);
void dictionary_reset(void *self);
size_t dictionary_scratch(const void *self);
void dictionary_predict(const void *self, const real *x, real *work, real *yhat, real *variance);
bool dictionary_array(const void *self, size_t i, array_view *view);
uint64_t *dictionary_counter(void *self, size_t i, const char **name, uint64_t *max);
void dictionary_after_load(void *self);
size_t dictionary_centres(const void *self, uint64_t *full);

/* Compares x with every centre and predicts; work[dictionary_scratch()]. OKRA_E_RANGE if x, scaled, overflows. */
okra_status dictionary_eval(const dictionary *d, const real *x, real *work, dictionary_match *match, real *yhat);

/* d->gain = rate (y - yhat). OKRA_E_DIVERGED if alpha + gain k may not be finite for some |k| <= k_max. */
okra_status dictionary_gains(dictionary *d, real rate, real k_max, const real *y, const real *yhat);

/* The slot of the next centre. If the dictionary is full: SIZE_MAX with OKRA_FULL_STOP, or status OKRA_E_FULL. */
okra_status dictionary_slot(const dictionary *d, size_t *slot);

/* Puts x into that slot as a centre, with coefficients gain[outputs], or 0 if gain is NULL. For SIZE_MAX it only counts
 * `full`. */
void dictionary_add(dictionary *d, size_t slot, const real *x, const real *gain);

/* Takes the step rate (y - yhat): as a new centre if `fresh` and not full, else at the nearest. */
okra_status dictionary_learn(dictionary *d, const real *x, const dictionary_match *match, bool fresh, real rate,
                             const real *y, const real *yhat);

/* Shrinks alpha by `keep`, in each step that learns. */
void dictionary_leak(dictionary *d);

/* The common class entries of dictionary filters. */
#define DICTIONARY_ENTRIES                                                                   \
    .reset = dictionary_reset, .predict = dictionary_predict, .scratch = dictionary_scratch, \
    .array = dictionary_array, .counter = dictionary_counter, .centres = dictionary_centres, \
    .after_load = dictionary_after_load

#endif
