/* A sum of maps, `linear` and one of cosines: z = (x, 1, z_rest(x)), whose kernel is the sum x.y + 1 + kappa(x, y). The
 * linear part then needs no cosines, and is learnt as exactly as by a linear filter. */
#include <string.h>

#include "map.h"

struct sum {
    feature_map linear, rest;
};

static okra_spec part_of(const okra_spec *spec, int map)
{
    okra_spec part = *spec;
    part.map = map;
    return part;
}

static size_t outputs(const okra_spec *spec) { return spec->inputs + 1 + spec->features; }

static void lay_out(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    struct sum *s = self;
    okra_spec linear = part_of(spec, OKRA_MAP_LINEAR), rest = part_of(spec, spec->map & ~OKRA_MAP_LINEAR);
    map_lay_out(&s->linear, &linear, vec, block);
    map_lay_out(&s->rest, &rest, vec, block);
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    struct sum *s = self;
    okra_spec rest = part_of(spec, spec->map & ~OKRA_MAP_LINEAR);
    return s->rest.klass->init_params(s->rest.state, &rest);
}

static void init_empty(void *self) { map_init_empty(&((struct sum *)self)->rest); }

static size_t scratch(const void *self) { return map_buffer(&((const struct sum *)self)->rest); }

static void apply(const void *self, const real *x, real *z, real *work)
{
    const struct sum *s = self;
    size_t first = s->linear.outputs, n = s->rest.outputs;
    map_apply(&s->linear, x, z);
    memcpy(z + first, map_apply(&s->rest, x, work), n * sizeof *z);
    memset(z + first + n, 0, (padded(first + n) - first - n) * sizeof *z);
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct sum *s = self;
    return s->rest.klass->array(s->rest.state, i, view);
}

const map_class OKRA_TYPED(map_sum) = {
    .id = OKRA_MAP_SUM,
    .state_bytes = STATE_BYTES(struct sum),
    .outputs = outputs,
    .lay_out = lay_out,
    .init_params = init_params,
    .init_empty = init_empty,
    .scratch = scratch,
    .apply = apply,
    .array = array,
};
