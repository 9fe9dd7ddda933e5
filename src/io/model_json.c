/*
 * A model file as JSON and back, bit for bit.
 *
 *     {"metadata": {"format": "okra model", ..}, "arrays": {"theta": {"dtype": "F64", "shape": [1, 3], "data": [[0.5,
 * "nan", 2]]}}}
 *
 * The checksum is left out, because the text may be edited; import computes a new one.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "model_metadata.h"
#include "message.h"
#include "number.h"

enum { NUMBER_TEXT = 48 };

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t bits_of_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A number that JSON cannot hold. The ordinary NaN is "nan"; any other is written with its bits. */
static void write_special(double x, uint64_t bits, uint64_t ordinary, char text[NUMBER_TEXT])
{
    if (isinf(x))
        snprintf(text, NUMBER_TEXT, x < 0 ? "\"-inf\"" : "\"inf\"");
    else if (bits == ordinary)
        snprintf(text, NUMBER_TEXT, "\"nan\"");
    else
        snprintf(text, NUMBER_TEXT, "\"nan 0x%" PRIx64 "\"", bits);
}

static void write_f64(double x, char text[NUMBER_TEXT])
{
    if (isfinite(x))
        okra_format_real(x, text);
    else
        write_special(x, bits_of(x), bits_of((double)NAN), text);
}

/* The shortest decimal of a float is read as a double first, and rounding twice can differ: then the digits of the
 * double are taken. */
static void write_f32(float x, char text[NUMBER_TEXT])
{
    double back;
    if (!isfinite(x)) {
        write_special((double)x, bits_of_f32(x), bits_of_f32(NAN), text);
        return;
    }
    okra_format_real_f32(x, text);
    if (okra_parse_real(text, text + strlen(text), &back) != OKRA_NUMBER_REAL || (float)back != x)
        okra_format_real((double)x, text); /* GCOVR_EXCL_LINE: no float is known to need it */
}

static bool read_nan_bits(const char *text, uint64_t *bits)
{
    char *end;
    if (strncmp(text, "nan 0x", 6) != 0)
        return false;
    errno = 0;
    *bits = strtoull(text + 6, &end, 16);
    return text[6] && !*end && !errno;
}

/* A number, or a string for one. */
static bool read_f64(const okra_json_reader *json, okra_json_event event, double *x)
{
    const char *text = json->text;
    uint64_t bits;
    if (event == OKRA_JSON_NUMBER)
        return okra_parse_real(text, text + json->length, x) == OKRA_NUMBER_REAL;
    if (event != OKRA_JSON_STRING)
        return false;
    if (read_nan_bits(text, &bits)) {
        memcpy(x, &bits, sizeof *x);
        return isnan(*x);
    }
    *x = text[0] == 'n' ? (double)NAN : text[0] == '-' ? -(double)INFINITY : (double)INFINITY;
    return strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
}

static bool read_f32(const okra_json_reader *json, okra_json_event event, float *x)
{
    uint64_t bits;
    if (event == OKRA_JSON_STRING && read_nan_bits(json->text, &bits)) {
        uint32_t half = (uint32_t)bits;
        memcpy(x, &half, sizeof *x);
        return bits <= UINT32_MAX && isnan(*x);
    }
    double wide = 0;
    bool known = read_f64(json, event, &wide);
    *x = (float)wide;
    return known && (isfinite(*x) || !isfinite(wide));
}

/* Stores a number in the bytes of an array. */
static bool read_number(const okra_json_reader *json, okra_json_event event, int bits, unsigned char *to)
{
    double wide = 0;
    float narrow = 0;
    bool good = bits == OKRA_F32 ? read_f32(json, event, &narrow) : read_f64(json, event, &wide);
    memcpy(to, bits == OKRA_F32 ? (const void *)&narrow : (const void *)&wide, (size_t)bits / 8);
    return good;
}

/* ---- the model ----------------------------------------------------------------------------------------------- */

/* Makes a model and frees it, to check that the file can be loaded. Export and import both do, so that import accepts
 * what export gives, and so that every array has the shape of the model: loops over rows end. */
static okra_status check_model(const void *bytes, size_t size, size_t limit, okra_message *why)
{
    okra_filter *model;
    okra_status status = okra_unpack(bytes, size, limit, &model, NULL, why);
    okra_free(model);
    return status;
}

/* ---- out ----------------------------------------------------------------------------------------------------- */

static void write_number(okra_json_writer *w, int bits, const unsigned char *at)
{
    char text[NUMBER_TEXT];
    double wide;
    float narrow;
    if (bits == OKRA_F32) {
        memcpy(&narrow, at, sizeof narrow);
        write_f32(narrow, text);
    } else {
        memcpy(&wide, at, sizeof wide);
        write_f64(wide, text);
    }
    okra_json_put_json(w, NULL, text, strlen(text));
}

