/*
 * Widths of the inputs for a whole set of samples at once (width_search.h), in units of the inputs as they are.
 */
#ifndef OKRA_WIDTH_FINDER_H
#define OKRA_WIDTH_FINDER_H

#include "../map/map.h"
#include "width_search.h"

/* With fewer samples, widths are equal. */
enum { FINDER_LEAST = 64 };

#define width_finder OKRA_TYPED(width_finder)
typedef struct width_finder {
    size_t inputs, outputs;
    feature_map base;      /* orthogonal frequencies at width 1 */
    sample_ring ring;      /* of SEARCH_ROWS samples */
    member_features scale; /* of those samples */
    width_search search;
    matrix_space space;
    real *column; /* [SEARCH_ROWS] */
} width_finder;

#define finder_lay_out OKRA_TYPED(finder_lay_out)
#define finder_begin   OKRA_TYPED(finder_begin)
#define finder_find    OKRA_TYPED(finder_find)

/* spec: inputs, up to OKRA_INPUT_WIDTHS_MAX, and outputs of the samples, seed, precision. */
void finder_lay_out(width_finder *f, const okra_spec *spec, const vec_table *vec, okra_block *block);

/* Drops the samples that were added. At most SEARCH_ROWS can be added then, by finder_add(). */
void finder_begin(width_finder *f);

static inline void finder_add(width_finder *f, const real *x, const real *y, real weight)
{
    ring_push(&f->ring, x, y, weight);
}

/*
 * The widths of those samples into widths[inputs], and into relevance[inputs] how fast the target varies with each
 * input: 1/width^2 in units of the input's deviation, adding up to 1; zeros if there are too few samples. The spec is
 * that of finder_lay_out().
 */
okra_status finder_find(width_finder *f, const okra_spec *spec, real *widths, real *relevance);

#endif
