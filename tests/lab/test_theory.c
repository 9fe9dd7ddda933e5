/* Theory against samples and simulation. */
#include "check.h"

#include <okra/lab.h>

static okra_theory *make_theory(const okra_theory_spec *spec)
{
    okra_theory *theory;
    assert_ok(okra_theory_create(spec, &theory));
    return theory;
}

/* The features of a theory's spec as a map. */
static okra_map *make_map(const okra_theory_spec *t)
{
    okra_spec spec;
    okra_map *map;
    assert_ok(okra_spec_init(&spec, "rff-klms", t->dim, 1));
    spec.sigma = t->sigma, spec.features = t->features, spec.seed = t->seed;
    assert_ok(okra_map_create(&spec, &map));
    return map;
}

/* |z_i z_j| <= 2/D, so a mean over n samples is off by more than 6 (2/D) / sqrt(n) less than once in 1e8 entries. */
static void closed_form_matches_samples(void **state)
{
    (void)state;
    enum { FEATURES = 40, SAMPLES = 200000 };
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = FEATURES, spec.sigma = 1.5, spec.sigma_x = 0.7, spec.dim = 3;
    okra_theory *theory = make_theory(&spec);
    okra_map *map = make_map(&spec);
    static double mean[FEATURES][FEATURES];
    okra_random random = {.seed = 5};
    for (int n = 0; n < SAMPLES; n++) {
        double x[3], z[FEATURES];
        okra_random_normal(&random, 3, x);
        for (int j = 0; j < 3; j++)
            x[j] *= spec.sigma_x;
        assert_ok(okra_map_apply(map, 1, x, z));
        for (int i = 0; i < FEATURES; i++)
            for (int j = 0; j <= i; j++)
                mean[i][j] += z[i] * z[j] / SAMPLES;
    }
    double trace = 0;
    for (size_t i = 0; i < FEATURES; i++) {
        for (size_t j = 0; j <= i; j++)
            assert_near(okra_theory_entry(theory, i, j), mean[i][j], 6 * 2.0 / FEATURES / sqrt(SAMPLES));
        trace += okra_theory_entry(theory, i, i);
    }
    assert_near(okra_theory_get(theory)->trace, trace, 1e-12);
    okra_map_free(map);
    okra_theory_free(theory);
}

/* A paired map: |z| = 1 exactly, so the trace is; and R in closed form against sampled cosines and sines. */
static void paired_map_has_trace_one(void **state)
{
    (void)state;
    enum { FEATURES = 24, SAMPLES = 100000 };
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = FEATURES, spec.sigma = 1.5, spec.dim = 2, spec.paired = 1;
    okra_theory *theory = make_theory(&spec);
    assert_near(okra_theory_get(theory)->trace, 1, 1e-14);
    okra_spec half;
    okra_filter *filter;
    double omega[FEATURES / 2 * 2];
    assert_ok(okra_spec_init(&half, "rff-klms", 2, 1));
    half.sigma = 1.5, half.features = FEATURES / 2;
    assert_ok(okra_create(&half, &filter));
    assert_ok(okra_array_read(filter, "omega", omega));
    okra_free(filter);
    static double mean[FEATURES][FEATURES];
    okra_random random = {.seed = 6};
    for (int n = 0; n < SAMPLES; n++) {
        double x[2], z[FEATURES];
        okra_random_normal(&random, 2, x);
        for (size_t i = 0; i < FEATURES / 2; i++) {
            double t = 2 * M_PI * (omega[2 * i] * x[0] + omega[2 * i + 1] * x[1]);
            z[i] = sqrt(2.0 / FEATURES) * cos(t), z[FEATURES / 2 + i] = sqrt(2.0 / FEATURES) * sin(t);
        }
        for (size_t i = 0; i < FEATURES; i++)
            for (size_t j = 0; j <= i; j++)
                mean[i][j] += z[i] * z[j] / SAMPLES;
    }
    for (size_t i = 0; i < FEATURES; i++)
        for (size_t j = 0; j <= i; j++)
            assert_near(okra_theory_entry(theory, i, j), mean[i][j], 6 * 2.0 / FEATURES / sqrt(SAMPLES));
    okra_theory_free(theory);
}

