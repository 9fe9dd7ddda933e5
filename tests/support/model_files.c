#include "model_files.h"

#include "io/safetensors.h"

enum { INPUTS_MAX = 2 };

file pack(const okra_filter *model, const okra_metadata *metadata)
{
    file f;
    okra_message why = {""};
    if (okra_pack(model, metadata, &f.bytes, &f.size, &why))
        fail_msg("%s", why.text);
    return f;
}

okra_filter *unpack(const file *f)
{
    okra_filter *model;
    okra_message why = {""};
    if (okra_unpack(f->bytes, f->size, 0, &model, NULL, &why))
        fail_msg("%s", why.text);
    return model;
}

void assert_same_file(const file *a, const file *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

okra_spec small_spec(const char *recipe, int precision)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, recipe, 2, TARGETS));
    spec.precision = precision;
    if (spec.features)
        spec.features = 14;
    if (spec.capacity)
        spec.capacity = 21;
    return spec;
}

okra_filter *make_model(const okra_spec *spec)
{
    okra_filter *model;
    okra_message why = {""};
    if (okra_spec_check(spec, &why))
        fail_msg("%s", why.text);
    assert_ok(okra_create(spec, &model));
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
okra_status take_row(okra_filter *model, uint64_t t, double *yhat)
{
    bool f32 = okra_get_spec(model)->precision == OKRA_F32;
    double u[INPUTS_MAX], y[TARGETS], weight = t % 10 == 3 ? 0.5 : 1;
    float uf[INPUTS_MAX], yf[TARGETS], yhatf[TARGETS] = {0}; /* a model may have fewer */
    for (uint32_t c = 0; c < INPUTS_MAX; c++)
        uf[c] = (float)(u[c] = value(t, c, true));
    for (uint32_t c = 0; c < TARGETS; c++)
        yf[c] = (float)(y[c] = value(t, 2 + c, true));
    if (t % 53 == 20) {
        yhat[0] = yhat[1] = 0;
        return okra_skip(model);
    }
    if (!f32)
        return okra_step(model, u, y, weight, yhat, NULL);
    okra_status status = okra_step_f32(model, uf, yf, (float)weight, yhatf, NULL);
    for (size_t c = 0; c < TARGETS; c++)
        yhat[c] = (double)yhatf[c];
    return status;
}

void take_rows(okra_filter *model, uint64_t from, uint64_t to)
{
    double yhat[TARGETS];
    for (uint64_t t = from; t < to; t++)
        take_row(model, t, yhat);
}

/* For every recipe in both precisions. */
void for_each_model(void (*check)(okra_spec *spec))
{
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (int bits = 32; bits <= 64; bits += 32) {
            okra_spec spec = small_spec(okra_recipe_at(r)->name, bits);
            check(&spec);
        }
}

file small_file(const char *recipe, int precision)
{
    okra_spec spec = small_spec(recipe, precision);
    if (spec.features)
        spec.features = strcmp(recipe, "auto") == 0 ? 4 : 3; /* which has pairs of them */
    if (spec.capacity)
        spec.capacity = 4;
    spec.horizon = 2;
    okra_filter *model = make_model(&spec);
    take_rows(model, 0, 10);
    file f = pack(model, NULL);
    okra_free(model);
    return f;
}

/* What cannot be loaded is not exported either, for the same reason. */
static void assert_export_refused(const file *f, okra_status status, const char *reason)
{
    char *json = (char *)1;
    okra_message why = {""};
    assert_status(okra_export(f->bytes, f->size, 0, &json, &why), status);
    assert_null(json);
    assert_string_equal(why.text, reason);
}

void assert_file_refused(const file *f, okra_status status, const char *part)
{
    okra_filter *model = (okra_filter *)1;
    okra_metadata *metadata = (okra_metadata *)1;
    okra_message why = {""};
    assert_status(okra_unpack(f->bytes, f->size, 0, &model, &metadata, &why), status);
    assert_null(model);
    assert_null(metadata);
    if (!strstr(why.text, part) || strchr(why.text, '\n'))
        fail_msg("no '%s' in: %s", part, why.text);
    assert_export_refused(f, status, why.text);
}

/* The file with the first `old` of its header replaced. The caller frees it. */
file forge(const file *f, const char *old, const char *new)
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
