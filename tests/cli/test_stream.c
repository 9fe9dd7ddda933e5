/*
 * okra run's options over a stream: lags, horizon, scale, gaps, scores, digits and formats. What it predicts is checked
 * against a model that the test drives itself (tests/model/test_model.c checks models by hand).
 */
#include "harness.h"

#include <jansson.h>
#include <okra/io.h>

enum { ROWS = 600, INPUTS = 2 };

static double U[ROWS][INPUTS], Y[ROWS];

/* A stream with memory, so that lags matter. */
static void make_stream(void)
{
    okra_random random = {.seed = 5};
    okra_random_normal(&random, ROWS * INPUTS, &U[0][0]);
    for (size_t t = 0; t < ROWS; t++)
        Y[t] = 3 + 0.5 * U[t][0] * U[t][1] + (t > 0 ? 0.7 * Y[t - 1] - 0.2 * U[t - 1][0] : 0);
}

static void write_number(FILE *file, double x, char after)
{
    char text[OKRA_REAL_TEXT];
    okra_format_real(x, text);
    fprintf(file, "%s%c", isnan(x) ? "" : text, after);
}

static void write_stream(const char *name, size_t inputs)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(inputs ? "u1,u2,y\n" : "y\n", file);
    for (size_t t = 0; t < ROWS; t++) {
        for (size_t c = 0; c < inputs; c++)
            write_number(file, U[t][c], ',');
        write_number(file, Y[t], '\n');
    }
    assert_int_equal(fclose(file), 0);
}

/* The output must be what this model says of the stream, to the last bit. */
static void assert_predicts(outcome result, const okra_spec *spec)
{
    okra_filter *model;
    assert_done(result);
    assert_ok(okra_create(spec, &model));
    const char *line = result.out;
    for (size_t t = 0; t < ROWS; t++) {
        double yhat;
        char text[OKRA_REAL_TEXT], error[OKRA_REAL_TEXT], y[OKRA_REAL_TEXT], wanted[128];
        assert_ok(okra_step(model, U[t], &Y[t], 1, &yhat, NULL));
        okra_format_real(yhat, text);
        okra_format_real(Y[t] - yhat, error);
        okra_format_real(Y[t], y);
        bool known = !isnan(yhat), target = !isnan(Y[t]);
        snprintf(wanted, sizeof wanted, "%zu,%s,%s,%s\n", t + 1, target ? y : "", known ? text : "",
                 known && target ? error : "");
        line = strchr(line, '\n') + 1;
        if (strncmp(line, wanted, strlen(wanted)) != 0)
            fail_msg("row %zu: '%.60s' and not '%s'", t + 1, line, wanted);
    }
    assert_int_equal(count_lines(result.out), ROWS + 1);
    okra_free(model);
    outcome_free(&result);
}

static okra_spec rls_spec(size_t inputs)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "rls", inputs, 1));
    return spec;
}

#define RLS "run", "--quiet", "--recipe", "rls"

/* ---- what it predicts from ----------------------------------------------------------------------------------- */

static void lags_of_inputs_and_targets(void **state)
{
    (void)state;
    write_stream("s.csv", INPUTS);
    okra_spec spec = rls_spec(INPUTS);
    spec.lags = 3;
    assert_predicts(okra(NULL, RLS, "--lags", "3", "s.csv"), &spec);
    spec.lag_from = 2;
    assert_predicts(okra(NULL, RLS, "--lags", "3", "--lag-from", "2", "s.csv"), &spec);
    spec.target_lags = 4;
    assert_predicts(okra(NULL, RLS, "--lags=3", "--lag-from=2", "--target-lags=4", "s.csv"), &spec);
    spec.horizon = 5;
    assert_predicts(okra(NULL, RLS, "--lags=3", "--lag-from=2", "--target-lags=4", "--horizon=5", "s.csv"), &spec);
}

