/*
 * okra run --save, --load and --resume, and okra predict: a run that stopped and goes on is the run that never stopped,
 * byte for byte.
 */
#include "harness.h"

#include <jansson.h>
#include <unistd.h>

enum { ROWS = 700 };

/* Columns t, a, b, y, z; a row in the middle does not parse, one has no target and one no input. */
static void write_stream(const char *name, size_t from, size_t to)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("t,a,b,y,z\n", file);
    double memory = 0;
    for (size_t n = 1; n <= to; n++) {
        double a = sin(0.7 * (double)n) + 0.3 * cos(2.1 * (double)(n * n)), b = cos(0.31 * (double)n);
        memory = 0.6 * memory + a * b + 0.2 * a;
        if (n <= from)
            continue;
        if (n == 333)
            fprintf(file, "%zu,oops,%.17g,%.17g,1\n", n, b, memory);
        else if (n == 350)
            fprintf(file, "%zu,%.17g,%.17g,,%.17g\n", n, a, b, a - b);
        else
            fprintf(file, "%zu,%.17g,%.17g,%.17g,%.17g\n", n, a, n == 400 ? (double)NAN : b, memory, a - b);
    }
    assert_int_equal(fclose(file), 0);
}

static void assert_same_files(const char *a, const char *b)
{
    char *x = read_file(a), *y = read_file(b);
    if (strcmp(x, y) != 0)
        fail_msg("%s and %s differ", a, b);
    free(x);
    free(y);
}

static void run_done(outcome result)
{
    assert_done(result);
    outcome_free(&result);
}

/* The metrics but for the time it took. */
static void assert_same_metrics(const char *a, const char *b)
{
    json_t *x = json_load_file(a, 0, NULL), *y = json_load_file(b, 0, NULL);
    assert_non_null(x);
    assert_non_null(y);
    static const char *const times[] = {"seconds", "rows_per_second"};
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        json_object_del(x, times[i]);
        json_object_del(y, times[i]);
    }
    if (!json_equal(x, y))
        fail_msg("%s and %s differ", a, b);
    json_decref(x);
    json_decref(y);
}

/* ---- resuming ------------------------------------------------------------------------------------------------ */

#define SHAPE \
    "--target", "y", "--inputs", "a,b", "--lags", "2", "--target-lags", "2", "--horizon", "3", "--bad-rows", "skip"

/* A run over the first rows of a file is a run that was stopped: the file then grows to its full length. */
static void resume_after(const char *recipe, const char *scale, const char *precision, size_t rows)
{
    write_stream("s.csv", 0, ROWS);
    run_done(okra(NULL, "run", "--quiet", "--recipe", recipe, "--scale", scale, "--precision", precision, SHAPE,
                  "--keep", "z,t", "--score-from", "50", "--out", "full.csv", "--metrics", "full.json", "s.csv"));
    write_stream("s.csv", 0, rows);
    run_done(okra(NULL, "run", "--quiet", "--recipe", recipe, "--scale", scale, "--precision", precision, SHAPE,
                  "--keep", "z,t", "--score-from", "50", "--out", "out.csv", "--save", "m.okra", "s.csv"));
    write_stream("s.csv", 0, ROWS);
    FILE *more = fopen("out.csv", "a"); /* what had been written after the last checkpoint */
    fputs("999,1,2,3\n99", more);
    fclose(more);
    run_done(okra(NULL, "run", "--quiet", "--resume", "--save", "m.okra", "--out", "out.csv", "--metrics", "m.json",
                  "s.csv"));
    assert_same_files("full.csv", "out.csv");
    assert_same_metrics("full.json", "m.json");
}

static void every_recipe_goes_on_as_if_it_had_not_stopped(void **state)
{
    (void)state;
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++) {
        resume_after(recipe->name, "none", "f64", 500);
        resume_after(recipe->name, "auto", "f32", 301);
        resume_after(recipe->name, "auto", "f64", 10); /* in the middle of the warm-up */
    }
}

