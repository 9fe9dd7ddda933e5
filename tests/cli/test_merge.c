/*
 * merge as its users meet it: parts of a stream learnt apart, against one model of all rows.
 */
#include "harness.h"

#include <okra/model_file.h>
#include <unistd.h>

enum { ROWS = 600, NAME = 32 };

/* ---- rows and models ---------------------------------------------------------------------------------------- */

/* rows.csv: ROWS of Example 2 below a header. */
static int make_rows(void **state)
{
    if (enter_directory(state))
        return -1;
    outcome rows = okra(NULL, "signal", "ex2", "--samples", "600", "--out", "rows.csv");
    int status = rows.status;
    outcome_free(&rows);
    return status;
}

/* Rows from .. to of rows.csv, with its header, as NAME. */
static void cut(const char *name, size_t from, size_t to)
{
    char *text = read_file("rows.csv"), *line = text;
    FILE *part = fopen(name, "w");
    assert_non_null(part);
    for (size_t i = 0; *line; i++) {
        size_t length = strcspn(line, "\n") + 1;
        if (i == 0 || (i - 1 >= from && i - 1 < to))
            fwrite(line, 1, length, part);
        line += length;
    }
    assert_int_equal(fclose(part), 0);
    free(text);
}

/* Learns rows from .. to and saves the model; `how` is ended by NULL. */
static void teach(const char *model, size_t from, size_t to, const char *const *how)
{
    const char *words[24] = {OKRA_PROGRAM, "run", "part.csv", "--quiet", "--save", model};
    size_t n = 6;
    while (*how)
        words[n++] = *how++;
    cut("part.csv", from, to);
    outcome result = run_program(&(call){0}, words);
    assert_done(result);
    outcome_free(&result);
}

#define RLS "--recipe", "rff-krls", "--sigma", "5", "--features", "50", "--beta", "1"
static const char *const rls[] = {RLS, NULL};

/* p0.okra .. of n parts of the rows. */
static void teach_parts(size_t n, const char *const *how)
{
    for (size_t p = 0; p < n; p++) {
        char name[NAME];
        snprintf(name, sizeof name, "p%zu.okra", p);
        teach(name, ROWS * p / n, ROWS * (p + 1) / n, how);
    }
}

/* The largest difference of an array of two model files, relative to its largest number. */
static double difference(const char *one, const char *other, const char *array, size_t n)
{
    okra_filter *a, *b;
    okra_message why;
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y), worst = 0, max = 0;
    if (okra_load(one, 0, &a, NULL, &why) || okra_load(other, 0, &b, NULL, &why))
        fail_msg("%s", why.text);
    assert_ok(okra_array_read(a, array, x));
    assert_ok(okra_array_read(b, array, y));
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(x[i] - y[i])), max = fmax(max, fabs(y[i]));
    okra_free(a), okra_free(b);
    free(x), free(y);
    return worst / max;
}

/* Both predict rows.csv alike, to 1e-9 of targets that are about 1. */
static void assert_same_predictions(const char *one, const char *other)
{
    outcome a = okra(NULL, "predict", "--quiet", "--load", one, "rows.csv"),
            b = okra(NULL, "predict", "--quiet", "--load", other, "rows.csv");
    assert_done(a);
    assert_done(b);
    const char *p = a.out, *q = b.out;
    assert_int_equal(count_lines(a.out), ROWS + 1);
    for (size_t i = 0; i <= ROWS; i++) {
        double x = 0, y = 1;
        if (i > 0 && (sscanf(p, "%*[^,],%*[^,],%lf", &x) != 1 || sscanf(q, "%*[^,],%*[^,],%lf", &y) != 1))
            fail_msg("row %zu has no prediction", i);
        if (i > 0)
            assert_near(x, y, 1e-9);
        p = strchr(p, '\n') + 1, q = strchr(q, '\n') + 1;
    }
    outcome_free(&a);
    outcome_free(&b);
}

static void assert_same_models(const char *one, const char *other)
{
    assert_true(difference(one, other, "theta", 50) < 1e-9);
    assert_true(difference(one, other, "d", 50) < 1e-9);
    assert_same_predictions(one, other);
}

/* ---- what merges -------------------------------------------------------------------------------------------- */

