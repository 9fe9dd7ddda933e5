/*
 * Filters learn from a stream of rows. They are prequential: they predict a row, then learn it, one row or a block of
 * rows at a time.
 *
 * A filter is lags + scale + map + algorithm, built from an okra_spec (okra/spec.h). Without lags, horizon, scale and
 * automatic width it is a *bare* filter, at a bare filter's cost: a row is a sample.
 *
 * Row t has inputs u[t] and targets y[t]. It is predicted from
 *
 *     u[t - lag_from] .. u[t - lag_from - lags + 1]      of each input, and
 *     y[t - horizon]  .. y[t - horizon - target_lags + 1] of each target,
 *
 * and y[s] is learnt after row s + horizon - 1 is predicted and before row s + horizon is. No prediction uses data from
 * its future. A learning call always predicts a row before it learns the row.
 *
 * Automatic scale and sigma are estimated after rows 16, 64, 256, .. and last after row `warmup`. Each time, the rows
 * seen so far are learnt again; rows that the algorithm then rejects are dropped. Before the first estimate a
 * prediction is the mean of the targets to learn so far.
 *
 * NaN: a bare filter rejects it. Any other filter treats it as a missing value. A row with a missing input, or with a
 * missing lag, is predicted as NaN. A row with a missing target is predicted and not learnt.
 *
 * Nothing is allocated after create. A filter belongs to one thread at a time. Different filters are independent. Any
 * number of threads may call okra_predict() on one filter at once, while no thread changes it.
 *
 * Each call with numbers comes twice. okra_x_f32() is for filters of precision OKRA_F32, and never computes in double.
 * okra_x() takes and gives doubles; for a float32 filter it rounds its inputs.
 */
#ifndef OKRA_FILTER_H
#define OKRA_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct okra_filter okra_filter;

/* ---- creating and freeing -------------------------------------------------------------------------------- */

/*
 * Builds the filter of a spec, with all its memory in one block. The spec is copied, omega and phase too.
 * On success the caller owns *filter and frees it with okra_free(). On failure *filter is NULL.
 */
OKRA_API okra_status okra_create(const okra_spec *spec, okra_filter **filter);

/* Frees a filter from okra_create() or okra_clone(). Does nothing for one from okra_init(), and for NULL. */
OKRA_API void okra_free(okra_filter *filter);

/* For programs without a heap: the bytes that okra_init() needs for this spec; 0 if the spec is not valid. */
OKRA_API size_t okra_size(const okra_spec *spec);

/* okra_create() in the caller's memory, which must outlive the filter. Any alignment. OKRA_E_BUFFER if it is too
 * small. */
OKRA_API okra_status okra_init(void *memory, size_t bytes, const okra_spec *spec, okra_filter **filter);

/* An independent copy, in its own memory. */
OKRA_API okra_status okra_clone(const okra_filter *filter, okra_filter **twin);

/* Returns to the state of a new filter of the same spec. */
OKRA_API okra_status okra_reset(okra_filter *filter);

/*
 * Forgets what was learnt, scale and width too. Keeps the lags and the row count, so the next row can be predicted.
 * Labels of earlier rows that are still pending are not learnt. An automatic scale or width is estimated from the rows
 * that the lags still hold. Use it after a drift (okra/drift.h).
 */
OKRA_API okra_status okra_restart(okra_filter *filter);

/* While frozen, rows are predicted and become lags, and nothing is learnt, not even a delayed label of an older row.
 * Not part of the saved state. */
OKRA_API okra_status okra_freeze(okra_filter *filter, bool frozen);

/* ---- learning -------------------------------------------------------------------------------------------- */

/*
 * One prequential step: predicts a row into yhat[outputs] (may be NULL), then takes its target and learns what is due.
 *
 * u[inputs] are its inputs, y[outputs] its targets. If y is NULL, the row is predicted and not learnt. weight >= 0
 * multiplies the row's error; 1 is ordinary, 0 learns nothing. variance[outputs] is NULL, or gets the predictive
 * variance of each target (see okra_predict()); infinite if nothing is known yet.
 *
 * Any status but OKRA_OK leaves the state unchanged, bit for bit; yhat and variance are then undefined:
 * OKRA_E_SAMPLE      a number is infinite, or NaN in a bare filter, or the weight is negative or NaN.
 * OKRA_E_RANGE       numbers are finite, but features or a prediction are not in this precision.
 * OKRA_E_DIVERGED    the step would make the state non-finite.
 * OKRA_E_UNSUPPORTED a variance is requested, and the recipe has none.
 */
OKRA_API okra_status okra_step(okra_filter *filter, const double *u, const double *y, double weight, double *yhat,
                               double *variance);
OKRA_API okra_status okra_step_f32(okra_filter *filter, const float *u, const float *y, float weight, float *yhat,
                                   float *variance);

