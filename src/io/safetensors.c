/* Model files as containers: nothing here knows what a model is. */
#include "safetensors.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "json_limits.h"
#include "json_text.h"
#include "say.h"

/* What every file begins with, after its header's length; 16 digits follow. */
static const char beginning[] = "{\"__metadata__\":{\"checksum\":\"";

enum { LENGTH_BYTES = 8, DIGITS_AT = LENGTH_BYTES + sizeof beginning - 1, LEAST_SIZE = DIGITS_AT + CHECKSUM_DIGITS };

static const char zeros[CHECKSUM_DIGITS + 1] = "0000000000000000";

okra_status okra_refuse_file(okra_message *why, const char *format, ...)
{
    char text[sizeof why->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    okra_say(why, "%s", text);
    return OKRA_E_FORMAT;
}

static okra_status out_of_memory(okra_message *why)
{
    okra_say(why, "out of memory for a model file: free some");
    return OKRA_E_MEMORY;
}

static okra_status not_a_model(okra_message *why)
{
    return okra_refuse_file(why, "not a model file: name one that okra has saved");
}

/* ---- bytes --------------------------------------------------------------------------------------------------- */

static void put_length(unsigned char *bytes, uint64_t length)
{
    for (int k = 0; k < LENGTH_BYTES; k++)
        bytes[k] = (unsigned char)(length >> 8 * k);
}

static uint64_t get_length(const unsigned char *bytes)
{
    uint64_t length = 0;
    for (int k = 0; k < LENGTH_BYTES; k++)
        length |= (uint64_t)bytes[k] << 8 * k;
    return length;
}

/* Between the machine's byte order and the file's, which is little-endian: the same both ways. */
static void turn(unsigned char *numbers, size_t bytes, size_t width)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (; bytes >= width; bytes -= width, numbers += width)
        for (size_t k = 0; k < width / 2; k++) {
            unsigned char kept = numbers[k];
            numbers[k] = numbers[width - 1 - k];
            numbers[width - 1 - k] = kept;
        }
#else
    (void)numbers, (void)bytes, (void)width;
#endif
}

static size_t width_of(const okra_tensor *tensor) { return (size_t)tensor->bits / 8; }

void okra_tensor_copy(const okra_safetensors *file, const okra_tensor *tensor, void *to)
{
    memcpy(to, file->data + tensor->begin, tensor->bytes);
    turn(to, tensor->bytes, width_of(tensor));
}

static void find_checksum(const unsigned char *bytes, size_t size, char digits[CHECKSUM_DIGITS + 1])
{
    okra_checksum sum;
    okra_checksum_start(&sum);
    okra_checksum_add(&sum, bytes, DIGITS_AT);
    okra_checksum_add(&sum, zeros, CHECKSUM_DIGITS);
    okra_checksum_add(&sum, bytes + LEAST_SIZE, size - LEAST_SIZE);
    okra_checksum_finish(&sum, digits);
}

bool okra_safetensors_sign(unsigned char *bytes, size_t size)
{
    char digits[CHECKSUM_DIGITS + 1];
    if (size < LEAST_SIZE || memcmp(bytes + LENGTH_BYTES, beginning, sizeof beginning - 1) != 0)
        return false;
    find_checksum(bytes, size, digits);
    memcpy(bytes + DIGITS_AT, digits, CHECKSUM_DIGITS);
    return true;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

/* Is it ours at all, and is its header there? */
static okra_status check_beginning(const unsigned char *bytes, size_t size, okra_message *why)
{
    if (size <= LENGTH_BYTES)
        return not_a_model(why);
    size_t there = size - LENGTH_BYTES, known = sizeof beginning - 1;
    uint64_t length = get_length(bytes);
    if (memcmp(bytes + LENGTH_BYTES, beginning, there < known ? there : known) != 0 || length > HEADER_MOST ||
        length < LEAST_SIZE - LENGTH_BYTES)
        return not_a_model(why);
    if (size < LEAST_SIZE || length > there)
        return okra_refuse_file(why, "truncated: it ends after %zu bytes, within its header: use another copy", size);
    return OKRA_OK;
}

/* Every entry is a string, as safetensors demands. */
static bool all_strings(json_t *metadata)
{
    const char *key;
    json_t *value;
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return false;
    }
    return json_is_object(metadata);
}

static okra_status read_header(okra_safetensors *file, const char *text, size_t length, okra_message *why)
{
    /* {"theta":{"shape":[..]}}; an array takes 8 values and 50 bytes at least, an entry of the metadata more for each.
     */
    static const okra_json_limits limits = {.depth = 3, .bytes_a_value = 6};
    size_t line, column;
    const char *wrong = okra_json_look_over(text, length, &limits, &line, &column);
    file->header = wrong ? NULL : okra_json_load(text, length, false, &wrong, &line, &column);
    if (wrong)
        return okra_refuse_file(why, "its header is damaged (%s near byte %zu): use another copy", wrong, column + 7);
    if (!file->header)
        return out_of_memory(why);
    json_t *metadata = json_object_get(file->header, "__metadata__");
    file->metadata = metadata;
    return all_strings(metadata) ? OKRA_OK : okra_refuse_file(why, "its metadata are not texts: use another copy");
}

