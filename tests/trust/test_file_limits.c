/*
 * What a file may cost, whatever it says of itself: at most FACTOR times its size and SLACK, all that is allocated at
 * once counted, the file's own bytes too; and no longer than its bytes take to read, which ctest's time limit watches.
 * What is hostile is refused in one line.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "model_files.h"

#include <fcntl.h>
#include <sndfile.h>
#include <unistd.h>
#include <zlib.h>

#include "io/safetensors.h"
#include "peak.h"

/* `make trust` also takes files as large as they may be. */
static bool full;

/* As docs/model-file.md and okra/model_file.h promise them. */
enum { FACTOR = 64, SLACK = 1 << 26, SLACK_OF_TEXT = 1 << 19 };

/* Of the memory of a model: half of the slack is that, and the rest has to do for everything else. */
enum { LIMIT = SLACK / 2 };

/* What is allowed now: text that never becomes a model needs hardly any. */
static size_t slack = SLACK;

/* What the dearest of the long files took for each of its bytes, and the dearest of the short ones in all. */
static double dearest_long, dearest_short;

/* `loaded`: there is a model, to which half of the slack belongs. */
static void check_peak(const char *what, size_t size, bool loaded)
{
    enum { LONG = 1 << 17 };
    double peak = (double)peak_bytes(), ratio = (peak - (loaded ? SLACK / 2 : 0)) / (double)size;
    if (size >= LONG)
        dearest_long = ratio > dearest_long ? ratio : dearest_long;
    else
        dearest_short = peak > dearest_short ? peak : dearest_short;
    if (peak > (double)FACTOR * (double)size + (double)slack)
        fail_msg("%.60s: %.0f bytes allocated for a file of %zu", what, peak, size);
}

static void check_line(const char *what, const okra_message *why)
{
    if (!*why->text || strpbrk(why->text, "\n\r\033"))
        fail_msg("%.60s: not one line: '%s'", what, why->text);
}

/* ---- model files --------------------------------------------------------------------------------------------- */

/* Loads it from the disk, as a user would. */
static okra_status load(const char *what, const file *f)
{
    okra_filter *model;
    okra_metadata *metadata;
    okra_message why = {""};
    write_bytes("m.okra", f->bytes, f->size);
    peak_start();
    okra_status status = okra_load("m.okra", LIMIT, &model, &metadata, &why);
    check_peak(what, f->size, !status);
    if (status)
        check_line(what, &why);
    okra_free(model);
    okra_metadata_free(metadata);
    return status;
}

static void refuse(const char *what, const file *f)
{
    okra_status status = load(what, f);
    if (status != OKRA_E_FORMAT)
        fail_msg("%.60s: %s", what, okra_strerror(status));
}

/* "NAME":"OLD" becomes "NAME":"VALUE". */
static file with(file f, const char *name, const char *value)
{
    char start[64], old[160], new[160];
    snprintf(start, sizeof start, "\"%s\":\"", name);
    const char *header = (const char *)f.bytes + 8, *at = memmem(header, f.size - 8, start, strlen(start));
    assert_non_null(at);
    at += strlen(start);
    snprintf(old, sizeof old, "%s%.*s\"", start, (int)strcspn(at, "\""), at);
    snprintf(new, sizeof new, "%s%s\"", start, value);
    file forged = forge(&f, old, new);
    free(f.bytes);
    return forged;
}

static bool has(const file *f, const char *name)
{
    char start[64];
    snprintf(start, sizeof start, "\"%s\":\"", name);
    return memmem(f->bytes, f->size, start, strlen(start)) != NULL;
}

