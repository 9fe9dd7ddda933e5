/*
 * Least squares from several places: against the normal equations in long double, and against one model that has seen
 * every row.
 */
#include "check.h"

#include <okra/merge.h>

#include "lab/r_factor.h"

enum { D = 24, OUTPUTS = 2, SAMPLES = 700 };

static double Z[SAMPLES][D], Y[SAMPLES][OUTPUTS], W[SAMPLES];

static int make_samples(void **state)
{
    (void)state;
    okra_random random = {.seed = 4};
    okra_random_normal(&random, SAMPLES * D, &Z[0][0]);
    okra_random_normal(&random, SAMPLES * OUTPUTS, &Y[0][0]);
    okra_random_uniform(&random, SAMPLES, W);
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t j = 0; j < D; j++) {
            Z[i][j] *= 1 / (1 + (double)j); /* some directions are known better than others */
            Y[i][0] += Z[i][j];
        }
    return 0;
}

/* The solution of (lambda I + sum w z z') theta = sum w z y by elimination; well conditioned, and in long double. */
static void normal_equations(double lambda, const double *weights, double theta[OUTPUTS][D])
{
    static long double A[D][D + OUTPUTS];
    for (size_t a = 0; a < D; a++)
        for (size_t b = 0; b < D + OUTPUTS; b++) {
            A[a][b] = a == b ? (long double)lambda : 0;
            for (size_t i = 0; i < SAMPLES; i++)
                A[a][b] += (long double)(weights ? weights[i] : 1) * (long double)Z[i][a] *
                           (long double)(b < D ? Z[i][b] : Y[i][b - D]);
        }
    for (size_t p = 0; p < D; p++)
        for (size_t r = 0; r < D; r++) {
            long double factor = r == p ? 0 : A[r][p] / A[p][p];
            for (size_t c = p; c < D + OUTPUTS; c++)
                A[r][c] -= factor * A[p][c];
        }
    for (size_t o = 0; o < OUTPUTS; o++)
        for (size_t a = 0; a < D; a++)
            theta[o][a] = (double)(A[a][D + o] / A[a][a]);
}

/* QR is backward stable: n eps cond(R), with cond(R) about 24 and n about 700. */
static const double exact = 700 * 2.3e-16 * 24 * 10;

static void assert_theta(okra_r_factor *factor, double expected[OUTPUTS][D])
{
    static double theta[OUTPUTS][D];
    assert_ok(okra_r_factor_theta(factor, &theta[0][0]));
    for (size_t o = 0; o < OUTPUTS; o++)
        for (size_t j = 0; j < D; j++)
            assert_near(theta[o][j], expected[o][j], exact);
}

static void an_r_factor_solves_least_squares(void **state)
{
    (void)state;
    static double expected[OUTPUTS][D];
    okra_r_factor *factor;
    for (int weighted = 0; weighted < 2; weighted++) {
        const double *weights = weighted ? W : NULL;
        assert_ok(okra_r_factor_create(D, OUTPUTS, 0.3, &factor));
        for (size_t i = 0, n; i < SAMPLES; i += n) {
            n = i % 7 + 1 < SAMPLES - i ? i % 7 + 1 : SAMPLES - i;
            assert_ok(okra_r_factor_add(factor, n, Z[i], Y[i], weights ? weights + i : NULL));
        }
        normal_equations(0.3, weights, expected);
        assert_theta(factor, expected);
        assert_int_equal(okra_r_factor_samples(factor), SAMPLES);
        okra_r_factor_free(factor);
    }
}

/* In every number of parts, joined as a tree, through messages. */
static void parts_join_to_the_whole(void **state)
{
    (void)state;
    static double expected[OUTPUTS][D];
    okra_r_factor *parts[16];
    normal_equations(0.3, NULL, expected);
    for (size_t n = 1; n <= COUNT_OF(parts); n++) {
        for (size_t p = 0; p < n; p++) {
            size_t from = SAMPLES * p / n, to = SAMPLES * (p + 1) / n;
            assert_ok(okra_r_factor_create(D, OUTPUTS, p == 0 ? 0.3 : 0, &parts[p]));
            assert_ok(okra_r_factor_add(parts[p], to - from, Z[from], Y[from], NULL));
        }
        for (size_t step = 1; step < n; step *= 2)
            for (size_t p = 0; p + step < n; p += 2 * step) {
                okra_r_factor *copy;
                double *numbers = malloc(okra_r_factor_numbers(parts[p]) * sizeof *numbers);
                assert_ok(okra_r_factor_pack(parts[p + step], numbers));
                assert_ok(okra_r_factor_create(D, OUTPUTS, 7, &copy));
                assert_ok(okra_r_factor_unpack(copy, numbers));
                assert_ok(okra_r_factor_join(parts[p], copy));
                okra_r_factor_free(copy);
                free(numbers);
            }
        assert_theta(parts[0], expected);
        assert_int_equal(okra_r_factor_samples(parts[0]), SAMPLES);
        for (size_t p = 0; p < n; p++)
            okra_r_factor_free(parts[p]);
    }
}

