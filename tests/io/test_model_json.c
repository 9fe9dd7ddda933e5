/* Model files as JSON and back, and in every locale. */
#include "model_files.h"

#include <locale.h>

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

static void check_json(okra_spec *spec)
{
    spec->scale = OKRA_SCALE_AUTO, spec->warmup = 100, spec->horizon = 2;
    okra_filter *model = make_model(spec);
    take_rows(model, 0, 70);
    file f = pack(model, NULL), back;
    char *json;
    okra_message why = {""};
    assert_ok(okra_export(f.bytes, f.size, 0, &json, &why));
    if (okra_import(json, strlen(json), 0, &back.bytes, &back.size, &why))
        fail_msg("%s: %s", spec->recipe, why.text);
    assert_same_file(&f, &back);
    okra_free(model);
    free(f.bytes), free(back.bytes), free(json);
}

static void json_gives_the_same_bytes(void **state)
{
    (void)state;
    for_each_model(check_json);
}

/* Every kind of number, through the past inputs of a model, which may be NaN. */
static void json_keeps_every_bit(void **state)
{
    (void)state;
    static const uint64_t bits[] = {0,
                                    0x8000000000000000,
                                    1,
                                    0x000fffffffffffff,
                                    0x7fefffffffffffff,
                                    0x3fb999999999999a,
                                    0x4340000000000001,
                                    0x7ff8000000000000,
                                    0xfff8000000000000,
                                    0x7ff8000000000123,
                                    0xc3e0000000000000,
                                    0x444b1ae4d6e2ef50};
    okra_spec spec = small_spec("lms", OKRA_F64);
    spec.inputs = 1, spec.lags = COUNT_OF(bits);
    okra_filter *model = make_model(&spec);
    assert_ok(okra_array_write(model, "history.inputs", bits));
    file f = pack(model, NULL), back;
    char *json;
    okra_message why = {""};
    assert_ok(okra_export(f.bytes, f.size, 0, &json, NULL));
    assert_non_null(strstr(json, "[\"nan\"]"));
    assert_non_null(strstr(json, "\"nan 0xfff8000000000000\""));
    if (okra_import(json, strlen(json), 0, &back.bytes, &back.size, &why))
        fail_msg("%s", why.text);
    assert_same_file(&f, &back);
    okra_free(model);
    free(f.bytes), free(back.bytes), free(json);
}

static okra_status there_and_back(const file *f, size_t limit)
{
    char *json;
    file back = {NULL, 0};
    okra_status status = okra_export(f->bytes, f->size, limit, &json, NULL);
    if (!status)
        status = okra_import(json, strlen(json), limit, &back.bytes, &back.size, NULL);
    free(json), free(back.bytes);
    return status;
}

/* Also where a file asks for just as much memory as is allowed. */
static void what_is_loaded_goes_through_json(void **state)
{
    (void)state;
    okra_spec spec = small_spec("klms", OKRA_F64);
    spec.capacity = 1 << 12;
    okra_filter *model = make_model(&spec);
    size_t limit = okra_size(okra_get_spec(model)), loaded = 0, refused = 0;
    file f = pack(model, NULL);
    for (size_t capacity = (1 << 12) - 64; capacity <= (1 << 12) + 64; capacity += 8) {
        char new[32];
        snprintf(new, sizeof new, "\"capacity\":\"%zu\"", capacity);
        file asks = forge(&f, "\"capacity\":\"4096\"", new);
        okra_filter *twin;
        okra_status status = okra_unpack(asks.bytes, asks.size, limit, &twin, NULL, NULL);
        if (there_and_back(&asks, limit) != status)
            fail_msg("capacity %zu: %s by one, not by the other", capacity, status ? "refused" : "accepted");
        status ? refused++ : loaded++;
        okra_free(twin);
        free(asks.bytes);
    }
    assert_true(loaded > 2 && refused > 2);
    okra_free(model);
    free(f.bytes);
}

/* Floats of all sizes: their shortest decimals are read as doubles. */
static void json_keeps_every_float(void **state)
{
    (void)state;
    enum { N = 20000 };
    uint32_t *bits = malloc(N * sizeof *bits);
    for (uint32_t i = 0; i < N; i++) {
        bits[i] = i * 2654435761u;
        if ((bits[i] & 0x7f800000) == 0x7f800000)
            bits[i] ^= 0x40000000; /* finite */
    }
    okra_spec spec = small_spec("lms", OKRA_F32);
    spec.inputs = 1, spec.lags = N;
    okra_filter *model = make_model(&spec);
    assert_ok(okra_array_write(model, "history.inputs", bits));
    file f = pack(model, NULL), back;
    char *json;
    assert_ok(okra_export(f.bytes, f.size, 0, &json, NULL));
    assert_ok(okra_import(json, strlen(json), 0, &back.bytes, &back.size, NULL));
    assert_same_file(&f, &back);
    okra_free(model);
    free(f.bytes), free(back.bytes), free(json), free(bits);
}

