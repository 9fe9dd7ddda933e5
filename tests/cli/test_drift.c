/*
 * okra run --on-drift: what is said, what is counted, what is learnt again, and that a run which stopped goes on with
 * it.
 */
#include "harness.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

enum { SWITCH = 3000, ROWS = 8000 };

#define CHANNEL "signal", "channel", "--switch", "3000", "--samples", "8000"
/* Forgets nothing by itself. */
#define SLOW "run", "--recipe", "rff-krls", "--features", "60", "--beta", "1", "--sigma", "2", "--lags", "5"

static void run_done(outcome result)
{
    assert_done(result);
    outcome_free(&result);
}

static json_t *metrics_of(const char *name)
{
    json_t *all = json_load_file(name, 0, NULL);
    assert_non_null(all);
    return all;
}

static int enter(void **state)
{
    int entered = enter_directory(state);
    if (entered == 0)
        run_done(okra(NULL, CHANNEL, "--out", "switch.csv"));
    return entered;
}

/* ---- telling --------------------------------------------------------------------------------------------------- */

/* Rows of the two switches, each found at once or a little later. */
static void assert_drift_rows(const json_t *all)
{
    const json_t *rows = json_object_get(all, "drift_rows");
    assert_int_equal(json_integer_value(json_object_get(all, "drifts")), 2);
    assert_int_equal(json_array_size(rows), 2);
    for (size_t i = 0; i < 2; i++) {
        json_int_t row = json_integer_value(json_array_get(rows, i)), changed = (json_int_t)(i + 1) * SWITCH;
        assert_true(row > changed && row <= changed + 300);
    }
}

/* Each line names the file and the line, which the header makes one more than the row. */
static void reporting_changes_nothing_but_words(void **state)
{
    (void)state;
    run_done(okra(NULL, SLOW, "--quiet", "--out", "plain.csv", "switch.csv"));
    outcome told = okra(NULL, SLOW, "--on-drift", "report", "--metrics", "m.json", "switch.csv");
    assert_done(told);
    char *plain = read_file("plain.csv"), line[96];
    assert_string_equal(told.out, plain);
    json_t *all = metrics_of("m.json");
    assert_drift_rows(all);
    json_int_t row = json_integer_value(json_array_get(json_object_get(all, "drift_rows"), 0));
    snprintf(line, sizeof line, "okra: switch.csv:%lld: drift: the error rose from 0.0", (long long)row + 1);
    assert_has(told.err, line);
    assert_has(told.err, "drifts           2\n");
    json_decref(all);
    outcome_free(&told);
    free(plain);
}

static void stationary_streams_stay_quiet(void **state)
{
    (void)state;
    static const char *const signals[] = {"ex2", "mackey-glass", "lorenz"};
    static const char *const seeds[] = {"1", "2"};
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        for (size_t k = 0; k < COUNT_OF(seeds); k++) {
            run_done(okra(NULL, "signal", signals[i], "--samples", "100000", "--seed", seeds[k], "--out", "s.f64"));
            run_done(okra(NULL, "run", "--quiet", "--recipe", "rff-klms", "--features", "100", "--sigma", "auto",
                          "--scale", "auto", "--columns", i == 0 ? "6" : "1", "--on-drift", "report", "--metrics",
                          "m.json", "--out", "o.f64", "s.f64"));
            json_t *all = metrics_of("m.json");
            if (json_integer_value(json_object_get(all, "drifts")) != 0)
                fail_msg("%s, seed %s: drifts", signals[i], seeds[k]);
            json_decref(all);
        }
}

