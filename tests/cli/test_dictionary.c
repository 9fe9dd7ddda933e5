/*
 * okra run with dictionaries and RLS: what the summary says of them, and what is said when they refuse.
 */
#include "harness.h"

#include <jansson.h>

/* Far apart for a width of 1: every row is a centre for every recipe. */
static const char far[] = "x,y\n0,1\n10,2\n20,3\n30,4\n40,5\n";

static json_t *metrics_of(outcome *result)
{
    assert_done(*result);
    json_t *metrics = json_load_file("m.json", JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(metrics);
    return metrics;
}

static long long whole(const json_t *metrics, const char *key)
{
    json_t *value = json_object_get(metrics, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

/* ---- the summary --------------------------------------------------------------------------------------------- */

static void centres_are_told_where_there_is_a_dictionary(void **state)
{
    (void)state;
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++) {
        bool bounded = false;
        for (size_t p = 0; p < recipe->n_params; p++)
            bounded = bounded || strcmp(recipe->params[p].param->name, "capacity") == 0;
        outcome result = okra(far, "run", "--recipe", recipe->name, "--metrics", "m.json");
        json_t *metrics = metrics_of(&result);
        assert_int_equal(json_object_get(metrics, "centres") != NULL, bounded);
        assert_int_equal(json_object_get(metrics, "full") != NULL, bounded);
        if (bounded) {
            assert_int_equal(whole(metrics, "centres"), 5);
            assert_int_equal(whole(metrics, "full"), 0);
            assert_has(result.err, "centres          5\n");
            assert_has(result.err, "full             0\n");
        }
        if (strcmp(recipe->name, "auto") != 0) /* which needs more rows than these to begin */
            assert_null(strstr(result.err, "okra:"));
        json_decref(metrics);
        outcome_free(&result);
    }
}

static void an_empty_dictionary_is_told_too(void **state)
{
    (void)state;
    outcome result = okra("x,y\n", "run", "--recipe", "klms", "--metrics", "m.json");
    json_t *metrics = metrics_of(&result);
    assert_int_equal(whole(metrics, "centres"), 0);
    json_decref(metrics);
    outcome_free(&result);
}

static void a_full_dictionary_is_told_plainly(void **state)
{
    (void)state;
    outcome result = okra(far, "run", "--recipe", "klms", "--capacity", "2", "--metrics", "m.json");
    json_t *metrics = metrics_of(&result);
    assert_int_equal(whole(metrics, "centres"), 2);
    assert_int_equal(whole(metrics, "full"), 3);
    json_decref(metrics);
    assert_has(result.err, "full             3\n");
    assert_has(result.err, "okra: the dictionary was full 3 times");
    assert_has(result.err, "raise --capacity 2");
    outcome_free(&result);
    result = okra(far, "run", "--recipe", "klms", "--capacity", "2", "--when-full", "oldest");
    assert_done(result);
    assert_has(result.err, "okra: the dictionary was full 3 times");
    assert_has(result.err, "replaced its oldest");
    outcome_free(&result);
    result = okra(far, "run", "--quiet", "--recipe", "klms", "--capacity", "2");
    assert_done(result);
    assert_string_equal(result.err, "");
    outcome_free(&result);
}

static void a_parameter_that_is_a_word_is_a_string(void **state)
{
    (void)state;
    outcome result = okra(far, "run", "--recipe", "rls", "--metrics", "m.json");
    json_t *metrics = metrics_of(&result);
    assert_string_equal(json_string_value(json_object_get(metrics, "cyclic")), "auto");
    assert_has(result.err, "cyclic           auto\n");
    json_decref(metrics);
    outcome_free(&result);
    result = okra(far, "run", "--quiet", "--recipe", "rff-krls", "--cyclic", "auto", "--metrics", "m.json");
    metrics = metrics_of(&result);
    assert_string_equal(json_string_value(json_object_get(metrics, "cyclic")), "auto");
    json_decref(metrics);
    outcome_free(&result);
    result = okra(far, "run", "--quiet", "--recipe", "rls", "--cyclic", "0", "--metrics", "m.json");
    metrics = metrics_of(&result);
    assert_int_equal(whole(metrics, "cyclic"), 0);
    json_decref(metrics);
    outcome_free(&result);
}

/* ---- refusals ------------------------------------------------------------------------------------------------ */

static void a_full_dictionary_can_be_an_error(void **state)
{
    (void)state;
    write_file("far.csv", far);
    outcome result = okra(NULL, "run", "--recipe", "qklms", "--capacity", "2", "--when-full", "error", "far.csv");
    assert_int_equal(count_lines(result.out), 3); /* what was predicted before stays */
    assert_refused(result, 1, "far.csv:4:", "full", "--capacity 2", "raise", "--when-full stop or oldest");
    /* krls cannot replace a centre, so it is not told to. */
    result = okra(NULL, "run", "--recipe", "krls", "--capacity", "2", "--when-full", "error", "far.csv");
    assert_null(strstr(result.err, "oldest"));
    assert_refused(result, 1, "far.csv:4:", "full", "--capacity 2", "raise", "--when-full stop");
}

static void choices_that_a_recipe_refuses_are_told_at_once(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "run", "--recipe", "krls", "--when-full", "oldest", "absent.csv"), 2, "krls",
                   "when-full");
}

