/*
 * The dictionary filters against the equations at the top of their files, written out slowly in long double with exp();
 * what they do when they are full; ties; and numbers that are hard.
 *
 * Predictions are compared row by row with a bound that the reference derives while it runs, see meet(): it knows how
 * far each kernel value may be off. A decision (which centre is nearest, whether a sample is novel) is the same in both
 * only while it is not within rounding of its threshold: where the reference finds one that is, it leaves the sample
 * out for both, so that no test hangs on a rounding.
 */
#include "typed.h"

typedef long double wide;

enum { ROWS = 400, OUTPUTS_MAX = 3 };

/* Up to this sum of squares, scaled, the expanded form is used: what its cancellation costs is bounded by it. */
#define EXPANDED_MAX (OKRA_PRECISION == 64 ? 256.0L : 32.0L)
/* Below this kernel values count as nothing: 2^-1000 and 2^-120, times what a matern's polynomial is there. */
#define NOTHING (OKRA_PRECISION == 64 ? 0x1p-980L : 0x1p-108L)

/* ---- the reference ------------------------------------------------------------------------------------------ */

typedef struct model {
    const okra_spec *spec;
    bool plain_origin; /* bounds are to hold as if distances were taken from 0, not from the first centre */
    size_t count, oldest, full;
    wide *centres; /* [capacity][inputs] */
    wide *alpha;   /* [outputs][capacity] */
    wide *doubt;   /* [capacity]: how far these may be off, in units of the tolerance */
    wide *k, *off; /* [capacity]: kernel values, and how far they may be off */
    size_t nearest;
    wide squared;  /* of the nearest, and .. */
    wide distance; /* .. how far such a square may be off because another centre was taken for it */
    bool sure;     /* the nearest is told from the others, or ties with them exactly */
    bool marginal; /* rounding could change what is done with this sample */
    wide yhat[OUTPUTS_MAX];
    wide tolerance; /* of a prediction */
} model;

static void *zeros(size_t n) { return calloc(n + 1, sizeof(wide)); }

static void make_model(model *m, const okra_spec *spec, bool plain_origin)
{
    size_t capacity = spec->capacity;
    *m = (model){.spec = spec, .plain_origin = plain_origin};
    m->centres = zeros(capacity * spec->inputs), m->alpha = zeros(capacity * spec->outputs);
    m->doubt = zeros(capacity), m->k = zeros(capacity), m->off = zeros(capacity);
}

static void free_model(model *m) { free(m->centres), free(m->alpha), free(m->doubt), free(m->k), free(m->off); }

/* 1 / scale^2 of the gaussian kernel: what a squared distance of 1 is after scaling, 2^-.. being the kernel. */
static wide unit(const okra_spec *spec) { return 2 * (wide)spec->sigma * (wide)spec->sigma * logl(2); }

/* An input and a centre: exact distances, the product of 1 + (r_j / sigma)^2, and how far the filter's may be off. */
typedef struct pair {
    wide squared, squared_error, l1, l1_error, product, product_error;
} pair;

/*
 * The direct form, with d = inputs: a scaled difference is off by 1.5 eps, the scale's own rounding included, and d
 * squares, sizes or factors are put together: at most d + 3 roundings of sums below |r|^2, d + 2 of sums below |r|_1,
 * and 4 of each factor. The gaussian kernel may be in its expanded form, while |c|^2 + |x|^2, from the origin and
 * scaled, is small: it rounds sums below twice that about 2 d + 4 times, and as a coordinate carries eps of its size
 * there, the square of a distance carries 2 eps |r| (|x| + |c|).
 */
static pair measure(const model *m, const real *x, const wide *c)
{
    const okra_spec *spec = m->spec;
    pair p = {.product = 1};
    wide xx = 0, cc = 0, d = (wide)spec->inputs;
    for (size_t j = 0; j < spec->inputs; j++) {
        wide origin = m->plain_origin ? 0 : m->centres[j], r = (wide)x[j] - c[j], scaled = r / (wide)spec->sigma;
        p.squared += r * r, p.l1 += fabsl(r), p.product *= 1 + scaled * scaled;
        xx += ((wide)x[j] - origin) * ((wide)x[j] - origin), cc += (c[j] - origin) * (c[j] - origin);
    }
    bool expands = spec->kernel == OKRA_GAUSSIAN;
    wide size = expands ? fminl(xx + cc, EXPANDED_MAX * unit(spec)) : 0, ends = expands ? sqrtl(xx) + sqrtl(cc) : 0;
    p.squared_error = (wide)REAL_EPS * (2 * sqrtl(p.squared) * ends + p.squared + (2 * d + 4) * fmaxl(size, p.squared));
    p.l1_error = (wide)REAL_EPS * (d + 2) * p.l1;
    p.product_error = (wide)REAL_EPS * 4 * d * p.product;
    return p;
}

/*
 * The kernel, and how far its logarithm may be off. That of a matern in a = sqrt(2 nu) |r| / sigma falls more slowly
 * than a grows, so it has a's error at most: half of the relative error of |r|^2, and a rounding; 4 more for the
 * polynomial.
 */