/* Errors of 1 and 100 in turn, because nothing is learnt; every rise counts, a hundred are told. */
static void many_are_counted(void **state)
{
    (void)state;
    enum { TURNS = 105, HALF = 1500 };
    okra_random source = {.seed = 1};
    FILE *file = fopen("turns.csv", "w");
    assert_non_null(file);
    for (size_t i = 0; i < 2 * HALF * TURNS; i++) {
        double noise;
        okra_random_normal(&source, 1, &noise);
        fprintf(file, "0,%.3g\n", noise * (i / HALF % 2 ? 100 : 1));
    }
    assert_int_equal(fclose(file), 0);
    outcome told = okra(NULL, "run", "--recipe", "lms", "--mu", "1e-12", "--on-drift", "report", "--out", "o.f64",
                        "--metrics", "m.json", "turns.csv");
    assert_done(told);
    json_t *all = metrics_of("m.json");
    assert_int_equal(json_integer_value(json_object_get(all, "drifts")), TURNS);
    assert_int_equal(json_array_size(json_object_get(all, "drift_rows")), 100);
    size_t lines = 0;
    for (const char *at = told.err; (at = strstr(at, ": drift: ")); at++)
        lines++;
    assert_int_equal(lines, 100);
    assert_has(told.err, "100 drifts have been reported");
    json_decref(all);
    outcome_free(&told);
}

/* The second target drifts alone. */
static void the_output_is_named(void **state)
{
    (void)state;
    okra_random source = {.seed = 2};
    FILE *file = fopen("two.csv", "w");
    assert_non_null(file);
    fputs("x,calm,wild\n", file);
    for (size_t i = 0; i < 4000; i++) {
        double noise[3];
        okra_random_normal(&source, 3, noise);
        fprintf(file, "%.5g,%.5g,%.5g\n", noise[0], noise[1], noise[2] * (i < 3000 ? 1 : 20));
    }
    assert_int_equal(fclose(file), 0);
    outcome told = okra(NULL, "run", "--recipe", "rls", "--target", "calm,wild", "--on-drift", "report", "--out",
                        "o.csv", "two.csv");
    assert_done(told);
    assert_has(told.err, "drift: the error of column 3 (wild) rose from ");
    assert_has(told.err, "drifts           1\n");
    outcome_free(&told);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    assert_refused(okra("x,y\n1,2\n", "run", "--on-drift", "restart"), 2, "--on-drift: 'restart'", "report", "reset");
}

/* ---- learning again --------------------------------------------------------------------------------------------- */

static double mse(const char *recipe, const char *on_drift, const char *more, const char *value)
{
    run_done(okra(NULL, "run", "--quiet", "--recipe", recipe, "--beta", "1", "--lags", "5", more, value, "--on-drift",
                  on_drift, "--score-from", "3000", "--metrics", "m.json", "--out", "o.csv", "switch.csv"));
    json_t *all = metrics_of("m.json");
    double value_of = json_real_value(json_object_get(all, "mse"));
    assert_int_equal(json_integer_value(json_object_get(all, "rows")), ROWS);
    assert_int_equal(json_integer_value(json_object_get(all, "learnt")), ROWS - 4);
    json_decref(all);
    return value_of;
}

/* The channel changes for good, so that what was learnt before is wrong: 0.4 to 0.6 against 0.02 to 0.1. */
static void a_reset_pays_on_the_switching_channel(void **state)
{
    (void)state;
    assert_true(mse("rff-krls", "reset", "--sigma", "2") < 0.2 * mse("rff-krls", "report", "--sigma", "2"));
    assert_true(mse("rff-krls", "reset", "--scale", "auto") < 0.2 * mse("rff-krls", "report", "--scale", "auto"));
    assert_true(mse("rls", "reset", "--scale", "none") < 0.4 * mse("rls", "report", "--scale", "none"));
}

