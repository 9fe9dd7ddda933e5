/* Which inputs matter: okra_get_relevance() against streams whose inputs are known to matter or not. */
#include "check.h"

enum { INPUTS = 6, ROWS = 1500, FIRST_SEARCH = 64 };

/* Inputs 1 and 4 matter, nonlinearly. */
static double target_of(const double *x) { return sin(2 * x[1]) + x[4] * x[4] / 2; }

static okra_filter *make_model(const char *recipe, int precision)
{
    okra_spec spec;
    okra_filter *model;
    assert_ok(okra_spec_init(&spec, recipe, INPUTS, 1));
    spec.precision = precision;
    spec.features = 100;
    assert_ok(okra_create(&spec, &model));
    return model;
}

static void take_rows(okra_filter *model, size_t from, size_t to)
{
    for (size_t t = from; t < to; t++) {
        okra_random random = {.seed = 5, .run = (uint32_t)t};
        double x[INPUTS + 1], y;
        okra_random_normal(&random, INPUTS + 1, x);
        y = target_of(x) + 0.05 * x[INPUTS];
        assert_ok(okra_step(model, x, &y, 1, NULL, NULL));
    }
}

static double sum_of(const double *a, size_t n)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        assert_true(a[j] >= 0);
        sum += a[j];
    }
    return sum;
}

static void what_matters_is_first(int precision)
{
    double r[INPUTS];
    okra_filter *model = make_model("auto", precision);
    take_rows(model, 0, ROWS);
    assert_ok(okra_get_relevance(model, r));
    assert_near(sum_of(r, INPUTS), 1, INPUTS * DBL_EPSILON);
    assert_true(r[1] + r[4] > 0.8);
    for (size_t j = 0; j < INPUTS; j++)
        assert_true(j == 1 || j == 4 || (r[j] < r[1] && r[j] < r[4]));
    okra_free(model);
}

static void what_matters_is_first_f64(void **state)
{
    (void)state;
    what_matters_is_first(OKRA_F64);
}

static void what_matters_is_first_f32(void **state)
{
    (void)state;
    what_matters_is_first(OKRA_F32);
}

/* The widths of a slot are an array of the state: relevance times width^2 is the same for all inputs. */
static void is_as_its_widths_say(void **state)
{
    (void)state;
    double r[INPUTS], widths[INPUTS];
    okra_filter *model = make_model("auto", OKRA_F64);
    take_rows(model, 0, 300);
    assert_ok(okra_get_relevance(model, r));
    bool agrees = false;
    for (const char *const *name = (const char *const[]){"m8.widths", "m9.widths", NULL}; *name; name++) {
        bool same = okra_array_read(model, *name, widths) == OKRA_OK;
        for (size_t j = 0; same && j < INPUTS; j++)
            same = fabs(r[j] * widths[j] * widths[j] / (r[0] * widths[0] * widths[0]) - 1) < 1e-12;
        agrees = agrees || same;
    }
    assert_true(agrees);
    okra_free(model);
}

static void is_refused_where_there_is_none(void **state)
{
    (void)state;
    double r[INPUTS] = {7};
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++) {
        okra_filter *model = make_model(recipe->name, OKRA_F64);
        assert_status(okra_get_relevance(model, r), OKRA_E_UNSUPPORTED); /* before the first row */
        take_rows(model, 0, FIRST_SEARCH - 1);
        assert_status(okra_get_relevance(model, r), OKRA_E_UNSUPPORTED);
        take_rows(model, FIRST_SEARCH - 1, 4 * FIRST_SEARCH);
        assert_true(r[0] == 7);
        assert_status(okra_get_relevance(model, r), recipe->relevance ? OKRA_OK : OKRA_E_UNSUPPORTED);
        assert_true(recipe->relevance == (r[0] != 7));
        r[0] = 7;
        assert_ok(okra_reset(model));
        assert_status(okra_get_relevance(model, r), OKRA_E_UNSUPPORTED);
        assert_status(okra_get_relevance(model, NULL), OKRA_E_NULL);
        okra_free(model);
    }
    assert_status(okra_get_relevance(NULL, r), OKRA_E_NULL);
}

static okra_filter *load_state(const okra_filter *from)
{
    okra_filter *to;
    okra_counter counter;
    okra_array array;
    assert_ok(okra_create_empty(okra_get_spec(from), &to));
    for (size_t i = 0; okra_counter_at(from, i, &counter) == OKRA_OK; i++)
        assert_ok(okra_counter_write(to, counter.name, counter.value));
    for (size_t i = 0; okra_array_at(from, i, &array) == OKRA_OK; i++) {
        void *numbers = malloc(array.rows * array.cols * sizeof(double) + 1);
        assert_non_null(numbers);
        assert_ok(okra_array_read(from, array.name, numbers));
        assert_ok(okra_array_write(to, array.name, numbers));
        free(numbers);
    }
    return to;
}

static void copies_keep_it(int precision)
{
    double r[INPUTS], other[INPUTS];
    okra_filter *model = make_model("auto", precision), *twin, *loaded;
    take_rows(model, 0, 300);
    assert_ok(okra_get_relevance(model, r));
    assert_ok(okra_clone(model, &twin));
    loaded = load_state(model);
    okra_free(model);
    assert_ok(okra_get_relevance(twin, other));
    assert_memory_equal(r, other, sizeof r);
    assert_ok(okra_get_relevance(loaded, other));
    assert_memory_equal(r, other, sizeof r);
    okra_free(twin);
    okra_free(loaded);
}

static void copies_keep_it_f64(void **state)
{
    (void)state;
    copies_keep_it(OKRA_F64);
}

static void copies_keep_it_f32(void **state)
{
    (void)state;
    copies_keep_it(OKRA_F32);
}

/* Two inputs with lags 1 to 3, then two target lags: only b[t - 2] matters. */
static void lags_are_in_their_order(void **state)
{
    (void)state;
    enum { TAPS = 2 * 3 + 2, MATTERS = 3 + 1 };
    double r[TAPS], u[2], y, past[3] = {0};
    okra_spec spec, bare;
    okra_filter *model;
    assert_ok(okra_spec_init(&spec, "auto", 2, 1));
    spec.lags = 3;
    spec.lag_from = 1;
    spec.target_lags = 2;
    spec.features = 100;
    assert_ok(okra_create(&spec, &model));
    assert_ok(okra_bare_spec(model, &bare));
    assert_int_equal(bare.inputs, TAPS);
    for (size_t t = 0; t < 600; t++) {
        okra_random random = {.seed = 6, .run = (uint32_t)t};
        okra_random_normal(&random, 2, u);
        past[t % 3] = u[1];
        y = sin(2 * past[(t + 1) % 3]);
        assert_ok(okra_step(model, u, &y, 1, NULL, NULL));
    }
    assert_ok(okra_get_relevance(model, r));
    assert_near(sum_of(r, TAPS), 1, TAPS * DBL_EPSILON);
    assert_true(r[MATTERS] > 0.8);
    okra_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matters_is_first_f64), cmocka_unit_test(what_matters_is_first_f32),
        cmocka_unit_test(is_as_its_widths_say),      cmocka_unit_test(is_refused_where_there_is_none),
        cmocka_unit_test(copies_keep_it_f64),        cmocka_unit_test(copies_keep_it_f32),
        cmocka_unit_test(lags_are_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
