/*
 * okra run and the mistakes that are easily made: each is told in one line that names the place and the remedy, with
 * the exit status that was promised, and spoils nothing.
 */
#include "harness.h"

#include <sys/stat.h>

#define LMS "run", "--quiet", "--recipe", "lms", "--mu", "0.5"

static const char stream[] = "x,y\n1,4\n1,4\n2,8\n0,3\n";
static const char predictions[] = "n,y,yhat,error\n1,4,0,4\n2,4,4,0\n3,8,6,2\n4,3,3,0\n";

/* ---- mistakes in options ------------------------------------------------------------------------------------- */

static void mistaken_options_are_named(void **state)
{
    (void)state;
    assert_refused(okra(stream, "run", "--targte", "y"), 2, "'--targte'", "did you mean '--target'?");
    assert_refused(okra(stream, "run", "--sigm=3"), 2, "'--sigm'", "did you mean '--sigma'?");
    assert_refused(okra(stream, "run", "--zebra"), 2, "'--zebra'", "okra help run");
    assert_refused(okra(stream, "run", "-q"), 2, "'-q'", "two dashes");
    assert_refused(okra(stream, "run", "--mu"), 2, "--mu needs a value");
    assert_refused(okra(stream, "run", "--target", "--quiet"), 2, "--target needs a value");
    assert_refused(okra(stream, "run", "--quiet=yes"), 2, "--quiet takes no value");
    assert_refused(okra(stream, "run", "a.csv", "b.csv"), 2, "'b.csv'", "one FILE");
}

static void mistaken_parameters_are_named(void **state)
{
    (void)state;
    assert_refused(okra(stream, "run", "--recipe", "rff-kmls"), 2, "'rff-kmls'", "did you mean 'rff-klms'?");
    assert_refused(okra(stream, "run", "--recipe", "magic"), 2, "'magic'", "okra list");
    assert_refused(okra(stream, "run", "--recipe", "rff-klms", "--mu", "fast"), 2, "--mu", "'fast'");
    assert_refused(okra(stream, "run", "--recipe", "rff-klms", "--mu", "-1"), 2, "--mu", "-1", "range");
    assert_refused(okra(stream, "run", "--features", "2.5"), 2, "--features", "2.5");
    assert_refused(okra(stream, "run", "--recipe", "qklms", "--kernel", "sinc"), 2, "--kernel", "'sinc'", "gaussian");
    assert_refused(okra(stream, "run", "--mu", "1"), 2, "--mu", "auto", "--recipe rff-klms");
    assert_refused(okra(stream, "run", "--recipe", "lms", "--sigma", "2"), 2, "--sigma", "lms", "okra list lms");
}

static void mistaken_columns_are_named(void **state)
{
    (void)state;
    write_file("s.csv", "speed,torque,power\n1,2,3\n");
    assert_refused(okra(NULL, "run", "--target", "toque", "s.csv"), 2, "--target", "s.csv", "'toque'",
                   "did you mean 'torque'?");
    assert_refused(okra(NULL, "run", "--target", "zzzzzz", "s.csv"), 2, "'zzzzzz'", "it has speed, torque, power");
    assert_refused(
        okra("a_rather_long_name_of_a_column_1,a_rather_long_name_of_a_column_2,a_rather_long_name_of_a_column_3,"
             "a_rather_long_name_of_a_column_4,a_rather_long_name_of_a_column_5\n1,2,3,4,5\n",
             "run", "--target", "zzzzzz"),
        2, "'zzzzzz'", "it has a_rather_long_name_of_a_column_1, ", "_3, .. of 5");
    assert_refused(okra(NULL, "run", "--target", "4", "s.csv"), 2, "no column 4", "from 1 to 3");
    assert_refused(okra(NULL, "run", "--target", "0", "s.csv"), 2, "no column 0", "from 1 to 3");
    assert_refused(okra(NULL, "run", "--target", "99999999999999999999", "s.csv"), 2, "from 1 to 3");
    assert_refused(okra("1,2\n", "run", "--target", "y"), 2, "'y'", "no header", "from 1 to 2");
    assert_refused(okra(NULL, "run", "--inputs", "speed,,torque", "s.csv"), 2, "--inputs", "empty");
    assert_refused(okra("x,x,y\n1,2,3\n", "run", "--inputs", "x"), 2, "two columns 'x'", "1 and 2", "number");
}