/* The rows before the first drift are the same, and no row after it lacks a prediction. */
static void a_reset_leaves_no_gap(void **state)
{
    (void)state;
    static const char *const horizons[] = {"1", "3"}, *const precisions[] = {"f64", "f32"};
    for (size_t i = 0; i < 4; i++) {
        const char *horizon = horizons[i / 2], *precision = precisions[i % 2];
#define DEEP                                                                                                      \
    SLOW, "--quiet", "--target-lags", "3", "--horizon", horizon, "--precision", precision, "--score-from", "100", \
        "--scale", "auto"
        run_done(okra(NULL, DEEP, "--out", "plain.csv", "switch.csv"));
        run_done(okra(NULL, DEEP, "--on-drift", "reset", "--metrics", "m.json", "--out", "o.csv", "switch.csv"));
        json_t *all = metrics_of("m.json"), *rows = json_object_get(all, "drift_rows");
        assert_true(json_array_size(rows) >= 1);
        size_t row = (size_t)json_integer_value(json_array_get(rows, 0));
        char *plain = read_file("plain.csv"), *reset = read_file("o.csv"), *line = plain;
        for (size_t n = 0; n <= row; n++) /* the header too */
            line = strchr(line, '\n') + 1;
        assert_memory_equal(plain, reset, (size_t)(line - plain));
        assert_string_not_equal(plain, reset);
        assert_null(strstr(reset + (line - plain), ",,"));
        json_decref(all);
        free(plain), free(reset);
    }
}

/* ---- going on -------------------------------------------------------------------------------------------------- */

static void copy_rows(const char *from, const char *to, size_t rows)
{
    char *text = read_file(from), *end = text;
    for (size_t i = 0; i <= rows && *end; i++) /* the header too */
        end = strchr(end, '\n') + 1;
    *end = '\0';
    write_file(to, text);
    free(text);
}

static void assert_same_files(const char *a, const char *b)
{
    char *x = read_file(a), *y = read_file(b);
    if (strcmp(x, y) != 0)
        fail_msg("%s and %s differ", a, b);
    free(x), free(y);
}

static void assert_same_metrics(const char *a, const char *b)
{
    json_t *x = metrics_of(a), *y = metrics_of(b);
    json_object_del(x, "seconds"), json_object_del(y, "seconds");
    json_object_del(x, "rows_per_second"), json_object_del(y, "rows_per_second");
    if (!json_equal(x, y))
        fail_msg("%s and %s differ", a, b);
    json_decref(x), json_decref(y);
}

#define WATCHED(mode) SLOW, "--quiet", "--scale", "auto", "--on-drift", mode

static void resume_after(const char *mode, size_t rows)
{
    run_done(okra(NULL, WATCHED(mode), "--out", "full.csv", "--metrics", "full.json", "switch.csv"));
    copy_rows("switch.csv", "s.csv", rows);
    run_done(okra(NULL, WATCHED(mode), "--out", "out.csv", "--save", "m.okra", "s.csv"));
    copy_rows("switch.csv", "s.csv", ROWS);
    run_done(okra(NULL, "run", "--quiet", "--resume", "--save", "m.okra", "--out", "out.csv", "--metrics", "m.json",
                  "s.csv"));
    assert_same_files("full.csv", "out.csv");
    assert_same_metrics("full.json", "m.json");
}

/* Before anything is tested, in quiet times, under suspicion (the drift is found a few rows later), after a reset. */
static void a_watched_run_goes_on_as_if_it_had_not_stopped(void **state)
{
    (void)state;
    static const size_t stops[] = {0, 5, 300, 520, 2000, SWITCH + 5, SWITCH + 15, SWITCH + 200, SWITCH + 700, 6100};
    for (size_t i = 0; i < COUNT_OF(stops); i++) {
        resume_after("reset", stops[i]);
        resume_after("report", stops[i]);
    }
}

/* New rows for a model that was saved are held against the errors it had. */
static void a_loaded_model_remembers_its_errors(void **state)
{
    (void)state;
    copy_rows("switch.csv", "s.csv", SWITCH);
    run_done(okra(NULL, SLOW, "--quiet", "--on-drift", "report", "--save", "m.okra", "--out", "o.csv", "s.csv"));
    char *text = read_file("switch.csv"), *rest = text;
    for (size_t i = 0; i <= SWITCH; i++)
        rest = strchr(rest, '\n') + 1;
    char *new_rows = malloc(strlen(rest) + 5);
    assert_non_null(new_rows);
    sprintf(new_rows, "u,y\n%s", rest);
    outcome told = okra(new_rows, "run", "--quiet", "--load", "m.okra", "--on-drift", "report", "--metrics", "m.json",
                        "--out", "o.csv");
    assert_done(told);
    json_t *all = metrics_of("m.json");
    assert_true(json_integer_value(json_array_get(json_object_get(all, "drift_rows"), 0)) <= 300);
    assert_has(told.err, "standard input:");
    json_decref(all);
    outcome_free(&told);
    free(new_rows), free(text);
}

