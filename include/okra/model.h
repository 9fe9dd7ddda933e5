/*
 * Models: what a user trains on a stream, saves and asks. A model is embed + scale + map + filter: it keeps the lags
 * that a row is predicted from, delays labels honestly where the horizon is above 1, and finds scale and kernel width
 * by itself where asked to.
 *
 * Row t has inputs u[t] and targets y[t]. It is predicted from
 *
 *     u[t - lag_from] .. u[t - lag_from - lags + 1]      of each input, and
 *     y[t - horizon]  .. y[t - horizon - target_lags + 1] of each target,
 *
 * and y[s] is learnt after row s + horizon - 1 has been predicted, before row s + horizon is: no prediction uses what
 * would not have been known.
 *
 * What to build is an okra_spec (okra/spec.h) whose `inputs` are the columns of u, 0 or more, and whose `outputs` are
 * the targets. Where scale or sigma are automatic they are estimated anew, and the rows seen so far learnt anew, after
 * rows 16, 64, 256, .. and after row `warmup`, the last; what the filter then refuses of them is passed over. Where
 * neither is, `warmup` costs nothing.
 *
 * Nothing is allocated after create. As with filters, each call with numbers comes in double and, with _f32, in
 * float32.
 */
#ifndef OKRA_MODEL_H
#define OKRA_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/filter.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct okra_model okra_model;

/* OKRA_OK where okra_model_create() would accept the spec, memory permitting; else the reason, in words in `why` (may
 * be NULL). */
OKRA_API okra_status okra_model_spec_check(const okra_spec *spec, okra_message *why);

/* Builds a model; on success *model is the caller's, to be given to okra_model_free(). On failure *model is NULL. */
OKRA_API okra_status okra_model_create(const okra_spec *spec, okra_model **model);
OKRA_API void okra_model_free(okra_model *model);

/* The bytes that a model of this spec takes; 0 where the spec is not valid. */
OKRA_API size_t okra_model_size(const okra_spec *spec);

/* Back to the state of a new model. */
OKRA_API okra_status okra_model_reset(okra_model *model);

/*
 * One row: predicts it into yhat[targets] (may be NULL), then takes its target and learns what is due.
 *
 * u[inputs] may hold NaN where a value is missing: the row, and those that need it as a lag, cannot be predicted.
 * y[targets] may be NULL or hold NaN: the row is then predicted and not learnt. Where a row cannot be predicted,
 * because a lag is missing or not there yet, yhat is NaN. weight >= 0 is the sample's; 1 is ordinary. Before the first
 * estimate of an automatic scale or width (row 16) yhat is the mean of the targets that were to be learnt so far.
 *
 * A status other than OKRA_OK leaves the model as it was: OKRA_E_SAMPLE where a number is infinite or the weight
 * negative or NaN, or what the filter says.
 */
OKRA_API okra_status okra_model_step(okra_model *model, const double *u, const double *y, double weight, double *yhat);
OKRA_API okra_status okra_model_step_f32(okra_model *model, const float *u, const float *y, float weight, float *yhat);

/*
 * okra_model_step() that also gives the predictive variance of each target, as okra_predict_variance() does, in the
 * targets' own units. OKRA_E_UNSUPPORTED where the recipe has none. NaN where the row cannot be predicted, infinite
 * where nothing is known yet.
 */
OKRA_API okra_status okra_model_step_variance(okra_model *model, const double *u, const double *y, double weight,
                                              double *yhat, double *variance);
OKRA_API okra_status okra_model_step_variance_f32(okra_model *model, const float *u, const float *y, float weight,
                                                  float *yhat, float *variance);

/*
 * A row without learning: as okra_model_step() (variance may be NULL), but nothing is learnt, ever, from this row; u
 * and y still become lags of later rows.
 */
OKRA_API okra_status okra_model_predict(okra_model *model, const double *u, const double *y, double *yhat,
                                        double *variance);
OKRA_API okra_status okra_model_predict_f32(okra_model *model, const float *u, const float *y, float *yhat,
                                            float *variance);