static void a_column_has_one_part(void **state)
{
    (void)state;
    write_file("s.csv", "speed,torque,power\n1,2,3\n");
    assert_refused(okra(NULL, "run", "--inputs", "speed,1", "s.csv"), 2, "--inputs", "column 1 (speed)", "twice");
    assert_refused(okra(NULL, "run", "--target", "torque", "--inputs", "speed,torque", "s.csv"), 2, "--inputs",
                   "column 2 (torque)", "already the target");
    assert_refused(okra(NULL, "run", "--inputs", "speed,power", "s.csv"), 2, "column 3 (power)", "the last column",
                   "--target");
    assert_refused(okra(NULL, "run", "--weight", "power", "s.csv"), 2, "column 3 (power)", "the last column",
                   "--target");
    assert_refused(okra("y\n1\n", "run", "--target-lags", "0"), 2, "nothing to predict from", "target lags");
    assert_refused(okra(NULL, "run", "--keep", "torque,2", "s.csv"), 2, "--keep", "column 2 (torque)", "twice");
    assert_refused(okra(NULL, "run", "--target", "power", "--weight", "speed,torque", "s.csv"), 2, "--weight", "one");
}

/* ---- mistakes in the input ----------------------------------------------------------------------------------- */

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    assert_refused(okra(NULL, "run", "absent.csv"), 1, "absent.csv", "no such file");
    assert_refused(okra(NULL, "run", "."), 1, ".: is a directory", "file");
    assert_refused(okra("", "run"), 1, "standard input", "empty");
    assert_refused(okra("\n \n", "run"), 1, "standard input", "empty");
    assert_refused(okra(NULL, "run", "bad\nname.csv"), 1, "bad?name.csv"); /* still one line */
}

static void files_without_permission(void **state)
{
    (void)state;
    write_file("secret.csv", stream);
    assert_int_equal(chmod("secret.csv", 0), 0);
    call nobody = {.nobody = true};
    outcome result = okra_how(nobody, "run", "secret.csv");
    if (result.status == 127) { /* the build directory is not open to nobody */
        outcome_free(&result);
        skip();
    }
    assert_refused(result, 1, "secret.csv", "permission denied");
}

static void rows_that_do_not_parse(void **state)
{
    (void)state;
    write_file("s.csv", "x1,x2,y\n1,2,3\n1,two,3\n");
    assert_refused(okra(NULL, "run", "s.csv"), 1, "s.csv:3:", "column 2 (x2)", "'two'", "not a number");
    assert_refused(okra("x,y\n1,1e400\n", "run"), 1, "input:2:", "column 2 (y)", "'1e400'", "too large for a double");
    assert_refused(okra("x,y\n1,-inf\n", "run"), 1, "input:2:", "column 2 (y)", "'-inf'", "not finite");
    assert_refused(okra("x,y\n0x1p3,1\n", "run"), 1, "input:2:", "column 1 (x)", "'0x1p3'", "not a number");
    assert_refused(okra("x,y\n1.5m,1\n", "run"), 1, "input:2:", "column 1 (x)", "'1.5m'", "not a number");
    assert_refused(okra("x,y\n1,2\n1\n", "run"), 1, "input:3:", "1 field where", "2");
    assert_refused(okra("x,y\n1,2\n1,2,3\n", "run"), 1, "input:3:", "3 fields where", "2");
    assert_refused(okra("x,y\n1,2\n\"1,2\n", "run"), 1, "input:3:", "quote");
}

static void what_was_predicted_before_an_error_stays(void **state)
{
    (void)state;
    outcome result = okra("x,y\n1,4\n1,4\noops,8\n0,3\n", LMS, "--out", "out.csv");
    assert_refused(result, 1, "standard input:4:", "'oops'");
    char *text = read_file("out.csv");
    assert_string_equal(text, "n,y,yhat,error\n1,4,0,4\n2,4,4,0\n");
    free(text);
}

static void divergence_is_status_3(void **state)
{
    (void)state;
    char text[8192] = "x,y\n";
    for (size_t n = 0; n < 800; n++)
        strcat(text, "10,1\n");
    outcome result = okra(text, "run", "--recipe", "lms", "--mu", "1", "--metrics", "m.json");
    assert_true(count_lines(result.out) > 100);
    assert_null(strstr(result.out, "nan"));
    assert_refused(result, 3, "standard input:", "diverged", "--mu 1 ", "lower it");
}

static void inputs_out_of_range_are_told_apart(void **state)
{
    (void)state;
    assert_refused(okra("x,y\n1,1\n1e300,1\n", "run", "--recipe", "rff-klms", "--sigma", "1e-20"), 1,
                   "standard input:3:", "--sigma 1e-20", "scale the inputs", "raise");
}

/* ---- mistakes in given features ------------------------------------------------------------------------------- */

