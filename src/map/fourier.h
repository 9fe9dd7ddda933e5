/*
 * Shared by all maps of cosines. Frequencies are in cycles (omega / 2 pi), stored in blocks; outside they appear in
 * natural order. Each has one cosine with a phase, or a cosine and a sine. The file of a map adds how its frequencies
 * are chosen.
 *
 * If a map's state struct begins with `fourier`, its class can use the functions that take `self` directly.
 */
#ifndef OKRA_FOURIER_H
#define OKRA_FOURIER_H

#include "../kernel/kernel.h"
#include "../spec/params.h"
#include "map.h"

/* Streams of random numbers, by purpose. Frequency i takes its coordinates from index i 2^32 on; everything else is at
 * index i. */
enum { STREAM_OMEGA = 1, STREAM_PHASE = 2, STREAM_RADIAL_SCALE = 3, STREAM_SCRAMBLE = 4, STREAM_SIGNS = 5 };

#define fourier OKRA_TYPED(fourier)
typedef struct fourier {
    const vec_table *vec;
    trig_map trig;
    size_t frequencies;
    bool weighted;   /* amplitudes differ */
    real *cycles;    /* [width / LANES][inputs][LANES] */
    real *phase;     /* [width] */
    real *amplitude; /* [width], of pairs */
    double *row;     /* [inputs]: the frequency being made */
} fourier;

#define fourier_lay_out        OKRA_TYPED(fourier_lay_out)
#define fourier_lay_out_pairs  OKRA_TYPED(fourier_lay_out_pairs)
#define fourier_features       OKRA_TYPED(fourier_features)
#define fourier_scratch        OKRA_TYPED(fourier_scratch)
#define fourier_apply          OKRA_TYPED(fourier_apply)
#define fourier_trig           OKRA_TYPED(fourier_trig)
#define fourier_array          OKRA_TYPED(fourier_array)
#define fourier_init_empty     OKRA_TYPED(fourier_init_empty)
#define fourier_clear          OKRA_TYPED(fourier_clear)
#define fourier_put            OKRA_TYPED(fourier_put)
#define fourier_draw_row       OKRA_TYPED(fourier_draw_row)
#define fourier_checked        OKRA_TYPED(fourier_checked)
#define fourier_pairs_to_order OKRA_TYPED(fourier_pairs_to_order)

/* Takes the arrays: a cosine with a phase for each of spec->features frequencies, or features / 2 pairs. */
void fourier_lay_out(fourier *f, const okra_spec *spec, bool paired, const vec_table *vec, okra_block *block);

/* The same as a class entry, for maps of pairs with equal amplitudes. */
void fourier_lay_out_pairs(void *self, const okra_spec *spec, const vec_table *vec, okra_block *block);

/* Class entries. */
size_t fourier_features(const okra_spec *spec);
size_t fourier_scratch(const void *self);
void fourier_apply(const void *self, const real *x, real *z, real *work);
const trig_map *fourier_trig(const void *self, const real **phase);
bool fourier_array(const void *self, size_t i, array_view *view);
void fourier_init_empty(void *self);

/* Before drawing: sets the padding, and phase 0 and amplitude 1 for pairs. */
void fourier_clear(fourier *f);

/* Sets frequency i to radial_scale unit[inputs], in radians at width 1, divided by its width and by those of the
 * inputs. */
void fourier_put(fourier *f, const okra_spec *spec, size_t i, double radial_scale, const double *unit);

/* Draws frequency i of the kernel's spectrum into f->row, in radians at width 1, before the radial scale. Returns the
 * radial scale. */
double fourier_draw_row(fourier *f, const okra_spec *spec, size_t i);

/* OKRA_E_RANGE if a frequency does not fit this precision. */
okra_status fourier_checked(const fourier *f);

/* Converts cosines and sines from the layout of the primitives, [2 width], to natural order with padding, z[padded(2
 * n)]. */
void fourier_pairs_to_order(size_t n, size_t width, const real *pairs, real *z);

/* The width of frequency i: if there are several, they alternate. */
static inline double width_of(const okra_spec *spec, size_t i)
{
    size_t widths = okra_spec_widths(spec), turn = i % widths;
    return turn == 0 ? spec->sigma : spec->sigma_more[turn - 1];
}

/* A number in (0, 1), the i-th of that stream. */
static inline double uniform_at(const okra_spec *spec, uint32_t stream, uint64_t i)
{
    double u;
    okra_random random = {.seed = spec->seed, .stream = stream, .next = i};
    okra_random_uniform(&random, 1, &u);
    return u;
}

/* Shared by the classes of maps of cosines. */
#define FOURIER_ENTRIES                                                                                    \
    .outputs = fourier_features, .scratch = fourier_scratch, .apply = fourier_apply, .trig = fourier_trig, \
    .array = fourier_array, .init_empty = fourier_init_empty

#endif
