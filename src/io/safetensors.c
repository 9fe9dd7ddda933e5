/* Model files as containers, independent of models. */
#include "safetensors.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "message.h"
#include "number.h"

/* Every file begins with this, after its header's length; 16 digits follow. */
static const char beginning[] = "{\"__metadata__\":{\"checksum\":\"";

enum { LENGTH_BYTES = 8, DIGITS_AT = LENGTH_BYTES + sizeof beginning - 1, MIN_SIZE = DIGITS_AT + CHECKSUM_DIGITS };

static const char zeros[CHECKSUM_DIGITS + 1] = "0000000000000000";

static okra_status out_of_memory(okra_message *why)
{
    return okra_error(OKRA_E_MEMORY, why, "out of memory for a model file: free some");
}

static okra_status not_a_model(okra_message *why)
{
    return okra_refuse(why, "not a model file: name one that okra has saved");
}

/* ---- bytes --------------------------------------------------------------------------------------------------- */

static void put_length(unsigned char *bytes, uint64_t length)
{
    for (int k = 0; k < LENGTH_BYTES; k++)
        bytes[k] = (unsigned char)(length >> 8 * k);
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
    okra_checksum_add(&sum, bytes + MIN_SIZE, size - MIN_SIZE);
    okra_checksum_finish(&sum, digits);
}

