/* Filters: checks, sizes, creation, and access to the state by name. */
#include <math.h>
#include <string.h>

#include "../core/precision.h"
#include "../spec/check.h"
#include "../spec/params.h"
#include "handle.h"

/* ---- specs -------------------------------------------------------------------------------------------------- */

/* Whether the recipe's default width is automatic. */
static bool chooses_for_itself(const char *recipe)
{
    okra_spec spec;
    return okra_spec_init(&spec, recipe, 1, 1) == OKRA_OK && spec.sigma == OKRA_SIGMA_AUTO;
}

/* The spec with the stream parameters of a bare filter: the recipe's defaults, without scaling. */
static okra_spec without_stream(const okra_spec *spec)
{
    okra_spec bare = *spec;
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    for (size_t i = 0; i < recipe->n_params; i++)
        if (recipe->params[i].param->scope == OKRA_SCOPE_STREAM)
            param_put_number(&bare, recipe->params[i].param, recipe->params[i].value);
    bare.scale = OKRA_SCALE_NONE;
    bare.warmup = spec->warmup; /* its length alone has no effect */
    return bare;
}

/* Whether the filter is only a map and an algorithm. */
static bool is_bare(const okra_spec *spec)
{
    okra_spec bare = without_stream(spec);
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    bool same = (spec->sigma != OKRA_SIGMA_AUTO && spec->widths[0] != OKRA_WIDTHS_AUTO) || spec->omega;
    for (size_t i = 0; i < recipe->n_params && same; i++) {
        const okra_param *p = recipe->params[i].param;
        same = p->scope != OKRA_SCOPE_STREAM || param_get_number(spec, p) == param_get_number(&bare, p);
    }
    return same;
}

#define WIDTH_UNKNOWN 1.0 /* used until the width is estimated */

/* The spec of the engine: the inputs of the embedding, and a placeholder if the width is not yet estimated. */
static okra_spec engine_spec(const okra_spec *spec)
{
    okra_spec bare = without_stream(spec);
    bare.inputs = stream_dimension(spec);
    bare.delay = spec->horizon > 1 ? spec->horizon : 0;
    bool own = chooses_for_itself(spec->recipe);
    if (own)
        bare.scale = spec->scale;
    if (bare.sigma == OKRA_SIGMA_AUTO) /* standardised inputs are that far apart */
        bare.sigma = own ? sqrt(2 * (double)bare.inputs) : WIDTH_UNKNOWN;
    if (bare.widths[0] == OKRA_WIDTHS_AUTO)
        memset(bare.widths, 0, sizeof bare.widths);
    return bare;
}

static okra_status check_stream(const okra_spec *spec, okra_message *why)
{
    okra_status status = okra_check_values(spec, 1 << OKRA_SCOPE_STREAM, why);
    if (!status)
        status = okra_check_columns("inputs", spec->inputs, 0, why);
    return status ? status : okra_check_columns("outputs", spec->outputs, 1, why);
}

okra_status okra_spec_check(const okra_spec *spec, okra_message *why)
{
    if (!spec)
        return okra_refuse(OKRA_E_NULL, why, "%s", okra_strerror(OKRA_E_NULL));
    okra_status status = check_stream(spec, why);
    if (status)
        return status;
    if (stream_dimension(spec) == 0)
        return okra_refuse(OKRA_E_PARAMETER, why, "nothing to predict from: give inputs, or target lags of 1 or more");
    if (spec->sigma == OKRA_SIGMA_AUTO && okra_spec_widths(spec) > 1)
        return okra_refuse(OKRA_E_PARAMETER, why, "an automatic sigma is one width: leave sigma_more zero");
    if (spec->widths[0] == OKRA_WIDTHS_AUTO && okra_spec_input_widths(spec) > 1)
        return okra_refuse(OKRA_E_PARAMETER, why, "widths that are found are not given: leave the others zero");
    okra_spec engine = engine_spec(spec);
    if (spec->widths[0] == OKRA_WIDTHS_AUTO && engine.inputs > OKRA_INPUT_WIDTHS_MAX)
        return okra_refuse(OKRA_E_PARAMETER, why,
                           "widths can be found for up to %d inputs, and there are %zu: leave some out, or use sigma",
                           OKRA_INPUT_WIDTHS_MAX, engine.inputs);
    return okra_engine_check(&engine, why);
}

