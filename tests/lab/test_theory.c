/* Theory against samples and simulation. */
#include "check.h"

#include "lab/theory.h"

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
    const double *eigenvalue = okra_theory_get(theory)->spectrum;
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
        okra_status status = okra_run(filter, N, X, y, NULL, yhat, NULL, NULL);
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

/* ---- against integrals, and matrices written out ---------------------------------------------------------------- */

enum { BY = 2, SMALL = 7, GRID = 221, CENTRES = 200 };

/* A setting that is small, well conditioned, and has no constant at its default. */
static okra_theory_spec small_spec(void)
{
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.dim = BY, spec.features = SMALL, spec.sigma = 0.8, spec.seed = 3, spec.sigma_x = 1.3, spec.mu = 0.6;
    spec.noise = 0.2, spec.centres = 4, spec.centre_sigma = 0.7, spec.weight_sigma = 1.5, spec.tolerance = 1e-14;
    return spec;
}

/* Frequencies in radians and phases of a small setting: its own, or those that are drawn for its seed. */
static void features_of(const okra_theory_spec *spec, double omega[SMALL][BY], double phase[SMALL])
{
    okra_spec klms;
    okra_filter *filter;
    if (spec->omega) {
        memcpy(omega, spec->omega, SMALL * BY * sizeof(double));
        memcpy(phase, spec->phase, SMALL * sizeof(double));
        return;
    }
    assert_ok(okra_spec_init(&klms, "rff-klms", BY, 1));
    klms.sigma = spec->sigma, klms.features = SMALL, klms.seed = spec->seed;
    assert_ok(okra_create(&klms, &filter));
    assert_ok(okra_array_read(filter, "omega", omega));
    assert_ok(okra_array_read(filter, "phase", phase));
    okra_free(filter);
    for (size_t i = 0; i < SMALL; i++) {
        phase[i] *= 2 * M_PI;
        for (size_t j = 0; j < BY; j++)
            omega[i][j] *= 2 * M_PI;
    }
}

/*
 * Moments over x ~ N(0, s^2 I) by the trapezoidal rule from -9 s to 9 s. Of gaussians times cosines it is exact to
 * exp(-(2 pi / h - w)^2 s^2 / 2) and to the density at 9 s, both below 1e-17 for these frequencies w.
 */
typedef struct moments {
    double R[SMALL][SMALL];
    double cross[CENTRES][SMALL], square[CENTRES]; /* E[kappa z], E[kappa^2] */
} moments;

static void integrate(const okra_theory_spec *spec, double c[CENTRES][BY], moments *m)
{
    static double omega[SMALL][BY], phase[SMALL], factor[CENTRES][BY][GRID];
    double s = spec->sigma_x, h = 18 * s / (GRID - 1);
    features_of(spec, omega, phase);
    memset(m, 0, sizeof *m);
    for (size_t n = 0; n < CENTRES; n++)
        for (size_t j = 0; j < BY; j++)
            for (size_t g = 0; g < GRID; g++)
                factor[n][j][g] = exp(-pow((h * (double)g - 9 * s - c[n][j]) / spec->sigma, 2) / 2);
    for (size_t g = 0; g < GRID * GRID; g++) {
        size_t at[BY] = {g / GRID, g % GRID};
        double x[BY] = {h * (double)at[0] - 9 * s, h * (double)at[1] - 9 * s}, z[SMALL];
        double mass = h * h * exp(-(x[0] * x[0] + x[1] * x[1]) / (2 * s * s)) / (2 * M_PI * s * s);
        for (size_t i = 0; i < SMALL; i++)
            z[i] = sqrt(2.0 / SMALL) * cos(omega[i][0] * x[0] + omega[i][1] * x[1] + phase[i]);
        for (size_t i = 0; i < SMALL; i++)
            for (size_t j = 0; j < SMALL; j++)
                m->R[i][j] += mass * z[i] * z[j];
        for (size_t n = 0; n < CENTRES; n++) {
            double kappa = factor[n][0][at[0]] * factor[n][1][at[1]];
            m->square[n] += mass * kappa * kappa;
            for (size_t i = 0; i < SMALL; i++)
                m->cross[n][i] += mass * kappa * z[i];
        }
    }
}

