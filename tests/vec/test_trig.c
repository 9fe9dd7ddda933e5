/* The primitives of maps of cosines, on every instruction set: cosines and pairs against cosl and sinl, fused passes
 * against their parts, bit for bit; the Walsh-Hadamard transform against its definition. */
#include "every_isa.h"

static const size_t dims[] = {0, 1, 2, 5, 20};

/* ---- maps ----------------------------------------------------------------------------------------------------- */

#define SCALE 0.7L

/* A map of n frequencies of d inputs in natural order, laid out by the rules in vec.h; pairs with amplitudes from lane
 * `plain` on. */
typedef struct test_map {
    trig_map map;
    real *cycles, *phase, *amplitude, *natural, *x, *theta, *z;
    size_t n, d;
} test_map;

static void make_map(test_map *m, size_t n, size_t d, bool paired, size_t plain)
{
    size_t width = padded(n);
    *m = (test_map){.n = n, .d = d};
    m->cycles = calloc(width * d + 1, sizeof(real)), m->natural = calloc(n * d + 1, sizeof(real));
    m->phase = calloc(width + 1, sizeof(real)), m->amplitude = calloc(width + 1, sizeof(real));
    m->theta = calloc(2 * width + 1, sizeof(real)), m->z = calloc(2 * width + 1, sizeof(real));
    m->x = calloc(d + 1, sizeof(real));
    fill(6, n * d, m->natural), fill(7, n, m->phase), fill(8, d, m->x), fill(9, n, m->theta);
    fill(12, n, m->theta + width);
    for (size_t i = 0; i < width; i++) {
        m->amplitude[i] = i >= n ? 0 : i < plain ? 1 : (real)(0.5 + (double)(i % 7));
        if (i >= n)
            m->phase[i] = (real)0.25;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            m->cycles[(i / LANES * d + j) * LANES + i % LANES] = m->natural[i * d + j];
    m->map = (trig_map){.paired = paired,
                        .inputs = d,
                        .frequencies = n,
                        .width = width,
                        .cycles = m->cycles,
                        .plain = plain,
                        .amplitude = m->amplitude};
    trig_set_scale(&m->map, (double)SCALE);
}

static void free_map(test_map *m)
{
    real *arrays[] = {m->cycles, m->natural, m->phase, m->amplitude, m->theta, m->z, m->x};
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        free(arrays[i]);
}

typedef void check_map(const vec_table *vec, size_t n, size_t d, bool paired, size_t plain);

/* All lengths and dimensions, cosines and pairs, with amplitudes everywhere, somewhere and only in the padding. */
static void with_every_map(const vec_table *vec, check_map *check)
{
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t k = 0; k < COUNT_OF(dims); k++) {
            size_t whole = lengths[l] / LANES * LANES;
            check(vec, lengths[l], dims[k], false, 0);
            check(vec, lengths[l], dims[k], true, 0);
            check(vec, lengths[l], dims[k], true, whole / 2 / LANES * LANES);
            check(vec, lengths[l], dims[k], true, whole);
        }
}

/* ---- features ------------------------------------------------------------------------------------------------- */

/* z against cosl and sinl; the bound: d + 1 roundings of the phase, each worth 2 pi in the angle, 4 eps for the
 * polynomial, and one for the amplitude. */
static void assert_features(const test_map *m, const real *z)
{
    const long double turn = 2 * acosl(-1);
    for (size_t i = 0; i < m->n; i++) {
        long double t = (long double)m->phase[i], size = fabsl(t);
        for (size_t j = 0; j < m->d; j++) {
            t += (long double)m->natural[i * m->d + j] * (long double)m->x[j];
            size += fabsl((long double)m->natural[i * m->d + j] * (long double)m->x[j]);
        }
        long double a = SCALE * (m->map.paired ? (long double)m->amplitude[i] : 1);
        long double bound = a * (turn * (long double)(m->d + 1) * size * (long double)EPS / 2 + 5 * (long double)EPS);
        assert_near(z[i], a * cosl(turn * t), bound);
        if (m->map.paired)
            assert_near(z[m->map.width + i], a * sinl(turn * t), bound);
    }
    for (size_t i = m->n; i < m->map.width; i++)
        assert_true(z[i] == 0 && (!m->map.paired || z[m->map.width + i] == 0));
}