static void a_series_is_predicted_from_its_past(void **state)
{
    (void)state;
    write_stream("y.csv", 0);
    okra_spec spec = rls_spec(0);
    spec.target_lags = 10;
    assert_predicts(okra(NULL, RLS, "y.csv"), &spec);
    spec.target_lags = 3;
    assert_predicts(okra(NULL, RLS, "--target-lags", "3", "y.csv"), &spec);
}

static void scale_and_width_by_themselves(void **state)
{
    (void)state;
    write_stream("s.csv", INPUTS);
    okra_spec spec = rls_spec(INPUTS);
    spec.scale = OKRA_SCALE_AUTO;
    assert_predicts(okra(NULL, RLS, "--scale", "auto", "s.csv"), &spec);
    assert_ok(okra_spec_init(&spec, "rff-krls", INPUTS, 1));
    spec.scale = OKRA_SCALE_AUTO;
    spec.sigma = OKRA_SIGMA_AUTO;
    spec.features = 40;
    spec.warmup = 100;
    assert_predicts(okra(NULL, "run", "--quiet", "--recipe", "rff-krls", "--features", "40", "--scale", "auto",
                         "--sigma", "auto", "--warmup", "100", "--metrics", "m.json", "s.csv"),
                    &spec);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    double sigma = json_real_value(json_object_get(metrics, "sigma")); /* the one that was found */
    assert_true(sigma > 0.5 && sigma < 5);
    assert_string_equal(json_string_value(json_object_get(metrics, "scale")), "auto");
    assert_int_equal(json_integer_value(json_object_get(metrics, "warmup")), 100);
    json_decref(metrics);
}

/* ---- gaps ---------------------------------------------------------------------------------------------------- */

static void what_is_missing_is_a_gap(void **state)
{
    (void)state;
    double u = U[50][1], y = Y[70], y2 = Y[71];
    U[50][1] = Y[70] = Y[71] = (double)NAN;
    write_stream("gap.csv", INPUTS);
    okra_spec spec = rls_spec(INPUTS);
    spec.lags = 3, spec.target_lags = 2;
    assert_predicts(okra(NULL, RLS, "--lags", "3", "--target-lags", "2", "gap.csv"), &spec);
    U[50][1] = u, Y[70] = y, Y[71] = y2;
    /* By hand: LMS with mu = 0.5, as in test_run.c; the second row has no input. */
    outcome result =
        okra("x,y\n1,4\n,4\n2,8\n0,3\n", "run", "--quiet", "--recipe", "lms", "--mu", "0.5", "--metrics", "m.json");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,4,0,4\n2,4,,\n3,8,6,2\n4,3,3,0\n");
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(metrics, "rows")), 4);
    assert_int_equal(json_integer_value(json_object_get(metrics, "learnt")), 3);
    json_decref(metrics);
}

/* A table of three inputs in which row 10, 20, .. lacks its value of b, and row 100, 200, .. that of c too. */
static void write_gaps(const char *name, size_t rows)
{
    FILE *csv = fopen(name, "w");
    assert_non_null(csv);
    fputs("a,b,c,y\n", csv);
    for (size_t t = 1; t <= rows; t++) {
        fprintf(csv, "%zu,", t % 7);
        fprintf(csv, t % 10 ? "%zu," : ",", t % 5);
        fprintf(csv, t % 100 ? "%zu," : ",", t % 3);
        fprintf(csv, "%zu\n", t % 7 + t % 3);
    }
    assert_int_equal(fclose(csv), 0);
}

static uint64_t gaps_of(outcome result)
{
    assert_done(result);
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    uint64_t gaps = (uint64_t)json_number(metrics, "gaps");
    json_decref(metrics);
    return gaps;
}

#define COUNTS "run", "--quiet", "--recipe", "rls", "--metrics", "m.json"