static void a_run_that_was_not_watched_cannot_be_resumed_watched(void **state)
{
    (void)state;
    copy_rows("switch.csv", "s.csv", 100);
    run_done(okra(NULL, SLOW, "--quiet", "--save", "m.okra", "--out", "o.csv", "s.csv"));
    assert_refused(okra(NULL, SLOW, "--quiet", "--resume", "--on-drift", "reset", "--save", "m.okra", "--out", "o.csv",
                        "switch.csv"),
                   2, "--on-drift reset", "leave --on-drift out");
}

/* ---- restarts of the default recipe ---------------------------------------------------------------------------- */

/* Inputs and target, a hundred times larger from row 2000 on. */
static void write_growing(const char *name)
{
    FILE *file = fopen(name, "w");
    fprintf(file, "a,b,y\n");
    for (int t = 0; t < 3000; t++) {
        double size = t < 2000 ? 1 : 100, a = sin(0.7 * t), b = cos(1.9 * t * t);
        fprintf(file, "%.9g,%.9g,%.9g\n", size * a, size * b, size * (a * b + a));
    }
    assert_int_equal(fclose(file), 0);
}

static void a_restart_is_told_counted_and_kept(void **state)
{
    (void)state;
    write_growing("grows.csv");
    outcome told =
        okra(NULL, "run", "--features", "20", "--metrics", "m.json", "--save", "m.okra", "--out", "o.csv", "grows.csv");
    assert_done(told);
    char *line = strstr(told.err, "okra: grows.csv:2");
    assert_non_null(line);
    assert_non_null(strstr(line, "the scale of most columns has changed"));
    assert_null(strstr(strchr(line, '\n'), "the scale of most columns")); /* once */
    json_t *all = metrics_of("m.json");
    assert_int_equal(json_integer_value(json_object_get(all, "restarts")), 1);
    assert_int_equal(json_integer_value(json_object_get(all, "learnt")), 3000);
    json_decref(all);
    outcome_free(&told);
    run_done(okra(NULL, "info", "--metrics", "i.json", "m.okra"));
    all = metrics_of("i.json");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "counters"), "restarts")), 1);
    json_decref(all);
    /* what is loaded has restarted before, and does not say it again */
    outcome later = okra(NULL, "run", "--load", "m.okra", "--out", "o.csv", "grows.csv");
    assert_done(later);
    assert_null(strstr(later.err, "(restart 1)"));
    outcome_free(&later);
    outcome quiet = okra(NULL, "run", "--features", "20", "--quiet", "--out", "o.csv", "grows.csv");
    assert_done(quiet);
    assert_string_equal(quiet.err, "");
    outcome_free(&quiet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reporting_changes_nothing_but_words),
        cmocka_unit_test(stationary_streams_stay_quiet),
        cmocka_unit_test(many_are_counted),
        cmocka_unit_test(the_output_is_named),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(a_reset_pays_on_the_switching_channel),
        cmocka_unit_test(a_reset_leaves_no_gap),
        cmocka_unit_test(a_watched_run_goes_on_as_if_it_had_not_stopped),
        cmocka_unit_test(a_loaded_model_remembers_its_errors),
        cmocka_unit_test(a_run_that_was_not_watched_cannot_be_resumed_watched),
        cmocka_unit_test(a_restart_is_told_counted_and_kept),
    };
    return cmocka_run_group_tests(tests, enter, leave_directory);
}