static void r_factors_refuse_what_they_cannot_take(void **state)
{
    (void)state;
    okra_r_factor *factor, *small;
    double z[D] = {0}, y[OUTPUTS] = {(double)NAN, 0}, weight = -1, theta[OUTPUTS * D];
    assert_status(okra_r_factor_create(0, 1, 1, &factor), OKRA_E_PARAMETER);
    assert_status(okra_r_factor_create(1, 1, -1, &factor), OKRA_E_PARAMETER);
    assert_ok(okra_r_factor_create(D, OUTPUTS, 0, &factor));
    assert_ok(okra_r_factor_create(D - 1, OUTPUTS, 0, &small));
    assert_status(okra_r_factor_add(factor, 1, z, y, NULL), OKRA_E_SAMPLE);
    y[0] = 0;
    assert_status(okra_r_factor_add(factor, 1, z, y, &weight), OKRA_E_SAMPLE);
    assert_status(okra_r_factor_join(factor, small), OKRA_E_UNSUPPORTED);
    assert_int_equal(okra_r_factor_samples(factor), 0);
    assert_status(okra_r_factor_theta(factor, theta), OKRA_E_DIVERGED); /* nothing decides */
    okra_r_factor_free(factor), okra_r_factor_free(small);
}

/* ---- models ------------------------------------------------------------------------------------------------- */

enum { ROWS = 600, INPUTS = 2 };

static double U[ROWS][INPUTS], V[ROWS][1];

static void make_rows(void)
{
    okra_random random = {.seed = 8};
    okra_random_normal(&random, ROWS * INPUTS, &U[0][0]);
    for (size_t i = 0; i < ROWS; i++)
        V[i][0] = sin(2 * U[i][0]) + 0.3 * U[i][1] * U[i][1];
}

static okra_spec spec_of(const char *recipe)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, recipe, INPUTS, 1));
    spec.features = 20, spec.sigma = 1.5, spec.beta = 1, spec.lambda = 0.01;
    return spec;
}

static okra_filter *taught(const okra_spec *spec, size_t from, size_t to)
{
    okra_filter *model;
    assert_ok(okra_create(spec, &model));
    for (size_t i = from; i < to; i++)
        if (spec->precision == OKRA_F32) {
            float u[INPUTS] = {(float)U[i][0], (float)U[i][1]}, v = (float)V[i][0];
            assert_ok(okra_step_f32(model, u, &v, 1, NULL, NULL));
        } else
            assert_ok(okra_step(model, U[i], V[i], 1, NULL, NULL));
    return model;
}

/* The largest difference of the two models' predictions and their deviations over some rows, relative to them. */
static double disagreement(okra_filter *a, okra_filter *b)
{
    double worst = 0;
    for (size_t i = 0; i < 50; i++) {
        double u[INPUTS] = {U[i][1] + 0.1, U[i][0]}, p, q, vp, vq;
        assert_ok(okra_step(a, u, NULL, 1, &p, &vp));
        assert_ok(okra_step(b, u, NULL, 1, &q, &vq));
        worst = fmax(worst, fabs(p - q) / (0.1 + fabs(q)));
    }
    return worst;
}

static double largest(const okra_filter *model, const char *name, const okra_filter *other, double scale[1])
{
    static double a[20 * 21], b[20 * 21];
    double worst = 0;
    okra_array array;
    size_t n = 0;
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++)
        if (strcmp(array.name, name) == 0)
            n = array.rows * array.cols;
    assert_ok(okra_array_read(model, name, a));
    assert_ok(okra_array_read(other, name, b));
    *scale = 0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i])), *scale = fmax(*scale, fabs(b[i]));
    return worst;
}