static void features_that_do_not_fit(void **state)
{
    (void)state;
    write_file("omega.csv", "omega1,b\n1,2\n3,4\n");
    write_file("two.csv", "omega1,omega2,b\n1,2,3\n");
    write_file("gap.csv", "omega1,b\n1,2\n,4\n");
    write_file("none.csv", "omega1,b\n");
    write_file("order.csv", "b,omega1\n1,2\n");
    assert_refused(okra(stream, "run", "--omega", "omega.csv", "--features", "300"), 2, "--features 300", "omega.csv",
                   "2 rows");
    assert_refused(okra(stream, "run", "--omega", "two.csv"), 1, "two.csv", "3 columns", "2 columns");
    assert_refused(okra(stream, "run", "--omega", "gap.csv"), 1, "gap.csv:3:", "column 1 (omega1)", "no value");
    assert_refused(okra(stream, "run", "--omega", "none.csv"), 1, "none.csv", "no rows");
    assert_refused(okra(stream, "run", "--omega", "order.csv"), 1, "order.csv", "last");
    assert_refused(okra(stream, "run", "--omega", "absent.csv"), 1, "absent.csv", "no such file");
    assert_refused(okra(stream, "run", "--omega", "omega.csv", "--recipe", "lms"), 2, "--omega", "lms");
    assert_refused(okra(stream, "run", "--omega", "-"), 2, "--omega", "standard input");
}

/* A row of so many columns under their names. */
static char *wide_table(size_t columns)
{
    char *text = NULL;
    size_t size;
    FILE *csv = open_memstream(&text, &size);
    for (size_t i = 0; i < 2 * columns; i++)
        fprintf(csv, i < columns ? "c%zu%s" : "%zu%s", i, i % columns + 1 < columns ? "," : "\n");
    fclose(csv);
    return text;
}

/* More than any machine can address: what most of it comes from is to blame. */
static void what_is_too_large_is_named(void **state)
{
    (void)state;
    char *wide = wide_table(20000);
    write_file("wide.csv", wide);
    free(wide);
    make_signal("ex2", "100", "five.csv");
    setenv("ASAN_OPTIONS", "allocator_may_return_null=1:log_path=sanitizer", 1); /* it has a word to say on them */
    assert_refused(okra(NULL, "run", "--lags", "16777216", "five.csv"), 2, "--lags 16777216: auto", "lower it");
    assert_refused(okra(NULL, "run", "--recipe", "rls", "--lags", "16777216", "five.csv"), 2, "--lags 16777216: rls");
    assert_refused(okra(NULL, "run", "--recipe", "rls", "--target-lags", "16777216", "five.csv"), 2,
                   "--target-lags 16777216: rls", "lower it");
    assert_refused(okra(NULL, "run", "--recipe", "rff-krls", "--features", "16777216", "--lags", "7", "five.csv"), 2,
                   "--features 16777216: rff-krls", "lower it");
    assert_refused(okra(NULL, "run", "--recipe", "krls", "--capacity", "268435456", "five.csv"), 2,
                   "--capacity 268435456: krls", "lower it");
    assert_refused(okra(NULL, "run", "--recipe", "lms", "--horizon", "16777216", "--lags", "2097152", "--scale", "none",
                        "five.csv"),
                   2, "--horizon 16777216: lms", "lower it");
    assert_refused(okra(NULL, "run", "--recipe", "rls", "--lags", "4096", "wide.csv"), 2, "okra: 19999 inputs: rls",
                   "choose fewer with --inputs");
    assert_refused(okra(NULL, "compare", "--recipes", "rls", "--lags", "16777216", "five.csv"), 2,
                   "--lags 16777216: rls");
    assert_refused(okra(NULL, "tune", "--lags", "16777216", "five.csv"), 2, "--lags 16777216: rff-krls");
    unsetenv("ASAN_OPTIONS");
}

/* ---- output that fails --------------------------------------------------------------------------------------- */

static void a_full_disk_is_told(void **state)
{
    (void)state;
    call full = {.input = stream, .out = "/dev/full"};
    assert_refused(okra_how(full, LMS), 1, "standard output", "No space left");
    assert_refused(okra(stream, LMS, "--out", "/dev/full"), 1, "/dev/full", "No space left");
    outcome result = okra(stream, LMS, "--metrics", "/dev/full");
    assert_string_equal(result.out, predictions);
    assert_refused(result, 1, "/dev/full", "No space left");
}

static void a_closed_pipe_is_told(void **state)
{
    (void)state;
    call closed = {.input = stream, .closed_pipe = true};
    assert_refused(okra_how(closed, LMS), 1, "standard output", "closed");
}

