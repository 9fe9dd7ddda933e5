/* Engines: creation, sizes, and access to the state by name. */
#include "engine.h"

#include <string.h>

#include "../core/precision.h"
#include "../map/handle.h"
#include "../spec/check.h"

static const okra_engine_ops *ops_for(int precision) { return OKRA_OF_PRECISION(precision, okra_engine_ops); }

static const okra_engine_ops *ops_of(const okra_engine *engine) { return ops_for(engine->spec.precision); }

okra_status okra_engine_check(const okra_spec *spec, okra_message *why)
{
    okra_status status = okra_check_map(spec, why);
    if (!status)
        status = okra_check_values(spec, 1 << OKRA_SCOPE_FILTER, why);
    if (!status && spec->loss == OKRA_LOSS_QUANTILE && spec->outputs > 1)
        return okra_refuse(OKRA_E_PARAMETER, why, "loss = quantile is for one target: there are %zu", spec->outputs);
    return status ? status : ops_for(spec->precision)->check(spec, why);
}

/* ---- creating ----------------------------------------------------------------------------------------------- */

static void lay_out(okra_engine *engine, okra_block *block)
{
    okra_block_take(block, 1, sizeof *engine);
    ops_of(engine)->lay_out(engine, block);
}

/* The engine as the head of its block, with the total bytes. */
static okra_engine plan(const okra_spec *spec)
{
    okra_engine engine = {.spec = *spec, .isa = okra_isa_chosen()};
    engine.spec.recipe = okra_recipe_find(spec->recipe)->name; /* ours, not the caller's string */
    engine.spec.omega = engine.spec.phase = NULL;
    okra_block block = okra_block_measure();
    lay_out(&engine, &block);
    engine.bytes = okra_block_bytes(&block);
    return engine;
}

size_t okra_engine_size(const okra_spec *spec) { return plan(spec).bytes; }

okra_status okra_engine_init(void *memory, const okra_spec *spec, bool empty, okra_engine **engine)
{
    okra_engine *made = memory, planned = plan(spec);
    memset(memory, 0, planned.bytes);
    *made = planned;
    okra_engine_moved(made);
    okra_status status = OKRA_OK;
    if (empty)
        ops_of(made)->init_empty(made);
    else
        status = ops_of(made)->init_params(made, spec);
    if (!status)
        okra_engine_reset(made);
    *engine = status ? NULL : made;
    return status;
}

void okra_engine_moved(okra_engine *engine)
{
    okra_block block = okra_block_at(engine);
    lay_out(engine, &block);
}

okra_status okra_engine_set_sigma(okra_engine *engine, double sigma, bool empty)
{
    engine->spec.sigma = sigma;
    okra_engine_moved(engine); /* sets what the spec fixes */
    return empty ? OKRA_OK : ops_of(engine)->init_params(engine, &engine->spec);
}

okra_status okra_engine_set_widths(okra_engine *engine, const double *widths, bool empty)
{
    memset(engine->spec.widths, 0, sizeof engine->spec.widths);
    if (widths)
        memcpy(engine->spec.widths, widths, engine->spec.inputs * sizeof *widths);
    return okra_engine_set_sigma(engine, engine->spec.sigma, empty);
}

void okra_engine_reset(okra_engine *engine)
{
    ops_of(engine)->reset(engine);
    engine->learnt = 0;
}

/* ---- inspecting --------------------------------------------------------------------------------------------- */

void okra_engine_stats(const okra_engine *engine, okra_stats *stats)
{
    stats->learnt = engine->learnt;
    stats->features = ops_of(engine)->features(engine);
    stats->merging = ops_of(engine)->merging(engine);
    stats->updates = ops_of(engine)->updates(engine);
    stats->restarts = ops_of(engine)->restarts(engine);
    stats->centres = ops_of(engine)->centres(engine, &stats->full);
}

bool okra_engine_relevance(const okra_engine *engine, double *relevance)
{
    return ops_of(engine)->relevance(engine, relevance);
}

size_t okra_engine_scratch(const okra_engine *engine) { return ops_of(engine)->scratch(engine) + OKRA_ALIGNMENT - 1; }

uint64_t *okra_engine_counter(const okra_engine *engine, size_t i, okra_counter *counter)
{
    if (i > 0)
        return ops_of(engine)->counter(engine, i - 1, &counter->name, &counter->max);
    counter->name = "learnt";
    counter->max = UINT64_MAX;
    return (uint64_t *)&engine->learnt; /* const only for readers */
}

void okra_engine_after_load(okra_engine *engine) { ops_of(engine)->after_load(engine); }

okra_status okra_engine_array_at(const okra_engine *engine, size_t i, okra_array *array)
{
    return ops_of(engine)->array_at(engine, i, array);
}

okra_status okra_engine_array_read(const okra_engine *engine, size_t i, void *out)
{
    return ops_of(engine)->array_read(engine, i, out);
}

okra_status okra_engine_array_write(okra_engine *engine, size_t i, const void *in)
{
    return ops_of(engine)->array_write(engine, i, in);
}