/* Every parameter that memory depends on, at every power of two, alone and with many inputs. */
static void headers_cannot_ask_for_more(void **state)
{
    (void)state;
    static const char *const names[] = {"features", "capacity",    "inputs",  "targets", "lags",
                                        "lag-from", "target-lags", "horizon", "warmup"};
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (size_t k = 0; k < COUNT_OF(names); k++)
            for (int bits = 8; bits < 64; bits += bits < 26 ? 3 : 9)
                for (int wide = 0; wide < 2; wide++) {
                    char value[32], what[160];
                    file f = small_file(okra_recipe_at(r)->name, k % 2 ? OKRA_F32 : OKRA_F64);
                    snprintf(value, sizeof value, "%llu", 1ull << bits);
                    snprintf(what, sizeof what, "%s, %s = %s, %s", okra_recipe_at(r)->name, names[k], value,
                             wide ? "1024 inputs" : "2 inputs");
                    if (wide)
                        f = with(f, "inputs", "1024");
                    if (has(&f, names[k]))
                        f = with(f, names[k], value);
                    okra_status status = load(what, &f); /* a longer warm-up or a larger dictionary may be had */
                    if (status != OKRA_OK && status != OKRA_E_FORMAT)
                        fail_msg("%s: %s", what, okra_strerror(status));
                    free(f.bytes);
                }
}

/* Maps that take long to draw: with 2048 inputs and as many features, most of a minute for each were they drawn. */
static void headers_cannot_ask_for_time(void **state)
{
    (void)state;
    for (const okra_choice *map = okra_param_at(0)->choices; map->name; map++)
        for (size_t inputs = 256; inputs <= 2048; inputs *= 2) {
            char value[32];
            file f = with(small_file("rff-nlms", OKRA_F32), "map", map->name);
            snprintf(value, sizeof value, "%zu", inputs);
            f = with(with(f, "inputs", value), "features", "4096");
            refuse(map->name, &f);
            f = with(f, "inputs", "8"); /* the most of a product rule */
            refuse(map->name, &f);
            free(f.bytes);
        }
    for (int i = 0; i < 4; i++) {
        file f = with(with(small_file("auto", OKRA_F32), "inputs", "700"), "features", "1400");
        f = with(f, "sigma", i % 2 ? "auto" : "2");
        refuse("auto", &f);
        free(f.bytes);
    }
}

/* A dictionary takes memory for its whole capacity, and its file says only how large that is. */
static void dictionaries_have_a_limit(void **state)
{
    (void)state;
    size_t loaded = 0, refused = 0;
    for (size_t capacity = 10; capacity <= (full ? 1u << 24 : 1u << 22); capacity *= 4) {
        okra_spec spec = small_spec("klms", OKRA_F64);
        spec.capacity = capacity;
        okra_filter *model = make_model(&spec);
        take_rows(model, 0, 20);
        file f = pack(model, NULL);
        bool fits = okra_size(okra_get_spec(model)) <= LIMIT;
        assert_true(f.size < 4096); /* no zeros for what is not there */
        assert_status(load("klms", &f), fits ? OKRA_OK : OKRA_E_FORMAT);
        fits ? loaded++ : refused++;
        okra_free(model);
        free(f.bytes);
    }
    assert_true(loaded > 2 && refused > 1);
}

/* ---- headers ------------------------------------------------------------------------------------------------- */

/* A file with that text after the checksum of its header, and no data. */
static file headed(const char *rest, size_t length)
{
    static const char start[] = "{\"__metadata__\":{\"checksum\":\"0000000000000000\"";
    size_t header = sizeof start - 1 + length;
    file f = {malloc(8 + header), 8 + header};
    for (int k = 0; k < 8; k++)
        f.bytes[k] = (unsigned char)(header >> 8 * k);
    memcpy(f.bytes + 8, start, sizeof start - 1);
    memcpy(f.bytes + 8 + sizeof start - 1, rest, length);
    assert_true(okra_safetensors_sign(f.bytes, f.size));
    return f;
}

/* before, `piece` again and again (with a count for each %zu in it), after: `bytes` long or a little more. */
static char *repeat(const char *before, const char *piece, const char *after, size_t bytes, size_t *length)
{
    char *text = malloc(bytes + strlen(before) + strlen(after) + 200);
    size_t at = (size_t)sprintf(text, "%s", before);
    bool counted = strstr(piece, "%zu");
    for (size_t k = 0; at < bytes; k++)
        if (counted)
            at += (size_t)snprintf(text + at, 100, strstr(piece, "%zu") ? piece : "", k, k);
        else
            memcpy(text + at, piece, strlen(piece)), at += strlen(piece);
    at += (size_t)sprintf(text + at, "%s", after);
    *length = at;
    return text;
}

typedef struct spam {
    const char *before, *piece, *after;
} spam;

