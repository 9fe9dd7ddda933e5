/*
 * bench, as far as it can be tested: what it says and what it writes, not what it measures.
 */
#include "harness.h"

#include <jansson.h>

static void help_lists_sections_and_options(void **state)
{
    (void)state;
    static const char *const words[] = {"lms",       "floors", "growth",  "--rounds",
                                        "--metrics", "--out",  "--quick", "--quiet"};
    outcome result = okra(NULL, "bench", "--help");
    assert_done(result);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_has(result.out, words[i]);
    outcome_free(&result);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "bench", "--round", "3"), 2, "'--round'", "did you mean '--rounds'");
    assert_refused(okra(NULL, "bench", "--rounds"), 2, "--rounds", "value");
}

#ifdef OKRA_HAVE_BENCH

static void wrong_sections_and_values_are_refused(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "bench", "lms", "speed"), 2, "'speed'", "lms, map, accuracy, predict, kernel", "growth",
                   "all");
    assert_refused(okra(NULL, "bench", "lms", "--rounds", "0"), 2, "--rounds", "'0'", "whole number");
    assert_refused(okra(NULL, "bench", "lms", "--rounds", "2x"), 2, "--rounds", "'2x'");
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("no number '%s'", key);
    return json_number_value(value);
}

/* A ratio over the rounds; false if the baseline is not installed. */
static bool is_spread(const json_t *row, const char *key)
{
    const json_t *spread = json_object_get(row, key);
    assert_true(json_is_object(spread));
    if (json_is_null(json_object_get(spread, "median")))
        return false;
    assert_true(number(spread, "p10") > 0);
    assert_true(number(spread, "p10") <= number(spread, "median"));
    assert_true(number(spread, "median") <= number(spread, "p90"));
    return true;
}

static void check_row(const json_t *row)
{
    static const char *const columns[] = {"core_floor", "bandwidth_floor", "step",   "naive",
                                          "sleef",      "double",          "sklearn"};
    assert_true(json_is_string(json_object_get(row, "map")));
    assert_near(number(row, "ns") * number(row, "samples_per_s"), 1e9, 1e5); /* written with 6 digits */
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        is_spread(row, columns[i]);
    assert_true(is_spread(row, "naive") && is_spread(row, "step") && is_spread(row, "bandwidth_floor"));
}

static void metrics_hold_the_table(void **state)
{
    (void)state;
    outcome result = okra(NULL, "bench", "lms", "--rounds", "2", "--quick", "--metrics", "f.json");
    assert_done(result);
    assert_has(result.out, "instruction set");
    assert_has(result.out, "core_floor");
    json_t *whole = json_load_file("f.json", 0, NULL), *row;
    assert_string_equal(json_string_value(json_object_get(whole, "version")), okra_version());
    assert_string_equal(json_string_value(json_object_get(whole, "isa")), okra_isa());
    assert_true(json_is_string(json_object_get(whole, "cpu")));
    assert_non_null(json_object_get(whole, "ghz"));
    json_t *rows = json_object_get(json_object_get(whole, "sections"), "lms");
    size_t i, found = 0;
    assert_int_equal(json_object_size(json_object_get(whole, "sections")), 1);
    json_array_foreach(rows, i, row)
    {
        check_row(row);
        found += number(row, "d") == 5 && number(row, "D") == 300;
    }
    assert_int_equal(found, 4); /* rff and pair, double and float32 */
    json_decref(whole);
    outcome_free(&result);
}

static void unwritable_metrics_are_refused(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "bench", "io", "--rounds", "1", "--metrics", "/nonexistent/f.json"), 1, "--metrics",
                   "/nonexistent/f.json");
}

#else

static void without_its_program_it_says_how_to_build_it(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "bench", "lms"), 1, "okra-bench", "make bench");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_lists_sections_and_options),       cmocka_unit_test(wrong_options_are_refused),
#ifdef OKRA_HAVE_BENCH
        cmocka_unit_test(wrong_sections_and_values_are_refused), cmocka_unit_test(metrics_hold_the_table),
        cmocka_unit_test(unwritable_metrics_are_refused),
#else
        cmocka_unit_test(without_its_program_it_says_how_to_build_it),
#endif
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
