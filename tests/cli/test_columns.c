/*
 * Which columns are what: by name, by number, left out, found again by a saved model; and what is said where a stream
 * has none, or no rows, that could be learnt from.
 */
#include "harness.h"

/* y = a + 1: a filter that goes all the way (mu = 1) knows it from the first row, a = 1, on. */
#define NLMS "run", "--recipe", "nlms", "--mu", "1", "--reg", "1e-30"

static const char named[] = "a,y\n1,2\n3,4\n2,3\n", bare[] = "1,2\n3,4\n2,3\n";

/* Fails unless it ended well; gives what it wrote and frees the rest. */
static char *written(outcome result)
{
    assert_done(result);
    free(result.err);
    return result.out;
}

static void assert_writes(outcome result, const char *wanted)
{
    char *out = written(result);
    assert_string_equal(out, wanted);
    free(out);
}

static void learn(const char *rows, const char *model) { free(written(okra(rows, NLMS, "--quiet", "--save", model))); }

/* ---- left out ------------------------------------------------------------------------------------------------- */

static void columns_can_be_left_out(void **state)
{
    (void)state;
    static const char dated[] = "day,a,y,note\n2020-01-01,1,2,x\n2020-01-02,3,4,\n2020-01-03,2,3,z\n";
    char *plain = written(okra(named, NLMS, "--quiet"));
    assert_writes(okra(dated, NLMS, "--quiet", "--without", "day,note"), plain); /* y is then the last column */
    assert_writes(okra(dated, NLMS, "--quiet", "--without", "1,4"), plain);
    assert_writes(okra(dated, NLMS, "--quiet", "--without", "note", "--inputs", "a"), plain);
    free(plain);
    plain = written(okra(dated, NLMS, "--quiet", "--without", "day,note", "--keep", "day"));
    assert_string_equal(cell(plain, 2, 4), "2020-01-02"); /* what is left out may be kept */
    free(plain);
}

static void what_is_left_out_is_nothing_else(void **state)
{
    (void)state;
    assert_refused(okra(named, NLMS, "--without", "a,y"), 2, "--without", "leaves no column", "as the target");
    assert_refused(okra(named, NLMS, "--without", "y", "--target", "y"), 2, "--target", "column 2 (y)", "left out");
    assert_refused(okra(named, NLMS, "--without", "a", "--inputs", "a"), 2, "--inputs", "column 1 (a)", "left out");
    assert_refused(okra(named, NLMS, "--without", "b"), 2, "--without", "no column 'b'", "a, y");
    assert_refused(okra("day,y\n2020-01-01,1\n", NLMS), 1, "column 1 (day)", "--without");
}

static void a_model_knows_what_was_left_out(void **state)
{
    (void)state;
    static const char rows[] = "a,b,y\n1,9,2\n3,9,4\n2,9,3\n";
    free(written(okra(rows, NLMS, "--quiet", "--without", "b", "--save", "without.okra")));
    assert_writes(okra("b,a,y\n9,5,6\n", "predict", "--quiet", "--load", "without.okra"), "n,y,yhat,error\n1,6,6,0\n");
    assert_writes(okra("a,b,y\n5,9,6\n", NLMS, "--quiet", "--without", "b", "--load", "without.okra"),
                  "n,y,yhat,error\n1,6,6,0\n");
    assert_refused(okra(rows, NLMS, "--without", "a", "--load", "without.okra"), 2, "--without", "column 1 (a)",
                   "leave --without out");
}

/* ---- found again ---------------------------------------------------------------------------------------------- */

static void without_a_header_numbers_are_recalled(void **state)
{
    (void)state;
    learn(bare, "bare.okra");
    assert_writes(okra("5,6\n", "predict", "--quiet", "--load", "bare.okra"), "n,y,yhat,error\n1,6,6,0\n");
    assert_writes(okra("5,6\n", "predict", "--quiet", "--load", "bare.okra", "--target", "2"),
                  "n,y,yhat,error\n1,6,6,0\n");
    assert_writes(okra("5\n", "predict", "--quiet", "--load", "bare.okra"), "n,y,yhat,error\n1,,6,\n");
}

/* A header of numbers is a header: column "2" is not the second one. */
static void names_that_are_numbers_stay_names(void **state)
{
    (void)state;
    free(written(okra("1,2\n1,2\n3,4\n2,3\n", NLMS, "--quiet", "--header", "yes", "--save", "numbered.okra")));
    assert_writes(okra("0,1\n9,5\n", "predict", "--quiet", "--header", "yes", "--load", "numbered.okra"),
                  "n,y,yhat,error\n1,,6,\n");
}

static void of_two_columns_with_one_name_the_place_counts(void **state)
{
    (void)state;
    static const char twins[] = "a,a,y\n1,0,2\n3,0,4\n2,0,3\n";
    learn(twins, "twins.okra");
    assert_writes(okra("a,a,y\n5,0,6\n", "predict", "--quiet", "--load", "twins.okra"), "n,y,yhat,error\n1,6,6,0\n");
    assert_refused(okra("b,a,a,y\n1,5,0,6\n", "predict", "--load", "twins.okra"), 2, "two columns 'a'", "2 and 3");
}

