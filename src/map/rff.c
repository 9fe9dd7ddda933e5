/*
 * Random Fourier features (Rahimi and Recht 2007; equation 3 of the paper): z_i(x) = sqrt(2/D) cos(omega_i . x + b_i),
 * omega_i from the kernel's spectrum (equation 5), b_i uniform over a cycle.
 */
#include "fourier.h"

static void lay_out(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    fourier_lay_out(self, spec, false, vec, block);
}

/* Frequencies and phases that the caller gives, in radians. */
static void take_given(fourier *f, const okra_spec *spec)
{
    array_view omega;
    fourier_array(f, 0, &omega);
    for (size_t i = 0; i < f->frequencies; i++) {
        for (size_t j = 0; j < spec->inputs; j++)
            f->cycles[array_place(&omega, i, j)] = (real)(spec->omega[i * spec->inputs + j] / (2 * M_PI));
        f->phase[i] = (real)(spec->phase[i] / (2 * M_PI));
    }
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    fourier *f = self;
    fourier_clear(f);
    if (spec->omega)
        take_given(f, spec);
    for (size_t i = 0; !spec->omega && i < f->frequencies; i++) {
        double radial_scale = fourier_draw_row(f, spec, i);
        fourier_put(f, spec, i, radial_scale, f->row);
        f->phase[i] = (real)uniform_at(spec, STREAM_PHASE, i);
    }
    return fourier_checked(f);
}

const map_class OKRA_TYPED(map_rff) = {
    .id = OKRA_MAP_RFF,
    .state_bytes = STATE_BYTES(fourier),
    .lay_out = lay_out,
    .init_params = init_params,
    FOURIER_ENTRIES,
};
