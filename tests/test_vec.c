/* Every instruction set that this machine has, against sums and cosines in long double, and against the scalar oracle.
 */
#include "check.h"

#include "vec/isa.h"
#include "vec/vec.h"

#if OKRA_PRECISION == 64
#define EPS DBL_EPSILON
#else
#define EPS ((double)FLT_EPSILON)
#endif

/* 0, 1, W - 1, W, W + 1 for every vector width and group in use, and a long one. */
static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000};
enum { MOST = 1024 };

static void fill(uint32_t stream, size_t n, real *out)
{
    okra_random random = {.seed = 5, .stream = stream};
    for (size_t i = 0; i < n; i++) {
        double z;
        okra_random_normal(&random, 1, &z);
        out[i] = (real)z;
    }
}

typedef void check_table(const vec_table *vec);

/* Runs a check on each table; a name per table would say little more than the failing line does. */
static void on_every_isa(check_table *check)
{
    for (int isa = 0; isa < OKRA_ISA_COUNT; isa++)
        if (okra_isa_usable((okra_isa_id)isa))
            check(vec_of(isa));
}

static void check_dot(const vec_table *vec)
{
    real a[MOST], b[MOST];
    fill(1, MOST, a), fill(2, MOST, b);
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        long double sum = 0, size = 0;
        for (size_t i = 0; i < lengths[l]; i++) {
            sum += (long double)a[i] * b[i];
            size += fabsl((long double)a[i] * b[i]);
        }
        /* The usual bound for any order of summation: n roundings of partial sums below sum |a b|. */
        assert_near(vec->dot(lengths[l], a, b), sum, (double)(lengths[l] + 1) * EPS * (double)size);
    }
}

static void check_axpy(const vec_table *vec)
{
    real x[MOST], y[MOST], old[MOST];
    const real g = (real)0.3;
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        size_t n = lengths[l];
        fill(1, MOST, x), fill(2, MOST, y), memcpy(old, y, sizeof y);
        vec->axpy(n, g, x, y);
        for (size_t i = 0; i < MOST; i++) {
            long double wanted = i < n ? (long double)g * x[i] + old[i] : (long double)old[i];
            /* two roundings at most; beyond the end nothing is touched */
            assert_near(y[i], wanted, i < n ? EPS * (fabs((double)g * (double)x[i]) + fabs((double)old[i])) : 0);
        }
    }
}

static void check_amax(const vec_table *vec)
{
    real a[MOST];
    fill(3, MOST, a);
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t at = 0; at < lengths[l]; at++) {
            real keep = a[at];
            a[at] = at % 2 ? 100 : -100;
            assert_true(vec->amax(lengths[l], a) == 100);
            a[at] = keep;
        }
    assert_true(vec->amax(0, a) == 0);
}

static void check_finite(const vec_table *vec)
{
    real a[MOST];
    fill(4, MOST, a);
    const real bad[] = {(real)NAN, (real)INFINITY, -(real)INFINITY};
    for (size_t l = 0; l < COUNT_OF(lengths); l++) {
        size_t n = lengths[l];
        assert_int_equal(vec->finite(n, a), n);
        for (size_t at = 0; at < n; at++) {
            real keep = a[at];
            a[at] = bad[at % 3];
            assert_int_equal(vec->finite(n, a), at);
            a[at] = keep;
        }
    }
    a[0] = REAL_MAX, a[1] = -REAL_MAX, a[2] = 0;
    assert_int_equal(vec->finite(3, a), 3);
}

/* A map of n features of d inputs in natural order, laid out by the rule in vec.h. */
typedef struct test_map {
    trig_map map;
    real *turns, *phase, *natural, *x, *theta, *z;
    size_t n, d;
} test_map;

static void make_map(test_map *m, size_t n, size_t d)
{
    size_t width = padded(n);
    *m = (test_map){.n = n, .d = d};
    m->turns = calloc(width * d + 1, sizeof(real)), m->natural = calloc(n * d + 1, sizeof(real));
    m->phase = calloc(width + 1, sizeof(real)), m->theta = calloc(width + 1, sizeof(real));
    m->z = calloc(width + 1, sizeof(real)), m->x = calloc(d, sizeof(real));
    fill(6, n * d, m->natural), fill(7, n, m->phase), fill(8, d, m->x), fill(9, n, m->theta), fill(10, n, m->z);
    for (size_t i = n; i < width; i++)
        m->phase[i] = (real)0.25;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            m->turns[(i / LANES * d + j) * LANES + i % LANES] = m->natural[i * d + j];
    m->map = (trig_map){.inputs = d, .width = width, .turns = m->turns, .phase = m->phase};
    trig_set_scale(&m->map, 0.7);
}

static void free_map(test_map *m)
{
    real *arrays[] = {m->turns, m->natural, m->phase, m->theta, m->z, m->x};
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        free(arrays[i]);
}

/* z against cosl; the bound: d + 1 roundings of the phase, each worth 2 pi in the angle, and 4 eps for the polynomial.
 */
