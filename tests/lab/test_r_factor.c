/*
 * Triangles of every size: against the sums that they stand for, around the rows and columns that are worked on
 * together; the factors of RLS; and models made of them.
 */
#include "check.h"

#include <okra/merge.h>

#include "lab/r_factor.h"

enum { MAX_COLUMNS = 40, MAX_ROWS = 530 };

/* Of `n` samples of `features` + `outputs` columns, the rows of one array: A = lambda I + sum w (z, y)(z, y)'. */
typedef struct sums {
    size_t features, outputs, n;
    double lambda;
    const double *weights;
    double z[MAX_ROWS * MAX_COLUMNS], y[MAX_ROWS * MAX_COLUMNS];
    double A[MAX_COLUMNS][MAX_COLUMNS];
} sums;

static void make_sums(sums *s, size_t features, size_t outputs, size_t n, double lambda, const double *weights)
{
    okra_random random = {.seed = 31, .run = (uint32_t)n};
    s->features = features, s->outputs = outputs, s->n = n, s->lambda = lambda, s->weights = weights;
    okra_random_normal(&random, n * features, s->z);
    okra_random_normal(&random, n * outputs, s->y);
    for (size_t a = 0; a < features + outputs; a++)
        for (size_t b = 0; b < features + outputs; b++) {
            s->A[a][b] = a == b && a < features ? lambda : 0;
            for (size_t i = 0; i < n; i++) {
                double p = a < features ? s->z[i * features + a] : s->y[i * outputs + a - features];
                double q = b < features ? s->z[i * features + b] : s->y[i * outputs + b - features];
                s->A[a][b] += (weights ? weights[i] : 1) * p * q;
            }
        }
}

/* T'T of what an R factor packs is A; and the last number is how many samples there were. Entries of A are below 4 n,
 * whose roundings are n eps of that. */
static void assert_sums(okra_r_factor *factor, const sums *s)
{
    static double packed[MAX_COLUMNS * (MAX_COLUMNS + 1) / 2 + 1], T[MAX_COLUMNS][MAX_COLUMNS];
    size_t m = s->features + s->outputs;
    const double *at = packed;
    assert_int_equal(okra_r_factor_numbers(factor), m * (m + 1) / 2 + 1);
    assert_ok(okra_r_factor_pack(factor, packed));
    memset(T, 0, sizeof T);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i <= j; i++)
            T[i][j] = *at++;
    assert_near(*at, s->n, 0);
    assert_int_equal(okra_r_factor_samples(factor), s->n);
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++) {
            double sum = 0;
            for (size_t k = 0; k < m; k++)
                sum += T[k][a] * T[k][b];
            assert_near(sum, s->A[a][b], 1e-15 * (1 + 40 * (double)s->n));
        }
}

/* Around the rows that wait together (256) and the columns that are worked on together (32). */
static void r_factors_hold_the_sums(void **state)
{
    (void)state;
    static const size_t rows[] = {0, 1, 2, 255, 256, 257, 511, 512, 513, MAX_ROWS};
    static const size_t shapes[][2] = {{1, 1}, {3, 2}, {30, 1}, {31, 1}, {30, 2}, {32, 1}, {1, 33}, {38, 2}};
    static double weights[MAX_ROWS];
    static sums s;
    for (size_t i = 0; i < MAX_ROWS; i++)
        weights[i] = i % 5 == 1 ? 0 : 0.25 * (double)(i % 7);
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (size_t k = 0; k < COUNT_OF(shapes); k++)
            for (int weighted = 0; weighted < 2; weighted++) {
                okra_r_factor *factor, *other;
                make_sums(&s, shapes[k][0], shapes[k][1], rows[r], 0.7, weighted ? weights : NULL);
                assert_ok(okra_r_factor_create(s.features, s.outputs, s.lambda, &factor));
                assert_ok(okra_r_factor_create(s.features, s.outputs, 0, &other));
                size_t half = rows[r] / 3;
                assert_ok(okra_r_factor_add(factor, half, s.z, s.y, s.weights));
                assert_ok(okra_r_factor_add(other, rows[r] - half, s.z + half * s.features, s.y + half * s.outputs,
                                            weighted ? weights + half : NULL));
                assert_ok(okra_r_factor_join(factor, other)); /* rows wait on either side */
                assert_sums(factor, &s);
                okra_r_factor_free(factor), okra_r_factor_free(other);
                assert_ok(okra_r_factor_create(s.features, s.outputs, s.lambda, &factor));
                assert_ok(okra_r_factor_add(factor, rows[r], s.z, s.y, s.weights));
                assert_sums(factor, &s);
                okra_r_factor_free(factor);
            }
}

