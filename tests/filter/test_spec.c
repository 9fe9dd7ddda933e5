/* The recipe table, parameters by name, and the check before anything is built. */
#include <locale.h>

#include "check.h"

static void every_recipe_is_complete(void **state)
{
    (void)state;
    size_t n = 0;
    for (const okra_recipe *r; (r = okra_recipe_at(n)); n++) {
        okra_spec spec;
        okra_filter *filter;
        assert_ptr_equal(okra_recipe_find(r->name), r);
        assert_true(strlen(r->help) > 10);
        assert_ok(okra_spec_init(&spec, r->name, 3, 1));
        assert_ok(okra_spec_check(&spec, NULL));
        assert_ok(okra_create(&spec, &filter));
        okra_free(filter);
    }
    assert_true(n >= 4);
    assert_null(okra_recipe_find("no-such"));
    assert_null(okra_recipe_find(NULL));
}

/* Text out, text in: the same value for every parameter of every recipe. */
static void parameters_round_trip(void **state)
{
    (void)state;
    for (size_t n = 0; okra_recipe_at(n); n++) {
        const okra_recipe *r = okra_recipe_at(n);
        okra_spec spec, copy;
        assert_ok(okra_spec_init(&spec, r->name, 3, 1));
        spec.mu = 1.0 / 3;
        spec.seed = UINT64_MAX;
        copy = spec;
        for (size_t i = 0; i < r->n_params; i++) {
            char text[32];
            okra_message why;
            assert_true(strlen(r->params[i].param->help) > 5);
            assert_ok(okra_spec_get(&spec, r->params[i].param->name, text, sizeof text));
            assert_ok(okra_spec_set(&copy, r->params[i].param->name, text, &why));
        }
        assert_memory_equal(&spec, &copy, sizeof spec);
    }
}

/* Under a locale with a decimal comma, where the system has the means to build one. */
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    setenv("LOCPATH", ".", 1);
    bool built = system("localedef -i de_DE -f UTF-8 ./spec_de_DE.UTF-8 2>/dev/null; test -d spec_de_DE.UTF-8") == 0;
    bool set = built && setlocale(LC_ALL, "spec_de_DE.UTF-8");
    assert_int_equal(system("rm -rf spec_de_DE.UTF-8"), 0);
    char text[OKRA_VALUE_TEXT];
    snprintf(text, sizeof text, "%g", 0.5);
    if (!set || strcmp(text, "0,5") != 0)
        skip();
    okra_spec spec, copy;
    okra_message why;
    assert_ok(okra_spec_init(&spec, "rff-klms", 3, 1));
    copy = spec;
    const double widths[] = {0.5, 1.25e-7, 2};
    spec.sigma = widths[0], spec.sigma_more[0] = widths[1], spec.sigma_more[1] = widths[2];
    assert_ok(okra_spec_get(&spec, "sigma", text, sizeof text));
    assert_string_equal(text, "0.5,1.25e-07,2");
    assert_ok(okra_spec_set(&copy, "sigma", text, &why));
    assert_ok(okra_spec_set(&copy, "mu", "+12.5e-1", &why));
    assert_true(copy.sigma == widths[0] && copy.sigma_more[0] == widths[1] && copy.sigma_more[1] == widths[2]);
    assert_true(copy.sigma_more[2] == 0 && copy.mu == 1.25);
    assert_status(okra_spec_set(&copy, "mu", "0,5", &why), OKRA_E_PARAMETER);
    assert_status(okra_spec_set(&copy, "mu", "0.5.5", &why), OKRA_E_PARAMETER);
    assert_status(okra_spec_set(&copy, "mu", "-0.5", &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "mu = -0.5 is out of range"));
    assert_true(copy.mu == 1.25);
    char longer[2048] = "0.";
    memset(longer + 2, '5', sizeof longer - 3);
    assert_status(okra_spec_set(&copy, "mu", longer, &why), OKRA_E_PARAMETER);
    setlocale(LC_ALL, "C");
    assert_ok(okra_spec_set(&copy, "mu", longer, &why));
}

static void every_parameter_belongs_to_a_recipe(void **state)
{
    (void)state;
    for (size_t p = 0; okra_param_at(p); p++) {
        size_t users = 0;
        for (size_t n = 0; okra_recipe_at(n); n++)
            for (size_t i = 0; i < okra_recipe_at(n)->n_params; i++)
                users += okra_recipe_at(n)->params[i].param == okra_param_at(p);
        assert_true(users > 0);
    }
}