/* The factor's spectrum: sums of powers of eigenvalues are traces of powers of R, whatever the eigensolver. */
static void spectrum_has_the_traces_of_r(void **state)
{
    (void)state;
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = 120, spec.tolerance = 1e-12;
    okra_theory *theory = make_theory(&spec);
    const okra_theory_figures *f = okra_theory_get(theory);
    const double *eigenvalue = okra_theory_spectrum(theory);
    double first = 0, second = 0, frobenius = 0;
    for (size_t k = 0; k < f->rank; k++) {
        assert_true(eigenvalue[k] > 0 && (k == 0 || eigenvalue[k] <= eigenvalue[k - 1]));
        first += eigenvalue[k], second += eigenvalue[k] * eigenvalue[k];
    }
    for (size_t i = 0; i < spec.features; i++)
        for (size_t j = 0; j < spec.features; j++)
            frobenius += okra_theory_entry(theory, i, j) * okra_theory_entry(theory, i, j);
    assert_near(first, f->trace, 1e-9);
    assert_near(second, frobenius, 1e-9);
    assert_near(f->mu_max, 2 / f->trace, 0);
    assert_near(f->mu_max_mean, 2 / eigenvalue[0], 0);
    okra_theory_free(theory);
}

/* Lemma 1: for distinct frequencies R is strictly positive definite: full rank on small D with spread frequencies. */
static void distinct_frequencies_give_full_rank(void **state)
{
    (void)state;
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = 12, spec.dim = 5, spec.sigma = 0.5, spec.tolerance = 1e-12;
    okra_theory *theory = make_theory(&spec);
    assert_int_equal(okra_theory_get(theory)->rank, 12);
    okra_theory_free(theory);
}

/* (I - mu R)^n: contracts below 2 / lambda_max and expands above it, seen along the leading eigenvector by power
 * iteration. */
static void mean_recursion_turns_at_its_bound(void **state)
{
    (void)state;
    enum { FEATURES = 30 };
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = FEATURES;
    okra_theory *theory = make_theory(&spec);
    double bound = okra_theory_get(theory)->mu_max_mean;
    for (int above = 0; above < 2; above++) {
        double mu = bound * (above ? 1.02 : 0.98), v[FEATURES], w[FEATURES], size = 0;
        for (size_t i = 0; i < FEATURES; i++)
            v[i] = 1 + 0.1 * (double)i;
        for (int n = 0; n < 2000; n++) {
            for (size_t i = 0; i < FEATURES; i++) {
                w[i] = v[i];
                for (size_t j = 0; j < FEATURES; j++)
                    w[i] -= mu * okra_theory_entry(theory, i, j) * v[j];
            }
            /* weak directions stay: only R v tells */
            memcpy(v, w, sizeof v);
        }
        for (size_t i = 0; i < FEATURES; i++) {
            double rv = 0;
            for (size_t j = 0; j < FEATURES; j++)
                rv += okra_theory_entry(theory, i, j) * v[j];
            size += rv * rv;
        }
        assert_true(above ? size > 1e6 : size < 1);
    }
    okra_theory_free(theory);
}

/* Simulated filters: 0.9 x 2 / tr R converges, 1.2 x diverges. */
static void practical_bound_holds(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double X[N * 5], y[N], yhat[N];
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = 100;
    okra_theory *theory = make_theory(&spec);
    for (int above = 0; above < 2; above++) {
        okra_signal_spec signal_spec;
        okra_signal *signal;
        okra_spec filter_spec;
        okra_filter *filter;
        assert_ok(okra_signal_spec_init(&signal_spec, "ex1"));
        assert_ok(okra_signal_create(&signal_spec, &signal));
        okra_signal_next(signal, N, X, y);
        assert_ok(okra_spec_init(&filter_spec, "rff-klms", 5, 1));
        filter_spec.sigma = 5, filter_spec.features = 100, filter_spec.seed = spec.seed;
        filter_spec.mu = okra_theory_get(theory)->mu_max * (above ? 1.2 : 0.9);
        assert_ok(okra_create(&filter_spec, &filter));
        okra_status status = okra_run(filter, N, X, y, NULL, yhat, NULL);
        double last = 0;
        for (size_t n = N - 1000; n < N; n++)
            last += (y[n] - yhat[n]) * (y[n] - yhat[n]) / 1000;
        if (above)
            assert_true(status == OKRA_E_DIVERGED || last > 1e6);
        else
            assert_true(status == OKRA_OK && last < 1);
        okra_free(filter);
        okra_signal_free(signal);
    }
    okra_theory_free(theory);
}

