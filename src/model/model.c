/* Models: checked, sized and made here; the rows are in stream.c. */
#include <string.h>

#include "../core/precision.h"
#include "../filter/check.h"
#include "../filter/engine.h"
#include "handle.h"

/* ---- specs -------------------------------------------------------------------------------------------------- */

/* Whether a recipe is for those who choose nothing: its width is automatic unless one is given. */
static bool chooses_for_itself(const char *recipe)
{
    okra_spec spec;
    return okra_spec_init(&spec, recipe, 1, 1) == OKRA_OK && spec.sigma == OKRA_SIGMA_AUTO;
}

/* The filter's spec as it will be built: with the inputs that the embedding gives, and some width where it is yet to be
 * found. */
static okra_spec filter_spec(const okra_spec *spec)
{
    okra_spec filter = *spec;
    filter.inputs = model_dimension(spec);
    filter.lags = filter.horizon = 1;
    filter.lag_from = filter.target_lags = 0;
    filter.scale = OKRA_SCALE_NONE;
    filter.delay = spec->horizon > 1 ? spec->horizon : 0;
    if (filter.sigma == OKRA_SIGMA_AUTO)
        filter.sigma = 1;
    return filter;
}

okra_status okra_model_spec_check(const okra_spec *spec, okra_message *why)
{
    if (!spec)
        return okra_refuse(OKRA_E_NULL, why, "%s", okra_strerror(OKRA_E_NULL));
    okra_status status = okra_check_stream(spec, why);
    if (status)
        return status;
    if (model_dimension(spec) == 0)
        return okra_refuse(OKRA_E_PARAMETER, why, "nothing to predict from: give inputs, or target lags of 1 or more");
    if (spec->sigma == OKRA_SIGMA_AUTO && okra_spec_widths(spec) > 1)
        return okra_refuse(OKRA_E_PARAMETER, why, "an automatic sigma is one width: leave sigma_more zero");
    okra_spec filter = filter_spec(spec);
    return okra_spec_check(&filter, why);
}

/* ---- making ------------------------------------------------------------------------------------------------- */

static const okra_model_ops *ops_of(const okra_model *model)
{
    return OKRA_OF_PRECISION(model->spec.precision, okra_model_ops);
}

static void lay_out(okra_model *model, okra_block *block)
{
    okra_block_take(block, 1, sizeof *model);
    model->filter_memory = okra_block_take(block, 1, model->filter_bytes);
    ops_of(model)->lay_out(model, block);
}

/* How the filter inside is made: okra_init() or okra_init_blank(). */
typedef okra_status filter_maker(void *memory, size_t bytes, const okra_spec *spec, okra_filter **filter);

static okra_status build(okra_model *model, const okra_spec *filter, filter_maker *make)
{
    okra_block block = okra_block_at(model);
    lay_out(model, &block);
    okra_status status = make(model->filter_memory, model->filter_bytes, filter, &model->filter);
    return status ? status : okra_model_reset(model);
}

/* The handle as it will stand at the head of its block, the bytes of the whole, and the spec of the filter inside. */
static okra_status plan(const okra_spec *spec, okra_model *model, okra_spec *filter)
{
    okra_status status = okra_model_spec_check(spec, NULL);
    if (status)
        return status;
    *filter = filter_spec(spec);
    *model = (okra_model){.spec = *spec, .sigma_auto = spec->sigma == OKRA_SIGMA_AUTO && !spec->omega};
    model->warms_up = model->sigma_auto || spec->scale == OKRA_SCALE_AUTO;
    model->follows = model->sigma_auto && spec->scale == OKRA_SCALE_AUTO && chooses_for_itself(filter->recipe);
    model->filter_bytes = okra_size(filter);
    model->spec.recipe = okra_recipe_find(filter->recipe)->name;
    model->spec.omega = model->spec.phase = NULL;
    okra_block block = okra_block_measure();
    lay_out(model, &block);
    model->bytes = okra_block_bytes(&block);
    return model->filter_bytes == 0 || model->bytes == 0 ? OKRA_E_SIZE : OKRA_OK;
}

size_t okra_model_size(const okra_spec *spec)
{
    okra_model planned;
    okra_spec filter;
    return spec && plan(spec, &planned, &filter) == OKRA_OK ? planned.bytes : 0;
}

static okra_status create(const okra_spec *spec, double sigma, filter_maker *make, okra_model **model)
{
    if (!spec || !model)
        return OKRA_E_NULL;
    *model = NULL;
    okra_model planned;
    okra_spec filter;
    okra_status status = plan(spec, &planned, &filter);
    if (status)
        return status;
    okra_model *made = okra_block_allocate(planned.bytes);
    if (!made)
        return OKRA_E_MEMORY;
    *made = planned;
    bool in_force = made->sigma_auto && sigma != OKRA_SIGMA_AUTO;
    if (in_force)
        filter.sigma = sigma;
    status = build(made, &filter, make);
    if (!status && in_force)
        made->spec.sigma = sigma;
    if (status)
        okra_block_release(made);
    else
        *model = made;
    return status;
}

okra_status okra_model_create(const okra_spec *spec, okra_model **model)
{
    return create(spec, OKRA_SIGMA_AUTO, okra_init, model);
}

okra_status okra_model_create_blank(const okra_spec *spec, double sigma, okra_model **model)
{
    return create(spec, sigma, okra_init_blank, model);
}