/* A gap costs its row, and the rows that have it among their lags. */
static void rows_lost_to_gaps_are_counted(void **state)
{
    (void)state;
    write_gaps("g.csv", 400);
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "g.csv")), 40);
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "--inputs", "a,c", "g.csv")), 4);
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "--inputs", "a", "--lags", "9", "g.csv")), 0); /* but for the start */
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "--inputs", "c", "--lags", "3", "g.csv")), 3 * 3 + 1); /* 400 is last */
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "--inputs", "c", "--lag-from", "2", "g.csv")), 3);
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "--target", "c", "--inputs", "a", "--target-lags", "2", "g.csv")), 6);
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "--target", "c", "--inputs", "a", "g.csv")), 0); /* a mere question */
    assert_int_equal(gaps_of(okra(NULL, COUNTS, "--scale", "auto", "g.csv")), 40);
    assert_int_equal(gaps_of(okra("x,y\n1,2\n2,3\nq,4\n3,4\n4,5\n5,6\n", COUNTS, "--lags", "2", "--bad-rows", "skip")),
                     1);
}

static void rows_lost_to_gaps_are_told(void **state)
{
    (void)state;
    write_gaps("g.csv", 400);
    static const char told[] = "okra: 40 of 400 rows have no prediction and were not learnt: a value they need is "
                               "missing, most often column 2 (b), 40 times; column 3 (c), 4 times: leave such columns "
                               "out (--without), or fill the gaps\n";
    outcome result = okra(NULL, "run", "--recipe", "rls", "--save", "m.okra", "--out", "o.csv", "g.csv");
    assert_done(result);
    assert_has(result.err, told);
    outcome_free(&result);
    result = okra(NULL, "predict", "--load", "m.okra", "g.csv");
    assert_done(result);
    assert_has(result.err, "okra: 40 of 400 rows have no prediction: ");
    assert_has(result.err, "4 times: fill the gaps\n");
    outcome_free(&result);
    result = okra(NULL, "run", "--recipe", "rls", "--quiet", "g.csv");
    assert_done(result);
    assert_string_equal(result.err, "");
    outcome_free(&result);
    /* ten rows, or one in a hundred, are not spoken of */
    result = okra(NULL, "run", "--recipe", "rls", "--inputs", "a,c", "g.csv");
    assert_done(result);
    assert_null(strstr(result.err, "okra: "));
    outcome_free(&result);
    write_gaps("g.csv", 2000);
    result = okra(NULL, "run", "--recipe", "rls", "--inputs", "a,c", "g.csv");
    assert_done(result);
    assert_has(result.err, "gaps             20\n");
    assert_null(strstr(result.err, "okra: "));
    outcome_free(&result);
}

static void gaps_are_counted_on_after_a_stop(void **state)
{
    (void)state;
    const char *const again[] = {OKRA_PROGRAM, "run", "--quiet",   "--resume", "--save",   "r.okra", "--out", "r.csv",
                                 "--lags",     "3",   "--metrics", "m.json",   "--recipe", "rls",    "g.csv", NULL};
    remove("r.okra"), remove("r.csv");
    write_gaps("g.csv", 201); /* the gap at 200 is in the lags of rows to come */
    outcome first = run_program(&(call){0}, again);
    assert_done(first);
    outcome_free(&first);
    write_gaps("g.csv", 400);
    assert_int_equal(gaps_of(run_program(&(call){0}, again)), 39 * 3 + 1);
}

/* n counts the rows of the input; a skipped one has no line, and is not there as a lag. */
static void bad_rows_can_be_skipped(void **state)
{
    (void)state;
    const char *text = "x,y\n1,4\noops,4\n1,4,4\n1,4\n2,8\n\"0,3\n0,3\n";
    outcome result = okra(text, "run", "--recipe", "lms", "--mu", "0.5", "--bad-rows", "skip", "--metrics", "m.json");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,4,0,4\n4,4,4,0\n5,8,6,2\n7,3,3,0\n");
    assert_has(result.err, "skipped          3\n");
    assert_has(result.err, "the first row skipped: standard input:3: column 1 (x): 'oops'");
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(metrics, "rows")), 4);
    assert_int_equal(json_integer_value(json_object_get(metrics, "skipped")), 3);
    json_decref(metrics);
    result = okra("x,y\n1,4\noops,4\n1,4\n2,8\n", "run", "--quiet", "--recipe", "lms", "--mu", "0.5", "--bad-rows=skip",
                  "--lags=2");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,4,,\n3,4,,\n4,8,0,8\n");
    outcome_free(&result);
    /* What parses and cannot be used is as bad. */
    result = okra("x,y,w\n1,4,1\n1,4,-1\n1,4,\n1,4,1\n", "run", "--quiet", "--recipe=lms", "--mu=0.5",
                  "--bad-rows=skip", "--target=y", "--weight=w");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,4,0,4\n4,4,4,0\n");
    outcome_free(&result);
    assert_refused(okra(text, "run", "--bad-rows", "stop"), 1, "standard input:3:", "'oops'");
}

