/* Losses: the same share of a sample for every recipe, a scale that wild targets cannot move, and what they are for. */
#include "typed.h"

enum { ROWS = 300, D = 3 };

/* y = sin(2 x0) + x1 / 2 and noise of a deviation of 0.1. */
static void make_row(okra_random *random, real x[D], real *y)
{
    double z[D + 1];
    okra_random_normal(random, D + 1, z);
    for (size_t j = 0; j < D; j++)
        x[j] = (real)z[j];
    *y = (real)(sin(2 * z[0]) + z[1] / 2 + 0.1 * z[D]);
}

/* ---- the share of a sample ------------------------------------------------------------------------------------ */

static real share_by_hand(int loss, real c, real e)
{
    real r = real_abs(e) / c;
    return loss == OKRA_LOSS_HUBER ? (r > 1 ? 1 / r : 1)
           : loss == OKRA_LOSS_MCC ? real_exp(-r * r / 2)
                                   : 1 / (1 + r * r);
}

/* Of recipes that know nothing of the variance of an error; the others are in test_one_step.c. */
static bool plain(const okra_recipe *recipe) { return !recipe->variance; }

static void every_recipe_weighs_as_by_hand(void **state)
{
    (void)state;
    const real c = (real)0.3;
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (int loss = OKRA_LOSS_HUBER; loss <= OKRA_LOSS_CAUCHY && plain(okra_recipe_at(r)); loss++) {
            okra_spec spec = make_spec(okra_recipe_at(r)->name, D, 1);
            spec.loss = OKRA_LOSS_SQUARE;
            okra_filter *weighed = make_filter(&spec);
            spec.loss = loss, spec.loss_scale = (double)c;
            okra_filter *filter = make_filter(&spec);
            okra_random random = {.seed = 3};
            for (size_t i = 0; i < ROWS; i++) {
                real x[D], y, yhat, other, weight = (real)(1 + i % 3);
                make_row(&random, x, &y);
                assert_ok(step_weighted(filter, x, &y, weight, &yhat));
                assert_ok(OKRA_PUBLIC(okra_begin)(weighed, x, &other, NULL));
                assert_ok(OKRA_PUBLIC(okra_commit)(weighed, &y, weight * share_by_hand(loss, c, y - other)));
                assert_true(yhat == other);
            }
            assert_int_equal(fingerprint(filter), fingerprint(weighed));
            okra_free(filter), okra_free(weighed);
        }
}

static void a_quantile_is_of_one_target(void **state)
{
    (void)state;
    okra_message why;
    okra_spec spec = make_spec("rff-klms", D, 2);
    spec.loss = OKRA_LOSS_QUANTILE;
    assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
    assert_string_equal(why.text, "loss = quantile is for one target: there are 2");
}

/* ---- the scale ------------------------------------------------------------------------------------------------ */

/* A filter that learns next to nothing: its errors are the targets. */
static okra_filter *make_idle(void)
{
    okra_spec spec = make_spec("lms", 1, 1);
    spec.mu = 1e-30, spec.loss = OKRA_LOSS_HUBER;
    return make_filter(&spec);
}

/* n errors, normal with that deviation, every `wild`th a thousand times as large; then the quantile and the median that
 * are tracked, averaged over the last half: they fluctuate by some 10%. */
static void track(okra_filter *filter, okra_random *random, size_t n, double deviation, size_t wild, double mean[2])
{
    const size_t half = n / 2;
    mean[0] = mean[1] = 0;
    for (size_t i = 0; i < n; i++) {
        double z;
        real x = 0, y, tracked[4];
        okra_random_normal(random, 1, &z);
        y = (real)(deviation * z * (wild && i % wild == wild - 1 ? 1000 : 1));
        assert_ok(step(filter, &x, &y, NULL));
        assert_ok(okra_array_read(filter, "errors", tracked));
        for (size_t k = 0; k < 2 && i >= half; k++)
            mean[k] += (double)tracked[k] / (double)(n - half);
    }
}

static void the_scale_is_that_of_ordinary_errors(void **state)
{
    (void)state;
    okra_filter *filter = make_idle();
    okra_random random = {.seed = 8};
    double clean[2], wild[2];
    track(filter, &random, 20000, 0.5, 0, clean);
    assert_near(clean[0], 0.5 * 1.96, 0.05 * 0.5 * 1.96);
    assert_near(clean[1], 0.5 * 0.6745, 0.05 * 0.5 * 0.6745);
    track(filter, &random, 20000, 0.5, 100, wild); /* of 5% above, 1% are wild: 96% of the others are below 2.05 */
    assert_near(wild[0], 0.5 * 2.06, 0.07 * 0.5 * 2.06);
    okra_free(filter);
}

