/* LMS and NLMS against the equations, written out slowly in long double; and how they refuse to diverge. */
#include "typed.h"

enum { N = 400, D = 3, FEATURES = 37 };

/* The textbook: z by libm, theta by the update; returns the a-priori predictions in yhat[N][outputs]. */
static void reference(const okra_spec *spec, bool normalised, const real *omega_cycles, const real *phase_cycles,
                      const real *X, const real *Y, const real *weights, double *yhat)
{
    size_t outputs = spec->outputs;
    long double theta[4][FEATURES] = {{0}}, z[FEATURES], two_pi = 2 * acosl(-1);
    for (size_t n = 0; n < N; n++) {
        long double power = 0;
        for (size_t i = 0; i < FEATURES; i++) {
            long double t = (long double)phase_cycles[i];
            for (size_t j = 0; j < D; j++)
                t += (long double)omega_cycles[i * D + j] * (long double)X[n * D + j];
            z[i] = sqrtl(2.0L / FEATURES) * cosl(two_pi * t);
            power += z[i] * z[i];
        }
        long double rate = (long double)(real)spec->mu * (weights ? (long double)weights[n] : 1);
        if (normalised)
            rate /= (long double)spec->reg + power;
        for (size_t o = 0; o < outputs; o++) {
            long double p = 0;
            for (size_t i = 0; i < FEATURES; i++)
                p += theta[o][i] * z[i];
            for (size_t i = 0; i < FEATURES; i++)
                theta[o][i] += rate * ((long double)Y[n * outputs + o] - p) * z[i];
            yhat[n * outputs + o] = (double)p;
        }
    }
}

static void compare(const char *recipe, size_t outputs, bool weighted)
{
    okra_spec spec = make_spec(recipe, D, outputs);
    okra_filter *filter = make_filter(&spec);
    real *X = make_normals(1, N * D), *Y = make_normals(2, N * outputs), *w = make_normals(3, N),
         *got = make_normals(4, N * outputs);
    real omega[FEATURES * D], phase[FEATURES];
    double *wanted = malloc(N * outputs * sizeof *wanted);
    for (size_t i = 0; i < N; i++)
        w[i] = real_abs(w[i]) / 2;
    assert_ok(okra_array_read(filter, "omega", omega));
    assert_ok(okra_array_read(filter, "phase", phase));
    reference(&spec, strcmp(recipe, "rff-nlms") == 0, omega, phase, X, Y, weighted ? w : NULL, wanted);
    assert_ok(run(filter, N, X, Y, weighted ? w : NULL, got, NULL));
    /*
     * A feature is off by at most 2 pi (d + 1) |t| eps / 2 + 4 eps of its size, |t| below 4 here, and a prediction sums
     * FEATURES of them with |theta| of order one; the recursion contracts, so errors do not pile up: 1000 eps covers it
     * ten times, and a wrong sign or factor is 1e10 times as large.
     */
    for (size_t i = 0; i < N * outputs; i++)
        assert_near(got[i], wanted[i], 1000 * REAL_EPS);
    free(X), free(Y), free(w), free(got), free(wanted);
    okra_free(filter);
}

static void matches_the_equations(void **state)
{
    (void)state;
    static const char *const recipes[] = {"rff-klms", "rff-nlms"};
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (size_t outputs = 1; outputs <= 4; outputs += 3)
            for (int weighted = 0; weighted < 2; weighted++)
                compare(recipes[r], outputs, weighted);
}

/* y = 2 x1 - x2 + 0.5: the linear filters find it. */
static void linear_filters_find_a_line(void **state)
{
    (void)state;
    static const char *const recipes[] = {"lms", "nlms"};
    enum { ROWS = 20000 };
    for (size_t r = 0; r < COUNT_OF(recipes); r++) {
        okra_spec spec = make_spec(recipes[r], 2, 1);
        okra_filter *filter = make_filter(&spec);
        real *X = make_normals(1, ROWS * 2), *Y = make_normals(2, ROWS), theta[3];
        for (size_t i = 0; i < ROWS; i++)
            Y[i] = 2 * X[2 * i] - X[2 * i + 1] + (real)0.5;
        assert_ok(run(filter, ROWS, X, Y, NULL, NULL, NULL));
        assert_ok(okra_array_read(filter, "theta", theta));
        const double wanted[] = {2, -1, 0.5};
        for (int i = 0; i < 3; i++)
            assert_near(theta[i], wanted[i], 20 * REAL_EPS);
        free(X), free(Y);
        okra_free(filter);
    }
}

