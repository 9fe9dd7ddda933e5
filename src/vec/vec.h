/*
 * The vector primitives: every loop over features goes through this table.
 *
 * One body (body.h) is written in a small vocabulary of vector operations and compiled per instruction set (scalar.c,
 * avx2.c, neon.c) and precision. dispatch.c picks a table once. Multiply-adds are explicit and contraction is off, so
 * that a step, a block and a prediction give the same sums, bit for bit.
 *
 * Layout. Features are in blocks of LANES, 128 bytes, on every instruction set: z and theta in natural order, padded
 * with zeros to whole blocks; frequencies as [block][input][lane]. So only omega has a different shape inside.
 */
#ifndef OKRA_VEC_H
#define OKRA_VEC_H

#include "../core/real.h"

enum { LANES = (int)(128 / sizeof(real)) };

/* Terms of the polynomials for sine and cosine, by precision; see body_trig.h. */
#if OKRA_PRECISION == 64
enum { SIN_TERMS = 8, COS_TERMS = 9 };
#else
enum { SIN_TERMS = 5, COS_TERMS = 6 };
#endif

/* n rounded up to whole blocks. */
static inline size_t padded(size_t n) { return (n + LANES - 1) / LANES * LANES; }

/*
 * Cosines of t_i = cycles_i . x + phase_i, in cycles, one for each frequency:
 *
 *     z_i = scale cos(2 pi t_i)
 *
 * where padding lanes have cycles 0 and phase 1/4, which gives exactly 0; or, `paired`, a cosine and a sine:
 *
 *     z_i = a_i scale cos(2 pi t_i), z_(width + i) = a_i scale sin(2 pi t_i)
 *
 * with a_i = 1 for i < plain, and the amplitudes given beyond, 0 in the padding. So z, and theta with it, has `width`
 * numbers or twice that.
 */
#define trig_map OKRA_TYPED(trig_map)
typedef struct trig_map {
    bool paired;
    size_t inputs;
    size_t frequencies, width; /* width: padded */
    const real *cycles;        /* [width / LANES][inputs][LANES] */
    size_t plain;              /* paired: lanes in whole blocks without padding, a multiple of LANES; or 0 */
    const real *amplitude;     /* paired: [width] */
    real sine[SIN_TERMS];      /* the polynomials, times the scale */
    real cosine[COS_TERMS];
} trig_map;

/* Numbers in a z that these primitives write. */
#define trig_outputs OKRA_TYPED(trig_outputs)
static inline size_t trig_outputs(const trig_map *map) { return map->paired ? 2 * map->width : map->width; }

/* Sets the polynomials for that scale. Set `paired` before. */
#define trig_set_scale OKRA_TYPED(trig_set_scale)
void trig_set_scale(trig_map *map, double scale);

/* A block of samples for LMS on cosines, theta += mu weight (y - theta.z) z. */
#define lms_block OKRA_TYPED(lms_block)
typedef struct lms_block {
    size_t n;
    const real *X, *Y, *importance; /* [n][inputs], [n], [n] or NULL: a sample's weight */
    real *Yhat;                     /* [n] or NULL */
    real *theta, *z;                /* in the layout of the primitives */
    real mu;
    real z_max, max_abs; /* no |z_i| is larger, and no |theta_i| after any number of steps */
    bool pending;        /* theta still lacks gain z */
    real gain;
} lms_block;

/* How a kernel is evaluated: in its direct form, by its id, OKRA_GAUSSIAN .. of okra/spec.h; or in this form. See
 * body_kernel.h. */
enum { GAUSSIAN_EXPANDED = 0 };

/*
 * Centres of a dictionary, in blocks like frequencies. With r = scale (x - c) the kernel is 2^-|r|^2 (gaussian),
 * 2^-|r|_1 (laplacian), the product of 1 / (1 + r_j^2) (cauchy), or 2^-|r| times a polynomial in |r| (matern). Lanes
 * past the last centre repeat an earlier one: they can tie with it, but not be nearer.
 */
#define centre_set OKRA_TYPED(centre_set)
typedef struct centre_set {
    size_t inputs;
    size_t width; /* centres, padded */
    real scale;
    real *centre; /* unscaled, [width / LANES][inputs][LANES] */
    real *twice;  /* 2 scale (c - origin), in the same layout, for the expanded form .. */
    real *square; /* .. with -|scale (c - origin)|^2, [width] */
} centre_set;

/*
 * Upper triangles, for the columns of U in P = U diag(d) U': tiles of 4 columns by TILE rows, a column of a tile
 * contiguous, the tiles of 4 columns one below the other, zeros below the diagonal.
 */
#define TILE_BYTES 32 /* of a column */
enum { TILE_COLS = 4, TILE_ROWS = (int)(TILE_BYTES / sizeof(real)), TILE = TILE_COLS * TILE_ROWS };

/* Tiles before those of columns 4 g, 4 g + 1, ..: groups i < g have ceil(4 (i + 1) / TILE_ROWS) tiles each. */
static inline size_t triangle_tiles(size_t g)
{
#if OKRA_PRECISION == 64
    return g * (g + 1) / 2;
#else
    return (g / 2) * (g / 2 + 1) + g % 2 * (g / 2 + 1);
#endif
}

