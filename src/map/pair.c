/*
 * Paired random Fourier features (Rahimi and Recht 2007, their first form): for each of D/2 frequencies of the kernel's
 * spectrum a cosine and a sine, z = sqrt(2/D) (cos(omega_i . x) .., sin(omega_i . x) ..). Half the projections of rff,
 * and |z| = 1 exactly: z(x).z(y) is a mean of cos(omega_i . (x - y)), without the noise of random phases.
 */
#include "fourier.h"

static okra_status init_params(void *self, const okra_spec *spec)
{
    fourier *f = self;
    fourier_clear(f);
    for (size_t i = 0; i < f->frequencies; i++) {
        double radial_scale = fourier_draw_row(f, spec, i);
        fourier_put(f, spec, i, radial_scale, f->row);
    }
    return fourier_checked(f);
}

const map_class OKRA_TYPED(map_pair) = {
    .id = OKRA_MAP_PAIR,
    .state_bytes = STATE_BYTES(fourier),
    .lay_out = fourier_lay_out_pairs,
    .init_params = init_params,
    FOURIER_ENTRIES,
};