/* A row of numbers on a line of its own. */
static void write_rows(okra_json_writer *w, const okra_tensor *tensor, const unsigned char *numbers)
{
    size_t width = (size_t)tensor->bits / 8;
    okra_json_open(w, "data", '[');
    for (size_t r = 0; r < tensor->rows && !w->out.lacks_memory; r++) {
        okra_json_open_line(w, NULL, '[');
        for (size_t c = 0; c < tensor->cols; c++, numbers += width)
            write_number(w, tensor->bits, numbers);
        okra_json_close(w);
    }
    okra_json_close(w);
}

static void write_tensor(okra_json_writer *w, const okra_safetensors *file, const okra_tensor *tensor)
{
    unsigned char *numbers = malloc(tensor->bytes + 1);
    w->out.lacks_memory |= !numbers;
    if (!numbers)
        return;
    okra_tensor_copy(file, tensor, numbers);
    okra_json_open(w, tensor->name, '{');
    okra_json_put_text(w, "dtype", okra_dtype_name(tensor->bits));
    okra_json_put_pair(w, "shape", tensor->rows, tensor->cols);
    write_rows(w, tensor, numbers);
    okra_json_close(w);
    free(numbers);
}

static char *write_file(const okra_safetensors *file)
{
    okra_json_writer w = {.indent = 2};
    okra_json_open(&w, NULL, '{');
    okra_json_open(&w, "metadata", '{');
    okra_metadata_write(file->metadata, &w);
    okra_json_close(&w);
    okra_json_open(&w, "arrays", '{');
    for (size_t i = 0; i < file->n_tensors && !w.out.lacks_memory; i++)
        write_tensor(&w, file, &file->tensors[i]);
    okra_json_close(&w), okra_json_close(&w);
    okra_text_add(&w.out, "\n");
    return okra_text_take(&w.out);
}

okra_status okra_export(const void *bytes, size_t size, size_t limit, char **json, okra_message *why)
{
    if (!bytes || !json)
        return okra_status_error(OKRA_E_NULL, why);
    *json = NULL;
    okra_safetensors file;
    okra_status status = check_model(bytes, size, limit, why);
    if (status)
        return status;
    status = okra_safetensors_open(&file, bytes, size, why);
    if (!status) {
        *json = write_file(&file);
        status = *json ? OKRA_OK : okra_status_error(OKRA_E_MEMORY, why);
    }
    okra_safetensors_close(&file);
    return status;
}

/* ---- in ------------------------------------------------------------------------------------------------------ */

/* An array in the text; its numbers are read when all shapes are known. */
typedef struct source {
    int bits;             /* 0: no known dtype */
    bool has_shape;       /* .. of two sizes: */
    size_t shape[2];      /* rows and columns */
    size_t begin, length; /* of its data in the text */
} source;

/* The contents of a text, in any order. */
typedef struct draft {
    const char *json;
    okra_metadata *metadata;
    bool has_metadata, has_arrays;
    okra_text not_text; /* the first metadata key whose value is not a string, if there is one */
    okra_keys names;    /* of the sources */
    source *sources;
    size_t capacity;
} draft;

static void draft_free(draft *d)
{
    okra_metadata_free(d->metadata);
    okra_keys_free(&d->names);
    free(d->not_text.bytes);
    free(d->sources);
}

static void start(okra_json_reader *json, const char *text, size_t length, bool unique)
{
    /* {"arrays": {"theta": {"data": [[0.5]]}}}, and some more for better messages about mistakes. */
    okra_json_start(json, (okra_json_limits){.depth = 8, .text = length, .unique = unique});
    okra_json_feed(json, text, length);
    okra_json_finish(json);
}

static okra_status refuse_json(const okra_json_reader *json, okra_message *why)
{
    if (json->lacks_memory)
        return okra_status_error(OKRA_E_MEMORY, why);
    return okra_refuse(why, "line %zu, column %zu: %s: not what okra export writes; correct it", json->line,
                       json->column, json->wrong);
}

/* Keys and values until the object ends: each() begins at a key, whose text stays valid, and ends with its value. */
static okra_json_event for_each(okra_json_reader *json, draft *d,
                                okra_json_event (*each)(okra_json_reader *json, draft *d, const char *key))
{
    okra_json_event event;
    while ((event = okra_json_next(json)) == OKRA_JSON_KEY)
        if ((event = each(json, d, json->text)) == OKRA_JSON_ERROR)
            break;
    return event;
}