static void a_run_can_stop_at_any_row(void **state)
{
    (void)state;
    static const size_t stops[] = {0, 1, 2, 3, 15, 16, 17, 63, 64, 332, 333, 334, 349, 350, 351, 400, 512, 699, 700};
    for (size_t i = 0; i < COUNT_OF(stops); i++)
        resume_after("rls", "auto", "f64", stops[i]);
}

static void intervals_and_width_go_on(void **state)
{
    (void)state;
    static const size_t stops[] = {5, 40, 200, 600};
    for (size_t i = 0; i < COUNT_OF(stops); i++) {
#define AUTO "run", "--quiet", "--recipe", "rff-krls", "--features", "30", "--sigma", "auto", "--scale", "auto", SHAPE
        write_stream("s.csv", 0, ROWS);
        run_done(okra(NULL, AUTO, "--interval", "90", "--out", "full.csv", "--metrics", "full.json", "s.csv"));
        write_stream("s.csv", 0, stops[i]);
        run_done(okra(NULL, AUTO, "--interval", "90", "--out", "out.csv", "--save", "m.okra", "s.csv"));
        write_stream("s.csv", 0, ROWS);
        /* The whole command line again, and --resume: what one types after a crash. */
        run_done(okra(NULL, AUTO, "--interval", "90", "--out", "out.csv", "--save", "m.okra", "--resume", "--metrics",
                      "m.json", "s.csv"));
        assert_same_files("full.csv", "out.csv");
        assert_same_metrics("full.json", "m.json");
    }
}

static void other_formats_are_resumed(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"full.tsv", "out.tsv"}, {"full.npy", "out.npy"}, {"full.f64", "out.f64"}};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        write_stream("s.csv", 0, ROWS);
        run_done(okra(NULL, "run", "--quiet", "--recipe", "nlms", SHAPE, "--out", names[i][0], "s.csv"));
        write_stream("s.csv", 0, 400);
        run_done(
            okra(NULL, "run", "--quiet", "--recipe", "nlms", SHAPE, "--out", names[i][1], "--save", "m.okra", "s.csv"));
        write_stream("s.csv", 0, ROWS);
        run_done(okra(NULL, "run", "--quiet", "--load", "m.okra", "--resume", "--out", names[i][1], "s.csv"));
        char command[128];
        snprintf(command, sizeof command, "cmp %s %s", names[i][0], names[i][1]);
        assert_int_equal(system(command), 0);
    }
}

/* Input and output are compressed. What the run wrote after its last checkpoint is half of a member. */
static void compressed_files_are_resumed(void **state)
{
    (void)state;
    static const size_t stops[] = {0, 1, 399, ROWS};
#define PACKED "run", "--quiet", "--recipe", "nlms", SHAPE
    write_stream("s.csv", 0, ROWS);
    run_done(okra(NULL, PACKED, "--out", "full.csv", "s.csv"));
    for (size_t i = 0; i < COUNT_OF(stops); i++) {
        write_stream("s.csv", 0, stops[i]);
        assert_int_equal(system("rm -f m.okra; gzip -c s.csv > s.csv.gz"), 0);
        run_done(okra(NULL, PACKED, "--out", "out.csv.gz", "--save", "m.okra", "--checkpoint", "100", "s.csv.gz"));
        write_stream("s.csv", 0, ROWS);
        assert_int_equal(system("gzip -c s.csv > s.csv.gz; head -c 100 s.csv.gz >> out.csv.gz"), 0);
        run_done(okra(NULL, PACKED, "--resume", "--save", "m.okra", "--out", "out.csv.gz", "s.csv.gz"));
        assert_int_equal(system("gzip -dc out.csv.gz | cmp - full.csv"), 0);
    }
    assert_int_equal(system("gzip -c full.csv > out.csv.gz"), 0);
    assert_refused(okra(NULL, PACKED, "--resume", "--save", "m.okra", "--out", "out.csv.gz", "s.csv.gz"), 1,
                   "out.csv.gz: ", "it is not the output of the run that stopped; start again");
}

