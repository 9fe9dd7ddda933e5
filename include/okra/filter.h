/*
 * Adaptive filters: predict, then learn, one sample at a time or a block at a time.
 *
 * Every prediction that comes out of a learning call is *a priori*: made before the sample was learnt. A block of n
 * samples gives the same bits as n steps. Nothing is allocated after okra_create().
 *
 * A filter belongs to one thread at a time. Different filters are independent, and any number of threads may ask one
 * filter at once through okra_predict_with() while nobody changes it.
 *
 * Each call that takes numbers comes twice: okra_x() for a filter of precision OKRA_F64, okra_x_f32() for OKRA_F32.
 * The other one is refused with OKRA_E_PRECISION.
 */
#ifndef OKRA_FILTER_H
#define OKRA_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include <okra/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct okra_filter okra_filter;

/* ---- making and unmaking --------------------------------------------------------------------------------- */

/*
 * Builds the filter that a spec describes, with all its memory in one block. The spec is copied (omega and phase too).
 * On success *filter is the caller's, to be given to okra_free(). On failure *filter is NULL.
 */
OKRA_API okra_status okra_create(const okra_spec *spec, okra_filter **filter);

/* Frees a filter from okra_create() or okra_clone(); for one from okra_init() does nothing. NULL is allowed. */
OKRA_API void okra_free(okra_filter *filter);

/* For programs without a heap: the bytes that okra_init() needs for this spec; 0 where the spec is not valid. */
OKRA_API size_t okra_size(const okra_spec *spec);

/* okra_create() in the caller's memory, which must outlive the filter. Any alignment. OKRA_E_BUFFER where it is too
 * small. */
OKRA_API okra_status okra_init(void *memory, size_t bytes, const okra_spec *spec, okra_filter **filter);

/* An independent twin, in memory of its own. */
OKRA_API okra_status okra_clone(const okra_filter *filter, okra_filter **twin);

/* Back to the state of a new filter of the same spec. */
OKRA_API okra_status okra_reset(okra_filter *filter);

/* ---- learning -------------------------------------------------------------------------------------------- */

/*
 * One sample: writes the prediction for x[inputs] to yhat[outputs] (may be NULL), then learns that y[outputs] was the
 * truth.
 *
 * Any other status than OKRA_OK leaves the state, bit for bit, and yhat as they were:
 * OKRA_E_SAMPLE   x or y is not finite.
 * OKRA_E_RANGE    x is finite, but its features are not in this precision.
 * OKRA_E_DIVERGED the step would make the state non-finite.
 */
OKRA_API okra_status okra_step(okra_filter *filter, const double *x, const double *y, double *yhat);
OKRA_API okra_status okra_step_f32(okra_filter *filter, const float *x, const float *y, float *yhat);

/* okra_step() with a weight >= 0 on the sample's error; 1 is a plain step, 0 learns nothing. */
OKRA_API okra_status okra_step_weighted(okra_filter *filter, const double *x, const double *y, double weight,
                                        double *yhat);
OKRA_API okra_status okra_step_weighted_f32(okra_filter *filter, const float *x, const float *y, float weight,
                                            float *yhat);

/*
 * A block: the same bits as n steps in a row, in less time.
 * X is n x inputs, Y and Yhat are n x outputs, row by row; weights[n] may be NULL (all 1), Yhat may be NULL.
 * Stops at the first sample that a step would refuse, with that step's status; *done (may be NULL) is the number of
 * samples learnt, and the state is the one after them.
 */
OKRA_API okra_status okra_run(okra_filter *filter, size_t n, const double *X, const double *Y, const double *weights,
                              double *Yhat, size_t *done);
OKRA_API okra_status okra_run_f32(okra_filter *filter, size_t n, const float *X, const float *Y, const float *weights,
                                  float *Yhat, size_t *done);

/* ---- asking ---------------------------------------------------------------------------------------------- */

/*
 * Predictions for n inputs, learning nothing: X is n x inputs, Yhat n x outputs. Uses the filter's own scratch.
 * OKRA_E_SAMPLE at the first row that is not finite, OKRA_E_RANGE at the first whose prediction is not: rows before it
 * are written, and what Yhat (and a variance) holds from it on means nothing. So it is for the other calls that
 * predict.
 */
