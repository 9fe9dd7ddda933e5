/*
 * Filters: what a user trains on a stream, saves and asks. Predict, then learn, a row or a block of rows at a time.
 *
 * A filter is lags + scale + map + algorithm. What to build is an okra_spec (okra/spec.h). Without lags, horizon, scale
 * and automatic width it is a *bare* filter, at a bare filter's cost: a row is a sample.
 *
 * Row t has inputs u[t] and targets y[t]. It is predicted from
 *
 *     u[t - lag_from] .. u[t - lag_from - lags + 1]      of each input, and
 *     y[t - horizon]  .. y[t - horizon - target_lags + 1] of each target,
 *
 * and y[s] is learnt after row s + horizon - 1 has been predicted, before row s + horizon is: no prediction uses what
 * would not have been known. Every prediction that comes out of a learning call is made before its row is learnt.
 *
 * Where scale or sigma are automatic they are estimated anew, and the rows seen so far learnt anew, after rows 16, 64,
 * 256, .. and after row `warmup`, the last; what the algorithm then refuses of them is passed over. Before the first
 * estimate a prediction is the mean of the targets that were to be learnt so far.
 *
 * NaN: a bare filter refuses it. Any other takes it for a missing value: the row, and those that need it as a lag,
 * cannot be predicted, and get NaN; without its target a row is predicted and not learnt.
 *
 * Nothing is allocated after create. A filter belongs to one thread at a time. Different filters are independent, and
 * any number of threads may ask one filter at once through okra_predict() while nobody changes it.
 *
 * Each call with numbers comes twice. okra_x_f32() is for filters of precision OKRA_F32, and never computes in double;
 * okra_x() takes and gives doubles, of a float32 filter rounded on their way in.
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

/*
 * Forgets what was learnt, scale and width too, and keeps the lags: the next row can be predicted, and time goes on.
 * Labels that are still to come, of rows before, are not learnt. An automatic scale or width is estimated from the rows
 * that the lags still hold, as far as they go. For whoever has seen that the world is another one (okra/drift.h).
 */
OKRA_API okra_status okra_restart(okra_filter *filter);

/* While frozen, rows are predicted and become lags, and nothing is learnt, not even from older rows whose label comes
 * now. Not part of the state that is saved. */
OKRA_API okra_status okra_freeze(okra_filter *filter, bool frozen);

/* ---- learning -------------------------------------------------------------------------------------------- */

/*
 * One row: predicts it into yhat[outputs] (may be NULL), then takes its target and learns what is due.
 *
 * u[inputs] are its inputs, y[outputs] its targets, NULL where there are none: the row is then predicted and not
 * learnt. weight >= 0 multiplies the row's error; 1 is ordinary, 0 learns nothing. variance[outputs] is NULL, or gets
 * the predictive variance of each target, as okra_predict() says; infinite where nothing is known yet.
 *
 * Any other status than OKRA_OK leaves the state, bit for bit, as it was, and what yhat and variance hold means
 * nothing:
 * OKRA_E_SAMPLE      a number is infinite, or NaN in a bare filter, or the weight is negative or NaN.
 * OKRA_E_RANGE       numbers are finite, but features or a prediction are not in this precision.
 * OKRA_E_DIVERGED    the step would make the state non-finite.
 * OKRA_E_UNSUPPORTED a variance of a recipe that has none.
 */
OKRA_API okra_status okra_step(okra_filter *filter, const double *u, const double *y, double weight, double *yhat,
                               double *variance);
OKRA_API okra_status okra_step_f32(okra_filter *filter, const float *u, const float *y, float weight, float *yhat,
                                   float *variance);

/*
 * A step in two halves, for a weight that is decided from the error: okra_begin() predicts a row, okra_commit() takes
 * its target, or NULL, and learns with that weight. Together they are okra_step(), bit for bit, and the features are
 * made once; a dictionary's kernel values, which are what its step costs, twice.
 *
 * A second okra_begin() replaces the first. Every call in between that changes the filter drops the row that was begun;
 * okra_predict() does not, and okra_freeze() counts when it is committed. A commit that was refused leaves the row
 * begun: it may be tried with another weight. Without a row OKRA_E_ORDER. With a horizon above 1, what is learnt now is
 * an older row, whose label comes now, with the weight that it was committed with; this row's weight waits with it.
 */