/* One input, then the targets. */
static void write_targets(const char *name, size_t targets, size_t rows)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    for (size_t n = 1; n <= rows; n++) {
        double x = sin(0.7 * (double)n);
        fprintf(file, "%.6g", x);
        for (size_t j = 0; j < targets; j++)
            fprintf(file, ",%.6g", x + cos((double)((j + 2) * n)));
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

/* The recent figures of a run that stopped and went on, over as many rows as `recent`. Without a window, the default.
 */
static void resume_window(size_t targets, size_t stop, size_t rows, const char *window, long recent)
{
    const char *option = window ? "--window" : NULL;
    char *list = calloc(targets, 8), *end = list;
    assert_non_null(list);
    for (size_t j = 0; j < targets; j++)
        end += sprintf(end, "%s%zu", j ? "," : "", j + 2);
#define WINDOW "run", "s.csv", "--quiet", "--recipe", "lms", "--mu", "0.1", "--inputs", "1", "--target", list
    write_targets("s.csv", targets, rows);
    run_done(okra(NULL, WINDOW, "--out", "full.csv", "--metrics", "full.json", option, window));
    write_targets("s.csv", targets, stop);
    run_done(okra(NULL, WINDOW, "--out", "out.csv", "--save", "m.okra", option, window));
    write_targets("s.csv", targets, rows);
    run_done(
        okra(NULL, WINDOW, "--out", "out.csv", "--save", "m.okra", "--resume", "--metrics", "m.json", option, window));
    assert_same_metrics("full.json", "m.json");
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(metrics, "recent_rows")), recent);
    json_decref(metrics);
    free(list);
}

static void recent_figures_go_on(void **state)
{
    (void)state;
    resume_window(1, 900, 1500, "1000", 1000);
    resume_window(1, 1300, 1500, "1000", 1000);
    resume_window(1, 30000, 30100, "20000", 20000);
    resume_window(3, 10000, 10100, "10000", 10000);
}

/* A window that a model file cannot keep is refused, and the default is as long as it can be. */
static void windows_beyond_a_model_file_are_refused(void **state)
{
    (void)state;
    write_targets("s.csv", 2, 3);
    run_done(okra(NULL, "run", "--quiet", "--target", "2,3", "--window", "65536", "--save", "m.okra", "s.csv"));
    run_done(okra(NULL, "run", "--quiet", "--target", "2,3", "--window", "65537", "s.csv"));
    assert_refused(okra(NULL, "run", "--quiet", "--target", "2,3", "--window", "65537", "--save", "m.okra", "s.csv"), 2,
                   "--window 65537", "65536", "--save");
    resume_window(200, 700, 720, NULL, 655); /* 2^17 / 200 */
}

/* A supervisor restarts with the same command line, whether there was time for a checkpoint or not. */
static void resuming_nothing_is_a_beginning(void **state)
{
    (void)state;
    write_stream("s.csv", 0, ROWS);
    unlink("new.okra");
    run_done(okra(NULL, "run", "--quiet", "--recipe", "rls", SHAPE, "--out", "full.csv", "s.csv"));
    for (size_t i = 0; i < 2; i++) {
        run_done(okra(NULL, "run", "--quiet", "--recipe", "rls", SHAPE, "--out", "out.csv", "--save", "new.okra",
                      "--checkpoint", "100", "--resume", "s.csv"));
        assert_same_files("full.csv", "out.csv");
    }
}

