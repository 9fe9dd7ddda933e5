/* State arrays as seen from outside, in natural order, independent of the layout inside. */
#ifndef OKRA_ARRAY_H
#define OKRA_ARRAY_H

#include "vec.h"

typedef enum array_layout {
    ARRAY_ROWS,    /* row by row, `stride` numbers from one to the next */
    ARRAY_BLOCKS,  /* rows in blocks of LANES: [row / LANES][col][row % LANES] */
    ARRAY_HALVES,  /* one row in two halves, the second `stride` numbers after the first */
    ARRAY_TRIANGLE /* one row that lists an upper triangle by columns, in the tiles of vec.h inside */
} array_layout;

#define array_view OKRA_TYPED(array_view)
typedef struct array_view {
    const char *name;
    size_t rows, cols; /* as seen from outside */
    real *data;
    array_layout layout;
    size_t stride;
    bool positive; /* every number in it is above 0 */
} array_view;

/* The index of element (r, c) in data. */
static inline size_t array_place(const array_view *a, size_t r, size_t c)
{
    switch (a->layout) {
    case ARRAY_BLOCKS:
        return (r / LANES * a->cols + c) * LANES + r % LANES;
    case ARRAY_HALVES:
        return c < a->cols / 2 ? c : a->stride + c - a->cols / 2;
    case ARRAY_TRIANGLE: {
        /* Columns before j have j (j + 1) / 2 elements: the root is off by at most one. */
        size_t j = (size_t)((sqrt(8 * (double)c + 1) - 1) / 2);
        if (j * (j + 1) / 2 > c)
            j--;
        else if ((j + 1) * (j + 2) / 2 <= c)
            j++;
        return triangle_place(c - j * (j + 1) / 2, j);
    }
    default:
        return r * a->stride + c;
    }
}

/* Numbers in the upper triangle of n columns. */
static inline size_t array_triangle(size_t n) { return n * (n + 1) / 2; }

#endif