static void bad_values_are_refused_and_named(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
    } rows[] = {
        {"mu", "abc", "'abc' is not a number"},
        {"mu", "", "not a number"},
        {"mu", "1x", "not a number"},
        {"mu", "0", "out of range"},
        {"mu", "-1", "out of range"},
        {"mu", "nan", "not a number"},
        {"mu", "inf", "not a number"},
        {"sigma", "1e400", "not a number"},
        {"sigma", "1,", "not a number"},
        {"sigma", "1,,2", "not a number"},
        {"sigma", "1 2", "not a number"},
        {"sigma", "1,0", "out of range"},
        {"sigma", "1,auto", "not a number"},
        {"sigma", "1,2,3,4,5,6,7,8,9", "more than 8"},
        {"widths", "", "not a number"},
        {"widths", "1,0", "out of range"},
        {"widths", "0", "out of range"},
        {"widths", "1,-2", "out of range"},
        {"widths", "1,nan", "not a number"},
        {"widths", "1,equal", "not a number"},
        {"widths", "auto,1", "not a number"},
        {"features", "0", "out of range"},
        {"features", "-3", "not a whole number"},
        {"features", "1.5", "not a whole number"},
        {"features", "99999999999999999999", "not a whole number"},
        {"seed", "-1", "not a whole number"},
        {"kernel", "gauss", "none of: gaussian, laplacian"},
        {"kernel", "gau\nss", "'gau?ss' is none of"},
        {"map", "foo", "none of: rff, pair, orf, sorf, qmc, quadrature, linear"},
        {"precision", "f16", "none of: f64, f32"},
        {"reg", "1", "no parameter 'reg'"},
        {"nonsense", "1", "no parameter 'nonsense'"},
    };
    okra_spec spec, before;
    assert_ok(okra_spec_init(&spec, "rff-klms", 2, 1));
    before = spec;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        okra_message why = {""};
        assert_status(okra_spec_set(&spec, rows[i].name, rows[i].text, &why), OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, rows[i].says));
        assert_memory_equal(&spec, &before, sizeof spec);
        assert_status(okra_spec_set(&spec, rows[i].name, rows[i].text, NULL), OKRA_E_PARAMETER);
    }
}

/* The largest count is how "auto" is kept, and is no other way to say it. */
static void auto_is_a_word(void **state)
{
    (void)state;
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "rls", 2, 1));
    assert_status(okra_spec_set(&spec, "cyclic", "18446744073709551615", NULL), OKRA_E_PARAMETER);
    assert_ok(okra_spec_set(&spec, "cyclic", "0", NULL));
    assert_ok(okra_spec_set(&spec, "cyclic", "auto", NULL));
    assert_true(spec.cyclic == OKRA_AUTO);
}

static void get_minds_its_buffer(void **state)
{
    (void)state;
    okra_spec spec;
    char text[4] = "xyz";
    assert_ok(okra_spec_init(&spec, "rff-klms", 2, 1));
    assert_ok(okra_spec_get(&spec, "features", text, sizeof text));
    assert_string_equal(text, "300");
    assert_status(okra_spec_get(&spec, "features", text, 3), OKRA_E_BUFFER);
    assert_status(okra_spec_get(&spec, "reg", text, sizeof text), OKRA_E_PARAMETER);
    assert_status(okra_spec_get(NULL, "reg", text, sizeof text), OKRA_E_NULL);
}

#define REFUSED(change, wanted)                              \
    do {                                                     \
        okra_spec spec;                                      \
        okra_filter *filter = (okra_filter *)1;              \
        okra_message why = {""};                             \
        assert_ok(okra_spec_init(&spec, "rff-klms", 2, 1));  \
        change;                                              \
        assert_status(okra_spec_check(&spec, &why), wanted); \
        assert_true(strlen(why.text) > 5);                   \
        assert_status(okra_create(&spec, &filter), wanted);  \
        assert_null(filter);                                 \
        assert_int_equal(okra_size(&spec), 0);               \
    } while (0)

static void bad_specs_are_refused(void **state)
{
    (void)state;
    const double omega[] = {1, 2}, bad[] = {1, (double)NAN}, phase[] = {0.5};
    REFUSED(spec.inputs = 0, OKRA_E_PARAMETER);
    REFUSED(spec.inputs = SIZE_MAX, OKRA_E_PARAMETER);
    REFUSED(spec.outputs = 0, OKRA_E_PARAMETER);
    REFUSED(spec.features = 0, OKRA_E_PARAMETER);
    REFUSED(spec.mu = 0, OKRA_E_PARAMETER);
    REFUSED(spec.mu = (double)NAN, OKRA_E_PARAMETER);
    REFUSED(spec.sigma = (double)INFINITY, OKRA_E_PARAMETER);
    REFUSED(spec.kernel = 99, OKRA_E_PARAMETER);
    REFUSED(spec.map = 0, OKRA_E_PARAMETER);
    REFUSED(spec.precision = 16, OKRA_E_PARAMETER);
    REFUSED(spec.recipe = "none", OKRA_E_RECIPE);
    REFUSED(spec.recipe = NULL, OKRA_E_RECIPE);
    REFUSED((spec.features = 1, spec.omega = omega), OKRA_E_PARAMETER);
    REFUSED((spec.features = 1, spec.omega = bad, spec.phase = phase), OKRA_E_PARAMETER);
    REFUSED((spec.features = 1, spec.omega = omega, spec.phase = bad + 1), OKRA_E_PARAMETER);
    REFUSED((spec.map = OKRA_MAP_LINEAR, spec.features = 1, spec.omega = omega, spec.phase = phase), OKRA_E_PARAMETER);
    REFUSED((spec.recipe = "lms"), OKRA_E_PARAMETER); /* its map is its own */
    okra_spec spec;
    okra_message why;
    assert_ok(okra_spec_init(&spec, "krls", 2, 1));
    spec.precision = OKRA_F32, spec.nu = 1e-5; /* rounding would decide */
    assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "float32"));
    spec.recipe = "none";
    assert_status(okra_spec_set(&spec, "nu", "0.1", &why), OKRA_E_RECIPE);
    assert_status(okra_spec_check(NULL, &why), OKRA_E_NULL);
}