/* Whatever is refused, the R factor is as it was. */
static void r_factors_keep_what_they_have(void **state)
{
    (void)state;
    static sums s;
    okra_r_factor *factor, *wide;
    double z[6] = {0}, y[4] = {0}, weights[2] = {1, 1};
    make_sums(&s, 3, 2, 9, 0.5, NULL);
    assert_ok(okra_r_factor_create(3, 2, 0.5, &factor));
    assert_ok(okra_r_factor_create(3, 1, 0.5, &wide));
    assert_ok(okra_r_factor_add(factor, 9, s.z, s.y, NULL));
    double *const places[] = {z, z + 5, y, y + 3, weights, weights + 1};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        double before = *places[i];
        *places[i] = i % 2 ? (double)NAN : (double)INFINITY;
        assert_status(okra_r_factor_add(factor, 2, z, y, weights), OKRA_E_SAMPLE);
        *places[i] = before;
    }
    weights[1] = -1e-300;
    assert_status(okra_r_factor_add(factor, 2, z, y, weights), OKRA_E_SAMPLE);
    assert_status(okra_r_factor_join(factor, wide), OKRA_E_UNSUPPORTED);
    assert_status(okra_r_factor_add(NULL, 2, z, y, NULL), OKRA_E_NULL);
    assert_status(okra_r_factor_add(factor, 2, NULL, y, NULL), OKRA_E_NULL);
    assert_status(okra_r_factor_add(factor, 2, z, NULL, NULL), OKRA_E_NULL);
    assert_status(okra_r_factor_join(factor, NULL), OKRA_E_NULL);
    assert_status(okra_r_factor_join(NULL, factor), OKRA_E_NULL);
    assert_status(okra_r_factor_pack(NULL, z), OKRA_E_NULL);
    assert_status(okra_r_factor_pack(factor, NULL), OKRA_E_NULL);
    assert_status(okra_r_factor_unpack(NULL, z), OKRA_E_NULL);
    assert_status(okra_r_factor_unpack(factor, NULL), OKRA_E_NULL);
    assert_status(okra_r_factor_theta(NULL, z), OKRA_E_NULL);
    assert_status(okra_r_factor_theta(factor, NULL), OKRA_E_NULL);
    assert_status(okra_r_factor_to_filter(factor, NULL), OKRA_E_NULL);
    assert_sums(factor, &s);
    okra_r_factor_free(factor), okra_r_factor_free(wide), okra_r_factor_free(NULL);
}

static void r_factors_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t features, outputs;
        double lambda;
        okra_status status;
    } cases[] = {{0, 1, 1, OKRA_E_PARAMETER},           {1, 0, 1, OKRA_E_PARAMETER},
                 {1, 1, -1e-300, OKRA_E_PARAMETER},     {1, 1, (double)INFINITY, OKRA_E_PARAMETER},
                 {1, 1, (double)NAN, OKRA_E_PARAMETER}, {INT32_MAX / 2 + 1, 1, 1, OKRA_E_SIZE},
                 {1, INT32_MAX / 2 + 1, 1, OKRA_E_SIZE}};
    okra_r_factor *factor;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        factor = (okra_r_factor *)&factor;
        assert_status(okra_r_factor_create(cases[i].features, cases[i].outputs, cases[i].lambda, &factor),
                      cases[i].status);
        assert_null(factor);
    }
    assert_status(okra_r_factor_create(1, 1, 1, NULL), OKRA_E_NULL);
}

/* Numbers for a message: those of an R factor that has rows waiting replace them all, and the ends of the count. */
static void unpacking_replaces_everything(void **state)
{
    (void)state;
    static sums s;
    okra_r_factor *factor, *other;
    double numbers[16];
    make_sums(&s, 3, 1, 20, 2, NULL);
    assert_ok(okra_r_factor_create(3, 1, 2, &factor));
    assert_ok(okra_r_factor_add(factor, 20, s.z, s.y, NULL));
    assert_ok(okra_r_factor_pack(factor, numbers));
    assert_ok(okra_r_factor_create(3, 1, 9, &other));
    assert_ok(okra_r_factor_add(other, 5, s.z, s.y, NULL)); /* they wait */
    assert_ok(okra_r_factor_unpack(other, numbers));
    assert_sums(other, &s);
    static const double counts[] = {0, 0x1.fffffffffffffp63, -1, 0x1p64, (double)NAN};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        numbers[10] = counts[i];
        assert_status(okra_r_factor_unpack(other, numbers), i < 2 ? OKRA_OK : OKRA_E_SAMPLE);
        assert_true(okra_r_factor_samples(other) == (i == 0 ? 0 : UINT64_MAX - 2047));
    }
    numbers[10] = 3, numbers[9] = (double)INFINITY;
    assert_status(okra_r_factor_unpack(other, numbers), OKRA_E_SAMPLE);
    okra_r_factor_free(factor), okra_r_factor_free(other);
}

