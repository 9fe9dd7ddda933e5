#include "dictionary.h"

#include <string.h>

void dictionary_lay_out(dictionary *d, const filter_shape *shape, okra_block *block)
{
    const okra_spec *spec = shape->spec;
    size_t row = SIZE_MAX, block_size = SIZE_MAX;
    d->vec = shape->vec;
    d->inputs = spec->inputs;
    d->outputs = shape->outputs;
    d->capacity = spec->capacity;
    d->when_full = spec->when_full;
    d->laplacian = spec->kernel == OKRA_LAPLACIAN;
    /* 2^-|scale r|^2 = exp(-|r|^2 / 2 sigma^2), 2^-|scale r|_1 = exp(-|r|_1 / sigma) */
    d->scale = (real)(d->laplacian ? 1 / (spec->sigma * M_LN2) : 1 / (spec->sigma * sqrt(2 * M_LN2)));
    d->room = padded(spec->capacity);

    okra_multiply(d->inputs, sizeof(real), &row);
    d->centres = okra_block_take(block, d->capacity, row);
    okra_multiply(d->room, sizeof(real), &block_size);
    d->alpha = okra_block_take(block, d->outputs, block_size);
    d->origin = okra_block_take(block, d->inputs, sizeof(real));
    okra_multiply(d->inputs, LANES * sizeof(real), &block_size);
    d->packed.inputs = d->inputs;
    d->packed.twice = okra_block_take(block, d->room / LANES, block_size);
    d->packed.square = okra_block_take(block, d->room, sizeof(real));
    d->work = okra_block_take(block, dictionary_scratch(d), sizeof(real));
    d->gain = okra_block_take(block, d->outputs, sizeof(real));
}

void dictionary_reset(void *self)
{
    dictionary *d = self;
    d->count = d->oldest = d->full = 0;
    d->packed.width = 0;
    d->largest_square = d->reach = 0;
    memset(d->alpha, 0, d->outputs * d->room * sizeof *d->alpha);
    memset(d->origin, 0, d->inputs * sizeof *d->origin);
}

/* x scaled, distances and kernel values. */
size_t dictionary_scratch(const void *self)
{
    const dictionary *d = self;
    return padded(d->inputs) + 2 * d->room;
}

/* ---- meeting ------------------------------------------------------------------------------------------------ */

/* to = scale (x - origin) */
static void normalise(const dictionary *d, const real *x, real *to)
{
    for (size_t j = 0; j < d->inputs; j++)
        to[j] = d->scale * (x[j] - d->origin[j]);
}

/* Where |c|^2 + |x|^2 is below this, the expanded form's error, a few eps of it, is as small as the polynomial's. */
#define EXPANDED_MOST ((real)(OKRA_PRECISION == 64 ? 4096 : 32))

static int choose_form(const dictionary *d, real xx)
{
    if (d->laplacian)
        return LAPLACIAN_DIRECT;
    return xx + d->largest_square <= EXPANDED_MOST ? GAUSSIAN_EXPANDED : GAUSSIAN_DIRECT;
}

static real squared_distance(const dictionary *d, size_t m, const real *x)
{
    const real *c = d->centres + m * d->inputs;
    real sum = 0;
    for (size_t j = 0; j < d->inputs; j++)
        sum += (x[j] - c[j]) * (x[j] - c[j]);
    return sum;
}

okra_status dictionary_meet(const dictionary *d, const real *x, real *work, encounter *met, real *yhat)
{
    real *scaled = work, *t = work + padded(d->inputs), *k = t + d->room, best;
    *met = (encounter){.kernel = k, .squared = (real)INFINITY};
    normalise(d, x, scaled);
    if (d->vec->finite(d->inputs, scaled) < d->inputs)
        return OKRA_E_RANGE;
    real xx = d->vec->dot(d->inputs, scaled, scaled);
    yhat[0] = d->vec->kernels(&d->packed, choose_form(d, xx), scaled, xx, d->alpha, t, k, &best);
    for (size_t o = 1; o < d->outputs; o++)
        yhat[o] = d->vec->dot(d->packed.width, d->alpha + o * d->room, k);
    if (d->count > 0) {
        met->nearest = d->vec->find_first(d->count, t, best);
        met->squared = squared_distance(d, met->nearest, x);
    }
    return OKRA_OK;
}

void dictionary_predict(const void *self, const real *x, real *work, real *yhat, real *variance)
{
    const dictionary *d = self;
    encounter met;
    (void)variance;
    if (dictionary_meet(d, x, work, &met, yhat))
        yhat[0] = (real)NAN; /* the front door says OKRA_E_RANGE */
}

