/*
 * The vector primitives: everything that loops over features goes through this table.
 *
 * One body (body.h) is written in a small vocabulary of vector operations and compiled per instruction set (scalar.c,
 * avx2.c) and precision. dispatch.c picks a table once. Multiply-adds are explicit and contraction is off, so that the
 * same sums come out of a step, a block and a prediction, bit for bit.
 *
 * Layout. Features live in blocks of LANES, 128 bytes, on every instruction set: z and theta in natural order, padded
 * with zeros to whole blocks; frequencies as [block][input][lane]. So only omega differs from its outside shape, and in
 * one way.
 */
#ifndef OKRA_VEC_H
#define OKRA_VEC_H

#include "../core/real.h"

enum { LANES = (int)(128 / sizeof(real)) };

/* Terms of the odd polynomial for cos, by precision; see body.h. */
#if OKRA_PRECISION == 64
enum { COS_TERMS = 8 };
#else
enum { COS_TERMS = 5 };
#endif

/* n rounded up to whole blocks. */
static inline size_t padded(size_t n) { return (n + LANES - 1) / LANES * LANES; }

/* A map z_i = scale cos(2 pi (turns_i . x + phase_i)). Padding lanes have turns 0 and phase 1/4, which gives exactly 0.
 */
#define trig_map OKRA_TYPED(trig_map)
typedef struct trig_map {
    size_t inputs;
    size_t width;         /* features, padded          */
    const real *turns;    /* [width / LANES][inputs][LANES] */
    const real *phase;    /* [width], in turns         */
    real coef[COS_TERMS]; /* the cosine's polynomial, times the scale */
} trig_map;

/* The polynomial for scale cos(2 pi t), into map->coef. */
#define trig_set_scale OKRA_TYPED(trig_set_scale)
void trig_set_scale(trig_map *map, double scale);

#define vec_table OKRA_TYPED(vec_table)
typedef struct vec_table {
    /* z = map(x) */
    void (*trig)(const trig_map *map, const real *x, real *z);
    /* z = map(x); returns theta . z */
    real (*trig_dot)(const trig_map *map, const real *x, const real *theta, real *z);
    /* theta += g z with the z of the sample before, then z = map(x); returns theta . z: one pass instead of two */
    real (*trig_lms)(const trig_map *map, const real *x, real g, real *theta, real *z);

    /* a . b; over whole blocks the same sum as the two above */
    real (*dot)(size_t n, const real *a, const real *b);
    /* y += g x */
    void (*axpy)(size_t n, real g, const real *x, real *y);
    /* max |a_i|, 0 where n is 0; a must be finite */
    real (*amax)(size_t n, const real *a);
    /* the number of values before the first that is not finite */
    size_t (*finite)(size_t n, const real *a);

#if OKRA_PRECISION == 64
    /* Standard normals, 8 for every group of 4 Philox counters (group, stream, run): see random.c */
    void (*normals)(const uint32_t key[2], uint32_t stream, uint32_t run, uint64_t first_group, size_t groups,
                    real *out);
#endif
} vec_table;

#define vec_scalar OKRA_TYPED(vec_scalar)
#define vec_avx2   OKRA_TYPED(vec_avx2)
extern const vec_table vec_scalar;
extern const vec_table vec_avx2;

/* The table of instruction set `isa` (see isa.h). */
#define vec_of OKRA_TYPED(vec_of)
const vec_table *vec_of(int isa);

#endif