static void check_features_of(const vec_table *vec, size_t n, size_t d, bool paired, size_t plain)
{
    test_map m;
    make_map(&m, n, d, paired, plain);
    fill(10, trig_outputs(&m.map), m.z); /* what was there does not matter */
    vec->trig(&m.map, m.phase, m.x, m.z);
    assert_features(&m, m.z);
    free_map(&m);
}

static void check_features(const vec_table *vec) { with_every_map(vec, check_features_of); }

/* The fused passes give, bit for bit, what their parts give one after the other; only sums have an order of their own.
 */
static void check_fused_of(const vec_table *vec, size_t n, size_t d, bool paired, size_t plain)
{
    test_map a, b;
    make_map(&a, n, d, paired, plain), make_map(&b, n, d, paired, plain);
    size_t outputs = trig_outputs(&a.map), bytes = outputs * sizeof(real);
    const real g = (real)-0.4;

    fill(10, outputs, a.z);
    real fused = vec->trig_dot(&a.map, a.phase, a.x, a.theta, a.z), parts;
    vec->trig(&b.map, b.phase, b.x, b.z);
    parts = vec->dot(outputs, b.theta, b.z);
    long double size = 0;
    for (size_t i = 0; i < outputs; i++)
        size += fabsl((long double)b.theta[i] * (long double)b.z[i]);
    assert_near(fused, parts, (double)(2 * outputs + 1) * EPS * (double)size); /* any order of summation, twice */
    assert_memory_equal(a.z, b.z, bytes);

    a.x[0] = b.x[0] = (real)0.9;
    real y = 0;
    lms_block block = {.n = 1,
                       .X = a.x,
                       .Y = &y,
                       .Yhat = &fused,
                       .theta = a.theta,
                       .z = a.z,
                       .mu = 1,
                       .z_max = 9,
                       .pending = true,
                       .gain = g};
    assert_int_equal(vec->trig_lms(&a.map, a.phase, &block), 1);
    vec->axpy(outputs, g, b.z, b.theta);
    assert_true(fused == vec->trig_dot(&b.map, b.phase, b.x, b.theta, b.z));
    assert_true(block.pending && block.gain == -fused);
    assert_memory_equal(a.z, b.z, bytes);
    assert_memory_equal(a.theta, b.theta, bytes);
    free_map(&a), free_map(&b);
}

static void check_fused(const vec_table *vec) { with_every_map(vec, check_fused_of); }

/* Batches give the bits of single predictions. */
static void check_batch_of(const vec_table *vec, size_t n, size_t d, bool paired, size_t plain)
{
    enum { ROWS = 19 };
    test_map m;
    make_map(&m, n, d, paired, plain);
    real *X = calloc(ROWS * d + 1, sizeof(real)), yhat[ROWS + 1];
    fill(15, ROWS * d, X);
    for (size_t rows = 0; rows <= ROWS; rows += 1 + rows / 4) {
        yhat[rows] = 42;
        vec->trig_predict(&m.map, m.phase, rows, X, m.theta, yhat);
        for (size_t i = 0; i < rows; i++)
            assert_true(yhat[i] == vec->trig_dot(&m.map, m.phase, X + i * d, m.theta, m.z));
        assert_true(yhat[rows] == 42);
    }
    free(X);
    free_map(&m);
}

static void check_batch(const vec_table *vec) { with_every_map(vec, check_batch_of); }

