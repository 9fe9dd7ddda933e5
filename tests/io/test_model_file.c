/* Model files: what is saved goes on as if it had never stopped. */
#include "model_files.h"

/* ---- going on ------------------------------------------------------------------------------------------------ */

/* The loaded model and the one that never stopped give the same predictions and end in the same file. */
static void assert_goes_on(okra_filter *model, uint64_t from, uint64_t rows)
{
    file before = pack(model, NULL);
    okra_filter *loaded = unpack(&before);
    file again = pack(loaded, NULL);
    assert_same_file(&before, &again);
    for (uint64_t t = from; t < from + rows; t++) {
        double a[TARGETS] = {0}, b[TARGETS] = {0}; /* a model may have fewer */
        assert_status(take_row(model, t, a), take_row(loaded, t, b));
        if (memcmp(a, b, sizeof a) != 0)
            fail_msg("%s f%d stopped at row %llu: row %llu differs: %.17g, %.17g", okra_get_spec(model)->recipe,
                     okra_get_spec(model)->precision, (unsigned long long)from, (unsigned long long)t, a[0], b[0]);
    }
    file end = pack(model, NULL), loaded_end = pack(loaded, NULL);
    assert_same_file(&end, &loaded_end);
    free(before.bytes), free(again.bytes), free(end.bytes), free(loaded_end.bytes);
    okra_free(loaded);
}

static void assert_goes_on_from(const okra_spec *spec, const uint64_t *stops, size_t n_stops)
{
    for (size_t i = 0; i < n_stops; i++) {
        okra_filter *model = make_model(spec);
        take_rows(model, 0, stops[i]);
        assert_goes_on(model, stops[i], 200);
        okra_free(model);
    }
}

static void check_plain(okra_spec *spec)
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
            okra_spec spec = small_spec("rff-nlms", bits);
            spec.map = choice->value, spec.features = 22;
            spec.sigma_more[0] = 0.3, spec.sigma_more[1] = 7;
            for (size_t j = 0; j < spec.inputs; j++)
                spec.widths[j] = 0.1 + (double)j;
            assert_goes_on_from(&spec, stops, COUNT_OF(stops));
            okra_spec_init(&spec, "rff-klms", spec.inputs, 1); /* theta in halves, where it is paired */
            spec.map = choice->value, spec.features = 22, spec.precision = bits;
            spec.mu = 0.01;
            assert_goes_on_from(&spec, stops, COUNT_OF(stops));
        }
}

