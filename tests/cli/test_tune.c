/*
 * okra tune: the same answer for any number of threads, and a command line that does what was promised.
 */
#include <unistd.h>

#include "harness.h"

/* What `run` tells of a command line in a shell, with more options after it. */
static double nmse_of(const char *shell, const char *line, const char *more)
{
    char command[4096];
    const char *after = strchr(line, ' ');
    assert_non_null(after);
    snprintf(command, sizeof command, "'%s'%.*s --quiet --out /dev/null --metrics run.json %s", OKRA_PROGRAM,
             (int)strcspn(after, "\n"), after, more);
    outcome ran = run_program(&(call){0}, (const char *const[]){shell, "-c", command, NULL});
    assert_done(ran);
    outcome_free(&ran);
    json_t *metrics = json_load_file("run.json", 0, NULL);
    double nmse = json_number(metrics, "nmse");
    json_decref(metrics);
    return nmse;
}

/* ---- the answer ---------------------------------------------------------------------------------------------- */

static void threads_do_not_matter(void **state)
{
    (void)state;
    make_signal("ex2", "1200", "s.csv");
    outcome one = okra(NULL, "tune", "--recipe", "rff-klms,rls", "--budget", "16", "--threads", "1", "--metrics",
                       "1.json", "s.csv");
    outcome many = okra(NULL, "tune", "--recipe", "rff-klms,rls", "--budget", "16", "--threads", "5", "--metrics",
                        "5.json", "s.csv");
    assert_done(one), assert_done(many);
    assert_string_equal(one.out, many.out);
    assert_string_equal(one.err, many.err);
    char *first = read_file("1.json"), *second = read_file("5.json");
    assert_string_equal(first, second);
    free(first), free(second);
    outcome_free(&one), outcome_free(&many);
}

/* Honest delays, a gap, and a name that a shell would split. */
static void pasted_line_keeps_its_promise(void **state)
{
    (void)state;
    make_signal("mackey-glass", "1400", "s.csv");
    char *text = read_file("s.csv"), *line = strchr(text + 9000, '\n');
    memcpy(line + 1, "x,x", 3); /* a row that does not parse */
    write_file("it's a stream.csv", text);
    free(text);
    outcome tuned = okra(NULL, "tune", "--recipe", "rff-klms", "--target", "y", "--horizon", "3", "--target-lags", "4",
                         "--bad-rows", "skip", "--budget", "12", "--metrics", "t.json", "it's a stream.csv");
    assert_done(tuned);
    assert_has(tuned.out, "okra run --recipe rff-klms ");
    assert_has(tuned.out, "--scale auto");
    assert_has(tuned.out, "--horizon 3");
    assert_int_equal(count_lines(tuned.out), 1);
    json_t *all = json_load_file("t.json", 0, NULL), *winner = json_object_get(all, "winner"),
           *plain = json_object_get(all, "default");
    char from[64];
    snprintf(from, sizeof from, "--score-from %.0f", json_number(all, "late_from"));
    /* the same steps, scored in the same order: equal but for the digits of the file */
    assert_near(nmse_of("/bin/sh", tuned.out, ""), json_number(winner, "nmse"), 1e-12);
    assert_near(nmse_of("/bin/sh", tuned.out, from), json_number(winner, "nmse_late"), 1e-12);
    assert_near(nmse_of("/bin/sh", json_string_value(json_object_get(plain, "command")), from),
                json_number(plain, "nmse_late"), 1e-12);
    assert_true(json_number(winner, "nmse_late") < 0.98 * json_number(plain, "nmse_late"));
    json_decref(all);
    outcome_free(&tuned);
}

/* What the metrics say of the race: all rows, who went through them, the best first by the late error, and the winner
 * and the default among them. */
static void metrics_hold_the_race(void **state)
{
    (void)state;
    make_signal("ex2", "900", "s.csv");
    outcome tuned = okra(NULL, "tune", "--recipe", "rff-klms", "--budget", "14", "--metrics", "t.json", "s.csv");
    assert_done(tuned);
    json_t *all = json_load_file("t.json", 0, NULL), *list = json_object_get(all, "finalists");
    const char *winner = json_string_value(json_object_get(json_object_get(all, "winner"), "command"));
    size_t winners = 0, defaults = 0, i;
    json_t *finalist;
    double last = 0;
    assert_near(json_number(all, "rows"), 900, 0);
    assert_true(json_number(all, "candidates") >= 2 && json_number(all, "candidates") <= 14);
    assert_true(json_number(all, "late_from") > 0 && json_number(all, "late_from") < 900);
    assert_true(json_array_size(list) >= 1 && (double)json_array_size(list) <= json_number(all, "candidates"));
    json_array_foreach(list, i, finalist)
    {
        winners += strcmp(json_string_value(json_object_get(finalist, "command")), winner) == 0;
        defaults += json_is_true(json_object_get(finalist, "default"));
        assert_true(json_number(finalist, "nmse") > 0 && json_number(finalist, "nmse_late") >= last);
        last = json_number(finalist, "nmse_late");
    }
    assert_int_equal(winners, 1);
    assert_int_equal(defaults, 1);
    assert_true(json_is_true(json_object_get(json_object_get(all, "default"), "default")));
    assert_has(tuned.out, strchr(winner, ' '));
    char head[128];
    snprintf(head, sizeof head, "%.0f candidates, 900 rows; chosen by the error after row %.0f\n",
             json_number(all, "candidates"), json_number(all, "late_from"));
    assert_has(tuned.err, head);
    assert_has(tuned.err, "  (winner)\n");
    assert_has(tuned.err, "  (default)\n");
    json_decref(all);
    outcome_free(&tuned);
}

