#include "dictionary.h"

#include <string.h>

#include "../kernel/kernel.h"

void dictionary_lay_out(dictionary *d, const filter_shape *shape, okra_block *block)
{
    const okra_spec *spec = shape->spec;
    size_t row = SIZE_MAX, block_size = SIZE_MAX;
    d->vec = shape->vec;
    d->inputs = spec->inputs;
    d->outputs = shape->outputs;
    d->capacity = spec->capacity;
    d->when_full = spec->when_full;
    d->keep = (real)(1 - spec->mu * spec->leak);
    d->kernel = spec->kernel;
    d->set.scale = (real)okra_kernel_scale(spec->kernel, spec->sigma);
    d->room = padded(spec->capacity);

    okra_multiply(d->room, sizeof(real), &row);
    d->alpha = okra_block_take(block, d->outputs, row);
    d->origin = okra_block_take(block, d->inputs, sizeof(real));
    okra_multiply(d->inputs, LANES * sizeof(real), &block_size);
    d->set.inputs = d->inputs;
    d->set.centre = okra_block_take(block, d->room / LANES, block_size);
    d->set.twice = okra_block_take(block, d->room / LANES, block_size);
    d->set.square = okra_block_take(block, d->room, sizeof(real));
    d->work = okra_block_take(block, dictionary_scratch(d), sizeof(real));
    d->gain = okra_block_take(block, d->outputs, sizeof(real));
}

void dictionary_reset(void *self)
{
    dictionary *d = self;
    d->count = d->oldest = d->full = 0;
    d->set.width = 0;
    d->largest_square = d->max_abs = 0;
    memset(d->alpha, 0, d->outputs * d->room * sizeof *d->alpha);
    memset(d->origin, 0, d->inputs * sizeof *d->origin);
}

/* For x scaled, distances and kernel values. */
size_t dictionary_scratch(const void *self)
{
    const dictionary *d = self;
    return padded(d->inputs) + 2 * d->room;
}

/* ---- matching ----------------------------------------------------------------------------------------------- */

/* to = scale (x - origin); returns its squared length. */
static real normalise(const dictionary *d, const real *x, real *to)
{
    real square = 0;
    for (size_t j = 0; j < d->inputs; j++) {
        to[j] = d->set.scale * (x[j] - d->origin[j]);
        square += to[j] * to[j];
    }
    return square;
}

/* If |c|^2 + |x|^2 is below this, the error of the expanded form, a few eps of that sum, is negligible. */
#define EXPANDED_MOST ((real)(OKRA_PRECISION == 64 ? 256 : 32))

static int choose_form(const dictionary *d, real xx)
{
    bool expanded = d->kernel == OKRA_GAUSSIAN && xx + d->largest_square <= EXPANDED_MOST;
    return expanded ? GAUSSIAN_EXPANDED : d->kernel;
}

/* The index of input 0 of the centre in a lane; input j is j LANES further. */
static size_t lane_place(const dictionary *d, size_t lane) { return lane / LANES * d->inputs * LANES + lane % LANES; }

static real squared_distance(const dictionary *d, size_t m, const real *x)
{
    const real *c = d->set.centre + lane_place(d, m);
    real sum = 0;
    for (size_t j = 0; j < d->inputs; j++, c += LANES)
        sum += (x[j] - *c) * (x[j] - *c);
    return sum;
}

/*
 * Finds the nearest centre. Candidates have a t within rounding of the best; there is usually one. The candidate with
 * the smallest distance, computed directly, is the nearest; the first of equals.
 */
static void find_nearest(const dictionary *d, const real *x, const real *t, real best, real error,
                         dictionary_match *match)
{
    real min = best - error;
    for (size_t m = 0; m < d->count; m++) {
        m += d->vec->find_first(d->set.width - m, t + m, min); /* whole vectors, padding too */
        if (m >= d->count)
            return;
        real squared = squared_distance(d, m, x);
        if (squared < match->dist2) {
            match->nearest = m;
            match->dist2 = squared;
        }
    }
}

