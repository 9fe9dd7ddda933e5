/*
 * The last samples that a filter has learnt, as they came, with their weights. Sample t is at t modulo the capacity.
 */
#ifndef OKRA_SAMPLE_RING_H
#define OKRA_SAMPLE_RING_H

#include <string.h>

#include "../core/block.h"
#include "../core/real.h"
#include "../vec/array.h"

#define sample_ring OKRA_TYPED(sample_ring)
typedef struct sample_ring {
    size_t inputs, outputs, capacity;
    uint64_t count; /* samples so far */
    real *x, *y;    /* [capacity][inputs], [capacity][outputs] */
    real *weight;   /* [capacity] */
} sample_ring;

static inline void ring_lay_out(sample_ring *r, size_t inputs, size_t outputs, size_t capacity, okra_block *block)
{
    size_t row = SIZE_MAX, targets = SIZE_MAX;
    okra_multiply(inputs, sizeof(real), &row);
    okra_multiply(outputs, sizeof(real), &targets);
    r->inputs = inputs;
    r->outputs = outputs;
    r->capacity = capacity;
    r->x = okra_block_take(block, capacity, row);
    r->y = okra_block_take(block, capacity, targets);
    r->weight = okra_block_take(block, capacity, sizeof(real));
}

static inline void ring_push(sample_ring *r, const real *x, const real *y, real weight)
{
    size_t i = (size_t)(r->count++ % r->capacity);
    memcpy(r->x + i * r->inputs, x, r->inputs * sizeof *x);
    memcpy(r->y + i * r->outputs, y, r->outputs * sizeof *y);
    r->weight[i] = weight;
}

/* The samples that are held, and the first of them. */
static inline size_t ring_held(const sample_ring *r) { return r->count < r->capacity ? (size_t)r->count : r->capacity; }
static inline uint64_t ring_first(const sample_ring *r) { return r->count - ring_held(r); }

static inline const real *ring_x(const sample_ring *r, uint64_t t) { return r->x + t % r->capacity * r->inputs; }
static inline const real *ring_y(const sample_ring *r, uint64_t t) { return r->y + t % r->capacity * r->outputs; }
static inline real ring_weight(const sample_ring *r, uint64_t t) { return r->weight[t % r->capacity]; }

/* State array i = 0, 1, 2; false beyond. */
static inline bool ring_array(const sample_ring *r, size_t i, array_view *view)
{
    size_t rows = ring_held(r);
    if (i == 0)
        *view = (array_view){"window.x", rows, r->inputs, r->x, ARRAY_ROWS, r->inputs, false};
    else if (i == 1)
        *view = (array_view){"window.y", rows, r->outputs, r->y, ARRAY_ROWS, r->outputs, false};
    else if (i == 2)
        *view = (array_view){"window.weight", 1, rows, r->weight, ARRAY_ROWS, rows, false};
    return i < 3;
}

#endif
