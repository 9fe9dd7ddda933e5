/*
 * One face for models of both precisions.
 */
#include "learner.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static okra_status take_room(learner *l)
{
    if (!l->f32)
        return OKRA_OK;
    l->u = calloc(l->inputs + 1, sizeof(float)); /* a time series has no inputs */
    l->y = calloc(l->outputs, sizeof(float));
    l->yhat = calloc(l->outputs, sizeof(float));
    l->variance = calloc(l->outputs, sizeof(float));
    return l->u && l->y && l->yhat && l->variance ? OKRA_OK : OKRA_E_MEMORY;
}

okra_status learner_adopt(learner *l, okra_model *model)
{
    const okra_spec *spec = okra_model_get_spec(model);
    *l =
        (learner){.model = model, .inputs = spec->inputs, .outputs = spec->outputs, .f32 = spec->precision == OKRA_F32};
    return take_room(l);
}

okra_status learner_start(learner *l, const okra_spec *spec)
{
    okra_model *model;
    *l = (learner){0};
    okra_status status = okra_model_create(spec, &model);
    return status ? status : learner_adopt(l, model);
}

void learner_free(learner *l)
{
    okra_model_free(l->model);
    free(l->u);
    free(l->y);
    free(l->yhat);
    free(l->variance);
    *l = (learner){0};
}

void learner_freeze(learner *l)
{
    size_t n = okra_model_get_spec(l->model)->horizon;
    double *never = calloc(n, sizeof *never); /* of either precision: the model says what a label's weight below 0 is */
    for (size_t i = 0; never && i < n; i++)
        if (l->f32)
            ((float *)never)[i] = -1;
        else
            never[i] = -1;
    if (never)
        okra_model_array_write(l->model, "pending.weight", never);
    free(never);
}

static void narrow(size_t n, const double *from, float *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static void widen(size_t n, const float *from, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (double)from[i];
}

static void narrow_row(learner *l, const double *u, const double *y)
{
    narrow(l->inputs, u, l->u);
    narrow(l->outputs, y, l->y);
}

static void widen_answer(const learner *l, double *yhat, double *variance)
{
    widen(l->outputs, l->yhat, yhat);
    if (variance)
        widen(l->outputs, l->variance, variance);
}

static okra_status step_f32(learner *l, const double *u, const double *y, double weight, double *yhat, double *variance)
{
    narrow_row(l, u, y);
    okra_status status = variance
                             ? okra_model_step_variance_f32(l->model, l->u, l->y, (float)weight, l->yhat, l->variance)
                             : okra_model_step_f32(l->model, l->u, l->y, (float)weight, l->yhat);
    widen_answer(l, yhat, variance);
    return status;
}

okra_status learner_step(learner *l, const double *u, const double *y, double weight, double *yhat, double *variance)
{
    if (l->f32)
        return step_f32(l, u, y, weight, yhat, variance);
    return variance ? okra_model_step_variance(l->model, u, y, weight, yhat, variance)
                    : okra_model_step(l->model, u, y, weight, yhat);
}

okra_status learner_predict(learner *l, const double *u, const double *y, double *yhat, double *variance)
{
    if (!l->f32)
        return okra_model_predict(l->model, u, y, yhat, variance);
    narrow_row(l, u, y);
    okra_status status = okra_model_predict_f32(l->model, l->u, l->y, l->yhat, variance ? l->variance : NULL);
    widen_answer(l, yhat, variance);
    return status;
}

uint64_t learner_learnt(const learner *l)
{
    okra_stats stats = {0};
    okra_get_stats(okra_model_filter(l->model), &stats);
    return stats.learnt;
}

void learner_error(const learner *l, const double *y, const double *yhat, double *error)
{
    for (size_t j = 0; j < l->outputs; j++)
        error[j] = l->f32 ? (double)((float)y[j] - (float)yhat[j]) : y[j] - yhat[j];
}

double learner_rounded(const learner *l, double value) { return l->f32 ? (double)(float)value : value; }

/* Rounding keeps order, so lo <= yhat <= hi. Nothing is known where the variance is not finite, even for q = 0. */
void learner_interval(const learner *l, double q, const double *yhat, const double *variance, double *lo, double *hi)
{
    for (size_t j = 0; j < l->outputs; j++) {
        double half = isfinite(variance[j]) ? q * sqrt(variance[j]) : (double)INFINITY;
        lo[j] = learner_rounded(l, yhat[j] - half);
        hi[j] = learner_rounded(l, yhat[j] + half);
    }
}

bool learner_fits(const learner *l, double value) { return l->f32 ? fabs(value) <= (double)FLT_MAX : isfinite(value); }
