/* Signals against their equations, written out again, and their promises: seeded, streaming, one realisation per (seed,
 * run). */
#include "check.h"

#include <okra/lab.h>

#include "lab/signal.h"

static okra_signal *make_signal(const char *name, uint64_t seed, uint32_t run)
{
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, name));
    spec.seed = seed, spec.run = run;
    assert_ok(okra_signal_create(&spec, &signal));
    return signal;
}

enum { N = 3000, MAX_INPUTS = 8 };
static double X[N * MAX_INPUTS], y[N], X2[N * MAX_INPUTS], y2[N];

static void cutting_changes_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; okra_signal_at(k); k++)
        for (size_t piece = 1; piece <= 1000; piece = piece * 7 + 1) {
            okra_signal *whole = make_signal(okra_signal_at(k)->name, 3, 2),
                        *cut = make_signal(okra_signal_at(k)->name, 3, 2);
            size_t d = okra_signal_inputs(whole);
            assert_true(d <= MAX_INPUTS);
            okra_signal_next(whole, N, X, y);
            for (size_t i = 0; i < N; i += piece)
                okra_signal_next(cut, piece < N - i ? piece : N - i, X2 + i * d, y2 + i);
            assert_memory_equal(X, X2, N * d * sizeof *X);
            assert_memory_equal(y, y2, sizeof y);
            okra_signal_free(whole), okra_signal_free(cut);
        }
}

static void runs_and_seeds_differ(void **state)
{
    (void)state;
    for (size_t k = 0; okra_signal_at(k); k++)
        for (int other = 0; other < 2; other++) {
            okra_signal *a = make_signal(okra_signal_at(k)->name, 1, 0),
                        *b = make_signal(okra_signal_at(k)->name, 1 + (uint64_t)other, 1 - (uint32_t)other);
            okra_signal_next(a, 100, X, y), okra_signal_next(b, 100, X2, y2);
            assert_memory_not_equal(y, y2, 100 * sizeof *y);
            for (size_t i = 0; i < 100; i++)
                assert_true(isfinite(y[i]));
            okra_signal_free(a), okra_signal_free(b);
        }
}

static okra_signal *make_branch(const char *name, uint32_t branch, double noise)
{
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, name));
    assert_ok(okra_signal_spec_set(&spec, "noise", noise, NULL));
    spec.branch = branch;
    assert_ok(okra_signal_create(&spec, &signal));
    return signal;
}

/* What there was before there were branches, as it was printed then. */
static void branch_0_is_the_signal_itself(void **state)
{
    (void)state;
    okra_signal *signal = make_signal("ex2", 1, 0);
    okra_signal_next(signal, 2, X, y);
    assert_near(X[0], -0.6213859896237696, 1e-14);
    assert_near(X[9], 1.898776076041342, 1e-14);
    assert_near(y[0], -0.07373457666269921, 1e-14);
    assert_near(y[1], 2.03708007328114, 1e-14);
    okra_signal_free(signal);
}

/* Published runs name a branch by its number: its sequences are so many streams further on, each. */
static void branches_are_numbered(void **state)
{
    (void)state;
    okra_signal *signal = make_branch("lorenz", 3, 0);
    assert_int_equal(signal->input.stream, SIGNAL_INPUTS + 3 * SIGNAL_STREAMS);
    assert_int_equal(signal->noise.stream, SIGNAL_NOISE + 3 * SIGNAL_STREAMS);
    assert_int_equal(signal->other.stream, SIGNAL_OTHER + 3 * SIGNAL_STREAMS);
    okra_signal_free(signal);
}

static double correlation(const double *a, const double *b, size_t n)
{
    double ab = 0, aa = 0, bb = 0; /* their means are 0 */
    for (size_t i = 0; i < n; i++)
        ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
    return ab / sqrt(aa * bb);
}

/* Inputs of 15000 numbers are independent where they correlate by 1 / sqrt(15000) = 0.008 or so. The largest branch is
 * as good as any. */
static void branches_have_inputs_of_their_own(void **state)
{
    (void)state;
    static const uint32_t branches[] = {1, 2, 1000, OKRA_SIGNAL_BRANCHES - 1};
    okra_signal_spec spec;
    okra_signal *none;
    for (size_t b = 0; b < COUNT_OF(branches); b++) {
        okra_signal *one = make_branch("ex2", 0, 0.1), *other = make_branch("ex2", branches[b], 0.1);
        okra_signal_next(one, N, X, y), okra_signal_next(other, N, X2, y2);
        assert_true(fabs(correlation(X, X2, 5 * N)) < 4 / sqrt(5 * N));
        okra_signal_free(one), okra_signal_free(other);
    }
    assert_ok(okra_signal_spec_init(&spec, "ex2"));
    spec.branch = OKRA_SIGNAL_BRANCHES;
    assert_status(okra_signal_create(&spec, &none), OKRA_E_PARAMETER);
}