const char *okra_metadata_text(const json_t *metadata, const char *key)
{
    return json_string_value(json_object_get(metadata, key));
}

/* Before anything else is believed: a newer format may mean other things by the same words. */
static okra_status check_version(const okra_safetensors *file, okra_message *why)
{
    const char *format = okra_metadata_text(file->metadata, "format");
    const char *version = okra_metadata_text(file->metadata, "format_version");
    const char *writer = okra_metadata_text(file->metadata, "okra_version");
    if (!format || strcmp(format, "okra model") != 0 || !version)
        return not_a_model(why);
    size_t digits = strspn(version, "0123456789");
    if (digits == 0 || version[digits] || version[0] == '0')
        return okra_refuse_file(why, "its format version is '%.40s', not a number: use another copy", version);
    if (digits > 6 || strtol(version, NULL, 10) > OKRA_MODEL_FORMAT)
        return okra_refuse_file(why,
                                "written by okra %.40s in model format %.40s, but this is okra %s, which reads formats "
                                "up to %d: use a newer okra",
                                writer ? writer : "?", version, okra_version(), OKRA_MODEL_FORMAT);
    return OKRA_OK;
}

static bool read_size(const json_t *value, size_t *size)
{
    json_int_t number = json_integer_value(value);
    *size = (size_t)number;
    return json_is_integer(value) && number >= 0 && (uintmax_t)number <= SIZE_MAX;
}

static int read_dtype(const char *dtype)
{
    return !dtype ? 0 : strcmp(dtype, "F64") == 0 ? OKRA_F64 : strcmp(dtype, "F32") == 0 ? OKRA_F32 : 0;
}

/* rows x cols numbers, in bytes. */
static bool tensor_bytes(const okra_tensor *tensor, size_t *bytes)
{
    return !__builtin_mul_overflow(tensor->rows, tensor->cols, bytes) &&
           !__builtin_mul_overflow(*bytes, width_of(tensor), bytes);
}

static okra_status read_tensor(const char *name, const json_t *entry, okra_tensor *tensor, okra_message *why)
{
    const json_t *shape = json_object_get(entry, "shape"), *offsets = json_object_get(entry, "data_offsets");
    size_t end, bytes;
    *tensor = (okra_tensor){.name = name, .bits = read_dtype(okra_metadata_text(entry, "dtype"))};
    if (json_object_size(entry) != 3 || !tensor->bits)
        return okra_refuse_file(why, "array '%.80s' is not of type F64 or F32: use another copy", name);
    if (json_array_size(shape) != 2 || !read_size(json_array_get(shape, 0), &tensor->rows) ||
        !read_size(json_array_get(shape, 1), &tensor->cols) || !tensor_bytes(tensor, &bytes))
        return okra_refuse_file(why, "array '%.80s' has no shape of two sizes: use another copy", name);
    if (json_array_size(offsets) != 2 || !read_size(json_array_get(offsets, 0), &tensor->begin) ||
        !read_size(json_array_get(offsets, 1), &end) || end < tensor->begin || end - tensor->begin != bytes)
        return okra_refuse_file(why, "array '%.80s' has offsets that do not fit its shape: use another copy", name);
    tensor->bytes = bytes;
    return OKRA_OK;
}

/* The tensors one after the other, and nothing beside them. */
static okra_status read_tensors(okra_safetensors *file, okra_message *why)
{
    const size_t data_bytes = file->data_bytes;
    const char *name;
    json_t *entry;
    size_t end = 0;
    file->tensors = calloc(json_object_size(file->header), sizeof *file->tensors);
    if (!file->tensors)
        return out_of_memory(why);
    json_object_foreach(file->header, name, entry)
    {
        if (entry == file->metadata)
            continue;
        okra_tensor *tensor = &file->tensors[file->n_tensors];
        okra_status status = read_tensor(name, entry, tensor, why);
        if (status)
            return status;
        if (tensor->begin != end)
            return okra_refuse_file(why, "array '%.80s' does not begin where the one before it ends: use another copy",
                                    name);
        end += tensor->bytes;
        file->n_tensors++;
    }
    if (end > data_bytes)
        return okra_refuse_file(why, "truncated: %zu of %zu bytes of arrays are there: use another copy", data_bytes,
                                end);
    if (end < data_bytes)
        return okra_refuse_file(why, "%zu bytes too long: something was added at its end: use another copy",
                                data_bytes - end);
    return OKRA_OK;
}