/* The model is as before the bad row, and goes on when that is put right. */
static void a_bad_row_can_be_put_right(void **state)
{
    (void)state;
#define LMS "run", "--quiet", "--recipe", "lms", "--mu", "0.5"
    write_file("bad.csv", "x,y\n1,4\n1,4\noops,8\n0,3\n");
    assert_refused(okra(NULL, LMS, "--save", "m.okra", "--out", "o.csv", "bad.csv"), 1, "bad.csv:4:", "'oops'");
    write_file("bad.csv", "x,y\n1,4\n1,4\n2,8\n0,3\n");
    run_done(okra(NULL, LMS, "--save", "m.okra", "--out", "o.csv", "--resume", "bad.csv"));
    char *text = read_file("o.csv");
    assert_string_equal(text, "n,y,yhat,error\n1,4,0,4\n2,4,4,0\n3,8,6,2\n4,3,3,0\n");
    free(text);
}

/* ---- going on with new rows ------------------------------------------------------------------------------------ */

static void new_rows_continue_a_model(void **state)
{
    (void)state;
    write_stream("s.csv", 0, ROWS);
    outcome whole = okra(NULL, "run", "--quiet", "--recipe", "rls", SHAPE, "s.csv");
    assert_done(whole);
    write_stream("first.csv", 0, 500);
    write_stream("rest.csv", 500, ROWS);
    run_done(okra(NULL, "run", "--quiet", "--recipe", "rls", SHAPE, "--save", "m.okra", "first.csv"));
    outcome rest = okra(NULL, "run", "--quiet", "--load", "m.okra", "--metrics", "m.json", "rest.csv");
    assert_done(rest);
    for (size_t n = 1; n <= 200; n++) {
        char yhat[256];
        snprintf(yhat, sizeof yhat, "%s", cell(whole.out, 499 + n, 2)); /* a row of the first part was skipped */
        assert_string_equal(cell(rest.out, n, 2), yhat);
        assert_int_equal(strtol(cell(rest.out, n, 0), NULL, 10), (long)n);
    }
    outcome_free(&whole);
    outcome_free(&rest);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(metrics, "rows")), 200);
    assert_int_equal(json_integer_value(json_object_get(metrics, "learnt")), 200);
    json_decref(metrics);
}

/* What a model file says of one option of the run that saved it; NULL: nothing. To be freed. */
static char *saved_option(const char *file, const char *key)
{
    run_done(okra(NULL, "info", "--metrics", "info.json", file));
    json_t *all = json_load_file("info.json", 0, NULL);
    const char *value = json_string_value(json_object_get(json_object_get(all, "metadata"), key));
    char *copy = value ? strdup(value) : NULL;
    json_decref(all);
    return copy;
}

/* A model handed on keeps the options that are its own, and none that only shaped the run before. */
static void options_of_the_model_are_handed_down(void **state)
{
    (void)state;
    write_stream("s.csv", 0, 100);
    run_done(okra(NULL, "run", "--quiet", "--recipe", "rff-klms", "--sigma", "auto", "--inputs", "a,b", "--target", "y",
                  "--keep", "t", "--out", "o.csv", "--save", "m.okra", "s.csv"));
    run_done(okra(NULL, "run", "--quiet", "--load", "m.okra", "--out", "o.csv", "--save", "n.okra", "s.csv"));
    char *sigma = saved_option("n.okra", "option.sigma"), *kept = saved_option("m.okra", "option.keep"),
         *keeps = saved_option("n.okra", "option.keep");
    assert_non_null(sigma);
    assert_string_equal(sigma, "auto");
    assert_non_null(kept);
    assert_string_equal(kept, "t");
    bool handed_down = keeps != NULL;
    free(sigma), free(kept), free(keeps);
    assert_false(handed_down);
}

/* By name, wherever they stand; by number if there are no names. */
static void columns_are_found_again(void **state)
{
    (void)state;
    run_done(okra("x,y\n1,4\n1,4\n", LMS, "--save", "m.okra"));
    outcome result = okra("y,label,x\n8,two,2\n3,none,0\n", "run", "--quiet", "--load", "m.okra");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,8,6,2\n2,3,3,0\n");
    outcome_free(&result);
    result = okra("2,8\n0,3\n", "run", "--quiet", "--load", "m.okra");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,8,6,2\n2,3,3,0\n");
    outcome_free(&result);
    assert_refused(okra("y,z\n1,4\n", "run", "--load", "m.okra"), 2, "m.okra", "no column 'x'");
}

