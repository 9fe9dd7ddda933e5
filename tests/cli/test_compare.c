/*
 * okra compare: the errors are those of `run`, and the files hold what the table says.
 */
#include "harness.h"

#include <sys/stat.h>

/* ---- the table ----------------------------------------------------------------------------------------------- */

static void check_like_run(const json_t *compared, const char *recipe, const char *option, const char *value)
{
    outcome ran = okra(NULL, "run", "--recipe", recipe, option, value, "--scale", "auto", "--horizon", "2",
                       "--score-from", "25%", "--quiet", "--out", "p.csv", "--metrics", "run.json", "s.csv");
    assert_done(ran);
    outcome_free(&ran);
    json_t *metrics = json_load_file("run.json", 0, NULL);
    assert_string_equal(json_string_value(json_object_get(compared, "recipe")), recipe);
    assert_near(json_number(compared, "nmse"), json_number(metrics, "nmse"), 1e-12);
    assert_near(json_number(compared, "mse"), json_number(metrics, "mse"), 1e-12);
    assert_near(json_number(compared, "nmse_db"), 10 * log10(json_number(metrics, "nmse")), 1e-9);
    assert_near(json_number(compared, "mse_db"), json_number(metrics, "mse_db"), 1e-9);
    assert_near(json_number(compared, "rows"), json_number(metrics, "rows"), 0);
    assert_near(json_number(compared, "ns_per_row"),
                1e9 * json_number(compared, "seconds") / json_number(metrics, "rows"), 1e-3);
    assert_int_equal(json_object_get(compared, "centres") != NULL, json_object_get(metrics, "centres") != NULL);
    if (json_object_get(metrics, "centres"))
        assert_near(json_number(compared, "centres"), json_number(metrics, "centres"), 0);
    assert_null(json_object_get(compared, "stopped"));
    json_decref(metrics);
}

static void errors_are_those_of_run(void **state)
{
    (void)state;
    make_signal("ex2", "1000", "s.csv");
    outcome result =
        okra(NULL, "compare", "--recipes", "rls,qklms", "--with", "rff-klms --features 40 --sigma 2",
             "--with=rff-klms --sigma 3", "--horizon", "2", "--score-from", "25%", "--metrics", "m.json", "s.csv");
    assert_done(result);
    assert_int_equal(count_lines(result.out), 5);
    assert_has(result.out, "\na  rls ");
    assert_has(result.out, "\nc  rff-klms --features 40 --sigma 2 ");
    json_t *all = json_load_file("m.json", 0, NULL), *list = json_object_get(all, "runners");
    assert_int_equal(json_array_size(list), 4);
    check_like_run(json_array_get(list, 0), "rls", "--lambda", "0.01");
    check_like_run(json_array_get(list, 1), "qklms", "--sigma", "auto");
    check_like_run(json_array_get(list, 3), "rff-klms", "--sigma", "3");
    for (size_t k = 0; k < 4; k++)
        assert_true(json_number(json_array_get(list, k), "ns_per_row") > 0 &&
                    json_number(json_array_get(list, k), "bytes") > 0);
    assert_true(json_number(json_array_get(list, 2), "bytes") < json_number(json_array_get(list, 3), "bytes"));
    json_decref(all);
    outcome_free(&result);
}

/* A step size far too large: the others go on. */
static void divergence_is_a_result(void **state)
{
    (void)state;
    make_signal("ex2", "500", "s.csv");
    outcome result = okra(NULL, "compare", "--recipes", "rls", "--with", "lms --mu 500", "--plot", "ascii", "--metrics",
                          "m.json", "s.csv");
    assert_done(result);
    json_t *all = json_load_file("m.json", 0, NULL), *list = json_object_get(all, "runners");
    const json_t *stopped = json_array_get(list, 1);
    char row[64];
    snprintf(row, sizeof row, "diverged after row %.0f\n", json_number(stopped, "rows"));
    assert_has(result.out, row);
    assert_string_equal(json_string_value(json_object_get(stopped, "stopped")), "diverged");
    assert_string_equal(json_string_value(json_object_get(stopped, "label")), "lms --mu 500");
    assert_true(json_number(stopped, "rows") < 500);
    assert_near(json_number(json_array_get(list, 0), "rows"), 500, 0);
    json_decref(all);
    outcome_free(&result);
}

/* Rows that do not parse are rows that everybody goes past: `run` tells of them apart. */
static void skipped_rows_are_counted(void **state)
{
    (void)state;
    write_file("bad.csv", "a,y\n1,2\nx,2\n2,3\n,x\n3,4\n4,5\n");
    outcome result =
        okra(NULL, "compare", "--recipes", "rls,nlms", "--bad-rows", "skip", "--metrics", "m.json", "bad.csv");
    outcome ran = okra(NULL, "run", "--quiet", "--bad-rows", "skip", "--metrics", "run.json", "bad.csv");
    assert_done(result), assert_done(ran);
    json_t *all = json_load_file("m.json", 0, NULL), *run = json_load_file("run.json", 0, NULL);
    assert_near(json_number(all, "skipped"), 2, 0);
    assert_near(json_number(run, "skipped"), 2, 0);
    double rows = json_number(run, "rows") + json_number(run, "skipped");
    assert_near(json_number(all, "rows"), rows, 0);
    for (size_t k = 0; k < 2; k++)
        assert_near(json_number(json_array_get(json_object_get(all, "runners"), k), "rows"), rows, 0);
    json_decref(all), json_decref(run);
    outcome_free(&result), outcome_free(&ran);
}

/* ---- curves -------------------------------------------------------------------------------------------------- */

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > 0;
}

/* The first point is the mean over the first 32 rows, as `run` predicts them; however long the stream, there are 256
 * points at most. */
