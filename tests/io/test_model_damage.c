/* Nothing but a whole, unaltered model file is loaded, and none that asks for more than it brings. */
#include "model_files.h"

#include <float.h>

#include "io/safetensors.h"

/* ---- damage -------------------------------------------------------------------------------------------------- */

static void any_altered_byte_is_refused(void **state)
{
    (void)state;
    static const unsigned char changes[] = {0x01, 0x20, 0x80, 0xff};
    file f = small_file("rff-klms", OKRA_F32);
    okra_filter *model;
    for (size_t i = 0; i < f.size; i++)
        for (size_t k = 0; k < sizeof changes; k++) {
            f.bytes[i] ^= changes[k];
            if (okra_unpack(f.bytes, f.size, 0, &model, NULL, NULL) != OKRA_E_FORMAT)
                fail_msg("byte %zu ^ %#x is not noticed", i, changes[k]);
            f.bytes[i] ^= changes[k];
        }
    f.bytes[f.size - 1] ^= 1;
    assert_file_refused(&f, OKRA_E_FORMAT, "altered since it was saved");
    free(f.bytes);
}

/* Cut at every length, in memory of that length, so that a read beyond is seen by the sanitizers. */
static void any_truncation_is_refused(void **state)
{
    (void)state;
    file f = small_file("krls", OKRA_F64);
    for (size_t size = 0; size < f.size; size++) {
        file cut = {malloc(size + !size), size};
        memcpy(cut.bytes, f.bytes, size);
        assert_file_refused(&cut, OKRA_E_FORMAT, size > 8 ? "truncated" : "not a model file");
        free(cut.bytes);
    }
    free(f.bytes);
}

static void anything_longer_is_refused(void **state)
{
    (void)state;
    file f = small_file("lms", OKRA_F64);
    f.bytes = realloc(f.bytes, f.size + 3);
    memset(f.bytes + f.size, 0, 3);
    f.size += 3;
    assert_file_refused(&f, OKRA_E_FORMAT, "3 bytes too long");
    free(f.bytes);
}

