/* The kernels that a random map can approximate: value and spectrum. */
#ifndef OKRA_KERNEL_H
#define OKRA_KERNEL_H

#include <okra/map.h>
#include <okra/random.h>

/* The kernels' names, ended by a NULL name. */
extern const okra_choice okra_kernel_choices[];

/*
 * Draws one frequency omega[d], in radians, of the kernel's spectrum at width sigma: the Fourier transform of the
 * kernel, a probability density by Bochner's theorem. Takes its numbers from `random`, d of them.
 */
void okra_kernel_draw(int kernel, double sigma, okra_random *random, size_t d, double *omega);

#endif
