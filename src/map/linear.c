/* The inputs and a bias, z = (x, 1): makes every filter a plain linear one. */
#include <string.h>

#include "map.h"

struct linear {
    size_t inputs;
};

static size_t outputs(const okra_spec *spec) { return spec->inputs + 1; }

static void lay_out(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    (void)vec, (void)block;
    ((struct linear *)self)->inputs = spec->inputs;
}

static void apply(const void *self, const real *x, real *z, real *work)
{
    (void)work;
    size_t n = ((const struct linear *)self)->inputs;
    memcpy(z, x, n * sizeof *z);
    z[n] = 1;
    memset(z + n + 1, 0, (padded(n + 1) - n - 1) * sizeof *z);
}

const map_class OKRA_TYPED(map_linear) = {
    .id = OKRA_MAP_LINEAR,
    .state_bytes = STATE_BYTES(struct linear),
    .outputs = outputs,
    .lay_out = lay_out,
    .init_params = map_draws_nothing,
    .apply = apply,
};