OKRA_API okra_status okra_begin(okra_filter *filter, const double *u, double *yhat, double *variance);
OKRA_API okra_status okra_begin_f32(okra_filter *filter, const float *u, float *yhat, float *variance);
OKRA_API okra_status okra_commit(okra_filter *filter, const double *y, double weight);
OKRA_API okra_status okra_commit_f32(okra_filter *filter, const float *y, float weight);

/*
 * A block: the same bits as n steps in a row, in less time.
 * U is n x inputs, Y, Yhat and variance are n x outputs, row by row; weights[n] may be NULL (all 1), and Y, Yhat and
 * variance may. Stops at the first row that a step would refuse, with that step's status; *done (may be NULL) is the
 * number of rows taken, and the state is the one after them.
 */
OKRA_API okra_status okra_run(okra_filter *filter, size_t n, const double *U, const double *Y, const double *weights,
                              double *Yhat, double *variance, size_t *done);
OKRA_API okra_status okra_run_f32(okra_filter *filter, size_t n, const float *U, const float *Y, const float *weights,
                                  float *Yhat, float *variance, size_t *done);

/* A row that is not there: time goes on, lags have a gap. Never refused, and so the way on after a refusal that is due
 * to an older row: its label, that the algorithm will not learn, or its value as a lag. */
OKRA_API okra_status okra_skip(okra_filter *filter);

/* ---- asking ---------------------------------------------------------------------------------------------- */

/* Bytes of scratch that okra_predict() needs. */
OKRA_API size_t okra_scratch_size(const okra_filter *filter);

/*
 * What the next row would be predicted as, if its inputs were these: n alternatives, U is n x inputs, Yhat and variance
 * (may be NULL) are n x outputs, with the bits that okra_step() would give. The row is not taken: nothing changes, time
 * does not go on, so any number of threads may ask at once, each with its own scratch (any alignment). Stops at the
 * first alternative that a step would refuse, with that step's status; those before it are written, and what Yhat and
 * variance hold from it on means nothing.
 *
 * variance: how sure the prediction is, from which an interval follows as yhat +- q sqrt(variance). For the recipes
 * whose row in the table says so (okra_recipe.variance). rff-krls and rls: noise estimate x (1 + z'Pz). krls: the same
 * of its coordinates, and amplitude x delta, the prior variance of the function times the squared distance from the
 * span of the centres. auto: of the mixture, the members' own and their spread about the mean. Infinite before there
 * was an error to estimate the noise from, and where it does not fit the precision; NaN only where the row cannot be
 * predicted. Others answer OKRA_E_UNSUPPORTED.
 */
OKRA_API okra_status okra_predict(const okra_filter *filter, void *scratch, size_t n, const double *U, double *Yhat,
                                  double *variance);
OKRA_API okra_status okra_predict_f32(const okra_filter *filter, void *scratch, size_t n, const float *U, float *Yhat,
                                      float *variance);

/*
 * What the algorithm would see of a row, for those who learn by themselves: x[inputs of okra_bare_spec()] and
 * target[outputs], both scaled; NaN where something is missing. Nothing is predicted or learnt, and the row becomes the
 * past. Not during the warm-up, where a scale or width that was estimated may still be replaced: OKRA_E_UNSUPPORTED,
 * and the row is not taken. For filters of precision OKRA_F64.
 */
OKRA_API okra_status okra_embed(okra_filter *filter, const double *u, const double *y, double *x, double *target);

/* ---- looking inside -------------------------------------------------------------------------------------- */

/* How filters of one spec that were taught apart become one: okra_merge() of libokra-lab. */
typedef enum okra_merging {
    OKRA_MERGE_NONE = 0,  /* not                                                                     */
    OKRA_MERGE_EXACT = 1, /* as if one had seen all samples: RLS, where it forgets nothing (beta = 1) */
    OKRA_MERGE_MEAN = 2   /* theta averaged by the samples learnt: LMS and NLMS                       */
} okra_merging;