/* R theta = b, by elimination; R is positive definite. */
static void solve(double R[SMALL][SMALL], const double b[SMALL], double theta[SMALL])
{
    double A[SMALL][SMALL + 1] = {{0}};
    for (size_t i = 0; i < SMALL; i++) {
        memcpy(A[i], R[i], sizeof R[i]);
        A[i][SMALL] = b[i];
    }
    for (size_t p = 0; p < SMALL; p++)
        for (size_t r = 0; r < SMALL; r++)
            for (size_t k = 0; r != p && k <= SMALL - p; k++) /* from the right: A[r][p] last */
                A[r][SMALL - k] -= A[r][p] / A[p][p] * A[p][SMALL - k];
    for (size_t i = 0; i < SMALL; i++)
        theta[i] = A[i][SMALL] / A[i][i];
}

/* C <- C - mu (R C + C R) + mu^2 R (tr R C + J), of which the theory keeps the diagonal in R's eigenbasis: all that
 * tr R C depends on. */
static double excess(double R[SMALL][SMALL], double C[SMALL][SMALL])
{
    double trace = 0;
    for (size_t i = 0; i < SMALL; i++)
        for (size_t j = 0; j < SMALL; j++)
            trace += R[i][j] * C[j][i];
    return trace;
}

static void advance(double R[SMALL][SMALL], double C[SMALL][SMALL], double mu, double drive)
{
    double next[SMALL][SMALL];
    for (size_t i = 0; i < SMALL; i++)
        for (size_t j = 0; j < SMALL; j++) {
            next[i][j] = C[i][j] + mu * mu * drive * R[i][j];
            for (size_t k = 0; k < SMALL; k++)
                next[i][j] -= mu * (R[i][k] * C[k][j] + C[i][k] * R[k][j]);
        }
    memcpy(C, next, sizeof next);
}

/* The centres that the averages are over are drawn from the theory's seed. */
static void draw_centres(const okra_theory_spec *spec, double c[CENTRES][BY])
{
    okra_random random = {.seed = spec->seed, .stream = 21};
    okra_random_normal(&random, CENTRES * BY, &c[0][0]);
    for (size_t n = 0; n < CENTRES; n++)
        for (size_t j = 0; j < BY; j++)
            c[n][j] *= spec->centre_sigma;
}

/* The covariance of theta - theta_opt before anything is learnt, and what the best theta leaves, from the moments. */
static double begin(const okra_theory_spec *spec, moments *m, double C[SMALL][SMALL])
{
    double power = (double)spec->centres * pow(spec->weight_sigma, 2) / CENTRES, lost = 0;
    memset(C, 0, SMALL * SMALL * sizeof(double));
    for (size_t n = 0; n < CENTRES; n++) {
        double theta[SMALL];
        solve(m->R, m->cross[n], theta);
        lost += power * m->square[n];
        for (size_t i = 0; i < SMALL; i++) {
            lost -= power * m->cross[n][i] * theta[i];
            for (size_t j = 0; j < SMALL; j++)
                C[i][j] += power * theta[i] * theta[j];
        }
    }
    return pow(spec->noise, 2) + lost;
}

static void assert_theory(const okra_theory_spec *spec)
{
    enum { LENGTH = 50 };
    static double c[CENTRES][BY], C[SMALL][SMALL], curve[LENGTH];
    static moments m;
    okra_theory *theory = make_theory(spec);
    const okra_theory_figures *f = okra_theory_get(theory);
    double trace = 0;
    draw_centres(spec, c);
    integrate(spec, c, &m);
    for (size_t i = 0; i < SMALL; i++) {
        trace += m.R[i][i];
        for (size_t j = 0; j < SMALL; j++)
            assert_near(okra_theory_entry(theory, i, j), m.R[i][j], 1e-14);
    }
    assert_near(f->trace, trace, 1e-13);
    for (int as_printed = 0; as_printed < 2; as_printed++) {
        double optimal = begin(spec, &m, C), load = spec->mu * trace;
        assert_near(f->mse_optimal, optimal, 1e-11);
        assert_near(as_printed ? f->mse_paper : f->mse, optimal * (as_printed ? 1 + load / 2 : 2 / (2 - load)), 1e-11);
        assert_ok(okra_theory_curve(theory, as_printed, LENGTH, curve));
        for (size_t n = 0; n < LENGTH; n++) {
            double now = optimal + excess(m.R, C);
            assert_near(curve[n], now, 1e-10);
            advance(m.R, C, spec->mu, as_printed ? optimal : now);
        }
    }
    okra_theory_free(theory);
}

static void figures_and_curves_follow_from_integrals(void **state)
{
    (void)state;
    static const double omega[SMALL][BY] = {{0.3, 1}, {2, -1.5}, {-0.4, 0.2}, {1.1, 2.2}, {-2.5, 0.5}, {0, 3}, {3, 1}};
    static const double phase[SMALL] = {0.1, 1.2, 2.5, 3.3, 4.1, 5.5, 0.7};
    okra_theory_spec spec = small_spec();
    assert_theory(&spec);
    spec.omega = &omega[0][0], spec.phase = phase;
    assert_theory(&spec);
}