static okra_json_event read_entry(okra_json_reader *json, draft *d, const char *key)
{
    okra_json_event event = okra_json_next(json);
    bool is_text = event == OKRA_JSON_STRING;
    if (is_text && strcmp(key, "checksum") != 0 && okra_metadata_set(&d->metadata, key, json->text))
        json->lacks_memory = true;
    if (!is_text && d->not_text.length == 0)
        okra_text_add(&d->not_text, *key ? key : " ");
    json->lacks_memory |= d->not_text.lacks_memory;
    return json->lacks_memory ? OKRA_JSON_ERROR : okra_json_skip(json, event);
}

/* Accepts 2.0 and 2e0 too: any integer. */
static bool read_size(const okra_json_reader *json, okra_json_event event, size_t *size)
{
    double number = -1;
    bool fits = event == OKRA_JSON_NUMBER && read_f64(json, event, &number) && number >= 0 && number <= 0x1p53 &&
                number == floor(number);
    *size = fits ? (size_t)number : 0;
    return fits;
}

/* Of the last array. */
static okra_json_event read_part(okra_json_reader *json, draft *d, const char *key)
{
    source *s = &d->sources[d->names.count - 1];
    okra_json_event event = okra_json_next(json);
    if (strcmp(key, "shape") == 0)
        s->has_shape = okra_read_pair(json, &event, read_size, s->shape);
    if (strcmp(key, "dtype") == 0 && event == OKRA_JSON_STRING)
        s->bits = okra_dtype_bits(json->text);
    if (strcmp(key, "data") != 0 || event != OKRA_JSON_ARRAY)
        return okra_json_skip(json, event);
    s->begin = json->offset - 1;
    event = okra_json_skip(json, event);
    s->length = json->offset - s->begin;
    return event;
}

static okra_json_event read_array(okra_json_reader *json, draft *d, const char *key)
{
    source *larger = okra_grow(d->sources, d->names.count, &d->capacity, sizeof *larger);
    if (larger)
        d->sources = larger;
    json->lacks_memory = !larger || !okra_keys_add(&d->names, key);
    if (json->lacks_memory)
        return OKRA_JSON_ERROR;
    d->sources[d->names.count - 1] = (source){0};
    okra_json_event event = okra_json_next(json);
    return event == OKRA_JSON_OBJECT ? for_each(json, d, read_part) : okra_json_skip(json, event);
}

static okra_json_event read_half(okra_json_reader *json, draft *d, const char *key)
{
    bool metadata = strcmp(key, "metadata") == 0, arrays = strcmp(key, "arrays") == 0;
    okra_json_event event = okra_json_next(json);
    if (event != OKRA_JSON_OBJECT || !(metadata || arrays))
        return okra_json_skip(json, event);
    d->has_metadata |= metadata, d->has_arrays |= arrays;
    return for_each(json, d, metadata ? read_entry : read_array);
}

static okra_status read_draft(draft *d, size_t length, okra_message *why)
{
    okra_json_reader json;
    start(&json, d->json, length, true);
    okra_json_event event = okra_json_next(&json);
    if (event == OKRA_JSON_OBJECT)
        event = for_each(&json, d, read_half);
    while (event < OKRA_JSON_END)
        event = okra_json_next(&json);
    okra_status status = event == OKRA_JSON_ERROR ? refuse_json(&json, why) : OKRA_OK;
    okra_json_stop(&json);
    if (status)
        return status;
    if (!d->has_metadata || !d->has_arrays)
        return okra_refuse(why, "no \"metadata\" and \"arrays\": name a file that okra export has written");
    if (d->not_text.length > 0)
        return okra_refuse(why, "metadata '%.80s' is no text: put it in quotes", d->not_text.bytes);
    return OKRA_OK;
}

/* ---- numbers out of the text --------------------------------------------------------------------------------- */

/* Findings while reading an array's data. */
typedef struct survey {
    size_t rows;
    size_t odd_row, odd_length; /* the first row of a wrong length, from 1 */
    size_t bad_row, bad_column; /* the first value that is not a number, from 1 */
} survey;

/* Reads a row, whose first event is given, into `to`, as far as the numbers fit. */
static okra_json_event read_row(okra_json_reader *json, const source *s, okra_json_event event, survey *v,
                                unsigned char *to)
{
    size_t n = 0, row = ++v->rows, width = (size_t)s->bits / 8;
    bool is_row = event == OKRA_JSON_ARRAY;
    while (is_row && (event = okra_json_next(json)) != OKRA_JSON_ARRAY_END && event < OKRA_JSON_END) {
        bool placed = to && n < s->shape[1] && row <= s->shape[0];
        if (placed && !read_number(json, event, s->bits, to + ((row - 1) * s->shape[1] + n) * width) && !v->bad_row)
            v->bad_row = row, v->bad_column = n + 1;
        event = okra_json_skip(json, event);
        n++;
    }
    if ((!is_row || n != s->shape[1]) && !v->odd_row)
        v->odd_row = row, v->odd_length = n;
    return is_row ? event : okra_json_skip(json, event);
}