static void curves_are_files(void **state)
{
    (void)state;
    make_signal("ex2", "5003", "s.csv");
    outcome result = okra(NULL, "compare", "--recipes", "lms,rls", "--scale", "none", "--out", "c", "s.csv");
    assert_done(result);
    outcome_free(&result);
    char *csv = read_file("c/compare.csv"), *script = read_file("c/compare.gp");
    assert_has(csv, "n,\"mse lms\",\"seconds lms\",\"mse rls\",\"seconds rls\"\n32,");
    assert_has(csv, "\n5003,");
    assert_in_range(count_lines(csv), 129, 257);
    assert_has(script, "compare.png");
    assert_has(script, "compare.svg");
    if (system("command -v gnuplot > /dev/null") == 0)
        assert_true(exists("c/compare.png") && exists("c/compare.svg"));
    outcome ran = okra(NULL, "run", "--recipe", "rls", "--scale", "none", "--quiet", "s.csv");
    assert_done(ran);
    double squares = 0, before = 0;
    for (size_t row = 1; row <= 32; row++)
        squares += pow(strtod(cell(ran.out, row, 3), NULL), 2) / 32;
    assert_near(strtod(cell(csv, 1, 3), NULL), squares, 1e-12 * squares);
    for (size_t row = 1; row < count_lines(csv); row++) {
        double now = strtod(cell(csv, row, 4), NULL);
        assert_true(now > before);
        before = now;
    }
    outcome_free(&ran);
    free(csv), free(script);
}

static void curves_are_drawn_in_the_terminal(void **state)
{
    (void)state;
    make_signal("ex2", "600", "s.csv");
    outcome plain = okra(NULL, "compare", "--recipes", "lms,rff-krls", "--plot", "none", "s.csv");
    outcome drawn = okra(NULL, "compare", "--recipes", "lms,rff-krls", "--plot", "ascii", "s.csv");
    assert_done(plain), assert_done(drawn);
    assert_null(strstr(plain.out, " |"));
    assert_has(drawn.out, "aaa");
    assert_has(drawn.out, "bbb");
    assert_has(drawn.out, " rows ");
    assert_has(drawn.out, "seconds of one core");
    assert_int_equal(count_lines(drawn.out), 3 + 2 * (1 + 16 + 2));
    outcome_free(&plain), outcome_free(&drawn);
}

/* ---- mistakes ------------------------------------------------------------------------------------------------ */

static void mistakes_are_told(void **state)
{
    (void)state;
    make_signal("ex2", "100", "s.csv");
    assert_refused(okra(NULL, "compare", "--recipes", "rls,qklsm", "s.csv"), 2, "no recipe 'qklsm'", "did you mean");
    assert_refused(okra(NULL, "compare", "--with", "rls --mu 2", "s.csv"), 2, "--mu", "rls has no such parameter");
    assert_refused(okra(NULL, "compare", "--with", " ", "s.csv"), 2, "--with", "names no recipe");
    assert_refused(okra(NULL, "compare", "--with", "rls --horizon 2", "s.csv"), 2, "--with", "--horizon 2");
    assert_refused(okra(NULL, "compare", "--with", "rls --target y", "s.csv"), 2, "no option '--target'");
    assert_refused(okra(NULL, "compare", "--recipes", "rls,lms", "--sigma", "2", "s.csv"), 2, "--sigma", "no recipe");
    assert_refused(okra(NULL, "compare", "--plot", "svg", "s.csv"), 2, "--plot", "'svg'");
    assert_refused(okra(NULL, "compare", "--out", "s.csv", "s.csv"), 1, "--out", "no directory");
    assert_refused(okra(NULL, "compare", "--metrics", "-", "s.csv"), 2, "--metrics", "table");
    assert_refused(okra(NULL, "compare", "nowhere.csv"), 1, "nowhere.csv");
    assert_refused(okra("x,y\n", "compare"), 1, "no rows");
    assert_refused(okra("x,y\n1,2\n3,4,5\n", "compare", "--recipes", "rls"), 1, "standard input:3");
}

/* Dashes where an error should be have a reason. */
static void dashes_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *told;
    } cases[] = {
        {"x,y\n1,2\n2,2\n3,2\n4,2\n", "okra: no NMSE: the target is the same in every scored row"},
        {"x,y\n1,\n2,\n3,\n4,\n", "okra: no NMSE: no row was scored"},
        {"x,y\n1,2\n2,3\n3,2\n4,1\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome said = okra(cases[i].rows, "compare", "--recipes", "rls,lms", "--scale", "none"),
                quiet = okra(cases[i].rows, "compare", "--recipes", "rls,lms", "--scale", "none", "--quiet");
        assert_done(said), assert_done(quiet);
        if (cases[i].told)
            assert_has(said.err, cases[i].told);
        assert_int_equal(count_lines(said.err), cases[i].told != NULL);
        assert_string_equal(quiet.err, "");
        outcome_free(&said), outcome_free(&quiet);
    }
    /* one that has diverged is explained by its own line */
    outcome diverged =
        okra("x,y\n1e100,2\n1e100,3\n1e200,2\n1e200,1\n", "compare", "--with", "lms --mu 1e30 --scale none");
    assert_done(diverged);
    assert_has(diverged.out, "diverged after row");
    assert_string_equal(diverged.err, "");
    outcome_free(&diverged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_of_run),  cmocka_unit_test(divergence_is_a_result),
        cmocka_unit_test(curves_are_files),         cmocka_unit_test(curves_are_drawn_in_the_terminal),
        cmocka_unit_test(mistakes_are_told),        cmocka_unit_test(dashes_are_explained),
        cmocka_unit_test(skipped_rows_are_counted),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