/* Eigenvalues by Jacobi's rotations, largest first. */
static void jacobi(size_t n, double *a, double *eigenvalue)
{
    for (int sweep = 0; sweep < 30; sweep++)
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                double angle = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]), c = cos(angle),
                       s = sin(angle);
                for (size_t k = 0; k < n; k++) {
                    double x = a[k * n + p], z = a[k * n + q];
                    a[k * n + p] = c * x - s * z, a[k * n + q] = s * x + c * z;
                }
                for (size_t k = 0; k < n; k++) {
                    double x = a[p * n + k], z = a[q * n + k];
                    a[p * n + k] = c * x - s * z, a[q * n + k] = s * x + c * z;
                }
            }
    for (size_t i = 0; i < n; i++) {
        size_t rank = 0;
        for (size_t j = 0; j < n; j++)
            rank += a[j * n + j] > a[i * n + i] || (a[j * n + j] == a[i * n + i] && j < i);
        eigenvalue[rank] = a[i * n + i];
    }
}

/* By width: of full rank, and of hardly any. What is left out is less than the tolerance, and an eigenvalue moves by no
 * more than that. */
static void spectrum_is_that_of_the_whole_matrix(void **state)
{
    (void)state;
    enum { FEATURES = 30 };
    static const double widths[] = {0.5, 2, 5};
    for (size_t w = 0; w < COUNT_OF(widths); w++)
        for (int coarse = 0; coarse < 2; coarse++) {
            double R[FEATURES * FEATURES], eigenvalue[FEATURES], tolerance = coarse ? 0.01 : 1e-9;
            okra_theory_spec spec;
            okra_theory_spec_init(&spec);
            spec.features = FEATURES, spec.sigma = widths[w], spec.tolerance = tolerance, spec.dim = 3;
            okra_theory *theory = make_theory(&spec);
            const okra_theory_figures *f = okra_theory_get(theory);
            const double *found = okra_theory_get(theory)->spectrum;
            size_t surely = 0, perhaps = 0;
            for (size_t i = 0; i < FEATURES * FEATURES; i++)
                R[i] = okra_theory_entry(theory, i / FEATURES, i % FEATURES);
            jacobi(FEATURES, R, eigenvalue);
            for (size_t i = 0; i < FEATURES; i++) {
                surely += eigenvalue[i] > 2.01 * tolerance * f->trace;
                perhaps += eigenvalue[i] > tolerance * f->trace;
            }
            assert_true(f->rank >= surely && f->rank <= perhaps);
            for (size_t i = 0; i < f->rank; i++) {
                assert_near(found[i], eigenvalue[i], tolerance * f->trace + 1e-15);
                assert_true(found[i] > tolerance * f->trace);
            }
            assert_near(f->lambda_max, found[0], 0);
            assert_near(f->mu_max, 2 / f->trace, 0);
            assert_near(f->mu_max_mean, 2 / found[0], 0);
            assert_near(f->mu_max_mse, 1 / found[0], 0);
            okra_theory_free(theory);
        }
}

/* As many columns as features, and more than are made room for at first. */
static void large_ranks_are_found(void **state)
{
    (void)state;
    enum { FEATURES = 150 };
    okra_theory_spec spec;
    okra_theory_spec_init(&spec);
    spec.features = FEATURES, spec.sigma = 0.3, spec.tolerance = 1e-12;
    okra_theory *theory = make_theory(&spec);
    const double *eigenvalue = okra_theory_get(theory)->spectrum;
    double sum = 0, square = 0, frobenius = 0;
    assert_int_equal(okra_theory_get(theory)->rank, FEATURES);
    for (size_t i = 0; i < FEATURES; i++) {
        sum += eigenvalue[i], square += eigenvalue[i] * eigenvalue[i];
        for (size_t j = 0; j < FEATURES; j++)
            frobenius += pow(okra_theory_entry(theory, i, j), 2);
    }
    assert_near(sum, okra_theory_get(theory)->trace, 1e-12);
    assert_near(square, frobenius, 1e-12);
    okra_theory_free(theory);
}