/* A step size far past the bound: it ends in OKRA_E_DIVERGED with finite weights that still predict, and never in NaN.
 */
static void divergence_is_reported_not_stored(void **state)
{
    (void)state;
    static const char *const recipes[] = {"rff-klms", "rff-nlms", "lms", "nlms"};
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (size_t outputs = 1; outputs <= 2; outputs++) {
            okra_spec spec = make_spec(recipes[r], D, outputs);
            spec.mu = 50;
            okra_filter *filter = make_filter(&spec);
            real *X = make_normals(1, D), *Y = make_normals(2, 2), yhat[2];
            size_t steps = 0;
            okra_status status = OKRA_OK;
            for (; steps < 100000 && !status; steps++)
                status = step(filter, X, Y, yhat);
            assert_status(status, OKRA_E_DIVERGED);
            real theta[2 * FEATURES];
            okra_array array;
            assert_ok(okra_array_at(filter, 0, &array));
            assert_ok(okra_array_read(filter, "theta", theta));
            for (size_t i = 0; i < array.rows * array.cols; i++)
                assert_true(real_abs(theta[i]) <= REAL_MAX);
            okra_stats stats;
            assert_ok(okra_get_stats(filter, &stats));
            assert_int_equal(stats.learnt, steps - 1);
            assert_ok(okra_reset(filter));
            assert_ok(step(filter, X, Y, yhat));
            free(X), free(Y);
            okra_free(filter);
        }
}

/* Two steps that fit, each by itself, and would carry a weight past the format together: the second is refused. */
static void weights_cannot_creep_past_the_format(void **state)
{
    (void)state;
    okra_spec spec = make_spec("lms", 1, 1);
    spec.mu = 1;
    okra_filter *filter = make_filter(&spec);
    real x = 1, y = REAL_MAX / 2, theta[2], after[2];
    assert_ok(step(filter, &x, &y, NULL)); /* theta = (y, y) */
    assert_ok(okra_array_read(filter, "theta", theta));
    assert_true(theta[0] == y && theta[1] == y);
    x = -1, y = -(REAL_MAX / 5) * 3; /* yhat = 0: theta would become (0.5 + 0.6, 0.5 - 0.6) of the largest number */
    assert_status(step(filter, &x, &y, NULL), OKRA_E_DIVERGED);
    assert_ok(okra_array_read(filter, "theta", after));
    assert_memory_equal(theta, after, sizeof theta);
    okra_free(filter);
}

/* Inputs whose features or powers the format cannot hold are refused; ordinary ones go on afterwards. */
/* Targets that swing by a quarter of the format move the weight to and fro. What is refused depends on where it is, not
 * on all the ways it has gone: those add up to far more than the format holds. */
static void a_long_way_is_not_a_large_weight(void **state)
{
    (void)state;
    static const char *const recipes[] = {"lms", "nlms"};
    for (size_t r = 0; r < COUNT_OF(recipes); r++) {
        okra_spec spec = make_spec(recipes[r], 1, 1);
        spec.mu = 0.5;
        okra_filter *filter = make_filter(&spec);
        for (size_t i = 0; i < 200; i++) {
            real x = 0, y = i % 2 ? REAL_MAX / 4 : -REAL_MAX / 4, yhat;
            assert_ok(step(filter, &x, &y, &yhat));
            assert_true(real_abs(yhat) <= REAL_MAX / 4);
        }
        okra_free(filter);
    }
}

static void out_of_range_inputs_are_refused(void **state)
{
    (void)state;
    okra_spec spec = make_spec("rff-klms", 1, 1);
    spec.sigma = 1e-3;
    okra_filter *filter = make_filter(&spec);
    real huge = REAL_MAX, y = 1, x = (real)0.5, yhat = 7;
    assert_status(step(filter, &huge, &y, &yhat), OKRA_E_RANGE);
    assert_true(yhat == 7);
    assert_ok(step(filter, &x, &y, &yhat));
    okra_free(filter);

    spec = make_spec("nlms", 1, 1);
    filter = make_filter(&spec);
    assert_status(step(filter, &huge, &y, &yhat), OKRA_E_RANGE);
    assert_ok(step(filter, &x, &y, &yhat));
    okra_free(filter);
}

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_equations),
        cmocka_unit_test(linear_filters_find_a_line),
        cmocka_unit_test(divergence_is_reported_not_stored),
        cmocka_unit_test(weights_cannot_creep_past_the_format),
        cmocka_unit_test(a_long_way_is_not_a_large_weight),
        cmocka_unit_test(out_of_range_inputs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
