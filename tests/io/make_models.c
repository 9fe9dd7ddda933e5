/*
 * make_models FOLDER [SIZE]: writes small model files, of every recipe in both precisions and in several states, for
 * readers that are not ours and for the fuzzer to start from.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <okra/model_file.h>

enum { ROWS = 90 };

static void fail(const char *text)
{
    fprintf(stderr, "make_models: %s\n", text);
    exit(1);
}

static void take_row(okra_filter *model, size_t t)
{
    double s = sin((double)t), c = cos(3 * (double)t), u[2] = {s, t % 11 == 5 ? (double)NAN : c}, y = s * c;
    float uf[2] = {(float)u[0], (float)u[1]}, yf = (float)y;
    okra_status status = okra_get_spec(model)->precision == OKRA_F32 ? okra_step_f32(model, uf, &yf, 1, NULL, NULL)
                                                                     : okra_step(model, u, &y, 1, NULL, NULL);
    if (status == OKRA_E_SAMPLE) /* a bare filter has no missing values */
        status = okra_skip(model);
    if (status)
        fail(okra_strerror(status));
}

static void write_model(const char *folder, const okra_spec *spec, const char *kind, size_t rows)
{
    char path[512];
    okra_filter *model;
    okra_message why;
    okra_metadata *metadata = NULL;
    if (okra_spec_check(spec, &why))
        fail(why.text);
    if (okra_create(spec, &model) || okra_metadata_set(&metadata, "unit", "°C"))
        fail("out of memory");
    for (size_t t = 0; t < rows; t++)
        take_row(model, t);
    snprintf(path, sizeof path, "%s/%s-f%d-%s.okra", folder, spec->recipe, spec->precision, kind);
    if (okra_save(model, path, metadata, &why))
        fail(why.text);
    okra_metadata_free(metadata);
    okra_free(model);
}

static okra_spec make_spec(const char *recipe, int precision, size_t size)
{
    okra_spec spec;
    if (okra_spec_init(&spec, recipe, 2, 1))
        fail(recipe);
    spec.precision = precision;
    if (spec.features)
        spec.features = size;
    if (spec.capacity)
        spec.capacity = size;
    return spec;
}

/* As they come, and with everything that a model can do besides: lags, late labels, a scale and a width of its own. */
static void write_models(const char *folder, const char *recipe, int precision, size_t size)
{
    okra_spec spec = make_spec(recipe, precision, size);
    write_model(folder, &spec, "plain", ROWS);
    spec.lags = 2, spec.lag_from = 1, spec.target_lags = 1, spec.horizon = 2, spec.scale = OKRA_SCALE_AUTO,
    spec.warmup = 50;
    if (spec.sigma > 0)
        spec.sigma = OKRA_SIGMA_AUTO;
    write_model(folder, &spec, "warming", 20);
    write_model(folder, &spec, "full", ROWS);
}

/* With a loss, and what else an algorithm can do about wild targets and systems that change. */
static void write_robust_model(const char *folder, const char *recipe, int precision, size_t size)
{
    okra_spec spec = make_spec(recipe, precision, size);
    spec.loss = OKRA_LOSS_HUBER;
    if (okra_spec_set(&spec, "forget", "prior", NULL) == OKRA_OK)
        spec.beta = 0.99;
    okra_spec other = spec;
    if (okra_spec_set(&other, "mu", "auto", NULL) == OKRA_OK && okra_spec_check(&other, NULL) == OKRA_OK)
        spec = other;
    write_model(folder, &spec, "robust", ROWS);
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: make_models FOLDER [SIZE]\n");
        return 2;
    }
    size_t size = argc == 3 ? (size_t)strtoul(argv[2], NULL, 10) : 20;
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (int bits = 32; bits <= 64; bits += 32) {
            write_models(argv[1], okra_recipe_at(r)->name, bits, size);
            write_robust_model(argv[1], okra_recipe_at(r)->name, bits, size);
        }
    return 0;
}