static wide kernel_value(const okra_spec *spec, const pair *p, wide *error)
{
    wide sigma = (wide)spec->sigma, root = sqrtl(p->squared), a;
    switch (spec->kernel) {
    case OKRA_GAUSSIAN:
        *error = p->squared_error / (2 * sigma * sigma);
        return expl(-p->squared / (2 * sigma * sigma));
    case OKRA_LAPLACIAN:
        *error = p->l1_error / sigma;
        return expl(-p->l1 / sigma);
    case OKRA_CAUCHY:
        *error = p->product_error / p->product;
        return 1 / p->product;
    default:
        a = sqrtl(spec->kernel == OKRA_MATERN32 ? 3 : 5) * root / sigma;
        *error = root > 0 ? a * (p->squared_error / p->squared / 2 + (wide)REAL_EPS) + 4 * (wide)REAL_EPS : 0;
        return (1 + a + (spec->kernel == OKRA_MATERN32 ? 0 : a * a / 3)) * expl(-a);
    }
}

static void find_nearest(model *m, const real *x)
{
    pair best = {.squared = (wide)INFINITY};
    m->nearest = 0, m->sure = true, m->distance = 0;
    for (size_t i = 0; i < m->count; i++) {
        pair p = measure(m, x, m->centres + i * m->spec->inputs);
        if (p.squared < best.squared)
            m->nearest = i, best = p;
    }
    m->squared = best.squared;
    for (size_t i = 0; i < m->count; i++) {
        pair p = measure(m, x, m->centres + i * m->spec->inputs);
        if (p.squared > best.squared && p.squared - best.squared <= p.squared_error + best.squared_error) {
            m->sure = false;
            m->distance = fmaxl(m->distance, p.squared - best.squared);
        }
    }
}

/*
 * Kernel values, predictions, the nearest centre, and the tolerance. A prediction's own rounding is the sum of the
 * kernel values' and of the summation's, M / 4 + 8 terms deep at most. What it leaves in the coefficients comes back in
 * later predictions through the filter's own recursion, with the roundings as its targets, and a filter that is stable
 * does not amplify its targets: a few times the largest so far is enough. The first samples, where |alpha| is small,
 * get no more than the later ones need.
 */
static void meet(model *m, const real *x)
{
    const okra_spec *spec = m->spec;
    wide worst = 0, error;
    m->marginal = false;
    for (size_t i = 0; i < m->count; i++) {
        pair p = measure(m, x, m->centres + i * spec->inputs);
        m->k[i] = kernel_value(spec, &p, &error);
        m->off[i] = m->k[i] * (expm1l(fminl(error, 1)) + 4 * (wide)REAL_EPS) + NOTHING;
    }
    for (size_t o = 0; o < spec->outputs; o++) {
        wide rounding = 0;
        m->yhat[o] = 0;
        for (size_t i = 0; i < m->count; i++) {
            wide alpha = m->alpha[o * spec->capacity + i];
            m->yhat[o] += alpha * m->k[i];
            rounding += fabsl(alpha) * (m->off[i] + ((wide)m->count / 4 + 8) * (wide)REAL_EPS * m->k[i]);
        }
        worst = fmaxl(worst, rounding);
    }
    m->tolerance = fmaxl(m->tolerance, 4 * worst);
    find_nearest(m, x);
}

/* value > threshold; marginal where rounding can change that. */
static bool above(model *m, wide value, wide threshold, wide error)
{
    if (!(fabsl(value - threshold) > error))
        m->marginal = true;
    return value > threshold;
}

static wide worst_error(const model *m, const real *y)
{
    wide max = 0;
    for (size_t o = 0; o < m->spec->outputs; o++)
        max = fmaxl(max, fabsl((wide)y[o] - m->yhat[o]));
    return max;
}

static wide surprise_of(const model *m, const real *y, wide *error)
{
    wide k = 0, off = 0, square = 0, slope = 0, reg = (wide)(real)m->spec->reg, outputs = (wide)m->spec->outputs;
    for (size_t i = 0; i < m->count; i++)
        if (m->k[i] > k)
            k = m->k[i], off = m->off[i];
    for (size_t o = 0; o < m->spec->outputs; o++) {
        wide e = (wide)y[o] - m->yhat[o];
        square += e * e / outputs, slope += 2 * fabsl(e) / outputs;
    }
    wide v = reg + 1 - k * k, dv = 2 * off + 2 * (wide)REAL_EPS;
    *error = dv / (2 * v) + square * dv / (2 * v * v) + slope * m->tolerance / (2 * v) +
             (wide)REAL_EPS * (4 + fabsl(logl(v)) + 4 * square / v);
    return logl(v) / 2 + square / (2 * v);
}

typedef enum verdict { IGNORED, MERGED, ADDED } verdict;

