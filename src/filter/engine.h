/* The public filter handle, and what each precision provides for it (engine.c). */
#ifndef OKRA_ENGINE_H
#define OKRA_ENGINE_H

#include <okra/filter.h>

#include "../core/block.h"
#include "../vec/isa.h"

struct okra_filter {
    okra_spec spec;
    okra_isa_id isa;
    bool owns_memory; /* false: the caller's, see okra_init() */
    size_t bytes;
    uint64_t learnt;
    void *core; /* typed, see engine.c */
};

typedef struct okra_engine {
    /* Lays map, algorithm and scratch out behind the handle; sets addresses only, see block.h. */
    void (*lay_out)(okra_filter *filter, okra_block *block);
    /* Draws the map. */
    okra_status (*draw)(okra_filter *filter, const okra_spec *spec);
    /* Leaves that to whoever writes its arrays. */
    void (*blank)(okra_filter *filter);
    void (*reset)(okra_filter *filter);
    size_t (*features)(const okra_filter *filter);
    size_t (*scratch)(const okra_filter *filter); /* bytes */
    size_t (*centres)(const okra_filter *filter, uint64_t *full);
    /* The algorithm's own counter i, see filter.h; NULL past the last */
    uint64_t *(*counter)(const okra_filter *filter, size_t i, const char **name, uint64_t *most);
    void (*restored)(okra_filter *filter);
    okra_status (*array_at)(const okra_filter *filter, size_t i, okra_array *array);
    okra_status (*array_read)(const okra_filter *filter, size_t i, void *out);
    okra_status (*array_write)(okra_filter *filter, size_t i, const void *in);
} okra_engine;

/* okra_init() without drawing the map, whose arrays are all to be written next. */
okra_status okra_init_blank(void *memory, size_t bytes, const okra_spec *spec, okra_filter **filter);

extern const okra_engine okra_engine_f64, okra_engine_f32;

#endif
