/*
 * The interface of a feature map. A map is one file with a `map_class` at its end, and one row in MAP_LIST.
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
    /* Fills the arrays: random draws, or what the spec gives. OKRA_E_RANGE if they do not fit this precision. */
    okra_status (*init_params)(void *self, const okra_spec *spec);
    /* Called instead of init_params() if every array is about to be written from outside: sets what else init_params()
     * would. Optional: NULL if there is nothing to set. */
    void (*init_empty)(void *self);
    /* z[padded(D)] = z(x), with zeros in the padding; NULL if z is x itself, without padding. The caller gives
     * work[scratch(self)]. */
    void (*apply)(const void *self, const real *x, real *z, real *work);
    size_t (*scratch)(const void *self); /* optional: NULL if apply and phases need none */
    /* The map as cosines for the fused primitives. *phase is the map's fixed phases, or stays NULL if phases() computes
     * them from x, into work. Optional. */
    const trig_map *(*trig)(const void *self, const real **phase);
    const real *(*phases)(const void *self, const real *x, real *work);
    /* Array i of the map; false past the last. Optional: NULL if there are none */
    bool (*array)(const void *self, size_t i, array_view *view);
} map_class;

/* The id of the class of all sums of maps. */
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

/* The init_params() of a map without arrays. */
#define map_draws_nothing OKRA_TYPED(map_draws_nothing)
okra_status map_draws_nothing(void *self, const okra_spec *spec);

/* A map laid out in memory. */
#define feature_map OKRA_TYPED(feature_map)
typedef struct feature_map {
    const map_class *klass;
    void *state;
    const trig_map *trig; /* NULL if the map is not made of cosines, and while measuring .. */
    const real *phase;    /* .. and their phases, if these do not depend on x */
    size_t inputs;
    size_t outputs, width; /* D, and D padded: the length of z in natural order */
    size_t fused;          /* the length of z in the layout of the fused primitives; 0 if there are no cosines .. */
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

/* The numbers that a buffer for z must hold: z in either layout, then scratch. */
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

/* The phases at x of a map of cosines, for the fused primitives; after z if they depend on x. */
static inline const real *map_phases(const feature_map *map, const real *x, real *z)
{
    return map->phase ? map->phase : map->klass->phases(map->state, x, z + map_z_capacity(map));
}

/* The maximum size of a map's or filter's state struct. */
enum { STATE_MAX = 512 };
/* The size of a state struct, for its class. Does not compile if the spare below is too small for it. */
#define STATE_BYTES(type) (sizeof(type) + 0 * sizeof(char[sizeof(type) <= STATE_MAX ? 1 : -1]))

/* Takes the place of a state struct while measuring. */
typedef union state_spare {
    double number; /* alignment for any member of a state struct */
    uint64_t count;
    void *address;
    unsigned char bytes[STATE_MAX];
} state_spare;

#endif
