/* Feature maps against the exact kernel, with bounds derived from the estimator's variance. */
#include "check.h"

#include "map/kernel.h"

/*
 * z(x).z(y) is a mean of D independent terms cos(w.r) + cos(w.s + 2b), r = x - y. The second is uncorrelated with the
 * first, has mean 0 and variance 1/2; the first has mean k(r) and E cos^2 = (1 + k(2r))/2. So the variance of a term is
 */
static double term_variance(int kernel, double sigma, size_t d, const double *r)
{
    double zero[64] = {0}, twice[64];
    for (size_t j = 0; j < d; j++)
        twice[j] = 2 * r[j];
    double k = okra_kernel_value(kernel, sigma, d, r, zero), k2 = okra_kernel_value(kernel, sigma, d, twice, zero);
    return (1 + k2) / 2 - k * k + 0.5;
}

/* z(x).z(y) of a fresh map. */
static double estimate(int kernel, double sigma, size_t d, size_t features, uint64_t seed, const double *x,
                       const double *y)
{
    okra_spec spec;
    okra_map *map;
    assert_ok(okra_spec_init(&spec, "rff-klms", d));
    spec.kernel = kernel, spec.sigma = sigma, spec.features = features, spec.seed = seed;
    assert_ok(okra_map_create(&spec, &map));
    assert_int_equal(okra_map_outputs(map), features);
    double *z = malloc(2 * features * sizeof *z), sum = 0;
    assert_ok(okra_map_apply(map, 1, x, z));
    assert_ok(okra_map_apply(map, 1, y, z + features));
    for (size_t i = 0; i < features; i++)
        sum += z[i] * z[features + i];
    free(z);
    okra_map_free(map);
    return sum;
}

/* x, and y at the distance where the kernel reacts most to its width: |r|^2 = 2 sigma^2 (gaussian), |r|_1 = sigma
 * (laplacian). */
static void sensitive_pair(int kernel, double sigma, size_t d, double *x, double *y, double *r)
{
    okra_random random = {.seed = 42, .stream = 3};
    okra_random_normal(&random, d, x);
    okra_random_normal(&random, d, r);
    double size = 0;
    for (size_t j = 0; j < d; j++)
        size += kernel == OKRA_GAUSSIAN ? r[j] * r[j] : fabs(r[j]);
    double length = kernel == OKRA_GAUSSIAN ? sigma * sqrt(2 / size) : sigma / size;
    for (size_t j = 0; j < d; j++) {
        r[j] *= length;
        y[j] = x[j] - r[j];
    }
}

static const int kernels[] = {OKRA_GAUSSIAN, OKRA_LAPLACIAN};
static const size_t dims[] = {1, 5, 20};

static void features_approximate_the_kernel(void **state)
{
    (void)state;
    enum { SEEDS = 10, FEATURES = 100000 };
    const double sigma = 1.7;
    for (size_t k = 0; k < COUNT_OF(kernels); k++)
        for (size_t i = 0; i < COUNT_OF(dims); i++) {
            double x[20], y[20], r[20], mean = 0;
            size_t d = dims[i];
            sensitive_pair(kernels[k], sigma, d, x, y, r);
            for (uint64_t seed = 0; seed < SEEDS; seed++)
                mean += estimate(kernels[k], sigma, d, FEATURES, seed, x, y) / SEEDS;
            double exact = okra_kernel_value(kernels[k], sigma, d, x, y);
            double bound = 5 * sqrt(term_variance(kernels[k], sigma, d, r) / SEEDS / FEATURES);
            assert_near(mean, exact, bound);
            /* and the bound would catch a width 3% off, either way */
            assert_true(fabs(okra_kernel_value(kernels[k], 1.03 * sigma, d, x, y) - exact) > 2 * bound);
            assert_true(fabs(okra_kernel_value(kernels[k], sigma / 1.03, d, x, y) - exact) > 2 * bound);
        }
}

static void error_falls_as_one_over_root_D(void **state)
{
    (void)state;
    enum { SEEDS = 400 };
    const double sigma = 0.8;
    for (size_t k = 0; k < COUNT_OF(kernels); k++)
        for (size_t features = 16; features <= 4096; features *= 4) {
            double x[5], y[5], r[5], square = 0;
            sensitive_pair(kernels[k], sigma, 5, x, y, r);
            double exact = okra_kernel_value(kernels[k], sigma, 5, x, y);
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                double error = estimate(kernels[k], sigma, 5, features, 1000 + seed, x, y) - exact;
                square += error * error / SEEDS;
            }
            /* a mean of SEEDS squares of nearly normal errors has a relative deviation of sqrt(2 / SEEDS) */
            double predicted = term_variance(kernels[k], sigma, 5, r) / (double)features;
            assert_near(square / predicted, 1, 5 * sqrt(2.0 / SEEDS));
        }
}

static void kernels_are_their_formulas(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3}, y[] = {0.5, 2.5, 1};
    assert_near(okra_kernel_value(OKRA_GAUSSIAN, 2, 3, x, y), exp(-(0.25 + 0.25 + 4) / 8), 1e-15);
    assert_near(okra_kernel_value(OKRA_LAPLACIAN, 2, 3, x, y), exp(-3.0 / 2), 1e-15);
    assert_true(isnan(okra_kernel_value(0, 2, 3, x, y)));
    for (const okra_choice *c = okra_kernel_choices; c->name; c++)
        assert_near(okra_kernel_value(c->value, 2, 3, x, x), 1, 0);
}

