/* The public map handle, and what each precision provides for it. */
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

/* What a map needs of the spec, and that OKRA_ISA is usable; the reason in `why`, which may be NULL. */
okra_status okra_check_map(const okra_spec *spec, okra_message *why);

extern const okra_map_ops okra_map_ops_f64, okra_map_ops_f32;

#endif