/* ---- creating ----------------------------------------------------------------------------------------------- */

static const okra_stream_ops *ops_of(const okra_filter *filter)
{
    return OKRA_OF_PRECISION(filter->spec.precision, okra_stream_ops);
}

static void lay_out(okra_filter *filter, okra_block *block)
{
    size_t numbers = filter->spec.precision == OKRA_F32 ? filter->spec.inputs + 3 * filter->spec.outputs : 0;
    okra_block_take(block, 1, sizeof *filter);
    filter->engine = okra_block_take(block, 1, filter->engine_bytes);
    filter->row = okra_block_take(block, filter->spec.inputs, (size_t)filter->spec.precision / 8);
    filter->narrow = okra_block_take(block, numbers, sizeof(float));
    if (!filter->bare)
        ops_of(filter)->lay_out(filter, block);
}

/* Fills in the handle, which will be the head of the block, and the total bytes. */
static okra_status plan(const okra_spec *spec, okra_filter *filter)
{
    okra_status status = okra_spec_check(spec, NULL);
    if (status)
        return status;
    okra_spec engine = engine_spec(spec);
    bool own = chooses_for_itself(spec->recipe);
    bool found = !spec->omega && !own;
    *filter = (okra_filter){.spec = *spec, .widths_auto = found && spec->widths[0] == OKRA_WIDTHS_AUTO};
    filter->sigma_auto = found && spec->sigma == OKRA_SIGMA_AUTO && !filter->widths_auto;
    filter->spec.recipe = okra_recipe_find(spec->recipe)->name; /* ours, not the caller's string .. */
    filter->spec.omega = filter->spec.phase = NULL;             /* .. nor arrays */
    if (!filter->sigma_auto && !own)
        filter->spec.sigma = engine.sigma; /* unused if frequencies are given */
    filter->scales_itself = own;
    filter->warms_up = !own && (filter->sigma_auto || filter->widths_auto || spec->scale == OKRA_SCALE_AUTO);
    filter->bare = is_bare(spec);
    filter->engine_bytes = okra_engine_size(&engine);
    okra_block block = okra_block_measure();
    lay_out(filter, &block);
    filter->bytes = okra_block_bytes(&block);
    return filter->engine_bytes == 0 || filter->bytes == 0 ? OKRA_E_SIZE : OKRA_OK;
}

/* Builds the planned filter in zeroed, aligned memory. */
static okra_status build(void *memory, const okra_filter *planned, const okra_spec *spec, okra_filter **filter)
{
    okra_filter *made = memory;
    okra_spec engine = engine_spec(spec);
    *made = *planned;
    okra_block block = okra_block_at(memory);
    lay_out(made, &block);
    okra_status status = okra_engine_init(made->engine, &engine, made->empty, &made->engine);
    if (status)
        return status;
    *filter = made;
    return okra_reset(made);
}

static okra_status create(const okra_spec *spec, bool empty, okra_filter **filter)
{
    if (!spec || !filter)
        return OKRA_E_NULL;
    *filter = NULL;
    okra_filter planned;
    okra_status status = plan(spec, &planned);
    if (status)
        return status;
    void *memory = okra_block_allocate(planned.bytes);
    if (!memory)
        return OKRA_E_MEMORY;
    planned.owns_memory = true;
    planned.empty = planned.loading = empty;
    status = build(memory, &planned, spec, filter);
    if (status)
        okra_block_release(memory);
    return status;
}

okra_status okra_create(const okra_spec *spec, okra_filter **filter) { return create(spec, false, filter); }

okra_status okra_create_empty(const okra_spec *spec, okra_filter **filter) { return create(spec, true, filter); }

size_t okra_size(const okra_spec *spec)
{
    okra_filter planned;
    if (!spec || plan(spec, &planned) != OKRA_OK)
        return 0;
    return planned.bytes + OKRA_ALIGNMENT - 1;
}

okra_status okra_init(void *memory, size_t bytes, const okra_spec *spec, okra_filter **filter)
{
    if (!memory || !spec || !filter)
        return OKRA_E_NULL;
    *filter = NULL;
    okra_filter planned;
    okra_status status = plan(spec, &planned);
    if (status)
        return status;
    void *aligned = okra_align(memory);
    size_t lost = (size_t)((unsigned char *)aligned - (unsigned char *)memory);
    if (bytes < lost || bytes - lost < planned.bytes)
        return OKRA_E_BUFFER;
    memset(aligned, 0, planned.bytes);
    return build(aligned, &planned, spec, filter);
}

