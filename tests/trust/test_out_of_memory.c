/*
 * Out of memory, and damaged files: any one allocation fails; a file is cut short or has a bit wrong. For every recipe.
 * Each call says OKRA_E_MEMORY, leaves nothing behind (which the sanitizers see), and works again when there is memory.
 */
#include "check.h"

#include <unistd.h>

#include <okra/model_file.h>

#include "io/safetensors.h"
#include "json_events.h"

/* ---- memory that ends ---------------------------------------------------------------------------------------- */

static size_t until_failure; /* allocations; 0: none fails */

static bool fails(void) { return until_failure > 0 && --until_failure == 0; }

#define FAILING(name, parameters, arguments) \
    void *__real_##name parameters;          \
    void *__wrap_##name parameters;          \
    void *__wrap_##name parameters { return fails() ? NULL : __real_##name arguments; }
FAILING(malloc, (size_t n), (n))
FAILING(calloc, (size_t n, size_t m), (n, m))
FAILING(realloc, (void *p, size_t n), (p, n))
FAILING(reallocarray, (void *p, size_t n, size_t m), (p, n, m))
FAILING(aligned_alloc, (size_t a, size_t n), (a, n))
FAILING(strdup, (const char *text), (text))

/* What is tried while memory fails: 0 where it went well. `more` is its own. */
typedef okra_status act(void *more);

/* Each allocation fails once; of very many, which are the numbers of an array, some. Returns about how many there are.
 */
static size_t fail_each_allocation(const char *name, act *tried, void *more)
{
    for (size_t n = 1;; n += n < 300 ? 1 : 37) {
        until_failure = n;
        okra_status status = tried(more);
        bool met = until_failure == 0;
        until_failure = 0;
        if (!met) {
            assert_ok(status);
            return n - 1;
        }
        if (status != OKRA_E_MEMORY)
            fail_msg("%s: allocation %zu fails, and it says: %s", name, n, okra_strerror(status));
    }
}

/* ---- a model of every recipe --------------------------------------------------------------------------------- */

static okra_spec small_spec(const char *recipe, int precision)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, recipe, 2, 1));
    spec.target_lags = 1, spec.scale = OKRA_SCALE_AUTO, spec.precision = precision;
    if (spec.features)
        spec.features = 8;
    if (spec.capacity)
        spec.capacity = 6;
    return spec;
}

static void learn(okra_filter *model, size_t rows)
{
    okra_random random = {.seed = 4};
    for (size_t t = 0; t < rows; t++) {
        double x[3], yhat;
        float xf[3], yhatf;
        okra_random_normal(&random, 3, x);
        for (size_t i = 0; i < 3; i++)
            xf[i] = (float)x[i];
        if (okra_get_spec(model)->precision == OKRA_F32)
            okra_step_f32(model, xf, xf + 2, 1, &yhatf, NULL);
        else
            okra_step(model, x, x + 2, 1, &yhat, NULL);
    }
}

typedef struct fixture {
    okra_spec spec;
    okra_filter *model;
    okra_metadata *metadata;
    unsigned char *bytes; /* of its file */
    size_t size;
    char *json;
} fixture;

static void make_bed(fixture *b, const char *recipe, int precision)
{
    *b = (fixture){.spec = small_spec(recipe, precision)};
    assert_ok(okra_create(&b->spec, &b->model));
    learn(b->model, 40);
    assert_ok(
        okra_metadata_set(&b->metadata, "colour", "blau \"und\" gr\xc3\xbcn\n\\ und lila, schwarz, weiss und rosa"));
    assert_ok(okra_pack(b->model, b->metadata, &b->bytes, &b->size, NULL));
    assert_ok(okra_export(b->bytes, b->size, 0, &b->json, NULL));
}

static void free_bed(fixture *b)
{
    okra_free(b->model);
    okra_metadata_free(b->metadata);
    free(b->bytes);
    free(b->json);
}

/* In one precision or the other. */
static void for_every_recipe(void (*check)(fixture *b))
{
    for (size_t r = 0; okra_recipe_at(r); r++) {
        fixture b;
        make_bed(&b, okra_recipe_at(r)->name, r % 2 ? OKRA_F32 : OKRA_F64);
        check(&b);
        free_bed(&b);
    }
}

/* ---- every allocation ---------------------------------------------------------------------------------------- */

static okra_status try_create(void *more)
{
    okra_filter *filter = (okra_filter *)more;
    okra_status status = okra_create(okra_get_spec(((fixture *)more)->model), &filter);
    if (status)
        assert_null(filter);
    okra_free(filter);
    return status;
}

static okra_status try_clone(void *more)
{
    okra_filter *twin = (okra_filter *)more;
    okra_status status = okra_clone(((fixture *)more)->model, &twin);
    if (status)
        assert_null(twin);
    okra_free(twin);
    return status;
}

static okra_status try_model_create(void *more)
{
    okra_filter *model = (okra_filter *)more;
    okra_status status = okra_create(&((fixture *)more)->spec, &model);
    if (status)
        assert_null(model);
    okra_free(model);
    return status;
}

