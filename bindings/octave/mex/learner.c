/* Learners: filters where a filter is enough, because they take blocks; models otherwise. Model files hold models. */
#include "gateway.h"

#include <stdlib.h>
#include <string.h>

static bool has_memory(const okra_spec *spec)
{
    return spec->lags > 1 || spec->lag_from > 0 || spec->target_lags > 0 || spec->horizon > 1;
}

static bool needs_model(const okra_spec *spec)
{
    return has_memory(spec) || spec->scale != OKRA_SCALE_NONE || spec->sigma == OKRA_SIGMA_AUTO;
}

static learner wrap(okra_filter *filter, okra_model *model)
{
    const okra_spec *spec = filter ? okra_get_spec(filter) : okra_model_get_spec(model);
    return (learner){.filter = filter,
                     .model = model,
                     .inputs = spec->inputs,
                     .outputs = spec->outputs,
                     .single = spec->precision == OKRA_F32,
                     .ordered = model && has_memory(spec)};
}

learner learner_create(const okra_spec *spec)
{
    okra_filter *filter = NULL;
    okra_model *model = NULL;
    if (needs_model(spec))
        expect(okra_model_create(spec, &model));
    else
        expect(okra_create(spec, &filter));
    return wrap(filter, model);
}

const okra_filter *learner_filter(const learner *of) { return of->filter ? of->filter : okra_model_filter(of->model); }

void learner_free(learner *of)
{
    okra_free(of->filter);
    okra_model_free(of->model);
    *of = (learner){0};
}

/* ---- copies and files ------------------------------------------------------------------------------------ */

static okra_status write_counters(const okra_filter *from, okra_model *to)
{
    okra_counter counter;
    okra_status status = OKRA_OK;
    for (size_t i = 0; !status && okra_counter_at(from, i, &counter) == OKRA_OK; i++)
        status = okra_model_counter_write(to, counter.name, counter.value);
    return status;
}

static okra_status write_arrays(const okra_filter *from, okra_model *to)
{
    okra_array array;
    okra_status status = OKRA_OK;
    for (size_t i = 0; !status && okra_array_at(from, i, &array) == OKRA_OK; i++) {
        void *numbers = mxCalloc(array.rows * array.cols, sizeof(double));
        status = okra_array_read(from, array.name, numbers);
        status = status ? status : okra_model_array_write(to, array.name, numbers);
        mxFree(numbers);
    }
    return status;
}

/* The filter with the plainest model around it, as a model file holds it. */
static okra_model *model_around(const okra_filter *filter)
{
    okra_model *model;
    expect(okra_model_create(okra_get_spec(filter), &model));
    okra_status status = write_counters(filter, model);
    status = status ? status : write_arrays(filter, model);
    if (status) {
        okra_model_free(model);
        expect(status);
    }
    return model;
}

void learner_save(const learner *of, const char *path)
{
    okra_message why;
    okra_model *model = of->model ? of->model : model_around(of->filter);
    okra_status status = okra_model_save(model, path, NULL, &why);
    if (!of->model)
        okra_model_free(model);
    expect_said(status, &why);
}

learner learner_load(const char *path)
{
    okra_message why;
    okra_model *model;
    okra_filter *filter;
    expect_said(okra_model_load(path, &model, NULL, &why), &why);
    if (needs_model(okra_model_get_spec(model)) || okra_model_sigma_is_auto(model))
        return wrap(NULL, model);
    okra_status status = okra_clone(okra_model_filter(model), &filter);
    okra_model_free(model);
    expect(status);
    return wrap(filter, NULL);
}

static learner copy_model(const okra_model *model)
{
    okra_message why;
    okra_model *twin;
    unsigned char *bytes;
    size_t size;
    expect_said(okra_model_pack(model, NULL, &bytes, &size, &why), &why);
    okra_status status = okra_model_unpack(bytes, size, &twin, NULL, &why);
    free(bytes);
    expect_said(status, &why);
    return wrap(NULL, twin);
}

learner learner_copy(const learner *of)
{
    okra_filter *twin;
    if (of->model)
        return copy_model(of->model);
    expect(okra_clone(of->filter, &twin));
    return wrap(twin, NULL);
}