/* 1e-9 relative, as promised. */
static void assert_same_knowledge(const okra_filter *merged, const okra_filter *whole)
{
    static const char *const names[] = {"theta", "u", "d"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        double scale, off = largest(merged, names[i], whole, &scale);
        if (!(off <= 1e-9 * scale))
            fail_msg("%s is off by %g of %g", names[i], off, scale);
    }
}

static uint64_t learnt(const okra_filter *model)
{
    okra_stats stats;
    assert_ok(okra_get_stats(model, &stats));
    return stats.learnt;
}

static void rls_models_merge_exactly(void **state)
{
    (void)state;
    static const char *const recipes[] = {"rff-krls", "rls"};
    make_rows();
    for (size_t r = 0; r < COUNT_OF(recipes); r++)
        for (size_t n = 1; n <= 5; n++) {
            okra_spec spec = spec_of(recipes[r]);
            okra_filter *parts[5], *merged, *whole = taught(&spec, 0, ROWS);
            okra_merging how;
            for (size_t p = 0; p < n; p++)
                parts[p] = taught(&spec, ROWS * p / n, ROWS * (p + 1) / n);
            assert_ok(okra_merge((const okra_filter *const *)parts, n, NULL, &merged, &how, NULL));
            assert_int_equal(how, OKRA_MERGE_EXACT);
            assert_same_knowledge(merged, whole);
            assert_true(disagreement(merged, whole) < 1e-8);
            assert_int_equal(learnt(merged), ROWS);
            for (size_t p = 0; p < n; p++)
                okra_free(parts[p]);
            okra_free(merged), okra_free(whole);
        }
}

/* A model with the same state as another: through arrays and counters, as a file would. */
static okra_filter *copy_of(const okra_filter *model)
{
    okra_filter *copy;
    assert_ok(okra_merge(&model, 1, NULL, &copy, NULL, NULL));
    return copy;
}

/* Three that begin from one that has seen 200 rows, with automatic scale and width: what it knew counts once. */
static void a_shared_beginning_counts_once(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-krls");
    okra_message why;
    make_rows();
    spec.scale = OKRA_SCALE_AUTO, spec.warmup = 100, spec.sigma = OKRA_SIGMA_AUTO;
    okra_filter *base = taught(&spec, 0, 200), *whole = taught(&spec, 0, ROWS), *parts[3], *merged;
    for (size_t p = 0; p < 3; p++) {
        parts[p] = copy_of(base);
        for (size_t i = 200 + 400 * p / 3; i < 200 + 400 * (p + 1) / 3; i++)
            assert_ok(okra_step(parts[p], U[i], V[i], 1, NULL, NULL));
    }
    if (okra_merge((const okra_filter *const *)parts, 3, base, &merged, NULL, &why))
        fail_msg("%s", why.text);
    assert_same_knowledge(merged, whole);
    assert_int_equal(learnt(merged), learnt(whole));
    okra_filter *unrelated = taught(&spec, 0, 150), *none;
    const okra_filter *with_unrelated[] = {parts[0], unrelated};
    assert_status(okra_merge(with_unrelated, 2, base, &none, NULL, &why), OKRA_E_PARAMETER);
    assert_null(none);
    for (size_t p = 0; p < 3; p++)
        okra_free(parts[p]);
    okra_free(base), okra_free(whole), okra_free(merged), okra_free(unrelated);
}

static void merged_float32_models_agree_to_their_precision(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-krls"), wide = spec;
    make_rows();
    spec.precision = OKRA_F32, spec.lambda = wide.lambda = 1;
    okra_filter *a = taught(&spec, 0, 300), *b = taught(&spec, 300, ROWS), *whole = taught(&wide, 0, ROWS), *merged;
    const okra_filter *parts[] = {a, b};
    assert_ok(okra_merge(parts, 2, NULL, &merged, NULL, NULL));
    for (size_t i = 0; i < 50; i++) {
        float u[INPUTS] = {(float)U[i][1], (float)U[i][0]}, p;
        double v[INPUTS] = {(double)u[0], (double)u[1]}, q;
        assert_ok(okra_step_f32(merged, u, NULL, 1, &p, NULL));
        assert_ok(okra_step(whole, v, NULL, 1, &q, NULL));
        assert_near(p, q, 600 * 6e-8 * 25); /* n eps times the root of the condition number 600 / 1 */
    }
    okra_free(a), okra_free(b), okra_free(whole), okra_free(merged);
}

