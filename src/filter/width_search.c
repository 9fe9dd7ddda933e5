#include "width_search.h"

#include <string.h>

/* Where the search is: the point of its course, the part of an evaluation, the next row; and what it has found. */
enum { TURN, PART, ROW, ROWS, COUNT, GRID, VALUE, VALUE_BEFORE, BEST, WARM, SEARCH_NUMBERS };

/* Turns: the widths in use, a grid of equal widths, then steps, the last of which only evaluates. */
enum { TURN_START, TURN_GRID, GRID_WIDTHS = 5, TURN_STEPS = TURN_GRID + GRID_WIDTHS, STEPS = 16 };
enum {
    TURN_LAST = TURN_STEPS + STEPS,
    TURN_DONE,
    FEW_ROWS = 192,
    STEPS_FEW = 8 /* if there are few rows */
};
enum { PART_ROWS, PART_FACTOR, PART_INVERT, PART_MULTIPLY, PART_SLOPE };
enum { TURN_GRID_MIDDLE = TURN_GRID + GRID_WIDTHS / 2, GRID_LAMBDAS = 5 };

static const double grid_lambda[GRID_LAMBDAS] = {1e-7, 1e-5, 1e-3, 1e-1, 3};

#if OKRA_PRECISION == 64
#define LEAST_SQUARE ((real)1e-12) /* of y'y: smaller ones are rounding */
#define LEAST_LAMBDA ((real)-20)   /* logarithm */
#define JITTER       ((real)1e-13)
#else
#define LEAST_SQUARE ((real)1e-5)
#define LEAST_LAMBDA ((real)-9)
#define JITTER       ((real)1e-6)
#endif
#define SQUARE_MAX   real_sqrt(real_sqrt(REAL_MAX)) /* sums of squares of these are finite; others are left out */
#define MOST_LAMBDA  ((real)4)
#define LEAST_WIDTH  ((real)-3) /* logarithms */
#define MOST_WIDTH   ((real)6)
#define HOLD         ((real)0.5) /* twice the factor of the last term of L */
#define FAILED       (REAL_MAX / 4)
#define STEP_WARM    ((real)0.2)
#define STEP_COLD    ((real)0.4)
#define STEP_UP      ((real)1.5)
#define STEP_DOWN    ((real)0.5)
#define STEP_MOST    ((real)1.2)
#define START_WIDTHS ((real)2) /* widths in use are at most so many times w when the search goes on from them */

size_t search_pairs(const okra_spec *spec)
{
    return spec->features / 2 < SEARCH_PAIRS ? spec->features / 2 : SEARCH_PAIRS;
}

static size_t search_features(const okra_spec *spec) { return spec->inputs + 1 + 2 * search_pairs(spec); }

size_t search_stride(const okra_spec *spec) { return padded(search_features(spec) + spec->outputs); }

void search_lay_out(width_search *s, const okra_spec *spec, const vec_table *vec, const fourier *base,
                    okra_block *block)
{
    size_t n = spec->inputs + 1, x = SIZE_MAX, slope = SIZE_MAX;
    s->vec = vec;
    s->base = base;
    s->inputs = spec->inputs;
    s->outputs = spec->outputs;
    s->rows_max = SEARCH_ROWS;
    s->width = (real)spec->sigma;
    s->stride = search_stride(spec);
    member_lay_out_features(&s->f, spec, search_pairs(spec), vec, block);
    okra_multiply(s->inputs, s->rows_max * sizeof(real), &x);
    okra_multiply(s->inputs, s->f.map.trig.width * sizeof(real), &slope);
    s->x = okra_block_take(block, 1, x);
    s->y = okra_block_take(block, s->outputs, s->rows_max * sizeof(real));
    s->root = okra_block_take(block, s->rows_max, sizeof(real));
    s->theta = okra_block_take(block, s->outputs, s->stride * sizeof(real));
    s->slope = okra_block_take(block, 1, slope);
    real **const points[] = {&s->point, &s->best, &s->gradient, &s->before, &s->size, &s->move, &s->start};
    size_t bytes = SIZE_MAX;
    okra_multiply(n, SEARCH_POINTS * sizeof(real), &bytes);
    s->points = okra_block_take(block, 1, bytes);
    for (size_t k = 0; k < SEARCH_POINTS; k++)
        *points[k] = s->points ? s->points + k * n : NULL;
    s->number = okra_block_take(block, SEARCH_NUMBERS, sizeof(real));
}