/* Bytes of scratch that okra_model_ask() needs. */
OKRA_API size_t okra_model_scratch_size(const okra_model *model);

/*
 * What the next row would be predicted as, if its inputs were these: n alternatives, U is n x inputs, Yhat and variance
 * (may be NULL) are n x targets, with the bits that okra_model_step() would give. The row is not taken: nothing
 * changes, time does not go on, so any number of threads may ask at once, each with its own scratch (any alignment).
 * Stops at the first alternative that a step would refuse, with that step's status; those before it are written.
 */
OKRA_API okra_status okra_model_ask(const okra_model *model, void *scratch, size_t n, const double *U, double *Yhat,
                                    double *variance);
OKRA_API okra_status okra_model_ask_f32(const okra_model *model, void *scratch, size_t n, const float *U, float *Yhat,
                                        float *variance);

/*
 * What the filter would see of a row, for those who learn by themselves: x[inputs of the filter] and target[targets],
 * both scaled; NaN where something is missing. Nothing is predicted or learnt, and the row becomes the past. Not during
 * the warm-up, where a scale or width that was estimated may still be replaced: OKRA_E_UNSUPPORTED, and the row is not
 * taken.
 */
OKRA_API okra_status okra_model_embed(okra_model *model, const double *u, const double *y, double *x, double *target);
OKRA_API okra_status okra_model_embed_f32(okra_model *model, const float *u, const float *y, float *x, float *target);

/* A row that is not there: time goes on, lags have a gap. Never refused, and so the way on after a refusal that is due
 * to an older row: its label, that the filter will not learn, or its value as a lag. */
OKRA_API okra_status okra_model_skip(okra_model *model);

/* ---- looking inside ----------------------------------------------------------------------------------------- */

/* The spec, with the width in force in sigma where it was automatic (OKRA_SIGMA_AUTO until the first estimate);
 * omega and phase are NULL. */
OKRA_API const okra_spec *okra_model_get_spec(const okra_model *model);

/* Whether the width is, or was, to be found by the model. */
OKRA_API bool okra_model_sigma_is_auto(const okra_model *model);

/*
 * How often a model that chooses scale and width by itself (recipe auto) has begun to choose them again, because most
 * columns had left the range that they were chosen for. What was learnt goes on being used for 64 rows more; then the
 * rows since the restart are all that the model knows. The counter `since` is the row that it began with.
 */
OKRA_API uint64_t okra_model_restarts(const okra_model *model);

/* The filter inside: its statistics, state and spec. Owned by the model. */
OKRA_API const okra_filter *okra_model_filter(const okra_model *model);

/*
 * The whole state of a model as counters and arrays, its filter's included, as with filters: written into a new model
 * of the same spec, the counters first, they make a twin that goes on with the same bits. Numbers are of the model's
 * precision; NaN is allowed in the model's own arrays.
 */
OKRA_API okra_status okra_model_counter_at(const okra_model *model, size_t i, okra_counter *counter);
OKRA_API okra_status okra_model_counter_write(okra_model *model, const char *name, uint64_t value);
OKRA_API okra_status okra_model_array_at(const okra_model *model, size_t i, okra_array *array);
OKRA_API okra_status okra_model_array_read(const okra_model *model, const char *name, void *out);
OKRA_API okra_status okra_model_array_write(okra_model *model, const char *name, const void *in);

/*
 * A model to be put together from its state: as okra_model_create(), but no map is drawn, which can take longer than
 * everything else. Every counter and array must be written before the model is used. `sigma` is the width in force
 * where the spec's is OKRA_SIGMA_AUTO, or OKRA_SIGMA_AUTO where there is none yet; it is not looked at otherwise.
 */
OKRA_API okra_status okra_model_create_blank(const okra_spec *spec, double sigma, okra_model **model);

/* The width in force, for a model that is being put together from its state: only where the spec's was OKRA_SIGMA_AUTO.
 * Draws the map anew. */
OKRA_API okra_status okra_model_set_sigma(okra_model *model, double sigma);

#ifdef __cplusplus
}
#endif
#endif