static void a_constant_target_is_no_trouble(void **state)
{
    (void)state;
    outcome result = okra("x,y\n1,2\n2,2\n3,2\n1,2\n2,2\n3,2\n1,2\n2,2\n3,2\n1,2\n2,2\n3,2\n1,2\n2,2\n3,2\n1,2\n2,2\n",
                          "run", "--recipe", "rls", "--scale", "auto", "--metrics", "m.json");
    assert_done(result);
    assert_string_equal(cell(result.out, 17, 3), "0");
    assert_null(strstr(result.out, "nan"));
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_true(json_is_null(json_object_get(metrics, "nmse"))); /* nothing varies */
    json_decref(metrics);
}

/* ---- scores and digits ---------------------------------------------------------------------------------------- */

static double nmse_of(outcome result)
{
    assert_done(result);
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    double nmse = json_real_value(json_object_get(metrics, "nmse"));
    json_decref(metrics);
    return nmse;
}

/* From the output itself: rows after the first `from`, those without a prediction left out. */
static double nmse_by_hand(const char *csv, size_t from)
{
    double errors = 0, sum = 0, squares = 0, n = 0;
    for (size_t t = from; t < ROWS; t++) {
        double y = strtod(cell(csv, t + 1, 1), NULL);
        if (!*cell(csv, t + 1, 3))
            continue;
        double e = strtod(cell(csv, t + 1, 3), NULL);
        errors += e * e, sum += y, squares += y * y, n++;
    }
    return errors / (squares - sum * sum / n);
}

static void scores_begin_where_asked(void **state)
{
    (void)state;
    write_stream("s.csv", INPUTS);
    outcome plain = okra(NULL, RLS, "--lags", "2", "s.csv");
    assert_done(plain);
#define SCORED(from, ...) \
    assert_near(nmse_of(okra(__VA_ARGS__, "--score-from", from)) / nmse_by_hand(plain.out, wanted), 1, 1e-9)
    size_t wanted = 0;
    SCORED("0", NULL, RLS, "--lags", "2", "--metrics", "m.json", "s.csv");
    SCORED("0%", NULL, RLS, "--lags", "2", "--metrics", "m.json", "s.csv");
    wanted = 100;
    SCORED("100", NULL, RLS, "--lags", "2", "--metrics", "m.json", "s.csv");
    wanted = 60;
    SCORED("10%", NULL, RLS, "--lags", "2", "--metrics", "m.json", "s.csv");
    wanted = 75; /* 12.5% of 600; rounded down from 75.6 */
    SCORED("12.6%", NULL, RLS, "--lags", "2", "--metrics", "m.json", "s.csv");
    char *text = read_file("s.csv");
    SCORED("12.5%", text, RLS, "--lags", "2", "--metrics", "m.json"); /* redirected: a regular file too */
    free(text);
    outcome_free(&plain);
    const char *const shell[] = {"/bin/sh", "-c", "cat s.csv | " OKRA_PROGRAM " run --score-from 10%", NULL};
    assert_refused(run_program(&(call){0}, shell), 2, "--score-from 10%", "not a regular file", "number of rows");
}

static void digits_can_be_limited(void **state)
{
    (void)state;
    outcome result =
        okra("x,y\n1,4\n3,1\n1,4.123456789\n", "run", "--quiet", "--recipe", "lms", "--mu", "0.1", "--digits", "4");
    assert_done(result);
    assert_string_equal(cell(result.out, 3, 0), "3"); /* a count stays whole */
    assert_string_equal(cell(result.out, 3, 1), "4.123");
    outcome_free(&result);
}