/* Example 2 without noise, from the quadratic features of its inputs: what fits one branch fits another. */
static void branches_are_of_one_system(void **state)
{
    (void)state;
    enum { D = 5 };
    okra_signal *one = make_branch("ex2", 0, 0), *other = make_branch("ex2", 7, 0);
    okra_spec rls;
    okra_filter *filter;
    okra_signal_next(one, N, X, y), okra_signal_next(other, N, X2, y2);
    assert_ok(okra_spec_init(&rls, "rls", D + D * (D + 1) / 2, 1));
    rls.lambda = 1e-9, rls.beta = 1;
    assert_ok(okra_create(&rls, &filter));
    for (size_t n = 0; n < 2 * N; n++) {
        const double *x = n < N ? X + n * D : X2 + (n - N) * D;
        double z[D + D * (D + 1) / 2], yhat, *to = z;
        for (size_t i = 0; i < D; i++) {
            *to++ = x[i];
            for (size_t j = i; j < D; j++)
                *to++ = x[i] * x[j];
        }
        if (n < N)
            assert_ok(okra_step(filter, z, y + n, 1, NULL, NULL));
        else {
            assert_ok(okra_step(filter, z, NULL, 1, &yhat, NULL));
            assert_near(yhat, y2[n - N], 1e-6);
        }
    }
    okra_free(filter);
    okra_signal_free(one), okra_signal_free(other);
}

/* Without noise, y is a function of x and what came before: computed here again, straight from the paper. */
static void paper_equations(void **state)
{
    (void)state;
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, "ex3"));
    assert_ok(okra_signal_spec_set(&spec, "noise", 0, NULL));
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, N, X, y);
    for (size_t n = 0; n < N; n++) {
        double before = n ? y[n - 1] : 1;
        assert_near(y[n], before / (1 + before * before) + pow(X[n], 3), 1e-15);
    }
    okra_signal_free(signal);

    assert_ok(okra_signal_spec_init(&spec, "ex4"));
    assert_ok(okra_signal_spec_set(&spec, "noise", 0, NULL));
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, N, X, y);
    double d[N + 2];
    d[0] = d[1] = 1;
    for (size_t n = 0; n < N; n++) {
        double u = X[2 * n], v = X[2 * n + 1], now = u + 0.5 * v - 0.2 * d[n + 1] + 0.35 * d[n];
        d[n + 2] = now;
        assert_near(y[n], now >= 0 ? now / (3 * sqrt(0.1 + 0.9 * now * now)) : -now * now * (1 - exp(0.7 * now)) / 3,
                    1e-14);
    }
    okra_signal_free(signal);
}

/* Example 2 without noise is linear plus a tenth of a square: an exact fit on the right features leaves nothing. */
static void example2_is_a_quadratic(void **state)
{
    (void)state;
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, "ex2"));
    assert_ok(okra_signal_spec_set(&spec, "noise", 0, NULL));
    assert_ok(okra_signal_spec_set(&spec, "dim", 2, NULL));
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, N, X, y);
    okra_spec rls;
    okra_filter *filter;
    assert_ok(okra_spec_init(&rls, "rls", 5, 1)); /* x1, x2, x1^2, x1 x2, x2^2 */
    rls.lambda = 1e-9;
    assert_ok(okra_create(&rls, &filter));
    double theta[6];
    for (size_t n = 0; n < N; n++) {
        double a = X[2 * n], b = X[2 * n + 1], z[] = {a, b, a * a, a * b, b * b}, yhat;
        assert_ok(okra_step(filter, z, y + n, 1, &yhat, NULL));
        if (n > 100)
            assert_near(yhat, y[n], 1e-6);
    }
    assert_ok(okra_array_read(filter, "theta", theta));
    assert_near(theta[3] * theta[3], 4 * theta[2] * theta[4], 1e-6); /* a perfect square */
    assert_near(theta[5], 0, 1e-6);
    okra_free(filter);
    okra_signal_free(signal);
}

/* An echo without noise is linear in what the loudspeaker makes of the far end, over the length of its path. */
static void an_echo_is_linear_behind_its_loudspeaker(void **state)
{
    (void)state;
    enum { TAPS = 5 };
    okra_signal_spec spec;
    okra_signal *signal;
    okra_spec rls;
    okra_filter *filter;
    assert_ok(okra_signal_spec_init(&spec, "echo"));
    assert_ok(okra_signal_spec_set(&spec, "snr", 200, NULL));
    assert_ok(okra_signal_spec_set(&spec, "taps", TAPS, NULL));
    assert_ok(okra_signal_spec_set(&spec, "clip", 0.3, NULL));
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, N, X, y);
    assert_ok(okra_spec_init(&rls, "rls", TAPS, 1));
    rls.lambda = 1e-12;
    assert_ok(okra_create(&rls, &filter));
    for (size_t n = TAPS; n < N; n++) {
        double said[TAPS], yhat;
        for (size_t k = 0; k < TAPS; k++)
            said[k] = 0.3 * tanh(X[n - k] / 0.3);
        assert_ok(okra_step(filter, said, y + n, 1, &yhat, NULL));
        assert_true(fabs(X[n]) <= 1);
        if (n > N / 2)
            assert_near(yhat, y[n], 1e-6);
    }
    okra_free(filter);
    okra_signal_free(signal);
}

