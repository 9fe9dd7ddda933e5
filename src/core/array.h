/* State arrays seen from outside: natural order, whatever the layout inside. */
#ifndef OKRA_ARRAY_H
#define OKRA_ARRAY_H

#include "../vec/vec.h"

#define array_view OKRA_TYPED(array_view)
typedef struct array_view {
    const char *name;
    size_t rows, cols; /* as seen from outside */
    real *data;
    /* Numbers from one row to the next. 0: rows are in blocks of LANES, [row / LANES][col][row % LANES]. */
    size_t stride;
} array_view;

/* Where element (r, c) is in data. */
static inline size_t array_place(const array_view *a, size_t r, size_t c)
{
    return a->stride ? r * a->stride + c : (r / LANES * a->cols + c) * LANES + r % LANES;
}

#endif