/* A change of the system is not a row of wild targets: some twenty rows later the scale is of its size. */
static void the_scale_follows_a_change(void **state)
{
    (void)state;
    okra_filter *filter = make_idle();
    okra_random random = {.seed = 9};
    double before[2], after[2];
    track(filter, &random, 2000, 1e-3, 0, before);
    track(filter, &random, 40, 1, 0, after);
    assert_true(after[0] > 0.5 && after[0] < 4);
    track(filter, &random, 4000, 1e-3, 0, after);
    assert_near(after[0], before[0], 0.1 * before[0]);
    okra_free(filter);
}

/* ---- what they are for ---------------------------------------------------------------------------------------- */

/* The mean squared error of rows 1000 to 1250 where target 999 is wild, or is not. */
static double error_after(const okra_spec *spec, bool wild)
{
    okra_filter *filter = make_filter(spec);
    okra_random random = {.seed = 12};
    double square = 0;
    for (size_t i = 0; i < 1250; i++) {
        real x[D], y, yhat;
        make_row(&random, x, &y);
        if (wild && i == 999)
            y = -9999;
        assert_ok(step(filter, x, &y, &yhat));
        if (i >= 1000)
            square += (double)(y - yhat) * (double)(y - yhat);
    }
    okra_free(filter);
    return square / 250;
}

static void one_wild_target_does_little(void **state)
{
    (void)state;
    static const struct {
        const char *recipe;
        double beta;
        int forget;
    } rows[] = {{"rls", 1, 0},   {"rls", 0.99, 0},   {"rff-krls", 1, 0}, {"rff-krls", 0.999, 0}, {"rff-krls", 0.99, 1},
                {"krls", 0, 0},  {"rff-klms", 0, 0}, {"rff-nlms", 0, 0}, {"rff-apa", 0, 0},      {"rff-apsm", 0, 0},
                {"qklms", 0, 0}, {"knlms", 0, 0},    {"auto", 0.9995, 0}};
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        okra_spec spec = make_spec(rows[k].recipe, D, 1);
        spec.loss = OKRA_LOSS_HUBER;
        if (spec.sigma > 0)
            spec.sigma = 2;
        if (rows[k].beta > 0)
            spec.beta = rows[k].beta, spec.forget = rows[k].forget;
        double clean = error_after(&spec, false), wild = error_after(&spec, true);
        if (!(wild <= 2 * clean)) /* 3 dB */
            fail_msg("%s, beta %g: %g after a wild target, %g without", rows[k].recipe, rows[k].beta, wild, clean);
        spec.loss = OKRA_LOSS_SQUARE;
        if (strcmp(rows[k].recipe, "auto") != 0) /* which limits targets by itself */
            assert_true(error_after(&spec, true) > 2 * clean);
    }
}

/* The share of targets below what is predicted for them. */
static double share_below(const char *recipe, double mu, double beta, double quantile)
{
    okra_spec spec = make_spec(recipe, D, 1);
    spec.loss = OKRA_LOSS_QUANTILE, spec.quantile = quantile, spec.mu = mu, spec.beta = beta, spec.sigma = 2;
    if (spec.features)
        spec.features = 100;
    okra_filter *filter = make_filter(&spec);
    okra_random random = {.seed = 13};
    size_t below = 0;
    for (size_t i = 0; i < 12000; i++) {
        real x[D], y, yhat;
        make_row(&random, x, &y);
        assert_ok(step(filter, x, &y, &yhat));
        below += i >= 6000 && y < yhat;
    }
    okra_free(filter);
    return (double)below / 6000;
}

static void quantiles_are_those_of_the_targets(void **state)
{
    (void)state;
    static const double quantiles[] = {0.1, 0.5, 0.9};
    for (size_t k = 0; k < COUNT_OF(quantiles); k++) {
        double q = quantiles[k];
        assert_near(share_below("rff-klms", 0.05, 1, q), q, 0.04);
        assert_near(share_below("rff-nlms", 0.05, 1, q), q, 0.04);
        assert_near(share_below("rff-apa", 0.5, 1, q), q, 0.04);
        assert_near(share_below("rff-apsm", 0.5, 1, q), q, 0.04);
        assert_near(share_below("rff-krls", 1, 0.999, q), q, 0.04);
    }
}

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recipe_weighs_as_by_hand),       cmocka_unit_test(a_quantile_is_of_one_target),
        cmocka_unit_test(the_scale_is_that_of_ordinary_errors), cmocka_unit_test(the_scale_follows_a_change),
        cmocka_unit_test(one_wild_target_does_little),          cmocka_unit_test(quantiles_are_those_of_the_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
