/* Kernels against their formulas and spectra, and feature maps against the exact kernel, with bounds derived from the
 * estimator's variance. */
#include "check.h"

#include "map/handle.h"
#include "kernel/kernel.h"

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
    assert_ok(okra_spec_init(&spec, "rff-klms", d, 1));
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

/* x, and y where the kernel is 1/e: there the gaussian and the laplacian react most to their width, and the others
 * nearly so. Found by bisection of the distance, on the scale of its logarithm. */
static void sensitive_pair(int kernel, double sigma, size_t d, double *x, double *y, double *r)
{
    okra_random random = {.seed = 42, .stream = 3};
    okra_random_normal(&random, d, x);
    okra_random_normal(&random, d, y);
    double low = 1e-3, high = 1e3, zero[64] = {0};
    for (int i = 0; i < 60; i++) {
        double length = sqrt(low * high);
        for (size_t j = 0; j < d; j++)
            r[j] = sigma * length * y[j];
        *(okra_kernel_value(kernel, sigma, d, r, zero) > exp(-1) ? &low : &high) = length;
    }
    for (size_t j = 0; j < d; j++)
        y[j] = x[j] - r[j];
}

static const int kernels[] = {OKRA_GAUSSIAN, OKRA_LAPLACIAN, OKRA_CAUCHY, OKRA_MATERN32, OKRA_MATERN52};
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

/* ---- values --------------------------------------------------------------------------------------------------- */

/* The formulas of spec.h, and the exponent in them. */
static long double formula(int kernel, double sigma, size_t d, const double *r, long double *exponent)
{
    long double squared = 0, l1 = 0, product = 1, a;
    for (size_t j = 0; j < d; j++) {
        long double u = (long double)r[j] / (long double)sigma;
        squared += u * u, l1 += fabsl(u), product *= 1 + u * u;
    }
    *exponent = 0;
    switch (kernel) {
    case OKRA_GAUSSIAN:
        return expl(-(*exponent = squared / 2));
    case OKRA_LAPLACIAN:
        return expl(-(*exponent = l1));
    case OKRA_CAUCHY:
        return 1 / product;
    case OKRA_MATERN32:
        *exponent = a = sqrtl(3 * squared);
        return (1 + a) * expl(-a);
    default:
        *exponent = a = sqrtl(5 * squared);
        return (1 + a + 5 * squared / 3) * expl(-a);
    }
}

/*
 * A term is rounded three times at most, and d of them are added or multiplied: d + 3 roundings of eps / 2 in the
 * exponent, which are absolute in the logarithm of the kernel, and no more in a product; and 4 for exp and polynomial.
 */
static void kernels_are_their_formulas(void **state)
{
    (void)state;
    okra_random random = {.seed = 12};
    for (size_t k = 0; k < COUNT_OF(kernels); k++)
        for (int i = 0; i < 1000; i++) {
            size_t d = (size_t)(1 + i % 7);
            double r[7], zero[7] = {0}, sigma = 0.1 + i % 10;
            long double exponent;
            okra_random_normal(&random, d, r);
            long double wanted = formula(kernels[k], sigma, d, r, &exponent);
            double value = okra_kernel_value(kernels[k], sigma, d, r, zero);
            size_t roundings = kernels[k] == OKRA_CAUCHY ? 4 * d : d + 3;
            long double bound = ((long double)roundings * fmaxl(exponent, 1) + 4) * (long double)DBL_EPSILON / 2;
            assert_near(value, wanted, bound * wanted);
        }
}

static void kernels_at_their_ends(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3}, far[] = {1e5, 1e200, -1e308};
    assert_true(isnan(okra_kernel_value(0, 2, 3, x, x)));
    for (const okra_choice *c = okra_kernel_choices; c->name; c++) {
        assert_near(okra_kernel_value(c->value, 2, 3, x, x), 1, 0);
        assert_near(okra_kernel_value(c->value, 2, 3, x, far), 0, 0); /* and not 0 times infinity */
    }
}

/* ---- spectra -------------------------------------------------------------------------------------------------- */

/* Numbers in (0, 1) up to the ends of what okra_random_uniform() gives, around the places where formulas change. */
static const double probes[] = {1e-300, 0x1p-53, 0x3p-53, 1e-12, 1e-6,  0.01, 0.1,        0.2,           0.25 - 0x1p-53,
                                0.25,   0.3,     0.4,     0.49,  0.499, 0.5,  0.5 - 1e-9, 0.5 - 0x1p-53, 0.5 + 0x1p-53,
                                0.51,   0.6,     0.7,     0.75,  0.8,   0.9,  0.99,       1 - 1e-6,      1 - 0x1p-53};

/* How far z is from the point where the distribution function is u: in size, given the density there. Left of the
 * median from F(z), right of it from 1 - F(z), near it from F(z) - 1/2, each in a form that does not cancel. */