static void feature_i_does_not_depend_on_D(void **state)
{
    (void)state;
    okra_spec spec;
    double omega[2][37 * 3], phase[2][37];
    for (int i = 0; i < 2; i++) {
        okra_filter *filter;
        assert_ok(okra_spec_init(&spec, "rff-klms", 3));
        spec.features = i ? 37 : 20;
        assert_ok(okra_create(&spec, &filter));
        assert_ok(okra_array_read(filter, "omega", omega[i]));
        assert_ok(okra_array_read(filter, "phase", phase[i]));
        okra_free(filter);
    }
    assert_memory_equal(omega[0], omega[1], 20 * 3 * sizeof(double));
    assert_memory_equal(phase[0], phase[1], 20 * sizeof(double));
}

/* Given frequencies are used as they are, in radians, in natural order. */
static void given_frequencies(void **state)
{
    (void)state;
    enum { N = 21, D = 2 };
    double omega[N * D], phase[N], x[D] = {0.3, -1.1}, z[N];
    okra_random random = {.seed = 8};
    okra_random_normal(&random, N * D, omega);
    okra_random_normal(&random, N, phase);
    okra_spec spec;
    okra_map *map;
    assert_ok(okra_spec_init(&spec, "rff-klms", D));
    spec.features = N, spec.omega = omega, spec.phase = phase;
    assert_ok(okra_map_create(&spec, &map));
    assert_ok(okra_map_apply(map, 1, x, z));
    for (size_t i = 0; i < N; i++)
        assert_near(z[i], sqrt(2.0 / N) * cos(omega[2 * i] * x[0] + omega[2 * i + 1] * x[1] + phase[i]), 1e-15);
    okra_map_free(map);
}

static void float32_agrees_with_double(void **state)
{
    (void)state;
    enum { N = 300, D = 5 };
    double x[D] = {0.5, -1, 2, 0.1, -0.7}, z[N];
    float xf[D], zf[N];
    okra_spec spec;
    okra_map *map, *mapf;
    assert_ok(okra_spec_init(&spec, "rff-klms", D));
    assert_ok(okra_map_create(&spec, &map));
    spec.precision = OKRA_F32;
    assert_ok(okra_map_create(&spec, &mapf));
    for (size_t j = 0; j < D; j++)
        xf[j] = (float)x[j];
    assert_ok(okra_map_apply(map, 1, x, z));
    assert_ok(okra_map_apply_f32(mapf, 1, xf, zf));
    for (size_t i = 0; i < N; i++) /* |omega.x| is below 10: a few float roundings of the phase */
        assert_near(zf[i], z[i], sqrt(2.0 / N) * 10 * 6 * (double)FLT_EPSILON);
    assert_status(okra_map_apply(mapf, 1, x, z), OKRA_E_PRECISION);
    assert_status(okra_map_apply_f32(map, 1, xf, zf), OKRA_E_PRECISION);
    okra_map_free(map), okra_map_free(mapf);
}

static void linear_map_is_inputs_and_bias(void **state)
{
    (void)state;
    okra_spec spec;
    okra_map *map;
    double x[] = {3, -4}, z[3];
    assert_ok(okra_spec_init(&spec, "lms", 2));
    assert_ok(okra_map_create(&spec, &map));
    assert_int_equal(okra_map_outputs(map), 3);
    assert_ok(okra_map_apply(map, 1, x, z));
    assert_memory_equal(z, ((double[]){3, -4, 1}), sizeof z);
    okra_map_free(map);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    okra_spec spec;
    okra_map *map;
    double x[] = {1, NAN}, z[300];
    assert_ok(okra_spec_init(&spec, "rff-klms", 1));
    assert_status(okra_map_create(NULL, &map), OKRA_E_NULL);
    assert_status(okra_map_create(&spec, NULL), OKRA_E_NULL);
    spec.sigma = 0;
    assert_status(okra_map_create(&spec, &map), OKRA_E_PARAMETER);
    assert_null(map);
    spec.sigma = 1;
    assert_ok(okra_map_create(&spec, &map));
    assert_status(okra_map_apply(map, 2, x, z), OKRA_E_SAMPLE);
    assert_status(okra_map_apply(map, 1, NULL, z), OKRA_E_NULL);
    assert_ok(okra_map_apply(map, 0, NULL, NULL));
    okra_map_free(map);
    okra_map_free(NULL);

    spec.sigma = 1e-30; /* turns of 1e29 and an input of 1e300 overflow */
    x[0] = 1e300;
    assert_ok(okra_map_create(&spec, &map));
    assert_status(okra_map_apply(map, 1, x, z), OKRA_E_RANGE);
    okra_map_free(map);
    spec.kernel = OKRA_LAPLACIAN; /* its tails at that width do not fit a float */
    spec.features = 100000;
    spec.sigma = 1e-30, spec.precision = OKRA_F32;
    okra_status status = okra_map_create(&spec, &map);
    assert_true(status == OKRA_OK || status == OKRA_E_RANGE);
    okra_map_free(status ? NULL : map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_approximate_the_kernel),
        cmocka_unit_test(error_falls_as_one_over_root_D),
        cmocka_unit_test(kernels_are_their_formulas),
        cmocka_unit_test(feature_i_does_not_depend_on_D),
        cmocka_unit_test(given_frequencies),
        cmocka_unit_test(float32_agrees_with_double),
        cmocka_unit_test(linear_map_is_inputs_and_bias),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