typedef struct okra_stats {
    uint64_t rows;     /* taken since create or reset                              */
    uint64_t learnt;   /* samples learnt since then                                */
    uint64_t restarts; /* of a filter that chooses scale and width by itself (recipe auto): how often it has begun to
                          choose them again, because most columns had left the range that they were chosen for. What was
                          learnt goes on being used for 64 rows more; then the rows since the restart, which the counter
                          `since` tells, are all that it knows */
    size_t bytes;      /* memory of the whole filter                               */
    size_t features;   /* D: numbers in a z                                        */
    size_t centres;    /* of a dictionary; 0 where there is none                   */
    uint64_t full;     /* times that a full dictionary would have grown            */
    okra_merging merging;
    uint64_t updates; /* samples that moved what was learnt: fewer than `learnt` if errors within a tolerance do not */
    uint64_t reserved[7];
} okra_stats;

OKRA_API okra_status okra_get_stats(const okra_filter *filter, okra_stats *stats);

/* The spec that the filter was made from; omega and phase are NULL in it. */
OKRA_API const okra_spec *okra_get_spec(const okra_filter *filter);

/*
 * The spec of a bare filter that sees what the algorithm sees: its inputs are the taps of inputs and targets, its sigma
 * is the width in force (OKRA_SIGMA_AUTO until one has been found), and it has neither lags nor scale.
 */
OKRA_API okra_status okra_bare_spec(const okra_filter *filter, okra_spec *bare);

/*
 * The state: arrays in natural order, whatever the layout inside, and counters. Together they are all that a filter has
 * learnt: written into a new filter of the same spec, the counters first, because sizes can depend on them, and the
 * arrays in their order, they make a twin that goes on with the same bits.
 *
 * `theta` is outputs x D. A random map adds `omega`, D x inputs, and `phase`, D, both in cycles (radians over 2 pi), as
 * the filter computes with them. RLS: `d` and `u`, the factors of P = U diag(d) U', U unit upper, its columns one after
 * the other down to the diagonal. A dictionary: `centres`, M x inputs, and `alpha`, outputs x M. What was found by
 * itself is state too: `sigma`, `scale.mean`, `scale.deviation`.
 */
typedef struct okra_array {
    const char *name; /* static */
    size_t rows, cols;
} okra_array;

/* Array i = 0, 1, .. of the filter; OKRA_E_ARRAY past the last. */
OKRA_API okra_status okra_array_at(const okra_filter *filter, size_t i, okra_array *array);

/* Copies an array out, or in: rows x cols numbers of the filter's precision, row by row. What goes in must be finite,
 * but for missing values in a stream's past: else OKRA_E_SAMPLE. */
OKRA_API okra_status okra_array_read(const okra_filter *filter, const char *name, void *out);
OKRA_API okra_status okra_array_write(okra_filter *filter, const char *name, const void *in);

typedef struct okra_counter {
    const char *name; /* static */
    uint64_t value;
    uint64_t max; /* the largest value it may be given */
} okra_counter;

/* Counter i = 0, 1, .. of the filter; OKRA_E_ARRAY past the last. The first is `rows`, the number of rows taken. */
OKRA_API okra_status okra_counter_at(const okra_filter *filter, size_t i, okra_counter *counter);

/* Gives a counter a value; OKRA_E_PARAMETER where that is more than its `max`. */
OKRA_API okra_status okra_counter_write(okra_filter *filter, const char *name, uint64_t value);

/*
 * A filter to be put together from its state: as okra_create(), but no map is drawn, which can take longer than
 * everything else. Every counter and then every array must be written, in the order of okra_counter_at() and
 * okra_array_at(), before the filter is used: what follows from them is computed once, after the last.
 */
OKRA_API okra_status okra_create_empty(const okra_spec *spec, okra_filter **filter);

#ifdef __cplusplus
}
#endif
#endif