static void lms_models_merge_on_average(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-klms");
    make_rows();
    okra_filter *a = taught(&spec, 0, 100), *b = taught(&spec, 100, 400), *merged;
    const okra_filter *parts[] = {a, b};
    okra_merging how;
    double x[20], y[20], z[20];
    assert_ok(okra_merge(parts, 2, NULL, &merged, &how, NULL));
    assert_int_equal(how, OKRA_MERGE_MEAN);
    assert_ok(okra_array_read(a, "theta", x));
    assert_ok(okra_array_read(b, "theta", y));
    assert_ok(okra_array_read(merged, "theta", z));
    for (size_t i = 0; i < 20; i++)
        assert_near(z[i], 0.25 * x[i] + 0.75 * y[i], 1e-15);
    assert_int_equal(learnt(merged), 400);
    okra_free(a), okra_free(b), okra_free(merged);
}

static void assert_refused(const okra_spec *one, const okra_spec *other, const char *word)
{
    okra_filter *a = taught(one, 0, 50), *b = taught(other, 50, 100), *merged;
    const okra_filter *parts[] = {a, b};
    okra_message why;
    assert_int_not_equal(okra_merge(parts, 2, NULL, &merged, NULL, &why), OKRA_OK);
    assert_null(merged);
    if (!strstr(why.text, word))
        fail_msg("'%s' does not speak of '%s'", why.text, word);
    okra_free(a), okra_free(b);
}

/* By the samples since the base: a base of many would make all shares alike. */
static void lms_models_with_a_base_are_averaged_by_what_is_new(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-nlms");
    make_rows();
    okra_filter *base = taught(&spec, 0, 300), *parts[2] = {copy_of(base), copy_of(base)}, *merged;
    double x[20], y[20], z[20];
    for (size_t i = 300; i < ROWS; i++)
        assert_ok(okra_step(parts[i >= 330], U[i], V[i], 1, NULL, NULL));
    assert_ok(okra_merge((const okra_filter *const *)parts, 2, base, &merged, NULL, NULL));
    assert_ok(okra_array_read(parts[0], "theta", x));
    assert_ok(okra_array_read(parts[1], "theta", y));
    assert_ok(okra_array_read(merged, "theta", z));
    for (size_t i = 0; i < 20; i++)
        assert_near(z[i], 0.1 * x[i] + 0.9 * y[i], 1e-14);
    assert_int_equal(learnt(merged), ROWS);
    okra_free(base), okra_free(parts[0]), okra_free(parts[1]), okra_free(merged);
}

/* ---- R factors and models ----------------------------------------------------------------------------------- */

/* What the filter of a model sees of rows from .. to, as a factor; the model's lags move on. */
static okra_r_factor *r_factor_of_rows(okra_filter *model, size_t from, size_t to)
{
    okra_spec bare;
    const okra_spec *spec = &bare;
    assert_ok(okra_bare_spec(model, &bare));
    okra_r_factor *factor;
    okra_map *map;
    double x[8], y, z[20];
    assert_ok(okra_map_create(spec, &map));
    assert_true(spec->inputs <= COUNT_OF(x) && okra_map_outputs(map) <= COUNT_OF(z));
    assert_ok(okra_r_factor_create(okra_map_outputs(map), 1, spec->lambda, &factor));
    for (size_t i = from; i < to; i++) {
        bool whole = true;
        assert_ok(okra_embed(model, U[i], V[i], x, &y));
        for (size_t j = 0; j < spec->inputs; j++)
            whole = whole && isfinite(x[j]);
        if (!whole)
            continue; /* lags that are not there yet */
        assert_ok(okra_map_apply(map, 1, x, z));
        assert_ok(okra_r_factor_add(factor, 1, z, &y, NULL));
    }
    okra_map_free(map);
    return factor;
}