/* What the recipe's criterion says about a sample that has been met. */
static verdict judge(model *m, const real *y)
{
    const okra_spec *spec = m->spec;
    const char *recipe = spec->recipe;
    wide error, surprise;
    if (m->count == 0 || strcmp(recipe, "klms") == 0)
        return ADDED;
    /* a square is d differences and sums of its own, wherever the centre was found */
    wide of_square = ((wide)spec->inputs + 3) * (wide)REAL_EPS * m->squared + m->distance;
    if (strcmp(recipe, "qklms") == 0)
        return above(m, m->squared, (wide)(real)spec->epsilon, of_square) ? ADDED : MERGED;
    if (strcmp(recipe, "nc-klms") == 0) {
        wide min = (wide)(real)spec->novelty_distance;
        bool far = above(m, m->squared, min * min, of_square + 4 * (wide)REAL_EPS * min * min);
        return far && above(m, worst_error(m, y), (wide)(real)spec->novelty_error, m->tolerance) ? ADDED : IGNORED;
    }
    if (strcmp(recipe, "knlms") == 0) {
        for (size_t i = 0; i < m->count; i++)
            if (above(m, m->k[i], (wide)(real)spec->coherence, m->off[i]))
                return MERGED;
        return ADDED;
    }
    surprise = surprise_of(m, y, &error);
    bool some = above(m, surprise, (wide)(real)spec->surprise, error),
         much = above(m, surprise, (wide)(real)spec->surprise_max, error);
    return some && !much ? ADDED : IGNORED;
}

/* Where a new centre goes; SIZE_MAX: nowhere. */
static size_t slot_for(const model *m)
{
    if (m->count < m->spec->capacity)
        return m->count;
    return m->spec->when_full == OKRA_FULL_OLDEST ? m->oldest : SIZE_MAX;
}

static void put(model *m, size_t slot, const real *x)
{
    size_t capacity = m->spec->capacity;
    if (slot == m->count)
        m->count++;
    else
        m->oldest = (m->oldest + 1) % capacity;
    for (size_t j = 0; j < m->spec->inputs; j++)
        m->centres[slot * m->spec->inputs + j] = (wide)x[j];
    for (size_t o = 0; o < m->spec->outputs; o++)
        m->alpha[o * capacity + slot] = 0;
    m->doubt[slot] = 0;
}

static bool normalised(const model *m) { return strcmp(m->spec->recipe, "knlms") == 0; }

/* alpha_i += step k_i for all (knlms), or alpha_at += step. */
static void adapt(model *m, const real *y, wide weight, size_t at)
{
    size_t capacity = m->spec->capacity;
    wide rate = (wide)(real)m->spec->mu * weight, power = (wide)(real)m->spec->reg;
    for (size_t i = 0; i < m->count; i++)
        power += m->k[i] * m->k[i];
    for (size_t i = 0; i < m->count; i++) {
        wide along = normalised(m) ? rate * m->k[i] / power : i == at ? rate : 0;
        for (size_t o = 0; o < m->spec->outputs; o++)
            m->alpha[o * capacity + i] += along * ((wide)y[o] - m->yhat[o]);
        m->doubt[i] += along;
    }
}

/* What is to be done with a sample that has been met. */
typedef struct plan {
    okra_status status; /* that it should get */
    verdict verdict;
    size_t slot; /* of a new centre; SIZE_MAX: none */
} plan;

static plan make_plan(model *m, const real *y, wide weight)
{
    plan p = {.verdict = weight > 0 ? judge(m, y) : IGNORED, .slot = SIZE_MAX};
    if (p.verdict == ADDED) {
        p.slot = slot_for(m);
        if (p.slot == SIZE_MAX && m->spec->when_full == OKRA_FULL_ERROR)
            p.status = OKRA_E_FULL;
    }
    if (p.verdict != IGNORED && p.slot == SIZE_MAX && !normalised(m) && !m->sure)
        m->marginal = true;
    return p;
}

static void carry_out(model *m, plan p, const real *x, const real *y, wide weight)
{
    if (p.verdict == IGNORED || p.status)
        return;
    m->full += p.verdict == ADDED && m->count == m->spec->capacity;
    if (p.slot != SIZE_MAX) {
        put(m, p.slot, x);
        m->k[p.slot] = 1;
    }
    adapt(m, y, weight, p.slot == SIZE_MAX ? m->nearest : p.slot);
}

/* ---- comparing ---------------------------------------------------------------------------------------------- */

typedef struct stream {
    size_t rows;
    real *X, *Y, *weights;
} stream;

/* y = a sine, a slope and noise. */
static stream make_stream(uint32_t id, size_t inputs, size_t outputs)
{
    stream s = {.rows = ROWS};
    s.X = make_normals(100 + 3 * id, ROWS * inputs), s.Y = make_normals(101 + 3 * id, ROWS * outputs);
    s.weights = make_normals(102 + 3 * id, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t o = 0; o < outputs; o++)
            s.Y[i * outputs + o] =
                (real)(sin(2 * (double)s.X[i * inputs] + (double)o) + (double)s.X[i * inputs + inputs - 1] / 2 +
                       0.1 * (double)s.Y[i * outputs + o]);
        s.weights[i] = i % 7 == 3 || i == 0 ? 0 : real_abs(s.weights[i]);
    }
    return s;
}

static void free_stream(stream *s) { free(s->X), free(s->Y), free(s->weights); }

