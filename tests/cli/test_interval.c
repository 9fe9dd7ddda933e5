/*
 * okra run --interval: predictive intervals, against the normal distribution, RLS by hand, and a stream whose noise is
 * known.
 */
#include "harness.h"

#include <jansson.h>

#define RLS "run", "--quiet", "--recipe", "rls", "--lambda", "1"

/*
 * RLS by hand, z = (x, 1), lambda = 1: the first row has z'Pz = 2 and error 1, so the noise is 1/3, theta = (1/3, 1/3)
 * and P = I - zz'/3. At x = -1, yhat = 0 and z'Pz = 2, so the variance is 1/3 (1 + 2) = 1: hi is the quantile itself.
 */
static const char unit_stream[] = "x,y\n1,1\n-1,\n";

static double number(const char *csv, size_t row, size_t column) { return strtod(cell(csv, row, column), NULL); }

static double metric(const char *key)
{
    json_t *metrics = json_load_file("m.json", 0, NULL), *value = json_object_get(metrics, key);
    assert_true(json_is_number(value));
    double x = json_number_value(value);
    json_decref(metrics);
    return x;
}

/* ---- the interval -------------------------------------------------------------------------------------------- */

/*
 * sqrt(2) erfinv(P / 100), by mpmath with 30 digits. The largest error is none of the program's: P is rounded to a
 * double, by up to 7e-15 percent, which over the density of |q|, 4e-4 at 99.99, is 2e-13, and 1e-7 at 99.99999999.
 */
static void the_quantile_is_the_normal_one(void **state)
{
    (void)state;
    static const struct {
        const char *percent;
        double q, bound;
    } known[] = {
        {"1", 0.012533469508069263161, 2e-16},  {"50", 0.6744897501960817432, 1e-15},
        {"68.26894921370859", 1, 1e-15},        {"90", 1.6448536269514727149, 1e-15},
        {"95", 1.9599639845400542355, 2e-15},   {"99", 2.575829303548900761, 2e-14},
        {"99.99", 3.890591886413093967, 4e-13}, {"99.99999999", 6.4669510872405161718, 2e-7},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        outcome result = okra(unit_stream, RLS, "--interval", known[i].percent);
        assert_done(result);
        assert_near(number(result.out, 2, 4), -known[i].q, known[i].bound + 4 * DBL_EPSILON * known[i].q);
        assert_near(number(result.out, 2, 5), known[i].q, known[i].bound + 4 * DBL_EPSILON * known[i].q);
        outcome_free(&result);
    }
}

static void the_interval_stands_after_the_error(void **state)
{
    (void)state;
    outcome result = okra(unit_stream, RLS, "--interval=95");
    assert_done(result);
    assert_has(result.out, "n,y,yhat,error,lo,hi\n1,1,0,1,-inf,inf\n2,,0,,-1.95996398454005");
    outcome_free(&result);
}

/* Digits of a float: 1.959964, and the interval of a float's variance. */
static void single_precision_has_intervals(void **state)
{
    (void)state;
    outcome result = okra(unit_stream, RLS, "--interval", "95", "--precision", "f32");
    assert_done(result);
    assert_has(result.out, "n,y,yhat,error,lo,hi\n1,1,0,1,-inf,inf\n2,,");
    assert_near(number(result.out, 2, 5), 1.959963984540054, 8 * (double)FLT_EPSILON);
    assert_true(strlen(cell(result.out, 2, 5)) <= strlen("1.23456789"));
    outcome_free(&result);
}

/* Twice the target: twice the noise's root. */
static void each_target_has_its_interval(void **state)
{
    (void)state;
    outcome result = okra("x,a,b\n1,1,2\n-1,,\n", RLS, "--interval", "95", "--target", "b,a");
    assert_done(result);
    assert_has(result.out, "n,y_b,yhat_b,error_b,lo_b,hi_b,y_a,yhat_a,error_a,lo_a,hi_a\n");
    assert_near(number(result.out, 2, 5), 2 * 1.959963984540054, 1e-14);
    assert_near(number(result.out, 2, 10), 1.959963984540054, 1e-14);
    outcome_free(&result);
}