void search_reset(width_search *s)
{
    memset(s->number, 0, SEARCH_NUMBERS * sizeof *s->number);
    s->number[TURN] = TURN_DONE;
}

bool search_is_done(const width_search *s) { return s->number[TURN] >= TURN_DONE; }

real search_value(const width_search *s) { return s->number[BEST]; }

real search_lambda(const width_search *s, real *widths)
{
    for (size_t j = 0; j < s->inputs; j++)
        widths[j] = real_exp(s->best[j]);
    return real_exp(s->best[s->inputs]);
}

/* Relative to the smallest width, so that no square overflows. */
void search_shares(const real *widths, size_t inputs, double *shares)
{
    double least = (double)widths[0], sum = 0;
    for (size_t j = 1; j < inputs; j++)
        least = (double)widths[j] < least ? (double)widths[j] : least;
    for (size_t j = 0; j < inputs; j++) {
        double ratio = least / (double)widths[j];
        shares[j] = ratio * ratio;
        sum += shares[j];
    }
    for (size_t j = 0; j < inputs; j++)
        shares[j] /= sum;
}

static real limited(real value, real min, real max) { return value < min ? min : value > max ? max : value; }

static real limited_at(const width_search *s, size_t j, real value)
{
    return j < s->inputs ? limited(value, LEAST_WIDTH, MOST_WIDTH) : limited(value, LEAST_LAMBDA, MOST_LAMBDA);
}

/* ---- samples ---------------------------------------------------------------------------------------------------- */

/* Every so many samples from the last one back. */
static void take_samples(width_search *s, const sample_ring *ring, uint64_t first, const member_features *scale)
{
    uint64_t held = ring->count - first;
    size_t rows = held < s->rows_max ? (size_t)held : s->rows_max;
    real count = 0;
    for (size_t i = 0; i < rows; i++) {
        uint64_t t = ring->count - 1 - i * held / rows;
        const real *x = ring_x(ring, t), *y = ring_y(ring, t);
        for (size_t j = 0; j < s->inputs; j++)
            s->x[i * s->inputs + j] = member_scaled(scale, j, x[j]);
        for (size_t o = 0; o < s->outputs; o++)
            s->y[i * s->outputs + o] = member_scaled(scale, s->inputs + o, y[o]);
        real weight = ring_weight(ring, t);
        s->root[i] = real_sqrt(weight);
        count += weight;
    }
    s->number[ROWS] = (real)rows;
    s->number[COUNT] = count > 1 ? count : 1;
}

static void set_turn(width_search *s, real turn);

void search_begin(width_search *s, const sample_ring *ring, uint64_t first, const member_features *scale,
                  const real *widths, real lambda)
{
    take_samples(s, ring, first, scale);
    s->number[BEST] = REAL_MAX;
    s->number[VALUE] = FAILED;
    s->number[WARM] = widths ? 1 : 0;
    for (size_t j = 0; widths && j < s->inputs; j++)
        s->start[j] = limited_at(s, j, real_log(widths[j]));
    if (widths)
        s->start[s->inputs] = limited_at(s, s->inputs, real_log(lambda));
    set_turn(s, widths ? TURN_START : TURN_GRID);
}

/* ---- the value at a point --------------------------------------------------------------------------------------- */