/* ---- P = U diag(d) U' and back ---------------------------------------------------------------------------------- */

enum { SIZE = 6, STRIDE = 9 };

/* R'R P = I, with room between the columns of R. */
static void factors_of_the_inverse(void **state)
{
    (void)state;
    okra_random random = {.seed = 12};
    double r[SIZE * STRIDE], back[SIZE * STRIDE], u[SIZE * (SIZE + 1) / 2], d[SIZE], U[SIZE][SIZE] = {{0}};
    okra_random_normal(&random, COUNT_OF(r), r);
    for (size_t j = 0; j < SIZE; j++)
        r[j * STRIDE + j] = (j % 2 ? -1 : 1) * (3 + (double)j);
    assert_ok(r_factor_to_ud(SIZE, r, STRIDE, u, d));
    for (size_t j = 0, at = 0; j < SIZE; j++)
        for (size_t i = 0; i <= j; i++)
            U[i][j] = u[at++];
    for (size_t a = 0; a < SIZE; a++) {
        assert_near(U[a][a], 1, 0);
        assert_true(d[a] > 0);
        for (size_t b = 0; b < SIZE; b++) {
            double sum = 0; /* of (R'R)[a][k] P[k][b] */
            for (size_t k = 0; k < SIZE; k++) {
                double rr = 0, p = 0;
                for (size_t l = 0; l <= a && l <= k; l++)
                    rr += r[a * STRIDE + l] * r[k * STRIDE + l];
                for (size_t l = 0; l < SIZE; l++)
                    p += U[k][l] * d[l] * U[b][l];
                sum += rr * p;
            }
            assert_near(sum, a == b, 1e-13);
        }
    }
    /* back: the R factor whose diagonal is positive; what is below is not touched */
    for (size_t i = 0; i < COUNT_OF(back); i++)
        back[i] = 77;
    assert_ok(r_factor_from_ud(SIZE, u, d, back, STRIDE));
    for (size_t j = 0; j < SIZE; j++)
        for (size_t i = 0; i < STRIDE; i++)
            assert_near(back[j * STRIDE + i], i > j ? 77 : r[j * STRIDE + i] * (r[i * STRIDE + i] > 0 ? 1 : -1),
                        i > j ? 0 : 1e-13);
}

/* No inverse, or none that is finite: in d alone, and in the last column of U alone. */
static void factors_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const double singular[] = {1, 0, 2, 0}, tiny[] = {1e-200}, steep[] = {1e-150, 0, 1e200, 1};
    static const double unit[] = {1, 0.5, 1}, none[] = {1, 0};
    double u[3], d[2], r[4];
    assert_status(r_factor_to_ud(2, singular, 2, u, d), OKRA_E_DIVERGED);
    assert_status(r_factor_to_ud(1, tiny, 1, u, d), OKRA_E_DIVERGED);
    assert_status(r_factor_to_ud(2, steep, 2, u, d), OKRA_E_DIVERGED);
    assert_status(r_factor_from_ud(2, unit, none, r, 2), OKRA_E_DIVERGED);
}

/* ---- R factors become models ------------------------------------------------------------------------------------ */

static uint64_t counter_of(const okra_filter *model, const char *name)
{
    uint64_t value = 0;
    assert_ok(model_counter(model, name, &value));
    return value;
}

enum { COLUMNS = 3, OUT = 2, MANY = 1500 };

/* What is left of output o in N samples, and the penalty. */
static double residual(size_t o, size_t N, const double *z, const double *y, double theta[OUT][COLUMNS])
{
    double left = 0;
    for (size_t k = 0; k < COLUMNS; k++)
        left += 0.5 * theta[o][k] * theta[o][k];
    for (size_t r = 0; r < N; r++) {
        double e = y[r * OUT + o];
        for (size_t k = 0; k < COLUMNS; k++)
            e -= theta[o][k] * z[r * COLUMNS + k];
        left += e * e;
    }
    return left;
}

