/*
 * signal, theory and paper, as a researcher meets them.
 */
#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <okra/lab.h>

/* ---- signal ------------------------------------------------------------------------------------------------- */

static void signals_are_the_librarys(void **state)
{
    (void)state;
    okra_signal_spec spec;
    okra_signal *signal;
    double X[3 * 5], y[3];
    char wanted[2048] = "x1,x2,x3,x4,x5,y\n";
    assert_ok(okra_signal_spec_init(&spec, "ex2"));
    spec.seed = 9, spec.run = 4;
    assert_ok(okra_signal_spec_set(&spec, "noise", 0.25, NULL));
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, 3, X, y);
    okra_signal_free(signal);
    outcome result = okra(NULL, "signal", "ex2", "--samples", "3", "--seed", "9", "--run", "4", "--noise", "0.25");
    assert_done(result);
    assert_has(result.out, wanted);
    const char *at = result.out + strlen(wanted);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 6; j++) {
            char *end;
            double value = strtod(at, &end), expected = j < 5 ? X[i * 5 + j] : y[i];
            assert_memory_equal(&value, &expected, sizeof value);
            at = end + 1;
        }
    assert_int_equal(*at, '\0');
    outcome_free(&result);
}

static void every_signal_can_be_piped_into_run(void **state)
{
    (void)state;
    for (size_t i = 0; okra_signal_at(i); i++) {
        outcome made = okra(NULL, "signal", okra_signal_at(i)->name, "--samples", "200", "--out", "s.csv");
        assert_done(made);
        outcome learnt = okra(NULL, "run", "--recipe", "rls", "--scale", "auto", "--quiet", "s.csv");
        assert_done(learnt);
        outcome_free(&made), outcome_free(&learnt);
    }
    outcome npy = okra(NULL, "signal", "ex1", "--samples", "50", "--out", "s.npy");
    assert_done(npy);
    outcome learnt = okra(NULL, "run", "--quiet", "s.npy");
    assert_done(learnt);
    outcome_free(&npy), outcome_free(&learnt);
}

static void wrong_signals_are_refused(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "signal"), 2, "name a signal");
    assert_refused(okra(NULL, "signal", "ex5"), 2, "no signal 'ex5'", "did you mean");
    assert_refused(okra(NULL, "signal", "ex2", "--tau", "3"), 2, "--tau", "ex2", "no constant 'tau'");
    assert_refused(okra(NULL, "signal", "ex2", "--noise", "-1"), 2, "--noise", "out of range");
    assert_refused(okra(NULL, "signal", "ex2", "--noise", "loud"), 2, "--noise", "'loud' is not a number");
    assert_refused(okra(NULL, "signal", "ex2", "--samples", "1.5"), 2, "--samples", "no whole number");
    assert_refused(okra(NULL, "signal", "ex2", "--out", "/nonexistent/s.csv"), 1, "/nonexistent/s.csv");
    call full = {.out = "/dev/full"};
    assert_refused(okra_how(full, "signal", "ex2", "--samples", "100000"), 1, "standard output");
}

/* ---- theory ------------------------------------------------------------------------------------------------- */

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("no number '%s'", key);
    return json_number_value(value);
}

/* Example 1 at D = 1000: the paper's formula says -18.3 dB and the refined one -17.0. */
static void theory_of_example_1(void **state)
{
    (void)state;
    outcome result =
        okra(NULL, "theory", "--metrics", "t.json", "--curve", "c.csv", "--centres", "10", "--samples", "100");
    assert_done(result);
    assert_has(result.out, "mu_max ");
    json_t *t = json_load_file("t.json", 0, NULL);
    assert_near(number(t, "mse_db"), -17.0, 0.1);
    assert_near(number(t, "mse_db_paper"), -18.3, 0.1);
    assert_near(number(t, "mu_max"), 2 / number(t, "trace"), 1e-12);
    assert_near(number(t, "mu_max_mean"), 2 * number(t, "mu_max_mse"), 1e-12);
    assert_true(number(t, "rank") > 50 && number(t, "rank") < 120);
    json_decref(t);
    outcome_free(&result);
}

static void wrong_theories_are_refused(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "theory", "--curve", "c.csv"), 2, "--curve", "--centres");
    assert_refused(okra(NULL, "theory", "--mu", "0"), 2, "out of range");
    assert_refused(okra(NULL, "theory", "--dim", "x"), 2, "--dim", "no whole number");
    assert_refused(okra(NULL, "theory", "--dim", "0"), 2, "dim = 0", "from 1");
    assert_refused(okra(NULL, "theory", "--paired", "--features", "7"), 2, "features = 7", "is odd");
    outcome result = okra(NULL, "theory", "--features", "50", "--mu", "3");
    assert_done(result);
    assert_has(result.out, "it diverges; lower mu");
    outcome_free(&result);
}