/* A model made from an R factor has what the taught one has, and both go on alike. */
static void an_r_factor_becomes_a_model(void **state)
{
    (void)state;
    static const char *const recipes[] = {"rff-krls", "rls"};
    make_rows();
    for (size_t r = 0; r < COUNT_OF(recipes); r++) {
        okra_spec spec = spec_of(recipes[r]);
        spec.lags = 2;
        okra_filter *whole = taught(&spec, 0, 400), *made = taught(&spec, 0, 0);
        okra_r_factor *factor = r_factor_of_rows(made, 0, 400);
        assert_ok(okra_r_factor_to_filter(factor, made));
        assert_same_knowledge(made, whole);
        assert_int_equal(learnt(made), learnt(whole));
        for (size_t i = 400; i < ROWS; i++) {
            double p, q;
            assert_ok(okra_step(made, U[i], V[i], 1, &p, NULL));
            assert_ok(okra_step(whole, U[i], V[i], 1, &q, NULL));
            assert_near(p, q, 1e-9 * (1 + fabs(q)));
        }
        assert_same_knowledge(made, whole);
        okra_r_factor_free(factor);
        okra_free(made), okra_free(whole);
    }
}

static void an_r_factor_becomes_no_other_model(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-krls"), lms = spec_of("rff-klms"), small = spec;
    make_rows();
    small.features = 19;
    okra_filter *model = taught(&spec, 0, 100), *same = taught(&spec, 0, 100), *average = taught(&lms, 0, 10),
                *narrow = taught(&small, 0, 10);
    okra_r_factor *factor = r_factor_of_rows(model, 0, 50), *empty;
    double scale;
    assert_status(okra_r_factor_to_filter(factor, average), OKRA_E_UNSUPPORTED);
    assert_status(okra_r_factor_to_filter(factor, narrow), OKRA_E_UNSUPPORTED);
    assert_ok(okra_r_factor_create(20, 1, 0, &empty)); /* singular: there is no P */
    assert_status(okra_r_factor_to_filter(empty, model), OKRA_E_DIVERGED);
    assert_true(largest(model, "theta", same, &scale) == 0 && learnt(model) == 100);
    okra_r_factor_free(factor), okra_r_factor_free(empty);
    okra_free(model), okra_free(same), okra_free(average), okra_free(narrow);
}

static void numbers_that_are_no_r_factor_are_refused(void **state)
{
    (void)state;
    okra_r_factor *factor;
    assert_ok(okra_r_factor_create(3, 1, 1, &factor));
    size_t n = okra_r_factor_numbers(factor);
    double numbers[16];
    assert_int_equal(n, 4 * 5 / 2 + 1);
    assert_ok(okra_r_factor_pack(factor, numbers));
    numbers[n - 1] = -1;
    assert_status(okra_r_factor_unpack(factor, numbers), OKRA_E_SAMPLE);
    numbers[n - 1] = 1e30;
    assert_status(okra_r_factor_unpack(factor, numbers), OKRA_E_SAMPLE);
    numbers[n - 1] = 5, numbers[2] = (double)NAN;
    assert_status(okra_r_factor_unpack(factor, numbers), OKRA_E_SAMPLE);
    numbers[2] = 1;
    assert_ok(okra_r_factor_unpack(factor, numbers));
    assert_int_equal(okra_r_factor_samples(factor), 5);
    okra_r_factor_free(factor);
}

static void models_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    okra_spec good = spec_of("rff-krls"), bad = good;
    make_rows();
    bad.sigma = 2;
    assert_refused(&good, &bad, "sigma: 1.5 and 2");
    bad = good, bad.seed = 9;
    assert_refused(&good, &bad, "seed");
    bad = good, bad.lags = 2;
    assert_refused(&good, &bad, "lags: 1 and 2");
    bad = spec_of("rff-klms");
    assert_refused(&good, &bad, "recipe");
    bad = good, bad.beta = 0.9;
    assert_refused(&bad, &bad, "beta = 0.9");
    bad = spec_of("qklms");
    assert_refused(&bad, &bad, "qklms");
    bad = good, bad.scale = OKRA_SCALE_AUTO, bad.warmup = 20;
    assert_refused(&bad, &bad, "standardise differently");
    bad.warmup = 60;
    assert_refused(&bad, &bad, "warm-up of 60 rows");
}

/* ---- merging, the rest --------------------------------------------------------------------------------------------
 */

static uint64_t counter_of(const okra_filter *model, const char *name)
{
    uint64_t value = 0;
    assert_ok(model_counter(model, name, &value));
    return value;
}