/* The rounding error of t, both sides together. */
static real rounding(const dictionary *d, int how, real xx, real best)
{
    const real eps = OKRA_PRECISION == 64 ? (real)DBL_EPSILON : (real)FLT_EPSILON;
    real size = how == GAUSSIAN_EXPANDED ? xx + d->largest_square : real_abs(best);
    return size <= REAL_MAX ? 4 * (real)(d->inputs + 2) * eps * size : 0;
}

okra_status dictionary_eval(const dictionary *d, const real *x, real *work, dictionary_match *match, real *yhat)
{
    real *scaled = work, *t = work + padded(d->inputs), *k = t + d->room, best;
    *match = (dictionary_match){.kernel = k, .dist2 = (real)INFINITY};
    real xx = normalise(d, x, scaled);
    if (!(xx <= REAL_MAX) && d->vec->finite(d->inputs, scaled) < d->inputs)
        return OKRA_E_RANGE; /* an overflowing square alone is a valid distance */
    int how = choose_form(d, xx);
    bool keep = d->keeps_kernels || d->outputs > 1;
    yhat[0] =
        d->vec->kernels(&d->set, how, how == GAUSSIAN_EXPANDED ? scaled : x, xx, d->alpha, t, keep ? k : NULL, &best);
    for (size_t o = 1; o < d->outputs; o++)
        yhat[o] = d->vec->dot(d->set.width, d->alpha + o * d->room, k);
    find_nearest(d, x, t, best, rounding(d, how, xx, best), match);
    return OKRA_OK;
}

void dictionary_predict(const void *self, const real *x, real *work, real *yhat, real *variance)
{
    const dictionary *d = self;
    dictionary_match match;
    (void)variance;
    if (dictionary_eval(d, x, work, &match, yhat))
        yhat[0] = (real)NAN; /* the caller returns OKRA_E_RANGE */
}

/* ---- learning ----------------------------------------------------------------------------------------------- */

okra_status dictionary_gains(dictionary *d, real rate, real k_max, const real *y, const real *yhat)
{
    real max = 0;
    for (size_t o = 0; o < d->outputs; o++) {
        d->gain[o] = rate * (y[o] - yhat[o]);
        if (!(real_abs(d->gain[o]) <= REAL_MAX))
            return OKRA_E_DIVERGED;
        real step = real_abs(d->gain[o]) * k_max;
        max = step > max ? step : max;
    }
    if (!(d->max_abs + max <= REAL_MAX))
        d->max_abs = d->vec->amax(d->outputs * d->room, d->alpha); /* the bound may be too large, never too small */
    if (!(d->max_abs + max <= REAL_MAX))
        return OKRA_E_DIVERGED;
    d->max_abs += max;
    return OKRA_OK;
}

/* Computes the values that the expanded form needs for the centre in a lane. */
static void expand(dictionary *d, size_t lane)
{
    const real *c = d->set.centre + lane_place(d, lane);
    real *twice = d->set.twice + lane_place(d, lane), square = 0;
    for (size_t j = 0; j < d->inputs; j++) {
        real scaled = d->set.scale * (c[j * LANES] - d->origin[j]);
        twice[j * LANES] = 2 * scaled;
        square += scaled * scaled;
    }
    d->set.square[lane] = -square;
}

static void copy_lane(dictionary *d, size_t from, size_t to)
{
    for (size_t j = 0; j < d->inputs; j++)
        d->set.centre[lane_place(d, to) + j * LANES] = d->set.centre[lane_place(d, from) + j * LANES];
    expand(d, to);
}

/* Unused lanes of the last block repeat the block's first centre. */
static void repeat_in_padding(dictionary *d)
{
    for (size_t lane = d->count; lane < d->set.width; lane++)
        copy_lane(d, d->set.width - LANES, lane);
}

