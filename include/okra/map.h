/*
 * Feature maps on their own: z(x), to feed another learner or to look at the features of a filter. A filter has its map
 * inside and needs no okra_map.
 */
#ifndef OKRA_MAP_H
#define OKRA_MAP_H

#include <stddef.h>

#include <okra/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct okra_map okra_map;

/*
 * Makes the map of a spec. Reads the fields recipe, inputs, precision, map, kernel, sigma, sigma_more, widths,
 * features, seed, omega and phase, and ignores the others. On success the caller owns *map and frees it with
 * okra_map_free(). On failure *map is NULL.
 */
OKRA_API okra_status okra_map_create(const okra_spec *spec, okra_map **map);

/* Frees a map; NULL is allowed. */
OKRA_API void okra_map_free(okra_map *map);

/* D, the number of features in a z; 0 if map is NULL. */
OKRA_API size_t okra_map_outputs(const okra_map *map);

/*
 * Writes z of n inputs: X is n x inputs, Z is n x outputs, both row by row. Uses memory inside the map: one thread at a
 * time. Stops at the first row that is not finite (OKRA_E_SAMPLE) or whose features are not (OKRA_E_RANGE); the rows
 * before it are written.
 */
OKRA_API okra_status okra_map_apply(okra_map *map, size_t n, const double *X, double *Z);
OKRA_API okra_status okra_map_apply_f32(okra_map *map, size_t n, const float *X, float *Z);

/* The exact kernel kappa(x - y) that a map approximates; x[d], y[d]. NaN if `kernel` is not a kernel. */
OKRA_API double okra_kernel_value(int kernel, double sigma, size_t d, const double *x, const double *y);

#ifdef __cplusplus
}
#endif
#endif