static void assert_same_state(const okra_filter *filter, const model *m)
{
    const okra_spec *spec = m->spec;
    okra_stats stats;
    assert_ok(okra_get_stats(filter, &stats));
    assert_int_equal(stats.centres, m->count);
    assert_int_equal(stats.full, m->full);
    real *centres = malloc((m->count * spec->inputs + 1) * sizeof *centres),
         *alpha = malloc((m->count * spec->outputs + 1) * sizeof *alpha);
    assert_ok(okra_array_read(filter, "centres", centres));
    assert_ok(okra_array_read(filter, "alpha", alpha));
    for (size_t i = 0; i < m->count * spec->inputs; i++)
        assert_true((wide)centres[i] == m->centres[i]);
    for (size_t o = 0; o < spec->outputs; o++)
        for (size_t i = 0; i < m->count; i++) {
            wide wanted = m->alpha[o * spec->capacity + i];
            assert_near(alpha[o * m->count + i], wanted,
                        m->doubt[i] * m->tolerance + 4 * (wide)REAL_EPS * (fabsl(wanted) + m->doubt[i]));
        }
    free(centres), free(alpha);
}

/* Row by row, then the state. Returns the number of centres. */
static size_t compare(const okra_spec *spec, const stream *s, bool weighted, bool plain_origin)
{
    okra_filter *filter = make_filter(spec);
    model m;
    make_model(&m, spec, plain_origin);
    size_t refused = 0, left_out = 0;
    for (size_t i = 0; i < s->rows; i++) {
        const real *x = s->X + i * spec->inputs, *y = s->Y + i * spec->outputs;
        real yhat[OUTPUTS_MAX] = {7, 7, 7}, weight = weighted ? s->weights[i] : 1;
        uint64_t before = fingerprint(filter);
        meet(&m, x);
        plan wanted = make_plan(&m, y, (wide)weight);
        if (m.marginal) {
            left_out++;
            continue;
        }
        assert_status(step_weighted(filter, x, y, weight, yhat), wanted.status);
        for (size_t o = 0; o < spec->outputs; o++) {
            if (wanted.status)
                assert_true(yhat[o] == 7);
            else if (!(fabsl((wide)yhat[o] - m.yhat[o]) <= m.tolerance))
                fail_msg("%s, row %zu: %.17g, not %.17Lg: off by %Lg, allowed %Lg", spec->recipe, i, (double)yhat[o],
                         m.yhat[o], fabsl((wide)yhat[o] - m.yhat[o]), m.tolerance);
        }
        if (wanted.status)
            assert_true(fingerprint(filter) == before);
        refused += wanted.status != OKRA_OK;
        carry_out(&m, wanted, x, y, (wide)weight);
    }
    assert_same_state(filter, &m);
    size_t count = m.count;
    assert_in_range(left_out, 0, s->rows / 10);
    assert_int_equal(refused > 0, spec->when_full == OKRA_FULL_ERROR && count == spec->capacity);
    free_model(&m);
    okra_free(filter);
    return count;
}

static const char *const recipes[] = {"klms", "qklms", "nc-klms", "knlms", "sc-klms"};

/* Thresholds with something on either side of each. */
static okra_spec tuned_spec(const char *recipe, int kernel, size_t inputs, size_t outputs)
{
    okra_spec spec = make_spec(recipe, inputs, outputs);
    spec.kernel = kernel;
    spec.capacity = ROWS;
    spec.epsilon = 0.4 * (double)inputs;
    spec.novelty_distance = 0.6, spec.novelty_error = 0.25;
    const double apart[] = {0.3, 0.3, 0.3, 0.3, 0.3}, zero[5] = {0};
    spec.coherence = okra_kernel_value(kernel, spec.sigma, inputs, apart, zero);
    spec.surprise = 0.02, spec.surprise_max = 1;
    return spec;
}

static void matches_the_equations(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++)
            for (size_t outputs = 1; outputs <= 3; outputs += 2)
                for (uint32_t id = 0; id < 3; id++) {
                    size_t inputs = 1 + 2 * id;
                    bool weighted = id != 1;
                    okra_spec spec = tuned_spec(recipes[r], kernel, inputs, outputs);
                    stream s = make_stream(id, inputs, outputs);
                    size_t count = compare(&spec, &s, weighted, false);
                    if (r > 0)
                        assert_in_range(count, 3, ROWS * 4 / 5); /* the criterion both took and left */
                    else
                        assert_int_equal(count, weighted ? ROWS - 1 - ROWS / 7 : ROWS);
                    free_stream(&s);
                }
}