static void place(dictionary *d, size_t m, const real *x, const real *gain)
{
    if (d->count == 0)
        memcpy(d->origin, x, d->inputs * sizeof *x);
    bool fresh = m == d->count, first_of_last = m == (d->set.width ? d->set.width - LANES : 0);
    if (fresh)
        d->set.width = padded(++d->count);
    for (size_t j = 0; j < d->inputs; j++)
        d->set.centre[lane_place(d, m) + j * LANES] = x[j];
    expand(d, m);
    if (m % LANES == 0 && (fresh || first_of_last))
        repeat_in_padding(d);
    for (size_t o = 0; o < d->outputs; o++)
        d->alpha[o * d->room + m] = gain ? gain[o] : 0;
    d->largest_square = d->vec->amax(d->count, d->set.square);
}

void dictionary_leak(dictionary *d)
{
    if (d->keep < 1)
        d->vec->axpby(d->outputs * d->room, 0, d->alpha, d->keep, d->alpha);
}

okra_status dictionary_slot(const dictionary *d, size_t *slot)
{
    *slot = SIZE_MAX;
    if (d->count < d->capacity)
        *slot = d->count;
    else if (d->when_full == OKRA_FULL_OLDEST)
        *slot = d->oldest;
    else if (d->when_full == OKRA_FULL_ERROR)
        return OKRA_E_FULL;
    return OKRA_OK;
}

void dictionary_add(dictionary *d, size_t slot, const real *x, const real *gain)
{
    if (d->count == d->capacity)
        d->full++;
    if (slot == SIZE_MAX)
        return;
    if (slot < d->count)
        d->oldest = (d->oldest + 1) % d->capacity;
    place(d, slot, x, gain);
}

okra_status dictionary_learn(dictionary *d, const real *x, const dictionary_match *match, bool fresh, real rate,
                             const real *y, const real *yhat)
{
    size_t slot = SIZE_MAX;
    okra_status status = dictionary_gains(d, rate, 1, y, yhat);
    fresh = fresh && rate > 0; /* a weight of 0 learns nothing */
    if (!status && fresh)
        status = dictionary_slot(d, &slot);
    if (status)
        return status;
    if (rate > 0)
        dictionary_leak(d);
    if (fresh)
        dictionary_add(d, slot, x, d->gain);
    if (slot == SIZE_MAX)
        for (size_t o = 0; o < d->outputs; o++)
            d->alpha[o * d->room + match->nearest] += d->gain[o];
    return OKRA_OK;
}

/* ---- state -------------------------------------------------------------------------------------------------- */

bool dictionary_array(const void *self, size_t i, array_view *view)
{
    const dictionary *d = self;
    if (i == 0)
        *view = (array_view){"centres", d->count, d->inputs, d->set.centre, ARRAY_BLOCKS, 0, false};
    else if (i == 1)
        *view = (array_view){"alpha", d->outputs, d->count, d->alpha, ARRAY_ROWS, d->room, false};
    else if (i == 2)
        *view = (array_view){"origin", 1, d->inputs, d->origin, ARRAY_ROWS, d->inputs, false};
    return i < 3;
}

uint64_t *dictionary_counter(void *self, size_t i, const char **name, uint64_t *max)
{
    dictionary *d = self;
    struct {
        const char *name;
        uint64_t *value, max;
    } rows[] = {
        {"centres", &d->count, d->capacity}, {"oldest", &d->oldest, d->capacity - 1}, {"full", &d->full, UINT64_MAX}};
    if (i >= sizeof rows / sizeof *rows)
        return NULL;
    *name = rows[i].name;
    *max = rows[i].max;
    return rows[i].value;
}

/* Recomputes what depends on centres and origin, and clears the padding. */
void dictionary_after_load(void *self)
{
    dictionary *d = self;
    d->set.width = padded(d->count);
    for (size_t m = 0; m < d->count; m++)
        expand(d, m);
    repeat_in_padding(d);
    d->largest_square = d->vec->amax(d->count, d->set.square);
    for (size_t o = 0; o < d->outputs; o++)
        memset(d->alpha + o * d->room + d->count, 0, (d->room - d->count) * sizeof *d->alpha);
    d->max_abs = d->vec->amax(d->outputs * d->room, d->alpha);
}

size_t dictionary_centres(const void *self, uint64_t *full)
{
    const dictionary *d = self;
    *full = d->full;
    return d->count;
}
