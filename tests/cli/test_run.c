/*
 * okra run, as a user meets it: what it predicts, and what it says.
 *
 * The expected numbers are those of linear LMS by hand: z = (x, 1), theta = 0, then yhat = theta.z and theta += mu e z.
 */
#include "harness.h"

#include <jansson.h>

#define LMS "run", "--quiet", "--recipe", "lms", "--mu", "0.5"

/* With mu = 0.5: theta is (2, 2) after the first row and (4, 3) after the third. */
static const char stream[] = "x,y\n1,4\n1,4\n2,8\n0,3\n";
static const char predictions[] = "n,y,yhat,error\n1,4,0,4\n2,4,4,0\n3,8,6,2\n4,3,3,0\n";

static void assert_prints(outcome result, const char *wanted)
{
    assert_done(result);
    assert_string_equal(result.out, wanted);
    assert_string_equal(result.err, "");
    outcome_free(&result);
}

/* ---- what it predicts ---------------------------------------------------------------------------------------- */

static void predicts_then_learns(void **state)
{
    (void)state;
    write_file("stream.csv", stream);
    assert_prints(okra(NULL, LMS, "stream.csv"), predictions);
    assert_prints(okra(stream, LMS), predictions);
    assert_prints(okra(stream, LMS, "-"), predictions);
    assert_prints(okra(NULL, "run", "stream.csv", "--quiet", "--recipe=lms", "--mu=0.5"), predictions);
    assert_prints(okra(NULL, LMS, "--", "stream.csv"), predictions);
}

static void takes_files_as_people_make_them(void **state)
{
    (void)state;
    assert_prints(okra("\xEF\xBB\xBFx,\"y\"\r\n 1 ,\t4\r\n\r\n\"1\",+4.0\r\n2e0, .8e1\r\n0,3", LMS), predictions);
    assert_prints(okra("1,4\n1,4\n2,8\n0,3\n", LMS), predictions); /* no header */
}

static void the_last_value_of_an_option_counts(void **state)
{
    (void)state;
    assert_prints(okra(stream, LMS, "--mu", "7", "--mu", "0.5"), predictions);
}

static void writes_to_the_file_asked_for(void **state)
{
    (void)state;
    write_file("stream.csv", stream);
    assert_prints(okra(NULL, LMS, "--out", "out.csv", "stream.csv"), "");
    char *text = read_file("out.csv");
    assert_string_equal(text, predictions);
    free(text);
    assert_prints(okra(NULL, LMS, "--out", "-", "stream.csv"), predictions);
}

static void columns_by_name_and_number(void **state)
{
    (void)state;
    const char *text = "y,day,x\n4,mon,1\n4,tue,1\n8,wed,2\n3,,0\n";
    assert_prints(okra(text, LMS, "--target", "y", "--inputs", "x"), predictions);
    assert_prints(okra(text, LMS, "--target", "1", "--inputs", " 3 "), predictions);
    assert_prints(okra("4,1\n4,1\n8,2\n3,0\n", LMS, "--target=1"), predictions);
    /* Numbers alone are no header; and a name goes before a number. */
    assert_prints(okra("2,1\n1,4\n1,4\n2,8\n0,3\n", LMS, "--target", "2"),
                  "n,y,yhat,error\n1,1,0,1\n2,4,1.5,2.5\n3,4,4,0\n4,8,6.25,1.75\n5,3,2.625,0.375\n");
    assert_prints(okra("2,a\n4,1\n4,1\n8,2\n3,0\n", LMS, "--target", "2"), predictions);
}

static void several_targets_have_columns_of_their_own(void **state)
{
    (void)state;
    assert_prints(okra("a,x,\"b,c\"\n4,1,8\n4,1,8\n8,2,16\n", LMS, "--target", "3,a"),
                  "n,\"y_b,c\",\"yhat_b,c\",\"error_b,c\",y_a,yhat_a,error_a\n"
                  "1,8,0,8,4,0,4\n2,8,8,0,4,4,0\n3,16,12,4,8,6,2\n");
    assert_prints(okra("4,1,8\n4,1,8\n", LMS, "--target", "3,1"),
                  "n,y_3,yhat_3,error_3,y_1,yhat_1,error_1\n1,8,0,8,4,0,4\n2,8,8,0,4,4,0\n");
}

