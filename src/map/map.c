/* The registry of maps, and the typed half of the public handle (the other half is handle.c). */
#include "map.h"

#include <string.h>

#include "handle.h"

static const map_class *const classes[] = {
#define MAP_ROW(name) &OKRA_TYPED(map_##name),
    MAP_LIST(MAP_ROW)
#undef MAP_ROW
};

static const map_class *find(int id)
{
    bool several = id & (id - 1);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i]->id == (several ? OKRA_MAP_SUM : id))
            return classes[i];
    return NULL; /* not reached: the spec has been checked */
}

void map_lay_out(feature_map *map, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    state_spare spare;
    const map_class *klass = find(spec->map);
    void *state = okra_block_take_struct(block, klass->state_bytes, &spare);
    klass->lay_out(state, spec, vec, block);
    size_t outputs = klass->outputs(spec);
    *map = (feature_map){.klass = klass, .inputs = spec->inputs, .outputs = outputs, .width = padded(outputs)};
    if (klass->trig) {
        map->trig = klass->trig(state, &map->phase);
        map->fused = trig_outputs(map->trig);
        map->halves = map->trig->paired;
    }
    map->scratch = klass->scratch ? klass->scratch(state) : 0;
    if (block->base)
        map->state = state;
    else
        map->trig = NULL; /* it was in the spare */
}

okra_status map_draws_nothing(void *self, const okra_spec *spec)
{
    (void)self, (void)spec;
    return OKRA_OK;
}

struct core {
    feature_map map;
    const vec_table *vec;
    real *z;
};

static void lay_out(okra_map *handle, okra_block *block)
{
    struct core spare, *core = okra_block_take_struct(block, sizeof *core, &spare);
    core->vec = vec_of(handle->isa);
    map_lay_out(&core->map, &handle->spec, core->vec, block);
    core->z = okra_block_take(block, map_buffer(&core->map), sizeof(real));
    handle->outputs = core->map.outputs;
    handle->core = block->base ? core : NULL;
}

static okra_status init_params(okra_map *handle, const okra_spec *spec)
{
    struct core *core = handle->core;
    return core->map.klass->init_params(core->map.state, spec);
}

const okra_map_ops OKRA_TYPED(map_ops) = {lay_out, init_params};

okra_status OKRA_PUBLIC(okra_map_apply)(okra_map *handle, size_t n, const real *X, real *Z)
{
    if (!handle || (n > 0 && (!X || !Z)))
        return OKRA_E_NULL;
    if (handle->spec.precision != OKRA_PRECISION)
        return OKRA_E_PRECISION;
    const struct core *core = handle->core;
    const feature_map *map = &core->map;
    for (size_t i = 0; i < n; i++, X += map->inputs, Z += map->outputs) {
        if (core->vec->finite(map->inputs, X) < map->inputs)
            return OKRA_E_SAMPLE;
        const real *z = map_apply(map, X, core->z);
        if (core->vec->finite(map->outputs, z) < map->outputs)
            return OKRA_E_RANGE;
        memcpy(Z, z, map->outputs * sizeof *Z);
    }
    return OKRA_OK;
}
