/* The public map handle: checks, sizes and makes it. The arithmetic is in map.c. */
#include "handle.h"

#include "../core/precision.h"

static void lay_out(okra_map *map, const okra_map_ops *ops, okra_block *block)
{
    okra_block_take(block, 1, sizeof *map);
    ops->lay_out(map, block);
}

okra_status okra_map_create(const okra_spec *spec, okra_map **map)
{
    if (!spec || !map)
        return OKRA_E_NULL;
    *map = NULL;
    okra_status status = okra_check_map(spec, NULL);
    if (status)
        return status;

    const okra_map_ops *ops = OKRA_OF_PRECISION(spec->precision, okra_map_ops);
    okra_map plan = {.spec = *spec, .isa = okra_isa_chosen()};
    plan.spec.recipe = okra_recipe_find(spec->recipe)->name; /* ours, not the caller's string .. */
    plan.spec.omega = plan.spec.phase = NULL; /* .. nor arrays: init_params() reads them in the caller's spec */
    okra_block block = okra_block_measure();
    lay_out(&plan, ops, &block);
    if (okra_block_bytes(&block) == 0)
        return OKRA_E_SIZE;
    okra_map *made = okra_block_allocate(okra_block_bytes(&block));
    if (!made)
        return OKRA_E_MEMORY;

    *made = plan;
    block = okra_block_at(made);
    lay_out(made, ops, &block);
    status = ops->init_params(made, spec);
    if (status)
        okra_map_free(made);
    else
        *map = made;
    return status;
}

void okra_map_free(okra_map *map) { okra_block_release(map); }

size_t okra_map_outputs(const okra_map *map) { return map ? map->outputs : 0; }