static void spammed_headers_stay_cheap(void **state)
{
    (void)state;
    slack = SLACK_OF_TEXT;
    static const spam spams[] = {
        {"},\"a\":[", "{},", "0]}"},
        {"},\"a\":[", "[],", "0]}"},
        {"},\"a\":[", "[0],", "0]}"},
        {"},\"a\":[", "0,", "0]}"},
        {"},\"a\":[", "\"\",", "0]}"},
        {"},\"a\":", "[", ""},
        {"},\"a\":", "{\"a\":", ""},
        {"", ",\"k%zu\":\"\"", "}}"},
        {"", ",\"k%zu\":{}", "}}"},
        {"}", ",\"k%zu\":{}", "}"},
        {"}", ",\"k%zu\":[]", "}"},
        {"}", ",\"k%zu\":[0,0]", "}"},
        {"}", ",\"k%zu\":\"\"", "}"},
        {"}", ",\"k%zu\":{\"dtype\":\"F64\",\"shape\":[0,1],\"data_offsets\":[0,0]}", "}"},
        {",\"format\":\"okra model\",\"format_version\":\"1\",\"recipe\":\"lms\"", ",\"note.%zu\":\"\"", "}}"},
        {"", "{{{{[[[[,,,,", ""},
        {"", "\xff", ""},
        {"},\"a\":1", "0", "}"},
        {"},\"a\":0.", "1", "}"},
        {"},\"a\":1e", "9", "}"},
        {"},\"a\":\"", "a", "\"}"},
        {"},\"a\":\"", "\\u0001", "\"}"},
        {"},\"a\":", " ", ""},
    };
    const size_t sizes[] = {100, 200000, full ? (1 << 24) - 400 : 1000};
    for (size_t i = 0; i < COUNT_OF(spams); i++)
        for (size_t k = 0; k < COUNT_OF(sizes); k++) {
            size_t length;
            char *text = repeat(spams[i].before, spams[i].piece, spams[i].after, sizes[k], &length);
            file f = headed(text, length);
            refuse(spams[i].piece, &f);
            free(f.bytes), free(text);
        }
    slack = SLACK;
}

/* An honest file with as many metadata as a header holds. */
static void notes_cost_what_they_are(void **state)
{
    (void)state;
    okra_metadata *metadata = NULL;
    okra_spec spec = small_spec("lms", OKRA_F64);
    okra_filter *model = make_model(&spec);
    for (int k = 0; k < (full ? 900000 : 30000); k++) {
        char key[16];
        snprintf(key, sizeof key, "%x", (unsigned)k);
        assert_ok(okra_metadata_set(&metadata, key, ""));
    }
    file f = pack(model, metadata);
    assert_ok(load("metadata", &f));
    okra_metadata_free(metadata);
    okra_free(model);
    free(f.bytes);
}

static void lengths_of_headers_are_checked(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {0,         1,          44,         1u << 24,        (1u << 24) + 1,
                                       1u << 31,  UINT32_MAX, 1ull << 32, 1ull << 62,      1ull << 63,
                                       INT64_MAX, -8ull,      UINT64_MAX, (1ull << 63) - 8};
    file f = small_file("rff-klms", OKRA_F64);
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        for (int k = 0; k < 8; k++)
            f.bytes[k] = (unsigned char)(lengths[i] >> 8 * k);
        okra_safetensors_sign(f.bytes, f.size);
        refuse("length of the header", &f);
    }
    free(f.bytes);
}

/* Offsets that overlap, lie outside or wrap around; sizes whose product does. */
static void places_of_arrays_are_checked(void **state)
{
    (void)state;
    static const char *const offsets[] = {"[0,8]",
                                          "[8,24]",
                                          "[16,0]",
                                          "[0,9223372036854775807]",
                                          "[9223372036854775792,9223372036854775807]",
                                          "[-16,0]",
                                          "[0,18446744073709551616]",
                                          "[0,1e300]",
                                          "[0,16,32]",
                                          "[]",
                                          "\"0,16\""};
    static const char *const shapes[] = {"[4294967296,4294967296]",
                                         "[9223372036854775807,2]",
                                         "[2305843009213693952,8]",
                                         "[0,9223372036854775807]",
                                         "[1,2,1]",
                                         "[]",
                                         "{}",
                                         "[[1],2]",
                                         "[\"1\",\"2\"]",
                                         "[99999999999999999999,1]"};
    file f = small_file("lms", OKRA_F64);
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        char new[128];
        snprintf(new, sizeof new, "\"data_offsets\":%s", offsets[i]);
        file forged = forge(&f, "\"data_offsets\":[0,16]", new);
        refuse(offsets[i], &forged);
        free(forged.bytes);
    }
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        char new[128];
        snprintf(new, sizeof new, "\"shape\":%s", shapes[i]);
        file forged = forge(&f, "\"shape\":[1,2]", new);
        refuse(shapes[i], &forged);
        free(forged.bytes);
    }
    free(f.bytes);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

