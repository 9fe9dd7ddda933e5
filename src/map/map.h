/*
 * The inside of a feature map. A map is one file with a `map_class` at its end, and one row in MAP_LIST.
 */
#ifndef OKRA_MAP_INTERNAL_H
#define OKRA_MAP_INTERNAL_H

#include <okra/map.h>

#include "../vec/array.h"
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
    okra_status (*init_params)(void *self, const okra_spec *spec);
    /* Instead of draw(), where every array is about to be written from outside: sets what else draw() would. Optional
     * where there is nothing. */
    void (*init_empty)(void *self);
    /* z[padded(D)] = z(x), zeros in the padding; NULL where z is x itself, without padding. work[scratch(self)] is the
     * caller's. */
    void (*apply)(const void *self, const real *x, real *z, real *work);
    size_t (*scratch)(const void *self); /* optional where apply and phases need none */
    /* The map as cosines for the fused primitives, with the phases that they have at x: the map's own, fixed, or, where
     * *phase is left NULL, what phases() writes to work. Optional. */
    const trig_map *(*trig)(const void *self, const real **phase);
    const real *(*phases)(const void *self, const real *x, real *work);
    /* Array i of the map; false past the last. Optional where there are none */
    bool (*array)(const void *self, size_t i, array_view *view);
} map_class;

/* The id of the class that stands for every sum of maps. */
enum { OKRA_MAP_SUM = 0 };

/* Every map, a row each: file NAME.c ends with `const map_class OKRA_TYPED(map_NAME)`. */
#define MAP_LIST(X) \
    X(identity)     \
    X(linear)       \
    X(orf)          \
    X(pair)         \
    X(qmc)          \
    X(quadrature)   \
    X(rff)          \
    X(sorf)         \
    X(sum)

#define MAP_DECLARE(name) extern const map_class OKRA_TYPED(map_##name);
MAP_LIST(MAP_DECLARE)
#undef MAP_DECLARE

/* What a map without arrays of its own puts in its class. */
#define map_draws_nothing OKRA_TYPED(map_draws_nothing)
okra_status map_draws_nothing(void *self, const okra_spec *spec);

/* A map in place. */
#define feature_map OKRA_TYPED(feature_map)
typedef struct feature_map {
    const map_class *klass;
    void *state;
    const trig_map *trig; /* NULL where the map is not made of cosines, and while measuring .. */
    const real *phase;    /* .. and their phases, where these do not depend on x */
    size_t inputs;
    size_t outputs, width; /* D, and D padded: the length of z in natural order */
    size_t fused;          /* the length of z as the fused primitives have it; 0 where there are no cosines .. */
    bool halves;           /* .. and whether it is in two halves, each padded */
    size_t scratch;
} feature_map;

/* Lays the spec's map out in the block; *map is filled in both runs, see block.h. */
#define map_lay_out OKRA_TYPED(map_lay_out)
void map_lay_out(feature_map *map, const okra_spec *spec, const vec_table *vec, okra_block *block);

static inline void map_init_empty(const feature_map *map)
{
    if (map->klass->init_empty)
        map->klass->init_empty(map->state);
}

/* The numbers that a buffer for z must have: one of either form, and scratch behind it. */
static inline size_t map_z_capacity(const feature_map *map)
{
    return map->fused > map->width ? map->fused : map->width;
}
static inline size_t map_buffer(const feature_map *map) { return map_z_capacity(map) + map->scratch; }

/* The features of x: in z[map_buffer()], or x itself. */
static inline const real *map_apply(const feature_map *map, const real *x, real *z)
{
    if (!map->klass->apply)
        return x;
    map->klass->apply(map->state, x, z, z + map_z_capacity(map));
    return z;
}

/* The phases at x of a map of cosines, for the fused primitives; behind z where the map makes them anew. */
static inline const real *map_phases(const feature_map *map, const real *x, real *z)
{
    return map->phase ? map->phase : map->klass->phases(map->state, x, z + map_z_capacity(map));
}

/* No map's or filter's state struct is larger: what a measuring run uses in its place. */
enum { STATE_MAX = 512 };
/* The size of a state struct, for its class; refuses to compile where the spare below would be too small for it. */
#define STATE_BYTES(type) (sizeof(type) + 0 * sizeof(char[sizeof(type) <= STATE_MAX ? 1 : -1]))

typedef union state_spare {
    double number; /* aligned as whatever a state struct holds */
    uint64_t count;
    void *address;
    unsigned char bytes[STATE_MAX];
} state_spare;

#endif