/* ---- learning ----------------------------------------------------------------------------------------------- */

okra_status dictionary_gains(dictionary *d, real rate, const real *y, const real *yhat)
{
    real most = 0;
    for (size_t o = 0; o < d->outputs; o++) {
        d->gain[o] = rate * (y[o] - yhat[o]);
        if (!(real_abs(d->gain[o]) <= REAL_MAX))
            return OKRA_E_DIVERGED;
        most = real_abs(d->gain[o]) > most ? real_abs(d->gain[o]) : most;
    }
    if (!(d->reach + most <= REAL_MAX))
        d->reach = d->vec->amax(d->outputs * d->room, d->alpha); /* the running bound is never too small, but may be too
                                                                    large */
    if (!(d->reach + most <= REAL_MAX))
        return OKRA_E_DIVERGED;
    d->reach += most;
    return OKRA_OK;
}

/* Packs centre m into its lane, and, where it begins a block, into the lanes after it: they repeat it until they are
 * taken. */
static void pack(dictionary *d, size_t m)
{
    size_t last = m % LANES == 0 ? m + LANES : m + 1;
    for (size_t lane = m; lane < last; lane++) {
        real square = 0;
        for (size_t j = 0; j < d->inputs; j++) {
            real c = d->scale * (d->centres[m * d->inputs + j] - d->origin[j]);
            d->packed.twice[(lane / LANES * d->inputs + j) * LANES + lane % LANES] = 2 * c;
            square += c * c;
        }
        d->packed.square[lane] = -square;
        d->largest_square = square > d->largest_square ? square : d->largest_square;
    }
}

static void place(dictionary *d, size_t m, const real *x, const real *gain)
{
    if (d->count == 0)
        memcpy(d->origin, x, d->inputs * sizeof *x);
    memcpy(d->centres + m * d->inputs, x, d->inputs * sizeof *x);
    if (m == d->count)
        d->packed.width = padded(++d->count);
    pack(d, m);
    for (size_t o = 0; o < d->outputs; o++)
        d->alpha[o * d->room + m] = gain ? gain[o] : 0;
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

okra_status dictionary_learn(dictionary *d, const real *x, const encounter *met, bool fresh, real rate, const real *y,
                             const real *yhat)
{
    size_t slot = SIZE_MAX;
    okra_status status = dictionary_gains(d, rate, y, yhat);
    fresh = fresh && rate > 0; /* a weight of 0 learns nothing */
    if (!status && fresh)
        status = dictionary_slot(d, &slot);
    if (status)
        return status;
    if (fresh)
        dictionary_add(d, slot, x, d->gain);
    if (slot == SIZE_MAX)
        for (size_t o = 0; o < d->outputs; o++)
            d->alpha[o * d->room + met->nearest] += d->gain[o];
    return OKRA_OK;
}

/* ---- state -------------------------------------------------------------------------------------------------- */

bool dictionary_array(const void *self, size_t i, array_view *view)
{
    const dictionary *d = self;
    if (i == 0)
        *view = (array_view){"centres", d->count, d->inputs, d->centres, ARRAY_ROWS, d->inputs};
    else if (i == 1)
        *view = (array_view){"alpha", d->outputs, d->count, d->alpha, ARRAY_ROWS, d->room};
    else if (i == 2)
        *view = (array_view){"origin", 1, d->inputs, d->origin, ARRAY_ROWS, d->inputs};
    return i < 3;
}

uint64_t *dictionary_counter(void *self, size_t i, const char **name, uint64_t *most)
{
    dictionary *d = self;
    struct {
        const char *name;
        uint64_t *value, most;
    } rows[] = {
        {"centres", &d->count, d->capacity}, {"oldest", &d->oldest, d->capacity - 1}, {"full", &d->full, UINT64_MAX}};
    if (i >= sizeof rows / sizeof *rows)
        return NULL;
    *name = rows[i].name;
    *most = rows[i].most;
    return rows[i].value;
}

/* Packs all centres anew, and clears what lies beyond them. */
void dictionary_restored(void *self)
{
    dictionary *d = self;
    d->packed.width = padded(d->count);
    d->largest_square = 0;
    for (size_t m = 0; m < d->count; m++)
        pack(d, m);
    for (size_t o = 0; o < d->outputs; o++)
        memset(d->alpha + o * d->room + d->count, 0, (d->room - d->count) * sizeof *d->alpha);
    d->reach = d->vec->amax(d->outputs * d->room, d->alpha);
}

size_t dictionary_centres(const void *self, uint64_t *full)
{
    const dictionary *d = self;
    *full = d->full;
    return d->count;
}