/* Two targets, in unequal parts from a base: arrays, counters, and the noise, which is added up. */
static void outputs_merge_apart(void **state)
{
    (void)state;
    enum { OUT = 2 };
    okra_spec spec;
    okra_filter *base, *whole, *parts[3], *merged;
    make_rows();
    assert_ok(okra_spec_init(&spec, "rff-krls", INPUTS, OUT));
    spec.features = 12, spec.sigma = 1.5, spec.beta = 1, spec.lambda = 0.05;
    assert_ok(okra_create(&spec, &base));
    assert_ok(okra_create(&spec, &whole));
    for (size_t i = 0; i < 100; i++) {
        double v[OUT] = {V[i][0], U[i][0] - U[i][1]};
        assert_ok(okra_step(base, U[i], v, 1, NULL, NULL));
        assert_ok(okra_step(whole, U[i], v, 1, NULL, NULL));
    }
    for (size_t p = 0; p < 3; p++)
        parts[p] = copy_of(base);
    for (size_t i = 100; i < ROWS; i++) {
        double v[OUT] = {V[i][0], U[i][0] - U[i][1]};
        assert_ok(okra_step(parts[i < 130 ? 0 : i < 400 ? 1 : 2], U[i], v, 1, NULL, NULL));
        assert_ok(okra_step(whole, U[i], v, 1, NULL, NULL));
    }
    assert_ok(okra_merge((const okra_filter *const *)parts, 3, base, &merged, NULL, NULL));
    assert_same_knowledge(merged, whole);
    assert_int_equal(counter_of(merged, "learnt"), ROWS);
    assert_int_equal(counter_of(merged, "cycle"), ROWS);
    double noise[OUT + 1], sum[OUT + 1] = {0};
    for (size_t p = 0; p < 3; p++) {
        assert_ok(okra_array_read(parts[p], "noise", noise));
        for (size_t o = 0; o <= OUT; o++)
            sum[o] += noise[o];
    }
    assert_ok(okra_array_read(merged, "noise", noise));
    for (size_t o = 0; o <= OUT; o++)
        assert_near(noise[o], sum[o], 1e-12 * sum[o]);
    for (size_t p = 0; p < 3; p++)
        okra_free(parts[p]);
    okra_free(base), okra_free(whole), okra_free(merged);
}

/* Nothing was learnt by anybody: models of no weight have equal ones. */
static void nothing_learnt_is_averaged_evenly(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-nlms");
    okra_filter *parts[4], *merged;
    double theta[20];
    for (size_t p = 0; p < 4; p++) {
        assert_ok(okra_create(&spec, &parts[p]));
        for (size_t i = 0; i < 20; i++)
            theta[i] = (double)(p * p + i);
        assert_ok(okra_array_write(parts[p], "theta", theta));
    }
    assert_ok(okra_merge((const okra_filter *const *)parts, 4, NULL, &merged, NULL, NULL));
    assert_ok(okra_array_read(merged, "theta", theta));
    for (size_t i = 0; i < 20; i++)
        assert_near(theta[i], 3.5 + (double)i, 1e-14);
    assert_int_equal(learnt(merged), 0);
    for (size_t p = 0; p < 4; p++)
        okra_free(parts[p]);
    okra_free(merged);
}

/* A merged model has the lags of the last, and its scale: it goes on as that one would from there. */
static void a_merged_model_goes_on_like_the_last(void **state)
{
    (void)state;
    static const char *const recipes[] = {"rff-klms", "rff-krls"};
    make_rows();
    for (size_t r = 0; r < COUNT_OF(recipes); r++) {
        okra_spec spec = spec_of(recipes[r]);
        spec.lags = 3, spec.target_lags = 2;
        okra_filter *a = taught(&spec, 0, 50), *b = taught(&spec, 50, 120), *one, *twin;
        const okra_filter *parts[] = {a, b}, *last[] = {b};
        assert_ok(okra_merge(last, 1, NULL, &twin, NULL, NULL));
        assert_ok(okra_merge(parts, 2, NULL, &one, NULL, NULL));
        for (size_t i = 120; i < 140; i++) {
            double x[8], z[8], y, v;
            assert_ok(okra_embed(one, U[i], V[i], x, &y));
            assert_ok(okra_embed(b, U[i], V[i], z, &v));
            assert_memory_equal(x, z, okra_get_spec(b)->inputs * sizeof *x);
        }
        okra_free(a), okra_free(b), okra_free(one), okra_free(twin);
    }
}