/* ---- the line, pasted ---------------------------------------------------------------------------------------- */

/* Names of files that a shell, its line editor or a terminal would make something else of. */
static const char *const awkward[] = {
    "-x.csv",
    "--y.csv",
    "=ls.csv",
    "~root.csv",
    "$(id) `id`.csv",
    "it's.csv",
    "bang!x.csv",
    "caf\xc3\xa9 \xe2\x82\xac.csv",
    "\x15touch pasted\n.csv", /* which deletes the line before it, and is then a line of its own */
    "tab\there.csv",
    "\x1b[31m'q' \\n !.csv",
    "\x01"
    "7.csv",
    "delete\x7f.csv",
    "no utf8 \xff\xfe.csv",
    "c1 \xc2\x9b"
    "31m.csv",
    /* NOLINTBEGIN(misc-misleading-bidirectional): that is what is tested */
    "bidi \xe2\x80\xae.csv",
    "-isolate \xe2\x81\xa6.csv",
    /* NOLINTEND(misc-misleading-bidirectional) */
    "line \xe2\x80\xa8.csv",
};

/* The last word of a line, as a shell reads it. */
static outcome last_word(const char *shell, const char *line)
{
    static const char script[] = "eval \"set -- $1\"; shift $(($# - 1)); printf %s \"$1\"";
    outcome ran = run_program(&(call){0}, (const char *const[]){shell, "-c", script, shell, line, NULL});
    assert_done(ran);
    return ran;
}

static void names_are_read_back(void **state)
{
    (void)state;
    static const char *const shells[] = {"/bin/bash", "/bin/zsh"};
    make_signal("ex2", "64", "s.csv");
    char *text = read_file("s.csv");
    for (size_t i = 0; i < sizeof awkward / sizeof *awkward; i++) {
        write_file(awkward[i], text);
        outcome tuned = okra(NULL, "tune", "--recipe", "lms", "--budget", "2", "--quiet", "--", awkward[i]);
        assert_done(tuned);
        assert_plain(tuned.out);
        assert_int_equal(count_lines(tuned.out), 1);
        for (size_t k = 0; k < sizeof shells / sizeof *shells; k++) {
            if (access(shells[k], X_OK) != 0)
                continue;
            outcome read = last_word(shells[k], tuned.out);
            assert_string_equal(read.out + (strncmp(read.out, "./", 2) == 0 ? 2 : 0), awkward[i]);
            outcome_free(&read);
            nmse_of(shells[k], tuned.out, "");
        }
        outcome_free(&tuned);
    }
    free(text);
    assert_int_not_equal(access("pasted", F_OK), 0);
}

static void values_are_read_back(void **state)
{
    (void)state;
    make_signal("ex2", "64", "s.csv");
    char *text = read_file("s.csv");
    memcpy(text, "--", 2); /* was x1 */
    write_file("s.csv", text);
    outcome tuned = okra(NULL, "tune", "--recipe", "lms", "--budget", "2", "--quiet", "--target=--", "s.csv");
    assert_done(tuned);
    assert_has(tuned.out, "--target=-- ");
    nmse_of("/bin/sh", tuned.out, "");
    outcome_free(&tuned);
    free(text);
}

/* A linear map without drift: nothing beats RLS that forgets nothing, not by enough. */
static void good_defaults_stay(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *csv = open_memstream(&text, &size);
    okra_random random = {.seed = 5};
    fputs("a,b,y\n", csv);
    for (size_t i = 0; i < 700; i++) {
        double n[3];
        okra_random_normal(&random, 3, n);
        fprintf(csv, "%g,%g,%g\n", n[0], n[1], n[0] - 2 * n[1] + 0.1 * n[2]);
    }
    fclose(csv);
    outcome tuned = okra(text, "tune", "--recipe", "rls", "--budget", "20");
    assert_done(tuned);
    assert_string_equal(tuned.out, "okra run --recipe rls --scale auto\n");
    assert_has(tuned.err, "clearly better than the default");
    outcome_free(&tuned);
    free(text);
}

/* One of three inputs matters. Tuning finds its width, few candidates are enough, and widths that are given as equal
 * stay so, at several times the error. */
