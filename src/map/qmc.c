/*
 * Quasi-Monte Carlo features (J. Yang and others 2014), paired: frequencies are the inverse distribution function of
 * the kernel's spectrum at the points of a Halton sequence, so that they fill the spectrum evenly. Digits are scrambled
 * at random, digit -> a digit + c modulo the base (J. Matousek 1998), so that seeds give independent maps, each
 * unbiased.
 */
#include "fourier.h"

static bool is_prime(unsigned n)
{
    for (unsigned k = 2; k * k <= n; k++)
        if (n % k == 0)
            return false;
    return true;
}

static unsigned next_prime(unsigned after)
{
    do
        after++;
    while (!is_prime(after));
    return after;
}

/* Coordinate j of point n, in (0, 1): the scrambled digits of n in that base, mirrored at the point. Continues past the
 * last digit of n, because zeros are scrambled too, until further digits would not change a double. */
static double coordinate(const okra_spec *spec, size_t j, unsigned base, size_t n)
{
    okra_random random = {.seed = spec->seed, .run = (uint32_t)j, .stream = STREAM_SCRAMBLE};
    double value = 0, place = 1;
    while (place > 0x1p-53) {
        double u[2];
        okra_random_uniform(&random, 2, u);
        unsigned a = 1 + (unsigned)(u[0] * (base - 1)), c = (unsigned)(u[1] * base);
        place /= base;
        value += place * (double)((a * (n % base) + c) % base);
        n /= base;
    }
    return value + place / 2 < 1 ? value + place / 2 : 1 - 0x1p-53;
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    fourier *f = self;
    size_t d = spec->inputs;
    fourier_clear(f);
    for (size_t i = 0; i < f->frequencies; i++) {
        size_t point = i / okra_spec_widths(spec); /* every width gets the same points */
        unsigned base = 1;
        for (size_t j = 0; j < d; j++) {
            base = next_prime(base);
            f->row[j] = okra_kernel_quantile(spec->kernel, coordinate(spec, j, base, point));
        }
        fourier_put(f, spec, i, okra_kernel_radial_scale(spec->kernel, coordinate(spec, d, next_prime(base), point)),
                    f->row);
    }
    return fourier_checked(f);
}

const map_class OKRA_TYPED(map_qmc) = {
    .id = OKRA_MAP_QMC,
    .state_bytes = STATE_BYTES(fourier),
    .lay_out = fourier_lay_out_pairs,
    .init_params = init_params,
    FOURIER_ENTRIES,
};
