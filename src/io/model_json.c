/*
 * A model file as JSON and back, bit for bit.
 *
 *     {"metadata": {"format": "okra model", ..}, "arrays": {"theta": {"dtype": "F64", "shape": [1, 3], "data": [[0.5,
 * "nan", 2]]}}}
 *
 * The checksum is left out, because editing the text is allowed; it is made anew.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "json_limits.h"
#include "json_text.h"
#include "model_metadata.h"
#include "number.h"
#include "say.h"
#include "text.h"

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

/* The ordinary NaN is "nan"; any other has its bits with it. */
static void write_nan(uint64_t bits, uint64_t ordinary, char text[NUMBER_TEXT])
{
    if (bits == ordinary)
        snprintf(text, NUMBER_TEXT, "\"nan\"");
    else
        snprintf(text, NUMBER_TEXT, "\"nan 0x%" PRIx64 "\"", bits);
}

static void write_infinity(bool negative, char text[NUMBER_TEXT])
{
    snprintf(text, NUMBER_TEXT, negative ? "\"-inf\"" : "\"inf\"");
}

static void write_f64(double x, char text[NUMBER_TEXT])
{
    if (isnan(x))
        write_nan(bits_of(x), bits_of((double)NAN), text);
    else if (isinf(x))
        write_infinity(x < 0, text);
    else
        okra_format_real(x, text);
}

/* The shortest decimal of a float is read as a double first, and rounding twice can differ: then the double's own. */
static void write_f32(float x, char text[NUMBER_TEXT])
{
    if (isnan(x)) {
        write_nan(bits_of_f32(x), bits_of_f32(NAN), text);
    } else if (isinf(x)) {
        write_infinity(x < 0, text);
    } else {
        double back;
        okra_format_real_f32(x, text);
        if (okra_parse_real(text, text + strlen(text), &back) != OKRA_NUMBER_REAL || (float)back != x)
            okra_format_real((double)x, text); /* GCOVR_EXCL_LINE: no float is known to need it */
    }
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

static bool read_f64(const json_t *value, double *x)
{
    const char *text = json_string_value(value);
    uint64_t bits;
    *x = json_number_value(value);
    if (!text)
        return json_is_number(value);
    if (read_nan_bits(text, &bits)) {
        memcpy(x, &bits, sizeof *x);
        return isnan(*x);
    }
    *x = text[0] == 'n' ? (double)NAN : text[0] == '-' ? -(double)INFINITY : (double)INFINITY;
    return strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
}

static bool read_f32(const json_t *value, float *x)
{
    const char *text = json_string_value(value);
    uint64_t bits;
    if (text && read_nan_bits(text, &bits)) {
        uint32_t half = (uint32_t)bits;
        memcpy(x, &half, sizeof *x);
        return bits <= UINT32_MAX && isnan(*x);
    }
    double wide;
    bool known = read_f64(value, &wide);
    *x = (float)wide;
    return known && (isfinite(*x) || !isfinite(wide));
}

/* ---- the model ----------------------------------------------------------------------------------------------- */

/* A model that nobody wants: whoever can make one from the bytes can load the file. Export and import ask the same, so
 * that what the one gives the other takes, and so that no array has a shape but its own: loops over rows end. */
static okra_status check_model(const void *bytes, size_t size, size_t limit, okra_message *why)
{
    okra_filter *model;
    okra_status status = okra_unpack(bytes, size, limit, &model, NULL, why);
    okra_free(model);
    return status;
}

/* ---- out ----------------------------------------------------------------------------------------------------- */

static void write_string(okra_text *out, const char *text)
{
    json_t *string = json_string(text);
    char *quoted = okra_json_dump(string, JSON_ENCODE_ANY);
    if (quoted)
        okra_text_add(out, quoted);
    else
        out->lacks_memory = true;
    free(quoted);
    json_decref(string);
}

static void write_metadata(okra_text *out, const json_t *metadata)
{
    const char *key, *before = "\n    ";
    json_t *value;
    okra_text_add(out, "  \"metadata\": {");
    json_object_foreach((json_t *)(uintptr_t)metadata, key, value)
    {
        if (strcmp(key, "checksum") == 0)
            continue;
        okra_text_add(out, before);
        write_string(out, key);
        okra_text_add(out, ": ");
        write_string(out, json_string_value(value));
        before = ",\n    ";
    }
    okra_text_add(out, "\n  }");
}

static void write_number(okra_text *out, int bits, const unsigned char *at)
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
    okra_text_add(out, text);
}

