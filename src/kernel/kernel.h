/*
 * The kernels that a random map can approximate: value and spectrum, the Fourier transform of the kernel, which is a
 * probability density by Bochner's theorem. A frequency at width sigma is radial_scale / sigma times a vector of
 * independent coordinates: product kernels have a radial scale of 1; a Matern's Student t is a normal vector with a
 * random one.
 *
 * A kernel is a row of KERNEL_LIST in kernel.c, its id in okra/spec.h, and its vector form in src/vec/body_kernel.h.
 */
#ifndef OKRA_KERNEL_H
#define OKRA_KERNEL_H

#include <stdbool.h>

#include <okra/map.h>
#include <okra/random.h>

#include "axis_rule.h"

/* The kernels' names, ended by a NULL name. */
extern const okra_choice okra_kernel_choices[];

/* Whether the kernel depends on |r| alone, so that its spectrum has no preferred direction. */
bool okra_kernel_is_radial(int kernel);

/* Draws n coordinates omega[n], in radians at width 1, before the radial scale. Takes n numbers from `random`. */
void okra_kernel_draw(int id, okra_random *random, size_t n, double *omega);

/* The radial scale, common to all coordinates of one frequency, from a number u that is uniform in (0, 1). Decreases as
 * u grows; 1 if the coordinates are independent. */
double okra_kernel_radial_scale(int id, double u);

/* The inverse distribution function of one coordinate before the radial scale, at u in (0, 1). */
double okra_kernel_quantile(int id, double u);

/* Whether there is a quadrature rule for one coordinate of the spectrum; and the one with n nodes, false if there is
 * none. */
bool okra_kernel_has_rule(int id);
bool okra_kernel_rule(int id, size_t n, okra_axis_rule *rule);

/* The factor of r for the vector form of the kernel of width sigma. */
double okra_kernel_scale(int id, double sigma);

#endif
