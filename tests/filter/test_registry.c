/*
 * The registries as they are published: every recipe with its parameters and defaults, every range with its ends, every
 * choice. Saved models leave out what is at its default, so a default that changes is a format that changes. And what
 * creating leaves behind where it fails.
 */
#include "check.h"

static const struct {
    const char *name, *filter, *params;
    bool variance;
} recipes[] = {
    {"auto", "ensemble",
     "sigma=auto features=300 seed=1 beta=0.9995 loss=huber loss-scale=auto quantile=0.5 precision=f64 lags=1 "
     "lag-from=0 target-lags=0 horizon=1 scale=auto warmup=512",
     true},
    {"rff-klms", "lms",
     "map=rff kernel=gaussian sigma=1 widths=equal features=300 seed=1 mu=0.5 leak=0 loss=square loss-scale=auto "
     "quantile=0.5 "
     "precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     false},
    {"rff-nlms", "nlms",
     "map=rff kernel=gaussian sigma=1 widths=equal features=300 seed=1 mu=0.5 reg=1e-06 leak=0 loss=square "
     "loss-scale=auto "
     "quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     false},
    {"rff-apa", "apa",
     "map=rff kernel=gaussian sigma=1 widths=equal features=300 seed=1 mu=0.5 order=4 reg=0.01 loss=square "
     "loss-scale=auto "
     "quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     false},
    {"rff-apsm", "apsm",
     "map=rff kernel=gaussian sigma=1 widths=equal features=300 seed=1 mu=0.5 order=4 tolerance=0 loss=square "
     "loss-scale=auto "
     "quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     false},
    {"rff-krls", "rls",
     "map=rff kernel=gaussian sigma=1 widths=equal features=300 seed=1 lambda=0.01 beta=1 forget=exponential "
     "cyclic=auto "
     "loss=square loss-scale=auto quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none "
     "warmup=512",
     true},
    {"klms", "klms",
     "kernel=gaussian sigma=1 mu=0.5 leak=0 capacity=10000 when-full=stop loss=square loss-scale=auto quantile=0.5 "
     "precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     false},
    {"qklms", "qklms",
     "kernel=gaussian sigma=1 mu=0.5 leak=0 epsilon=0.1 capacity=10000 when-full=stop loss=square loss-scale=auto "
     "quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     false},
    {"nc-klms", "nc-klms",
     "kernel=gaussian sigma=1 mu=0.5 leak=0 novelty-distance=0.1 novelty-error=0.05 capacity=10000 when-full=stop "
     "loss=square loss-scale=auto quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none "
     "warmup=512",
     false},
    {"knlms", "knlms",
     "kernel=gaussian sigma=1 mu=0.5 leak=0 coherence=0.95 reg=0.01 capacity=10000 when-full=stop loss=square "
     "loss-scale=auto quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     false},
    {"sc-klms", "sc-klms",
     "kernel=gaussian sigma=1 mu=0.5 leak=0 surprise=-1 surprise-max=200 reg=0.01 capacity=10000 when-full=stop "
     "loss=square loss-scale=auto quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none "
     "warmup=512",
     false},
    {"krls", "krls",
     "kernel=gaussian sigma=1 nu=0.0005 capacity=1000 when-full=stop loss=square loss-scale=auto quantile=0.5 "
     "precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     true},
    {"lms", "lms",
     "mu=0.01 leak=0 loss=square loss-scale=auto quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 horizon=1 "
     "scale=none warmup=512",
     false},
    {"nlms", "nlms",
     "mu=0.5 reg=1e-06 leak=0 loss=square loss-scale=auto quantile=0.5 precision=f64 lags=1 lag-from=0 target-lags=0 "
     "horizon=1 scale=none warmup=512",
     false},
    {"rls", "rls",
     "lambda=0.01 beta=1 forget=exponential cyclic=auto loss=square loss-scale=auto quantile=0.5 precision=f64 lags=1 "
     "lag-from=0 target-lags=0 horizon=1 scale=none warmup=512",
     true},
};

static void recipes_are_as_published(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(recipes); r++) {
        const okra_recipe *recipe = okra_recipe_at(r);
        char all[1024] = "", value[OKRA_VALUE_TEXT];
        size_t length = 0;
        okra_spec spec;
        assert_non_null(recipe);
        assert_string_equal(recipe->name, recipes[r].name);
        assert_string_equal(recipe->filter, recipes[r].filter);
        assert_int_equal(recipe->variance, recipes[r].variance);
        assert_ok(okra_spec_init(&spec, recipe->name, 3, 2));
        assert_true(spec.inputs == 3 && spec.outputs == 2);
        for (size_t i = 0; i < recipe->n_params; i++) {
            const char *name = recipe->params[i].param->name;
            assert_ok(okra_spec_get(&spec, name, value, sizeof value));
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s=%s", i ? " " : "", name, value);
        }
        assert_string_equal(all, recipes[r].params);
    }
    assert_null(okra_recipe_at(COUNT_OF(recipes)));
}

/* ---- ranges ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *recipe, *name;
    double low, high;
} ranges[] = {
    {"rff-klms", "sigma", 1e-30, 1e30},
    {"rff-klms", "widths", 1e-30, 1e30},
    {"rff-klms", "features", 1, 1073741824},
    {"rff-klms", "mu", 1e-30, 1e30},
    {"rff-nlms", "reg", 1e-30, 1e30},
    {"rls", "lambda", 1e-30, 1e30},
    {"rls", "beta", 0.01, 1},
    {"rls", "cyclic", 0, 1073741824},
    {"qklms", "epsilon", 0, 1e30},
    {"rff-klms", "leak", 0, 1e30},
    {"rff-apa", "order", 1, 64},
    {"rff-apsm", "tolerance", 0, 1e30},
    {"rff-klms", "loss-scale", 1e-30, 1e30},
    {"rff-klms", "quantile", 1e-4, 0.9999},
    {"nc-klms", "novelty-distance", 0, 1e30},
    {"nc-klms", "novelty-error", 0, 1e30},
    {"knlms", "coherence", 0, 1},
    {"sc-klms", "surprise", -1e30, 1e30},
    {"sc-klms", "surprise-max", -1e30, 1e30},
    {"krls", "nu", 1e-7, 1},
    {"klms", "capacity", 1, 1073741824},
    {"lms", "lags", 1, 16777216},
    {"lms", "lag-from", 0, 16777216},
    {"lms", "target-lags", 0, 16777216},
    {"lms", "horizon", 1, 16777216},
    {"lms", "warmup", 2, 16777216},
};

static bool accepts(const char *recipe, const char *name, double value)
{
    okra_spec spec, before;
    char text[64], back[OKRA_VALUE_TEXT];
    okra_message why = {""};
    assert_ok(okra_spec_init(&spec, recipe, 2, 1));
    before = spec;
    snprintf(text, sizeof text, "%.17g", value);
    okra_status status = okra_spec_set(&spec, name, text, &why);
    if (status) {
        assert_status(status, OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, name));
        assert_memory_equal(&spec, &before, sizeof spec);
        assert_status(okra_spec_set(&spec, name, text, NULL), OKRA_E_PARAMETER);
        return false;
    }
    assert_ok(okra_spec_get(&spec, name, back, sizeof back));
    assert_near(strtod(back, NULL), value, 0);
    return true;
}

/* The ends are inside, their neighbours out of it. */
static void ranges_have_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        const char *recipe = ranges[i].recipe, *name = ranges[i].name;
        bool whole = ranges[i].high == floor(ranges[i].high) && ranges[i].high > 1 && ranges[i].high < 1e10;
        double step = whole ? 1 : 1e-10;
        assert_true(accepts(recipe, name, ranges[i].low));
        assert_true(accepts(recipe, name, ranges[i].high));
        assert_false(accepts(recipe, name, whole ? ranges[i].high + 1 : ranges[i].high * (1 + step)));
        double below = ranges[i].low > 0 && !whole ? ranges[i].low * (1 - step)
                       : ranges[i].low < 0         ? ranges[i].low * (1 + step)
                                                   : ranges[i].low - step;
        assert_false(accepts(recipe, name, below));
    }
}

/* A spec that was filled by hand is held to the same ranges. */
static void fields_are_held_to_their_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        for (int side = 0; side < 2; side++) {
            okra_spec spec;
            okra_message why = {""};
            const okra_recipe *recipe = okra_recipe_find(ranges[i].recipe);
            assert_ok(okra_spec_init(&spec, recipe->name, 2, 1));
            for (size_t k = 0; k < recipe->n_params; k++) {
                const okra_param *p = recipe->params[k].param;
                if (strcmp(p->name, ranges[i].name) != 0)
                    continue;
                assert_near(p->low, ranges[i].low, 0);
                assert_near(p->high, ranges[i].high, 0);
                void *field = (char *)&spec + p->offset;
                double value = side ? p->high + 1 + fabs(p->high) : p->low - 2 - fabs(p->low);
                if (p->kind == OKRA_PARAM_COUNT)
                    *(size_t *)field = side ? (size_t)value : p->low > 0 ? 0 : (size_t)p->high + 1;
                else
                    *(double *)field = value;
            }
            okra_status status = okra_spec_check(&spec, &why);
            assert_status(status, OKRA_E_PARAMETER);
            assert_non_null(strstr(why.text, ranges[i].name));
        }
}

/* ---- choices ------------------------------------------------------------------------------------------------------
 */

/* Numbers of choices are in saved models, and never change. */
static void choices_keep_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *recipe, *name, *choices;
    } rows[] = {
        {"rff-klms", "kernel", "gaussian laplacian cauchy matern32 matern52"},
        {"klms", "when-full", "stop oldest error"},
        {"rff-klms", "precision", "f64 f32"},
        {"rff-klms", "scale", "none auto"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const okra_recipe *recipe = okra_recipe_find(rows[i].recipe);
        for (size_t k = 0; k < recipe->n_params; k++) {
            const okra_param *p = recipe->params[k].param;
            char all[128] = "";
            if (strcmp(p->name, rows[i].name) != 0)
                continue;
            for (const okra_choice *c = p->choices; c->name; c++) {
                char text[OKRA_VALUE_TEXT];
                okra_spec spec;
                strcat(strcat(all, *all ? " " : ""), c->name);
                assert_ok(okra_spec_init(&spec, recipe->name, 2, 1));
                assert_ok(okra_spec_set(&spec, p->name, c->name, NULL));
                assert_int_equal(*(int *)((char *)&spec + p->offset), c->value);
                assert_ok(okra_spec_get(&spec, p->name, text, sizeof text));
                assert_string_equal(text, c->name);
                *(int *)((char *)&spec + p->offset) = 12345;
                assert_status(okra_spec_check(&spec, NULL), OKRA_E_PARAMETER);
            }
            assert_string_equal(all, rows[i].choices);
        }
    }
}

/* ---- creating ------------------------------------------------------------------------------------------------------
 */

/* Where it fails, the pointer is NULL, whatever was in it. */
static void failures_leave_null(void **state)
{
    (void)state;
    okra_spec good, bad;
    char junk[64];
    assert_ok(okra_spec_init(&good, "rff-klms", 2, 1));
    bad = good, bad.sigma = -2;
    okra_filter *filter = (okra_filter *)junk;
    assert_status(okra_create(&bad, &filter), OKRA_E_PARAMETER);
    assert_null(filter);
    filter = (okra_filter *)junk;
    assert_status(okra_init(junk, sizeof junk, &bad, &filter), OKRA_E_PARAMETER);
    assert_null(filter);
    filter = (okra_filter *)junk;
    assert_status(okra_init(junk, sizeof junk, &good, &filter), OKRA_E_BUFFER);
    assert_null(filter);
    filter = (okra_filter *)junk;
    assert_status(okra_clone(NULL, &filter), OKRA_E_NULL);
    okra_map *map = (okra_map *)junk;
    assert_status(okra_map_create(&bad, &map), OKRA_E_PARAMETER);
    assert_null(map);
    okra_filter *model = (okra_filter *)junk;
    assert_status(okra_create(&bad, &model), OKRA_E_PARAMETER);
    assert_null(model);
    model = (okra_filter *)junk;
    assert_status(okra_create_empty(&bad, &model), OKRA_E_PARAMETER);
    assert_null(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipes_are_as_published),
        cmocka_unit_test(ranges_have_ends),
        cmocka_unit_test(fields_are_held_to_their_ranges),
        cmocka_unit_test(choices_keep_their_numbers),
        cmocka_unit_test(failures_leave_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