static void a_closed_standard_output_is_told(void **state)
{
    (void)state;
    write_file("stream.csv", stream);
    write_file("m.json", "as it was");
    const char *const shell[] = {"/bin/sh", "-c", OKRA_PROGRAM " run --metrics m.json < stream.csv >&-", NULL};
    assert_refused(run_program(&(call){0}, shell), 1, "standard output");
    char *text = read_file("m.json");
    assert_null(strstr(text, "yhat")); /* the predictions did not land in the next file opened */
    free(text);
}

static void outputs_that_would_hurt_are_refused(void **state)
{
    (void)state;
    write_file("stream.csv", stream);
    assert_refused(okra(NULL, "run", "--out", "stream.csv", "stream.csv"), 2, "--out", "stream.csv", "another");
    assert_refused(okra(NULL, "run", "--metrics", "./stream.csv", "stream.csv"), 2, "--metrics", "stream.csv");
    char *text = read_file("stream.csv");
    assert_string_equal(text, stream);
    free(text);
    assert_refused(okra(NULL, "run", "--out", "a", "--metrics", "a", "stream.csv"), 2, "--metrics", "'a'");
    assert_refused(okra(NULL, "run", "--metrics", "-", "stream.csv"), 2, "--metrics", "'-'");
    assert_refused(okra(NULL, "run", "--out", "no/such/folder", "stream.csv"), 1, "no/such/folder", "No such file");
    assert_refused(okra(NULL, "run", "--metrics", "no/such/folder", "stream.csv"), 1, "no/such/folder", "No such file");
}

static void a_run_that_cannot_start_leaves_old_results(void **state)
{
    (void)state;
    write_file("old.csv", "as it was");
    assert_refused(okra(stream, "run", "--target", "no", "--out", "old.csv"), 2, "'no'");
    char *text = read_file("old.csv");
    assert_string_equal(text, "as it was");
    free(text);
}

/* Names that files bring with them: nothing that a terminal would obey is said of them, on either stream. */
static void names_give_no_commands(void **state)
{
    (void)state;
    write_file("evil.csv", "a\033[2J,b\xc2\x9b"
                           "31m\n1,2\n2,4\n3,x\033[8m\n");
    outcome run =
        okra(NULL, "run", "--recipe", "lms", "--bad-rows", "skip", "--save", "evil.okra", "--out", "p.csv", "evil.csv");
    assert_done(run);
    outcome shown = okra(NULL, "info", "evil.okra"), wrong = okra(NULL, "run", "--target", "c", "evil.csv");
    assert_done(shown);
    assert_int_equal(wrong.status, 2);
    assert_has(shown.out, "a?[2J");
    const char *const said[] = {run.err, shown.out, shown.err, wrong.err};
    for (size_t i = 0; i < COUNT_OF(said); i++)
        assert_plain(said[i]);
    outcome_free(&run), outcome_free(&shown), outcome_free(&wrong);
}

/* JSON has escapes for what a terminal would obey, and a reader gets the very name. */
static void json_gives_no_commands(void **state)
{
    (void)state;
    static const char first[] = "a\033[2J\x7f\xc2\x9b"
                                "31m";
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is what is tested */
    static const char second[] = "b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8 \xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbf";
    char text[256];
    snprintf(text, sizeof text, "%s,%s\n1,2\n2,4\n3,5\n", first, second);
    write_file("evil.csv", text);
    outcome run = okra(NULL, "run", "--recipe", "lms", "--metrics", "run.json", "--save", "a\xc2\x85.okra", "evil.csv"),
            info = okra(NULL, "info", "--metrics", "-", "a\xc2\x85.okra"),
            export = okra(NULL, "export", "a\xc2\x85.okra");
    assert_done(run), assert_done(info), assert_done(export);
    char *metrics = read_file("run.json");
    assert_plain(metrics), assert_plain(info.out), assert_plain(export.out);
    assert_has(metrics, "\\u202e\\u2066\\u2028 \xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbf\"");
    json_t *read[] = {json_loads(metrics, 0, NULL), json_loads(info.out, 0, NULL), json_loads(export.out, 0, NULL)};
    assert_string_equal(json_string_value(json_array_get(json_object_get(read[0], "inputs"), 0)), first);
    assert_string_equal(json_string_value(json_array_get(json_object_get(read[0], "target"), 0)), second);
    assert_string_equal(json_string_value(json_object_get(read[1], "file")), "a\xc2\x85.okra");
    const json_t *notes = json_object_get(read[1], "metadata"), *metadata = json_object_get(read[2], "metadata");
    assert_string_equal(json_string_value(json_object_get(notes, "input.1.name")), first);
    assert_string_equal(json_string_value(json_object_get(metadata, "metadata.target.1.name")), second);
    for (size_t i = 0; i < COUNT_OF(read); i++)
        json_decref(read[i]);
    free(metrics);
    outcome_free(&run), outcome_free(&info), outcome_free(&export);
}

