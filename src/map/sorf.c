/*
 * Structured orthogonal random features (F. X. Yu and others 2016), paired: instead of a dense matrix of frequencies,
 * three rounds of random signs and a Walsh-Hadamard transform, H S1 H S2 H S3 x, which is close to a random rotation.
 * Inputs are padded with zeros to n, a power of two, so D features cost O(D log n) and no matrix is stored. Frequencies
 * come in blocks of n; each row is scaled to the length that a dense frequency would have. For radial kernels. Widths
 * of the inputs divide the signs that are applied first, S3.
 */
#include <string.h>

#include "fourier.h"

enum { ROUNDS = 3 };

struct sorf {
    const vec_table *vec;
    trig_map trig; /* without inputs: the projections are its phases */
    size_t inputs, frequencies, n, blocks;
    real *signs;     /* [blocks][ROUNDS][n] */
    real *length;    /* [width]: scales a row of H S H S H S to cycles */
    real *amplitude; /* [width] */
    double *row;     /* [n] */
};

/* At least 16: shorter transforms have too few directions. */
static size_t power_of_two(size_t min)
{
    size_t n = 16;
    while (n < min)
        n *= 2;
    return n;
}

static void lay_out(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    struct sorf *m = self;
    size_t width = padded(spec->features / 2), rounds_size = SIZE_MAX;
    m->vec = vec;
    m->inputs = spec->inputs;
    m->frequencies = spec->features / 2;
    m->n = power_of_two(spec->inputs);
    m->blocks = (m->frequencies + m->n - 1) / m->n;
    okra_multiply(m->n, ROUNDS * sizeof(real), &rounds_size);
    m->signs = okra_block_take(block, m->blocks, rounds_size);
    m->length = okra_block_take(block, width, sizeof(real));
    m->amplitude = okra_block_take(block, width, sizeof(real));
    m->row = okra_block_take(block, m->n, sizeof(double));
    m->trig = (trig_map){.paired = true,
                         .frequencies = m->frequencies,
                         .width = width,
                         .plain = m->frequencies / LANES * LANES,
                         .cycles = m->length, /* not read, as there are no inputs, but pointers into it are computed */
                         .amplitude = m->amplitude};
    trig_set_scale(&m->trig, sqrt(1 / (double)m->frequencies));
}

/* ---- drawing -------------------------------------------------------------------------------------------------- */

/* The length of a vector of n standard normals. */
static double normal_length(struct sorf *m, const okra_spec *spec, size_t i)
{
    okra_random random = {.seed = spec->seed, .stream = STREAM_OMEGA, .next = (uint64_t)i << 32};
    double sum = 0;
    okra_random_normal(&random, m->n, m->row);
    for (size_t j = 0; j < m->n; j++)
        sum += m->row[j] * m->row[j];
    return sqrt(sum);
}

static void init_empty(void *self)
{
    struct sorf *m = self;
    for (size_t i = 0; i < m->trig.width; i++) {
        m->amplitude[i] = i < m->frequencies ? 1 : 0;
        m->length[i] = 0;
    }
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    struct sorf *m = self;
    size_t n_signs = m->blocks * ROUNDS * m->n;
    init_empty(m);
    for (size_t i = 0; i < n_signs; i++)
        m->signs[i] = uniform_at(spec, STREAM_SIGNS, i) < 0.5 ? -1 : 1;
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t j = 0; j < m->inputs; j++)
            m->signs[b * ROUNDS * m->n + j] /= (real)okra_spec_input_width(spec, j);
    double rotation = 1 / ((double)m->n * sqrt((double)m->n)); /* each H scales by sqrt(n) */
    for (size_t i = 0; i < m->frequencies; i++) {
        double radial_scale = okra_kernel_radial_scale(spec->kernel, uniform_at(spec, STREAM_RADIAL_SCALE, i));
        m->length[i] = (real)(radial_scale * normal_length(m, spec, i) * rotation / width_of(spec, i) / (2 * M_PI));
    }
    bool fits =
        m->vec->finite(n_signs, m->signs) == n_signs && m->vec->finite(m->trig.width, m->length) == m->trig.width;
    return fits ? OKRA_OK : OKRA_E_RANGE;
}

/* ---- features ------------------------------------------------------------------------------------------------- */

/* Holds the phases, a block being rotated, and pairs before they are reordered. */
static size_t scratch(const void *self)
{
    const struct sorf *m = self;
    return m->blocks * m->n + m->trig.width + trig_outputs(&m->trig);
}

/* Blocks are rotated in place of their phases. The last may extend past the width, into scratch. */
static const real *phases(const void *self, const real *x, real *work)
{
    const struct sorf *m = self;
    for (size_t b = 0; b < m->blocks; b++) {
        real *t = work + b * m->n;
        memcpy(t, x, m->inputs * sizeof *t);
        memset(t + m->inputs, 0, (m->n - m->inputs) * sizeof *t);
        for (size_t round = 0; round < ROUNDS; round++)
            m->vec->hadamard(m->n, m->signs + (b * ROUNDS + round) * m->n, t);
    }
    size_t rotated = m->blocks * m->n;
    if (rotated < m->trig.width)
        memset(work + rotated, 0, (m->trig.width - rotated) * sizeof *work);
    m->vec->multiply(m->trig.width, work, m->length, work);
    return work;
}

static void apply(const void *self, const real *x, real *z, real *work)
{
    const struct sorf *m = self;
    real *pairs = work + m->blocks * m->n + m->trig.width;
    m->vec->trig(&m->trig, phases(m, x, work), x, pairs);
    fourier_pairs_to_order(m->frequencies, m->trig.width, pairs, z);
}

static const trig_map *trig(const void *self, const real **phase)
{
    (void)phase; /* left NULL: phases() computes them */
    return &((const struct sorf *)self)->trig;
}

static bool array(const void *self, size_t i, array_view *view)
{
    const struct sorf *m = self;
    if (i == 0)
        *view = (array_view){"signs", m->blocks * ROUNDS, m->n, m->signs, ARRAY_ROWS, m->n, false};
    else
        *view = (array_view){"length", m->frequencies, 1, m->length, ARRAY_ROWS, 1, true};
    return i < 2;
}

const map_class OKRA_TYPED(map_sorf) = {
    .id = OKRA_MAP_SORF,
    .state_bytes = STATE_BYTES(struct sorf),
    .outputs = fourier_features,
    .lay_out = lay_out,
    .init_params = init_params,
    .init_empty = init_empty,
    .apply = apply,
    .scratch = scratch,
    .trig = trig,
    .phases = phases,
    .array = array,
};