/* Huge arguments lose the phase but not finiteness; a quarter cycle is exactly zero. */
static void check_extremes(const vec_table *vec)
{
    real cycles[LANES] = {0}, phase[LANES], ones[LANES], z[2 * LANES], x = REAL_MAX / 8;
    for (int paired = 0; paired < 2; paired++) {
        trig_map map = {.paired = paired,
                        .inputs = 1,
                        .frequencies = LANES,
                        .width = LANES,
                        .cycles = cycles,
                        .plain = LANES,
                        .amplitude = ones};
        trig_set_scale(&map, 1);
        for (int i = 0; i < LANES; i++) {
            phase[i] = (real)(0.25 + 0.5 * i);
            cycles[i] = i % 3 == 0 ? 0 : (real)(i % 3 == 1 ? 3 : -2.5);
        }
        vec->trig(&map, phase, &x, z);
        for (int i = 0; i < (paired ? 2 : 1) * LANES; i++)
            assert_true((double)real_abs(z[i]) <= 1 + 4 * EPS);
        for (int i = 0; i < LANES && !paired; i += 3)
            assert_true(z[i] == 0);
    }
}

/* Cosine and sine over a fine grid of cycles: 4e-16 in double, 2e-7 in float. */
static void check_accuracy(const vec_table *vec)
{
    const double bound = OKRA_PRECISION == 64 ? 4e-16 : 2e-7;
    real ones[LANES];
    for (int start = -4000; start < 4000; start += LANES)
        for (int paired = 0; paired < 2; paired++) {
            real cycles[LANES] = {0}, phase[LANES], z[2 * LANES], x = 0;
            trig_map map = {.paired = paired,
                            .inputs = 1,
                            .frequencies = LANES,
                            .width = LANES,
                            .cycles = cycles,
                            .plain = LANES,
                            .amplitude = ones};
            trig_set_scale(&map, 1);
            for (int i = 0; i < LANES; i++)
                phase[i] = (real)(start + i) / 2003;
            vec->trig(&map, phase, &x, z);
            for (int i = 0; i < LANES; i++) {
                assert_near(z[i], cosl(2 * acosl(-1) * (long double)phase[i]), bound);
                if (paired)
                    assert_near(z[LANES + i], sinl(2 * acosl(-1) * (long double)phase[i]), bound);
            }
        }
}

/* ---- the Walsh-Hadamard transform ----------------------------------------------------------------------------- */

/* H_ij = (-1)^(bits that i and j share). Every level rounds partial sums below sum |a|. */
static void check_hadamard(const vec_table *vec)
{
    enum { LONGEST = 512 };
    real a[LONGEST], b[LONGEST], diagonal[LONGEST];
    for (size_t n = 1, levels = 0; n <= LONGEST; n *= 2, levels++) {
        fill(13, n, a), fill(14, n, diagonal);
        memcpy(b, a, sizeof b);
        vec->hadamard(n, diagonal, b);
        for (size_t i = 0; i < n; i++) {
            long double sum = 0, size = 0;
            for (size_t j = 0; j < n; j++) {
                long double term = (long double)a[j] * (long double)diagonal[j];
                sum += __builtin_popcountll(i & j) % 2 ? -term : term;
                size += fabsl(term);
            }
            assert_near(b[i], sum, (double)(levels + 1) * EPS * (double)size);
        }
    }
}

static void check_multiply(const vec_table *vec)
{
    real a[MAX], b[MAX], out[MAX];
    fill(1, MAX, a), fill(2, MAX, b);
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        memset(out, 0, sizeof out);
        vec->multiply(lengths[l], a, b, out);
        for (size_t i = 0; i < MAX; i++)
            assert_true(out[i] == (i < lengths[l] ? a[i] * b[i] : 0));
    }
}

ON_EVERY_ISA(features)
ON_EVERY_ISA(fused)
ON_EVERY_ISA(batch)
ON_EVERY_ISA(extremes)
ON_EVERY_ISA(accuracy)
ON_EVERY_ISA(hadamard)
ON_EVERY_ISA(multiply)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features), cmocka_unit_test(test_fused),    cmocka_unit_test(test_batch),
        cmocka_unit_test(test_extremes), cmocka_unit_test(test_accuracy), cmocka_unit_test(test_hadamard),
        cmocka_unit_test(test_multiply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