/* Nothing is known about a prediction whose variance is too large to be told. */
static void what_is_not_known_is_infinite(void **state)
{
    (void)state;
    outcome result = okra("x,y\n1,0\n1,0\n1e200,\n", RLS, "--interval", "1e-30");
    assert_done(result);
    assert_has(result.out, "1,0,0,0,-inf,inf\n2,0,0,0,0,0\n3,,0,,-inf,inf\n");
    outcome_free(&result);
}

/* ---- coverage ------------------------------------------------------------------------------------------------ */

enum { ROWS = 3000, DIM = 5 };

/* Example 2 of the paper: y = w0.x + 0.1 (w1.x)^2 + 0.05 noise, x in N(0, I_5). */
static void write_example_2(const char *path)
{
    static double x[ROWS][DIM], noise[ROWS];
    double w[2][DIM];
    okra_random random = {.seed = 20160612};
    okra_random_normal(&random, 2 * DIM, &w[0][0]);
    okra_random_normal(&random, ROWS * DIM, &x[0][0]);
    okra_random_normal(&random, ROWS, noise);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x1,x2,x3,x4,x5,y\n", file);
    for (size_t n = 0; n < ROWS; n++) {
        double a = 0, b = 0;
        for (size_t i = 0; i < DIM; i++) {
            a += w[0][i] * x[n][i];
            b += w[1][i] * x[n][i];
            fprintf(file, "%.17g,", x[n][i]);
        }
        fprintf(file, "%.17g\n", a + 0.1 * b * b + 0.05 * noise[n]);
    }
    assert_int_equal(fclose(file), 0);
}

typedef struct issued {
    double y, yhat, lo, hi;
} issued;

/* Reads n,y,yhat,error,lo,hi. */
static void read_issued(const char *csv, issued rows[ROWS])
{
    for (size_t n = 0; n < ROWS; n++) {
        csv = strchr(csv, '\n');
        assert_non_null(csv);
        assert_int_equal(sscanf(++csv, "%*u,%lf,%lf,%*f,%lf,%lf", &rows[n].y, &rows[n].yhat, &rows[n].lo, &rows[n].hi),
                         4);
    }
}

static double share_inside(const issued *rows, size_t from)
{
    size_t inside = 0;
    for (size_t n = from; n < ROWS; n++)
        inside += rows[n].lo <= rows[n].y && rows[n].y <= rows[n].hi;
    return (double)inside / (double)(ROWS - from);
}

#define EXAMPLE_2 "run", "--recipe", "rff-krls", "--sigma", "5", "--lambda", "1e-4", "--features", "300"

static void check_coverage(const char *precision, double percent)
{
    static issued rows[ROWS];
    char text[32];
    snprintf(text, sizeof text, "%g", percent);
    write_example_2("example2.csv");
    outcome result =
        okra(NULL, EXAMPLE_2, "--interval", text, "--precision", precision, "--metrics", "m.json", "example2.csv");
    assert_done(result);
    assert_has(result.err, "coverage ");
    read_issued(result.out, rows);
    outcome_free(&result);
    for (size_t n = 0; n < ROWS; n++)
        assert_true(rows[n].lo <= rows[n].yhat && rows[n].yhat <= rows[n].hi);
    assert_near(metric("coverage"), share_inside(rows, 0), 1e-12);
    /*
     * Of 2000 rows a share p is inside with a standard error of sqrt(p (1 - p) / 2000), 0.5% at 95%: four of them. On
     * top, an allowance for the noise estimate, an average of e^2 / (1 + z'Pz) since the first row. The first of these,
     * about as many as there are eigenvalues that matter, 100 say, are only as good as the prior P = I / lambda. Off by
     * a factor of two, among 1000 rows they put the noise off by a tenth, its root by a twentieth, and the coverage by
     * 2 phi(q) q / 20 = 1.15% at q = 1.96.
     */
    double p = percent / 100;
    assert_near(share_inside(rows, ROWS / 3), p, 4 * sqrt(p * (1 - p) / (2.0 * ROWS / 3)) + 0.0115);
}

static void the_coverage_is_what_was_asked_for(void **state)
{
    (void)state;
    check_coverage("f64", 95);
    check_coverage("f32", 95);
}

static void coverage_counts_all_targets(void **state)
{
    (void)state;
    /* Row 1 is inside whatever it is. In row 2 the intervals are those of 1 and 0 at (1, 1): a is far out, b is in. */
    outcome result = okra("x,a,b\n1,1,0\n1,9,0\n", RLS, "--interval", "95", "--target", "a,b", "--metrics", "m.json");
    assert_done(result);
    outcome_free(&result);
    assert_near(metric("coverage"), 0.75, 0);
}