/* Rows [first, first + n) of Z, times the roots of their weights, the targets behind the features. */
static void make_rows(const width_search *s, size_t first, size_t n, const matrix_space *space)
{
    for (size_t i = 0; i < n; i++) {
        real *z = space->z + i * s->stride, root = s->root[first + i];
        memset(z, 0, s->stride * sizeof *z);
        member_z_scaled(&s->f, s->x + (first + i) * s->inputs, z, space->work);
        memcpy(z + s->f.features, s->y + (first + i) * s->outputs, s->outputs * sizeof *z);
        if (s->vec->finite(s->stride, z) < s->stride || s->vec->amax(s->stride, z) > SQUARE_MAX)
            memset(z, 0, s->stride * sizeof *z);
        else if (root != 1)
            s->vec->axpby(s->stride, 0, z, root, z);
    }
    memset(space->z + n * s->stride, 0, (SEARCH_BLOCK - n) * s->stride * sizeof *space->z);
}

static size_t block_at(const width_search *s, size_t first)
{
    size_t left = (size_t)s->number[ROWS] - first;
    return left < SEARCH_BLOCK ? left : SEARCH_BLOCK;
}

static real prior_of(const width_search *s, size_t i, real lambda)
{
    return i <= s->inputs ? SEARCH_LINEAR_PRIOR : lambda;
}

/* Adds the prior to the sums in a, and factors. Returns L without its last term; FAILED if there is none. */
static real factor(const width_search *s, real *a, real lambda)
{
    size_t n = s->f.features, at = 0;
    real count = s->number[COUNT], value = 0, *total = s->theta; /* [outputs], before theta is known */
    for (size_t o = 0; o < s->outputs; o++)
        total[o] = a[(n + o) * s->stride + n + o];
    for (size_t i = 0; i < n; i++) {
        a[i * s->stride + i] += prior_of(s, i, lambda) + JITTER * count;
        value -= (real)s->outputs * real_log(prior_of(s, i, lambda)) / 2;
    }
    while (at < n)
        if (!matrix_factor(s->vec, n, a, s->stride, &at))
            return FAILED;
    for (size_t i = 0; i < n; i++)
        value += (real)s->outputs * real_log(a[i * s->stride + i]);
    for (size_t o = 0; o < s->outputs; o++) {
        real *square = &a[(n + o) * s->stride + n + o], min = LEAST_SQUARE * total[o] + REAL_MIN;
        *square = *square > min ? *square : min;
        value += count / 2 * real_log(*square / count);
    }
    value /= count;
    return value <= FAILED ? value : FAILED;
}

/* The last term of L. */
static real hold(const width_search *s)
{
    real sum = 0;
    for (size_t j = 0; j < s->inputs; j++)
        sum += (s->point[j] - real_log(s->width)) * (s->point[j] - real_log(s->width));
    return HOLD / 2 * sum / s->number[COUNT];
}

static void keep_best(width_search *s, real value)
{
    if (value < s->number[BEST]) {
        s->number[BEST] = value;
        memcpy(s->best, s->point, (s->inputs + 1) * sizeof *s->best);
    }
}

/* ---- the gradient ----------------------------------------------------------------------------------------------- */

/* R^-1 into space->inverse and theta into s->theta, from the factor R in space->a. */
static void invert(const width_search *s, const matrix_space *space)
{
    size_t n = s->f.features, stride = s->stride, at = n;
    real *column = space->z;
    memset(space->inverse, 0, stride * stride * sizeof *space->inverse);
    while (at > 0)
        matrix_invert(s->vec, n, space->a, space->inverse, stride, &at);
    for (size_t o = 0; o < s->outputs; o++) {
        for (size_t j = 0; j < n; j++)
            column[j] = space->a[j * stride + n + o];
        for (size_t i = 0; i < n; i++)
            s->theta[o * stride + i] = s->vec->dot(n - i, space->inverse + i * stride + i, column + i);
    }
}