/* ---- predicting ------------------------------------------------------------------------------------------------- */

static void predictions_learn_nothing(void **state)
{
    (void)state;
    run_done(okra("x,y\n1,4\n1,4\n", LMS, "--save", "m.okra"));
    char *before = read_file("m.okra");
    outcome result = okra("x,y\n2,8\n2,8\n0,\n,3\n", "predict", "--load", "m.okra", "--metrics", "m.json");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,8,6,2\n2,8,6,2\n3,,2,\n4,3,,\n");
    assert_has(result.err, "learnt           0\n");
    outcome_free(&result);
    char *after = read_file("m.okra");
    assert_string_equal(before, after);
    free(before);
    free(after);
    /* The target need not be there. */
    result = okra("z,x\n5,2\n6,0\n", "predict", "--quiet", "--load", "m.okra", "--keep", "z");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error,z\n1,,6,,5\n2,,2,,6\n");
    outcome_free(&result);
}

/* With a horizon, labels of the last rows learnt are still to come when a model is saved: they stay so. */
static void predictions_do_not_learn_old_labels(void **state)
{
    (void)state;
    write_stream("first.csv", 0, 300);
    run_done(okra(NULL, "run", "--quiet", "--recipe", "rls", "--target", "y", "--inputs", "a,b", "--horizon", "5",
                  "--save", "m.okra", "first.csv"));
    outcome result = okra("a,b\n0.5,0.5\n0.5,0.5\n0.5,0.5\n0.5,0.5\n0.5,0.5\n0.5,0.5\n", "predict", "--quiet", "--load",
                          "m.okra", "--interval", "90");
    assert_done(result);
    char first[256];
    snprintf(first, sizeof first, "%s", cell(result.out, 1, 2));
    for (size_t n = 2; n <= 6; n++)
        assert_string_equal(cell(result.out, n, 2), first);
    outcome_free(&result);
}

/* ---- mistakes --------------------------------------------------------------------------------------------------- */

static void conflicts_are_named(void **state)
{
    (void)state;
    const char *text = "x,z,y\n1,1,4\n1,1,4\n";
    run_done(okra(text, LMS, "--inputs", "x", "--save", "m.okra"));
    assert_refused(okra(text, "run", "--load", "m.okra", "--recipe", "rls"), 2, "--recipe rls", "m.okra", "lms");
    assert_refused(okra(text, "run", "--load", "m.okra", "--lags", "3"), 2, "--lags 3", "1", "leave --lags out");
    outcome slower = okra(text, "run", "--load", "m.okra", "--mu", "0.25"); /* the algorithm's own may change */
    assert_done(slower);
    assert_has(slower.err, "m.okra: continues with the given parameters");
    outcome_free(&slower);
    assert_refused(okra(text, "run", "--load", "m.okra", "--sigma", "1"), 2, "--sigma", "lms");
    assert_refused(okra(text, "run", "--load", "m.okra", "--lags", "2"), 2, "--lags 2", "1", "leave --lags out");
    assert_refused(okra(text, "run", "--load", "m.okra", "--horizon", "2"), 2, "--horizon 2");
    assert_refused(okra(text, "run", "--load", "m.okra", "--scale", "auto"), 2, "--scale auto", "none");
    assert_refused(okra(text, "run", "--load", "m.okra", "--inputs", "z"), 2, "--inputs", "column 1 (x)");
    assert_refused(okra(text, "run", "--load", "m.okra", "--target", "z"), 2, "--target", "column 3 (y)");
    assert_refused(okra(text, "run", "--load", "m.okra", "--weight", "z"), 2, "--weight", "none");
    /* What agrees is no conflict. */
    run_done(okra(text, "run", "--quiet", "--load", "m.okra", "--recipe=lms", "--mu", "5e-1", "--lags", "1",
                  "--inputs=x", "--target=3", "--precision", "f64"));
}