/* Steps, a block, and predictions before each step: the same bits with every kernel, in several outputs too. */
static void blocks_and_predictions_are_steps(void **state)
{
    (void)state;
    for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++)
        for (size_t outputs = 1; outputs <= 3; outputs += 2) {
            okra_spec spec = tuned_spec("qklms", kernel, 3, outputs);
            stream s = make_stream(8, 3, outputs);
            okra_filter *stepped = make_filter(&spec), *whole = make_filter(&spec);
            real *block = make_normals(1, ROWS * outputs), yhat[OUTPUTS_MAX], before[OUTPUTS_MAX];
            assert_ok(run(whole, ROWS, s.X, s.Y, NULL, block, NULL));
            for (size_t i = 0; i < ROWS; i++) {
                assert_ok(predict(stepped, 1, s.X + 3 * i, before));
                assert_ok(step(stepped, s.X + 3 * i, s.Y + outputs * i, yhat));
                assert_memory_equal(yhat, before, outputs * sizeof(real));
                assert_memory_equal(yhat, block + outputs * i, outputs * sizeof(real));
            }
            assert_true(fingerprint(stepped) == fingerprint(whole));
            free(block), free_stream(&s);
            okra_free(stepped), okra_free(whole);
        }
}

/* A weight of 0 first, on an empty dictionary, then on a full one. */
static void weight_zero_learns_nothing(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (int when_full = OKRA_FULL_STOP; when_full <= OKRA_FULL_ERROR; when_full++) {
            okra_spec spec = tuned_spec(recipes[r], OKRA_GAUSSIAN, 2, 1);
            spec.capacity = 3, spec.when_full = when_full;
            okra_filter *filter = make_filter(&spec);
            real x[] = {0, 0}, y = 1, yhat = 7;
            for (int i = 0; i < 5; i++, x[0] += 4) {
                okra_stats before, after;
                assert_ok(okra_get_stats(filter, &before));
                assert_ok(step_weighted(filter, x, &y, 0, &yhat));
                assert_ok(okra_get_stats(filter, &after));
                assert_int_equal(after.centres, before.centres);
                assert_int_equal(after.full, before.full);
                real predicted;
                assert_ok(predict(filter, 1, x, &predicted));
                assert_true(predicted == yhat);
                (void)step(filter, x, &y, &yhat);
            }
            okra_free(filter);
        }
}

/* At the threshold itself: qklms takes a centre that is not below epsilon, nc-klms only what is beyond both of its own.
 */
static void thresholds_are_strict(void **state)
{
    (void)state;
    static const struct {
        const char *recipe;
        double y;
        size_t centres;
    } cases[] = {{"qklms", 1, 2}, {"nc-klms", 1, 1}, {"nc-klms", 4, 1}};
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        okra_spec spec = make_spec(cases[c].recipe, 1, 1);
        bool far = cases[c].y > 1;
        spec.epsilon = 4, spec.novelty_distance = far ? 1 : 2, spec.novelty_error = far ? cases[c].y : 0.5;
        okra_filter *filter = make_filter(&spec);
        okra_stats stats;
        real x[] = {1, 3}, y[] = {0, (real)cases[c].y};
        assert_ok(run(filter, 2, x, y, NULL, NULL, NULL));
        assert_ok(okra_get_stats(filter, &stats));
        assert_int_equal(stats.centres, cases[c].centres);
        okra_free(filter);
    }
}

/* ---- ties --------------------------------------------------------------------------------------------------- */

/*
 * Inputs on a grid tie all the time, and every distance is exact: the lowest index wins, as in the reference, which
 * goes on from the first centre to those that are strictly nearer.
 */
static void ties_go_to_the_lowest_index(void **state)
{
    (void)state;
    static const double widths[] = {0.7, 1, 2, 5}, steps[] = {1, 0.125, 3};
    static const int others[] = {OKRA_LAPLACIAN, OKRA_CAUCHY, OKRA_MATERN32, OKRA_MATERN52};
    for (size_t inputs = 1; inputs <= 3; inputs++)
        for (size_t w = 0; w < COUNT_OF(widths); w++)
            for (size_t g = 0; g < COUNT_OF(steps); g++)
                for (int full = 0; full < 2; full++) {
                    okra_spec spec = make_spec(full ? "klms" : "qklms", inputs, 1);
                    stream s = make_stream(0, inputs, 1);
                    spec.kernel = w % 2 ? others[(w + g) % 4] : OKRA_GAUSSIAN;
                    spec.sigma = widths[w] * steps[g], spec.epsilon = 2.5 * steps[g] * steps[g];
                    spec.capacity = full ? 37 : ROWS;
                    for (size_t i = 0; i < ROWS * inputs; i++)
                        s.X[i] = (real)steps[g] * real_rint(2 * s.X[i]);
                    compare(&spec, &s, false, false);
                    free_stream(&s);
                }
}

/* The plainest case: a sample half way between two centres, from everywhere, and a duplicate of a centre. */
static void half_way_goes_to_the_first(void **state)
{
    (void)state;
    for (int from = -20; from <= 20; from++)
        for (int side = -1; side <= 1; side += 2)
            for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++) {
                okra_spec spec = make_spec("klms", 1, 1);
                spec.kernel = kernel, spec.sigma = 3, spec.capacity = 4, spec.mu = 1;
                okra_filter *filter = make_filter(&spec);
                real at[] = {(real)from, (real)(100 + side), (real)(100 - side), (real)(100 - side)}, none = 0, one = 1;
                real alpha[4], yhat, middle = 100;
                for (int i = 0; i < 4; i++)
                    assert_ok(step(filter, at + i, &none, NULL));
                assert_ok(step(filter, &middle, &one, &yhat));
                assert_ok(okra_array_read(filter, "alpha", alpha));
                assert_true(yhat == 0 && alpha[0] == 0 && alpha[1] == 1 && alpha[2] == 0 && alpha[3] == 0);
                assert_ok(step(filter, at + 3, &one, &yhat)); /* a duplicate of the third and the fourth */
                assert_ok(okra_array_read(filter, "alpha", alpha));
                assert_true(alpha[1] == 1 && alpha[2] == one - yhat && alpha[3] == 0);
                okra_free(filter);
            }
}