/* A^-1, both triangles, into space->a. */
static void multiply(const width_search *s, const matrix_space *space)
{
    size_t n = s->f.features, stride = s->stride;
    for (size_t i = 0; i < stride; i++) /* transposes, so that A^-1 = R^-1 R'^-1 is a sum over rows */
        for (size_t j = 0; j < i; j++) {
            space->inverse[i * stride + j] = space->inverse[j * stride + i];
            space->inverse[j * stride + i] = 0;
        }
    memset(space->a, 0, stride * n * sizeof *space->a); /* the targets' rows keep their sums of squares */
    for (size_t o = 0; o < s->outputs; o++)
        for (size_t j = n; j < stride; j++)
            if (j != n + o)
                space->a[(n + o) * stride + j] = 0;
    matrix_gram(s->vec, n, space->inverse, space->a, stride);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            space->a[i * stride + j] = space->a[j * stride + i];
}

/* Adds a block of rows to the derivative by the frequencies. */
static void add_slope(const width_search *s, size_t first, size_t rows, const matrix_space *space)
{
    size_t n = s->f.features, pairs = s->f.map.frequencies, from = s->inputs + 1, stride = s->stride;
    real count = s->number[COUNT], *g = space->inverse; /* [SEARCH_BLOCK][stride] */
    make_rows(s, first, rows, space);
    matrix_multiply(s->vec, SEARCH_BLOCK, n, space->z, space->a, g, stride);
    for (size_t i = 0; i < rows; i++) {
        const real *z = space->z + i * stride;
        real *row = g + i * stride;
        s->vec->axpby(n, 0, row, (real)s->outputs, row);
        for (size_t o = 0; o < s->outputs; o++) {
            const real *theta = s->theta + o * stride;
            real e = z[n + o] - s->vec->dot(n, z, theta);
            s->vec->axpy(n, -count / space->a[(n + o) * stride + n + o] * e, theta, row);
        }
        real *by_cosine = row + from, *by_sine = by_cosine + pairs;
        const real *cosine = z + from, *sine = cosine + pairs;
        for (size_t p = 0; p < pairs; p++)
            by_cosine[p] = by_sine[p] * cosine[p] - by_cosine[p] * sine[p];
        for (size_t j = 0; j < s->inputs; j++) {
            real x = limited(s->x[(first + i) * s->inputs + j], -4, 4);
            s->vec->axpy(pairs, x, by_cosine, s->slope + j * s->f.map.trig.width);
        }
    }
}

/* The gradient at the point, once all rows are added. */
static void find_gradient(width_search *s, const matrix_space *space)
{
    size_t n = s->f.features, pairs = s->f.map.frequencies, from = s->inputs + 1;
    real count = s->number[COUNT], lambda = real_exp(s->point[s->inputs]), trace = 0, squares = 0;
    for (size_t j = 0; j < s->inputs; j++) {
        real sum = 0;
        for (size_t p = 0; p < pairs; p++) {
            size_t place = p / LANES * LANES * s->inputs + j * LANES + p % LANES;
            sum = real_fma(s->slope[j * s->f.map.trig.width + p], s->f.map.cycles[place], sum);
        }
        s->gradient[j] = (-sum * (real)(2 * M_PI) + HOLD * (s->point[j] - real_log(s->width))) / count;
    }
    for (size_t i = from; i < n; i++)
        trace += space->a[i * s->stride + i];
    for (size_t o = 0; o < s->outputs; o++) {
        const real *theta = s->theta + o * s->stride + from;
        squares += s->vec->dot(n - from, theta, theta) / space->a[(n + o) * s->stride + n + o];
    }
    real parts = (real)s->outputs * (lambda * trace - (real)(n - from));
    s->gradient[s->inputs] = (count * lambda * squares + parts) / (2 * count);
}

/* ---- the course of the search ----------------------------------------------------------------------------------- */