static void check_embedded(okra_spec *spec)
{
    static const uint64_t stops[] = {0, 3, 9, 100};
    spec->lags = 3, spec->lag_from = 1, spec->target_lags = 2, spec->horizon = 4;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

static void check_warming(okra_spec *spec)
{
    static const uint64_t stops[] = {0, 7, 15, 16, 17, 40, 64, 99, 100, 101, 150};
    spec->warmup = 100, spec->scale = OKRA_SCALE_AUTO, spec->lags = 2, spec->horizon = 3;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

static void check_automatic_width(okra_spec *spec)
{
    static const uint64_t stops[] = {0, 10, 16, 63, 64, 65, 100, 130};
    if (!(spec->sigma > 0))
        return;
    spec->warmup = 100, spec->sigma = OKRA_SIGMA_AUTO;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
    spec->scale = OKRA_SCALE_AUTO, spec->target_lags = 2;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

/* Forgetting with its cyclic regularisation, and the other kernel. */
static void check_variants(okra_spec *spec)
{
    static const uint64_t stops[] = {7, 100};
    if (spec->beta > 0)
        spec->beta = 0.97;
    if (spec->kernel)
        spec->kernel = OKRA_LAPLACIAN;
    assert_goes_on_from(spec, stops, COUNT_OF(stops));
}

/* A dictionary that lets its oldest centres go, when large ones have come and gone. */
static void check_oldest(okra_spec *spec)
{
    static const uint64_t stops[] = {30, 51, 60, 90, 150, 333};
    spec->when_full = OKRA_FULL_OLDEST;
    okra_spec alone = without_stream(spec, spec->inputs);
    if (!spec->capacity || okra_spec_check(&alone, NULL))
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
            okra_spec spec = small_spec("rff-klms", OKRA_F32);
            spec.inputs = 1, spec.outputs = 1, spec.horizon = 2, spec.scale = OKRA_SCALE_AUTO, spec.warmup = 30;
            okra_filter *model = make_model(&spec);
            for (uint64_t t = from; t < from + stop; t++) {
                float u = extreme(t);
                okra_step_f32(model, &u, &u, 1, NULL, NULL);
            }
            file f = pack(model, NULL);
            okra_filter *loaded = unpack(&f);
            okra_free(model), okra_free(loaded);
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
        okra_spec spec = small_spec("rff-klms", OKRA_F64);
        spec.omega = omega, spec.phase = phase;
        if (automatic)
            spec.sigma = OKRA_SIGMA_AUTO, spec.scale = OKRA_SCALE_AUTO, spec.warmup = 20;
        static const uint64_t stops[] = {0, 10, 16, 50};
        assert_goes_on_from(&spec, stops, COUNT_OF(stops));
    }
}

static void saving_changes_nothing(void **state)
{
    (void)state;
    okra_spec spec = small_spec("rff-krls", OKRA_F64);
    spec.sigma = OKRA_SIGMA_AUTO, spec.warmup = 50;
    okra_filter *saved = make_model(&spec), *left = make_model(&spec);
    for (uint64_t t = 0; t < 120; t++) {
        take_rows(saved, t, t + 1);
        take_rows(left, t, t + 1);
        file f = pack(saved, NULL);
        free(f.bytes);
    }
    file a = pack(saved, NULL), b = pack(left, NULL);
    assert_same_file(&a, &b);
    free(a.bytes), free(b.bytes);
    okra_free(saved), okra_free(left);
}

/* A reset model is a new one, a loaded one too: an automatic width is automatic again. */
static void a_loaded_model_resets_as_the_saved_one(void **state)
{
    (void)state;
    okra_spec spec = small_spec("klms", OKRA_F64);
    spec.sigma = OKRA_SIGMA_AUTO, spec.warmup = 50;
    okra_filter *model = make_model(&spec);
    file fresh = pack(model, NULL);
    take_rows(model, 0, 80);
    file f = pack(model, NULL);
    okra_filter *loaded = unpack(&f);
    okra_spec bare;
    assert_ok(okra_bare_spec(loaded, &bare));
    assert_true(bare.sigma > 0);
    assert_ok(okra_reset(loaded));
    file reset = pack(loaded, NULL);
    assert_same_file(&fresh, &reset);
    free(fresh.bytes), free(f.bytes), free(reset.bytes);
    okra_free(model), okra_free(loaded);
}

/* ---- metadata --------------------------------------------------------------------------------------------------- */

static void notes_keep_their_order_and_text(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"columns", "Zeit,\"T\",\\u00e4"}, {"", ""}, {"Grad °C", "Temperatur\nin °C\t\x01"}, {"rows", "12"}};
    okra_metadata *metadata = NULL, *loaded;
    okra_spec spec = small_spec("lms", OKRA_F64);
    okra_filter *model = make_model(&spec), *twin;
    assert_ok(okra_metadata_set(&metadata, "rows", "11"));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_ok(okra_metadata_set(&metadata, texts[i][0], texts[i][1]));
    file f = pack(model, metadata);
    assert_ok(okra_unpack(f.bytes, f.size, 0, &twin, &loaded, NULL));
    const char *key, *text;
    assert_true(okra_metadata_at(loaded, 0, &key, &text)); /* where it was first set */
    assert_string_equal(key, "rows");
    assert_string_equal(text, "12");
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_string_equal(okra_metadata_get(loaded, texts[i][0]), texts[i][1]);
    assert_true(okra_metadata_at(loaded, 3, &key, NULL));
    assert_string_equal(key, "Grad °C");
    assert_false(okra_metadata_at(loaded, 4, &key, &text));
    assert_null(okra_metadata_get(loaded, "nothing"));
    free(f.bytes);
    okra_metadata_free(metadata), okra_metadata_free(loaded);
    okra_free(model), okra_free(twin);
}

static void notes_are_utf8(void **state)
{
    (void)state;
    okra_metadata *metadata = NULL;
    assert_status(okra_metadata_set(&metadata, "column",
                                    "\xb0"
                                    "C"),
                  OKRA_E_PARAMETER);
    assert_status(okra_metadata_set(&metadata, "\xff", "x"), OKRA_E_PARAMETER);
    assert_status(okra_metadata_set(&metadata, NULL, "x"), OKRA_E_NULL);
    assert_false(okra_metadata_at(metadata, 0, NULL, NULL));
    assert_null(okra_metadata_get(NULL, "x"));
    okra_metadata_free(metadata);
    okra_metadata_free(NULL);
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
    };
    return cmocka_run_group_tests_name("model file", tests, NULL, NULL);
}
