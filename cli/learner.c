/*
 * One face for filters of both precisions.
 */
#include "learner.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

okra_status learner_start(learner *l, const okra_spec *spec)
{
    *l = (learner){.inputs = spec->inputs, .outputs = spec->outputs, .f32 = spec->precision == OKRA_F32};
    if (l->f32) {
        l->x = calloc(l->inputs, sizeof(float));
        l->y = calloc(l->outputs, sizeof(float));
        l->yhat = calloc(l->outputs, sizeof(float));
        if (!l->x || !l->y || !l->yhat)
            return OKRA_E_MEMORY;
    }
    return okra_create(spec, &l->filter);
}

void learner_free(learner *l)
{
    okra_free(l->filter);
    free(l->x);
    free(l->y);
    free(l->yhat);
    *l = (learner){0};
}

static void narrow(size_t n, const double *from, float *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static okra_status step_f32(learner *l, const double *x, const double *y, double weight, double *yhat)
{
    narrow(l->inputs, x, l->x);
    if (y)
        narrow(l->outputs, y, l->y);
    okra_status status = y ? okra_step_weighted_f32(l->filter, l->x, l->y, (float)weight, l->yhat)
                           : okra_predict_f32(l->filter, 1, l->x, l->yhat);
    for (size_t j = 0; j < l->outputs; j++)
        yhat[j] = (double)l->yhat[j];
    return status;
}

okra_status learner_step(learner *l, const double *x, const double *y, double weight, double *yhat)
{
    if (l->f32)
        return step_f32(l, x, y, weight, yhat);
    return y ? okra_step_weighted(l->filter, x, y, weight, yhat) : okra_predict(l->filter, 1, x, yhat);
}

void learner_error(const learner *l, const double *y, const double *yhat, double *error)
{
    for (size_t j = 0; j < l->outputs; j++)
        error[j] = l->f32 ? (double)((float)y[j] - (float)yhat[j]) : y[j] - yhat[j];
}

bool learner_fits(const learner *l, double value) { return l->f32 ? fabs(value) <= (double)FLT_MAX : isfinite(value); }