static void set_point(width_search *s)
{
    for (size_t j = 0; j < s->inputs; j++)
        s->f.widths[j] = real_exp(s->point[j]);
    member_set_widths(&s->f, s->base);
}

/* Goes on to a turn: sets its point. */
static void set_turn(width_search *s, real turn)
{
    size_t n = s->inputs;
    s->number[TURN] = turn;
    s->number[PART] = PART_ROWS;
    s->number[ROW] = s->number[GRID] = 0;
    if (turn == TURN_START)
        memcpy(s->point, s->start, (n + 1) * sizeof *s->point);
    if (turn >= TURN_GRID && turn < TURN_STEPS)
        for (size_t j = 0; j < n; j++)
            s->point[j] = limited_at(s, j, real_log(s->width) + (real)(M_LN2 * ((double)turn - TURN_GRID_MIDDLE)));
    if (turn == TURN_STEPS) {
        if (s->number[ROWS] < FEW_ROWS)
            s->number[TURN] = TURN_LAST - STEPS_FEW;
        memcpy(s->point, s->best, (n + 1) * sizeof *s->point);
        real most = real_log(START_WIDTHS * s->width);
        for (size_t j = 0; j <= n; j++) {
            if (s->number[WARM] > 0 && j < n && s->point[j] > most)
                s->point[j] = most;
            s->size[j] = s->number[WARM] > 0 ? STEP_WARM : STEP_COLD;
            s->before[j] = s->move[j] = 0;
        }
    }
    set_point(s);
}

/* iRprop+: moves the point along the signs of the gradient. */
static void step(width_search *s)
{
    real value = s->number[VALUE];
    for (size_t j = 0; j <= s->inputs; j++) {
        real g = s->gradient[j], turn = g * s->before[j];
        if (turn > 0) {
            s->size[j] = limited(s->size[j] * STEP_UP, 0, STEP_MOST);
        } else if (turn < 0) {
            s->size[j] *= STEP_DOWN;
            s->move[j] = value > s->number[VALUE_BEFORE] ? -s->move[j] : 0;
            s->before[j] = 0;
        }
        if (!(turn < 0)) {
            s->move[j] = g > 0 ? -s->size[j] : g < 0 ? s->size[j] : 0;
            s->before[j] = g;
        }
        s->point[j] = limited_at(s, j, s->point[j] + s->move[j]);
    }
    s->number[VALUE_BEFORE] = value;
}

/* There is no value here: back to the best point, with smaller steps. */
static void step_back(width_search *s)
{
    memcpy(s->point, s->best, (s->inputs + 1) * sizeof *s->point);
    for (size_t j = 0; j <= s->inputs; j++)
        s->size[j] *= (real)0.3, s->before[j] = 0;
}

/* One regularisation of the grid, with the sums kept in space->inverse. */
static void try_lambda(width_search *s, const matrix_space *space)
{
    size_t k = (size_t)s->number[GRID];
    s->point[s->inputs] = limited_at(s, s->inputs, real_log((real)grid_lambda[k]));
    if (k == 0)
        memcpy(space->inverse, space->a, s->stride * s->stride * sizeof *space->a);
    else
        memcpy(space->a, space->inverse, s->stride * s->stride * sizeof *space->a);
    real value = factor(s, space->a, real_exp(s->point[s->inputs]));
    keep_best(s, value < FAILED ? value + hold(s) : FAILED);
    s->number[GRID]++;
    if (s->number[GRID] == GRID_LAMBDAS)
        set_turn(s, s->number[TURN] + 1);
}

/* The value at the point; then on to the gradient, if this turn steps. */
static void evaluate(width_search *s, const matrix_space *space)
{
    real turn = s->number[TURN], value = factor(s, space->a, real_exp(s->point[s->inputs]));
    value = value < FAILED ? value + hold(s) : FAILED;
    s->number[VALUE] = value;
    keep_best(s, value);
    if (turn < TURN_STEPS || turn >= TURN_LAST) {
        set_turn(s, turn + 1);
    } else if (value >= FAILED) {
        step_back(s);
        set_turn(s, turn + 1);
    } else {
        s->number[PART] = PART_INVERT;
    }
}

