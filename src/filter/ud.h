/*
 * P = U diag(d) U', the inverse of the information that an RLS filter has gathered, kept as factors: positive by
 * construction in either precision (Bierman; the recursions are in vec/body_ud.h).
 *
 * A measurement is taken in two halves: ud_measure() works out what it does to P, and touches only vectors; ud_settle()
 * or the next ud_project() applies that to U. What is *pending* in between is one measurement at most.
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
    real *v, *l;  /* the update that it leads to */
    real *g;      /* P z of the update applied last */
    bool pending;
    real diag_max; /* no diagonal element of P is larger */
    size_t row;    /* the next row whose diagonal element ud_tighten() looks at .. */
    real row_max;  /* .. and a bound on those it has seen in this round */
    real d_min;    /* no d is smaller */
    bool held;     /* the measurement at hand would take some d below UD_LEAST, where it is held; then .. */
    real diag_max_next, d_min_next; /* .. the bounds once it is accepted; d_min_next always */
} ud_factor;

/* P's diagonal stays below this; the bound on it is worth tightening from UD_NEAR on, far enough below. */
#define UD_MOST (REAL_MAX / 16)
#define UD_NEAR real_sqrt(UD_MOST)

#define ud_lay_out       OKRA_TYPED(ud_lay_out)
#define ud_reset         OKRA_TYPED(ud_reset)
#define ud_resize        OKRA_TYPED(ud_resize)
#define ud_clear_padding OKRA_TYPED(ud_clear_padding)
#define ud_append        OKRA_TYPED(ud_append)
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

/* Uses n columns from now on, without touching what they hold. */
void ud_resize(ud_factor *p, size_t n);

/* Unit columns with d = 0 where there are none in use. */
void ud_clear_padding(ud_factor *p);

/* A column more: `column` above the diagonal, and its d. The diagonal of P that was there may not grow by it beyond
 * `diag_max`. */
void ud_append(ud_factor *p, const real *column, real d);

/* Applies what is pending, leaving P z of it in g, and forms f = U'z for the next. True where something was pending. */
bool ud_project(ud_factor *p, const real *z);

/* f = row j of U, as if z were the unit vector e_j. Nothing may be pending. */
void ud_row(ud_factor *p, size_t j);

/* Works out the update by the projected z with variance r and forgetting 1 / inv_beta; *total is r + z'Pz. False where
   the result would not be finite: then forget it. Else ud_accept() it. */
bool ud_measure(ud_factor *p, real r, real inv_beta, real *total);
void ud_accept(ud_factor *p, real inv_beta);

/* Takes `diag_max` and `d_min` afresh from U and d, in one long pass; nothing may be pending. */
void ud_refresh(ud_factor *p);

/*
 * Before every sample of a filter that forgets, by 1 / inv_beta each: takes `diag_max` afresh a few rows at a time,
 * where it comes near UD_MOST, so that no sample has to wait for all of them. Nothing may be pending.
 */
void ud_tighten(ud_factor *p, real inv_beta);

/* Column j of U: denormals become 0. Nothing may be pending. */
void ud_sweep(ud_factor *p, size_t j);

/* Applies what is pending, leaving P z of it in g. True where something was. */
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