static void widths_of_inputs_are_found(void **state)
{
    (void)state;
    FILE *csv = fopen("s.csv", "w");
    okra_random random = {.seed = 6};
    assert_non_null(csv);
    fputs("a,b,c,y\n", csv);
    for (size_t i = 0; i < 1500; i++) {
        double n[3];
        okra_random_normal(&random, 3, n);
        fprintf(csv, "%g,%g,%g,%g\n", n[0], n[1], n[2], sin(3 * n[1]));
    }
    fclose(csv);
    outcome few = okra(NULL, "tune", "--budget", "8", "--features", "100", "s.csv");
    outcome many = okra(NULL, "tune", "--budget", "30", "--features", "100", "s.csv");
    outcome equal = okra(NULL, "tune", "--budget", "30", "--features", "100", "--widths", "equal", "s.csv");
    assert_done(few), assert_done(many), assert_done(equal);
    assert_has(few.out, " --widths ");
    assert_has(many.out, " --widths ");
    assert_null(strstr(equal.out, "--widths"));
    double error[] = {nmse_of("/bin/sh", few.out, "--score-from 25%"), nmse_of("/bin/sh", many.out, "--score-from 25%"),
                      nmse_of("/bin/sh", equal.out, "--score-from 25%")};
    assert_true(error[1] <= error[0]);
    assert_true(error[0] < error[2] / 4);
    outcome_free(&few), outcome_free(&many), outcome_free(&equal);
}

/* What is given stays, and what diverges is only last: unscaled inputs of this size allow few step sizes. */
static void diverging_candidates_lose(void **state)
{
    (void)state;
    make_signal("ex2", "600", "s.csv");
    outcome tuned =
        okra(NULL, "tune", "--recipe", "lms", "--scale", "none", "--lags", "40", "--metrics", "t.json", "s.csv");
    assert_done(tuned);
    assert_has(tuned.out, " --lags 40");
    assert_null(strstr(tuned.out, "--scale")); /* as the recipe has it */
    json_t *all = json_load_file("t.json", 0, NULL), *list = json_object_get(all, "finalists");
    assert_true(json_is_null(json_object_get(json_array_get(list, json_array_size(list) - 1), "nmse_late")));
    json_number(json_object_get(all, "winner"), "nmse_late");
    json_decref(all);
    outcome_free(&tuned);
    tuned = okra(NULL, "tune", "--features", "50", "--sigma", "3", "--budget", "4", "s.csv");
    assert_done(tuned);
    assert_has(tuned.out, "--recipe rff-krls");
    assert_has(tuned.out, "--sigma 3 --features 50");
    outcome_free(&tuned);
}

/* ---- mistakes ------------------------------------------------------------------------------------------------ */

static void mistakes_are_told(void **state)
{
    (void)state;
    make_signal("ex2", "100", "s.csv");
    assert_refused(okra(NULL, "tune", "--recipe", "rff-kls", "s.csv"), 2, "no recipe 'rff-kls'", "did you mean");
    assert_refused(okra(NULL, "tune", "--recipe", "rls,,lms", "s.csv"), 2, "--recipe", "an empty name");
    assert_refused(okra(NULL, "tune", "--recipe", "rls", "--mu", "1", "s.csv"), 2, "--mu", "no recipe here");
    assert_refused(okra(NULL, "tune", "--recipe", "rls", "--lambda", "1", "--beta", "1", "s.csv"), 2,
                   "every parameter");
    assert_refused(okra(NULL, "tune", "--budget", "1", "s.csv"), 2, "--budget", "no whole number");
    assert_refused(okra(NULL, "tune", "--rows", "5", "s.csv"), 2, "--rows", "no whole number");
    assert_refused(okra(NULL, "tune", "--target", "z", "s.csv"), 2, "--target", "no column 'z'");
    assert_refused(okra(NULL, "tune", "--metrics", "s.csv", "s.csv"), 2, "--metrics", "an input of this run");
    assert_refused(okra(NULL, "tune", "--metrics", "-", "s.csv"), 2, "--metrics", "command line");
    assert_refused(okra(NULL, "tune", "nowhere.csv"), 1, "nowhere.csv");
    assert_refused(okra("x,y\n1,2\n", "tune"), 1, "1 rows are too few");
    assert_refused(okra("x,y\n1,2\nq,3\n", "tune"), 1, "standard input:3", "'q'");
}

/* 64 rows are enough, and 63 are not. */
static void few_rows_are_refused(void **state)
{
    (void)state;
    make_signal("ex2", "63", "s.csv");
    assert_refused(okra(NULL, "tune", "--recipe", "rls", "s.csv"), 1, "s.csv", "63 rows are too few", "64 are needed");
    make_signal("ex2", "64", "s.csv");
    outcome tuned = okra(NULL, "tune", "--recipe", "rls", "--budget", "2", "s.csv");
    assert_done(tuned);
    outcome_free(&tuned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter), cmocka_unit_test(pasted_line_keeps_its_promise),
        cmocka_unit_test(good_defaults_stay),    cmocka_unit_test(diverging_candidates_lose),
        cmocka_unit_test(mistakes_are_told),     cmocka_unit_test(names_are_read_back),
        cmocka_unit_test(values_are_read_back),  cmocka_unit_test(metrics_hold_the_race),
        cmocka_unit_test(few_rows_are_refused),  cmocka_unit_test(widths_of_inputs_are_found),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