static okra_status import(const char *what, const char *text, size_t length)
{
    file f;
    char *json;
    okra_message why = {""};
    write_bytes("m.json", text, length);
    peak_start();
    assert_ok(okra_file_load("m.json", (unsigned char **)&json, &length, NULL));
    okra_status status = okra_import(json, length, LIMIT, &f.bytes, &f.size, &why);
    free(json);
    check_peak(what, length, !status);
    if (status)
        check_line(what, &why);
    free(f.bytes);
    return status;
}

static void spammed_json_stays_cheap(void **state)
{
    (void)state;
    slack = SLACK_OF_TEXT;
    static const spam spams[] = {
        {"{\"metadata\":{},\"arrays\":{\"a\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data\":[", "[],", "[]]}}}"},
        {"{\"metadata\":{},\"arrays\":{\"a\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data\":[", "[0],", "[0]]}}}"},
        {"{\"metadata\":{},\"arrays\":{\"a\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data\":[[", "0,", "0]]}}}"},
        {"{\"metadata\":{},\"arrays\":{\"a\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data\":[[", "\"\",", "0]]}}}"},
        {"{\"metadata\":{},\"arrays\":{\"a\":{\"dtype\":\"F64\",\"shape\":[1,1],\"data\":[[", "{},", "0]]}}}"},
        {"{\"metadata\":{", "\"%zu\":\"\",", "\"z\":\"\"},\"arrays\":{}}"},
        {"{\"metadata\":{", "\"%zu\":{},", "\"z\":\"\"},\"arrays\":{}}"},
        {"{\"metadata\":{},\"arrays\":{", "\"%zu\":{},", "\"z\":{}}}"},
        {"{\"metadata\":{},\"arrays\":{", "\"%zu\":[],", "\"z\":{}}}"},
        {"", "[", ""},
        {"", "{\"a\":", ""},
        {"[1e", "9", "]"},
        {"[1", "0", "]"},
        {"[0.", "1", "]"},
        {"{\"", "\xc3\x28", "\":0}"},
        {"{\"", "\\ud800", "\":0}"},
        {"{", "\"a\":0,", "\"a\":0}"},
        {"", "\x01", ""},
    };
    const size_t sizes[] = {100, 200000, full ? 16000000 : 1000};
    for (size_t i = 0; i < COUNT_OF(spams); i++)
        for (size_t k = 0; k < COUNT_OF(sizes); k++) {
            size_t length;
            char *text = repeat(spams[i].before, spams[i].piece, spams[i].after, sizes[k], &length);
            if (import(spams[i].piece, text, length) != OKRA_E_FORMAT)
                fail_msg("%s was imported", spams[i].piece);
            free(text);
        }
    slack = SLACK;
}

/* The text of a model with `old` replaced. */
static char *edited(const char *recipe, const char *old, const char *new, size_t *length)
{
    file f = small_file(recipe, OKRA_F64);
    char *json, *text = NULL;
    assert_ok(okra_export(f.bytes, f.size, 0, &json, NULL));
    char *at = strstr(json, old);
    assert_non_null(at);
    text = malloc(strlen(json) + strlen(new) + 1);
    *length = (size_t)sprintf(text, "%.*s%s%s", (int)(at - json), json, new, at + strlen(old));
    free(f.bytes), free(json);
    return text;
}