/*
 * A step in two halves, for a weight that depends on the error. okra_begin() predicts a row; okra_commit() takes its
 * target, or NULL, and learns with that weight. Together they equal okra_step(), bit for bit. Features are computed
 * once; a dictionary's kernel values, the main cost of its step, are computed twice.
 *
 * A second okra_begin() replaces the first. Any other call that changes the filter drops the begun row. okra_predict()
 * does not drop it, and okra_freeze() takes effect at the commit. If a commit is rejected, the row stays begun and may
 * be committed with another weight. Without a begun row: OKRA_E_ORDER. With a horizon above 1, the commit learns an
 * older row whose label is now known, with the weight of that row's commit. This row's weight is stored with the row.
 */
OKRA_API okra_status okra_begin(okra_filter *filter, const double *u, double *yhat, double *variance);
OKRA_API okra_status okra_begin_f32(okra_filter *filter, const float *u, float *yhat, float *variance);
OKRA_API okra_status okra_commit(okra_filter *filter, const double *y, double weight);
OKRA_API okra_status okra_commit_f32(okra_filter *filter, const float *y, float weight);

/*
 * A block: the same bits as n steps, in less time.
 * U is n x inputs; Y, Yhat and variance are n x outputs, row by row. weights[n] may be NULL (all 1); Y, Yhat and
 * variance may be NULL. Stops at the first row that a step would reject, with that step's status. *done (may be NULL)
 * is the number of rows taken; the state is the one after them.
 */
OKRA_API okra_status okra_run(okra_filter *filter, size_t n, const double *U, const double *Y, const double *weights,
                              double *Yhat, double *variance, size_t *done);
OKRA_API okra_status okra_run_f32(okra_filter *filter, size_t n, const float *U, const float *Y, const float *weights,
                                  float *Yhat, float *variance, size_t *done);

/* Skips a missing row: the row count advances, and the lags have a gap. Never rejected. Use it after a row is rejected
 * because of an older row, whose label cannot be learnt or whose value is a bad lag. */
OKRA_API okra_status okra_skip(okra_filter *filter);

/* ---- predicting ------------------------------------------------------------------------------------------ */

/* Bytes of scratch that okra_predict() needs. */
OKRA_API size_t okra_scratch_size(const okra_filter *filter);

/*
 * Predicts the next row for n alternative inputs. U is n x inputs; Yhat and variance (may be NULL) are n x outputs,
 * with the bits that okra_step() would give. The filter does not change, so any number of threads may call this at
 * once, each with its own scratch (any alignment). Stops at the first alternative that a step would reject, with that
 * step's status. Yhat and variance are written before it, and undefined from it on.
 *
 * variance: the predictive variance; yhat +- q sqrt(variance) is an interval. Only for recipes with
 * okra_recipe.variance; others return OKRA_E_UNSUPPORTED. rff-krls and rls: noise estimate x (1 + z'Pz). krls: the same
 * in its coordinates, plus amplitude x delta, the prior variance of the function times the squared distance from the
 * span of the centres. auto: the variance of the mixture: the members' variances and their spread about the mean.
 * Infinite before the first error, from which the noise is estimated, and if it does not fit the precision. NaN only if
 * the row cannot be predicted.
 */
OKRA_API okra_status okra_predict(const okra_filter *filter, void *scratch, size_t n, const double *U, double *Yhat,
                                  double *variance);
OKRA_API okra_status okra_predict_f32(const okra_filter *filter, void *scratch, size_t n, const float *U, float *Yhat,
                                      float *variance);

/*
 * Gives the algorithm's view of a row, for other learners: x[inputs of okra_bare_spec()] and target[outputs], both
 * scaled; NaN if a value is missing. The row is added to the lags; nothing is predicted or learnt. During the warm-up,
 * while scale and width may still change, OKRA_E_UNSUPPORTED, and the row is not taken. For filters of precision
 * OKRA_F64.
 */
OKRA_API okra_status okra_embed(okra_filter *filter, const double *u, const double *y, double *x, double *target);

/* ---- inspecting ------------------------------------------------------------------------------------------ */

/* How okra_merge() of libokra-lab merges filters of one spec that were trained separately. */
typedef enum okra_merging {
    OKRA_MERGE_NONE = 0,  /* they cannot be merged                                                 */
    OKRA_MERGE_EXACT = 1, /* as if one filter had seen all samples: RLS without forgetting (beta = 1) */
    OKRA_MERGE_MEAN = 2   /* theta averaged, weighted by the samples learnt: LMS and NLMS          */
} okra_merging;