/* A paired map has trace 1, to roundings: 2 is the bound. */
static void beyond_the_bound_there_is_no_steady_state(void **state)
{
    (void)state;
    for (int above = 0; above < 2; above++) {
        okra_theory_spec spec;
        okra_theory_spec_init(&spec);
        spec.features = 10, spec.paired = 1, spec.mu = above ? 2.001 : 1.999, spec.centres = 0;
        okra_theory *theory = make_theory(&spec);
        const okra_theory_figures *f = okra_theory_get(theory);
        assert_near(f->mu_max, 2, 1e-14);
        assert_true(above ? f->mse > DBL_MAX : fabs(f->mse - 0.01 * 2000) < 1e-6);
        assert_near(f->mse_paper, 0.01 * (1 + spec.mu / 2), 1e-15);
        okra_theory_free(theory);
    }
}

static void the_defaults_are_example_1(void **state)
{
    (void)state;
    okra_theory_spec s;
    okra_theory_spec_init(&s);
    assert_true(s.dim == 5 && s.features == 1000 && s.seed == 1 && s.centres == 10 && !s.paired);
    assert_true(!s.omega && !s.phase);
    const double reals[] = {s.sigma, s.mu, s.noise, s.sigma_x, s.centre_sigma, s.weight_sigma, s.tolerance};
    const double wanted[] = {5, 1, 0.1, 1, 1, 5, 1e-6};
    for (size_t i = 0; i < COUNT_OF(reals); i++)
        assert_near(reals[i], wanted[i], 0);
}

/* Each number at what is refused and at what is just allowed. */
static void ranges_are_checked(void **state)
{
    (void)state;
    okra_theory_spec s = {0};
    double *const reals[] = {&s.sigma, &s.mu, &s.sigma_x, &s.tolerance, &s.noise, &s.centre_sigma, &s.weight_sigma};
    for (size_t i = 0; i < COUNT_OF(reals); i++) {
        const double bad[] = {-DBL_TRUE_MIN, (double)INFINITY, (double)NAN};
        okra_theory_spec_init(&s);
        for (size_t b = 0; b < COUNT_OF(bad); b++) {
            *reals[i] = bad[b];
            assert_status(okra_theory_spec_check(&s, NULL), OKRA_E_PARAMETER);
        }
        *reals[i] = 0;
        assert_status(okra_theory_spec_check(&s, NULL), i < 4 ? OKRA_E_PARAMETER : OKRA_OK);
        *reals[i] = DBL_TRUE_MIN;
        assert_ok(okra_theory_spec_check(&s, NULL));
    }
    size_t *const sizes[] = {&s.dim, &s.features};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        okra_message why;
        okra_theory_spec_init(&s);
        *sizes[i] = 1;
        assert_ok(okra_theory_spec_check(&s, NULL));
        *sizes[i] = 1048576;
        assert_ok(okra_theory_spec_check(&s, NULL));
        *sizes[i] = 1048577;
        assert_status(okra_theory_spec_check(&s, &why), OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, "1048577 is out of range: it must be from 1 to 1048576"));
        *sizes[i] = 0;
        assert_status(okra_theory_spec_check(&s, NULL), OKRA_E_PARAMETER);
    }
    okra_theory_spec_init(&s);
    s.phase = &s.mu;
    assert_status(okra_theory_spec_check(&s, NULL), OKRA_E_PARAMETER);
    s.omega = &s.mu;
    assert_ok(okra_theory_spec_check(&s, NULL));
    okra_theory_spec_init(&s);
    s.paired = 1;
    assert_ok(okra_theory_spec_check(&s, NULL));
}

static void a_curve_needs_somewhere_to_go(void **state)
{
    (void)state;
    double one;
    okra_theory_spec spec = small_spec();
    okra_theory *theory = make_theory(&spec);
    assert_status(okra_theory_curve(NULL, 0, 1, &one), OKRA_E_NULL);
    assert_status(okra_theory_curve(theory, 0, 1, NULL), OKRA_E_NULL);
    assert_status(okra_theory_create(&spec, NULL), OKRA_E_NULL);
    okra_theory_free(theory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_matches_samples),
        cmocka_unit_test(paired_map_has_trace_one),
        cmocka_unit_test(spectrum_has_the_traces_of_r),
        cmocka_unit_test(distinct_frequencies_give_full_rank),
        cmocka_unit_test(mean_recursion_turns_at_its_bound),
        cmocka_unit_test(practical_bound_holds),
        cmocka_unit_test(curves_end_at_their_fixed_points),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(figures_and_curves_follow_from_integrals),
        cmocka_unit_test(spectrum_is_that_of_the_whole_matrix),
        cmocka_unit_test(large_ranks_are_found),
        cmocka_unit_test(beyond_the_bound_there_is_no_steady_state),
        cmocka_unit_test(the_defaults_are_example_1),
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(a_curve_needs_somewhere_to_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
