/*
 * Model files: what is saved goes on as if it had never stopped, and nothing but a whole, unaltered model file is
 * loaded.
 */
#include "check.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <okra/io.h>
#include <okra/model_file.h>

#include "io/checksum.h"
#include "io/safetensors.h"

/* The tests work here. */
static char folder[] = "/tmp/okra-model-file-XXXXXX";

/* ---- models and streams -------------------------------------------------------------------------------------- */

enum { TARGETS = 2, INPUTS_MOST = 2 };

typedef struct file {
    unsigned char *bytes;
    size_t size;
} file;

static file pack(const okra_model *model, const okra_notes *notes)
{
    file f;
    okra_message why = {""};
    if (okra_model_pack(model, notes, &f.bytes, &f.size, &why))
        fail_msg("%s", why.text);
    return f;
}

static okra_model *unpack(const file *f)
{
    okra_model *model;
    okra_message why = {""};
    if (okra_model_unpack(f->bytes, f->size, &model, NULL, &why))
        fail_msg("%s", why.text);
    return model;
}

static void assert_same_file(const file *a, const file *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static okra_model_spec small_spec(const char *recipe, int precision)
{
    okra_model_spec spec;
    assert_ok(okra_model_spec_init(&spec, recipe, 2, TARGETS));
    spec.filter.precision = precision;
    if (spec.filter.features)
        spec.filter.features = 14;
    if (spec.filter.capacity)
        spec.filter.capacity = 21;
    return spec;
}

static okra_model *make_model(const okra_model_spec *spec)
{
    okra_model *model;
    okra_message why = {""};
    if (okra_model_spec_check(spec, &why))
        fail_msg("%s", why.text);
    assert_ok(okra_model_create(spec, &model));
    return model;
}

/* A number of row t, column c: smooth and noisy, sometimes large, sometimes missing. */
static double value(uint64_t t, uint32_t c, bool may_miss)
{
    double z;
    okra_random random = {.seed = 5, .stream = c, .next = t};
    okra_random_normal(&random, 1, &z);
    if (may_miss && t % 37 == 11 + c)
        return (double)NAN;
    return sin(0.1 * (double)t + c) + 0.3 * z + (t % 97 == 50 ? 40 * z : 0);
}

/* One row; yhat[TARGETS] as doubles, which hold floats too. */
static okra_status take_row(okra_model *model, uint64_t t, double *yhat)
{
    bool f32 = okra_model_get_spec(model)->filter.precision == OKRA_F32;
    double u[INPUTS_MOST], y[TARGETS], weight = t % 10 == 3 ? 0.5 : 1;
    float uf[INPUTS_MOST], yf[TARGETS], yhatf[TARGETS];
    for (uint32_t c = 0; c < INPUTS_MOST; c++)
        uf[c] = (float)(u[c] = value(t, c, true));
    for (uint32_t c = 0; c < TARGETS; c++)
        yf[c] = (float)(y[c] = value(t, 2 + c, true));
    if (t % 53 == 20) {
        yhat[0] = yhat[1] = 0;
        return okra_model_skip(model);
    }
    if (!f32)
        return okra_model_step(model, u, y, weight, yhat);
    okra_status status = okra_model_step_f32(model, uf, yf, (float)weight, yhatf);
    for (size_t c = 0; c < TARGETS; c++)
        yhat[c] = (double)yhatf[c];
    return status;
}

static void take_rows(okra_model *model, uint64_t from, uint64_t to)
{
    double yhat[TARGETS];
    for (uint64_t t = from; t < to; t++)
        take_row(model, t, yhat);
}

/* ---- going on ------------------------------------------------------------------------------------------------ */

/* The loaded model and the one that never stopped give the same predictions and end in the same file. */
static void assert_goes_on(okra_model *model, uint64_t from, uint64_t rows)
{
    file before = pack(model, NULL);
    okra_model *loaded = unpack(&before);
    file again = pack(loaded, NULL);
    assert_same_file(&before, &again);
    for (uint64_t t = from; t < from + rows; t++) {
        double a[TARGETS] = {0}, b[TARGETS] = {0}; /* a model may have fewer */
        assert_status(take_row(model, t, a), take_row(loaded, t, b));
        if (memcmp(a, b, sizeof a) != 0)
            fail_msg("%s f%d stopped at row %llu: row %llu differs: %.17g, %.17g",
                     okra_model_get_spec(model)->filter.recipe, okra_model_get_spec(model)->filter.precision,
                     (unsigned long long)from, (unsigned long long)t, a[0], b[0]);
    }
    file end = pack(model, NULL), loaded_end = pack(loaded, NULL);
    assert_same_file(&end, &loaded_end);
    free(before.bytes), free(again.bytes), free(end.bytes), free(loaded_end.bytes);
    okra_model_free(loaded);
}

static void assert_goes_on_from(const okra_model_spec *spec, const uint64_t *stops, size_t n_stops)
{
    for (size_t i = 0; i < n_stops; i++) {
        okra_model *model = make_model(spec);
        take_rows(model, 0, stops[i]);
        assert_goes_on(model, stops[i], 200);
        okra_model_free(model);
    }
}

/* For every recipe in both precisions. */
static void for_each_model(void (*check)(okra_model_spec *spec))
{
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (int bits = 32; bits <= 64; bits += 32) {
            okra_model_spec spec = small_spec(okra_recipe_at(r)->name, bits);
            check(&spec);
        }
}

static void check_plain(okra_model_spec *spec)
{
    static const uint64_t stops[] = {0, 1, 5, 60, 333};
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

/* Every map, its arrays and its widths. */
static void every_map_goes_on(void **state)
{
    (void)state;
    static const uint64_t stops[] = {0, 60};
    const okra_param *map = okra_param_at(0);
    assert_string_equal(map->name, "map");
    for (const okra_choice *choice = map->choices; choice->name; choice++)
        for (int bits = 32; bits <= 64; bits += 32) {
            okra_model_spec spec = small_spec("rff-nlms", bits);
            spec.filter.map = choice->value, spec.filter.features = 22;
            spec.filter.sigma_more[0] = 0.3, spec.filter.sigma_more[1] = 7;
            assert_goes_on_from(&spec, stops, COUNT_OF(stops));
            okra_spec_init(&spec.filter, "rff-klms", spec.filter.inputs); /* theta in halves, where it is paired */
            spec.filter.map = choice->value, spec.filter.features = 22, spec.filter.precision = bits;
            spec.filter.mu = 0.01;
            assert_goes_on_from(&spec, stops, COUNT_OF(stops));
        }
}

static void check_embedded(okra_model_spec *spec)
{
    static const uint64_t stops[] = {0, 3, 9, 100};
    spec->lags = 3, spec->lag_from = 1, spec->target_lags = 2, spec->horizon = 4;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

static void check_warming(okra_model_spec *spec)
{
    static const uint64_t stops[] = {0, 7, 15, 16, 17, 40, 64, 99, 100, 101, 150};
    spec->warmup = 100, spec->scale = OKRA_SCALE_AUTO, spec->lags = 2, spec->horizon = 3;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

static void check_automatic_width(okra_model_spec *spec)
{
    static const uint64_t stops[] = {0, 10, 16, 63, 64, 65, 100, 130};
    if (!(spec->filter.sigma > 0))
        return;
    spec->warmup = 100, spec->filter.sigma = OKRA_SIGMA_AUTO;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
    spec->scale = OKRA_SCALE_AUTO, spec->target_lags = 2;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

/* Forgetting with its cyclic regularisation, and the other kernel. */
static void check_variants(okra_model_spec *spec)
{
    static const uint64_t stops[] = {7, 100};
    if (spec->filter.beta > 0)
        spec->filter.beta = 0.97;
    if (spec->filter.kernel)
        spec->filter.kernel = OKRA_LAPLACIAN;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

/* A dictionary that lets its oldest centres go, when large ones have come and gone. */
static void check_oldest(okra_model_spec *spec)
{
    static const uint64_t stops[] = {30, 51, 60, 90, 150, 333};
    spec->filter.when_full = OKRA_FULL_OLDEST;
    okra_spec alone = spec->filter;
    if (!spec->filter.capacity || okra_spec_check(&alone, NULL))
        return;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

static void plain_models_go_on(void **state)
{
    (void)state;
    for_each_model(check_plain);
}

static void embedded_models_go_on(void **state)
{
    (void)state;
    for_each_model(check_embedded);
}

static void warming_models_go_on(void **state)
{
    (void)state;
    for_each_model(check_warming);
}

static void automatic_widths_go_on(void **state)
{
    (void)state;
    for_each_model(check_automatic_width);
}

static void full_dictionaries_go_on(void **state)
{
    (void)state;
    for_each_model(check_oldest);
}

static void variants_go_on(void **state)
{
    (void)state;
    for_each_model(check_variants);
}

/* One row of the stream below: as good as constant, then far beyond what the format can scale, then at its very ends.
 */
static float extreme(uint64_t t)
{
    static const float ends[] = {3e38f, -3e38f, 1e-45f, -0.0f};
    return t < 40 ? 1 + 1e-7f * (float)(t % 3) : t < 80 ? 1e33f * (float)t : ends[t % 4];
}

static void extreme_streams_go_on(void **state)
{
    (void)state;
    for (uint64_t from = 0; from < 100; from += 40)
        for (uint64_t stop = 1; stop < 100; stop++) {
            okra_model_spec spec = small_spec("rff-klms", OKRA_F32);
            spec.inputs = 1, spec.filter.outputs = 1, spec.horizon = 2, spec.scale = OKRA_SCALE_AUTO, spec.warmup = 30;
            okra_model *model = make_model(&spec);
            for (uint64_t t = from; t < from + stop; t++) {
                float u = extreme(t);
                okra_model_step_f32(model, &u, &u, 1, NULL);
            }
            file f = pack(model, NULL);
            okra_model *loaded = unpack(&f);
            okra_model_free(model), okra_model_free(loaded);
            free(f.bytes);
        }
}

/* Frequencies that were given are state, not spec; with an automatic width, which then means nothing, too. */
static void given_frequencies_go_on(void **state)
{
    (void)state;
    double omega[14 * 2], phase[14];
    for (size_t i = 0; i < COUNT_OF(omega); i++)
        omega[i] = 0.1 * (double)i;
    for (size_t i = 0; i < COUNT_OF(phase); i++)
        phase[i] = (double)i;
    for (int automatic = 0; automatic < 2; automatic++) {
        okra_model_spec spec = small_spec("rff-klms", OKRA_F64);
        spec.filter.omega = omega, spec.filter.phase = phase;
        if (automatic)
            spec.filter.sigma = OKRA_SIGMA_AUTO, spec.scale = OKRA_SCALE_AUTO, spec.warmup = 20;
        static const uint64_t stops[] = {0, 10, 16, 50};
        assert_goes_on_from(&spec, stops, COUNT_OF(stops));
    }
}

static void saving_changes_nothing(void **state)
{
    (void)state;
    okra_model_spec spec = small_spec("rff-krls", OKRA_F64);
    spec.filter.sigma = OKRA_SIGMA_AUTO, spec.warmup = 50;
    okra_model *saved = make_model(&spec), *left = make_model(&spec);
    for (uint64_t t = 0; t < 120; t++) {
        take_rows(saved, t, t + 1);
        take_rows(left, t, t + 1);
        file f = pack(saved, NULL);
        free(f.bytes);
    }
    file a = pack(saved, NULL), b = pack(left, NULL);
    assert_same_file(&a, &b);
    free(a.bytes), free(b.bytes);
    okra_model_free(saved), okra_model_free(left);
}

/* A reset model is a new one, a loaded one too: an automatic width is automatic again. */
static void a_loaded_model_resets_as_the_saved_one(void **state)
{
    (void)state;
    okra_model_spec spec = small_spec("klms", OKRA_F64);
    spec.filter.sigma = OKRA_SIGMA_AUTO, spec.warmup = 50;
    okra_model *model = make_model(&spec);
    file fresh = pack(model, NULL);
    take_rows(model, 0, 80);
    file f = pack(model, NULL);
    okra_model *loaded = unpack(&f);
    assert_true(okra_model_get_spec(loaded)->filter.sigma > 0);
    assert_ok(okra_model_reset(loaded));
    file reset = pack(loaded, NULL);
    assert_same_file(&fresh, &reset);
    free(fresh.bytes), free(f.bytes), free(reset.bytes);
    okra_model_free(model), okra_model_free(loaded);
}

/* ---- notes --------------------------------------------------------------------------------------------------- */

static void notes_keep_their_order_and_text(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"columns", "Zeit,\"T\",\\u00e4"}, {"", ""}, {"Grad °C", "Temperatur\nin °C\t\x01"}, {"rows", "12"}};
    okra_notes *notes, *loaded;
    okra_model_spec spec = small_spec("lms", OKRA_F64);
    okra_model *model = make_model(&spec), *twin;
    assert_ok(okra_notes_create(&notes));
    assert_ok(okra_notes_set(notes, "rows", "11"));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_ok(okra_notes_set(notes, texts[i][0], texts[i][1]));
    file f = pack(model, notes);
    assert_ok(okra_model_unpack(f.bytes, f.size, &twin, &loaded, NULL));
    const char *key, *text;
    assert_true(okra_notes_at(loaded, 0, &key, &text)); /* where it was first set */
    assert_string_equal(key, "rows");
    assert_string_equal(text, "12");
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_string_equal(okra_notes_get(loaded, texts[i][0]), texts[i][1]);
    assert_true(okra_notes_at(loaded, 3, &key, NULL));
    assert_string_equal(key, "Grad °C");
    assert_false(okra_notes_at(loaded, 4, &key, &text));
    assert_null(okra_notes_get(loaded, "nothing"));
    free(f.bytes);
    okra_notes_free(notes), okra_notes_free(loaded);
    okra_model_free(model), okra_model_free(twin);
}

static void notes_are_utf8(void **state)
{
    (void)state;
    okra_notes *notes;
    assert_ok(okra_notes_create(&notes));
    assert_status(okra_notes_set(notes, "column",
                                 "\xb0"
                                 "C"),
                  OKRA_E_PARAMETER);
    assert_status(okra_notes_set(notes, "\xff", "x"), OKRA_E_PARAMETER);
    assert_status(okra_notes_set(notes, NULL, "x"), OKRA_E_NULL);
    assert_false(okra_notes_at(notes, 0, NULL, NULL));
    assert_null(okra_notes_get(NULL, "x"));
    okra_notes_free(notes);
    okra_notes_free(NULL);
}

/* ---- damage -------------------------------------------------------------------------------------------------- */

static void assert_refused(const file *f, okra_status status, const char *part)
{
    okra_model *model = (okra_model *)1;
    okra_notes *notes = (okra_notes *)1;
    okra_message why = {""};
    assert_status(okra_model_unpack(f->bytes, f->size, &model, &notes, &why), status);
    assert_null(model);
    assert_null(notes);
    if (!strstr(why.text, part) || strchr(why.text, '\n'))
        fail_msg("no '%s' in: %s", part, why.text);
}

static file small_file(const char *recipe, int precision)
{
    okra_model_spec spec = small_spec(recipe, precision);
    if (spec.filter.features)
        spec.filter.features = 3;
    if (spec.filter.capacity)
        spec.filter.capacity = 4;
    spec.horizon = 2;
    okra_model *model = make_model(&spec);
    take_rows(model, 0, 10);
    file f = pack(model, NULL);
    okra_model_free(model);
    return f;
}

static void any_altered_byte_is_refused(void **state)
{
    (void)state;
    static const unsigned char changes[] = {0x01, 0x20, 0x80, 0xff};
    file f = small_file("rff-klms", OKRA_F32);
    okra_model *model;
    for (size_t i = 0; i < f.size; i++)
        for (size_t k = 0; k < sizeof changes; k++) {
            f.bytes[i] ^= changes[k];
            if (okra_model_unpack(f.bytes, f.size, &model, NULL, NULL) != OKRA_E_FORMAT)
                fail_msg("byte %zu ^ %#x is not noticed", i, changes[k]);
            f.bytes[i] ^= changes[k];
        }
    f.bytes[f.size - 1] ^= 1;
    assert_refused(&f, OKRA_E_FORMAT, "altered since it was saved");
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
        assert_refused(&cut, OKRA_E_FORMAT, size > 8 ? "truncated" : "not a model file");
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
    assert_refused(&f, OKRA_E_FORMAT, "3 bytes too long");
    free(f.bytes);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    char csv[] = "x1,x2,y\n1,2,3\n4,5,6\n";
    char other[] = "\x4a\0\0\0\0\0\0\0{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[0],"
                   "\"data_offsets\":[0,0]}}";
    assert_refused(&(file){(unsigned char *)csv, sizeof csv - 1}, OKRA_E_FORMAT, "not a model file");
    assert_refused(&(file){(unsigned char *)other, sizeof other - 1}, OKRA_E_FORMAT, "not a model file");
    assert_status(okra_model_unpack(NULL, 0, NULL, NULL, NULL), OKRA_E_NULL);
    assert_status(okra_model_pack(NULL, NULL, NULL, NULL, NULL), OKRA_E_NULL);
}

/* ---- forgeries: a header that was edited, with a checksum that fits ------------------------------------------- */

/* The file with the first `old` of its header replaced. The caller frees it. */
static file forge(const file *f, const char *old, const char *new)
{
    size_t length = 0;
    for (int k = 0; k < 8; k++)
        length |= (size_t)f->bytes[k] << 8 * k;
    char *header = strndup((const char *)f->bytes + 8, length), *at = strstr(header, old);
    if (!at)
        fail_msg("no %s in %s", old, header);
    size_t before = (size_t)(at - header), after = length - before - strlen(old);
    size_t new_length = before + strlen(new) + after, data = f->size - 8 - length;
    file forged = {malloc(8 + new_length + data), 8 + new_length + data};
    for (int k = 0; k < 8; k++)
        forged.bytes[k] = (unsigned char)(new_length >> 8 * k);
    memcpy(forged.bytes + 8, header, before);
    memcpy(forged.bytes + 8 + before, new, strlen(new));
    memcpy(forged.bytes + 8 + before + strlen(new), at + strlen(old), after);
    memcpy(forged.bytes + 8 + new_length, f->bytes + 8 + length, data);
    assert_true(okra_safetensors_sign(forged.bytes, forged.size));
    free(header);
    return forged;
}

typedef struct forgery {
    const char *recipe, *old, *new, *part;
} forgery;

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
    {"rff-klms", "\"mu\":\"0.5\",", "", "does not say mu"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"-0.5\"", "mu = -0.5 is out of range"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"fast\"", "'fast' is not a number"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"0.5\",\"epsilon\":\"0.1\"", "rff-klms has no parameter 'epsilon'"},
    {"rff-klms", "\"mu\":\"0.5\"", "\"mu\":\"0.5\",\"mu\":\"0.5\"", "duplicate"},
    {"rff-klms", "\"features\":\"3\"", "\"features\":\"0\"", "features = 0 is out of range"},
    {"rff-klms", "\"features\":\"3\"", "\"features\":\"4\"", "is 2 x 3 and should be 2 x 4"},
    {"rff-klms", "\"features\":\"3\"", "\"features\":\"1000000000\"", "of memory, which"},
    {"rff-klms", "\"precision\":\"f64\"", "\"precision\":\"f32\"", "of type F64 in a model of precision f32"},
    {"rff-klms", "\"precision\":\"f64\"", "\"precision\":\"f16\"", "'f16' is none of"},
    {"rff-klms", "\"sigma_auto\":\"no\"", "\"sigma_auto\":\"maybe\"", "sigma_auto is 'maybe'"},
    {"rff-klms", "\"sigma_auto\":\"no\",", "", "does not say sigma_auto"},
    {"rff-klms", "\"sigma\":\"1\"", "\"sigma\":\"auto\"", "with a sigma of 'auto'"},
    {"lms", "\"scale\":\"none\"", "\"scale\":\"none\",\"sigma_auto\":\"no\"", "no parameter 'sigma_auto'"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"3\"", "should be"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"two\"", "inputs is 'two', not a count"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"02\"", "inputs is '02', not a count"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"-2\"", "not a count"},
    {"rff-klms", "\"inputs\":\"2\"", "\"inputs\":\"99999999999999999999\"", "not a count"},
    {"rff-klms", "\"targets\":\"2\"", "\"targets\":\"0\"", "out of range"},
    {"rff-klms", "\"horizon\":\"2\"", "\"horizon\":\"0\"", "horizon = 0 is out of range"},
    {"rff-klms", "\"horizon\":\"2\"", "\"horizon\":\"18446744073709551615\"", "out of range"},
    {"rff-klms", "\"lags\":\"1\"", "\"lags\":\"16000000\"", "of memory, which"},
    {"rff-klms", "\"scale\":\"none\"", "\"scale\":\"log\"", "scale is 'log'"},
    {"rff-klms", "\"scale\":\"none\"", "\"scale\":\"auto\"", "array 'scale.mean' is missing"},
    {"rff-klms", "\"counter.rows\":\"10\"", "\"counter.rows\":\"-1\"", "counter.rows is '-1', not a count"},
    {"rff-klms", "\"counter.rows\":\"10\",", "", "does not say counter.rows"},
    {"rff-klms", "\"counter.rows\":\"10\"", "\"counter.rows\":\"10\",\"counter.frogs\":\"1\"", "counters that this recipe has not"},
    {"klms", "\"counter.centres\":\"4\"", "\"counter.centres\":\"5\"", "counter.centres is 5, and 4 is the most"},
    {"klms", "\"counter.centres\":\"4\"", "\"counter.centres\":\"3\"", "array 'centres' is 4 x 2 and should be 3 x 2"},
    {"klms", "\"capacity\":\"4\"", "\"capacity\":\"1000000000\"", "of memory, which"},
    {"krls", "\"capacity\":\"4\"", "\"capacity\":\"1073741824\"", "memory"},
    {"krls", "\"when-full\":\"stop\"", "\"when-full\":\"oldest\"", "krls cannot"},
    {"klms", "\"alpha\":", "\"omega\":", "array 'alpha' is missing"},
    {"rff-klms", "\"omega\":", "\"theta\":", "duplicate"},
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
    {"rff-klms", "\"theta\":{", "\"theta\":[{", "damaged"},
};
/* clang-format on */

static void forgeries_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(forgeries); i++) {
        file f = small_file(forgeries[i].recipe, OKRA_F64), forged = forge(&f, forgeries[i].old, forgeries[i].new);
        assert_refused(&forged, OKRA_E_FORMAT, forgeries[i].part);
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
    okra_model *model = unpack(&spaced);
    file again = pack(model, NULL);
    assert_same_file(&f, &again);
    okra_model_free(model);
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

static void numbers_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {(double)NAN, (double)INFINITY};
    file f = small_file("rff-krls", OKRA_F64);
    for (size_t k = 0; k < COUNT_OF(bad); k++) {
        memcpy(numbers_of(&f, "theta"), &bad[k], sizeof bad[k]);
        okra_safetensors_sign(f.bytes, f.size);
        assert_refused(&f, OKRA_E_FORMAT, "array 'theta' holds a number that it cannot");
    }
    free(f.bytes);
}

static void a_missing_value_in_the_past_is_allowed(void **state)
{
    (void)state;
    double nan = (double)NAN;
    file f = small_file("rff-krls", OKRA_F64);
    memcpy(numbers_of(&f, "history.inputs"), &nan, sizeof nan);
    okra_safetensors_sign(f.bytes, f.size);
    okra_model *model = unpack(&f);
    file again = pack(model, NULL);
    assert_same_file(&f, &again);
    okra_model_free(model);
    free(f.bytes), free(again.bytes);
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

/* A model that takes much more memory than its arrays do brings the bytes that justify it. */
static void large_empty_models_come_back(void **state)
{
    (void)state;
    okra_model_spec spec = small_spec("klms", OKRA_F64);
    spec.filter.capacity = 1 << 21;
    okra_model *model = make_model(&spec);
    take_rows(model, 0, 20);
    file f = pack(model, NULL);
    assert_in_range(f.size, 1 << 20, 1 << 24);
    okra_model *loaded = unpack(&f);
    file again = pack(loaded, NULL);
    assert_same_file(&f, &again);
    okra_model_free(model), okra_model_free(loaded);
    free(f.bytes), free(again.bytes);
}

static void headers_have_a_limit(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 24 };
    char *text = malloc(LENGTH + 1);
    memset(text, 'x', LENGTH), text[LENGTH] = '\0';
    okra_notes *notes;
    okra_model_spec spec = small_spec("lms", OKRA_F64);
    okra_model *model = make_model(&spec);
    okra_message why;
    file f;
    assert_ok(okra_notes_create(&notes));
    assert_ok(okra_notes_set(notes, "long", text));
    assert_status(okra_model_pack(model, notes, &f.bytes, &f.size, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "shorten them"));
    assert_null(f.bytes);
    okra_notes_free(notes);
    okra_model_free(model);
    free(text);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

static void check_json(okra_model_spec *spec)
{
    spec->scale = OKRA_SCALE_AUTO, spec->warmup = 100, spec->horizon = 2;
    okra_model *model = make_model(spec);
    take_rows(model, 0, 70);
    file f = pack(model, NULL), back;
    char *json;
    okra_message why = {""};
    assert_ok(okra_model_export(f.bytes, f.size, &json, &why));
    if (okra_model_import(json, strlen(json), &back.bytes, &back.size, &why))
        fail_msg("%s: %s", spec->filter.recipe, why.text);
    assert_same_file(&f, &back);
    okra_model_free(model);
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
    okra_model_spec spec = small_spec("lms", OKRA_F64);
    spec.inputs = 1, spec.lags = COUNT_OF(bits);
    okra_model *model = make_model(&spec);
    assert_ok(okra_model_array_write(model, "history.inputs", bits));
    file f = pack(model, NULL), back;
    char *json;
    okra_message why = {""};
    assert_ok(okra_model_export(f.bytes, f.size, &json, NULL));
    assert_non_null(strstr(json, "[\"nan\"]"));
    assert_non_null(strstr(json, "\"nan 0xfff8000000000000\""));
    if (okra_model_import(json, strlen(json), &back.bytes, &back.size, &why))
        fail_msg("%s", why.text);
    assert_same_file(&f, &back);
    okra_model_free(model);
    free(f.bytes), free(back.bytes), free(json);
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
    okra_model_spec spec = small_spec("lms", OKRA_F32);
    spec.inputs = 1, spec.lags = N;
    okra_model *model = make_model(&spec);
    assert_ok(okra_model_array_write(model, "history.inputs", bits));
    file f = pack(model, NULL), back;
    char *json;
    assert_ok(okra_model_export(f.bytes, f.size, &json, NULL));
    assert_ok(okra_model_import(json, strlen(json), &back.bytes, &back.size, NULL));
    assert_same_file(&f, &back);
    okra_model_free(model);
    free(f.bytes), free(back.bytes), free(json), free(bits);
}

/* JSON that was edited: `old` replaced by `new` in what a small model exports. */
static void assert_json_refused(const char *old, const char *new, const char *part)
{
    file f = small_file("rff-klms", OKRA_F32), back;
    char *json, *edited;
    size_t length;
    okra_message why = {""};
    assert_ok(okra_model_export(f.bytes, f.size, &json, NULL));
    char *at = strstr(json, old);
    if (!at)
        fail_msg("no %s in %s", old, json);
    FILE *out = open_memstream(&edited, &length);
    fprintf(out, "%.*s%s%s", (int)(at - json), json, new, at + strlen(old));
    fclose(out);
    okra_status status = okra_model_import(edited, length, &back.bytes, &back.size, &why);
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
    assert_json_refused("\"mu\": \"0.5\"", "\"mu\": \"0.5\",", "line 1");
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
        assert_status(okra_model_import(text, strlen(text), &back.bytes, &back.size, &why), OKRA_E_FORMAT);
        if (!strstr(why.text, "array 'a', row 1, column 1, is no F32 number"))
            fail_msg("%s: %s", bad[i], why.text);
    }
}

/* ---- locale -------------------------------------------------------------------------------------------------- */

static void decimal_commas_stay_out(void **state)
{
    (void)state;
    setenv("LOCPATH", folder, 1);
    bool built = system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null; test -d de_DE.UTF-8") == 0;
    bool set = built && setlocale(LC_ALL, "de_DE.UTF-8");
    assert_int_equal(system("rm -rf de_DE.UTF-8"), 0);
    if (!set)
        skip(); /* the system has not the means */
    file f = small_file("rff-klms", OKRA_F64);
    okra_model *model = unpack(&f);
    assert_near(okra_model_get_spec(model)->filter.mu, 0.5, 0);
    setlocale(LC_ALL, "C");
    file c = small_file("rff-klms", OKRA_F64);
    assert_same_file(&f, &c);
    okra_model_free(model);
    free(f.bytes), free(c.bytes);
}

/* ---- on the disk --------------------------------------------------------------------------------------------- */

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static okra_model *trained(uint64_t rows)
{
    okra_model_spec spec = small_spec("rff-klms", OKRA_F64);
    okra_model *model = make_model(&spec);
    take_rows(model, 0, rows);
    return model;
}

/* Nothing but the files named is in the folder. */
static void assert_files(const char *wanted)
{
    char names[256] = "";
    FILE *list = popen("ls -A | tr '\\n' ' '", "r");
    assert_non_null(list);
    assert_non_null(fgets(names, sizeof names, list));
    pclose(list);
    assert_string_equal(names, wanted);
}

static void saved_files_are_the_packed_bytes(void **state)
{
    (void)state;
    okra_model *model = trained(50), *loaded;
    file packed = pack(model, NULL), read;
    assert_ok(okra_model_save(model, "a.okra", NULL, NULL));
    assert_ok(okra_file_load("a.okra", &read.bytes, &read.size, NULL));
    assert_same_file(&packed, &read);
    assert_ok(okra_model_load("a.okra", &loaded, NULL, NULL));
    assert_files("a.okra ");
    assert_int_equal(unlink("a.okra"), 0);
    okra_model_free(model), okra_model_free(loaded);
    free(packed.bytes), free(read.bytes);
}

static void refusals_name_the_file(void **state)
{
    (void)state;
    okra_model *model = (okra_model *)1;
    okra_message why;
    FILE *out = fopen("no.okra", "w");
    fputs("x,y\n1,2\n", out);
    fclose(out);
    assert_status(okra_model_load("no.okra", &model, NULL, &why), OKRA_E_FORMAT);
    assert_string_equal(why.text, "no.okra: not a model file: name one that okra has saved");
    assert_null(model);
    assert_status(okra_model_load("none.okra", &model, NULL, &why), OKRA_E_OPEN);
    assert_string_equal(why.text,
                        "none.okra: cannot be opened: No such file or directory: check the name and the folder");
    assert_status(okra_model_load("/tmp", &model, NULL, &why), OKRA_E_OPEN);
    assert_non_null(strstr(why.text, "/tmp: cannot be opened: Is a directory"));
    assert_int_equal(unlink("no.okra"), 0);
    model = trained(1);
    assert_status(okra_model_save(model, "no/such/a.okra", NULL, &why), OKRA_E_WRITE);
    assert_string_equal(why.text,
                        "no/such/a.okra: cannot be written: No such file or directory: make the folder first");
    assert_status(okra_model_save(model, "/dev/full", NULL, &why), OKRA_E_WRITE);
    assert_string_equal(why.text, "/dev/full: cannot be written: No space left on device: free some room or choose "
                                  "another place");
    okra_model_free(model);
}

/* A limit on the size of files stands in for a full disk. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    okra_model *old = trained(10), *new = trained(20);
    file before = pack(old, NULL), after;
    okra_message why;
    struct rlimit unlimited, limited;
    assert_ok(okra_model_save(old, "a.okra", NULL, NULL));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &unlimited);
    for (size_t room = 0; room < before.size; room += 97) {
        limited = (struct rlimit){room, unlimited.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limited);
        okra_status status = okra_model_save(new, "a.okra", NULL, &why);
        setrlimit(RLIMIT_FSIZE, &unlimited);
        assert_status(status, OKRA_E_WRITE);
        assert_non_null(strstr(why.text, "free some room"));
        assert_non_null(strstr(why.text, "the old file is as it was"));
        assert_files("a.okra ");
        assert_ok(okra_file_load("a.okra", &after.bytes, &after.size, NULL));
        assert_same_file(&before, &after);
        free(after.bytes);
    }
    assert_int_equal(unlink("a.okra"), 0);
    okra_model_free(old), okra_model_free(new);
    free(before.bytes);
}

static void links_and_permissions_stay(void **state)
{
    (void)state;
    struct stat info;
    okra_model *model = trained(10);
    assert_int_equal(mkdir("models", 0777), 0);
    assert_ok(okra_model_save(model, "models/real.okra", NULL, NULL));
    assert_int_equal(chmod("models/real.okra", 0640), 0);
    assert_int_equal(symlink("models/real.okra", "link.okra"), 0);
    take_rows(model, 10, 20);
    assert_ok(okra_model_save(model, "link.okra", NULL, NULL));
    assert_int_equal(lstat("link.okra", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat("models/real.okra", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    file packed = pack(model, NULL), read;
    assert_ok(okra_file_load("models/real.okra", &read.bytes, &read.size, NULL));
    assert_same_file(&packed, &read);
    assert_int_equal(unlink("link.okra") | unlink("models/real.okra") | rmdir("models"), 0);
    okra_model_free(model);
    free(packed.bytes), free(read.bytes);
}

/* A pipe is no file to rename over: what is saved comes out at its other end. */
static void pipes_are_written_as_they_are(void **state)
{
    (void)state;
    int ends[2];
    char path[32];
    okra_model *model = trained(10);
    file packed = pack(model, NULL);
    unsigned char *got = malloc(packed.size + 1);
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_true(packed.size < 65536); /* what a pipe holds */
    assert_ok(okra_model_save(model, path, NULL, NULL));
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    file read;
    assert_ok(okra_file_load(path, &read.bytes, &read.size, NULL));
    assert_same_file(&packed, &read);
    close(ends[0]);
    okra_model_free(model);
    free(packed.bytes), free(read.bytes), free(got);
}

/* ---- the format ---------------------------------------------------------------------------------------------- */

static void checksum_knows_its_answers(void **state)
{
    (void)state;
    okra_checksum sum;
    char digits[CHECKSUM_DIGITS + 1];
    okra_checksum_start(&sum);
    okra_checksum_finish(&sum, digits);
    assert_string_equal(digits, "0000000000000000");
    okra_checksum_add(&sum, "123456789", 9); /* the check value of the CRC catalogue's CRC-64/XZ */
    okra_checksum_finish(&sum, digits);
    assert_string_equal(digits, "995dc9bbdf1939fa");
    okra_checksum_start(&sum);
    okra_checksum_add(&sum, "1234", 4);
    okra_checksum_add(&sum, "56789", 5);
    okra_checksum_finish(&sum, digits);
    assert_string_equal(digits, "995dc9bbdf1939fa");
}

/* The header's words share one level with the parameters: no recipe may bring a parameter of such a name. */
static void no_parameter_has_a_word_of_the_format(void **state)
{
    (void)state;
    static const char *const words[] = {"checksum",    "format",  "format_version", "okra_version", "recipe",
                                        "sigma_auto",  "inputs",  "targets",        "lags",         "lag_from",
                                        "target_lags", "horizon", "warmup",         "scale"};
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        for (size_t k = 0; k < COUNT_OF(words); k++)
            assert_string_not_equal(param->name, words[k]);
}

static void metadata_says_what_is_there(void **state)
{
    (void)state;
    okra_notes *notes, *metadata;
    okra_model_spec spec = small_spec("qklms", OKRA_F32);
    spec.filter.sigma = OKRA_SIGMA_AUTO, spec.lags = 4, spec.scale = OKRA_SCALE_AUTO;
    okra_model *model = make_model(&spec);
    take_rows(model, 0, 5);
    assert_ok(okra_notes_create(&notes));
    assert_ok(okra_notes_set(notes, "columns", "a,b,c,d"));
    file f = pack(model, notes);
    assert_ok(okra_model_metadata(f.bytes, f.size, &metadata, NULL));
    static const char *const wanted[][2] = {{"format", "okra model"},
                                            {"format_version", "1"},
                                            {"okra_version", OKRA_VERSION},
                                            {"recipe", "qklms"},
                                            {"sigma", "auto"},
                                            {"sigma_auto", "yes"},
                                            {"precision", "f32"},
                                            {"inputs", "2"},
                                            {"targets", "2"},
                                            {"lags", "4"},
                                            {"lag_from", "0"},
                                            {"target_lags", "0"},
                                            {"horizon", "1"},
                                            {"scale", "auto"},
                                            {"warmup", "512"},
                                            {"counter.rows", "5"},
                                            {"counter.learnt", "0"},
                                            {"epsilon", "0.1"},
                                            {"when-full", "stop"},
                                            {"note.columns", "a,b,c,d"}};
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        const char *text = okra_notes_get(metadata, wanted[i][0]);
        if (!text || strcmp(text, wanted[i][1]) != 0)
            fail_msg("%s is %s, not %s", wanted[i][0], text ? text : "missing", wanted[i][1]);
    }
    okra_notes_free(notes), okra_notes_free(metadata);
    okra_model_free(model);
    free(f.bytes);
}

int main(void)
{
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_map_goes_on),
        cmocka_unit_test(plain_models_go_on),
        cmocka_unit_test(embedded_models_go_on),
        cmocka_unit_test(warming_models_go_on),
        cmocka_unit_test(automatic_widths_go_on),
        cmocka_unit_test(full_dictionaries_go_on),
        cmocka_unit_test(variants_go_on),
        cmocka_unit_test(extreme_streams_go_on),
        cmocka_unit_test(given_frequencies_go_on),
        cmocka_unit_test(saving_changes_nothing),
        cmocka_unit_test(a_loaded_model_resets_as_the_saved_one),
        cmocka_unit_test(notes_keep_their_order_and_text),
        cmocka_unit_test(notes_are_utf8),
        cmocka_unit_test(any_altered_byte_is_refused),
        cmocka_unit_test(any_truncation_is_refused),
        cmocka_unit_test(anything_longer_is_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(forgeries_are_refused),
        cmocka_unit_test(an_honest_edit_is_accepted),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(a_missing_value_in_the_past_is_allowed),
        cmocka_unit_test(large_empty_models_come_back),
        cmocka_unit_test(headers_have_a_limit),
        cmocka_unit_test(json_gives_the_same_bytes),
        cmocka_unit_test(json_keeps_every_bit),
        cmocka_unit_test(json_keeps_every_float),
        cmocka_unit_test(json_mistakes_are_told),
        cmocka_unit_test(json_numbers_are_checked),
        cmocka_unit_test(decimal_commas_stay_out),
        cmocka_unit_test(saved_files_are_the_packed_bytes),
        cmocka_unit_test(refusals_name_the_file),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(links_and_permissions_stay),
        cmocka_unit_test(pipes_are_written_as_they_are),
        cmocka_unit_test(checksum_knows_its_answers),
        cmocka_unit_test(no_parameter_has_a_word_of_the_format),
        cmocka_unit_test(metadata_says_what_is_there),
    };
    return cmocka_run_group_tests_name("model file", tests, enter, leave);
}
