#include "narrow.h"

#include "handle.h"

#if !defined(OKRA_NO_F64) && !defined(OKRA_NO_F32)

static const float *narrowed(size_t n, const double *from, float *to)
{
    for (size_t i = 0; from && i < n; i++)
        to[i] = (float)from[i];
    return from ? to : NULL;
}

static void widen(size_t n, const float *from, double *to)
{
    for (size_t i = 0; to && i < n; i++)
        to[i] = (double)from[i];
}

okra_status okra_narrow_step(okra_filter *filter, const double *u, const double *y, double weight, double *yhat,
                             double *variance)
{
    size_t inputs = filter->spec.inputs, outputs = filter->spec.outputs;
    float *row = filter->narrow, *target = row + inputs, *predicted = target + outputs, *spread = predicted + outputs;
    okra_status status = okra_step_f32(filter, narrowed(inputs, u, row), narrowed(outputs, y, target), (float)weight,
                                       predicted, variance ? spread : NULL);
    if (!status)
        widen(outputs, predicted, yhat), widen(outputs, spread, variance);
    return status;
}

okra_status okra_narrow_begin(okra_filter *filter, const double *u, double *yhat, double *variance)
{
    size_t inputs = filter->spec.inputs, outputs = filter->spec.outputs;
    float *row = filter->narrow, *predicted = row + inputs, *spread = predicted + outputs;
    okra_status status = okra_begin_f32(filter, narrowed(inputs, u, row), predicted, variance ? spread : NULL);
    if (!status)
        widen(outputs, predicted, yhat), widen(outputs, spread, variance);
    return status;
}

okra_status okra_narrow_commit(okra_filter *filter, const double *y, double weight)
{
    return okra_commit_f32(filter, narrowed(filter->spec.outputs, y, filter->narrow), (float)weight);
}

/* The array from row i on; NULL stays NULL. */
static const double *from_row(const double *a, size_t i, size_t columns) { return a ? a + i * columns : NULL; }
static double *into_row(double *a, size_t i, size_t columns) { return a ? a + i * columns : NULL; }

okra_status okra_narrow_run(okra_filter *filter, size_t n, const double *U, const double *Y, const double *weights,
                            double *Yhat, double *variance, size_t *done)
{
    size_t inputs = filter->spec.inputs, outputs = filter->spec.outputs;
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status = okra_narrow_step(filter, from_row(U, i, inputs), from_row(Y, i, outputs), weights ? weights[i] : 1,
                                  into_row(Yhat, i, outputs), into_row(variance, i, outputs));
        *done += !status;
    }
    return status;
}

okra_status okra_narrow_predict(const okra_filter *filter, void *scratch, size_t n, const double *U, double *Yhat,
                                double *variance)
{
    size_t inputs = filter->spec.inputs, outputs = filter->spec.outputs;
    float *row = okra_align(scratch), *predicted = row + inputs, *spread = predicted + outputs;
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status = okra_predict_f32(filter, spread + outputs, 1, narrowed(inputs, from_row(U, i, inputs), row), predicted,
                                  variance ? spread : NULL);
        if (!status)
            widen(outputs, predicted, into_row(Yhat, i, outputs)),
                widen(outputs, spread, into_row(variance, i, outputs));
    }
    return status;
}

#endif