static void mistakes_are_named(void **state)
{
    (void)state;
    const char *text = "x,y\n1,4\n1,4\n";
    write_file("s.csv", text);
    write_file("not.okra", "nothing");
    assert_refused(okra(text, "run", "--load", "absent.okra"), 1, "absent.okra");
    assert_refused(okra(text, "run", "--load", "not.okra"), 1, "not.okra");
    assert_refused(okra(text, "run", "--checkpoint", "10"), 2, "--checkpoint", "--save");
    assert_refused(okra(text, "run", "--checkpoint", "0", "--save", "m"), 2, "--checkpoint", "'0'");
    assert_refused(okra(text, "run", "--save", "-"), 2, "--save", "standard output");
    assert_refused(okra(text, "run", "--save", "no/such/m.okra"), 1, "--save no/such/m.okra", "No such file");
    assert_refused(okra(text, "run", "--save", "."), 1, "--save .", "directory");
    assert_refused(okra(NULL, "run", "--save", "s.csv", "s.csv"), 2, "--save", "s.csv");
    assert_refused(okra(NULL, "run", "--save", "a", "--out", "a", "s.csv"), 2, "--save", "--out");
    assert_refused(okra(NULL, "run", "--resume", "--out", "o.csv", "s.csv"), 2, "--resume", "--save");
    assert_refused(okra(NULL, "run", "--resume", "--save", "m.okra", "s.csv"), 2, "--resume", "--out");
    assert_refused(okra(text, "run", "--resume", "--save", "m.okra", "--out", "o.csv"), 2, "--resume", "--load");
    assert_refused(okra(text, "predict"), 2, "--load");
    assert_refused(okra(text, "predict", "--load", "m.okra", "--mu", "1"), 2, "'--mu'");
}

static void resuming_something_else_is_refused(void **state)
{
    (void)state;
    write_file("s.csv", "x,y\n1,4\n1,4\n2,8\n");
    run_done(okra(NULL, LMS, "--digits", "5", "--save", "m.okra", "--out", "o.csv", "s.csv"));
    assert_refused(okra(NULL, LMS, "--digits", "6", "--save", "m.okra", "--out", "o.csv", "--resume", "s.csv"), 2,
                   "--digits 6", "5");
    assert_refused(okra(NULL, LMS, "--keep", "x", "--save", "m.okra", "--out", "o.csv", "--resume", "s.csv"), 2,
                   "--keep x", "none");
    write_file("short.csv", "x,y\n1,4\n");
    assert_refused(okra(NULL, "run", "--save", "m.okra", "--out", "o.csv", "--resume", "short.csv"), 1, "--resume",
                   "short.csv");
    write_file("o.csv", "n,y");
    assert_refused(okra(NULL, "run", "--save", "m.okra", "--out", "o.csv", "--resume", "s.csv"), 1, "o.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recipe_goes_on_as_if_it_had_not_stopped),
        cmocka_unit_test(a_run_can_stop_at_any_row),
        cmocka_unit_test(intervals_and_width_go_on),
        cmocka_unit_test(other_formats_are_resumed),
        cmocka_unit_test(compressed_files_are_resumed),
        cmocka_unit_test(recent_figures_go_on),
        cmocka_unit_test(windows_beyond_a_model_file_are_refused),
        cmocka_unit_test(resuming_nothing_is_a_beginning),
        cmocka_unit_test(a_bad_row_can_be_put_right),
        cmocka_unit_test(new_rows_continue_a_model),
        cmocka_unit_test(options_of_the_model_are_handed_down),
        cmocka_unit_test(columns_are_found_again),
        cmocka_unit_test(predictions_learn_nothing),
        cmocka_unit_test(predictions_do_not_learn_old_labels),
        cmocka_unit_test(conflicts_are_named),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(resuming_something_else_is_refused),
    };
    return cmocka_run_group_tests_name("cli resume", tests, enter_directory, leave_directory);
}