/* Whole numbers, each with the least and the most that it may be: one less and one more are refused, with the range. */
static void counts_have_their_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *command, *operand, *option, *below, *above, *range;
    } counts[] = {
        {"run", "s.csv", "digits", "0", "18", "from 1 to 17"},
        {"run", "s.csv", "lags", "0", "16777217", "from 1 to 16777216"},
        {"run", "s.csv", "horizon", "0", "16777217", "from 1 to 16777216"},
        {"run", "s.csv", "lag-from", "-1", "16777217", "from 0 to 16777216"},
        {"run", "s.csv", "target-lags", "-1", "16777217", "from 0 to 16777216"},
        {"run", "s.csv", "warmup", "1", "16777217", "from 2 to 16777216"},
        {"run", "s.csv", "checkpoint", "0", "18446744073709551616", "from 1 to 18446744073709551615"},
        {"run", "s.csv", "score-from", "-1", "18446744073709551616", "from 0 to 18446744073709551615"},
        {"compare", "s.csv", "rows", "0", "18446744073709551616", "from 1 to 18446744073709551615"},
        {"tune", "s.csv", "rows", "63", "268435457", "from 64 to 268435456"},
        {"tune", "s.csv", "budget", "1", "65537", "from 2 to 65536"},
        {"tune", "s.csv", "threads", "0", "1025", "from 1 to 1024"},
        {"diffuse", NULL, "runs", "0", "4294967296", "from 1 to 4294967295"},
        {"diffuse", NULL, "threads", "0", "1025", "from 1 to 1024"},
        {"diffuse", NULL, "nodes", "0", "67108865", "from 1 to 67108864"},
        {"diffuse", NULL, "every", "0", "4294967296", "from 1 to 4294967295"},
        {"diffuse", NULL, "samples", "0", "4294967296", "from 1 to 4294967295"},
        {"paper", "fig3a", "runs", "0", "1000000001", "from 1 to 1000000000"},
        {"paper", "fig3a", "seed", "-1", "18446744073709551616", "from 0 to 18446744073709551615"},
        {"paper", "fig3a", "threads", "0", "1025", "from 1 to 1024"},
        {"theory", NULL, "dim", "-1", "1000001", "from 0 to 1000000"},
        {"signal", "ex2", "samples", "-1", "18446744073709551616", "from 0 to 18446744073709551615"},
        {"signal", "ex2", "seed", "-1", "18446744073709551616", "from 0 to 18446744073709551615"},
        {"signal", "ex2", "run", "-1", "4294967296", "from 0 to 4294967295"},
    };
    make_signal("ex2", "70", "s.csv");
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (int above = 0; above < 2; above++) {
            char given[64];
            snprintf(given, sizeof given, "--%s=%s", counts[i].option, above ? counts[i].above : counts[i].below);
            assert_refused(okra(NULL, counts[i].command, given, counts[i].operand), 2, counts[i].option,
                           counts[i].range);
        }
    /* the ends themselves are taken */
    static const char *const ends[] = {"--digits=1", "--digits=17",     "--lags=1",
                                       "--warmup=2", "--target-lags=0", "--score-from=0"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        outcome result = okra(NULL, "run", "--quiet", "--recipe", "rls", "--scale", "auto", ends[i], "s.csv");
        assert_done(result);
        outcome_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_give_no_commands),
        cmocka_unit_test(json_gives_no_commands),
        cmocka_unit_test(mistaken_options_are_named),
        cmocka_unit_test(mistaken_parameters_are_named),
        cmocka_unit_test(mistaken_columns_are_named),
        cmocka_unit_test(a_column_has_one_part),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(files_without_permission),
        cmocka_unit_test(rows_that_do_not_parse),
        cmocka_unit_test(what_was_predicted_before_an_error_stays),
        cmocka_unit_test(divergence_is_status_3),
        cmocka_unit_test(inputs_out_of_range_are_told_apart),
        cmocka_unit_test(features_that_do_not_fit),
        cmocka_unit_test(what_is_too_large_is_named),
        cmocka_unit_test(counts_have_their_ranges),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(a_closed_pipe_is_told),
        cmocka_unit_test(a_closed_standard_output_is_told),
        cmocka_unit_test(outputs_that_would_hurt_are_refused),
        cmocka_unit_test(a_run_that_cannot_start_leaves_old_results),
    };
    return cmocka_run_group_tests_name("cli mistakes", tests, enter_directory, leave_directory);
}