static long double quantile_error(int kernel, double u, long double z)
{
    long double side = u < 0.5 ? -1 : 1, q = u < 0.5 ? (long double)u : 1 - (long double)u, a = fabsl(z),
                pi = acosl(-1);
    bool centre = q > 0.3L;
    long double c = 0.5L - q;
    if (a > 0)
        assert_true(z * side > 0);
    switch (kernel) {
    case OKRA_LAPLACIAN:
        return (centre ? atanl(a) / pi - c : q - atanl(1 / a) / pi) * pi * (1 + a * a);
    case OKRA_CAUCHY:
        return (centre ? -expm1l(-a) / 2 - c : q - expl(-a) / 2) * 2 * expl(a);
    default:
        return (centre ? erfl(a * sqrtl(0.5L)) / 2 - c : q - erfcl(a * sqrtl(0.5L)) / 2) * sqrtl(2 * pi) *
               expl(a * a / 2);
    }
}

/* A quantile is a few functions of libm, each good to an ulp or two, and none of them amplifies the error of another:
 * 4 eps in all. The two halves mirror each other exactly. */
static void quantiles_invert_their_distributions(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kernels); k++)
        for (size_t i = 0; i < COUNT_OF(probes) + 1000; i++) {
            size_t given = COUNT_OF(probes);
            double u = i < given ? probes[i] : ((double)(i - given) + 0.5) / 1000;
            double z = okra_kernel_quantile(kernels[k], u);
            assert_near(quantile_error(kernels[k], u, (long double)z), 0, 4 * DBL_EPSILON * fabs(z));
            if (1 - (1 - u) == u)
                assert_true(okra_kernel_quantile(kernels[k], 1 - u) == -z);
        }
}

/* The integral from 0 to `end` by Boole's rule, n steps, n a multiple of 4. */
typedef long double integrand(long double a, long double x, long double t);

static long double integrate(integrand *f, long double a, long double x, long double end, int n)
{
    static const long double weight[] = {14, 32, 12, 32};
    long double sum = 0, step = end / n;
    for (int i = 0; i <= n; i++)
        sum += f(a, x, i * step) * (i == 0 || i == n ? 7 : weight[i % 4]);
    return sum * step * 2 / 45;
}

/* The gamma distribution, from below with s = x t^2 and from above with s = x + t: smooth at both ends. */
static long double from_below(long double a, long double x, long double t)
{
    return powl(x, a) * 2 * powl(t, 2 * a - 1) * expl(-x * t * t) / tgammal(a);
}

static long double from_above(long double a, long double x, long double t)
{
    return powl(x + t, a - 1) * expl(-x - t) / tgammal(a);
}

/*
 * sqrt(nu / q), q chi-squared: with a = nu / 2 and x = a / radial_scale^2 the probability below x is u, by integration.
 * Steps are h = 1/500, so Boole's rule is off by some h^6 = 2e-17, relatively, and what lies 60 beyond x by e^-60. The
 * radial_scale is to be good to 4 eps, and 1e-14 is what was asked of x.
 */
static void radial_scales_invert_chi_squared(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(probes); i++) {
        double u = probes[i];
        for (int nu = 3; nu <= 5; nu += 2) {
            double radial_scale = okra_kernel_radial_scale(nu == 3 ? OKRA_MATERN32 : OKRA_MATERN52, u);
            long double a = nu / 2.0L, x = a / ((long double)radial_scale * (long double)radial_scale),
                        density = from_above(a, x, 0);
            long double off = u < 0.5 ? integrate(from_below, a, x, 1, 500) - (long double)u
                                      : 1 - (long double)u - integrate(from_above, a, x, 60, 30000);
            assert_near(off / density / (2 * x), 0, 4 * DBL_EPSILON);
        }
        assert_true(okra_kernel_radial_scale(OKRA_GAUSSIAN, u) == 1 &&
                    okra_kernel_radial_scale(OKRA_LAPLACIAN, u) == 1 && okra_kernel_radial_scale(OKRA_CAUCHY, u) == 1);
    }
}

/* Drawn coordinates have the distribution that the quantile inverts: the largest distance of the two distribution
 * functions (Kolmogorov) of n draws is above 2.2 / sqrt(n) once in 10,000 times. */
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void draws_have_their_distribution(void **state)
{
    (void)state;
    enum { N = 10000 };
    static double omega[N];
    for (size_t k = 0; k < COUNT_OF(kernels); k++) {
        okra_random random = {.seed = 3, .stream = 1};
        okra_kernel_draw(kernels[k], &random, N, omega);
        assert_int_equal(random.next, N);
        qsort(omega, N, sizeof *omega, ascending);
        const int slack = (int)(2.2 * sqrt(N));
        for (int i = slack; i < N - slack; i++) {
            assert_true(omega[i] >= okra_kernel_quantile(kernels[k], (double)(i + 1 - slack) / N));
            assert_true(omega[i] <= okra_kernel_quantile(kernels[k], (double)(i + slack) / N));
        }
    }
}