/* Numbers in a triangle of n columns, n a multiple of TILE_COLS; and the index of element (i, j), i <= j. */
static inline size_t triangle_size(size_t n) { return triangle_tiles(n / TILE_COLS) * TILE; }
static inline size_t triangle_place(size_t i, size_t j)
{
    return (triangle_tiles(j / TILE_COLS) + i / TILE_ROWS) * TILE + j % TILE_COLS * TILE_ROWS + i % TILE_ROWS;
}

/* The minimum of d: far below what a measurement can resolve, but not zero, because a direction with d = 0 could never
 * be learnt again. */
#define UD_LEAST ((real)(OKRA_PRECISION == 64 ? 1e-290 : 1e-33))

#define vec_table OKRA_TYPED(vec_table)
typedef struct vec_table {
    /* z = map(x); phase[width] */
    void (*trig)(const trig_map *map, const real *phase, const real *x, real *z);
    /* z = map(x); returns theta . z */
    real (*trig_dot)(const trig_map *map, const real *phase, const real *x, const real *theta, real *z);
    /* Learns a block by LMS. Each pass over the features also applies the update of the sample before, so that there is
     * one pass a sample instead of two; the last sample's update stays pending. Returns the samples learnt: fewer than
     * n if the next one's update could overflow, and then nothing is pending. */
    size_t (*trig_lms)(const trig_map *map, const real *phase, lms_block *block);

    /* yhat[n] = theta . map(x) for the rows of X: the bits of trig_dot, with every frequency read once for several rows
     */
    void (*trig_predict)(const trig_map *map, const real *phase, size_t n, const real *X, const real *theta,
                         real *yhat);

    /* a . b */
    real (*dot)(size_t n, const real *a, const real *b);
    /* y += g x */
    void (*axpy)(size_t n, real g, const real *x, real *y);
    /* y = keep y + g x; x may be y */
    void (*axpby)(size_t n, real g, const real *x, real keep, real *y);
    /* max |a_i|, 0 if n is 0; a must be finite */
    real (*amax)(size_t n, const real *a);
    /* the number of values before the first that is not finite */
    size_t (*finite)(size_t n, const real *a);

    /* out = a b, elementwise; out may be a or b */
    void (*multiply)(size_t n, const real *a, const real *b, real *out);
    /* a = H (diagonal a), the Walsh-Hadamard transform without its 1/sqrt(n); n a power of two */
    void (*hadamard)(size_t n, const real *diagonal, real *a);

    /* the first index whose value is >= min; n if there is none */
    size_t (*find_first)(size_t n, const real *a, real min);

    /* For every centre, writes the kernel value to k[width] (may be NULL), and minus its squared distance to t[width].
     * `how` is GAUSSIAN_EXPANDED, or the kernel. Returns alpha . k; *best is the largest t. x is the input; for the
     * expanded form, scale (x - origin), and xx its squared length. */
    real (*kernels)(const centre_set *set, int how, const real *x, real xx, const real *alpha, real *t, real *k,
                    real *best);

    /* Bierman's update of P = U diag(d) U', see body_ud.h; n columns, a multiple of TILE_COLS */
    void (*ud_product)(size_t n, const real *u, const real *z, real *f);
    void (*ud_update)(size_t n, real *u, const real *l, const real *v, real *g);
    void (*ud_update_product)(size_t n, real *u, const real *l, const real *v, real *g, const real *z, real *f);
    real (*ud_gains)(size_t n, real r, real inv_beta, const real *f, const real *d, real *v, real *l, real *d_next);

    /* P += sign b b', then q = P z, of a symmetric P, see body_sym.h; n columns, a multiple of TILE_COLS; b, z and q
       have zeros up to a whole tile */
    void (*sym_product)(size_t n, const real *p, const real *z, real *q);
    void (*sym_update)(size_t n, real *p, real sign, const real *b);
    void (*sym_update_product)(size_t n, real *p, real sign, const real *b, const real *z, real *q);

    /* C += sign A B, for C[rows][cols], B[terms][cols] and A_ik = a[i across + k along]; rows a multiple of 4, cols of
       LANES; a row of B or C is `stride` numbers long */
    void (*matrix_add)(size_t rows, size_t cols, size_t terms, real sign, const real *a, size_t across, size_t along,
                       const real *b, real *c, size_t stride);

#if OKRA_PRECISION == 64
    /* Standard normals, 8 for every group of 4 Philox counters (group, stream, run): see random.c */
    void (*normals)(const uint32_t key[2], uint32_t stream, uint32_t run, uint64_t first_group, size_t groups,
                    real *out);
#endif
} vec_table;

/* The tables, vec_scalar and so on, each defined in the file of its instruction set. */
#define ISA(name, usable) extern const vec_table OKRA_TYPED(vec_##name);
#include "isa_list.h"
#undef ISA

/* The table of instruction set `isa` (see isa.h). */
#define vec_of OKRA_TYPED(vec_of)
const vec_table *vec_of(int isa);

#endif