static void assert_features(const test_map *m, const real *z)
{
    for (size_t i = 0; i < m->n; i++) {
        long double t = m->phase[i], size = fabsl(t);
        for (size_t j = 0; j < m->d; j++) {
            t += (long double)m->natural[i * m->d + j] * m->x[j];
            size += fabsl((long double)m->natural[i * m->d + j] * m->x[j]);
        }
        long double bound = 0.7L * (2 * acosl(-1) * (long double)(m->d + 1) * size * EPS / 2 + 4 * EPS);
        assert_near(z[i], 0.7L * cosl(2 * acosl(-1) * t), bound);
    }
    for (size_t i = m->n; i < m->map.width; i++)
        assert_true(z[i] == 0);
}

static const size_t dims[] = {1, 2, 5, 20};

static void check_trig(const vec_table *vec)
{
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t k = 0; k < COUNT_OF(dims); k++) {
            test_map m;
            make_map(&m, lengths[l], dims[k]);
            vec->trig(&m.map, m.x, m.z);
            assert_features(&m, m.z);
            free_map(&m);
        }
}

/* The fused passes give, bit for bit, what their parts give one after the other. */
static void check_fused(const vec_table *vec)
{
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t k = 0; k < COUNT_OF(dims); k++) {
            test_map a, b;
            make_map(&a, lengths[l], dims[k]), make_map(&b, lengths[l], dims[k]);
            size_t width = a.map.width, bytes = width * sizeof(real);
            const real g = (real)-0.4;

            real fused = vec->trig_dot(&a.map, a.x, a.theta, a.z);
            vec->trig(&b.map, b.x, b.z);
            assert_true(fused == vec->dot(width, b.theta, b.z));
            assert_memory_equal(a.z, b.z, bytes);

            a.x[0] = b.x[0] = (real)0.9;
            fused = vec->trig_lms(&a.map, a.x, g, a.theta, a.z);
            vec->axpy(width, g, b.z, b.theta);
            assert_true(fused == vec->trig_dot(&b.map, b.x, b.theta, b.z));
            assert_memory_equal(a.z, b.z, bytes);
            assert_memory_equal(a.theta, b.theta, bytes);
            free_map(&a), free_map(&b);
        }
}

/* Huge arguments lose the phase but not finiteness; a quarter turn is exactly zero; whole turns are exactly the scale's
 * polynomial. */
static void check_extremes(const vec_table *vec)
{
    real turns[LANES] = {0}, phase[LANES], z[LANES], x = REAL_MAX / 4;
    trig_map map = {.inputs = 1, .width = LANES, .turns = turns, .phase = phase};
    trig_set_scale(&map, 1);
    for (int i = 0; i < LANES; i++) {
        phase[i] = (real)(0.25 + 0.5 * i);
        turns[i] = i % 3 == 0 ? 0 : (real)(i % 3 == 1 ? 3 : -2.5);
    }
    vec->trig(&map, &x, z);
    for (int i = 0; i < LANES; i++) {
        if (i % 3 == 0)
            assert_true(z[i] == 0);
        assert_true((double)real_abs(z[i]) <= 1 + 4 * EPS);
    }
}

#define ON_EVERY_ISA(name)                \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        on_every_isa(check_##name);       \
    }
ON_EVERY_ISA(dot)
ON_EVERY_ISA(axpy)
ON_EVERY_ISA(amax)
ON_EVERY_ISA(finite)
ON_EVERY_ISA(trig)
ON_EVERY_ISA(fused)
ON_EVERY_ISA(extremes)

/* The cosine over a fine grid of turns: 4e-16 in double, 2e-7 in float. */
static void cosine_accuracy(void **state)
{
    (void)state;
    const double bound = OKRA_PRECISION == 64 ? 4e-16 : 2e-7;
    for (int isa = 0; isa < OKRA_ISA_COUNT; isa++) {
        if (!okra_isa_usable((okra_isa_id)isa))
            continue;
        for (int start = -4000; start < 4000; start += LANES) {
            real turns[LANES] = {0}, phase[LANES], z[LANES], x = 0;
            trig_map map = {.inputs = 1, .width = LANES, .turns = turns, .phase = phase};
            trig_set_scale(&map, 1);
            for (int i = 0; i < LANES; i++)
                phase[i] = (real)(start + i) / 2003;
            vec_of(isa)->trig(&map, &x, z);
            for (int i = 0; i < LANES; i++)
                assert_near(z[i], cosl(2 * acosl(-1) * (long double)phase[i]), bound);
        }
    }
}

static void unknown_isa_has_no_table(void **state)
{
    (void)state;
    assert_null(vec_of(OKRA_ISA_NONE));
    assert_null(vec_of(OKRA_ISA_COUNT));
    assert_false(okra_isa_usable(OKRA_ISA_NONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot),      cmocka_unit_test(test_axpy),       cmocka_unit_test(test_amax),
        cmocka_unit_test(test_finite),   cmocka_unit_test(test_trig),       cmocka_unit_test(test_fused),
        cmocka_unit_test(test_extremes), cmocka_unit_test(cosine_accuracy), cmocka_unit_test(unknown_isa_has_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