bool okra_safetensors_sign(unsigned char *bytes, size_t size)
{
    char digits[CHECKSUM_DIGITS + 1];
    if (size < MIN_SIZE || memcmp(bytes + LENGTH_BYTES, beginning, sizeof beginning - 1) != 0)
        return false;
    find_checksum(bytes, size, digits);
    memcpy(bytes + DIGITS_AT, digits, CHECKSUM_DIGITS);
    return true;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

/* Checks that it is our format, and that its header is complete. */
static okra_status check_beginning(const unsigned char *bytes, size_t size, okra_message *why)
{
    if (size <= LENGTH_BYTES)
        return not_a_model(why);
    size_t there = size - LENGTH_BYTES, known = sizeof beginning - 1;
    uint64_t length = okra_load_little(bytes);
    if (memcmp(bytes + LENGTH_BYTES, beginning, there < known ? there : known) != 0 || length > MAX_HEADER ||
        length < MIN_SIZE - LENGTH_BYTES)
        return not_a_model(why);
    if (size < MIN_SIZE || length > there)
        return okra_refuse(why, "truncated: it ends after %zu bytes, within its header: use another copy", size);
    return OKRA_OK;
}

/* Checked first: a newer format may use the same keys differently. */
static okra_status check_version(const okra_metadata *metadata, okra_message *why)
{
    const char *format = okra_metadata_get(metadata, "format");
    const char *version = okra_metadata_get(metadata, "format_version");
    const char *writer = okra_metadata_get(metadata, "okra_version");
    if (!format || strcmp(format, "okra model") != 0 || !version)
        return not_a_model(why);
    size_t digits = strspn(version, "0123456789");
    if (digits == 0 || version[digits] || version[0] == '0')
        return okra_refuse(why, "its format version is '%.40s', not a number: use another copy", version);
    if (digits > 6 || strtol(version, NULL, 10) > OKRA_MODEL_FORMAT)
        return okra_refuse(why,
                           "written by okra %.40s in model format %.40s, but this is okra %s, which reads formats "
                           "up to %d: use a newer okra",
                           writer ? writer : "?", version, okra_version(), OKRA_MODEL_FORMAT);
    return OKRA_OK;
}

const char *okra_dtype_name(int bits) { return bits == OKRA_F32 ? "F32" : "F64"; }

int okra_dtype_bits(const char *name)
{
    return strcmp(name, "F64") == 0 ? OKRA_F64 : strcmp(name, "F32") == 0 ? OKRA_F32 : 0;
}

/* rows x cols numbers, in bytes. */
static bool tensor_bytes(const okra_tensor *tensor, size_t *bytes)
{
    return !__builtin_mul_overflow(tensor->rows, tensor->cols, bytes) &&
           !__builtin_mul_overflow(*bytes, width_of(tensor), bytes);
}

/* ---- the header ---------------------------------------------------------------------------------------------- */

/* Reports bad JSON, or lack of memory. */
static okra_status refuse_json(const okra_json_reader *json, okra_message *why)
{
    if (json->lacks_memory)
        return out_of_memory(why);
    return okra_refuse(why, "its header is damaged (%s near byte %zu): use another copy", json->wrong,
                       json->offset + LENGTH_BYTES);
}

/* The size of an array: an integer that fits a size_t. */
static bool read_size(const okra_json_reader *json, okra_json_event event, size_t *size)
{
    uint64_t value;
    if (event != OKRA_JSON_NUMBER || !json->whole || !okra_parse_count(json->text, &value) || value > INT64_MAX ||
        value > SIZE_MAX)
        return false;
    *size = (size_t)value;
    return true;
}

bool okra_read_pair(okra_json_reader *json, okra_json_event *event, okra_size_reader *read, size_t sizes[2])
{
    size_t n = 0, other;
    bool fine = true;
    if (*event != OKRA_JSON_ARRAY) {
        *event = okra_json_skip(json, *event);
        return false;
    }
    while ((*event = okra_json_next(json)) != OKRA_JSON_ARRAY_END && *event < OKRA_JSON_END) {
        fine = read(json, *event, n < 2 ? &sizes[n] : &other) && fine;
        *event = okra_json_skip(json, *event);
        n++;
    }
    return fine && n == 2;
}

/* A tensor's entry in the header. */
typedef struct entry {
    size_t shape[2], offsets[2], n_keys;
    bool has_shape, has_offsets;
    int bits;
} entry;

static okra_json_event read_member(okra_json_reader *json, entry *e)
{
    bool is_type = strcmp(json->text, "dtype") == 0, is_shape = strcmp(json->text, "shape") == 0;
    bool is_place = strcmp(json->text, "data_offsets") == 0;
    okra_json_event event = okra_json_next(json);
    e->n_keys++;
    if (is_type && event == OKRA_JSON_STRING)
        e->bits = okra_dtype_bits(json->text);
    else if (is_shape)
        e->has_shape = okra_read_pair(json, &event, read_size, e->shape);
    else if (is_place)
        e->has_offsets = okra_read_pair(json, &event, read_size, e->offsets);
    return okra_json_skip(json, event);
}

static okra_status check_entry(const char *name, const entry *e, okra_tensor *tensor, okra_message *why)
{
    *tensor = (okra_tensor){.bits = e->bits, .rows = e->shape[0], .cols = e->shape[1], .begin = e->offsets[0]};
    if (e->n_keys != 3 || !e->bits)
        return okra_refuse(why, "array '%.80s' is not of type F64 or F32: use another copy", name);
    if (!e->has_shape || !tensor_bytes(tensor, &tensor->bytes))
        return okra_refuse(why, "array '%.80s' has no shape of two sizes: use another copy", name);
    if (!e->has_offsets || e->offsets[1] < e->offsets[0] || e->offsets[1] - e->offsets[0] != tensor->bytes)
        return okra_refuse(why, "array '%.80s' has offsets that do not fit its shape: use another copy", name);
    return OKRA_OK;
}

/* "name":{"dtype":..}: the tensors one after the other. *end is the end of the last. */
static okra_status read_tensor(okra_safetensors *file, okra_json_reader *json, size_t *end, okra_message *why)
{
    size_t place = file->n_tensors;
    entry e = {0};
    okra_tensor *larger = okra_grow(file->tensors, place, &file->capacity, sizeof *larger);
    if (larger)
        file->tensors = larger;
    if (!larger || !okra_keys_add(&file->names, json->text))
        return out_of_memory(why);
    okra_json_event event = okra_json_next(json);
    bool object = event == OKRA_JSON_OBJECT;
    while (object && (event = okra_json_next(json)) == OKRA_JSON_KEY)
        if ((event = read_member(json, &e)) == OKRA_JSON_ERROR)
            return refuse_json(json, why);
    if ((object ? event : okra_json_skip(json, event)) == OKRA_JSON_ERROR)
        return refuse_json(json, why);
    okra_status status = check_entry(okra_keys_at(&file->names, place), &e, &file->tensors[place], why);
    if (status)
        return status;
    if (e.offsets[0] != *end)
        return okra_refuse(why, "array '%.80s' does not begin where the one before it ends: use another copy",
                           okra_keys_at(&file->names, place));
    *end += file->tensors[place].bytes;
    file->n_tensors++;
    return OKRA_OK;
}

/* Every entry is a string, as safetensors requires. */
static okra_status read_metadata(okra_safetensors *file, okra_json_reader *json, okra_message *why)
{
    okra_json_event event = okra_json_next(json);
    okra_status status = event == OKRA_JSON_OBJECT ? OKRA_OK : OKRA_E_FORMAT;
    while (!status && (event = okra_json_next(json)) == OKRA_JSON_KEY) {
        const char *key = json->text;
        event = okra_json_next(json);
        status = event == OKRA_JSON_STRING ? okra_metadata_set(&file->metadata, key, json->text) : OKRA_E_FORMAT;
    }
    if (event == OKRA_JSON_ERROR)
        return refuse_json(json, why);
    if (status == OKRA_E_FORMAT)
        return okra_refuse(why, "its metadata are not texts: use another copy");
    return status ? out_of_memory(why) : check_version(file->metadata, why);
}

/* The metadata come first, as check_beginning() has checked; then the tensors, to the end of the data. */
static okra_status read_entries(okra_safetensors *file, okra_json_reader *json, okra_message *why)
{
    size_t end = 0;
    okra_status status = OKRA_OK;
    okra_json_event event = okra_json_next(json);
    for (bool first = true; !status && (event = okra_json_next(json)) == OKRA_JSON_KEY; first = false)
        status = first ? read_metadata(file, json, why) : read_tensor(file, json, &end, why);
    if (status)
        return status;
    if (event == OKRA_JSON_ERROR || okra_json_next(json) == OKRA_JSON_ERROR)
        return refuse_json(json, why);
    if (end > file->data_bytes)
        return okra_refuse(why, "truncated: %zu of %zu bytes of arrays are there: use another copy", file->data_bytes,
                           end);
    if (end < file->data_bytes)
        return okra_refuse(why, "%zu bytes too long: something was added at its end: use another copy",
                           file->data_bytes - end);
    return OKRA_OK;
}

static okra_status read_header(okra_safetensors *file, const char *text, size_t length, okra_message *why)
{
    okra_json_reader json;
    okra_json_start(&json, (okra_json_limits){.depth = 3, .text = length, .unique = true}); /* {"a":{"shape":[..]}} */
    okra_json_feed(&json, text, length);
    okra_json_finish(&json);
    okra_status status = read_entries(file, &json, why);
    for (size_t i = 0; i < file->n_tensors; i++)
        file->tensors[i].name = okra_keys_at(&file->names, i);
    okra_json_stop(&json);
    return status;
}

static okra_status check_checksum(const unsigned char *bytes, size_t size, okra_message *why)
{
    char digits[CHECKSUM_DIGITS + 1];
    find_checksum(bytes, size, digits);
    if (memcmp(bytes + DIGITS_AT, digits, CHECKSUM_DIGITS) == 0)
        return OKRA_OK;
    return okra_refuse(why, "altered since it was saved: its checksum does not fit: use another copy");
}

okra_status okra_safetensors_open(okra_safetensors *file, const void *memory, size_t size, okra_message *why)
{
    const unsigned char *bytes = memory;
    *file = (okra_safetensors){0};
    okra_status status = check_beginning(bytes, size, why);
    if (status)
        return status;
    size_t length = (size_t)okra_load_little(bytes);
    file->data = bytes + LENGTH_BYTES + length;
    file->data_bytes = size - LENGTH_BYTES - length;
    status = read_header(file, (const char *)bytes + LENGTH_BYTES, length, why);
    return status ? status : check_checksum(bytes, size, why);
}

void okra_safetensors_close(okra_safetensors *file)
{
    okra_metadata_free(file->metadata);
    okra_keys_free(&file->names);
    free(file->tensors);
    *file = (okra_safetensors){0};
}

const okra_tensor *okra_safetensors_find(const okra_safetensors *file, const char *name)
{
    size_t place = okra_keys_find(&file->names, name);
    return place == OKRA_NO_KEY ? NULL : &file->tensors[place];
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

void okra_metadata_write(const okra_metadata *metadata, okra_json_writer *w)
{
    const char *key, *value;
    for (size_t i = 0; okra_metadata_at(metadata, i, &key, &value); i++)
        if (strcmp(key, "checksum") != 0)
            okra_json_put_text(w, key, value);
}

/* The header's text, to be freed; NULL if memory runs out. */
static char *header_text(const okra_metadata *metadata, const okra_tensor *tensors, size_t n_tensors)
{
    okra_json_writer w = {0};
    okra_json_open(&w, NULL, '{');
    okra_json_open(&w, "__metadata__", '{');
    okra_json_put_text(&w, "checksum", zeros);
    okra_metadata_write(metadata, &w);
    okra_json_close(&w);
    for (size_t i = 0; i < n_tensors; i++) {
        okra_json_open(&w, tensors[i].name, '{');
        okra_json_put_text(&w, "dtype", okra_dtype_name(tensors[i].bits));
        okra_json_put_pair(&w, "shape", tensors[i].rows, tensors[i].cols);
        okra_json_put_pair(&w, "data_offsets", tensors[i].begin, tensors[i].begin + tensors[i].bytes);
        okra_json_close(&w);
    }
    okra_json_close(&w);
    return okra_text_take(&w.out);
}

okra_status okra_safetensors_lay_out(const okra_metadata *metadata, okra_tensor *tensors, size_t n_tensors,
                                     unsigned char **bytes, size_t *size, unsigned char **data, okra_message *why)
{
    size_t data_bytes;
    *bytes = NULL;
    if (!place(tensors, n_tensors, &data_bytes))
        return out_of_memory(why); /* GCOVR_EXCL_LINE */
    char *text = header_text(metadata, tensors, n_tensors);
    size_t length = text ? strlen(text) : 0, padded = (length + 7) / 8 * 8; /* so that the numbers are aligned */
    if (padded > MAX_HEADER) {
        okra_message_set(why, "the metadata and names take %zu bytes, and a header holds %d: shorten them", padded,
                         MAX_HEADER);
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
