/*
 * Dense least squares in blocks: the sums A of Z'Z, the Cholesky factor A = R'R, and R^-1. For the ensemble, which
 * solves for whole windows of samples at once.
 *
 * A matrix is stored by rows of `stride` numbers, a multiple of LANES, and has `stride` rows. Its upper triangle
 * counts. The first n rows and columns are the features, the next ones the targets, the rest is zero. So after n pivots
 * the rows of the features hold R and R'^-1 Z'y, and those of the targets hold y'y - y'Z A^-1 Z'y, the least sum of
 * squares.
 *
 * Long work is done in parts: a call advances *at by one part, and the caller decides when to make the next.
 */
#ifndef OKRA_MATRIX_H
#define OKRA_MATRIX_H

#include "../vec/vec.h"

enum { MATRIX_PANEL = 16 }; /* pivots, or rows of an inverse, in a part */

#define matrix_gram     OKRA_TYPED(matrix_gram)
#define matrix_factor   OKRA_TYPED(matrix_factor)
#define matrix_invert   OKRA_TYPED(matrix_invert)
#define matrix_multiply OKRA_TYPED(matrix_multiply)

/* A += Z'Z, for Z[rows][stride]. */
void matrix_gram(const vec_table *vec, size_t rows, const real *z, real *a, size_t stride);

/* Eliminates pivots *at, *at + 1, .. of n, up to a panel of them. False if one is not positive. Done if *at is n. */
bool matrix_factor(const vec_table *vec, size_t n, real *a, size_t stride, size_t *at);

/* Rows of R^-1 above row *at, which is n at first, up to a panel of them, from R in a. Done if *at is 0. */
void matrix_invert(const vec_table *vec, size_t n, const real *a, real *inverse, size_t stride, size_t *at);

/* C = A B for A[rows][stride], rows a multiple of 4, and B[n][stride]. */
void matrix_multiply(const vec_table *vec, size_t rows, size_t n, const real *a, const real *b, real *c, size_t stride);

#endif