void okra_free(okra_filter *filter)
{
    if (filter && filter->owns_memory)
        okra_block_release(filter);
}

okra_status okra_clone(const okra_filter *filter, okra_filter **twin)
{
    if (!filter || !twin)
        return OKRA_E_NULL;
    okra_filter *made = *twin = okra_block_allocate(filter->bytes);
    if (!made)
        return OKRA_E_MEMORY;
    memcpy(made, filter, filter->bytes);
    made->owns_memory = true;
    okra_block block = okra_block_at(made);
    lay_out(made, &block); /* the copy's addresses still point into the original */
    okra_engine_moved(made->engine);
    return OKRA_OK;
}

/* ---- reset, freeze, skip ------------------------------------------------------------------------------------ */

okra_status okra_reset(okra_filter *filter)
{
    if (!filter)
        return OKRA_E_NULL;
    okra_status status = OKRA_OK;
    filter->begun = false;
    if (filter->sigma_auto && filter->estimated > 0)
        status = okra_engine_set_sigma(filter->engine, WIDTH_UNKNOWN, false);
    if (!status && filter->widths_auto && filter->estimated > 0)
        status = okra_engine_set_widths(filter->engine, NULL, false);
    filter->rows = filter->since = filter->estimated = filter->learnt_before = 0;
    if (!filter->bare)
        ops_of(filter)->reset(filter);
    okra_engine_reset(filter->engine);
    return status;
}

okra_status okra_restart(okra_filter *filter)
{
    if (!filter)
        return OKRA_E_NULL;
    uint64_t learnt = filter->engine->learnt;
    filter->begun = false;
    okra_engine_reset(filter->engine);
    filter->engine->learnt = learnt; /* the count continues */
    return filter->bare ? OKRA_OK : ops_of(filter)->restart(filter);
}

okra_status okra_freeze(okra_filter *filter, bool frozen)
{
    if (!filter)
        return OKRA_E_NULL;
    filter->frozen = frozen;
    return OKRA_OK;
}

okra_status okra_skip(okra_filter *filter)
{
    if (!filter)
        return OKRA_E_NULL;
    filter->begun = false;
    if (filter->bare)
        filter->rows++;
    else
        ops_of(filter)->skip(filter);
    return OKRA_OK;
}

/* ---- inspecting --------------------------------------------------------------------------------------------- */

const okra_spec *okra_get_spec(const okra_filter *filter) { return filter ? &filter->spec : NULL; }

okra_status okra_bare_spec(const okra_filter *filter, okra_spec *bare)
{
    if (!filter || !bare)
        return OKRA_E_NULL;
    *bare = filter->engine->spec;
    bare->delay = 0;
    if (filter->spec.sigma == OKRA_SIGMA_AUTO && filter->estimated == 0)
        bare->sigma = OKRA_SIGMA_AUTO;
    if (filter->widths_auto && filter->estimated == 0)
        bare->widths[0] = OKRA_WIDTHS_AUTO;
    return OKRA_OK;
}

okra_status okra_get_stats(const okra_filter *filter, okra_stats *stats)
{
    if (!filter || !stats)
        return OKRA_E_NULL;
    *stats = (okra_stats){.rows = filter->rows, .bytes = filter->bytes};
    okra_engine_stats(filter->engine, stats);
    return OKRA_OK;
}

okra_status okra_get_relevance(const okra_filter *filter, double *relevance)
{
    if (!filter || !relevance)
        return OKRA_E_NULL;
    bool known = filter->widths_auto ? ops_of(filter)->relevance(filter, relevance)
                                     : okra_engine_relevance(filter->engine, relevance);
    return known ? OKRA_OK : OKRA_E_UNSUPPORTED;
}

size_t okra_scratch_size(const okra_filter *filter)
{
    if (!filter)
        return 0;
    bool f32 = filter->spec.precision == OKRA_F32;
    size_t x = filter->bare ? 0 : stream_dimension(&filter->spec) * (f32 ? sizeof(float) : sizeof(double));
    size_t narrow = f32 ? (filter->spec.inputs + 2 * filter->spec.outputs) * sizeof(float) : 0;
    return OKRA_ALIGNMENT - 1 + x + OKRA_ALIGNMENT - 1 + narrow + okra_engine_scratch(filter->engine);
}

