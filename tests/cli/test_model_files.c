/*
 * info, export and import as their users meet them. The models are made with the library, the program looks at them.
 */
#include "harness.h"

#include <jansson.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <okra/io.h>
#include <okra/model_file.h>

/* A model of the recipe that has seen some rows, saved as NAME. */
static void save_model(const char *name, const char *recipe, int precision, size_t rows)
{
    okra_spec spec;
    okra_filter *model;
    okra_metadata *metadata = NULL;
    okra_message why;
    assert_ok(okra_spec_init(&spec, recipe, 2, 1));
    spec.precision = precision;
    spec.lags = 3, spec.scale = OKRA_SCALE_AUTO, spec.warmup = 64;
    if (spec.features)
        spec.features = 6;
    assert_ok(okra_create(&spec, &model));
    for (size_t t = 0; t < rows; t++) {
        double s = sin((double)t), u[2] = {s, t % 9 == 4 ? (double)NAN : s * s}, y = s * (1 - s);
        float uf[2] = {(float)u[0], (float)u[1]}, yf = (float)y;
        assert_ok(precision == OKRA_F32 ? okra_step_f32(model, uf, &yf, 1, NULL, NULL)
                                        : okra_step(model, u, &y, 1, NULL, NULL));
    }
    assert_ok(okra_metadata_set(&metadata, "columns", "speed,\"load\",temperature °C"));
    assert_ok(okra_metadata_set(&metadata, "rows", "007"));
    if (okra_save(model, name, metadata, &why))
        fail_msg("%s", why.text);
    okra_metadata_free(metadata);
    okra_free(model);
}

static void assert_same_bytes(const char *a, const char *b)
{
    unsigned char *left, *right;
    size_t left_size, right_size;
    assert_ok(okra_file_load(a, &left, &left_size, NULL));
    assert_ok(okra_file_load(b, &right, &right_size, NULL));
    assert_int_equal(left_size, right_size);
    assert_memory_equal(left, right, left_size);
    free(left), free(right);
}

static void info_shows_what_is_there(void **state)
{
    (void)state;
    save_model("m.okra", "rff-krls", OKRA_F64, 40);
    outcome result = okra(NULL, "info", "m.okra");
    assert_done(result);
    assert_has(result.out, "file                  m.okra\n");
    assert_has(result.out, "recipe                rff-krls\n");
    assert_has(result.out, "lambda                0.01\n");
    assert_has(result.out, "cyclic                auto\n");
    assert_has(result.out, "okra_version          " OKRA_VERSION "\n");
    assert_has(result.out, "lags                  3\n");
    assert_has(result.out, "filter_inputs         6\n");
    assert_has(result.out, "counters\n  rows                40\n");
    assert_has(result.out, "arrays\n");
    assert_has(result.out, "  theta               1 x 6\n");
    assert_has(result.out, "  u                   1 x 21\n");
    assert_has(result.out,
               "metadata\n  columns             speed,\"load\",temperature °C\n  rows                007\n");
    assert_string_equal(result.err, "");
    outcome_free(&result);
}

static void info_writes_json(void **state)
{
    (void)state;
    save_model("m.okra", "klms", OKRA_F32, 40);
    outcome result = okra(NULL, "info", "m.okra", "--metrics", "m.json"),
            same = okra(NULL, "info", "m.okra", "--metrics", "-");
    assert_done(result);
    assert_done(same);
    assert_has(result.out, "recipe                klms\n");
    char *written = read_file("m.json");
    assert_string_equal(written, same.out);
    json_t *all = json_loads(written, 0, NULL);
    assert_non_null(all);
    assert_string_equal(json_string_value(json_object_get(all, "recipe")), "klms");
    assert_near(json_real_value(json_object_get(all, "mu")), 0.5, 0);
    assert_int_equal(json_integer_value(json_object_get(all, "capacity")), 10000);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "counters"), "rows")), 40);
    assert_string_equal(json_string_value(json_object_get(json_object_get(all, "metadata"), "rows")), "007");
    const json_t *alpha = json_object_get(json_object_get(all, "arrays"), "alpha");
    assert_int_equal(json_integer_value(json_array_get(alpha, 0)), 1);
    json_decref(all);
    free(written);
    outcome_free(&result);
    outcome_free(&same);
}

static void export_and_import_give_the_same_file(void **state)
{
    (void)state;
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (int bits = 32; bits <= 64; bits += 32) {
            save_model("m.okra", okra_recipe_at(r)->name, bits, 30 + 40 * (r % 2));
            outcome out = okra(NULL, "export", "m.okra", "--out", "m.json");
            outcome back = okra(NULL, "import", "m.json", "--out", "back.okra");
            assert_done(out);
            assert_done(back);
            assert_string_equal(out.out, "");
            assert_string_equal(out.err, "");
            assert_string_equal(back.err, "");
            assert_same_bytes("m.okra", "back.okra");
            outcome_free(&out);
            outcome_free(&back);
        }
}

static void pipes_do_as_well_as_files(void **state)
{
    (void)state;
    save_model("m.okra", "rff-klms", OKRA_F64, 40);
    call to_file = {.out = "piped.okra"};
    outcome json = okra(NULL, "export", "m.okra");
    assert_done(json);
    to_file.input = json.out;
    outcome model = okra_how(to_file, "import", "-", "--out", "-");
    assert_done(model);
    assert_same_bytes("m.okra", "piped.okra");
    outcome_free(&json);
    outcome_free(&model);
}