/* A radial kernel has the same value wherever r points. */
static void radial_kernels_are_told(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kernels); k++) {
        const double zero[2] = {0}, along[] = {5, 0}, across[] = {3, 4};
        double gap =
            okra_kernel_value(kernels[k], 2, 2, along, zero) - okra_kernel_value(kernels[k], 2, 2, across, zero);
        assert_int_equal(okra_kernel_is_radial(kernels[k]), fabs(gap) < 1e-15);
    }
}

/* ---- maps ----------------------------------------------------------------------------------------------------- */

static void feature_i_does_not_depend_on_D(void **state)
{
    (void)state;
    okra_spec spec;
    double omega[2][37 * 3], phase[2][37];
    for (int i = 0; i < 2; i++) {
        okra_filter *filter;
        assert_ok(okra_spec_init(&spec, "rff-klms", 3, 1));
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
    assert_ok(okra_spec_init(&spec, "rff-klms", D, 1));
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
    assert_ok(okra_spec_init(&spec, "rff-klms", D, 1));
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
    assert_ok(okra_spec_init(&spec, "lms", 2, 1));
    assert_ok(okra_map_create(&spec, &map));
    assert_int_equal(okra_map_outputs(map), 3);
    assert_ok(okra_map_apply(map, 1, x, z));
    assert_memory_equal(z, ((double[]){3, -4, 1}), sizeof z);
    okra_map_free(map);
}

/* A map is made of its own fields: those of the filter may be anything. */
static void what_filters_use_does_not_matter(void **state)
{
    (void)state;
    for (size_t i = 0; okra_recipe_at(i); i++) {
        okra_spec spec;
        okra_map *map = NULL;
        assert_ok(okra_spec_init(&spec, okra_recipe_at(i)->name, 2, 1));
        spec.sigma = 1;
        spec.mu = spec.reg = spec.lambda = spec.beta = spec.nu = (double)NAN;
        spec.epsilon = spec.novelty_distance = spec.novelty_error = spec.coherence = -1;
        spec.capacity = spec.cyclic = spec.outputs = 0, spec.when_full = 99;
        assert_ok(okra_map_create(&spec, &map));
        okra_map_free(map);
        assert_status(okra_spec_check(&spec, NULL), OKRA_E_PARAMETER);
        spec.precision = 99;
        assert_status(okra_map_create(&spec, &map), OKRA_E_PARAMETER);
    }
}

/* A spec is the caller's, and so are the texts and arrays that it points to. */
static void the_spec_may_go(void **state)
{
    (void)state;
    okra_spec *spec = malloc(sizeof *spec);
    double *numbers = malloc(3 * sizeof *numbers), z[1];
    const double x[] = {1, 2};
    okra_map *map;
    assert_ok(okra_spec_init(spec, "rff-klms", 2, 1));
    char *recipe = strdup(spec->recipe);
    numbers[0] = 0.5, numbers[1] = 0.25, numbers[2] = 1;
    spec->recipe = recipe, spec->features = 1, spec->omega = numbers, spec->phase = numbers + 2;
    assert_ok(okra_map_create(spec, &map));
    memset(recipe, 'x', strlen(recipe));
    free(recipe), free(numbers), free(spec);
    assert_string_equal(map->spec.recipe, "rff-klms");
    assert_null(map->spec.omega);
    assert_null(map->spec.phase);
    assert_ok(okra_map_apply(map, 1, x, z));
    assert_near(z[0], sqrt(2) * cos(2), 4 * DBL_EPSILON);
    okra_map_free(map);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    okra_spec spec;
    okra_map *map;
    double x[] = {1, (double)NAN}, z[300];
    assert_ok(okra_spec_init(&spec, "rff-klms", 1, 1));
    assert_status(okra_map_create(NULL, &map), OKRA_E_NULL);
    assert_status(okra_map_create(&spec, NULL), OKRA_E_NULL);
    assert_int_equal(okra_map_outputs(NULL), 0);
    spec.recipe = NULL;
    assert_status(okra_map_create(&spec, &map), OKRA_E_RECIPE);
    assert_null(map);
    spec.recipe = "rff-klms";
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

    spec.sigma = 1e-30; /* cycles of 1e29 and an input of 1e300 overflow */
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
        cmocka_unit_test(kernels_at_their_ends),
        cmocka_unit_test(quantiles_invert_their_distributions),
        cmocka_unit_test(radial_scales_invert_chi_squared),
        cmocka_unit_test(draws_have_their_distribution),
        cmocka_unit_test(radial_kernels_are_told),
        cmocka_unit_test(feature_i_does_not_depend_on_D),
        cmocka_unit_test(given_frequencies),
        cmocka_unit_test(float32_agrees_with_double),
        cmocka_unit_test(linear_map_is_inputs_and_bias),
        cmocka_unit_test(what_filters_use_does_not_matter),
        cmocka_unit_test(the_spec_may_go),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