static void coverage_is_there_when_asked_for(void **state)
{
    (void)state;
    outcome result = okra(unit_stream, "run", "--recipe", "rls", "--metrics", "m.json");
    assert_done(result);
    assert_null(strstr(result.err, "coverage"));
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_null(json_object_get(metrics, "coverage"));
    json_decref(metrics);
    result = okra("x,y\n", RLS, "--interval", "95", "--metrics", "m.json");
    assert_done(result);
    outcome_free(&result);
    metrics = json_load_file("m.json", 0, NULL);
    assert_true(json_is_null(json_object_get(metrics, "coverage"))); /* of no row */
    json_decref(metrics);
}

/* Asking for intervals moves no prediction: the first four columns are the same bytes. */
static void intervals_change_no_prediction(void **state)
{
    (void)state;
    static const char *const recipes[] = {"rff-krls", "krls", "rls"};
    write_example_2("example2.csv");
    for (size_t i = 0; i < 2 * COUNT_OF(recipes); i++) {
        const char *precision = i % 2 ? "f32" : "f64";
        outcome plain = okra(NULL, "run", "--quiet", "--recipe", recipes[i / 2], "--precision", precision, "--inputs",
                             "1,2,3", "--target", "y", "example2.csv");
        outcome with = okra(NULL, "run", "--quiet", "--recipe", recipes[i / 2], "--precision", precision, "--inputs",
                            "1,2,3", "--target", "y", "--interval", "50", "example2.csv");
        assert_done(plain);
        assert_done(with);
        const char *a = plain.out, *b = with.out;
        for (size_t n = 0; n <= ROWS; n++) {
            size_t length = strcspn(a, "\n");
            assert_memory_equal(a, b, length);
            assert_int_equal(b[length], ',');
            a += length + 1;
            b += strcspn(b, "\n") + 1;
        }
        outcome_free(&plain);
        outcome_free(&with);
    }
}

/* Every recipe that says it knows a variance gives one, and the default recipe does. */
static void the_default_recipe_has_intervals(void **state)
{
    (void)state;
    char text[4096] = "x,y\n";
    for (int n = 0; n < 200; n++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d\n", n % 13, n % 13 * 2 + n % 3);
    outcome result = okra(text, "run", "--quiet", "--interval", "95");
    assert_done(result);
    double lo = strtod(cell(result.out, 200, 4), NULL), hi = strtod(cell(result.out, 200, 5), NULL);
    double yhat = strtod(cell(result.out, 200, 2), NULL);
    assert_true(lo < yhat && yhat < hi && hi - lo < 20);
    outcome_free(&result);
}

/* ---- mistakes ------------------------------------------------------------------------------------------------ */

static void mistaken_intervals_are_refused_at_once(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0", "100", "-5", "1e3", "nan", "95%", "wide", ""};
    write_file("old.csv", "as it was");
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(okra(NULL, RLS, "--interval", wrong[i], "--out", "old.csv", "absent.csv"), 2, "--interval",
                       "percentage", "95", wrong[i]);
    static const char *const unable[] = {"rff-klms", "klms", "lms"};
    for (size_t i = 0; i < COUNT_OF(unable); i++)
        assert_refused(okra(NULL, "run", "--recipe", unable[i], "--interval", "95", "--out", "old.csv", "absent.csv"),
                       2, "--interval", unable[i], "rff-krls", "rls", "krls");
    char *text = read_file("old.csv");
    assert_string_equal(text, "as it was");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_recipe_has_intervals),       cmocka_unit_test(the_quantile_is_the_normal_one),
        cmocka_unit_test(the_interval_stands_after_the_error),    cmocka_unit_test(single_precision_has_intervals),
        cmocka_unit_test(each_target_has_its_interval),           cmocka_unit_test(what_is_not_known_is_infinite),
        cmocka_unit_test(the_coverage_is_what_was_asked_for),     cmocka_unit_test(coverage_counts_all_targets),
        cmocka_unit_test(coverage_is_there_when_asked_for),       cmocka_unit_test(intervals_change_no_prediction),
        cmocka_unit_test(mistaken_intervals_are_refused_at_once),
    };
    return cmocka_run_group_tests_name("cli interval", tests, enter_directory, leave_directory);
}