static void parts_merge_to_the_whole(void **state)
{
    (void)state;
    teach("whole.okra", 0, ROWS, rls);
    teach_parts(2, rls);
    outcome two = okra(NULL, "merge", "p0.okra", "p1.okra", "-o", "two.okra");
    assert_done(two);
    assert_string_equal(two.out,
                        "two.okra: 2 models, 600 samples, merged exactly: as if one model had learnt them all\n");
    assert_string_equal(two.err, "");
    assert_same_models("two.okra", "whole.okra");
    teach_parts(5, rls);
    outcome five =
        okra(NULL, "merge", "--quiet", "p3.okra", "p0.okra", "p4.okra", "p2.okra", "p1.okra", "--out", "five.okra");
    assert_done(five);
    assert_string_equal(five.out, "");
    assert_same_models("five.okra", "whole.okra");
    outcome_free(&two);
    outcome_free(&five);
}

/* Merged models, and merges of them, are models like others: they merge, and go on learning. */
static void a_merged_model_goes_on(void **state)
{
    (void)state;
    teach("whole.okra", 0, ROWS, rls);
    teach("a.okra", 0, 150, rls);
    teach("b.okra", 150, 300, rls);
    outcome merged = okra(NULL, "merge", "a.okra", "b.okra", "-o", "ab.okra");
    assert_done(merged);
    cut("rest.csv", 300, ROWS);
    outcome run = okra(NULL, "run", "--quiet", "--load", "ab.okra", "--save", "all.okra", "rest.csv");
    assert_done(run);
    assert_same_models("all.okra", "whole.okra");
    outcome info = okra(NULL, "info", "ab.okra");
    assert_done(info);
    assert_has(info.out, "  learnt              300\n");
    assert_has(info.out, "  target.1.name       y\n");
    outcome_free(&merged), outcome_free(&run), outcome_free(&info);
}

/* Scale and width are automatic: three begin from one that has finished its warm-up, and it counts once. */
static void a_base_counts_once(void **state)
{
    (void)state;
    const char *const automatic[] = {"--recipe", "rff-krls", "--sigma", "auto",   "--scale", "auto", "--features",
                                     "50",       "--warmup", "100",     "--beta", "1",       NULL};
    const char *const from_base[] = {"--load", "base.okra", NULL};
    teach("whole.okra", 0, ROWS, automatic);
    teach("base.okra", 0, 120, automatic);
    for (size_t p = 0; p < 3; p++) {
        char name[NAME];
        snprintf(name, sizeof name, "p%zu.okra", p);
        teach(name, 120 + 160 * p, 280 + 160 * p, from_base);
    }
    outcome merged = okra(NULL, "merge", "--base", "base.okra", "p0.okra", "p1.okra", "p2.okra", "-o", "m.okra");
    assert_done(merged);
    assert_has(merged.out, "3 models, 600 samples, merged exactly");
    assert_same_models("m.okra", "whole.okra");
    /* without the base, its rows would count three times: told apart by the samples, and by theta */
    outcome thrice = okra(NULL, "merge", "p0.okra", "p1.okra", "p2.okra", "-o", "m.okra");
    assert_done(thrice);
    assert_has(thrice.out, "3 models, 840 samples");
    assert_true(difference("m.okra", "whole.okra", "theta", 50) > 1e-6);
    outcome_free(&merged), outcome_free(&thrice);
}

static void lms_is_averaged_and_says_so(void **state)
{
    (void)state;
    const char *const lms[] = {"--recipe", "rff-klms", "--sigma", "5", "--features", "50", NULL};
    teach("a.okra", 0, 100, lms);
    teach("b.okra", 100, 500, lms);
    outcome merged = okra(NULL, "merge", "a.okra", "b.okra", "-o", "m.okra");
    assert_done(merged);
    assert_string_equal(merged.out, "m.okra: 2 models, 500 samples, theta averaged by samples: an approximation\n");
    okra_filter *models[3];
    double theta[3][50];
    static const char *const names[] = {"a.okra", "b.okra", "m.okra"};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(okra_load(names[i], 0, &models[i], NULL, NULL));
        assert_ok(okra_array_read(models[i], "theta", theta[i]));
        okra_free(models[i]);
    }
    for (size_t i = 0; i < 50; i++)
        assert_near(theta[2][i], 0.2 * theta[0][i] + 0.8 * theta[1][i], 1e-15);
    outcome_free(&merged);
}