/*
 * Centres around a sample whose distances differ by less than the expanded form can tell, and by more than the direct
 * one rounds: d + 3 = 5 eps of a square of 1. The nearest of them, wherever it stands, is the one that learns.
 */
static void the_nearest_of_many_near_ones(void **state)
{
    (void)state;
    enum { CENTRES = 40 };
    const real x[] = {20, 0}, none = 0, one = 1;
    size_t told = 0;
    for (size_t shift = 0; shift < CENTRES; shift++) {
        okra_spec spec = make_spec("klms", 2, 1);
        spec.sigma = 5, spec.capacity = CENTRES, spec.mu = 1;
        okra_filter *filter = make_filter(&spec);
        real alpha[CENTRES];
        wide best = (wide)INFINITY, second = (wide)INFINITY;
        size_t nearest = 0;
        for (size_t i = 0; i < CENTRES; i++) {
            double away = 1 + 64 * (double)((17 * i + shift) % CENTRES) * REAL_EPS, angle = 2.4 * (double)i;
            real c[] = {(real)(20 + away * cos(angle)), (real)(away * sin(angle))};
            if (i == 0)
                c[0] = c[1] = 0; /* the origin */
            wide r0 = (wide)x[0] - (wide)c[0], r1 = (wide)c[1], squared = r0 * r0 + r1 * r1;
            second = squared < best ? best : fminl(second, squared);
            nearest = squared < best ? i : nearest, best = fminl(best, squared);
            assert_ok(step(filter, c, &none, NULL));
        }
        assert_ok(step(filter, x, &one, NULL));
        assert_ok(okra_array_read(filter, "alpha", alpha));
        for (size_t i = 0; i < CENTRES && second - best > 10 * (wide)REAL_EPS; i++)
            assert_true(alpha[i] == (i == nearest ? one : none));
        told += second - best > 10 * (wide)REAL_EPS;
        okra_free(filter);
    }
    assert_true(told > CENTRES / 2);
}

/* ---- capacity ----------------------------------------------------------------------------------------------- */

/* stop, oldest and error for every recipe, at capacities around whole vectors and blocks. */
static void a_full_dictionary_does_as_told(void **state)
{
    (void)state;
    static const size_t capacities[] = {1, 2, 7, 15, 16, 17, 20, 32, 33};
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (size_t c = 0; c < COUNT_OF(capacities); c++)
            for (int when_full = OKRA_FULL_STOP; when_full <= OKRA_FULL_ERROR; when_full++) {
                okra_spec spec = tuned_spec(recipes[r], OKRA_GAUSSIAN, 2, 1 + 2 * (c % 2));
                spec.sigma = 1, spec.capacity = capacities[c], spec.when_full = when_full;
                spec.epsilon = 0.05, spec.novelty_distance = 0.1, spec.novelty_error = 0.1, spec.surprise_max = 50;
                stream s = make_stream(7, 2, spec.outputs);
                assert_int_equal(compare(&spec, &s, c % 3 == 1, false), capacities[c]);
                free_stream(&s);
            }
}

/* Half a stream, then a twin made from counters and arrays: both go on with the same bits. */
static void carry_over(const okra_spec *spec, const stream *s)
{
    size_t half = s->rows / 2;
    okra_filter *from = make_filter(spec), *to = make_filter(spec);
    okra_stats stats;
    assert_ok(run(from, half, s->X, s->Y, NULL, NULL, NULL));
    assert_ok(okra_get_stats(from, &stats));
    assert_int_equal(stats.centres, spec->capacity);
    assert_true(stats.full > 10); /* row 5 is long gone, where the oldest goes */
    copy_state(from, to);
    real *yhat[2] = {make_normals(1, half), make_normals(1, half)};
    assert_ok(run(from, half, s->X + half * spec->inputs, s->Y + half, NULL, yhat[0], NULL));
    assert_ok(run(to, half, s->X + half * spec->inputs, s->Y + half, NULL, yhat[1], NULL));
    assert_memory_equal(yhat[0], yhat[1], half * sizeof(real));
    assert_true(fingerprint(from) == fingerprint(to));
    free(yhat[0]), free(yhat[1]);
    okra_free(from), okra_free(to);
}