static okra_status judge(const char *name, const source *s, const survey *v, okra_message *why)
{
    if (v->rows != s->shape[0])
        return okra_refuse(why, "array '%.80s' has %zu rows of data, and its shape says %zu: make them agree", name,
                           v->rows, s->shape[0]);
    if (v->odd_row)
        return okra_refuse(why, "array '%.80s', row %zu, has %zu numbers, and its shape says %zu: make them agree",
                           name, v->odd_row, v->odd_length, s->shape[1]);
    if (v->bad_row)
        return okra_refuse(why,
                           "array '%.80s', row %zu, column %zu, is no F%d number, nor \"nan\", \"inf\" or "
                           "\"-inf\": correct it",
                           name, v->bad_row, v->bad_column, s->bits);
    return OKRA_OK;
}

/* Reads an array's numbers; if `to` is NULL, only counts them. */
static okra_status read_data(const draft *d, size_t i, unsigned char *to, okra_message *why)
{
    const source *s = &d->sources[i];
    survey v = {0};
    okra_json_reader json;
    start(&json, d->json + s->begin, s->length, false);
    okra_json_event event = s->length > 0 ? okra_json_next(&json) : OKRA_JSON_ARRAY_END;
    while (event != OKRA_JSON_ARRAY_END && event < OKRA_JSON_END)
        if ((event = okra_json_next(&json)) != OKRA_JSON_ARRAY_END)
            event = read_row(&json, s, event, &v, to) == OKRA_JSON_ERROR ? OKRA_JSON_ERROR : OKRA_JSON_ARRAY;
    okra_status status = event == OKRA_JSON_ERROR ? okra_status_error(OKRA_E_MEMORY, why) /* it was valid JSON before */
                                                  : judge(okra_keys_at(&d->names, i), s, &v, why);
    okra_json_stop(&json);
    return status;
}

/* Before memory is allocated: each number takes at least one byte of text, so an array cannot be longer than its
 * text. */
static okra_status check_source(const draft *d, size_t i, okra_message *why)
{
    const source *s = &d->sources[i];
    const char *name = okra_keys_at(&d->names, i);
    size_t numbers;
    if (!s->bits)
        return okra_refuse(why, "array '%.80s' has no dtype of \"F64\" or \"F32\": add it", name);
    if (!s->has_shape)
        return okra_refuse(why, "array '%.80s' has no shape of [rows, columns]: add it", name);
    if (__builtin_mul_overflow(s->shape[0], s->shape[1], &numbers) || numbers > s->length || s->shape[0] > s->length)
        return read_data(d, i, NULL, why); /* which finds where they differ */
    if (s->shape[0] == 0 && s->shape[1] > MAX_HEADER)
        return okra_refuse(why, "array '%.80s' has a shape of %zu empty columns: correct it", name, s->shape[1]);
    return OKRA_OK;
}

/* Makes a file of what was read; it may not be a model yet. */
static okra_status assemble(const draft *d, unsigned char **bytes, size_t *size, okra_message *why)
{
    size_t n = d->names.count;
    unsigned char *data;
    okra_tensor *tensors = calloc(n + 1, sizeof *tensors);
    okra_status status = tensors ? OKRA_OK : okra_status_error(OKRA_E_MEMORY, why);
    for (size_t i = 0; i < n && !status; i++) {
        const source *s = &d->sources[i];
        status = check_source(d, i, why);
        tensors[i] =
            (okra_tensor){okra_keys_at(&d->names, i), .bits = s->bits, .rows = s->shape[0], .cols = s->shape[1]};
    }
    if (!status)
        status = okra_safetensors_lay_out(d->metadata, tensors, n, bytes, size, &data, why);
    for (size_t i = 0; i < n && !status; i++)
        status = read_data(d, i, data + tensors[i].begin, why);
    if (!status)
        okra_safetensors_seal(*bytes, *size, data, tensors, n);
    free(tensors);
    return status;
}

/* Converts the text to a file. Frees what was read before a model is made. */
static okra_status import(const char *json, size_t length, unsigned char **bytes, size_t *size, okra_message *why)
{
    draft d = {.json = json};
    okra_status status = read_draft(&d, length, why);
    if (!status)
        status = assemble(&d, bytes, size, why);
    draft_free(&d);
    return status;
}

okra_status okra_import(const char *json, size_t length, size_t limit, unsigned char **bytes, size_t *size,
                        okra_message *why)
{
    if (!json || !bytes || !size)
        return okra_status_error(OKRA_E_NULL, why);
    *bytes = NULL;
    okra_status status = import(json, length, bytes, size, why);
    if (!status)
        status = check_model(*bytes, *size, limit, why);
    if (status) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
