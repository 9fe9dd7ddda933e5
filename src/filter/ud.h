/*
 * P = U diag(d) U', the inverse of an RLS filter's information matrix, kept as factors: positive by construction in
 * either precision (Bierman; the recursions are in vec/body_ud.h).
 *
 * A measurement has two halves. ud_measure() computes its effect on P and touches only vectors. ud_settle() or the next
 * ud_project() applies it to U. In between it is *pending*; at most one measurement is.
 */
#ifndef OKRA_UD_H
#define OKRA_UD_H

#include "../vec/array.h"
#include "../core/block.h"

#define ud_factor OKRA_TYPED(ud_factor)
typedef struct ud_factor {
    const vec_table *vec;
    size_t capacity;
    size_t n;     /* columns in use, and .. */
    size_t cols;  /* .. rounded up to whole tiles */
    real *u;      /* triangle, see vec.h */
    real *d;      /* [capacity] */
    real *d_next; /* d once the measurement is accepted */
    real *f;      /* U'z of the last projection */
    real *v, *l;  /* the update by it */
    real *g;      /* P z of the last update applied */
    bool pending;
    real diag_max; /* no diagonal element of P is larger */
    size_t row;    /* the next row for ud_tighten() .. */
    real row_max;  /* .. and a bound on the rows it has checked in this round */
    real d_min;    /* no d is smaller */
    bool held;     /* the current measurement would lower some d below UD_LEAST, where it is held; then .. */
    real diag_max_next, d_min_next; /* .. the bounds once it is accepted; d_min_next always */
} ud_factor;

/* The diagonal of P stays below this. Its bound is tightened from UD_NEAR on, far enough below. */
#define UD_MOST (REAL_MAX / 16)
#define UD_NEAR real_sqrt(UD_MOST)

#define ud_lay_out       OKRA_TYPED(ud_lay_out)
#define ud_reset         OKRA_TYPED(ud_reset)
#define ud_resize        OKRA_TYPED(ud_resize)
#define ud_clear_padding OKRA_TYPED(ud_clear_padding)
#define ud_append        OKRA_TYPED(ud_append)
#define ud_start         OKRA_TYPED(ud_start)
#define ud_project       OKRA_TYPED(ud_project)
#define ud_measure       OKRA_TYPED(ud_measure)
#define ud_accept        OKRA_TYPED(ud_accept)
#define ud_settle        OKRA_TYPED(ud_settle)
#define ud_row           OKRA_TYPED(ud_row)
#define ud_spread        OKRA_TYPED(ud_spread)
#define ud_spread_of     OKRA_TYPED(ud_spread_of)
#define ud_refresh       OKRA_TYPED(ud_refresh)
#define ud_tighten       OKRA_TYPED(ud_tighten)
#define ud_sweep         OKRA_TYPED(ud_sweep)

/* n rounded up to whole tiles. */
static inline size_t ud_columns(size_t n) { return (n + TILE_COLS - 1) / TILE_COLS * TILE_COLS; }

void ud_lay_out(ud_factor *p, size_t capacity, const vec_table *vec, okra_block *block);

/* P = I / lambda with n columns in use. */
void ud_reset(ud_factor *p, size_t n, real inv_lambda);

/* Uses n columns from now on; does not change their contents. */
void ud_resize(ud_factor *p, size_t n);

/* Sets unused columns to unit columns with d = 0. */
void ud_clear_padding(ud_factor *p);

/* P = inverse inverse', of all n columns; `inverse` is an upper triangle in rows of `stride`. False if P is not within
 * its bounds. */
bool ud_start(ud_factor *p, const real *inverse, size_t stride);

/* Appends a column: `column` above the diagonal, and its d. The old diagonal of P must stay within `diag_max`. */
void ud_append(ud_factor *p, const real *column, real d);

/* Applies a pending update, leaves its P z in g, and forms f = U'z for the next. True if one was pending. */
bool ud_project(ud_factor *p, const real *z);

/* f = row j of U, as if z were the unit vector e_j. Nothing may be pending. */
void ud_row(ud_factor *p, size_t j);

/* Computes the update by the projected z with variance r and forgetting 1 / inv_beta; *total is r + z'Pz. False if the
   result would not be finite: then drop it. Else call ud_accept(). */
bool ud_measure(ud_factor *p, real r, real inv_beta, real *total);
void ud_accept(ud_factor *p, real inv_beta);

/* Recomputes `diag_max` and `d_min` from U and d, in one long pass; nothing may be pending. */
void ud_refresh(ud_factor *p);

/*
 * Call before every sample of a filter that forgets by 1 / inv_beta. Near UD_MOST it recomputes `diag_max` a few rows
 * at a time, so that no sample waits for all rows. Nothing may be pending.
 */
void ud_tighten(ud_factor *p, real inv_beta);

/* Sets denormals in column j of U to 0. Nothing may be pending. */
void ud_sweep(ud_factor *p, size_t j);

/* Applies a pending update and leaves its P z in g. True if one was pending. */
bool ud_settle(ud_factor *p);

/* z'Pz of the projected z, f = U'z. */
real ud_spread_of(const ud_factor *p, const real *f);

/* z'Pz, with work[capacity padded] as scratch; nothing may be pending. */
real ud_spread(const ud_factor *p, const real *z, real *work);

/* `d` and `u` as state arrays i = 0, 1; false beyond. */
static inline bool ud_array(const ud_factor *p, size_t i, array_view *view)
{
    if (i == 0)
        *view = (array_view){"d", 1, p->n, p->d, ARRAY_ROWS, p->n, true};
    else if (i == 1)
        *view = (array_view){"u", 1, array_triangle(p->n), p->u, ARRAY_TRIANGLE, 0, false};
    return i < 2;
}

#endif