/* A row of numbers on a line of its own. */
static void write_rows(okra_text *out, const okra_tensor *tensor, const unsigned char *numbers)
{
    size_t width = (size_t)tensor->bits / 8;
    for (size_t r = 0; r < tensor->rows; r++) {
        okra_text_add(out, r > 0 ? ",\n        [" : "\n        [");
        for (size_t c = 0; c < tensor->cols; c++) {
            if (c > 0)
                okra_text_add(out, ", ");
            write_number(out, tensor->bits, numbers + (r * tensor->cols + c) * width);
        }
        okra_text_add(out, "]");
    }
}

static void write_tensor(okra_text *out, const okra_safetensors *file, const okra_tensor *tensor)
{
    char shape[128];
    unsigned char *numbers = malloc(tensor->bytes + 1);
    out->lacks_memory |= !numbers;
    if (!numbers)
        return;
    okra_tensor_copy(file, tensor, numbers);
    snprintf(shape, sizeof shape, ": {\n      \"dtype\": \"F%d\",\n      \"shape\": [%zu, %zu],\n      \"data\": [",
             tensor->bits, tensor->rows, tensor->cols);
    write_string(out, tensor->name);
    okra_text_add(out, shape);
    write_rows(out, tensor, numbers);
    okra_text_add(out, tensor->rows > 0 ? "\n      ]\n    }" : "]\n    }");
    free(numbers);
}

static void write_file(okra_text *out, const okra_safetensors *file)
{
    okra_text_add(out, "{\n");
    write_metadata(out, file->metadata);
    okra_text_add(out, ",\n  \"arrays\": {");
    for (size_t i = 0; i < file->n_tensors && !out->lacks_memory; i++) {
        okra_text_add(out, i > 0 ? ",\n    " : "\n    ");
        write_tensor(out, file, &file->tensors[i]);
    }
    okra_text_add(out, "\n  }\n}\n");
}

okra_status okra_export(const void *bytes, size_t size, size_t limit, char **json, okra_message *why)
{
    if (!bytes || !json)
        return okra_say_status(OKRA_E_NULL, why);
    *json = NULL;
    okra_safetensors file;
    okra_status status = check_model(bytes, size, limit, why);
    if (status)
        return status;
    status = okra_safetensors_open(&file, bytes, size, why);
    if (!status) {
        okra_text out = {0};
        write_file(&out, &file);
        *json = okra_text_take(&out);
        status = *json ? OKRA_OK : okra_say_status(OKRA_E_MEMORY, why);
    }
    okra_safetensors_close(&file);
    return status;
}

/* ---- in ------------------------------------------------------------------------------------------------------ */

/* Whole numbers come as reals too, because -0 is to keep its sign. */
static bool read_size(const json_t *value, size_t *size)
{
    double number = json_real_value(value);
    bool fits = json_is_real(value) && number >= 0 && number <= 0x1p53 && number == floor(number);
    *size = fits ? (size_t)number : 0;
    return fits;
}

static okra_status read_shape(const char *name, const json_t *entry, okra_tensor *tensor, okra_message *why)
{
    const char *dtype = okra_metadata_text(entry, "dtype");
    const json_t *shape = json_object_get(entry, "shape"), *data = json_object_get(entry, "data");
    *tensor = (okra_tensor){.name = name};
    if (!dtype || (strcmp(dtype, "F64") != 0 && strcmp(dtype, "F32") != 0))
        return okra_refuse_file(why, "array '%.80s' has no dtype of \"F64\" or \"F32\": add it", name);
    tensor->bits = strcmp(dtype, "F64") == 0 ? OKRA_F64 : OKRA_F32;
    if (json_array_size(shape) != 2 || !read_size(json_array_get(shape, 0), &tensor->rows) ||
        !read_size(json_array_get(shape, 1), &tensor->cols))
        return okra_refuse_file(why, "array '%.80s' has no shape of [rows, columns]: add it", name);
    if (!json_is_array(data) || json_array_size(data) != tensor->rows)
        return okra_refuse_file(why, "array '%.80s' has %zu rows of data, and its shape says %zu: make them agree",
                                name, json_array_size(data), tensor->rows);
    for (size_t r = 0; r < tensor->rows; r++) {
        const json_t *row = json_array_get(data, r);
        if (!json_is_array(row) || json_array_size(row) != tensor->cols)
            return okra_refuse_file(why,
                                    "array '%.80s', row %zu, has %zu numbers, and its shape says %zu: make them agree",
                                    name, r + 1, json_array_size(row), tensor->cols);
    }
    if (tensor->rows == 0 && tensor->cols > HEADER_MOST)
        return okra_refuse_file(why, "array '%.80s' has a shape of %zu empty columns: correct it", name, tensor->cols);
    return OKRA_OK;
}

