/* The public map handle, and the functions of each precision for it. */
#ifndef OKRA_MAP_HANDLE_H
#define OKRA_MAP_HANDLE_H

#include <okra/map.h>

#include "../core/block.h"
#include "../vec/isa.h"

struct okra_map {
    okra_spec spec;
    okra_isa_id isa;
    size_t outputs;
    void *core; /* typed, see map.c */
};

typedef struct okra_map_ops {
    void (*lay_out)(okra_map *map, okra_block *block);
    okra_status (*init_params)(okra_map *map, const okra_spec *spec);
} okra_map_ops;

/* Checks that the spec is valid for a map, and that OKRA_ISA is usable. The reason is in `why`, which may be NULL. */
okra_status okra_check_map(const okra_spec *spec, okra_message *why);

extern const okra_map_ops okra_map_ops_f64, okra_map_ops_f32;

#endif