/* theta, noise and counters of a model that was made from N samples; the noise remembers 1000 at most. */
static void assert_model(size_t N, const double *z, const double *y, int precision)
{
    okra_spec spec;
    okra_filter *model;
    okra_r_factor *t;
    double theta[OUT][COLUMNS], bound = precision == OKRA_F32 ? 1e-6 : 1e-12, weight = N < 1000 ? (double)N : 1000;
    size_t n = 0;
    assert_ok(okra_spec_init(&spec, "rls", COLUMNS - 1, OUT)); /* and a constant */
    spec.beta = 1, spec.lambda = 0.5, spec.precision = precision;
    assert_ok(okra_create(&spec, &model));
    assert_ok(okra_r_factor_create(COLUMNS, OUT, 0.5, &t));
    assert_ok(okra_r_factor_add(t, N, z, y, NULL));
    assert_ok(okra_r_factor_theta(t, &theta[0][0]));
    assert_ok(okra_r_factor_to_filter(t, model));
    assert_int_equal(counter_of(model, "learnt"), N);
    assert_int_equal(counter_of(model, "cycle"), N);
    double *stored = model_array(model, "theta", &n);
    assert_int_equal(n, COLUMNS * OUT);
    for (size_t k = 0; k < n; k++)
        assert_near(stored[k], theta[k / COLUMNS][k % COLUMNS], bound);
    free(stored);
    stored = model_array(model, "noise", &n);
    assert_int_equal(n, OUT + 1);
    for (size_t o = 0; o < OUT; o++) {
        double left = residual(o, N, z, y, theta);
        assert_near(stored[o], N ? left / (double)N * weight : 0, bound * (1 + left));
    }
    assert_near(stored[OUT], weight, 0);
    free(stored);
    okra_r_factor_free(t), okra_free(model);
}

static void models_of_r_factors_have_their_arrays(void **state)
{
    (void)state;
    static const size_t samples[] = {0, 10, 999, 1000, 1001, MANY};
    static double z[MANY * COLUMNS], y[MANY * OUT];
    okra_random random = {.seed = 14};
    okra_random_normal(&random, COUNT_OF(z), z);
    okra_random_normal(&random, COUNT_OF(y), y);
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        assert_model(samples[i], z, y, OKRA_F64);
        assert_model(samples[i], z, y, OKRA_F32);
    }
}

/* Another recipe, or one size that differs: the model is as it was. */
static void r_factors_fit_models_of_their_size(void **state)
{
    (void)state;
    static const struct {
        const char *recipe;
        size_t inputs, outputs;
    } cases[] = {{"rls", 3, 2}, {"rls", 2, 1}, {"lms", 2, 2}, {"nlms", 2, 2}};
    okra_r_factor *t;
    assert_ok(okra_r_factor_create(COLUMNS, OUT, 0.5, &t));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        okra_spec spec;
        okra_filter *model;
        assert_ok(okra_spec_init(&spec, cases[i].recipe, cases[i].inputs, cases[i].outputs));
        assert_ok(okra_create(&spec, &model));
        assert_status(okra_r_factor_to_filter(t, model), OKRA_E_UNSUPPORTED);
        assert_status(okra_r_factor_to_filter(NULL, model), OKRA_E_NULL);
        okra_free(model);
    }
    okra_r_factor_free(t);
}

static void model_arrays_are_found_by_name(void **state)
{
    (void)state;
    okra_spec spec;
    okra_filter *model;
    size_t n = 0;
    uint64_t value = 5;
    assert_ok(okra_spec_init(&spec, "rls", 2, 1));
    assert_ok(okra_create(&spec, &model));
    assert_null(model_array(model, "nothing", &n));
    assert_int_not_equal(model_counter(model, "nothing", &value), OKRA_OK);
    assert_int_equal(value, 5);
    okra_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r_factors_hold_the_sums),
        cmocka_unit_test(r_factors_keep_what_they_have),
        cmocka_unit_test(r_factors_that_cannot_be_are_refused),
        cmocka_unit_test(unpacking_replaces_everything),
        cmocka_unit_test(factors_of_the_inverse),
        cmocka_unit_test(factors_that_are_not_finite_are_refused),
        cmocka_unit_test(models_of_r_factors_have_their_arrays),
        cmocka_unit_test(model_arrays_are_found_by_name),
        cmocka_unit_test(r_factors_fit_models_of_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