/* The same limit where the model comes as text. */
static void models_in_json_have_a_limit(void **state)
{
    (void)state;
    size_t refused = 0, tried = 0, length;
    for (int capacity = 1 << 16; capacity <= 1 << 23; capacity *= 2, tried++) {
        char value[64];
        snprintf(value, sizeof value, "\"capacity\": \"%d\"", capacity);
        char *text = edited("klms", "\"capacity\": \"4\"", value, &length);
        refused += import(value, text, length) != OKRA_OK;
        free(text);
    }
    assert_in_range(refused, 1, tried - 1); /* some are small enough, and some are not */
}

static void wrong_json_is_refused(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"\"shape\": [2, 2]", "\"shape\": [9007199254740992, 0]"},
        {"\"shape\": [2, 2]", "\"shape\": [1e300, 1]"},
        {"\"shape\": [2, 2]", "\"shape\": [-1, 2]"},
        {"\"shape\": [2, 2]", "\"shape\": [2]"},
        {"\"capacity\": \"4\"", "\"capacity\": \"99999999\""},
        {"\"inputs\": \"2\"", "\"inputs\": \"16000000\""},
        {"\"metadata\"", "\"metadata\": {}, \"metadata\""},
    };
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        size_t length;
        char *text = edited("klms", edits[i][0], edits[i][1], &length);
        assert_status(import(edits[i][1], text, length), OKRA_E_FORMAT);
        free(text);
    }
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

/* Reads all of it, a row in room of our own; the rows' room counts. */
static okra_status read_rows(const char *name, const char *what, size_t size)
{
    okra_table *reader;
    okra_message why = {""};
    peak_start();
    okra_status status = okra_table_open(name, NULL, &reader, &why);
    if (!status) {
        double *row = malloc(okra_table_get(reader)->columns * sizeof *row);
        bool more = true;
        while (!status && more)
            status = okra_table_next(reader, row, &more, &why);
        free(row);
    }
    okra_table_close(reader);
    check_peak(what, size, false);
    if (status)
        check_line(what, &why);
    return status;
}

static size_t make_npy(char *bytes, const char *order, const char *shape)
{
    memset(bytes, ' ', 256);
    memcpy(bytes, "\x93NUMPY\x01\x00\xf6\x00", 10);
    char text[246];
    int length = snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': %s, 'shape': %s, }", order, shape);
    memcpy(bytes + 10, text, (size_t)length);
    bytes[255] = '\n';
    return 256;
}

static void arrays_are_no_larger_than_their_files(void **state)
{
    (void)state;
    static const char *const shapes[] = {"(4611686018427387904, 4)",
                                         "(4, 4611686018427387904)",
                                         "(9223372036854775808, 2)",
                                         "(18446744073709551615,)",
                                         "(99999999999999999999999, 1)",
                                         "(1000000000,)",
                                         "(0, 4194304)",
                                         "(1, 4194304)",
                                         "(1, 4194305)",
                                         "(3, 100000)",
                                         "(4294967296, 4294967296)",
                                         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)",
                                         "(-1, 2)"};
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (int fortran = 0; fortran < 2; fortran++) {
            char bytes[256 + 64] = {0};
            int ends[2];
            size_t size = make_npy(bytes, fortran ? "True" : "False", shapes[i]) + 64;
            write_bytes("a.npy", bytes, size);
            assert_status(read_rows("a.npy", shapes[i], size), OKRA_E_FORMAT);
            assert_int_equal(pipe(ends), 0);
            assert_int_equal(write(ends[1], bytes, size), size);
            close(ends[1]);
            char name[32];
            snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
            assert_status(read_rows(name, shapes[i], size), OKRA_E_FORMAT);
            close(ends[0]);
        }
}

static void headers_of_arrays_have_a_limit(void **state)
{
    (void)state;
    static const unsigned char lengths[][4] = {
        {255, 255, 255, 255}, {0, 0, 0, 128}, {0, 0, 16, 0}, {1, 0, 16, 0}, {255, 255, 15, 0}};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        char bytes[4096] = "\x93NUMPY\x02";
        memcpy(bytes + 8, lengths[i], 4);
        write_bytes("a.npy", bytes, sizeof bytes);
        assert_status(read_rows("a.npy", "NPY header", sizeof bytes), OKRA_E_FORMAT);
    }
}