/* A parameter that is newer than the file has its default. */
static void a_missing_parameter_has_its_default(void **state)
{
    (void)state;
    static const char *const missing[] = {"\"mu\":\"0.5\",", "\"lag-from\":\"0\",", "\"warmup\":\"512\","};
    for (size_t i = 0; i < COUNT_OF(missing); i++) {
        okra_filter *model;
        okra_message why = {""};
        file f = small_file("rff-klms", OKRA_F64), edited = forge(&f, missing[i], "");
        if (okra_unpack(edited.bytes, edited.size, 0, &model, NULL, &why))
            fail_msg("without %s: %s", missing[i], why.text);
        const okra_spec *spec = okra_get_spec(model);
        assert_near(spec->mu, 0.5, 0);
        assert_true(spec->lag_from == 0 && spec->warmup == 512 && spec->horizon == 2);
        okra_free(model);
        free(f.bytes), free(edited.bytes);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    char csv[] = "x1,x2,y\n1,2,3\n4,5,6\n";
    char other[] = "\x4a\0\0\0\0\0\0\0{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[0],"
                   "\"data_offsets\":[0,0]}}";
    assert_file_refused(&(file){(unsigned char *)csv, sizeof csv - 1}, OKRA_E_FORMAT, "not a model file");
    assert_file_refused(&(file){(unsigned char *)other, sizeof other - 1}, OKRA_E_FORMAT, "not a model file");
    assert_status(okra_unpack(NULL, 0, 0, NULL, NULL, NULL), OKRA_E_NULL);
    assert_status(okra_pack(NULL, NULL, NULL, NULL, NULL), OKRA_E_NULL);
}

/* ---- forgeries: a header that was edited, with a checksum that fits ------------------------------------------- */

typedef struct forgery {
    const char *recipe, *old, *new, *part;
} forgery;

/* An array without numbers, before the others. */
#define EMPTY(name, dtype, shape) \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[0,0]},\"history.inputs\":"

/* clang-format off */
static const forgery forgeries[] = {
    {"rff-klms", "\"format_version\":\"1\",\"okra_version\":\"" OKRA_VERSION, "\"format_version\":\"2\",\"okra_version\":\"7.8.9",
     "written by okra 7.8.9 in model format 2, but this is okra " OKRA_VERSION},
    {"rff-klms", "\"format_version\":\"1\"", "\"format_version\":\"1000000000000\"", "use a newer okra"},
    {"rff-klms", "\"format_version\":\"1\"", "\"format_version\":\"one\"", "'one', not a number"},
    {"rff-klms", "\"format_version\":\"1\"", "\"format_version\":\"0\"", "'0', not a number"},
    {"rff-klms", "\"format_version\":\"1\"", "\"format_version\":1", "not texts"},
    {"rff-klms", "okra model", "okra muddle", "not a model file"},
    {"rff-klms", "rff-klms", "rff-klmz", "no recipe 'rff-klmz'"},
    {"rff-klms", "\"recipe\":\"rff-klms\",", "", "does not say recipe"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"-0.5\"", "mu = -0.5 is out of range"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"fast\"", "'fast' is not a number"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"0.5\",\"epsilon\":\"0.1\"", "rff-klms has no parameter 'epsilon'"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"0.5\",\"mu\":\"0.5\"", "a name that is there twice"},
    {"rff-klms", "\"features\":\"3\"", "\"features\":\"0\"", "features = 0 is out of range"},
    {"rff-klms", "\"features\":\"3\"", "\"features\":\"4\"", "is 2 x 3 and should be 2 x 4"},
    {"rff-klms", "\"features\":\"3\"", "\"features\":\"1000000000\"", "MB of memory, and the limit is 1073 MB: raise the limit"},
    {"rff-klms", "\"precision\":\"f64\"", "\"precision\":\"f32\"", "of type F64 in a model of precision f32"},
    {"rff-klms", "\"precision\":\"f64\"", "\"precision\":\"f16\"", "'f16' is none of"},
    {"rff-klms", "\"sigma\":\"1\"", "\"sigma\":\"auto\"", "does not say counter.since"},
    {"lms", "\"scale\":\"none\"", "\"scale\":\"none\",\"sigma\":\"1\"", "no parameter 'sigma'"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"3\"", "should be"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"two\"", "inputs is 'two', not a count"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"02\"", "inputs is '02', not a count"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"-2\"", "not a count"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"99999999999999999999\"", "not a count"},
    {"rff-klms", "\"targets\":\"2\"", "\"targets\":\"0\"", "out of range"},
    {"rff-klms", "\"horizon\":\"2\"", "\"horizon\":\"0\"", "horizon = 0 is out of range"},
    {"rff-klms", "\"horizon\":\"2\"", "\"horizon\":\"18446744073709551615\"", "is not a whole number"},
    {"rff-klms", "\"lags\":\"1\"", "\"lags\":\"16000000\"", "MB of memory, and the limit is 1073 MB: raise the limit"},
    {"rff-klms", "\"scale\":\"none\"", "\"scale\":\"log\"", "scale: 'log' is none of"},
    {"rff-klms", "\"scale\":\"none\"", "\"scale\":\"auto\"", "does not say counter.since"},
    {"rff-klms", "\"counter.rows\":\"10\"", "\"counter.rows\":\"-1\"", "counter.rows is '-1', not a count"},
    {"rff-klms", "\"counter.rows\":\"10\",", "", "does not say counter.rows"},
    {"rff-klms", "\"counter.rows\":\"10\"", "\"counter.rows\":\"10\",\"counter.frogs\":\"1\"", "counters that this recipe has not"},
    {"klms", "\"counter.centres\":\"4\"", "\"counter.centres\":\"5\"", "counter.centres is 5, and 4 is the most"},
    {"klms", "\"counter.centres\":\"4\"", "\"counter.centres\":\"3\"", "array 'centres' is 4 x 2 and should be 3 x 2"},
    {"klms", "\"capacity\":\"4\"", "\"capacity\":\"1000000000\"", "MB of memory, and the limit is 1073 MB: raise the limit"},
    {"krls", "\"capacity\":\"4\"", "\"capacity\":\"1073741824\"", "memory"},
    {"krls", "\"when-full\":\"stop\"", "\"when-full\":\"oldest\"", "krls cannot"},
    {"klms", "\"alpha\":", "\"omega\":", "array 'alpha' is missing"},
    {"rff-klms", "\"omega\":", "\"theta\":", "a name that is there twice"},
    {"rff-klms", "\"dtype\":\"F64\"", "\"dtype\":\"I64\"", "not of type F64 or F32"},
    {"rff-klms", "\"dtype\":\"F64\"", "\"dtype\":\"F64\",\"x\":0", "not of type"},
    {"rff-klms", "\"shape\":[2,2]", "\"shape\":[4]", "no shape of two sizes"},
    {"rff-klms", "\"shape\":[2,2]", "\"shape\":[-2,-2]", "no shape of two sizes"},
    {"rff-klms", "\"shape\":[2,2]", "\"shape\":[9223372036854775807,9223372036854775807]", "no shape of two sizes"},
    {"rff-klms", "\"shape\":[2,2]", "\"shape\":[9223372036854775807,0]", "offsets that do not fit"},
    {"rff-klms", "\"shape\":[2,2]", "\"shape\":[2,3]", "offsets that do not fit its shape"},
    {"rff-klms", "\"data_offsets\":[0,", "\"data_offsets\":[8,", "offsets that do not fit its shape"},
    {"rff-klms", "\"data_offsets\":[0,16]", "\"data_offsets\":[16,32]", "does not begin where the one before it ends"},
    {"rff-klms", "\"data_offsets\":[0,16]", "\"data_offsets\":{}", "offsets"},
    {"rff-klms", "\"data_offsets\":[0,16]", "\"data_offsets\":[1e1,16]", "offsets"},
    {"rff-klms", "}}", "},\"frogs\":{\"dtype\":\"F64\",\"shape\":[1,0],\"data_offsets\":[0,0]}}", "array 'frogs'"},
    {"rff-klms", "\"theta\":", "\"frogs\":", "array 'theta' is missing"},
    /* nothing in as many rows or columns as one likes: a loop over them would never end */
    {"rff-klms", "\"history.inputs\":", EMPTY("frogs", "F64", "[0,4611686018427387904]"), "array 'frogs' is none that rff-klms has"},
    {"rff-klms", "\"history.inputs\":", EMPTY("frogs", "F32", "[1,0]"), "array 'frogs' is none that rff-klms has"},
    {"klms", "\"history.inputs\":", EMPTY("reserve", "F64", "[1,0]"), "array 'reserve' is none that klms has"}, /* as earlier builds wrote */
    {"klms", "\"history.inputs\":", EMPTY("frogs", "F64", "[4611686018427387904,0]"), "array 'frogs' is none that klms has"},
    {"rff-klms", "\"theta\":{", "\"theta\":[{", "damaged"},
    /* from an okra that is not this one: who wrote it, who reads it, what to do */
    {"rff-klms", "\"okra_version\":\"" OKRA_VERSION "\",", "\"okra_version\":\"7.8.9\",\"momentum\":\"0.9\",",
     "recipe rff-klms has no parameter 'momentum'; okra 7.8.9 wrote it, and this is okra " OKRA_VERSION ": use that one, or a newer"},
    {"rff-klms", "\"okra_version\":\"" OKRA_VERSION "\",\"recipe\":\"rff-klms\"", "\"okra_version\":\"7.8.9\",\"recipe\":\"transformer\"",
     "there is no recipe 'transformer'; okra 7.8.9 wrote it, and this is okra " OKRA_VERSION},
};
/* clang-format on */

static void forgeries_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(forgeries); i++) {
        file f = small_file(forgeries[i].recipe, OKRA_F64), forged = forge(&f, forgeries[i].old, forgeries[i].new);
        assert_file_refused(&forged, OKRA_E_FORMAT, forgeries[i].part);
        free(f.bytes), free(forged.bytes);
    }
}