/* A spec is the caller's, and so are the texts and arrays that it points to: filters and models keep none of them, not
 * even while they are copied, reset, or give their filter another width. */
static void the_spec_may_go(void **state)
{
    (void)state;
    okra_spec *spec = malloc(sizeof *spec);
    double *numbers = malloc(3 * sizeof *numbers);
    const double x[] = {1, 2}, y = 3;
    double yhat;
    okra_filter *filter, *twin;
    okra_filter *model;
    assert_ok(okra_spec_init(spec, "rff-klms", 2, 1));
    char *recipe = strdup(spec->recipe);
    spec->recipe = recipe, spec->sigma = OKRA_SIGMA_AUTO, spec->warmup = 2;
    assert_ok(okra_create(spec, &model));
    numbers[0] = numbers[1] = numbers[2] = 1;
    spec->sigma = 1, spec->features = 1, spec->omega = numbers, spec->phase = numbers + 2;
    assert_ok(okra_create(spec, &filter));
    memset(recipe, 'x', strlen(recipe));
    free(recipe), free(numbers), free(spec);

    assert_string_equal(okra_get_spec(filter)->recipe, "rff-klms");
    assert_null(okra_get_spec(filter)->omega);
    assert_null(okra_get_spec(filter)->phase);
    assert_ok(okra_clone(filter, &twin));
    okra_free(filter);
    assert_ok(okra_step(twin, x, &y, 1, &yhat, NULL));
    assert_ok(okra_reset(twin));
    assert_string_equal(okra_get_spec(twin)->recipe, "rff-klms");
    okra_free(twin);

    assert_string_equal(okra_get_spec(model)->recipe, "rff-klms");
    for (int i = 0; i < 5; i++)
        assert_ok(okra_step(model, x, &y, 1, &yhat, NULL));
    assert_ok(okra_reset(model));
    assert_string_equal(okra_get_spec(model)->recipe, "rff-klms");
    okra_free(model);
}

/* Sizes whose product passes the address space: said, not allocated. */
static void impossible_sizes(void **state)
{
    (void)state;
    okra_spec spec;
    okra_filter *filter;
    assert_ok(okra_spec_init(&spec, "rff-klms", 1 << 30, 1));
    spec.features = 1 << 30;
    spec.outputs = 1 << 30;
    okra_status status = okra_create(&spec, &filter);
    assert_true(status == OKRA_E_SIZE || status == OKRA_E_MEMORY);
    assert_null(filter);
}

/* A spec of another version's header would be read past its end, or beside its fields. */
static void a_spec_says_its_size(void **state)
{
    (void)state;
    okra_spec spec;
    okra_filter *filter = NULL;
    okra_message why = {""};
    assert_ok(okra_spec_init(&spec, "rff-klms", 1, 1));
    assert_int_equal(spec.size, sizeof spec);
    for (int off = -8; off <= 8; off += 16) {
        spec.size = sizeof spec + (size_t)off;
        assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, "okra_spec_init()"));
        assert_status(okra_create(&spec, &filter), OKRA_E_PARAMETER);
        assert_null(filter);
    }
}

static void init_refuses_nonsense(void **state)
{
    (void)state;
    okra_spec spec;
    assert_status(okra_spec_init(NULL, "lms", 1, 1), OKRA_E_NULL);
    assert_status(okra_spec_init(&spec, NULL, 1, 1), OKRA_E_NULL);
    assert_status(okra_spec_init(&spec, "lsm", 1, 1), OKRA_E_RECIPE);
    assert_status(okra_spec_check(NULL, NULL), OKRA_E_NULL);
    assert_status(okra_spec_set(NULL, "mu", "1", NULL), OKRA_E_NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recipe_is_complete),
        cmocka_unit_test(parameters_round_trip),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(every_parameter_belongs_to_a_recipe),
        cmocka_unit_test(bad_values_are_refused_and_named),
        cmocka_unit_test(auto_is_a_word),
        cmocka_unit_test(get_minds_its_buffer),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(the_spec_may_go),
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(a_spec_says_its_size),
        cmocka_unit_test(init_refuses_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