/* Also when outliers have come and been replaced. */
static void a_full_dictionary_can_be_carried_over(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++)
            for (int when_full = OKRA_FULL_STOP; when_full <= OKRA_FULL_OLDEST; when_full++)
                for (int outlier = 0; outlier < 2; outlier++) {
                    okra_spec spec = tuned_spec(recipes[r], kernel, 2, 1);
                    spec.capacity = 21, spec.when_full = when_full, spec.surprise = -3, spec.surprise_max = 1e6;
                    spec.epsilon = 0.1, spec.novelty_distance = 0.1, spec.novelty_error = 0.01, spec.coherence = 0.97;
                    stream s = make_stream(3, 2, 1);
                    if (outlier)
                        s.X[2 * 5] = 1000; /* row 5 */
                    carry_over(&spec, &s);
                    free_stream(&s);
                }
}

/* The number of centres may be set lower: what was learnt at the others is gone. */
static void a_lowered_count_forgets_the_rest(void **state)
{
    (void)state;
    okra_spec spec = tuned_spec("klms", OKRA_GAUSSIAN, 2, 1);
    stream s = make_stream(3, 2, 1);
    okra_filter *filter = make_filter(&spec);
    real centres[5][2], alpha[5], yhat;
    assert_ok(run(filter, 20, s.X, s.Y, NULL, NULL, NULL));
    assert_ok(okra_counter_write(filter, "centres", 5));
    assert_ok(okra_array_read(filter, "centres", centres));
    assert_ok(okra_array_read(filter, "alpha", alpha));
    for (size_t i = 0; i < 10; i++) {
        double wanted = 0, x[2] = {(double)s.X[2 * i], (double)s.X[2 * i + 1]};
        for (size_t m = 0; m < 5; m++) {
            double c[2] = {(double)centres[m][0], (double)centres[m][1]};
            wanted += (double)alpha[m] * okra_kernel_value(spec.kernel, spec.sigma, 2, x, c);
        }
        assert_ok(predict(filter, 1, s.X + 2 * i, &yhat));
        assert_near(yhat, wanted, 500 * REAL_EPS); /* five kernels of at most 100 eps, coefficients below 1 */
    }
    free_stream(&s);
    okra_free(filter);
}

/* ---- hard numbers ------------------------------------------------------------------------------------------- */

static void far_from_the_origin(void **state)
{
    (void)state;
    const real offset = OKRA_PRECISION == 64 ? 1e6 : 1e3;
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++) {
            okra_spec spec = tuned_spec(recipes[r], kernel, 3, 1);
            stream s = make_stream(1, 3, 1);
            for (size_t i = 0; i < ROWS * 3; i++)
                s.X[i] += i % 3 == 1 ? -offset : offset;
            compare(&spec, &s, false, false);
            free_stream(&s);
        }
}

/*
 * Clusters thousands of widths apart, each as fine as a kernel: in the expanded form its squares, of 1e7, would leave
 * nothing of the kernels in float and nine digits in double; the bound asks for the direct form's.
 */
static void spread_over_thousands_of_widths(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++) {
            okra_spec spec = tuned_spec(recipes[r], kernel, 2, 1);
            spec.sigma = 1, spec.epsilon = 0.2, spec.coherence = kernel == OKRA_GAUSSIAN ? 0.9 : 0.6;
            stream s = make_stream(2, 2, 1);
            for (size_t i = 0; i < ROWS; i++)
                for (size_t j = 0; j < 2; j++)
                    s.X[2 * i + j] = s.X[2 * i + j] / 2 + (real)(1000.0 * (double)((i * (j + 3)) % 7));
            compare(&spec, &s, false, false);
            free_stream(&s);
        }
}

/* A first sample that is far from all the others: what they have to say to each other is not to suffer from it. */
static void an_outlier_comes_first(void **state)
{
    (void)state;
    const real outlier = OKRA_PRECISION == 64 ? 1e6 : 1e4;
    for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++) {
        okra_spec spec = tuned_spec("qklms", kernel, 2, 1);
        stream s = make_stream(4, 2, 1);
        s.X[0] = outlier;
        compare(&spec, &s, false, true);
        free_stream(&s);
    }
}

static void assert_finite_state(const okra_filter *filter)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++) {
        real *values = malloc((array.rows * array.cols + 1) * sizeof *values);
        assert_ok(okra_array_read(filter, array.name, values));
        for (size_t k = 0; k < array.rows * array.cols; k++)
            assert_true(real_abs(values[k]) <= REAL_MAX);
        free(values);
    }
}

/* Inputs of kind `kind`, i-th row. */
static void hard_input(int kind, size_t i, const real *normal, real *x)
{
    const real huge = (real)(OKRA_PRECISION == 64 ? 1e150 : 1e30),
               tiny = (real)(OKRA_PRECISION == 64 ? 0x1p-1074 : 0x1p-149);
    for (size_t j = 0; j < 2; j++)
        switch (kind) {
        case 0:
            x[j] = huge * normal[j];
            break;
        case 1:
            x[j] = tiny * (real)(i % 5);
            break;
        case 2:
            x[j] = 0;
            break;
        case 3:
            x[j] = 3;
            break;
        case 4:
            x[j] = i % 2 ? REAL_MAX : -REAL_MAX;
            break;
        case 5:
            x[j] = i % 3 == 0 ? REAL_MAX / 2 : i % 3 == 1 ? normal[j] : huge;
            break;
        default:
            x[j] = i % 2 ? normal[j] : REAL_MAX / 4 * normal[j];
            break;
        }
}