/* Lines of any length and with any number of fields, or with more than can be. */
static void tables_have_limits(void **state)
{
    (void)state;
    static const struct {
        const char *piece;
        size_t bytes;
        okra_status status;
    } lines[] = {{"a,", 2000000, OKRA_E_FORMAT}, {",", 1000000, OKRA_OK},         {",", 5000000, OKRA_E_FORMAT},
                 {"1,", 9000000, OKRA_E_FORMAT}, {"a", 70000000, OKRA_E_READ},    {"1", 3000000, OKRA_E_FORMAT},
                 {"\"", 3000000, OKRA_E_FORMAT}, {"\"\n", 300000, OKRA_E_FORMAT}, {"\"\"\n", 300000, OKRA_OK},
                 {"#", 3000000, OKRA_OK}};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        size_t length;
        char *text = repeat("", lines[i].piece, "\n1,2\n", lines[i].bytes, &length);
        write_bytes("a.csv", text, length);
        okra_status status = read_rows("a.csv", lines[i].piece, length);
        if (lines[i].status ? !status : status == OKRA_E_MEMORY)
            fail_msg("%zu bytes of '%s': %s", length, lines[i].piece, okra_strerror(status));
        free(text);
    }
}

/* A line of blanks and then quotes: what it begins with must not be looked for again at every quote. */
static void quotes_take_no_longer_than_letters(void **state)
{
    (void)state;
    static const char *const pieces[] = {"\"", "a\"", "\"\" ", ",\"\"", "\"a"};
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        enum { BLANKS = 4000000 };
        size_t length;
        char *blanks = malloc(BLANKS + 1);
        memset(blanks, ' ', BLANKS), blanks[BLANKS] = '\0';
        char *text = repeat(blanks, pieces[i], "\n1,2\n", 2 * BLANKS, &length);
        write_bytes("a.csv", text, length);
        assert_true(read_rows("a.csv", pieces[i], length) != OKRA_E_MEMORY);
        free(text), free(blanks);
    }
}

/* Names that a line makes long, many or deep, and lines without an end. */
static void lines_of_json_have_limits(void **state)
{
    (void)state;
    static const struct {
        const char *begin, *piece, *end;
        size_t bytes;
        okra_status status;
    } lines[] = {
        {"{\"a\":[", "1,", "1]}", 3000000, OKRA_OK},   {"{\"a\":[", "1,", "1]}", 9000000, OKRA_E_FORMAT},
        {"{\"a\":", "[", "", 3000000, OKRA_E_FORMAT},  {"{\"a\":", "{\"a\":", "", 3000000, OKRA_E_FORMAT},
        {"{\"", "a", "\":1}", 3000000, OKRA_E_FORMAT}, {"{\"a\":1,\"b\":\"", "a", "\"}", 3000000, OKRA_E_FORMAT},
        {"{\"a\":1", " ", "}", 3000000, OKRA_OK},      {"{\"a\":1}", "\n", "", 3000000, OKRA_OK},
        {"{\"a\":\"", "a", "", 70000000, OKRA_E_READ}};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        size_t length;
        char *text = repeat(lines[i].begin, lines[i].piece, lines[i].end, lines[i].bytes, &length);
        write_bytes("a.jsonl", text, length);
        okra_status status = read_rows("a.jsonl", lines[i].begin, length);
        if (status != lines[i].status)
            fail_msg("%zu bytes of '%s': %s", length, lines[i].piece, okra_strerror(status));
        free(text);
    }
    char name[1001];
    memset(name, 'a', 1000), name[1000] = '\0';
    size_t length;
    char *begin = NULL;
    assert_true(asprintf(&begin, "{\"%s\":[", name) > 0);
    char *line = repeat(begin, "1,", "1]}", 3000000, &length); /* a thousand bytes of name for each value */
    write_bytes("a.jsonl", line, length);
    assert_status(read_rows("a.jsonl", "long names", length), OKRA_E_FORMAT);
    free(line), free(begin);
}

/* Writes `head`, and then a piece again and again, compressed to a thousandth. */
static void write_bomb(const char *name, const char *head, size_t length, const char *piece, size_t bytes)
{
    enum { BLOCK = 1 << 16 };
    static char block[BLOCK];
    gzFile bomb = gzopen(name, "wb1");
    assert_non_null(bomb);
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = piece[i % strlen(piece)];
    assert_int_equal(gzwrite(bomb, head, (unsigned)length), length);
    for (size_t done = 0; done < bytes; done += BLOCK)
        assert_int_equal(gzwrite(bomb, block, BLOCK), BLOCK);
    assert_int_equal(gzclose(bomb), Z_OK);
}

