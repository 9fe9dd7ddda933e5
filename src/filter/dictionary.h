/*
 * A dictionary of centres with coefficients, yhat = sum_m alpha_m kappa(c_m, x): what the kernel filters without random
 * features learn. It is of declared capacity, and says what happens when that is reached.
 *
 * A filter's state struct that begins with `dictionary` can put the functions that take `self` straight into its class.
 */
#ifndef OKRA_DICTIONARY_H
#define OKRA_DICTIONARY_H

#include "filter.h"

#define dictionary OKRA_TYPED(dictionary)
typedef struct dictionary {
    const vec_table *vec;
    size_t inputs, outputs, capacity;
    int when_full;
    real keep; /* what a step leaves of alpha: below 1 if it leaks */
    int kernel;
    bool keeps_kernels; /* a step needs them one by one, and not only their sum: set by filters that do */
    size_t room;        /* capacity, padded */

    uint64_t count;  /* centres held */
    uint64_t oldest; /* where the next one goes once it is full, and the oldest is replaced */
    uint64_t full;   /* how often it was full when a centre would have been added */

    real *alpha;         /* [outputs][room], zeros beyond the count */
    real *origin;        /* [inputs]: the first centre; distances are taken from there, where they cancel least */
    centre_set set;      /* the centres */
    real largest_square; /* the largest |c|^2, scaled and from the origin */
    real max_abs;        /* no |alpha| is larger */
    real *work;          /* scratch of a step, as predict has its own */
    real *gain;          /* [outputs] */
} dictionary;

/* What an input has to do with the centres. */
#define dictionary_match OKRA_TYPED(dictionary_match)
typedef struct dictionary_match {
    const real *kernel; /* [count]: kappa(c_m, x), where the dictionary keeps them */
    size_t nearest;     /* index of the nearest centre, the lowest of several; 0 where there is none */
    real dist2;         /* its squared distance, taken directly; infinite where there is none */
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
uint64_t *dictionary_counter(void *self, size_t i, const char **name, uint64_t *most);
void dictionary_after_load(void *self);
size_t dictionary_centres(const void *self, uint64_t *full);

/* Compares x with every centre and predicts; work[dictionary_scratch()]. OKRA_E_RANGE where x, scaled, does not fit the
 * format. */
okra_status dictionary_eval(const dictionary *d, const real *x, real *work, dictionary_match *match, real *yhat);

/* d->gain = rate (y - yhat), where alpha + gain k is certain to be finite for all |k| <= k_max; else OKRA_E_DIVERGED.
 */
okra_status dictionary_gains(dictionary *d, real rate, real k_max, const real *y, const real *yhat);

/* Where the next centre would go; SIZE_MAX where the dictionary is full and is to stay as it is; OKRA_E_FULL. */
okra_status dictionary_slot(const dictionary *d, size_t *slot);

/* Puts x into that slot as a centre, with coefficients gain[outputs], or 0 where that is NULL; for SIZE_MAX only counts
 * that it was full. */
void dictionary_add(dictionary *d, size_t slot, const real *x, const real *gain);

/* Takes the step rate (y - yhat): as a new centre where `fresh` and there is room, else at the nearest. */
okra_status dictionary_learn(dictionary *d, const real *x, const dictionary_match *match, bool fresh, real rate,
                             const real *y, const real *yhat);

/* alpha shrinks, as a step that learns makes it. */
void dictionary_leak(dictionary *d);

/* What the classes of dictionary filters have in common. */
#define DICTIONARY_ENTRIES                                                                   \
    .reset = dictionary_reset, .predict = dictionary_predict, .scratch = dictionary_scratch, \
    .array = dictionary_array, .counter = dictionary_counter, .centres = dictionary_centres, \
    .after_load = dictionary_after_load

#endif
