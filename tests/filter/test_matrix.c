/* Sums, Cholesky factors and inverses of matrices, by their definitions in long double. Compiled once per precision. */
#include "every_isa.h"

#include "filter/matrix.h"

typedef long double wide;

enum { ORDER_MAX = 71, TARGETS = 2, ROWS = 90, STRIDE = 96 };

static const size_t orders[] = {1, 2, 15, 16, 17, 33, 48, ORDER_MAX};

typedef struct problem {
    size_t n, stride;
    real *z, *a, *inverse; /* [ROWS][stride], [stride][stride] */
} problem;

/* Rows of n features and targets, and zeros behind; lambda on the diagonal of their sums. */
static problem make_problem(const vec_table *vec, size_t n, real lambda)
{
    problem p = {.n = n, .stride = padded(n + TARGETS)};
    p.z = calloc(ROWS * STRIDE, sizeof(real));
    p.a = calloc(STRIDE * STRIDE, sizeof(real));
    p.inverse = calloc(STRIDE * STRIDE, sizeof(real));
    for (size_t i = 0; i < ROWS; i++)
        fill((uint32_t)i, n + TARGETS, p.z + i * p.stride);
    matrix_gram(vec, ROWS, p.z, p.a, p.stride);
    for (size_t j = 0; j < n; j++)
        p.a[j * p.stride + j] += lambda;
    return p;
}

static void free_problem(problem *p) { free(p->z), free(p->a), free(p->inverse); }

static wide product(const problem *p, size_t i, size_t j)
{
    wide sum = 0;
    for (size_t k = 0; k < ROWS; k++)
        sum += (wide)p->z[k * p->stride + i] * (wide)p->z[k * p->stride + j];
    return sum;
}

/* ROWS multiply-adds of normal numbers: of size 4 at most. */
static void check_gram(const vec_table *vec)
{
    for (size_t k = 0; k < COUNT_OF(orders); k++) {
        problem p = make_problem(vec, orders[k], 0);
        for (size_t i = 0; i < p.n + TARGETS; i++)
            for (size_t j = i; j < p.n + TARGETS; j++)
                assert_near(p.a[i * p.stride + j], product(&p, i, j), 16 * ROWS * ROWS * EPS);
        free_problem(&p);
    }
}

/* The largest eigenvalue is below the trace, 2 ROWS n, the smallest at least lambda. */
static double condition(size_t n, double lambda) { return 2 * ROWS * (double)n / lambda + 1; }

/* R'R = A; R R^-1 = I; the targets' rows hold the least sums of squares. In parts, as the ensemble does it. */
static void check_factor(const vec_table *vec)
{
    const double lambda = 4;
    for (size_t k = 0; k < COUNT_OF(orders); k++) {
        problem p = make_problem(vec, orders[k], (real)lambda);
        size_t n = p.n, s = p.stride, at = 0, parts = 0;
        real *a = malloc(s * s * sizeof *a);
        memcpy(a, p.a, s * s * sizeof *a);
        for (; at < n; parts++)
            assert_true(matrix_factor(vec, n, p.a, s, &at));
        assert_int_equal(parts, (n + MATRIX_PANEL - 1) / MATRIX_PANEL);
        double tolerance = 64 * ROWS * (double)n * EPS;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n + TARGETS; j++) {
                wide sum = 0;
                for (size_t m = 0; m <= i; m++)
                    sum += (wide)p.a[m * s + i] * (wide)p.a[m * s + j];
                assert_near(a[i * s + j], sum, tolerance);
            }
        for (at = n; at > 0;)
            matrix_invert(vec, n, p.a, p.inverse, s, &at);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                wide sum = 0;
                for (size_t m = i; m < n; m++)
                    sum += (wide)p.a[i * s + m] * (wide)p.inverse[m * s + j];
                assert_near(sum, i == j ? 1 : 0, 8 * (double)n * EPS * sqrt(condition(n, lambda)));
            }
        for (size_t o = 0; o < TARGETS; o++) { /* y'y - |R'^-1 Z'y|^2 */
            wide square = (wide)a[(n + o) * s + n + o];
            for (size_t m = 0; m < n; m++)
                square -= (wide)p.a[m * s + n + o] * (wide)p.a[m * s + n + o];
            assert_near(p.a[(n + o) * s + n + o], square, tolerance);
        }
        free(a), free_problem(&p);
    }
}

static void check_indefinite(const vec_table *vec)
{
    problem p = make_problem(vec, 40, 1);
    size_t at = 0;
    p.a[20 * p.stride + 20] = -1;
    assert_true(matrix_factor(vec, 40, p.a, p.stride, &at));
    assert_false(matrix_factor(vec, 40, p.a, p.stride, &at));
    free_problem(&p);
}

static void check_multiply(const vec_table *vec)
{
    problem p = make_problem(vec, 33, 1);
    real c[8 * STRIDE];
    matrix_multiply(vec, 8, 33, p.z, p.a, c, p.stride);
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < p.stride; j++) {
            wide sum = 0, size = 0;
            for (size_t m = 0; m < 33; m++) {
                wide term = (wide)p.z[i * p.stride + m] * (wide)p.a[m * p.stride + j];
                sum += term, size += fabsl(term);
            }
            assert_near(c[i * p.stride + j], sum, 34 * EPS * (double)size);
        }
    free_problem(&p);
}

static void sums(void **state) { (void)state, on_every_isa(check_gram); }
static void factors(void **state) { (void)state, on_every_isa(check_factor); }
static void indefinite(void **state) { (void)state, on_every_isa(check_indefinite); }
static void products(void **state) { (void)state, on_every_isa(check_multiply); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(factors), cmocka_unit_test(indefinite),
                                       cmocka_unit_test(products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