static okra_status check_checksum(const unsigned char *bytes, size_t size, okra_message *why)
{
    char digits[CHECKSUM_DIGITS + 1];
    find_checksum(bytes, size, digits);
    if (memcmp(bytes + DIGITS_AT, digits, CHECKSUM_DIGITS) == 0)
        return OKRA_OK;
    return okra_refuse_file(why, "altered since it was saved: its checksum does not fit: use another copy");
}

okra_status okra_safetensors_open(okra_safetensors *file, const void *memory, size_t size, okra_message *why)
{
    const unsigned char *bytes = memory;
    *file = (okra_safetensors){0};
    okra_status status = check_beginning(bytes, size, why);
    if (status)
        return status;
    size_t length = (size_t)get_length(bytes);
    file->data = bytes + LENGTH_BYTES + length;
    file->data_bytes = size - LENGTH_BYTES - length;
    status = read_header(file, (const char *)bytes + LENGTH_BYTES, length, why);
    if (!status)
        status = check_version(file, why);
    if (!status)
        status = read_tensors(file, why);
    return status ? status : check_checksum(bytes, size, why);
}

void okra_safetensors_close(okra_safetensors *file)
{
    json_decref(file->header);
    free(file->tensors);
    *file = (okra_safetensors){0};
}

/* A model has a dozen arrays, so a look at each is quick enough; a file of a million gets a dozen looks. */
const okra_tensor *okra_safetensors_find(const okra_safetensors *file, const char *name)
{
    for (size_t i = 0; i < file->n_tensors; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}

/* ---- making -------------------------------------------------------------------------------------------------- */

static bool place(okra_tensor *tensors, size_t n, size_t *end)
{
    *end = 0;
    for (size_t i = 0; i < n; i++) {
        tensors[i].begin = *end;
        if (!tensor_bytes(&tensors[i], &tensors[i].bytes) || __builtin_add_overflow(*end, tensors[i].bytes, end))
            return false; /* GCOVR_EXCL_LINE: what is laid out is in memory already */
    }
    return *end <= SIZE_MAX / 2;
}

static json_t *tensor_entry(const okra_tensor *t)
{
    return json_pack("{s:s, s:[I,I], s:[I,I]}", "dtype", t->bits == OKRA_F32 ? "F32" : "F64", "shape",
                     (json_int_t)t->rows, (json_int_t)t->cols, "data_offsets", (json_int_t)t->begin,
                     (json_int_t)t->begin + (json_int_t)t->bytes);
}

/* The header's text, to be freed; NULL where there is no memory for it. */
static char *header_text(const json_t *metadata, const okra_tensor *tensors, size_t n_tensors)
{
    json_t *header = json_object(), *first = json_pack("{s:s}", "checksum", zeros);
    bool made = header && first && json_object_update(first, (json_t *)(uintptr_t)metadata) == 0 &&
                json_object_set(header, "__metadata__", first) == 0;
    for (size_t i = 0; i < n_tensors && made; i++)
        made = json_object_set_new(header, tensors[i].name, tensor_entry(&tensors[i])) == 0;
    char *text = made ? okra_json_dump(header, JSON_COMPACT) : NULL;
    json_decref(first);
    json_decref(header);
    return text;
}

okra_status okra_safetensors_lay_out(const json_t *metadata, okra_tensor *tensors, size_t n_tensors,
                                     unsigned char **bytes, size_t *size, unsigned char **data, okra_message *why)
{
    size_t data_bytes;
    *bytes = NULL;
    if (!place(tensors, n_tensors, &data_bytes))
        return out_of_memory(why); /* GCOVR_EXCL_LINE */
    char *text = header_text(metadata, tensors, n_tensors);
    size_t length = text ? strlen(text) : 0, padded = (length + 7) / 8 * 8; /* so that the numbers are aligned */
    if (padded > HEADER_MOST) {
        okra_say(why, "the notes and names take %zu bytes, and a header holds %d: shorten them", padded, HEADER_MOST);
        free(text);
        return OKRA_E_PARAMETER;
    }
    *bytes = text ? malloc(LENGTH_BYTES + padded + data_bytes) : NULL;
    if (*bytes) {
        put_length(*bytes, padded);
        memcpy(*bytes + LENGTH_BYTES, text, length);
        memset(*bytes + LENGTH_BYTES + length, ' ', padded - length);
        *data = *bytes + LENGTH_BYTES + padded;
        *size = LENGTH_BYTES + padded + data_bytes;
    }
    free(text);
    return *bytes ? OKRA_OK : out_of_memory(why);
}

void okra_safetensors_seal(unsigned char *bytes, size_t size, unsigned char *data, const okra_tensor *tensors,
                           size_t n_tensors)
{
    for (size_t i = 0; i < n_tensors; i++)
        turn(data + tensors[i].begin, tensors[i].bytes, width_of(&tensors[i]));
    okra_safetensors_sign(bytes, size);
}