static void merges_that_cannot_be_say_why(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-krls"), wide = spec, two = spec;
    okra_message why;
    okra_merging how = OKRA_MERGE_MEAN;
    make_rows();
    okra_filter *a = taught(&spec, 0, 60), *b = taught(&spec, 60, 100), *merged = a;
    const okra_filter *parts[] = {a, b}, *hole[] = {a, NULL};
    assert_status(okra_merge(NULL, 1, NULL, &merged, NULL, &why), OKRA_E_NULL);
    assert_null(merged);
    assert_non_null(strstr(why.text, "nothing to merge"));
    assert_status(okra_merge(parts, 0, NULL, &merged, NULL, &why), OKRA_E_NULL);
    assert_status(okra_merge(parts, 2, NULL, NULL, NULL, &why), OKRA_E_NULL);
    assert_status(okra_merge(hole, 2, NULL, &merged, NULL, &why), OKRA_E_NULL);
    assert_string_equal(why.text, okra_strerror(OKRA_E_NULL));
    /* a base that one has not begun from: it has seen less, or as much of something else */
    okra_filter *base = taught(&spec, 100, 150);
    assert_status(okra_merge(parts, 2, base, &merged, &how, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "did not begin from it"));
    assert_null(merged);
    okra_free(b), b = taught(&spec, 300, 360), parts[1] = b;
    okra_free(base), base = taught(&spec, 500, 560);
    assert_status(okra_merge(parts, 2, base, &merged, &how, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "did not begin from it"));
    assert_null(merged);
    /* a base of another kind */
    wide.sigma = 2;
    okra_free(base), base = taught(&wide, 0, 10);
    assert_status(okra_merge(parts, 2, base, &merged, NULL, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "sigma: 1.5 and 2"));
    /* shapes */
    okra_filter *other;
    two.outputs = 2;
    assert_ok(okra_create(&two, &other));
    parts[1] = other;
    assert_status(okra_merge(parts, 2, NULL, &merged, NULL, &why), OKRA_E_PARAMETER);
    assert_string_equal(why.text, "the models differ in targets: 1 and 2: merge models of one spec");
    okra_free(other), two.outputs = 1, two.inputs = 3;
    assert_ok(okra_create(&two, &other));
    parts[1] = other;
    assert_status(okra_merge(parts, 2, NULL, &merged, NULL, &why), OKRA_E_PARAMETER);
    assert_string_equal(why.text, "the models differ in inputs: 2 and 3: merge models of one spec");
    okra_free(a), okra_free(b), okra_free(base), okra_free(other);
}

/* Specs that agree, features that do not: another machine may have drawn them. */
static void features_must_agree(void **state)
{
    (void)state;
    static const char *const names[] = {"omega", "phase"};
    okra_spec spec = spec_of("rff-klms");
    make_rows();
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        okra_filter *a = taught(&spec, 0, 10), *b = taught(&spec, 10, 20), *merged;
        const okra_filter *parts[] = {a, b};
        double numbers[20 * INPUTS];
        okra_message why;
        assert_ok(okra_array_read(b, names[i], numbers));
        numbers[19] += 1e-15;
        okra_status status = okra_array_write(b, names[i], numbers);
        assert_ok(status);
        assert_status(okra_merge(parts, 2, NULL, &merged, NULL, &why), OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, "different features"));
        assert_non_null(strstr(why.text, names[i]));
        okra_free(a), okra_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_r_factor_solves_least_squares),
        cmocka_unit_test(parts_join_to_the_whole),
        cmocka_unit_test(r_factors_refuse_what_they_cannot_take),
        cmocka_unit_test(rls_models_merge_exactly),
        cmocka_unit_test(a_shared_beginning_counts_once),
        cmocka_unit_test(merged_float32_models_agree_to_their_precision),
        cmocka_unit_test(lms_models_merge_on_average),
        cmocka_unit_test(lms_models_with_a_base_are_averaged_by_what_is_new),
        cmocka_unit_test(an_r_factor_becomes_a_model),
        cmocka_unit_test(an_r_factor_becomes_no_other_model),
        cmocka_unit_test(numbers_that_are_no_r_factor_are_refused),
        cmocka_unit_test(models_that_do_not_fit_are_refused),
        cmocka_unit_test(outputs_merge_apart),
        cmocka_unit_test(nothing_learnt_is_averaged_evenly),
        cmocka_unit_test(a_merged_model_goes_on_like_the_last),
        cmocka_unit_test(merges_that_cannot_be_say_why),
        cmocka_unit_test(features_must_agree),
    };
    return cmocka_run_group_tests_name("merge", tests, make_samples, NULL);
}