/* What the refusals above owe to the edit alone: an edit that changes nothing is accepted. */
static void an_honest_edit_is_accepted(void **state)
{
    (void)state;
    file f = small_file("klms", OKRA_F64),
         spaced = forge(&f, "\"__metadata__\":{\"checksum\"", "\"__metadata__\":{\"checksum\"");
    assert_same_file(&f, &spaced);
    free(spaced.bytes);
    spaced = forge(&f, "\"centres\":{", "\"centres\" : {"); /* and arrays that are not aligned any more */
    okra_filter *model = unpack(&spaced);
    file again = pack(model, NULL);
    assert_same_file(&f, &again);
    okra_free(model);
    free(f.bytes), free(spaced.bytes), free(again.bytes);
}

/* The place of an array's first number. */
static unsigned char *numbers_of(const file *f, const char *name)
{
    okra_safetensors opened;
    assert_ok(okra_safetensors_open(&opened, f->bytes, f->size, NULL));
    const okra_tensor *tensor = okra_safetensors_find(&opened, name);
    assert_non_null(tensor);
    size_t at = (size_t)(opened.data - f->bytes) + tensor->begin;
    okra_safetensors_close(&opened);
    return f->bytes + at;
}

/* In the file's byte order, whatever the machine's is. */
static void put_number(unsigned char *at, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int k = 0; k < 8; k++)
        at[k] = (unsigned char)(bits >> 8 * k);
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {(double)NAN, (double)INFINITY};
    file f = small_file("rff-krls", OKRA_F64);
    for (size_t k = 0; k < COUNT_OF(bad); k++) {
        put_number(numbers_of(&f, "theta"), bad[k]);
        okra_safetensors_sign(f.bytes, f.size);
        assert_file_refused(&f, OKRA_E_FORMAT, "array 'theta' holds a number that it cannot");
    }
    free(f.bytes);
}