/* The refined recursion ends at its fixed point, the paper's at its own; and both start at the power of the targets. */
static void curves_end_at_their_fixed_points(void **state)
{
    (void)state;
    enum { N = 20000 };
    double *curve = malloc(N * sizeof *curve);
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = 20, spec.sigma = 0.4, spec.dim = 3, spec.noise = 0.3;
    okra_theory *theory = make_theory(&spec);
    const okra_theory_figures *f = okra_theory_get(theory);
    assert_ok(okra_theory_curve(theory, 0, N, curve));
    /* frequencies this far apart leave no weak direction: the smallest eigenvalue is near 1/D, its time constant some
     * ten samples */
    assert_near(curve[N - 1] / f->mse, 1, 1e-9);
    assert_ok(okra_theory_curve(theory, 1, N, curve));
    assert_near(curve[N - 1] / f->mse_paper, 1, 1e-9);
    spec.centres = 0;
    okra_theory *plain = make_theory(&spec);
    assert_status(okra_theory_curve(plain, 0, N, curve), OKRA_E_UNSUPPORTED);
    assert_near(okra_theory_get(plain)->mse_optimal, 0.09, 1e-15);
    okra_theory_free(theory), okra_theory_free(plain);
    free(curve);
}

static void bad_specs_are_refused(void **state)
{
    (void)state;
    okra_theory *theory;
    okra_theory_spec good, spec;
    okra_theory_spec_init(&good);
    spec = good, spec.mu = 0;
    assert_status(okra_theory_create(&spec, &theory), OKRA_E_PARAMETER);
    spec = good, spec.sigma_x = (double)NAN;
    assert_status(okra_theory_create(&spec, &theory), OKRA_E_PARAMETER);
    spec = good, spec.features = 0;
    assert_status(okra_theory_create(&spec, &theory), OKRA_E_PARAMETER);
    assert_null(theory);
    const double one[1] = {1};
    static const char *const says[] = {"dim = 0 is out of range: it must be from 1 to 1048576",
                                       "features = 7 is odd",
                                       "sigma_x = inf is out of range: it must be finite and above 0",
                                       "noise = -1 is out of range: it must be finite and 0 or more",
                                       "omega and phase go together",
                                       "give omega, or paired, not both"};
    for (size_t i = 0; i < COUNT_OF(says); i++) {
        okra_message why;
        spec = good;
        spec.dim = i == 0 ? 0 : 1;
        spec.features = i == 1 ? 7 : 2;
        spec.paired = i == 1 || i == 5;
        spec.sigma_x = i == 2 ? (double)INFINITY : 1;
        spec.noise = i == 3 ? -1 : 0;
        spec.omega = i >= 4 ? one : NULL;
        spec.phase = i == 5 ? one : NULL;
        assert_status(okra_theory_spec_check(&spec, &why), OKRA_E_PARAMETER);
        if (!strstr(why.text, says[i]))
            fail_msg("%s", why.text);
        assert_status(okra_theory_create(&spec, &theory), OKRA_E_PARAMETER);
        assert_null(theory);
    }
    assert_ok(okra_theory_spec_check(&good, NULL));
    assert_status(okra_theory_spec_check(NULL, NULL), OKRA_E_NULL);
    assert_status(okra_theory_create(NULL, &theory), OKRA_E_NULL);
    okra_theory_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_matches_samples),       cmocka_unit_test(paired_map_has_trace_one),
        cmocka_unit_test(spectrum_has_the_traces_of_r),      cmocka_unit_test(distinct_frequencies_give_full_rank),
        cmocka_unit_test(mean_recursion_turns_at_its_bound), cmocka_unit_test(practical_bound_holds),
        cmocka_unit_test(curves_end_at_their_fixed_points),  cmocka_unit_test(bad_specs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