void okra_model_free(okra_model *model) { okra_block_release(model); }

okra_status model_rebuild_filter(okra_model *model, double sigma)
{
    okra_spec filter = filter_spec(&model->spec);
    filter.sigma = sigma;
    okra_status status = okra_init(model->filter_memory, model->filter_bytes, &filter, &model->filter);
    if (!status)
        model->spec.sigma = sigma;
    return status;
}

okra_status okra_model_reset(okra_model *model)
{
    if (!model)
        return OKRA_E_NULL;
    model->rows = model->since = model->estimated = model->restarts = 0;
    if (model->sigma_auto)
        model->spec.sigma = OKRA_SIGMA_AUTO;
    ops_of(model)->reset(model);
    return okra_reset(model->filter);
}

okra_status okra_model_skip(okra_model *model) { return model ? ops_of(model)->skip(model) : OKRA_E_NULL; }

size_t okra_model_scratch_size(const okra_model *model)
{
    if (!model)
        return 0;
    size_t number = model->spec.precision == OKRA_F32 ? sizeof(float) : sizeof(double);
    return OKRA_ALIGNMENT - 1 + model_dimension(&model->spec) * number + okra_scratch_size(model->filter);
}

/* ---- looking inside ----------------------------------------------------------------------------------------- */

const okra_spec *okra_model_get_spec(const okra_model *model) { return model ? &model->spec : NULL; }

bool okra_model_sigma_is_auto(const okra_model *model) { return model && model->sigma_auto; }

uint64_t okra_model_restarts(const okra_model *model) { return model ? model->restarts : 0; }

const okra_filter *okra_model_filter(const okra_model *model) { return model ? model->filter : NULL; }

okra_status okra_model_set_sigma(okra_model *model, double sigma)
{
    if (!model)
        return OKRA_E_NULL;
    if (!model->sigma_auto)
        return OKRA_E_UNSUPPORTED;
    okra_spec filter = filter_spec(&model->spec);
    filter.sigma = sigma;
    okra_status status = okra_spec_check(&filter, NULL); /* a refusal leaves the model as it was */
    return status ? status : model_rebuild_filter(model, sigma);
}

/* The model's own counters, then the filter's. */
enum { OWN_COUNTERS = 4 };

static uint64_t *own_counter(const okra_model *model, size_t i, okra_counter *counter)
{
    okra_model *m = (okra_model *)model; /* const only for those who read */
    static const char *const names[OWN_COUNTERS] = {"rows", "since", "estimated", "restarts"};
    uint64_t *const counters[OWN_COUNTERS] = {&m->rows, &m->since, &m->estimated, &m->restarts};
    counter->name = names[i];
    counter->most = counters[i] == &m->estimated ? m->spec.warmup : UINT64_MAX;
    return counters[i];
}

okra_status okra_model_counter_at(const okra_model *model, size_t i, okra_counter *counter)
{
    if (!model || !counter)
        return OKRA_E_NULL;
    if (i >= OWN_COUNTERS)
        return okra_counter_at(model->filter, i - OWN_COUNTERS, counter);
    counter->value = *own_counter(model, i, counter);
    return OKRA_OK;
}

okra_status okra_model_counter_write(okra_model *model, const char *name, uint64_t value)
{
    if (!model || !name)
        return OKRA_E_NULL;
    for (size_t i = 0; i < OWN_COUNTERS; i++) {
        okra_counter counter;
        uint64_t *place = own_counter(model, i, &counter);
        if (strcmp(counter.name, name) != 0)
            continue;
        if (value > counter.most)
            return OKRA_E_PARAMETER;
        *place = value;
        return OKRA_OK;
    }
    return okra_counter_write(model->filter, name, value);
}

/* The number of the model's own arrays; the filter's come after. */
static size_t own_arrays(const okra_model *model)
{
    okra_array array;
    size_t n = 0;
    while (ops_of(model)->array_at(model, n, &array) == OKRA_OK)
        n++;
    return n;
}

okra_status okra_model_array_at(const okra_model *model, size_t i, okra_array *array)
{
    if (!model || !array)
        return OKRA_E_NULL;
    size_t own = own_arrays(model);
    return i < own ? ops_of(model)->array_at(model, i, array) : okra_array_at(model->filter, i - own, array);
}

/* The model's own array of that name: its index, or SIZE_MAX. */
static size_t find_own(const okra_model *model, const char *name)
{
    okra_array array;
    for (size_t i = 0; ops_of(model)->array_at(model, i, &array) == OKRA_OK; i++)
        if (strcmp(array.name, name) == 0)
            return i;
    return SIZE_MAX;
}

okra_status okra_model_array_read(const okra_model *model, const char *name, void *out)
{
    if (!model || !name || !out)
        return OKRA_E_NULL;
    size_t i = find_own(model, name);
    return i == SIZE_MAX ? okra_array_read(model->filter, name, out) : ops_of(model)->array_read(model, i, out);
}

okra_status okra_model_array_write(okra_model *model, const char *name, const void *in)
{
    if (!model || !name || !in)
        return OKRA_E_NULL;
    size_t i = find_own(model, name);
    return i == SIZE_MAX ? okra_array_write(model->filter, name, in) : ops_of(model)->array_write(model, i, in);
}