static okra_status try_pack(void *more)
{
    const fixture *b = more;
    unsigned char *bytes = NULL;
    size_t size;
    okra_status status = okra_pack(b->model, b->metadata, &bytes, &size, NULL);
    if (!status) {
        assert_int_equal(size, b->size);
        assert_memory_equal(bytes, b->bytes, size);
    }
    free(bytes);
    return status;
}

/* What was loaded is all that was saved. */
static void assert_is_file(const fixture *b, const okra_filter *model, const okra_metadata *metadata)
{
    unsigned char *bytes;
    size_t size, left = until_failure;
    until_failure = 0;
    assert_ok(okra_pack(model, metadata, &bytes, &size, NULL));
    if (size != b->size || memcmp(bytes, b->bytes, size) != 0)
        fail_msg("%s: what was loaded is not what was saved", b->spec.recipe);
    free(bytes);
    until_failure = left;
}

static okra_status try_unpack(void *more)
{
    const fixture *b = more;
    okra_filter *model = (okra_filter *)more;
    okra_metadata *metadata = (okra_metadata *)more;
    okra_message why = {""};
    okra_status status = okra_unpack(b->bytes, b->size, 0, &model, &metadata, &why);
    if (status) {
        assert_null(model);
        assert_null(metadata);
        assert_non_null(strstr(why.text, "memory"));
    } else {
        assert_is_file(b, model, metadata);
    }
    okra_free(model);
    okra_metadata_free(metadata);
    return status;
}

static okra_status try_metadata(void *more)
{
    const fixture *b = more;
    okra_metadata *metadata = NULL;
    okra_status status = okra_read_header(b->bytes, b->size, &metadata, NULL);
    okra_metadata_free(metadata);
    return status;
}

static okra_status try_export(void *more)
{
    const fixture *b = more;
    char *json = NULL;
    okra_status status = okra_export(b->bytes, b->size, 0, &json, NULL);
    if (!status)
        assert_string_equal(json, b->json);
    free(json);
    return status;
}

static okra_status try_import(void *more)
{
    const fixture *b = more;
    unsigned char *bytes = NULL;
    size_t size;
    okra_status status = okra_import(b->json, strlen(b->json), 0, &bytes, &size, NULL);
    if (!status) {
        assert_int_equal(size, b->size);
        assert_memory_equal(bytes, b->bytes, size);
    }
    free(bytes);
    return status;
}

static void fail_each_allocation_of(fixture *b)
{
    const struct {
        const char *name;
        act *tried;
        size_t min; /* allocations: or the count does not count */
    } acts[] = {{"create", try_create, 1},  {"clone", try_clone, 1},    {"model_create", try_model_create, 1},
                {"pack", try_pack, 20},     {"unpack", try_unpack, 20}, {"metadata", try_metadata, 20},
                {"export", try_export, 20}, {"import", try_import, 40}};
    for (size_t i = 0; i < COUNT_OF(acts); i++) {
        char name[128];
        snprintf(name, sizeof name, "%s f%d, %s", b->spec.recipe, b->spec.precision, acts[i].name);
        assert_true(fail_each_allocation(name, acts[i].tried, b) >= acts[i].min);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for_every_recipe(fail_each_allocation_of);
}

/* A note that could not be set leaves the others, and its own old value. */
static okra_status try_notes(void *more)
{
    okra_metadata *metadata = NULL;
    okra_status status = OKRA_OK;
    for (int i = 0; i < 40 && !status; i++) {
        char key[16];
        snprintf(key, sizeof key, "key%d", i % 30);
        const char *old = okra_metadata_get(metadata, key), *value = i % 2 ? "odd" : "even";
        char before[8];
        snprintf(before, sizeof before, "%s", old ? old : "");
        status = okra_metadata_set(&metadata, key, value);
        const char *now = okra_metadata_get(metadata, key);
        assert_string_equal(now ? now : "", status ? before : value);
    }
    okra_metadata_free(metadata);
    (void)more;
    return status;
}

static void notes_may_find_no_memory(void **state)
{
    (void)state;
    assert_true(fail_each_allocation("metadata", try_notes, NULL) > 45);
}

/* ---- text that is not UTF-8 ---------------------------------------------------------------------------------- */

static void notes_are_utf8(void **state)
{
    (void)state;
    static const char *const good[] = {"",
                                       "a",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf8\x88\x80\x80\x80",
                                      "a\xff",
                                      "\xe2\x82"};
    okra_metadata *metadata = NULL;
    for (size_t i = 0; i < COUNT_OF(good); i++)
        assert_ok(okra_metadata_set(&metadata, good[i], good[i]));
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_status(okra_metadata_set(&metadata, bad[i], "value"), OKRA_E_PARAMETER);
        assert_status(okra_metadata_set(&metadata, "key", bad[i]), OKRA_E_PARAMETER);
    }
    okra_metadata_free(metadata);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

static void assert_read_as_jansson(const char *text, size_t length, bool reals)
{
    if (!json_is_as_jansson(text, length, reals))
        fail_msg("not what jansson reads: %.*s", (int)length, text);
}

static void json_is_read_as_jansson_reads_it(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        " [ ] ",
        "",
        " ",
        "{",
        "[",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{a:1}",
        "{\"a\":1}}",
        "{\"a\":{\"b\":[true,false,null,\"\"]}}",
        "[tru]",
        "[nullx]",
        "[1.5,-0,-0.0,1e5,1E-5,0.1e+3]",
        "[01]",
        "[-]",
        "[1.]",
        "[.5]",
        "[1e]",
        "[+1]",
        "[1e400]",
        "[1e-400]",
        "[9223372036854775807]",
        "[9223372036854775808]",
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
        "[\"\\x\"]",
        "[\"\\u0041\\u00e9\\u20AC\"]",
        "[\"\\ud83d\\ude00\"]",
        "[\"\\ud83d\"]",
        "[\"\\uDBFF\\uDFFF\\ud800\\udc00x\"]",
        "[\"\\ud83d\\u0041\"]",
        "[\"\\ud83d\\n\"]",
        "[\"\\ude00\\ud83d\"]",
        "[\"\\ud83d\\ud83d\"]",
        "1 ",
        "\"a\"",
        "null",
        "[\"\\u0000\"]",
        "[\"\\u12\"]",
        "[\"\\u12G4\"]",
        "[\"a\nb\"]",
        "[\"\xc3\xa9\"]",
        "[\"\xc3\"]",
        "[\"\xed\xa0\x80\"]",
        "[\"open]",
        "[\"open\\",
        "{\"a\":1,\"a\":2}",
        "{\"\":1}",
        "[1]x",
        "\t[\r\n1 , 2 ]\n",
        "[NaN]",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int reals = 0; reals < 2; reals++)
            assert_read_as_jansson(texts[i], strlen(texts[i]), reals);
}