static void a_header_on_one_side_only_is_told(void **state)
{
    (void)state;
    learn(named, "named.okra");
    learn(bare, "bare.okra");
    outcome result = okra(bare, "predict", "--load", "named.okra");
    assert_done(result);
    assert_has(result.err, "okra: standard input has no header, but the rows that named.okra learnt had one");
    outcome_free(&result);
    result = okra(named, "predict", "--load", "bare.okra");
    assert_done(result);
    assert_has(result.err, "okra: standard input has a header, but the rows that bare.okra learnt had none");
    outcome_free(&result);
}

/* ---- what a run says of them ----------------------------------------------------------------------------------- */

static void the_summary_names_the_columns(void **state)
{
    (void)state;
    free(written(okra("a,b,\xff,,y,z\n1,2,3,4,5,6\n", NLMS, "--quiet", "--target", "z,y", "--metrics", "m.json")));
    json_t *all = json_load_file("m.json", 0, NULL),
           *wanted = json_loads("{\"t\": [\"z\", \"y\"], \"i\": [\"a\", \"b\", 3, 4]}", 0, NULL);
    assert_true(json_equal(json_object_get(all, "target"), json_object_get(wanted, "t")));
    assert_true(json_equal(json_object_get(all, "inputs"), json_object_get(wanted, "i"))); /* a number if no name can
                                                                                              be written */
    json_decref(all), json_decref(wanted);
}

/* Twenty thousand columns: a row is larger than what is usually held for many. */
static void tables_may_be_very_wide(void **state)
{
    (void)state;
    enum { COLUMNS = 20000, ROWS = 40 };
    FILE *file = fopen("wide.csv", "w");
    for (size_t i = 0; i < ROWS; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            fprintf(file, "%zu%c", (i * c) % 7, c + 1 < COLUMNS ? ',' : '\n');
    assert_int_equal(fclose(file), 0);
    char *out = written(okra(NULL, "run", "--quiet", "--recipe", "nlms", "wide.csv"));
    assert_int_equal(count_lines(out), ROWS + 1);
    free(out);
}

static void a_stream_without_good_rows_is_told(void **state)
{
    (void)state;
    outcome result = okra("a,y\n", NLMS); /* it may be a file that has just been begun */
    assert_done(result);
    assert_has(result.err, "okra: standard input: no rows below its header yet");
    outcome_free(&result);
    write_file("old.okra", "what was there");
    assert_refused(okra("a,y\nx,1\n", NLMS, "--quiet", "--bad-rows", "skip", "--save", "old.okra"), 1, "all rows (1)");
    char *kept = read_file("old.okra");
    assert_string_equal(kept, "what was there");
    free(kept);
    assert_refused(okra("a,y\nx,1\nz,2\n", NLMS, "--quiet", "--bad-rows", "skip"), 1, "all rows (2) were skipped",
                   "standard input:2", "'x'");
}

static void a_stream_that_teaches_nothing_is_told(void **state)
{
    (void)state;
    char rows[400] = "a,y\n";
    for (int i = 0; i < 20; i++)
        strcat(rows, "1,\n");
    outcome result = okra(rows, "run");
    assert_done(result);
    assert_has(result.err, "okra: nothing was learnt: no row had both its target");
    outcome_free(&result);
    result = okra(named, "run", "--recipe", "rls", "--scale", "auto");
    assert_done(result);
    assert_has(result.err, "okra: nothing is learnt yet");
    outcome_free(&result);
    result = okra(named, NLMS);
    assert_done(result);
    assert_null(strstr(result.err, "nothing"));
    outcome_free(&result);
}

static void tuning_needs_something_to_tell_apart(void **state)
{
    (void)state;
    static const char *const says[] = {"is the same in every row", "has no value in any row: name another",
                                       "has no value in any row, so"},
                             *const rows[] = {"%d,5\n", "%d,\n", ",%d\n"};
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        FILE *file = fopen("dull.csv", "w");
        fputs("a,y\n", file);
        for (int i = 0; i < 100; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            fprintf(file, rows[k], i);
#pragma GCC diagnostic pop
        }
        fclose(file);
        assert_refused(okra(NULL, "tune", "--budget", "3", "dull.csv"), 1, "dull.csv",
                       k < 2 ? "column 2 (y)" : "column 1 (a)", says[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_can_be_left_out),
        cmocka_unit_test(what_is_left_out_is_nothing_else),
        cmocka_unit_test(a_model_knows_what_was_left_out),
        cmocka_unit_test(without_a_header_numbers_are_recalled),
        cmocka_unit_test(names_that_are_numbers_stay_names),
        cmocka_unit_test(of_two_columns_with_one_name_the_place_counts),
        cmocka_unit_test(a_header_on_one_side_only_is_told),
        cmocka_unit_test(the_summary_names_the_columns),
        cmocka_unit_test(tables_may_be_very_wide),
        cmocka_unit_test(a_stream_without_good_rows_is_told),
        cmocka_unit_test(a_stream_that_teaches_nothing_is_told),
        cmocka_unit_test(tuning_needs_something_to_tell_apart),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