/* ---- paper -------------------------------------------------------------------------------------------------- */

static void figures_leave_their_files(void **state)
{
    (void)state;
    outcome result = okra(NULL, "paper", "fig3a", "--runs", "20", "--out", "p", "--threads", "1");
    assert_done(result);
    assert_has(result.out, "QKLMS");
    outcome_free(&result);
    char *csv = read_file("p/fig3a.csv"), *script = read_file("p/fig3a.gp");
    assert_has(csv, "n,qklms,rff-klms\n1,");
    assert_has(csv, "\n500,");
    assert_has(script, "fig3a.csv");
    json_t *summary = json_load_file("p/summary.json", 0, NULL),
           *curves = json_object_get(json_object_get(summary, "fig3a"), "curves");
    assert_near(number(json_object_get(curves, "qklms"), "dictionary"), 7.3, 0.8);
    assert_near(number(json_object_get(curves, "qklms"), "dictionary_paper"), 7, 0);
    number(json_object_get(curves, "rff-klms"), "paired_difference_db");
    json_decref(summary);

    /* the same bytes for any number of threads; and the summary keeps what was there */
    result = okra(NULL, "paper", "fig3a", "--runs", "20", "--out", "q", "--threads", "7");
    assert_done(result);
    outcome_free(&result);
    char *again = read_file("q/fig3a.csv");
    assert_string_equal(csv, again);
    result = okra(NULL, "paper", "fig3b", "--runs", "2", "--out", "q");
    assert_done(result);
    outcome_free(&result);
    summary = json_load_file("q/summary.json", 0, NULL);
    assert_non_null(json_object_get(summary, "fig3a"));
    assert_non_null(json_object_get(summary, "fig3b"));
    json_decref(summary);
    free(csv), free(script), free(again);
}

/* As many as are named, in that order, each once. */
static void several_figures_are_drawn(void **state)
{
    (void)state;
    outcome both = okra(NULL, "paper", "fig3b", "fig3a", "fig3b", "--runs", "2", "--out", "b"),
            first = okra(NULL, "paper", "fig3b", "--runs", "2", "--out", "c"),
            second = okra(NULL, "paper", "fig3a", "--runs", "2", "--out", "c");
    assert_done(both), assert_done(first), assert_done(second);
    char wanted[2048];
    snprintf(wanted, sizeof wanted, "%.*s%.*sin b/\n", (int)(strstr(first.out, "in c/") - first.out), first.out,
             (int)(strstr(second.out, "in c/") - second.out), second.out);
    assert_string_equal(both.out, wanted);
    static const char *const files[][2] = {{"b/fig3a.csv", "c/fig3a.csv"}, {"b/fig3b.csv", "c/fig3b.csv"}};
    for (size_t i = 0; i < 2; i++) {
        char *one = read_file(files[i][0]), *other = read_file(files[i][1]);
        assert_string_equal(one, other);
        free(one), free(other);
    }
    json_t *summary = json_load_file("b/summary.json", 0, NULL);
    assert_int_equal(json_object_size(summary), 2);
    json_decref(summary);
    outcome_free(&both), outcome_free(&first), outcome_free(&second);
}

static void table_has_both_times(void **state)
{
    (void)state;
    outcome result = okra(NULL, "paper", "table1", "--runs", "1", "--out", "t");
    assert_done(result);
    assert_has(result.out, "paper  0.891 s  0.226 s");
    json_t *summary = json_load_file("t/summary.json", 0, NULL);
    assert_near(number(json_object_get(json_object_get(summary, "table1"), "ex2"), "ratio_paper"), 0.891 / 0.226, 1e-9);
    json_decref(summary);
    outcome_free(&result);
}

static void wrong_papers_are_refused(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "paper"), 2, "name what to reproduce");
    assert_refused(okra(NULL, "paper", "fig2"), 2, "'fig2'", "did you mean");
    assert_refused(okra(NULL, "paper", "fig3a", "fig4", "--out", "never"), 2, "'fig4'"); /* before anything is run */
    assert_int_not_equal(access("never", F_OK), 0);
    assert_refused(okra(NULL, "paper", "fig3a", "--runs", "many"), 2, "--runs", "no whole number");
    assert_refused(okra(NULL, "paper", "fig3a", "--out", "/nonexistent/a"), 1, "--out", "/nonexistent/a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_the_librarys),   cmocka_unit_test(every_signal_can_be_piped_into_run),
        cmocka_unit_test(wrong_signals_are_refused),  cmocka_unit_test(theory_of_example_1),
        cmocka_unit_test(wrong_theories_are_refused), cmocka_unit_test(figures_leave_their_files),
        cmocka_unit_test(table_has_both_times),       cmocka_unit_test(wrong_papers_are_refused),
        cmocka_unit_test(several_figures_are_drawn),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