static void change_letters(fixture *b)
{
    static const char others[] = "\"\\,:{}[]0-.e \n\x01\x80u";
    size_t length = strlen(b->json);
    assert_read_as_jansson(b->json, length, true);
    for (size_t i = 0; i < length; i += length / 300 | 1) {
        char old = b->json[i];
        b->json[i] = others[i % (sizeof others - 1)];
        assert_read_as_jansson(b->json, length, i % 2);
        b->json[i] = old;
    }
}

static void so_is_json_with_faults(void **state)
{
    (void)state;
    for_every_recipe(change_letters);
}

/* ---- files that broke ---------------------------------------------------------------------------------------- */

static void assert_refused(const unsigned char *bytes, size_t size)
{
    okra_filter *model;
    okra_message why = {""};
    assert_status(okra_unpack(bytes, size, 0, &model, NULL, &why), OKRA_E_FORMAT);
    assert_true(why.text[0] && !strchr(why.text, '\n'));
}

/* Now and then in memory of just that length, so that a read beyond is seen. */
static void cut_everywhere(fixture *b)
{
    for (size_t size = 0; size < b->size; size++) {
        assert_refused(b->bytes, size);
        if (size % 64 != 1)
            continue;
        unsigned char *part = malloc(size);
        assert_non_null(part);
        memcpy(part, b->bytes, size);
        assert_refused(part, size);
        free(part);
    }
}

static void any_file_cut_short_is_refused(void **state)
{
    (void)state;
    for_every_recipe(cut_everywhere);
}

/* A model that may have been made of anything, but was found valid: it goes on, and is saved, or says why not. */
static void use(okra_filter *model)
{
    unsigned char *bytes = NULL;
    size_t size;
    learn(model, 3);
    okra_pack(model, NULL, &bytes, &size, NULL);
    free(bytes);
}

static size_t flips, refused;

/* One bit wrong: noticed by the checksum. With a checksum made to fit, it is refused for what it says, or is valid. */
static void flip_bits(fixture *b)
{
    size_t bits = 8 * b->size, step = bits / 400 | 1;
    for (size_t bit = 0; bit < bits; bit += step, flips++) {
        okra_filter *model;
        okra_message why = {""};
        b->bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_refused(b->bytes, b->size);
        unsigned char *forged = malloc(b->size);
        assert_non_null(forged);
        memcpy(forged, b->bytes, b->size);
        if (okra_safetensors_sign(forged, b->size)) {
            okra_status status = okra_unpack(forged, b->size, 0, &model, NULL, &why);
            refused += status != OKRA_OK;
            if (status)
                assert_true(status == OKRA_E_FORMAT && why.text[0] && !strchr(why.text, '\n'));
            else
                use(model);
            okra_free(model);
        }
        free(forged);
        b->bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

static void a_wrong_bit_is_noticed(void **state)
{
    (void)state;
    for_every_recipe(flip_bits);
    print_message("%zu bits flipped: each noticed; with a checksum made to fit, %zu refused, the others valid\n", flips,
                  refused);
    assert_true(flips > 5000 && refused > 0 && refused < flips);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(notes_may_find_no_memory),
        cmocka_unit_test(json_is_read_as_jansson_reads_it),
        cmocka_unit_test(so_is_json_with_faults),
        cmocka_unit_test(notes_are_utf8),
        cmocka_unit_test(any_file_cut_short_is_refused),
        cmocka_unit_test(a_wrong_bit_is_noticed),
    };
    return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