/* A weight was checked when its row came; least squares would not ask again. */
static void a_weight_that_is_none_is_refused(void **state)
{
    (void)state;
    file f = small_file("auto", OKRA_F64);
    put_number(numbers_of(&f, "pending.weight"), (double)NAN);
    okra_safetensors_sign(f.bytes, f.size);
    assert_file_refused(&f, OKRA_E_FORMAT, "array 'pending.weight' holds a number that it cannot");
    free(f.bytes);
}

static void put_float(unsigned char *at, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int k = 0; k < 4; k++)
        at[k] = (unsigned char)(bits >> 8 * k);
}

/* Loads the model with this scale for its first input; where it is accepted, ordinary rows have predictions. */
static okra_status load_scaled(file *f, int precision, double mean, double deviation)
{
    okra_filter *model;
    unsigned char *mean_at = numbers_of(f, "scale.mean"), *deviation_at = numbers_of(f, "scale.deviation");
    if (precision == OKRA_F32)
        put_float(mean_at, (float)mean), put_float(deviation_at, (float)deviation);
    else
        put_number(mean_at, mean), put_number(deviation_at, deviation);
    okra_safetensors_sign(f->bytes, f->size);
    okra_status status = okra_unpack(f->bytes, f->size, 0, &model, NULL, NULL);
    for (int t = 0; t < 20 && !status; t++) {
        double x = t % 2 ? pow(10, t - 10) : -pow(10, t - 10), u[2] = {x, 1}, yhat[TARGETS] = {0};
        float uf[2] = {(float)x, 1}, yhatf[TARGETS] = {0};
        if (precision == OKRA_F32)
            assert_ok(okra_step_f32(model, uf, NULL, 1, yhatf, NULL));
        else
            assert_ok(okra_step(model, u, NULL, 1, yhat, NULL));
        if (!isfinite(precision == OKRA_F32 ? (double)yhatf[0] : yhat[0]))
            fail_msg("f%d: no prediction of %g with mean %g and deviation %g", precision, x, mean, deviation);
    }
    okra_free(model);
    return status;
}

/* What warm-ups end with is loaded: a column of one value, of the smallest differences, of the largest. */
static void scales_that_scale_nothing_are_refused(void **state)
{
    (void)state;
    for (int precision = 32; precision <= 64; precision += 32) {
        bool narrow = precision == OKRA_F32;
        double max = narrow ? (double)FLT_MAX : DBL_MAX, min = narrow ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
        double low = narrow ? (double)sqrtf(FLT_TRUE_MIN) : sqrt(min),
               high = narrow ? (double)sqrtf(FLT_MAX) : sqrt(max);
        const struct {
            double mean, deviation;
            bool good;
        } scales[] = {{0, 1, true},
                      {0, low, true},
                      {0, high, true},
                      {max, 1, true},
                      {-max, high, true},
                      {max * low / 4, low, true},
                      {-1, low, true},
                      {0, min, false},
                      {0, low / 2, false},
                      {0, 2 * high, false},
                      {0, max, false},
                      {0, 0, false},
                      {0, -1, false},
                      {max, 0.5, false},
                      {-max, low, false},
                      {max * low, low, false},
                      {(double)NAN, 1, false},
                      {0, (double)NAN, false},
                      {(double)INFINITY, 1, false}};
        okra_spec spec = small_spec("rff-klms", precision);
        spec.scale = OKRA_SCALE_AUTO, spec.warmup = 16;
        okra_filter *model = make_model(&spec);
        take_rows(model, 0, 40);
        file f = pack(model, NULL);
        for (size_t i = 0; i < COUNT_OF(scales); i++)
            if ((load_scaled(&f, precision, scales[i].mean, scales[i].deviation) == OKRA_OK) != scales[i].good)
                fail_msg("f%d, mean %g, deviation %g: %s", precision, scales[i].mean, scales[i].deviation,
                         scales[i].good ? "refused" : "loaded");
        okra_free(model);
        free(f.bytes);
    }
}