static void columns_can_be_kept(void **state)
{
    (void)state;
    outcome result = okra("t,x,y\n10,1,4\n20,1,4\n30,2,8\n", "run", "--quiet", "--recipe", "lms", "--mu", "0.5",
                          "--keep", "t,x", "--inputs", "x");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error,t,x\n1,4,0,4,10,1\n2,4,4,0,20,1\n3,8,6,2,30,2\n");
    outcome_free(&result);
    /* A kept column is no input, unless it is named as one. */
    result = okra("t,x,y\n10,1,4\n20,1,4\n,2,8\n", "run", "--quiet", "--recipe", "lms", "--mu", "0.5", "--keep", "t");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error,t\n1,4,0,4,10\n2,4,4,0,20\n3,8,6,2,\n");
    outcome_free(&result);
}

/* ---- formats ------------------------------------------------------------------------------------------------- */

static void headers_can_be_said(void **state)
{
    (void)state;
    outcome result =
        okra("1,2\n1,4\n1,4\n", "run", "--quiet", "--recipe=lms", "--mu=0.5", "--header=yes", "--target=2");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,4,0,4\n2,4,4,0\n");
    outcome_free(&result);
    assert_refused(okra("x,y\n1,2\n", "run", "--header", "no"), 1, "standard input:1:", "'x'", "not a number");
}

static void write_raw(const char *name, size_t bytes)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    for (size_t t = 0; t < ROWS; t++)
        for (size_t c = 0; c <= INPUTS; c++) {
            double x = c < INPUTS ? U[t][c] : Y[t];
            float f = (float)x;
            assert_int_equal(fwrite(bytes == 8 ? (void *)&x : &f, bytes, 1, file), 1);
        }
    assert_int_equal(fclose(file), 0);
}

static void rows_come_in_other_formats(void **state)
{
    (void)state;
    okra_spec spec = rls_spec(INPUTS);
    write_raw("s.f64", 8);
    assert_predicts(okra(NULL, RLS, "--columns", "3", "s.f64"), &spec);
    write_raw("s.bin", 8);
    assert_predicts(okra(NULL, RLS, "--format", "f64", "--columns", "3", "s.bin"), &spec);
    assert_refused(okra(NULL, RLS, "--format", "wave", "s.bin"), 2, "--format", "'wave'", "csv");
    outcome result = okra("x\ty\n1\t4\n1\t4\n", "run", "--quiet", "--recipe=lms", "--mu=0.5", "--format=tsv");
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,4,0,4\n2,4,4,0\n");
    outcome_free(&result);
}

/* Written in one format and read back as the input of another run. */
static void predictions_go_out_in_other_formats(void **state)
{
    (void)state;
    write_stream("s.csv", INPUTS);
    outcome plain = okra(NULL, RLS, "s.csv");
    static const char *const names[] = {"o.npy", "o.f64", "o.tsv"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        outcome result = okra(NULL, RLS, "--out", names[i], "s.csv");
        assert_done(result);
        outcome_free(&result);
        okra_table *reader;
        okra_table_options how = {.columns = 4};
        okra_message why;
        if (okra_table_open(names[i], &how, &reader, &why))
            fail_msg("%s", why.text);
        for (size_t t = 0; t < ROWS; t++) {
            double row[4];
            bool more;
            assert_ok(okra_table_next(reader, row, &more, &why));
            assert_true(more);
            for (size_t c = 0; c < 4; c++)
                assert_near(row[c], strtod(cell(plain.out, t + 1, c), NULL), 0);
        }
        okra_table_close(reader);
    }
    outcome_free(&plain);
}

/* ---- mistakes ------------------------------------------------------------------------------------------------- */