static void hard_numbers_never_become_nan(void **state)
{
    (void)state;
    static const char *const all[] = {"klms", "qklms", "nc-klms", "knlms", "sc-klms", "krls"};
    real *normals = make_normals(9, 2 * ROWS), *targets = make_normals(10, ROWS);
    for (size_t r = 0; r < COUNT_OF(all); r++)
        for (int kernel = OKRA_GAUSSIAN; kernel <= OKRA_MATERN52; kernel++)
            for (int when_full = OKRA_FULL_STOP; when_full <= OKRA_FULL_ERROR; when_full++)
                for (int kind = 0; kind < 14; kind++) {
                    okra_spec spec = make_spec(all[r], 2, 1);
                    spec.kernel = kernel, spec.when_full = when_full, spec.capacity = 19;
                    if (okra_spec_check(&spec, NULL)) /* krls takes no centre back */
                        continue;
                    okra_filter *filter = make_filter(&spec);
                    size_t learnt = 0;
                    for (size_t i = 0; i < ROWS; i++) {
                        real x[2], yhat = 0, y = targets[i];
                        hard_input(kind % 7, i, normals + 2 * i, x);
                        if (kind >= 7)
                            y *= REAL_MAX / 8;
                        okra_status status = step(filter, x, &y, &yhat);
                        learnt += status == OKRA_OK;
                        assert_true(status == OKRA_OK || status == OKRA_E_RANGE || status == OKRA_E_FULL ||
                                    (status == OKRA_E_DIVERGED && kind >= 7));
                        assert_true(real_abs(yhat) <= REAL_MAX);
                    }
                    /* scaled by more than 1, the format's largest number does not fit it */
                    assert_true(learnt > 0 || (kind % 7 == 4 && kernel >= OKRA_MATERN32));
                    assert_finite_state(filter);
                    okra_free(filter);
                }
    free(normals), free(targets);
}

/* A full dictionary's only centre takes the steps of inputs that it says nothing about: they add up until one more
 * would overflow, and that one is refused. */
static void coefficients_never_overflow(void **state)
{
    (void)state;
    okra_spec spec = make_spec("klms", 1, 1);
    spec.capacity = 1;
    okra_filter *filter = make_filter(&spec);
    real x = 0, y = 0, alpha;
    assert_ok(step(filter, &x, &y, NULL));
    x = 1000, y = REAL_MAX / 4;
    okra_status status = OKRA_OK;
    int steps = 0;
    while (!status && steps < 100) {
        status = step(filter, &x, &y, NULL); /* alpha += y / 2 */
        steps += status == OKRA_OK;
    }
    assert_status(status, OKRA_E_DIVERGED);
    assert_int_equal(steps, 8);
    assert_ok(okra_array_read(filter, "alpha", &alpha));
    assert_true(alpha <= REAL_MAX);
    okra_free(filter);
}

/* The same in a filter that was put together from state: what it holds counts. */
static void coefficients_carried_over_never_overflow(void **state)
{
    (void)state;
    okra_spec spec = make_spec("klms", 1, 1);
    spec.capacity = 1;
    okra_filter *filter = make_filter(&spec), *twin = make_filter(&spec);
    real x = 0, y = 1, alpha = REAL_MAX / (real)1.01, origin = 5;
    assert_ok(okra_array_read(twin, "origin", &origin));
    assert_true(origin == 0);
    assert_ok(step(filter, &x, &y, NULL));
    okra_counter counter;
    for (size_t i = 0; okra_counter_at(filter, i, &counter) == OKRA_OK; i++)
        assert_ok(okra_counter_write(twin, counter.name, counter.value));
    assert_ok(okra_array_read(filter, "origin", &origin));
    assert_ok(okra_array_write(twin, "origin", &origin));
    assert_ok(okra_array_write(twin, "centres", &x));
    assert_ok(okra_array_write(twin, "alpha", &alpha));
    x = 1000, y = REAL_MAX / 4;
    assert_status(step(twin, &x, &y, NULL), OKRA_E_DIVERGED);
    real after;
    assert_ok(okra_array_read(twin, "alpha", &after));
    assert_true(after == alpha);
    okra_free(filter), okra_free(twin);
}

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_equations),
        cmocka_unit_test(blocks_and_predictions_are_steps),
        cmocka_unit_test(weight_zero_learns_nothing),
        cmocka_unit_test(thresholds_are_strict),
        cmocka_unit_test(ties_go_to_the_lowest_index),
        cmocka_unit_test(half_way_goes_to_the_first),
        cmocka_unit_test(the_nearest_of_many_near_ones),
        cmocka_unit_test(a_full_dictionary_does_as_told),
        cmocka_unit_test(a_full_dictionary_can_be_carried_over),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(spread_over_thousands_of_widths),
        cmocka_unit_test(an_outlier_comes_first),
        cmocka_unit_test(hard_numbers_never_become_nan),
        cmocka_unit_test(coefficients_never_overflow),
        cmocka_unit_test(coefficients_carried_over_never_overflow),
        cmocka_unit_test(a_lowered_count_forgets_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
