#include "fourier.h"

#include <string.h>

void fourier_lay_out(fourier *f, const okra_spec *spec, bool paired, const vec_table *vec, okra_block *block)
{
    size_t n = paired ? spec->features / 2 : spec->features, width = padded(n), block_size = SIZE_MAX;
    okra_multiply(spec->inputs, LANES * sizeof(real), &block_size);
    f->vec = vec;
    f->frequencies = n;
    f->weighted = false;
    f->cycles = okra_block_take(block, width / LANES, block_size);
    f->phase = okra_block_take(block, width, sizeof(real));
    f->amplitude = okra_block_take(block, paired ? width : 0, sizeof(real));
    f->row = okra_block_take(block, spec->inputs, sizeof(double));
    f->trig = (trig_map){.paired = paired,
                         .inputs = spec->inputs,
                         .frequencies = n,
                         .width = width,
                         .cycles = f->cycles,
                         .plain = n / LANES * LANES,
                         .amplitude = f->amplitude};
    trig_set_scale(&f->trig, sqrt((paired ? 1.0 : 2.0) / (double)n));
}

void fourier_lay_out_pairs(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    fourier_lay_out(self, spec, true, vec, block);
}

size_t fourier_features(const okra_spec *spec) { return spec->features; }

/* ---- features ------------------------------------------------------------------------------------------------- */

static bool in_order(const fourier *f) { return !f->trig.paired || f->frequencies == f->trig.width; }

size_t fourier_scratch(const void *self)
{
    const fourier *f = self;
    return in_order(f) ? 0 : trig_outputs(&f->trig);
}

void fourier_pairs_to_order(size_t n, size_t width, const real *pairs, real *z)
{
    memcpy(z, pairs, n * sizeof *z);
    memcpy(z + n, pairs + width, n * sizeof *z);
    memset(z + 2 * n, 0, (padded(2 * n) - 2 * n) * sizeof *z);
}

void fourier_apply(const void *self, const real *x, real *z, real *work)
{
    const fourier *f = self;
    f->vec->trig(&f->trig, f->phase, x, in_order(f) ? z : work);
    if (!in_order(f))
        fourier_pairs_to_order(f->frequencies, f->trig.width, work, z);
}

const trig_map *fourier_trig(const void *self, const real **phase)
{
    const fourier *f = self;
    *phase = f->phase;
    return &f->trig;
}

/* ---- frequencies ---------------------------------------------------------------------------------------------- */

bool fourier_array(const void *self, size_t i, array_view *view)
{
    const fourier *f = self;
    if (i == 0)
        *view = (array_view){"omega", f->frequencies, f->trig.inputs, f->cycles, ARRAY_BLOCKS, 0, false};
    else if (!f->trig.paired)
        *view = (array_view){"phase", f->frequencies, 1, f->phase, ARRAY_ROWS, 1, false};
    else if (f->weighted)
        *view = (array_view){"amplitude", f->frequencies, 1, f->amplitude, ARRAY_ROWS, 1, false};
    else
        return false;
    return i < 2;
}

void fourier_clear(fourier *f)
{
    memset(f->cycles, 0, f->trig.width * f->trig.inputs * sizeof *f->cycles);
    for (size_t i = 0; i < f->trig.width; i++) {
        if (f->trig.paired)
            f->amplitude[i] = i < f->frequencies ? 1 : 0;
        f->phase[i] = f->trig.paired ? 0 : (real)0.25; /* cos of a quarter cycle: exactly 0 */
    }
}

void fourier_init_empty(void *self) { fourier_clear(self); }

void fourier_put(fourier *f, const okra_spec *spec, size_t i, double radial_scale, const double *unit)
{
    array_view omega;
    fourier_array(f, 0, &omega);
    for (size_t j = 0; j < spec->inputs; j++)
        f->cycles[array_place(&omega, i, j)] =
            (real)(radial_scale * unit[j] / (width_of(spec, i) * okra_spec_input_width(spec, j)) / (2 * M_PI));
}

double fourier_draw_row(fourier *f, const okra_spec *spec, size_t i)
{
    okra_random random = {.seed = spec->seed, .stream = STREAM_OMEGA, .next = (uint64_t)i << 32};
    okra_kernel_draw(spec->kernel, &random, spec->inputs, f->row);
    return okra_kernel_radial_scale(spec->kernel, uniform_at(spec, STREAM_RADIAL_SCALE, i));
}

okra_status fourier_checked(const fourier *f)
{
    size_t n = f->trig.width * f->trig.inputs;
    return f->vec->finite(n, f->cycles) == n ? OKRA_OK : OKRA_E_RANGE;
}