/* JSON that was edited: `old` replaced by `new` in what a small model exports. */
static void assert_json_refused(const char *old, const char *new, const char *part)
{
    file f = small_file("rff-klms", OKRA_F32), back;
    char *json, *edited;
    size_t length;
    okra_message why = {""};
    assert_ok(okra_export(f.bytes, f.size, 0, &json, NULL));
    char *at = strstr(json, old);
    if (!at)
        fail_msg("no %s in %s", old, json);
    FILE *out = open_memstream(&edited, &length);
    fprintf(out, "%.*s%s%s", (int)(at - json), json, new, at + strlen(old));
    fclose(out);
    okra_status status = okra_import(edited, length, 0, &back.bytes, &back.size, &why);
    if (part) {
        assert_status(status, OKRA_E_FORMAT);
        assert_null(back.bytes);
        if (!strstr(why.text, part))
            fail_msg("no '%s' in: %s", part, why.text);
    } else if (status) {
        fail_msg("%s", why.text);
    }
    free(f.bytes), free(json), free(edited), free(back.bytes);
}

static void json_mistakes_are_told(void **state)
{
    (void)state;
    assert_json_refused("\"metadata\"", "\"meatdata\"", "no \"metadata\" and \"arrays\"");
    assert_json_refused("\"mu\": \"0.5\"", "\"mu\": 0.5", "metadata 'mu' is no text");
    assert_json_refused("\"mu\": \"0.5\"", "\"mu\": \"-1\"", "mu = -1 is out of range");
    assert_json_refused("\"mu\": \"0.5\"", "\"mu\": \"0.5\",,",
                        "cannot be read as JSON: not what okra export writes; correct it");
    assert_json_refused("{\n", "{\n  \"metadata\": {}, x\n", "line 2, column 19: cannot be read as JSON");
    assert_json_refused("{\n", "{\n  \"a\": 1, \"a\": 2,\n", "line 2, column 14: a name that is there twice");
    assert_json_refused("\"dtype\": \"F32\"", "\"dtype\": \"F16\"", "no dtype of");
    assert_json_refused("\"dtype\": \"F32\"", "\"dtype\": \"F64\"", "of type F64 in a model of precision f32");
    assert_json_refused("\"shape\": [2, 2]", "\"shape\": [2.5, 2]", "no shape of");
    assert_json_refused("\"shape\": [2, 2]", "\"shape\": [1, 2]", "has 2 rows of data, and its shape says 1");
    assert_json_refused("\"shape\": [2, 2]", "\"shape\": [2, 3]", "row 1, has 2 numbers, and its shape says 3");
    assert_json_refused("        [", "        [\"frog\", ", "has 3 numbers");
    assert_json_refused("]\n      ]", "]\n      ", "column");
    assert_json_refused("\"mu\": \"0.5\"", "\"checksum\": \"x\", \"mu\": \"0.25\"", NULL);
}

static void json_numbers_are_checked(void **state)
{
    (void)state;
    static const char json[] =
        "{\"metadata\": {}, \"arrays\": {\"a\": {\"dtype\": \"F32\", \"shape\": [1, 1], \"data\": "
        "[[%s]]}}}";
    static const char *const bad[] = {
        "\"frog\"", "1e39", "null", "\"nan 0x\"", "\"nan 0x7f800000\"", "\"nan 0x1ffc00000\"", "true", "[]"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char text[256];
        file back;
        okra_message why = {""};
        snprintf(text, sizeof text, json, bad[i]);
        assert_status(okra_import(text, strlen(text), 0, &back.bytes, &back.size, &why), OKRA_E_FORMAT);
        if (!strstr(why.text, "array 'a', row 1, column 1, is no F32 number"))
            fail_msg("%s: %s", bad[i], why.text);
    }
}

/* ---- locale -------------------------------------------------------------------------------------------------- */

static void decimal_commas_stay_out(void **state)
{
    (void)state;
    setenv("LOCPATH", ".", 1);
    bool built = system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null; test -d de_DE.UTF-8") == 0;
    bool set = built && setlocale(LC_ALL, "de_DE.UTF-8");
    assert_int_equal(system("rm -rf de_DE.UTF-8"), 0);
    if (!set)
        skip(); /* the system has not the means */
    file f = small_file("rff-klms", OKRA_F64);
    okra_filter *model = unpack(&f);
    assert_near(okra_get_spec(model)->mu, 0.5, 0);
    setlocale(LC_ALL, "C");
    file c = small_file("rff-klms", OKRA_F64);
    assert_same_file(&f, &c);
    okra_free(model);
    free(f.bytes), free(c.bytes);
}

int main(void)
{
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_gives_the_same_bytes),        cmocka_unit_test(json_keeps_every_bit),
        cmocka_unit_test(what_is_loaded_goes_through_json), cmocka_unit_test(json_keeps_every_float),
        cmocka_unit_test(json_mistakes_are_told),           cmocka_unit_test(json_numbers_are_checked),
        cmocka_unit_test(decimal_commas_stay_out),
    };
    return cmocka_run_group_tests_name("model json", tests, enter_directory, leave_directory);
}