/* The handle's counters (more if it warms up), then the engine's. */
static uint64_t *find_counter(const okra_filter *filter, size_t i, okra_counter *counter)
{
    okra_filter *f = (okra_filter *)filter; /* const only for readers */
    static const char *const names[] = {"rows", "since", "estimated", "learnt_before"};
    uint64_t *const counters[] = {&f->rows, &f->since, &f->estimated, &f->learnt_before};
    size_t own = f->warms_up ? sizeof counters / sizeof *counters : 1;
    if (i >= own)
        return okra_engine_counter(f->engine, i - own, counter);
    counter->name = names[i];
    counter->max = counters[i] == &f->estimated ? f->spec.warmup : UINT64_MAX;
    return counters[i];
}

okra_status okra_counter_at(const okra_filter *filter, size_t i, okra_counter *counter)
{
    if (!filter || !counter)
        return OKRA_E_NULL;
    const uint64_t *value = find_counter(filter, i, counter);
    if (!value)
        return OKRA_E_ARRAY;
    counter->value = *value;
    return OKRA_OK;
}

/* Updates derived values. While loading: after the last counter, because array sizes depend on counters, and after the
 * last array. Otherwise: after every change. */
static void after_write(okra_filter *filter, bool last)
{
    if (!filter->loading || last)
        okra_engine_after_load(filter->engine);
}

okra_status okra_counter_write(okra_filter *filter, const char *name, uint64_t value)
{
    if (!filter || !name)
        return OKRA_E_NULL;
    okra_counter counter;
    uint64_t *place;
    for (size_t i = 0; (place = find_counter(filter, i, &counter)); i++)
        if (strcmp(counter.name, name) == 0) {
            if (value > counter.max)
                return OKRA_E_PARAMETER;
            *place = value;
            filter->begun = false;
            after_write(filter, !find_counter(filter, i + 1, &counter));
            return OKRA_OK;
        }
    return OKRA_E_ARRAY;
}

/* The number of the stream's arrays; the engine's come after. */
static size_t own_arrays(const okra_filter *filter)
{
    okra_array array;
    size_t n = 0;
    while (!filter->bare && ops_of(filter)->array_at(filter, n, &array) == OKRA_OK)
        n++;
    return n;
}

okra_status okra_array_at(const okra_filter *filter, size_t i, okra_array *array)
{
    if (!filter || !array)
        return OKRA_E_NULL;
    size_t own = own_arrays(filter);
    return i < own ? ops_of(filter)->array_at(filter, i, array) : okra_engine_array_at(filter->engine, i - own, array);
}

static okra_status find_array(const okra_filter *filter, const char *name, size_t *i)
{
    okra_array array;
    for (*i = 0; okra_array_at(filter, *i, &array) == OKRA_OK; ++*i)
        if (strcmp(array.name, name) == 0)
            return OKRA_OK;
    return OKRA_E_ARRAY;
}

okra_status okra_array_read(const okra_filter *filter, const char *name, void *out)
{
    size_t i;
    if (!filter || !name || !out)
        return OKRA_E_NULL;
    okra_status status = find_array(filter, name, &i);
    if (status)
        return status;
    size_t own = own_arrays(filter);
    return i < own ? ops_of(filter)->array_read(filter, i, out) : okra_engine_array_read(filter->engine, i - own, out);
}

okra_status okra_array_write(okra_filter *filter, const char *name, const void *in)
{
    size_t i;
    if (!filter || !name || !in)
        return OKRA_E_NULL;
    filter->begun = false;
    okra_status status = find_array(filter, name, &i);
    if (status)
        return status;
    size_t own = own_arrays(filter);
    if (i < own)
        return ops_of(filter)->array_write(filter, i, in);
    status = okra_engine_array_write(filter->engine, i - own, in);
    if (status)
        return status;
    okra_array next;
    bool last = okra_engine_array_at(filter->engine, i - own + 1, &next) != OKRA_OK;
    after_write(filter, last);
    filter->loading = filter->loading && !last;
    return OKRA_OK;
}
