#include "width_finder.h"

#include <string.h>

#include "scale.h"

enum { ROUNDS = 4 };
#define WORTH ((real)0.01) /* of the search's value: 2% of the squared error */

/* What is searched with: as many pairs as the search takes, whatever the recipe has. Standardised inputs are
 * sqrt(2 inputs) apart. */
static okra_spec search_spec(const okra_spec *spec)
{
    okra_spec own = *spec;
    own.map = OKRA_MAP_ORF;
    own.kernel = OKRA_GAUSSIAN;
    own.sigma = 1;
    own.features = 2 * SEARCH_PAIRS;
    own.forget = OKRA_FORGET_EXPONENTIAL;
    memset(own.sigma_more, 0, sizeof own.sigma_more);
    memset(own.widths, 0, sizeof own.widths);
    return own;
}

static double typical_width(const okra_spec *spec) { return sqrt(2 * (double)spec->inputs); }

void finder_lay_out(width_finder *f, const okra_spec *spec, const vec_table *vec, okra_block *block)
{
    okra_spec own = search_spec(spec);
    size_t bytes = SIZE_MAX;
    f->inputs = spec->inputs;
    f->outputs = spec->outputs;
    map_lay_out(&f->base, &own, vec, block);
    ring_lay_out(&f->ring, spec->inputs, spec->outputs, SEARCH_ROWS, block);
    member_lay_out_features(&f->scale, &own, 0, vec, block);
    own.sigma = typical_width(spec);
    search_lay_out(&f->search, &own, vec, f->base.state, block);
    f->space.stride = search_stride(&own);
    okra_multiply(f->space.stride, f->space.stride * sizeof(real), &bytes);
    f->space.z = okra_block_take(block, SEARCH_BLOCK, f->space.stride * sizeof(real));
    f->space.a = okra_block_take(block, 1, bytes);
    f->space.inverse = okra_block_take(block, 1, bytes);
    f->space.work = okra_block_take(block, member_scratch(&f->search.f), sizeof(real));
    f->column = okra_block_take(block, SEARCH_ROWS, sizeof(real));
}

void finder_begin(width_finder *f) { f->ring.count = 0; }

/* Mean and deviation of each column. */
static void find_scale(width_finder *f)
{
    size_t n = (size_t)f->ring.count, columns = f->inputs + f->outputs;
    for (size_t c = 0; c < columns; c++) {
        real range[2];
        for (size_t i = 0; i < n; i++)
            f->column[i] = c < f->inputs ? ring_x(&f->ring, i)[c] : ring_y(&f->ring, i)[c - f->inputs];
        scale_estimate(f->column, n, &f->scale.scale[c], &f->scale.scale[columns + c], range);
    }
}

/* Searches from there again while that helps: a width that is far off takes more steps than one search has. */
static void search(width_finder *f, real *widths)
{
    real value = REAL_MAX, lambda = 1;
    for (int round = 0; round < ROUNDS; round++) {
        search_begin(&f->search, &f->ring, 0, &f->scale, round > 0 ? widths : NULL, lambda);
        while (!search_is_done(&f->search))
            search_advance(&f->search, &f->space);
        lambda = search_lambda(&f->search, widths);
        if (!(search_value(&f->search) < value - WORTH))
            return;
        value = search_value(&f->search);
    }
}

okra_status finder_find(width_finder *f, const okra_spec *spec, real *widths, real *relevance)
{
    okra_spec own = search_spec(spec);
    okra_status status = f->base.klass->init_params(f->base.state, &own);
    if (status)
        return status;
    find_scale(f);
    if (f->ring.count >= FINDER_LEAST) {
        double shares[OKRA_INPUT_WIDTHS_MAX];
        search(f, widths);
        search_shares(widths, f->inputs, shares);
        for (size_t j = 0; j < f->inputs; j++)
            relevance[j] = (real)shares[j];
    } else {
        for (size_t j = 0; j < f->inputs; j++)
            widths[j] = (real)typical_width(spec), relevance[j] = 0;
    }
    for (size_t j = 0; j < f->inputs; j++)
        widths[j] *= member_deviation(&f->scale, j);
    return OKRA_OK;
}