static void edited_numbers_arrive(void **state)
{
    (void)state;
    save_model("m.okra", "lms", OKRA_F64, 40);
    outcome json = okra(NULL, "export", "m.okra");
    assert_done(json);
    char *mu = strstr(json.out, "\"mu\": \"0.01\"");
    assert_non_null(mu);
    memcpy(mu, "\"mu\": \"0.02\"", 12);
    outcome model = okra(json.out, "import", "--out", "edited.okra"), info = okra(NULL, "info", "edited.okra");
    assert_done(model);
    assert_done(info);
    assert_has(info.out, "mu                    0.02\n");
    outcome_free(&json);
    outcome_free(&model);
    outcome_free(&info);
}

static void what_is_no_model_is_refused(void **state)
{
    (void)state;
    write_file("rows.csv", "x,y\n1,2\n3,4\n");
    static const char *const commands[] = {"info", "export"};
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        assert_refused(okra(NULL, commands[i], "rows.csv"), 1, "rows.csv: not a model file",
                       "name one that okra has saved");
        assert_refused(okra(NULL, commands[i], "none.okra"), 1, "none.okra: no such file", "check the name");
        assert_refused(okra("", commands[i]), 1, "standard input: not a model file");
    }
    assert_refused(okra(NULL, "import", "rows.csv", "--out", "x.okra"), 1, "rows.csv: line 1", "okra export");
    assert_refused(okra("{}", "import", "--out", "x.okra"), 1, "standard input: no \"metadata\"");
    assert_int_equal(access("x.okra", F_OK), -1);
}

static void damage_is_told(void **state)
{
    (void)state;
    save_model("m.okra", "rff-klms", OKRA_F64, 40);
    unsigned char *bytes;
    size_t size;
    assert_ok(okra_file_load("m.okra", &bytes, &size, NULL));
    assert_ok(okra_file_save("cut.okra", bytes, size - 100, NULL));
    bytes[size - 5] ^= 4;
    assert_ok(okra_file_save("bad.okra", bytes, size, NULL));
    free(bytes);
    assert_refused(okra(NULL, "info", "cut.okra"), 1, "cut.okra: truncated", "use another copy");
    assert_refused(okra(NULL, "info", "bad.okra"), 1, "bad.okra: altered since it was saved", "use another copy");
    assert_refused(okra(NULL, "export", "bad.okra"), 1, "bad.okra: altered since it was saved");
}

static void mistakes_in_usage_are_told(void **state)
{
    (void)state;
    save_model("m.okra", "lms", OKRA_F64, 40);
    assert_refused(okra(NULL, "import", "m.json"), 2, "okra import needs --out FILE");
    assert_refused(okra(NULL, "export", "m.okra", "--out", "m.okra"), 2, "--out", "'m.okra' is an input of this run");
    assert_refused(okra(NULL, "info", "m.okra", "--metrics", "m.okra"), 2, "--metrics", "an input of this run");
    assert_refused(okra(NULL, "info", "m.okra", "two.okra"), 2, "'two.okra'", "takes one FILE");
    assert_refused(okra(NULL, "export", "m.okra", "--uot", "x"), 2, "--uot", "did you mean '--out'?");
}

static void help_says_what_they_do(void **state)
{
    (void)state;
    outcome info = okra(NULL, "info", "--help"), out = okra(NULL, "help", "export"), in = okra(NULL, "import", "-h");
    assert_has(info.out, "Usage: okra info [options] [FILE]");
    assert_has(info.out, "--metrics FILE");
    assert_has(out.out, "Usage: okra export [options] [FILE]");
    assert_has(in.out, "Usage: okra import [options] [FILE.json]");
    outcome_free(&info);
    outcome_free(&out);
    outcome_free(&in);
}

/* A disk that is full, and a limit that would be one. */
static void full_disks_are_told(void **state)
{
    (void)state;
    save_model("m.okra", "rff-klms", OKRA_F64, 40);
    call full = {.out = "/dev/full"};
    assert_refused(okra_how(full, "export", "m.okra"), 1, "standard output", "No space left");
    assert_refused(okra_how(full, "info", "m.okra"), 1, "standard output", "No space left");
    assert_refused(okra(NULL, "export", "m.okra", "--out", "/dev/full"), 1, "/dev/full", "No space left");
    assert_refused(okra(NULL, "info", "m.okra", "--metrics", "/dev/full"), 1, "/dev/full", "No space left");

    outcome json = okra(NULL, "export", "m.okra", "--out", "m.json"),
            first = okra(NULL, "import", "m.json", "--out", "old.okra");
    assert_done(json);
    assert_done(first);
    outcome_free(&json);
    outcome_free(&first);
    struct rlimit unlimited, limited;
    getrlimit(RLIMIT_FSIZE, &unlimited);
    limited = (struct rlimit){1000, unlimited.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
    outcome result = okra(NULL, "import", "m.json", "--out", "old.okra");
    setrlimit(RLIMIT_FSIZE, &unlimited);
    assert_refused(result, 1, "old.okra: cannot be written: File too large", "the old file is as it was");
    assert_same_bytes("m.okra", "old.okra");
    assert_int_equal(system("ls | grep -q tmp"), 1 << 8); /* nothing is left behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_shows_what_is_there),
        cmocka_unit_test(info_writes_json),
        cmocka_unit_test(export_and_import_give_the_same_file),
        cmocka_unit_test(pipes_do_as_well_as_files),
        cmocka_unit_test(edited_numbers_arrive),
        cmocka_unit_test(what_is_no_model_is_refused),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(mistakes_in_usage_are_told),
        cmocka_unit_test(help_says_what_they_do),
        cmocka_unit_test(full_disks_are_told),
    };
    return cmocka_run_group_tests_name("cli model files", tests, enter_directory, leave_directory);
}