static void weights_count(void **state)
{
    (void)state;
    const char *text = "x,y,w\n1,4,0\n1,4,1\n1,4,1\n1,6,0.5\n1,6,1\n";
    assert_prints(okra(text, LMS, "--target", "y", "--weight", "w"),
                  "n,y,yhat,error\n1,4,0,4\n2,4,0,4\n3,4,4,0\n4,6,4,2\n5,6,5,1\n");
    assert_prints(okra(text, LMS, "--target", "y", "--weight", "w", "--precision", "f32"),
                  "n,y,yhat,error\n1,4,0,4\n2,4,0,4\n3,4,4,0\n4,6,4,2\n5,6,5,1\n");
    assert_refused(okra("x,y,w\n1,4,1\n1,4,-1\n", LMS, "--target", "y", "--weight", "w"), 1,
                   "standard input:3:", "column 3 (w)", "weight");
    assert_refused(okra("x,y,w\n1,4,\n", LMS, "--target", "y", "--weight", "w"), 1, "standard input:2:", "column 3 (w)",
                   "weight");
}

static void a_missing_target_is_predicted_and_not_learnt(void **state)
{
    (void)state;
    outcome result = okra("x,y\n1,4\n1,\n2,nan\n1,4\n", LMS, "--metrics", "m.json");
    assert_string_equal(result.out, "n,y,yhat,error\n1,4,0,4\n2,,4,\n3,,6,\n4,4,4,0\n");
    assert_done(result);
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(metrics, "rows")), 4);
    assert_int_equal(json_integer_value(json_object_get(metrics, "learnt")), 2);
    assert_near(json_real_value(json_object_get(metrics, "mse")), 8, 0);
    json_decref(metrics);
    /* One of several missing: neither is learnt. */
    assert_prints(okra("x,a,b\n1,4,\n1,,4\n1,4,4\n", LMS, "--target", "a,b"),
                  "n,y_a,yhat_a,error_a,y_b,yhat_b,error_b\n1,4,0,4,,0,\n2,,0,,4,0,4\n3,4,0,4,4,0,4\n");
}

/* In float, theta.z of the second row is not what double gives, and both print the fewest digits of their own kind. */
static void single_precision_is_real_and_prints_its_own_digits(void **state)
{
    (void)state;
    const char *text = "x,y\n0.1,0.1\n0.1,0.3\n";
    float f = 0.1f;
    outcome single = okra(text, LMS, "--precision", "f32"), twice = okra(text, LMS);
    assert_done(single);
    assert_done(twice);
    assert_string_equal(cell(single.out, 1, 1), "0.1");
    float yhat = strtof(cell(single.out, 2, 2), NULL);
    assert_near(yhat, fmaf(0.5f * f * f, f, 0.5f * f), 4e-9);
    assert_near(strtof(cell(single.out, 2, 3), NULL), 0.3f - yhat, 0);
    assert_true(strlen(cell(single.out, 2, 2)) <= strlen("0.123456789"));
    assert_near(strtod(cell(twice.out, 2, 2), NULL), 0.0505, 1e-17);
    outcome_free(&single);
    outcome_free(&twice);
    assert_refused(okra("x,y\n1,2\n1,1e39\n", LMS, "--precision", "f32"), 1, "standard input:3:", "column 2 (y)",
                   "--precision f64");
}

/* ---- what it says -------------------------------------------------------------------------------------------- */