size_t search_advance(width_search *s, const matrix_space *space)
{
    size_t n = s->stride, row = (size_t)s->number[ROW], rows = block_at(s, row);
    if (s->number[PART] == PART_FACTOR) {
        if (s->number[TURN] >= TURN_GRID && s->number[TURN] < TURN_STEPS) {
            try_lambda(s, space);
            return n * n * n / 4;
        }
        evaluate(s, space);
        return n * n * n / 4;
    }
    if (s->number[PART] == PART_INVERT) {
        invert(s, space);
        s->number[PART] = PART_MULTIPLY;
        return n * n * n / 3;
    }
    if (s->number[PART] == PART_MULTIPLY) {
        multiply(s, space);
        memset(s->slope, 0, s->inputs * s->f.map.trig.width * sizeof *s->slope);
        s->number[PART] = PART_SLOPE;
        s->number[ROW] = 0;
        return n * n * n / 3;
    }
    bool last = row + rows == (size_t)s->number[ROWS];
    s->number[ROW] = (real)(row + rows);
    if (s->number[PART] == PART_ROWS) {
        if (row == 0)
            memset(space->a, 0, n * n * sizeof *space->a);
        make_rows(s, row, rows, space);
        matrix_gram(s->vec, rows, space->z, space->a, n);
        if (last)
            s->number[PART] = PART_FACTOR;
        return rows * n * n / 2;
    }
    add_slope(s, row, rows, space);
    if (last) {
        find_gradient(s, space);
        step(s);
        set_turn(s, s->number[TURN] + 1);
    }
    return SEARCH_BLOCK * n * n;
}

/* ---- state ------------------------------------------------------------------------------------------------------ */

bool search_array(const width_search *s, size_t i, array_view *view)
{
    size_t rows = s->rows_max, n = s->inputs + 1, width = s->f.map.trig.width;
    const array_view views[] = {
        {"search.number", 1, SEARCH_NUMBERS, s->number, ARRAY_ROWS, SEARCH_NUMBERS, false},
        {"search.points", SEARCH_POINTS, n, s->points, ARRAY_ROWS, n, false},
        {"search.x", rows, s->inputs, s->x, ARRAY_ROWS, s->inputs, false},
        {"search.y", rows, s->outputs, s->y, ARRAY_ROWS, s->outputs, false},
        {"search.root", 1, rows, s->root, ARRAY_ROWS, rows, false},
        {"search.theta", s->outputs, s->stride, s->theta, ARRAY_ROWS, s->stride, false},
        {"search.slope", s->inputs, width, s->slope, ARRAY_ROWS, width, false},
    };
    if (i >= sizeof views / sizeof *views)
        return false;
    *view = views[i];
    return true;
}

static bool whole(real value, real max) { return value >= 0 && value <= max && value == real_rint(value); }

bool search_after_load(width_search *s)
{
    const real *number = s->number;
    bool sound = whole(number[TURN], TURN_LAST) && whole(number[PART], PART_SLOPE) &&
                 whole(number[ROWS], SEARCH_ROWS) && whole(number[GRID], GRID_LAMBDAS - 1) && number[ROWS] > 0 &&
                 whole(number[ROW], number[ROWS]) && number[COUNT] >= 1 &&
                 ((number[PART] >= PART_FACTOR && number[PART] <= PART_MULTIPLY) || number[ROW] < number[ROWS]);
    for (size_t j = 0; j <= s->inputs; j++) {
        s->point[j] = limited_at(s, j, s->point[j]);
        s->best[j] = limited_at(s, j, s->best[j]);
        s->start[j] = limited_at(s, j, s->start[j]);
    }
    if (!sound)
        search_reset(s);
    else
        set_point(s);
    return sound;
}
