/*
 * Random Fourier features (Rahimi and Recht 2007; equation 5 of the paper): z_i(x) = sqrt(2/D) cos(omega_i . x + b_i),
 * omega_i from the kernel's spectrum, b_i uniform over a turn. Kept in turns: omega / 2 pi and b / 2 pi.
 */
#include <string.h>

#include "kernel.h"
#include "map.h"

/* What the random numbers are for: feature i takes its frequency from index i 2^32 of one stream, its phase from index
 * i of the other. */
enum { STREAM_OMEGA = 1, STREAM_PHASE = 2 };

struct rff {
    const vec_table *vec;
    trig_map trig;
    size_t features;
    real *turns, *phase;
};

static size_t outputs(const okra_spec *spec) { return spec->features; }

static void lay_out(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    struct rff *m = self;
    size_t width = padded(spec->features), block_size = SIZE_MAX;
    okra_multiply(spec->inputs, LANES * sizeof(real), &block_size);
    m->vec = vec;
    m->features = spec->features;
    m->turns = okra_block_take(block, width / LANES, block_size);
    m->phase = okra_block_take(block, width, sizeof(real));
    m->trig = (trig_map){.inputs = spec->inputs, .width = width, .turns = m->turns, .phase = m->phase};
    trig_set_scale(&m->trig, sqrt(2.0 / (double)spec->features));
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct rff *m = self;
    if (i == 0)
        *view = (array_view){"omega", m->features, m->trig.inputs, m->turns, ARRAY_BLOCKS, 0, false};
    else if (i == 1)
        *view = (array_view){"phase", m->features, 1, m->phase, ARRAY_ROWS, 1, false};
    return i < 2;
}

/* The frequency of feature i in radians, and its phase in turns. Inputs beyond a chunk come from further along the same
 * sequence. */
enum { CHUNK = 64 };

static void draw_feature(const struct rff *m, const okra_spec *spec, const array_view *omega, size_t i)
{
    okra_random random = {.seed = spec->seed, .stream = STREAM_OMEGA, .next = (uint64_t)i << 32};
    for (size_t j = 0; j < spec->inputs; j += CHUNK) {
        double radians[CHUNK];
        size_t n = spec->inputs - j < CHUNK ? spec->inputs - j : CHUNK;
        if (spec->omega)
            memcpy(radians, spec->omega + i * spec->inputs + j, n * sizeof *radians);
        else
            okra_kernel_draw(spec->kernel, spec->sigma, &random, n, radians);
        for (size_t k = 0; k < n; k++)
            m->turns[array_place(omega, i, j + k)] = (real)(radians[k] / (2 * M_PI));
    }
}

static double draw_phase(const okra_spec *spec, size_t i)
{
    if (spec->phase)
        return spec->phase[i] / (2 * M_PI);
    double turns;
    okra_random random = {.seed = spec->seed, .stream = STREAM_PHASE, .next = i};
    okra_random_uniform(&random, 1, &turns);
    return turns;
}

static okra_status draw(void *self, const okra_spec *spec)
{
    struct rff *m = self;
    array_view omega;
    array(m, 0, &omega);
    memset(m->turns, 0, m->trig.width * spec->inputs * sizeof(real));
    for (size_t i = 0; i < m->features; i++)
        draw_feature(m, spec, &omega, i);
    for (size_t i = 0; i < m->trig.width; i++)
        m->phase[i] = i < m->features ? (real)draw_phase(spec, i) : (real)0.25; /* cos of a quarter turn: exactly 0 */
    size_t n = m->trig.width * spec->inputs;
    return m->vec->finite(n, m->turns) == n ? OKRA_OK : OKRA_E_RANGE;
}

static void apply(const void *self, const real *x, real *z)
{
    const struct rff *m = self;
    m->vec->trig(&m->trig, x, z);
}

static const trig_map *trig(const void *self) { return &((const struct rff *)self)->trig; }

const map_class OKRA_TYPED(map_rff) = {
    .id = OKRA_MAP_RFF,
    .state_bytes = STATE_BYTES(struct rff),
    .outputs = outputs,
    .lay_out = lay_out,
    .draw = draw,
    .apply = apply,
    .trig = trig,
    .array = array,
};