static double metric(const json_t *metrics, const char *key)
{
    json_t *value = json_object_get(metrics, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void metrics_have_exactly_the_promised_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {"rows",   "learnt", "skipped", "gaps", "mse",     "mse_db",          "nmse",
                                       "rmse",   "mae",    "bias",    "r2",   "seconds", "rows_per_second", "recipe",
                                       "target", "inputs"};
    const okra_recipe *recipe = okra_recipe_find("rff-nlms");
    outcome result =
        okra(stream, "run", "--recipe", "rff-nlms", "--kernel", "laplacian", "--seed", "7", "--metrics", "m.json");
    assert_done(result);
    json_t *metrics = json_load_file("m.json", JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(metrics);
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        assert_non_null(json_object_get(metrics, keys[i]));
        assert_has(result.err, keys[i]);
    }
    size_t said = 0;
    for (size_t i = 0; i < recipe->n_params; i++) {
        const okra_param *param = recipe->params[i].param;
        said += !param->quiet; /* and those, if they are not the default, which here they are */
        assert_true(param->quiet == !json_object_get(metrics, param->name));
        assert_true(param->quiet || strstr(result.err, param->name));
    }
    assert_int_equal(json_object_size(metrics), COUNT_OF(keys) + said);
    assert_string_equal(json_string_value(json_object_get(metrics, "kernel")), "laplacian");
    assert_near(metric(metrics, "seed"), 7, 0);
    assert_near(metric(metrics, "features"), 300, 0);
    assert_near(metric(metrics, "reg"), 1e-6, 0);
    json_decref(metrics);
    outcome_free(&result);
}

static void metrics_are_right(void **state)
{
    (void)state;
    assert_prints(okra(stream, LMS, "--metrics", "m.json"), predictions);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_near(metric(metrics, "rows"), 4, 0);
    assert_near(metric(metrics, "learnt"), 4, 0);
    assert_near(metric(metrics, "skipped"), 0, 0);
    assert_near(metric(metrics, "mse"), 5, 0);
    assert_near(metric(metrics, "mse_db"), 10 * log10(5), 1e-12);
    assert_near(metric(metrics, "nmse"), 20 / 14.75, 1e-12);
    assert_true(metric(metrics, "seconds") > 0);
    assert_near(metric(metrics, "rows_per_second") * metric(metrics, "seconds"), 4, 1e-9);
    assert_near(metric(metrics, "mu"), 0.5, 0);
    json_decref(metrics);
}

/* Targets that vary by 1 around 1e9: a difference of mean squares would have no digit left. */
static void the_variance_is_stable(void **state)
{
    (void)state;
    outcome result = okra("x,y\n0,1000000000\n0,1000000001\n0,1000000002\n", "run", "--quiet", "--recipe", "lms",
                          "--mu", "1e-20", "--metrics", "m.json");
    assert_done(result);
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_near(metric(metrics, "nmse") / (3 * metric(metrics, "mse") / 2), 1, 1e-9);
    json_decref(metrics);
}

static void several_targets_are_scored_together(void **state)
{
    (void)state;
    outcome result = okra("x,a,b\n1,4,1\n1,4,3\n", LMS, "--target", "a,b", "--metrics", "m.json");
    assert_done(result); /* errors 4, 1 and 0, 2 */
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_near(metric(metrics, "mse"), (16 + 1 + 0 + 4) / 4.0, 0);
    assert_near(metric(metrics, "nmse"), (16 + 1 + 0 + 4) / 2.0, 1e-12);
    json_decref(metrics);
}

static void a_header_alone_is_an_empty_stream(void **state)
{
    (void)state;
    assert_prints(okra("x,y\n", LMS, "--metrics", "m.json"), "n,y,yhat,error\n");
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_near(metric(metrics, "rows"), 0, 0);
    assert_true(json_is_null(json_object_get(metrics, "mse")));
    assert_true(json_is_null(json_object_get(metrics, "nmse")));
    json_decref(metrics);
}

static void the_summary_goes_to_standard_error(void **state)
{
    (void)state;
    outcome result = okra(stream, "run", "--recipe", "lms", "--mu", "0.5");
    assert_done(result);
    assert_string_equal(result.out, predictions);
    assert_has(result.err, "rows             4\n");
    assert_has(result.err, "mse              5\n");
    assert_has(result.err, "recipe           lms\n");
    assert_has(result.err, "mu               0.5\n");
    assert_null(strchr(result.err, '\r')); /* no progress bar: it is no terminal */
    outcome_free(&result);
}

/* ---- given features ------------------------------------------------------------------------------------------ */

static void features_from_a_file(void **state)
{
    (void)state;
    write_file("omega.csv", "omega1,b\n0,0\n0,1\n"); /* z = (1, cos 1), whatever x is */
    outcome result = okra("x,y\n5,2\n9,2\n", "run", "--quiet", "--recipe", "rff-klms", "--features", "2", "--mu", "0.5",
                          "--omega", "omega.csv", "--metrics", "m.json");
    assert_done(result);
    assert_near(strtod(cell(result.out, 2, 2), NULL), 0.5 * 2 * (1 + cos(1) * cos(1)), 1e-14);
    outcome_free(&result);
    json_t *metrics = json_load_file("m.json", 0, NULL);
    assert_near(metric(metrics, "features"), 2, 0);
    json_decref(metrics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicts_then_learns),
        cmocka_unit_test(takes_files_as_people_make_them),
        cmocka_unit_test(the_last_value_of_an_option_counts),
        cmocka_unit_test(writes_to_the_file_asked_for),
        cmocka_unit_test(columns_by_name_and_number),
        cmocka_unit_test(several_targets_have_columns_of_their_own),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(a_missing_target_is_predicted_and_not_learnt),
        cmocka_unit_test(single_precision_is_real_and_prints_its_own_digits),
        cmocka_unit_test(metrics_have_exactly_the_promised_keys),
        cmocka_unit_test(metrics_are_right),
        cmocka_unit_test(the_variance_is_stable),
        cmocka_unit_test(several_targets_are_scored_together),
        cmocka_unit_test(a_header_alone_is_an_empty_stream),
        cmocka_unit_test(the_summary_goes_to_standard_error),
        cmocka_unit_test(features_from_a_file),
    };
    return cmocka_run_group_tests_name("cli run", tests, enter_directory, leave_directory);
}
