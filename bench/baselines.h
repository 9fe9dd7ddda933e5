/*
 * RFF-KLMS and its features as others would write them, in both precisions (src/core/real.h): with libm, a feature at a
 * time, and with SLEEF's vectors.
 */
#ifndef OKRA_BENCH_BASELINES_H
#define OKRA_BENCH_BASELINES_H

#include <okra/spec.h>

#include "core/real.h"

/* The frequencies of a filter of ours, so that all compute the same. */
#define frequencies OKRA_TYPED(frequencies)
typedef struct frequencies {
    size_t inputs, features, count; /* count: features, or half of them if paired */
    bool paired;                    /* a cosine and a sine each, and no phase */
    real *omega;                    /* [count][inputs], radians */
    real *phase;                    /* [count], radians */
} frequencies;

#define frequencies_of   OKRA_TYPED(frequencies_of)
#define frequencies_free OKRA_TYPED(frequencies_free)
#define naive_lms        OKRA_TYPED(naive_lms)
#define sleef_map        OKRA_TYPED(sleef_map)
#define sleef_create     OKRA_TYPED(sleef_create)
#define sleef_free       OKRA_TYPED(sleef_free)
#define sleef_lms        OKRA_TYPED(sleef_lms)
#define sleef_waves      OKRA_TYPED(sleef_waves)

/* Of the map that a spec describes: of rff or pair. */
frequencies frequencies_of(const okra_spec *spec);
void frequencies_free(frequencies *f);

/* The naive version: rows of omega, libm's cosine. theta[features] is learnt, z[features] scratch. */
void naive_lms(const frequencies *f, real mu, size_t n, const real *X, const real *Y, real *theta, real *z, real *Yhat);

/* The best that SLEEF's cosine (1 ULP) allows: our blocked layout, one pass a sample. NULL if it cannot run. */
typedef struct sleef_map sleef_map;
sleef_map *sleef_create(const frequencies *f);
void sleef_free(sleef_map *m);
void sleef_lms(sleef_map *m, real mu, size_t n, const real *X, const real *Y, real *Yhat);

/* cosines[n] = cos(angles[n]), and sines[n] unless `sines` is NULL; false if SLEEF cannot run. */
bool sleef_waves(size_t n, const real *angles, real *cosines, real *sines);

#endif