/* The square of so many: more than addresses reach, and more than any machine has. */
static void memory_that_is_not_there_is_told(void **state)
{
    (void)state;
    assert_refused(okra(far, "run", "--recipe", "krls", "--capacity", "1073741824"), 2, "--capacity 1073741824",
                   "memory", "lower");
    outcome result = okra(far, "run", "--recipe", "rff-krls", "--features", "1073741824");
    if (strstr(result.err, "AddressSanitizer")) { /* which ends a program that asks for so much */
        outcome_free(&result);
        skip();
    }
    assert_refused(result, 2, "--features 1073741824", "memory", "lower");
}

/* x is the same in every row, so one direction is never seen, and forgetting lets P grow there by 10 a row. */
static void divergence_gets_advice_that_suits_the_recipe(void **state)
{
    (void)state;
    char text[8192] = "x,y\n";
    for (size_t n = 0; n < 800; n++)
        strcat(text, "1,1\n");
    assert_refused(okra(text, "run", "--recipe", "rls", "--lambda", "0.5", "--beta", "0.1", "--cyclic", "0"), 3,
                   "standard input:", "rls diverged", "raise --lambda 0.5 or --beta 0.1", "or leave --cyclic at auto");
    outcome result = okra(text, "run", "--recipe", "rls", "--beta", "0.1");
    assert_done(result);
    outcome_free(&result);
    /* Targets whose difference is no double. */
    const char *huge = "x,y\n1,1e308\n1.5,-1e308\n1.2,1e308\n1.1,-1e308\n1,1e308\n";
    assert_refused(okra(huge, "run", "--recipe", "krls"), 3, "krls diverged", "raise --nu 0.0005", "scale");
    assert_refused(okra(huge, "run", "--recipe", "rls"), 3, "rls diverged", "raise --lambda 0.01", "scale");
    assert_refused(okra(huge, "run", "--recipe", "qklms"), 3, "qklms diverged", "--mu 0.5 ", "lower it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centres_are_told_where_there_is_a_dictionary),
        cmocka_unit_test(an_empty_dictionary_is_told_too),
        cmocka_unit_test(a_full_dictionary_is_told_plainly),
        cmocka_unit_test(a_parameter_that_is_a_word_is_a_string),
        cmocka_unit_test(a_full_dictionary_can_be_an_error),
        cmocka_unit_test(choices_that_a_recipe_refuses_are_told_at_once),
        cmocka_unit_test(memory_that_is_not_there_is_told),
        cmocka_unit_test(divergence_gets_advice_that_suits_the_recipe),
    };
    return cmocka_run_group_tests_name("cli dictionary", tests, enter_directory, leave_directory);
}
