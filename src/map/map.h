/*
 * The inside of a feature map. A map is one file with a `map_class` at its end, and one row in MAP_LIST.
 */
#ifndef OKRA_MAP_INTERNAL_H
#define OKRA_MAP_INTERNAL_H

#include <okra/map.h>

#include "../core/array.h"
#include "../core/block.h"
#include "../vec/vec.h"

#define map_class OKRA_TYPED(map_class)
typedef struct map_class {
    int id; /* OKRA_MAP_.. */
    size_t state_bytes;
    /* D, the number of features that the spec gives */
    size_t (*outputs)(const okra_spec *spec);
    /* Takes the arrays from the block and sets what the spec fixes. Runs more than once, see block.h: it must not touch
     * the arrays. */
    void (*lay_out)(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block);
    /* Fills the arrays: random draws, or what the spec gives. OKRA_E_RANGE where this precision cannot hold them. */
    okra_status (*draw)(void *self, const okra_spec *spec);
    /* z[padded(D)] = z(x), zeros in the padding; NULL where z is x itself, without padding */
    void (*apply)(const void *self, const real *x, real *z);
    /* The map as cosines for the fused primitives, or NULL */
    const trig_map *(*trig)(const void *self);
    /* Array i of the map; false past the last */
    bool (*array)(const void *self, size_t i, array_view *view);
} map_class;

/* Every map, a row each: file NAME.c ends with `const map_class OKRA_TYPED(map_NAME)`. */
#define MAP_LIST(X) \
    X(identity)     \
    X(linear)       \
    X(rff)

#define MAP_DECLARE(name) extern const map_class OKRA_TYPED(map_##name);
MAP_LIST(MAP_DECLARE)
#undef MAP_DECLARE

/* What a map without random numbers, cosines or arrays puts in its class. */
#define map_draws_nothing   OKRA_TYPED(map_draws_nothing)
#define map_without_cosines OKRA_TYPED(map_without_cosines)
#define map_without_arrays  OKRA_TYPED(map_without_arrays)
okra_status map_draws_nothing(void *self, const okra_spec *spec);
const trig_map *map_without_cosines(const void *self);
bool map_without_arrays(const void *self, size_t i, array_view *view);

/* A map in place. */
#define feature_map OKRA_TYPED(feature_map)
typedef struct feature_map {
    const map_class *klass;
    void *state;
    const trig_map *trig; /* NULL where the map is not made of cosines */
    size_t inputs, outputs, width;
} feature_map;

/* Lays the spec's map out in the block; *map is filled in both runs, see block.h. */
#define map_lay_out OKRA_TYPED(map_lay_out)
void map_lay_out(feature_map *map, const okra_spec *spec, const vec_table *vec, okra_block *block);

/* The features of x: in z[width], or x itself. */
static inline const real *map_apply(const feature_map *map, const real *x, real *z)
{
    if (!map->klass->apply)
        return x;
    map->klass->apply(map->state, x, z);
    return z;
}

/* No map's or filter's state struct is larger: what a measuring run uses in its place. */
enum { STATE_MAX = 512 };
/* The size of a state struct, for its class; refuses to compile where the spare below would be too small for it. */
#define STATE_BYTES(type) (sizeof(type) + 0 * sizeof(char[sizeof(type) <= STATE_MAX ? 1 : -1]))

typedef union state_spare {
    max_align_t align;
    unsigned char bytes[STATE_MAX];
} state_spare;

#endif