static void a_missing_value_in_the_past_is_allowed(void **state)
{
    (void)state;
    file f = small_file("rff-krls", OKRA_F64);
    put_number(numbers_of(&f, "history.inputs"), (double)NAN);
    okra_safetensors_sign(f.bytes, f.size);
    okra_filter *model = unpack(&f);
    file again = pack(model, NULL);
    assert_same_file(&f, &again);
    okra_free(model);
    free(f.bytes), free(again.bytes);
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

/* A model that takes much more memory than its arrays do is a small file. */
static void large_empty_models_come_back(void **state)
{
    (void)state;
    okra_spec spec = small_spec("klms", OKRA_F64);
    spec.capacity = 1 << 21;
    okra_filter *model = make_model(&spec);
    take_rows(model, 0, 20);
    file f = pack(model, NULL);
    assert_true(f.size < 4096);
    okra_filter *loaded = unpack(&f);
    file again = pack(loaded, NULL);
    assert_same_file(&f, &again);
    okra_free(model), okra_free(loaded);
    free(f.bytes), free(again.bytes);
}

/* Every way to a model has the limit: its own memory is allowed, a byte less is not; 0 is 1 GiB. */
static void a_model_has_the_memory_that_it_is_allowed(void **state)
{
    (void)state;
    okra_spec spec = small_spec("klms", OKRA_F64);
    spec.capacity = 10000;
    okra_filter *model = make_model(&spec), *loaded;
    take_rows(model, 0, 20);
    file f = pack(model, NULL), back;
    char *json;
    okra_message why = {""};
    size_t needed = okra_size(okra_get_spec(model));
    for (size_t limit = needed - 1; limit <= needed; limit++) {
        okra_status wanted = limit < needed ? OKRA_E_FORMAT : OKRA_OK;
        assert_status(okra_unpack(f.bytes, f.size, limit, &loaded, NULL, &why), wanted);
        assert_true(!loaded == (limit < needed));
        okra_free(loaded);
        assert_status(okra_export(f.bytes, f.size, limit, &json, NULL), wanted);
        free(json);
        assert_ok(okra_export(f.bytes, f.size, 0, &json, NULL));
        assert_status(okra_import(json, strlen(json), limit, &back.bytes, &back.size, NULL), wanted);
        free(json), free(back.bytes);
    }
    char expected[120];
    snprintf(expected, sizeof expected, "its model takes %zu MB of memory, and the limit is %zu MB: raise the limit",
             (needed + 999999) / 1000000, (needed - 1) / 1000000);
    assert_string_equal(why.text, expected);
    okra_free(model);
    free(f.bytes);
}

static void headers_have_a_limit(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 24 };
    char *text = malloc(LENGTH + 1);
    memset(text, 'x', LENGTH), text[LENGTH] = '\0';
    okra_metadata *metadata = NULL;
    okra_spec spec = small_spec("lms", OKRA_F64);
    okra_filter *model = make_model(&spec);
    okra_message why;
    file f;
    assert_ok(okra_metadata_set(&metadata, "long", text));
    assert_status(okra_pack(model, metadata, &f.bytes, &f.size, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "shorten them"));
    assert_null(f.bytes);
    okra_metadata_free(metadata);
    okra_free(model);
    free(text);
}

/* Headers are as deep as ours, and no deeper. */
static void deep_headers_are_refused(void **state)
{
    (void)state;
    file f = small_file("lms", OKRA_F64), deep = forge(&f, "\"shape\":[", "\"shape\":[[1],");
    assert_file_refused(&deep, OKRA_E_FORMAT, "nested too deeply near byte");
    free(f.bytes), free(deep.bytes);
}

int main(void)
{
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_altered_byte_is_refused),
        cmocka_unit_test(any_truncation_is_refused),
        cmocka_unit_test(anything_longer_is_refused),
        cmocka_unit_test(a_missing_parameter_has_its_default),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(forgeries_are_refused),
        cmocka_unit_test(an_honest_edit_is_accepted),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(a_weight_that_is_none_is_refused),
        cmocka_unit_test(scales_that_scale_nothing_are_refused),
        cmocka_unit_test(a_missing_value_in_the_past_is_allowed),
        cmocka_unit_test(large_empty_models_come_back),
        cmocka_unit_test(a_model_has_the_memory_that_it_is_allowed),
        cmocka_unit_test(headers_have_a_limit),
        cmocka_unit_test(deep_headers_are_refused),
    };
    return cmocka_run_group_tests_name("model damage", tests, NULL, NULL);
}