static okra_status read_numbers(const json_t *entry, const okra_tensor *tensor, unsigned char *to, okra_message *why)
{
    const json_t *data = json_object_get(entry, "data");
    size_t width = (size_t)tensor->bits / 8;
    for (size_t r = 0; r < tensor->rows; r++)
        for (size_t c = 0; c < tensor->cols; c++, to += width) {
            const json_t *value = json_array_get(json_array_get(data, r), c);
            double wide = 0;
            float narrow = 0;
            bool good = tensor->bits == OKRA_F32 ? read_f32(value, &narrow) : read_f64(value, &wide);
            if (!good)
                return okra_refuse_file(why,
                                        "array '%.80s', row %zu, column %zu, is no F%d number, nor \"nan\", \"inf\" or "
                                        "\"-inf\": correct it",
                                        tensor->name, r + 1, c + 1, tensor->bits);
            memcpy(to, tensor->bits == OKRA_F32 ? (const void *)&narrow : (const void *)&wide, width);
        }
    return OKRA_OK;
}

static okra_status read_shapes(json_t *arrays, okra_tensor *tensors, okra_message *why)
{
    const char *name;
    json_t *entry;
    json_object_foreach(arrays, name, entry)
    {
        okra_status status = read_shape(name, entry, tensors++, why);
        if (status)
            return status;
    }
    return OKRA_OK;
}

static okra_status fill(json_t *arrays, const okra_tensor *tensors, unsigned char *data, okra_message *why)
{
    const char *name;
    json_t *entry;
    size_t i = 0;
    json_object_foreach(arrays, name, entry)
    {
        const okra_tensor *tensor = &tensors[i++];
        okra_status status = read_numbers(entry, tensor, data + tensor->begin, why);
        if (status)
            return status;
    }
    return OKRA_OK;
}

/* A file from the two halves, not yet known to be a model. */
static okra_status assemble(const json_t *metadata, json_t *arrays, unsigned char **bytes, size_t *size,
                            okra_message *why)
{
    size_t n = json_object_size(arrays);
    unsigned char *data;
    okra_tensor *tensors = calloc(n + 1, sizeof *tensors);
    okra_status status = tensors ? read_shapes(arrays, tensors, why) : okra_say_status(OKRA_E_MEMORY, why);
    if (!status)
        status = okra_safetensors_lay_out(metadata, tensors, n, bytes, size, &data, why);
    if (!status)
        status = fill(arrays, tensors, data, why);
    if (!status)
        okra_safetensors_seal(*bytes, *size, data, tensors, n);
    free(tensors);
    return status;
}

static okra_status check_halves(json_t *metadata, json_t *arrays, okra_message *why)
{
    const char *key;
    json_t *value;
    if (!json_is_object(metadata) || !json_is_object(arrays))
        return okra_refuse_file(why, "no \"metadata\" and \"arrays\": name a file that okra export has written");
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return okra_refuse_file(why, "metadata '%.80s' is no text: put it in quotes", key);
    }
    json_object_del(metadata, "checksum");
    return OKRA_OK;
}

static okra_status parse(const char *json, size_t length, json_t **root, okra_message *why)
{
    /* {"arrays": {"theta": {"data": [[0.5]]}}}, and some for mistakes that are better told by name. */
    static const okra_json_limits limits = {.depth = 8};
    size_t line, column;
    const char *wrong = okra_json_look_over(json, length, &limits, &line, &column);
    *root = wrong ? NULL : okra_json_load(json, length, true, &wrong, &line, &column);
    if (wrong)
        return okra_refuse_file(why, "line %zu, column %zu: %s: not what okra export writes; correct it", line, column,
                                wrong);
    return *root ? OKRA_OK : okra_say_status(OKRA_E_MEMORY, why);
}

/* The text as a file. What was parsed is gone before a model is made. */
static okra_status import(const char *json, size_t length, unsigned char **bytes, size_t *size, okra_message *why)
{
    json_t *root;
    okra_status status = parse(json, length, &root, why);
    json_t *metadata = json_object_get(root, "metadata"), *arrays = json_object_get(root, "arrays");
    if (!status)
        status = check_halves(metadata, arrays, why);
    if (!status)
        status = assemble(metadata, arrays, bytes, size, why);
    json_decref(root);
    return status;
}

okra_status okra_import(const char *json, size_t length, size_t limit, unsigned char **bytes, size_t *size,
                        okra_message *why)
{
    if (!json || !bytes || !size)
        return okra_say_status(OKRA_E_NULL, why);
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
