/*
 * The golden model files (tests/golden/models), made on one kind of machine, as another one reads them: the same
 * numbers in memory, the same bytes back, and the same predictions but for rounding. test_golden_models.c has the
 * program do the like.
 */
#include "files.h"

#include <dirent.h>

#include <okra/io.h>
#include <okra/model_file.h>

enum { SEEN = 300, ROWS = 40, INPUTS = 5, FILES = 13 };

#define STREAM OKRA_GOLDEN_DIR "/stream.csv"
#define MODELS OKRA_GOLDEN_DIR "/models/"

/* A golden file: its name without the ending, its bytes, the model and the metadata in it. */
typedef struct golden {
    char name[256];
    unsigned char *bytes;
    size_t size;
    okra_filter *model;
    okra_metadata *metadata;
} golden;

static golden load(const char *file)
{
    golden g;
    okra_message why = {""};
    char path[512];
    snprintf(path, sizeof path, MODELS "%s", file);
    snprintf(g.name, sizeof g.name, "%.*s", (int)(strlen(file) - strlen(".okra")), file);
    g.bytes = read_bytes(path, &g.size);
    if (okra_unpack(g.bytes, g.size, 0, &g.model, &g.metadata, &why))
        fail_msg("%s: %s", g.name, why.text);
    return g;
}

static void unload(golden *g)
{
    free(g->bytes);
    okra_free(g->model), okra_metadata_free(g->metadata);
}

static void for_each_file(void (*check)(const golden *g))
{
    size_t files = 0;
    DIR *folder = opendir(MODELS);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".okra") != 0)
            continue;
        golden g = load(entry->d_name);
        check(&g);
        unload(&g);
        files++;
    }
    closedir(folder);
    assert_int_equal(files, FILES);
}

/* ---- bytes ---------------------------------------------------------------------------------------------------- */

/* Where the numbers begin: behind the header, whose length is the first 8 bytes, the lowest first. */
static size_t data_at(const unsigned char *bytes)
{
    size_t length = 0;
    for (int k = 7; k >= 0; k--)
        length = length << 8 | bytes[k];
    return 8 + length;
}

/* The header has the version of who wrote it; the numbers are the numbers. */
static void check_packed(const golden *g)
{
    unsigned char *again;
    size_t size;
    assert_ok(okra_pack(g->model, g->metadata, &again, &size, NULL));
    size_t wanted = g->size - data_at(g->bytes);
    assert_int_equal(size - data_at(again), wanted);
    assert_memory_equal(again + data_at(again), g->bytes + data_at(g->bytes), wanted);
    free(again);
}

static void what_is_read_is_written_back(void **state)
{
    (void)state;
    for_each_file(check_packed);
}

static void check_json(const golden *g)
{
    char *json;
    unsigned char *back;
    size_t size;
    assert_ok(okra_export(g->bytes, g->size, 0, &json, NULL));
    assert_ok(okra_import(json, strlen(json), 0, &back, &size, NULL));
    assert_int_equal(size, g->size);
    assert_memory_equal(back, g->bytes, size);
    free(json), free(back);
}

static void json_comes_back(void **state)
{
    (void)state;
    for_each_file(check_json);
}

/* ---- predictions ---------------------------------------------------------------------------------------------- */

/* Rounding in 40 steps of up to 24 numbers of size 5 at most; least squares multiplies it by its condition, which
 * regularisation keeps below 1000 on this stream. */
static double bound_of(const okra_spec *spec)
{
    bool squares = strstr(spec->recipe, "rls") || strcmp(spec->recipe, "auto") == 0;
    double eps = spec->precision == OKRA_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    return ROWS * 24 * 5 * eps * (squares ? 1000 : 1);
}

static double take_row(okra_filter *model, const double *row)
{
    double yhat;
    float narrow[INPUTS + 1], narrow_yhat;
    if (okra_get_spec(model)->precision != OKRA_F32) {
        assert_ok(okra_step(model, row, row + INPUTS, 1, &yhat, NULL));
        return yhat;
    }
    for (size_t c = 0; c <= INPUTS; c++)
        narrow[c] = (float)row[c];
    assert_ok(okra_step_f32(model, narrow, narrow + INPUTS, 1, &narrow_yhat, NULL));
    return (double)narrow_yhat;
}

/* Rows of a table of numbers, after `skipped` of them. */
static okra_table *open_table(const char *path, size_t columns, uint64_t skipped)
{
    okra_table *reader;
    okra_message why = {""};
    if (okra_table_open(path, &(okra_table_options){.format = "csv"}, &reader, &why) ||
        okra_table_skip(reader, skipped, &why))
        fail_msg("%s", why.text);
    assert_int_equal(okra_table_get(reader)->columns, columns);
    return reader;
}

static void check_predictions(const golden *g)
{
    const okra_spec *spec = okra_get_spec(g->model);
    char path[512];
    snprintf(path, sizeof path, MODELS "%s.txt", g->name);
    okra_table *stream = open_table(STREAM, INPUTS + 1, SEEN), *then = open_table(path, 1, 0);
    for (size_t n = 0; n < ROWS; n++) {
        double row[INPUTS + 1], wanted;
        bool more = false, also = false;
        assert_ok(okra_table_next(stream, row, &more, NULL));
        assert_ok(okra_table_next(then, &wanted, &also, NULL));
        assert_true(more && also);
        double got = take_row(g->model, row), bound = bound_of(spec);
        if (!(fabs(got - wanted) <= bound))
            fail_msg("%s, row %zu: %.17g, and it was %.17g: off by %g, allowed %g", g->name, n + 1, got, wanted,
                     fabs(got - wanted), bound);
    }
    okra_table_close(stream), okra_table_close(then);
}

static void predictions_are_what_they_were(void **state)
{
    (void)state;
    for_each_file(check_predictions);
}

int main(void)
{
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_written_back),
        cmocka_unit_test(json_comes_back),
        cmocka_unit_test(predictions_are_what_they_were),
    };
    return cmocka_run_group_tests_name("golden files", tests, NULL, NULL);
}
