/*
 * Orthogonal random features (F. X. Yu and others 2016), paired: frequencies in blocks of d with mutually orthogonal
 * directions and independent lengths, so that each one alone is distributed as in `pair`, and together they cover the
 * spectrum more evenly. For radial kernels, where length and direction are independent.
 */
#include "orf.h"

static double length(size_t n, const double *row)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += row[j] * row[j];
    return sqrt(sum);
}

/*
 * Removes from f->row its components along directions [first, last), which are stored in place of their frequencies.
 * Works on all lanes of a block at once: those not yet made are zero, and those before `first` are skipped.
 */
static void remove_earlier(fourier *f, size_t first, size_t last)
{
    size_t d = f->trig.inputs;
    for (size_t block = first / LANES * LANES; block < last; block += LANES) {
        const real *q = f->cycles + block * d;
        double part[LANES] = {0};
        for (size_t j = 0; j < d; j++)
            for (size_t k = 0; k < LANES; k++)
                part[k] += (double)q[j * LANES + k] * f->row[j];
        for (size_t k = 0; block + k < first; k++)
            part[k] = 0;
        for (size_t j = 0; j < d; j++) {
            double sum = 0;
            for (size_t k = 0; k < LANES; k++)
                sum += (double)q[j * LANES + k] * part[k];
            f->row[j] -= sum;
        }
    }
}

static void store(fourier *f, size_t i, double factor)
{
    array_view omega;
    fourier_array(f, 0, &omega);
    for (size_t j = 0; j < f->trig.inputs; j++)
        f->cycles[array_place(&omega, i, j)] = (real)(factor * f->row[j]);
}

/*
 * A direction is what remains of a Gaussian row after Gram-Schmidt; its length is that of the whole row. The two are
 * independent, because the remainder has no preferred direction in the orthogonal complement. Two passes make it
 * orthogonal to rounding.
 */
void orthogonal_directions(fourier *f, const okra_spec *spec, size_t first, size_t last)
{
    size_t d = spec->inputs;
    for (size_t i = first; i < last; i++) {
        double radial_scale = fourier_draw_row(f, spec, i);
        f->amplitude[i] = (real)(radial_scale * length(d, f->row));
        for (int twice = 0; twice < 2; twice++)
            remove_earlier(f, first, i);
        store(f, i, 1 / length(d, f->row));
    }
}

void orthogonal_set_length(fourier *f, const okra_spec *spec, size_t i, double length)
{
    array_view omega;
    fourier_array(f, 0, &omega);
    for (size_t j = 0; j < spec->inputs; j++)
        f->row[j] = (double)f->cycles[array_place(&omega, i, j)];
    fourier_put(f, spec, i, length, f->row);
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    fourier *f = self;
    fourier_clear(f);
    for (size_t first = 0, last; first < f->frequencies; first = last) {
        last = orthogonal_end(f, first);
        orthogonal_directions(f, spec, first, last);
        for (size_t i = first; i < last; i++) {
            orthogonal_set_length(f, spec, i, (double)f->amplitude[i]);
            f->amplitude[i] = 1;
        }
    }
    return fourier_checked(f);
}

const map_class OKRA_TYPED(map_orf) = {
    .id = OKRA_MAP_ORF,
    .state_bytes = STATE_BYTES(fourier),
    .lay_out = fourier_lay_out_pairs,
    .init_params = init_params,
    FOURIER_ENTRIES,
};