static void mistakes_are_named(void **state)
{
    (void)state;
    const char *text = "x,y\n1,4\n";
    assert_refused(okra(text, "run", "--lags", "0"), 2, "--lags = 0", "from 1");
    assert_refused(okra(text, "run", "--lags", "two"), 2, "--lags", "'two'");
    assert_refused(okra(text, "run", "--lag-from", "-1"), 2, "--lag-from", "'-1'");
    assert_refused(okra(text, "run", "--horizon", "0"), 2, "--horizon = 0", "from 1");
    assert_refused(okra(text, "run", "--warmup", "1"), 2, "--warmup = 1", "from 2");
    assert_refused(okra(text, "run", "--scale", "yes"), 2, "--scale", "'yes'", "none", "auto");
    assert_refused(okra(text, "run", "--bad-rows", "drop"), 2, "--bad-rows", "'drop'", "stop", "skip");
    assert_refused(okra(text, "run", "--score-from", "half"), 2, "--score-from", "'half'");
    assert_refused(okra(text, "run", "--score-from", "101%"), 2, "--score-from", "'101%'");
    assert_refused(okra(text, "run", "--digits", "18"), 2, "--digits", "'18'", "17");
    assert_refused(okra(text, "run", "--header", "maybe"), 2, "--header", "'maybe'");
    assert_refused(okra(text, "run", "--columns", "0"), 2, "--columns", "'0'");
    assert_refused(okra(text, "run", "--out", "x.npy", "--keep", "z"), 2, "--keep", "'z'");
    outcome result = okra("y\n1\n2\n", "run", "--quiet"); /* shorter than its lags: the mean so far, no failure */
    assert_done(result);
    assert_string_equal(result.out, "n,y,yhat,error\n1,1,0,1\n2,2,1,1\n");
    outcome_free(&result);
}

/* Times and labels are copied as they are written, whatever the learner makes of the row; a file of numbers takes
 * numbers. */
static void kept_columns_may_hold_text(void **state)
{
    (void)state;
    const char *text =
        "time,x,y,note\n2026-01-01 12:00,1,4,\"a, \"\"b\"\"\"\n2026-01-02,,4,\n2026-01-03,1,oops,c\n2026-01-04,1,4,d\n";
    outcome result = okra(text, "run", "--quiet", "--recipe", "lms", "--mu", "0.5", "--target", "y", "--inputs", "x",
                          "--keep", "time,note", "--bad-rows", "skip");
    assert_done(result);
    assert_string_equal(result.out,
                        "n,y,yhat,error,time,note\n1,4,0,4,2026-01-01 12:00,\"a, \"\"b\"\"\"\n2,4,,,2026-01-02,\n"
                        "4,4,4,0,2026-01-04,d\n");
    outcome_free(&result);
    assert_refused(okra(text, "run", "--quiet", "--target", "y", "--inputs", "x", "--keep", "time", "--out", "k.npy"),
                   1, ":2", "time", "'2026-01-01 12:00' is not a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_columns_may_hold_text),
        cmocka_unit_test(lags_of_inputs_and_targets),
        cmocka_unit_test(a_series_is_predicted_from_its_past),
        cmocka_unit_test(scale_and_width_by_themselves),
        cmocka_unit_test(what_is_missing_is_a_gap),
        cmocka_unit_test(rows_lost_to_gaps_are_counted),
        cmocka_unit_test(rows_lost_to_gaps_are_told),
        cmocka_unit_test(gaps_are_counted_on_after_a_stop),
        cmocka_unit_test(bad_rows_can_be_skipped),
        cmocka_unit_test(a_constant_target_is_no_trouble),
        cmocka_unit_test(scores_begin_where_asked),
        cmocka_unit_test(digits_can_be_limited),
        cmocka_unit_test(columns_can_be_kept),
        cmocka_unit_test(headers_can_be_said),
        cmocka_unit_test(rows_come_in_other_formats),
        cmocka_unit_test(predictions_go_out_in_other_formats),
        cmocka_unit_test(mistakes_are_named),
    };
    make_stream();
    return cmocka_run_group_tests_name("cli stream", tests, enter_directory, leave_directory);
}