OKRA_API okra_status okra_predict(okra_filter *filter, size_t n, const double *X, double *Yhat);
OKRA_API okra_status okra_predict_f32(okra_filter *filter, size_t n, const float *X, float *Yhat);

/* Bytes of scratch that okra_predict_with() needs. */
OKRA_API size_t okra_scratch_size(const okra_filter *filter);

/* okra_predict() with the caller's scratch (any alignment), so that threads can share a filter that is not changing. */
OKRA_API okra_status okra_predict_with(const okra_filter *filter, void *scratch, size_t n, const double *X,
                                       double *Yhat);
OKRA_API okra_status okra_predict_with_f32(const okra_filter *filter, void *scratch, size_t n, const float *X,
                                           float *Yhat);

/*
 * okra_predict_with() that also says how sure it is: the predictive variance of each target, n x outputs, from which an
 * interval follows as yhat +- q sqrt(variance). For the recipes whose row in the table says so (okra_recipe.variance).
 * rff-krls and rls: noise estimate x (1 + z'Pz). krls: the same of its coordinates, and amplitude x delta, the prior
 * variance of the function times the squared distance from the span of the centres. auto: of the mixture, the members'
 * own and their spread about the mean. Infinite before there was an error to estimate the noise from, and where it does
 * not fit the precision; never NaN. Others answer OKRA_E_UNSUPPORTED.
 */
OKRA_API okra_status okra_predict_variance(const okra_filter *filter, void *scratch, size_t n, const double *X,
                                           double *Yhat, double *variance);
OKRA_API okra_status okra_predict_variance_f32(const okra_filter *filter, void *scratch, size_t n, const float *X,
                                               float *Yhat, float *variance);

/* ---- looking inside -------------------------------------------------------------------------------------- */

typedef struct okra_stats {
    uint64_t learnt; /* samples learnt since create or reset          */
    size_t bytes;    /* memory of the whole filter                    */
    size_t features; /* D: numbers in a z                             */
    size_t centres;  /* of a dictionary; 0 where there is none        */
    uint64_t full;   /* times that a full dictionary would have grown */
} okra_stats;

OKRA_API okra_status okra_get_stats(const okra_filter *filter, okra_stats *stats);

/* The spec that the filter was made from; omega and phase are NULL in it. */
OKRA_API const okra_spec *okra_get_spec(const okra_filter *filter);

/*
 * The state: arrays in natural order, whatever the layout inside, and counters. Together they are all that a filter has
 * learnt: written into a new filter of the same spec, the counters first, because sizes can depend on them, they make a
 * twin.
 *
 * `theta` is outputs x D. A random map adds `omega`, D x inputs, and `phase`, D, both in turns (radians over 2 pi), as
 * the filter computes with them. RLS: `d` and `u`, the factors of P = U diag(d) U', U unit upper, its columns one after
 * the other down to the diagonal. A dictionary: `centres`, M x inputs, and `alpha`, outputs x M.
 */
typedef struct okra_array {
    const char *name; /* static */
    size_t rows, cols;
} okra_array;

/* Array i = 0, 1, .. of the filter; OKRA_E_ARRAY past the last. */
OKRA_API okra_status okra_array_at(const okra_filter *filter, size_t i, okra_array *array);

/* Copies an array out, or in: rows x cols numbers of the filter's precision, row by row. What goes in must be finite:
 * else OKRA_E_SAMPLE. */
OKRA_API okra_status okra_array_read(const okra_filter *filter, const char *name, void *out);
OKRA_API okra_status okra_array_write(okra_filter *filter, const char *name, const void *in);

typedef struct okra_counter {
    const char *name; /* static */
    uint64_t value;
    uint64_t most; /* the largest value it may be given */
} okra_counter;

/* Counter i = 0, 1, .. of the filter; OKRA_E_ARRAY past the last. The first is `learnt`, the number of samples learnt.
 */
OKRA_API okra_status okra_counter_at(const okra_filter *filter, size_t i, okra_counter *counter);

/* Gives a counter a value; OKRA_E_PARAMETER where that is more than its `most`. */
OKRA_API okra_status okra_counter_write(okra_filter *filter, const char *name, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