static void a_model_to_standard_output_is_alone_there(void **state)
{
    (void)state;
    teach_parts(2, rls);
    outcome file = okra(NULL, "merge", "p0.okra", "p1.okra", "-o", "file.okra");
    outcome pipe = okra_how(((call){.out = "pipe.okra"}), "merge", "p0.okra", "p1.okra", "-o", "-");
    assert_done(file);
    assert_done(pipe);
    assert_true(difference("pipe.okra", "file.okra", "u", 50 * 51 / 2) == 0);
    outcome_free(&file), outcome_free(&pipe);
}

/* ---- what does not ------------------------------------------------------------------------------------------ */

/* m.okra is not written by what is refused. */
#define assert_not_merged(status, result, ...)        \
    do {                                              \
        assert_refused(result, status, __VA_ARGS__);  \
        assert_int_equal(access("m.okra", F_OK), -1); \
    } while (0)

static void wrong_usage_is_refused(void **state)
{
    (void)state;
    teach_parts(2, rls);
    unlink("m.okra");
    assert_not_merged(2, okra(NULL, "merge", "p0.okra", "p1.okra"), "needs -o FILE");
    assert_not_merged(2, okra(NULL, "merge", "p0.okra", "p1.okra", "-o"), "-o needs a value");
    assert_not_merged(2, okra(NULL, "merge", "p0.okra", "-o", "m.okra"), "two models or more");
    assert_not_merged(2, okra(NULL, "merge", "-o", "m.okra"), "two models or more");
    assert_not_merged(2, okra(NULL, "merge", "p0.okra", "./p0.okra", "-o", "m.okra"), "'p0.okra' and './p0.okra'",
                      "the same file");
    assert_not_merged(2, okra(NULL, "merge", "p0.okra", "p1.okra", "--bas", "p0.okra"), "--base");
    assert_not_merged(1, okra(NULL, "merge", "p0.okra", "nowhere.okra", "-o", "m.okra"), "nowhere.okra");
    assert_not_merged(1, okra(NULL, "merge", "p0.okra", "rows.csv", "-o", "m.okra"), "rows.csv");
    assert_not_merged(1, okra(NULL, "merge", "p0.okra", "p1.okra", "--base", "nowhere.okra", "-o", "m.okra"),
                      "nowhere.okra");
    assert_not_merged(1, okra(NULL, "merge", "p0.okra", "p1.okra", "-o", "nowhere/m.okra"), "nowhere/m.okra");
}

/* Two that do not fit, by names of their own: both are named. */
static void refuse_pair(const char *const *one, const char *const *other, const char *word)
{
    teach("a.okra", 0, 100, one);
    teach("b.okra", 100, 200, other);
    unlink("m.okra");
    assert_not_merged(1, okra(NULL, "merge", "a.okra", "b.okra", "-o", "m.okra"), "okra: a.okra and b.okra: ", word);
}

/* What would not merge with anything: the first such is named, and no other. */
static void refuse_both(const char *const *how, const char *word)
{
    char said[256];
    teach("a.okra", 0, 100, how);
    teach("b.okra", 100, 200, how);
    unlink("m.okra");
    snprintf(said, sizeof said, "okra: a.okra: %s", word);
    assert_not_merged(1, okra(NULL, "merge", "a.okra", "b.okra", "-o", "m.okra"), said);
}

