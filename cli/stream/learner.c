/*
 * Filters over rows with gaps, and numbers as they have them.
 */
#include "learner.h"

#include <math.h>
#include <string.h>

void learner_adopt(learner *l, okra_filter *model)
{
    const okra_spec *spec = okra_get_spec(model);
    *l =
        (learner){.model = model, .inputs = spec->inputs, .outputs = spec->outputs, .f32 = spec->precision == OKRA_F32};
}

okra_status learner_start(learner *l, const okra_spec *spec)
{
    okra_filter *model;
    *l = (learner){0};
    okra_status status = okra_create(spec, &model);
    if (!status)
        learner_adopt(l, model);
    return status;
}

void learner_free(learner *l)
{
    okra_free(l->model);
    *l = (learner){0};
}

static bool lacks(size_t n, const double *values)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(values[i]))
            return true;
    return false;
}

/* A bare filter refuses missing values: such a row is not learnt, and at best predicted. */
static okra_status step_over_gap(learner *l, const double *u, const double *y, double *yhat, double *variance)
{
    if (lacks(l->inputs, u)) {
        for (size_t j = 0; j < l->outputs; j++)
            yhat[j] = (double)NAN;
        for (size_t j = 0; variance && j < l->outputs; j++)
            variance[j] = (double)NAN;
        return okra_skip(l->model);
    }
    return lacks(l->outputs, y) ? okra_step(l->model, u, NULL, 1, yhat, variance) : OKRA_E_SAMPLE;
}

okra_status learner_run(learner *l, size_t n, const double *u, const double *y, const double *weight, double *yhat,
                        double *variance, size_t *done)
{
    okra_status status = OKRA_OK;
    *done = 0;
    while (*done < n && !status) {
        size_t i = *done, taken = 0;
        double *var = variance ? variance + i * l->outputs : NULL;
        status = okra_run(l->model, n - i, u + i * l->inputs, y + i * l->outputs, weight ? weight + i : NULL,
                          yhat + i * l->outputs, var, &taken);
        i = *done += taken;
        if (status != OKRA_E_SAMPLE)
            continue;
        var = variance ? variance + i * l->outputs : NULL;
        status = step_over_gap(l, u + i * l->inputs, y + i * l->outputs, yhat + i * l->outputs, var);
        *done += !status;
    }
    return status;
}

okra_spec learner_spec(const learner *l)
{
    okra_spec spec = *okra_get_spec(l->model), bare;
    if (!okra_bare_spec(l->model, &bare)) {
        spec.sigma = bare.sigma;
        memcpy(spec.widths, bare.widths, sizeof spec.widths);
    }
    return spec;
}

uint64_t learner_learnt(const learner *l)
{
    okra_stats stats = {0};
    okra_get_stats(l->model, &stats);
    return stats.learnt;
}

uint64_t learner_counter(const learner *l, const char *name)
{
    okra_counter counter;
    for (size_t i = 0; !okra_counter_at(l->model, i, &counter); i++)
        if (strcmp(counter.name, name) == 0)
            return counter.value;
    return 0;
}

void learner_error(const learner *l, const double *y, const double *yhat, double *error)
{
    for (size_t j = 0; j < l->outputs; j++)
        error[j] = l->f32 ? (double)((float)y[j] - (float)yhat[j]) : y[j] - yhat[j];
}

static double rounded(const learner *l, double value) { return l->f32 ? (double)(float)value : value; }

/* Rounding keeps order, so lo <= yhat <= hi. If the variance is not finite, the interval is unknown, even for q = 0. */
void learner_interval(const learner *l, double q, const double *yhat, const double *variance, double *lo, double *hi)
{
    for (size_t j = 0; j < l->outputs; j++) {
        double half = isfinite(variance[j]) ? q * sqrt(variance[j]) : (double)INFINITY;
        lo[j] = rounded(l, yhat[j] - half);
        hi[j] = rounded(l, yhat[j] + half);
    }
}
