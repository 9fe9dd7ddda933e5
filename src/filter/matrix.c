#include "matrix.h"

#include <string.h>

void matrix_gram(const vec_table *vec, size_t rows, const real *z, real *a, size_t stride)
{
    for (size_t i = 0; i < stride; i += LANES)
        vec->matrix_add(LANES, stride - i, rows, 1, z + i, 1, stride, z + i, a + i * stride + i, stride);
}

/* Divides row p by the root of its pivot, and takes it out of rows p + 1 to `last`. */
static bool eliminate(const vec_table *vec, real *a, size_t stride, size_t p, size_t last)
{
    real *row = a + p * stride, pivot = row[p];
    if (!(pivot > 0 && pivot <= REAL_MAX))
        return false;
    vec->axpby(stride - p, 0, row + p, 1 / real_sqrt(pivot), row + p);
    for (size_t i = p + 1; i < last; i++)
        vec->axpy(stride - i, -row[i], row + i, a + i * stride + i);
    return true;
}

bool matrix_factor(const vec_table *vec, size_t n, real *a, size_t stride, size_t *at)
{
    size_t first = *at, last = first + MATRIX_PANEL <= n ? first + MATRIX_PANEL : n;
    bool whole = last % MATRIX_PANEL == 0; /* else it is the last, and takes its rows out of all others itself */
    for (size_t p = first; p < last; p++)
        if (!eliminate(vec, a, stride, p, whole ? last : stride))
            return false;
    const real *panel = a + first * stride;
    for (size_t i = last; whole && i < stride; i += MATRIX_PANEL) {
        size_t j = i / LANES * LANES;
        vec->matrix_add(MATRIX_PANEL, stride - j, last - first, -1, panel + i, 1, stride, panel + j, a + i * stride + j,
                        stride);
    }
    *at = last;
    return true;
}

/* Rows i, i + 1, .. of the inverse: R^-1 = (I - (R - diag R) R^-1) / diag R, from the last row upwards. */
static void invert_rows(const vec_table *vec, size_t n, const real *a, real *inverse, size_t stride, size_t i)
{
    size_t below = i + MATRIX_PANEL < n ? i + MATRIX_PANEL : n, first = i / LANES * LANES;
    memset(inverse + i * stride, 0, (below - i) * stride * sizeof *inverse);
    if (below < n) /* all rows of the panel are features */
        vec->matrix_add(MATRIX_PANEL, stride - first, n - below, -1, a + i * stride + below, stride, 1,
                        inverse + below * stride + first, inverse + i * stride + first, stride);
    for (size_t k = below; k-- > i;) {
        const real *r = a + k * stride;
        real *row = inverse + k * stride;
        row[k] = 1;
        for (size_t m = k + 1; m < below; m++)
            vec->axpy(stride - m, -r[m], inverse + m * stride + m, row + m);
        vec->axpby(stride - k, 0, row + k, 1 / r[k], row + k);
    }
}

void matrix_invert(const vec_table *vec, size_t n, const real *a, real *inverse, size_t stride, size_t *at)
{
    *at = *at == 0 ? 0 : (*at - 1) / MATRIX_PANEL * MATRIX_PANEL;
    invert_rows(vec, n, a, inverse, stride, *at);
}

void matrix_multiply(const vec_table *vec, size_t rows, size_t n, const real *a, const real *b, real *c, size_t stride)
{
    memset(c, 0, rows * stride * sizeof *c);
    vec->matrix_add(rows, stride, n, 1, a, stride, 1, b, c, stride);
}