static void models_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const char *const dictionary[] = {"--recipe", "qklms", "--sigma", "5", NULL};
    const char *const engel[] = {"--recipe", "krls", "--sigma", "5", NULL};
    const char *const ensemble[] = {"--recipe", "auto", NULL};
    const char *const forgets[] = {"--recipe", "rff-krls", "--sigma", "5", "--features", "50", "--beta", "0.99", NULL};
    const char *const width[] = {"--recipe", "rff-krls", "--sigma", "4", "--features", "50", "--beta", "1", NULL};
    const char *const seed[] = {RLS, "--seed", "2", NULL};
    const char *const lags[] = {RLS, "--lags", "2", NULL};
    const char *const target[] = {RLS, "--inputs", "1,2", NULL};
    const char *const narrow[] = {RLS, "--precision", "f32", NULL};
    const char *const scale[] = {RLS, "--scale", "auto", "--warmup", "50", NULL};
    const char *const warming[] = {RLS, "--scale", "auto", "--warmup", "512", NULL};
    refuse_both(dictionary, "models of recipe qklms cannot be merged");
    refuse_both(engel, "models of recipe krls cannot be merged");
    refuse_both(ensemble, "models of recipe auto cannot be merged");
    refuse_both(forgets, "RLS that forgets (beta = 0.99)");
    refuse_pair(rls, forgets, "differ in beta");
    refuse_pair(rls, width, "differ in sigma: 5 and 4");
    refuse_pair(rls, seed, "differ in seed: 1 and 2");
    refuse_pair(rls, lags, "differ in lags: 1 and 2");
    refuse_pair(rls, target, "differ in inputs: 5 and 2");
    refuse_pair(rls, narrow, "differ in precision");
    refuse_pair(rls, dictionary, "differ in recipe");
    refuse_pair(scale, scale, "standardise differently");
    refuse_both(warming, "a model is still in its warm-up of 512 rows");
}

/* Of many files, the one that does not fit. */
static void the_file_at_fault_is_named(void **state)
{
    (void)state;
    const char *const seed[] = {RLS, "--seed", "2", NULL};
    const char *const warming[] = {RLS, "--scale", "auto", "--warmup", "512", NULL};
    teach_parts(5, rls);
    for (size_t i = 1; i < 5; i++) {
        char name[16], said[64];
        snprintf(name, sizeof name, "p%zu.okra", i);
        snprintf(said, sizeof said, "okra: p0.okra and %s: ", name);
        unlink("m.okra");
        teach(name, 100 * i, 100 * i + 100, seed);
        assert_not_merged(1, okra(NULL, "merge", "p0.okra", "p1.okra", "p2.okra", "p3.okra", "p4.okra", "-o", "m.okra"),
                          said, "differ in seed: 1 and 2");
        teach(name, 100 * i, 100 * i + 100, rls);
    }
    /* one that would not merge with any other, among others that do, is told by what it differs in */
    teach("p3.okra", 0, 100, warming);
    assert_not_merged(1, okra(NULL, "merge", "p0.okra", "p1.okra", "p3.okra", "-o", "m.okra"),
                      "okra: p0.okra and p3.okra: ", "differ in scale");
}

static void a_base_that_is_none_is_refused(void **state)
{
    (void)state;
    const char *const lms[] = {"--recipe", "rff-klms", "--sigma", "5", "--features", "50", NULL};
    unlink("m.okra");
    for (size_t i = 0; i < 2; i++) {
        const char *const *how = i ? lms : rls;
        teach("base.okra", 0, 400, how);
        teach("a.okra", 400, 500, how);
        teach("b.okra", 500, 600, how);
        assert_not_merged(1, okra(NULL, "merge", "--base", "base.okra", "a.okra", "b.okra", "-o", "m.okra"),
                          "okra: a.okra and --base base.okra: ", "knows less than the base");
    }
    /* enough samples, but of others */
    teach("base.okra", 0, 100, rls);
    teach("a.okra", 100, 300, rls);
    teach("b.okra", 300, 600, rls);
    assert_not_merged(1, okra(NULL, "merge", "--base", "base.okra", "a.okra", "b.okra", "-o", "m.okra"),
                      "okra: a.okra and --base base.okra: ", "did not begin from it");
    teach("base.okra", 0, 100, lms);
    assert_not_merged(1, okra(NULL, "merge", "--base", "base.okra", "a.okra", "b.okra", "-o", "m.okra"),
                      "okra: a.okra and --base base.okra: ", "differ in recipe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_merge_to_the_whole),
        cmocka_unit_test(a_merged_model_goes_on),
        cmocka_unit_test(a_base_counts_once),
        cmocka_unit_test(lms_is_averaged_and_says_so),
        cmocka_unit_test(a_model_to_standard_output_is_alone_there),
        cmocka_unit_test(wrong_usage_is_refused),
        cmocka_unit_test(models_that_do_not_fit_are_refused),
        cmocka_unit_test(the_file_at_fault_is_named),
        cmocka_unit_test(a_base_that_is_none_is_refused),
    };
    return cmocka_run_group_tests_name("cli merge", tests, make_rows, leave_directory);
}