/* The noise is as far below the echo as asked for: what is added at 20 dB, against the same echo at 200. The echo's
 * power is a mean over 30 syllables, whose own have a relative deviation of 0.65: 12% or half a dB, of which 4 are
 * allowed. */
static void an_echo_keeps_its_snr(void **state)
{
    (void)state;
    double power[2] = {0};
    for (int clean = 0; clean < 2; clean++) {
        okra_signal_spec spec;
        okra_signal *signal;
        assert_ok(okra_signal_spec_init(&spec, "echo"));
        assert_ok(okra_signal_spec_set(&spec, "snr", clean ? 200 : 20, NULL));
        assert_ok(okra_signal_spec_set(&spec, "syllable", 100, NULL));
        assert_ok(okra_signal_create(&spec, &signal));
        okra_signal_next(signal, N, clean ? X2 : X, clean ? y2 : y);
        okra_signal_free(signal);
    }
    for (size_t n = 0; n < N; n++) {
        power[0] += y2[n] * y2[n] / N;
        power[1] += (y[n] - y2[n]) * (y[n] - y2[n]) / N;
    }
    assert_memory_equal(X, X2, N * sizeof *X);
    assert_near(10 * log10(power[0] / power[1]), 20, 2);
}

/* Means and deviations against their standard errors. */
static void inputs_and_noise_have_their_size(void **state)
{
    (void)state;
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, "sinc"));
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, N, X, y);
    double square = 0, inside = 0;
    for (size_t n = 0; n < N; n++) {
        double e = y[n] - sin(M_PI * X[n]) / (M_PI * X[n]);
        square += e * e / N;
        inside += X[n] > -3 && X[n] < 3;
    }
    assert_near(inside, N, 0);
    assert_near(sqrt(square), 0.1, 5 * 0.1 / sqrt(2.0 * N));
    okra_signal_free(signal);
}

/* Mackey-Glass satisfies its own equation: a central difference of finely sampled values is the slope. */
static void mackey_glass_satisfies_its_equation(void **state)
{
    (void)state;
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, "mackey-glass"));
    assert_ok(okra_signal_spec_set(&spec, "sample", 0.1, NULL));
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, N, NULL, y);
    for (size_t n = 200; n + 1 < N; n++) {
        double slope = (y[n + 1] - y[n - 1]) / 0.2, delayed = y[n - 170];
        assert_near(slope, 0.2 * delayed / (1 + pow(delayed, 10)) - 0.1 * y[n], 2e-3); /* h^2 / 6 of the third
                                                                                          derivative */
    }
    okra_signal_free(signal);
}

static void bad_constants_are_refused(void **state)
{
    (void)state;
    okra_signal_spec spec;
    okra_signal *signal;
    okra_message why;
    assert_status(okra_signal_spec_init(&spec, "nothing"), OKRA_E_PARAMETER);
    assert_status(okra_signal_create(&spec, &signal), OKRA_E_PARAMETER);
    assert_ok(okra_signal_spec_init(&spec, "ex1"));
    assert_status(okra_signal_spec_set(&spec, "noise", -1, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "noise = -1"));
    assert_status(okra_signal_spec_set(&spec, "nosie", 1, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "no constant 'nosie'"));
    assert_status(okra_signal_spec_set(&spec, "noise", (double)NAN, NULL), OKRA_E_PARAMETER);
    assert_status(okra_signal_spec_set(&spec, NULL, 1, &why), OKRA_E_NULL);
    assert_string_equal(why.text, okra_strerror(OKRA_E_NULL));
    okra_signal_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cutting_changes_nothing),
        cmocka_unit_test(runs_and_seeds_differ),
        cmocka_unit_test(branch_0_is_the_signal_itself),
        cmocka_unit_test(branches_are_numbered),
        cmocka_unit_test(branches_have_inputs_of_their_own),
        cmocka_unit_test(branches_are_of_one_system),
        cmocka_unit_test(paper_equations),
        cmocka_unit_test(example2_is_a_quadratic),
        cmocka_unit_test(inputs_and_noise_have_their_size),
        cmocka_unit_test(mackey_glass_satisfies_its_equation),
        cmocka_unit_test(an_echo_is_linear_behind_its_loudspeaker),
        cmocka_unit_test(an_echo_keeps_its_snr),
        cmocka_unit_test(bad_constants_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