typedef struct okra_stats {
    uint64_t rows;     /* taken since create or reset                              */
    uint64_t learnt;   /* samples learnt since then                                */
    uint64_t restarts; /* how often a filter that finds scale and widths by itself (recipe auto) found them again
                          because most columns had left their scale, or the system had changed */
    size_t bytes;      /* memory of the whole filter                               */
    size_t features;   /* D: length of z                                           */
    size_t centres;    /* of a dictionary; 0 if there is none                      */
    uint64_t full;     /* times that a full dictionary would have grown            */
    okra_merging merging;
    uint64_t updates; /* samples that changed the weights: fewer than `learnt` if errors within a tolerance do not */
    uint64_t reserved[7];
} okra_stats;

OKRA_API okra_status okra_get_stats(const okra_filter *filter, okra_stats *stats);

/*
 * Which inputs matter: relevance[d], numbers of 0 or more that add up to 1. d is the `inputs` of okra_bare_spec(), that
 * is inputs x lags + outputs x target_lags. The order is that of a row's x: each input with its lags, the latest first,
 * then each target with its lags likewise.
 *
 * relevance[j] is proportional to 1 / width_j^2. The widths, one for each of these inputs, are those that the filter
 * has found for the better of its two members with such widths; they are in units of the input's own deviation. So it
 * says how fast the nonlinear part of the prediction varies along an input that moves by what it usually does: an input
 * with a width that is large compared to the data counts as nothing. It does not say how large that part is, nor what
 * an input adds to the linear part: an input on which the target depends linearly, and only so, may have a relevance of
 * about 0.
 *
 * Only for recipes with okra_recipe.relevance (auto) and for specs with OKRA_WIDTHS_AUTO, and after widths were first
 * found, some rows after the 64th. Before, and for others, OKRA_E_UNSUPPORTED, and relevance is unchanged. Doubles for
 * both precisions.
 */
OKRA_API okra_status okra_get_relevance(const okra_filter *filter, double *relevance);

/* The spec that the filter was built from; its omega and phase are NULL. */
OKRA_API const okra_spec *okra_get_spec(const okra_filter *filter);

/*
 * The spec of a bare filter with the algorithm's view of the data. Its inputs are the taps of inputs and targets, its
 * sigma is the current width (OKRA_SIGMA_AUTO until one is estimated), and it has neither lags nor scale.
 */
OKRA_API okra_status okra_bare_spec(const okra_filter *filter, okra_spec *bare);

/*
 * The state: counters, and arrays in natural order, whatever the internal layout. Together they are all that a filter
 * has learnt. To copy a filter, write them into a new filter of the same spec: counters first, because sizes can depend
 * on them, then arrays in their order. The copy continues with the same bits.
 *
 * `theta` is outputs x D. A random map adds `omega`, D x inputs, and `phase`, D, both in cycles (radians over 2 pi), as
 * the filter uses them. RLS: `d` and `u`, the factors of P = U diag(d) U'. U is unit upper triangular, stored column by
 * column down to the diagonal; with forget = prior `p` and `p_scale` instead, P = p_scale p, the upper triangle column
 * by column. A dictionary: `centres`, M x inputs, and `alpha`, outputs x M. mu = auto: `bank`, the theta of each step.
 * Affine projection: `rows`, `targets` and `weights` of the rows it holds. Estimated values are state too: `sigma`,
 * `scale.mean`, `scale.deviation`, and `errors`, the quantiles that a loss tracks.
 */
typedef struct okra_array {
    const char *name; /* static */
    size_t rows, cols;
} okra_array;

/* Array i = 0, 1, .. of the filter; OKRA_E_ARRAY past the last. */
OKRA_API okra_status okra_array_at(const okra_filter *filter, size_t i, okra_array *array);

/* Copies an array out, or in: rows x cols numbers of the filter's precision, row by row. Numbers written must be
 * finite, except missing values in a stream's past: else OKRA_E_SAMPLE. */
OKRA_API okra_status okra_array_read(const okra_filter *filter, const char *name, void *out);
OKRA_API okra_status okra_array_write(okra_filter *filter, const char *name, const void *in);

typedef struct okra_counter {
    const char *name; /* static */
    uint64_t value;
    uint64_t max; /* the largest value allowed */
} okra_counter;

/* Counter i = 0, 1, .. of the filter; OKRA_E_ARRAY past the last. The first is `rows`, the number of rows taken. */
OKRA_API okra_status okra_counter_at(const okra_filter *filter, size_t i, okra_counter *counter);

/* Sets a counter; OKRA_E_PARAMETER if the value is above its `max`. */
OKRA_API okra_status okra_counter_write(okra_filter *filter, const char *name, uint64_t value);

/*
 * Creates a filter to load a state into. As okra_create(), but draws no map, which can take longer than everything
 * else. Before the filter is used, write every counter and then every array, in the order of okra_counter_at() and
 * okra_array_at(). Derived values are computed once, after the last array.
 */
OKRA_API okra_status okra_create_empty(const okra_spec *spec, okra_filter **filter);

#ifdef __cplusplus
}
#endif
#endif