/* What comes out of a compressed file has the limits of a file of that size, and rows that are gone cost nothing; of
 * zlib's own memory, which is fixed, only the buffers are counted. */
static void compressed_files_cost_no_more(void **state)
{
    (void)state;
    enum { MIB = 1 << 20, LONGEST_LINE = 64 * MIB };
    static const char npy[] =
        "\x93NUMPY\x01\0\x46\0{'descr': '<f8', 'fortran_order': False, 'shape': (9, 4000000)}    \n";
    write_bomb("a.gz", "a,b\n", 4, "1,2\n", 40 * MIB);
    assert_ok(read_rows("a.gz", "rows", 40 * MIB));
    assert_true(peak_bytes() < MIB);
    write_bomb("a.gz", "a,b\n", 4, "1", LONGEST_LINE + MIB);
    assert_status(read_rows("a.gz", "a line", LONGEST_LINE), OKRA_E_READ);
    assert_true(peak_bytes() < LONGEST_LINE / 2 * 3 + MIB);
    write_bomb("a.gz", npy, sizeof npy - 1, "1", MIB);
    assert_status(read_rows("a.gz", "an array", MIB), OKRA_E_FORMAT);
    assert_true(peak_bytes() < 4 * MIB);
}

/* Sizes that a WAV file tells of itself and does not have; libsndfile's own memory is not counted. */
static void frames_are_no_more_than_there_are(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        size_t bytes;
    } changes[] = {{4, 0xffffffff, 4},  {4, 0x7fffffff, 4},  {40, 0xffffffff, 4}, {40, 0x7fffffff, 4},
                   {22, 0xffff, 2},     {22, 1024, 2},       {22, 0, 2},          {24, 0, 4},
                   {24, 0xffffffff, 4}, {16, 0xfffffff0, 4}, {34, 0xffff, 2},     {32, 0, 2}};
    unsigned char wav[] = "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x08\0\0\0"
                          "\1\0\2\0\3\0\4";
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        unsigned char changed[sizeof wav];
        memcpy(changed, wav, sizeof wav);
        for (size_t k = 0; k < changes[i].bytes; k++)
            changed[changes[i].at + k] = (unsigned char)(changes[i].value >> 8 * k);
        write_bytes("a.wav", changed, sizeof changed);
        okra_status status = read_rows("a.wav", "WAV", sizeof changed);
        assert_true(status == OKRA_OK || status == OKRA_E_FORMAT);
    }
}

int main(int argc, char **argv)
{
    full = argc > 1 && strcmp(argv[1], "full") == 0;
    if (!okra_isa())
        return 77; /* OKRA_ISA asks for what this machine lacks */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_cannot_ask_for_more),
        cmocka_unit_test(headers_cannot_ask_for_time),
        cmocka_unit_test(dictionaries_have_a_limit),
        cmocka_unit_test(spammed_headers_stay_cheap),
        cmocka_unit_test(notes_cost_what_they_are),
        cmocka_unit_test(lengths_of_headers_are_checked),
        cmocka_unit_test(places_of_arrays_are_checked),
        cmocka_unit_test(spammed_json_stays_cheap),
        cmocka_unit_test(models_in_json_have_a_limit),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(arrays_are_no_larger_than_their_files),
        cmocka_unit_test(headers_of_arrays_have_a_limit),
        cmocka_unit_test(tables_have_limits),
        cmocka_unit_test(quotes_take_no_longer_than_letters),
        cmocka_unit_test(lines_of_json_have_limits),
        cmocka_unit_test(compressed_files_cost_no_more),
        cmocka_unit_test(frames_are_no_more_than_there_are),
    };
    int failed = cmocka_run_group_tests_name("file limits", tests, enter_directory, leave_directory);
    printf("dearest of the long files: %.1f times its size; of the short ones: %.1f MiB\n", dearest_long,
           dearest_short / (1 << 20));
    return failed;
}
