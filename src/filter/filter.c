/* The front door: makes filters and hands the rest to the engine of their precision. Everything is checked here or in
 * engine.c, once. */
#include <okra/filter.h>

#include <string.h>

#include "../core/precision.h"
#include "engine.h"

static const okra_engine *engine_of(const okra_spec *spec) { return OKRA_OF_PRECISION(spec->precision, okra_engine); }

static void lay_out(okra_filter *filter, okra_block *block)
{
    okra_block_take(block, 1, sizeof *filter);
    engine_of(&filter->spec)->lay_out(filter, block);
}

/* The handle as it will stand at the head of its block, and the bytes of the whole. */
static okra_status plan(const okra_spec *spec, okra_filter *filter)
{
    okra_status status = okra_spec_check(spec, NULL);
    if (status)
        return status;
    *filter = (okra_filter){.spec = *spec, .isa = okra_isa_chosen()};
    filter->spec.recipe = okra_recipe_find(spec->recipe)->name; /* ours, not the caller's string */
    filter->spec.omega = filter->spec.phase = NULL;
    okra_block block = okra_block_measure();
    lay_out(filter, &block);
    filter->bytes = okra_block_bytes(&block);
    return filter->bytes ? OKRA_OK : OKRA_E_SIZE;
}

/* Builds the planned filter in zeroed, aligned memory; without a spec, its map is left blank. */
static okra_status build(void *memory, const okra_filter *planned, const okra_spec *spec, okra_filter **filter)
{
    okra_filter *made = memory;
    *made = *planned;
    okra_block block = okra_block_at(memory);
    lay_out(made, &block);
    okra_status status = OKRA_OK;
    if (spec)
        status = engine_of(&made->spec)->draw(made, spec);
    else
        engine_of(&made->spec)->blank(made);
    if (status)
        return status;
    okra_reset(made);
    *filter = made;
    return OKRA_OK;
}

okra_status okra_create(const okra_spec *spec, okra_filter **filter)
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
    status = build(memory, &planned, spec, filter);
    if (status)
        okra_block_release(memory);
    return status;
}

size_t okra_size(const okra_spec *spec)
{
    okra_filter planned;
    if (!spec || plan(spec, &planned) != OKRA_OK)
        return 0;
    return planned.bytes + OKRA_ALIGNMENT - 1;
}

static okra_status init(void *memory, size_t bytes, const okra_spec *spec, bool blank, okra_filter **filter)
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
    return build(aligned, &planned, blank ? NULL : spec, filter);
}

okra_status okra_init(void *memory, size_t bytes, const okra_spec *spec, okra_filter **filter)
{
    return init(memory, bytes, spec, false, filter);
}

okra_status okra_init_blank(void *memory, size_t bytes, const okra_spec *spec, okra_filter **filter)
{
    return init(memory, bytes, spec, true, filter);
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
    *twin = okra_block_allocate(filter->bytes);
    if (!*twin)
        return OKRA_E_MEMORY;
    memcpy(*twin, filter, filter->bytes);
    (*twin)->owns_memory = true;
    okra_block block = okra_block_at(*twin);
    lay_out(*twin, &block); /* the copy's addresses still point into the original */
    return OKRA_OK;
}

okra_status okra_reset(okra_filter *filter)
{
    if (!filter)
        return OKRA_E_NULL;
    engine_of(&filter->spec)->reset(filter);
    filter->learnt = 0;
    return OKRA_OK;
}

okra_status okra_get_stats(const okra_filter *filter, okra_stats *stats)
{
    if (!filter || !stats)
        return OKRA_E_NULL;
    const okra_engine *engine = engine_of(&filter->spec);
    *stats = (okra_stats){.learnt = filter->learnt, .bytes = filter->bytes, .features = engine->features(filter)};
    stats->centres = engine->centres(filter, &stats->full);
    return OKRA_OK;
}

const okra_spec *okra_get_spec(const okra_filter *filter) { return filter ? &filter->spec : NULL; }

size_t okra_scratch_size(const okra_filter *filter)
{
    return filter ? engine_of(&filter->spec)->scratch(filter) + OKRA_ALIGNMENT - 1 : 0;
}

/* ---- state -------------------------------------------------------------------------------------------------- */

/* The handle's own counter first, then the algorithm's. */
static uint64_t *find_counter(const okra_filter *filter, size_t i, okra_counter *counter)
{
    if (i > 0)
        return engine_of(&filter->spec)->counter(filter, i - 1, &counter->name, &counter->most);
    counter->name = "learnt";
    counter->most = UINT64_MAX;
    return (uint64_t *)&filter->learnt; /* const only for those who read */
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

okra_status okra_counter_write(okra_filter *filter, const char *name, uint64_t value)
{
    if (!filter || !name)
        return OKRA_E_NULL;
    okra_counter counter;
    uint64_t *place;
    for (size_t i = 0; (place = find_counter(filter, i, &counter)); i++)
        if (strcmp(counter.name, name) == 0) {
            if (value > counter.most)
                return OKRA_E_PARAMETER;
            *place = value;
            engine_of(&filter->spec)->restored(filter);
            return OKRA_OK;
        }
    return OKRA_E_ARRAY;
}

okra_status okra_array_at(const okra_filter *filter, size_t i, okra_array *array)
{
    if (!filter || !array)
        return OKRA_E_NULL;
    return engine_of(&filter->spec)->array_at(filter, i, array);
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
    return status ? status : engine_of(&filter->spec)->array_read(filter, i, out);
}

okra_status okra_array_write(okra_filter *filter, const char *name, const void *in)
{
    size_t i;
    if (!filter || !name || !in)
        return OKRA_E_NULL;
    okra_status status = find_array(filter, name, &i);
    return status ? status : engine_of(&filter->spec)->array_write(filter, i, in);
}
