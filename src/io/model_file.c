/*
 * Models to model files and back.
 *
 * What a file may cost: sizes of arrays are checked against the file before anything is allocated, but a dictionary
 * takes memory for its declared capacity, and a warm-up for all its rows, however few of them there are. So the memory
 * of the model that the header describes is bounded by the size of the file's arrays. Where a model is larger than its
 * arrays justify, saving it adds an array of zeros, `reserve`, that does: a KRLS with room for 10,000 centres takes 0.8
 * GB and is a file of 57 MB from its first sample on, and no file of 1 kB can ask for a gigabyte. What was drawn at
 * random is in the file and not drawn again, so that loading takes no longer than its bytes do.
 */
#include <okra/model_file.h>

#include <stdlib.h>
#include <string.h>

#include "model_metadata.h"
#include "say.h"

/* The arrays justify this much memory: so many times their size, and some for free, which most models never exceed.
 * With the header's JSON and the file itself, that stays below the 64 times and 64 MiB which model_file.h promises; as
 * JSON, where a zero of 8 bytes is 3 of text (model_json.c), too. */
enum { MEMORY_FACTOR = 18, MEMORY_FREE = 1 << 25 };

/* Files are saved with a quarter more than they need, because another instruction set, or another okra, may take
 * more memory. */
enum { SAVED_FACTOR = 14, SAVED_FREE = MEMORY_FREE / 2 };

#define RESERVE "reserve"

/* ---- memory -------------------------------------------------------------------------------------------------- */

/* Numbers that the file is to be longer by, to justify the model's memory. */
static size_t reserve_for(const okra_filter *model, const okra_tensor *tensors, size_t n_tensors, int bits)
{
    double width = bits / 8.0, bytes = 0,
           needed = ((double)okra_size(okra_get_spec(model)) - SAVED_FREE) / SAVED_FACTOR;
    for (size_t i = 0; i < n_tensors; i++)
        bytes += (double)tensors[i].rows * (double)tensors[i].cols * width;
    return needed > bytes ? (size_t)((needed - bytes) / width) + 1 : 0;
}

static okra_status check_memory(const okra_spec *spec, size_t bytes, okra_message *why)
{
    double memory = (double)okra_size(spec);
    if (memory > 0 && memory <= (double)MEMORY_FACTOR * (double)bytes + MEMORY_FREE)
        return OKRA_OK;
    if (!(memory > 0))
        return okra_refuse_file(why, "its header asks for more memory than any machine has: use another copy");
    return okra_refuse_file(why,
                            "its header asks for %.0f MB of memory, which %zu bytes of arrays do not justify: use "
                            "another copy",
                            memory / 1e6, bytes);
}

/* ---- packing ------------------------------------------------------------------------------------------------- */

/* The model's arrays as tensors, and a last place for the reserve, to be freed. */
static okra_tensor *list_tensors(const okra_filter *model, int bits, size_t *n)
{
    okra_array array;
    for (*n = 0; okra_array_at(model, *n, &array) == OKRA_OK; ++*n)
        ;
    okra_tensor *tensors = calloc(*n + 1, sizeof *tensors);
    for (size_t i = 0; tensors && i < *n; i++) {
        okra_array_at(model, i, &array);
        tensors[i] = (okra_tensor){.name = array.name, .bits = bits, .rows = array.rows, .cols = array.cols};
    }
    size_t reserve = tensors ? reserve_for(model, tensors, *n, bits) : 0;
    if (reserve)
        tensors[(*n)++] = (okra_tensor){.name = RESERVE, .bits = bits, .rows = 1, .cols = reserve};
    return tensors;
}

static okra_status read_array(const okra_filter *model, const okra_tensor *tensor, unsigned char *to)
{
    if (strcmp(tensor->name, RESERVE) == 0) {
        memset(to, 0, tensor->bytes);
        return OKRA_OK;
    }
    return okra_array_read(model, tensor->name, to);
}

static okra_status pack(const okra_filter *model, const json_t *metadata, okra_tensor *tensors, size_t n,
                        unsigned char **bytes, size_t *size, okra_message *why)
{
    unsigned char *data;
    okra_status status = okra_safetensors_lay_out(metadata, tensors, n, bytes, size, &data, why);
    for (size_t i = 0; i < n && !status; i++)
        if ((status = read_array(model, &tensors[i], data + tensors[i].begin)))
            okra_say_status(status, why); /* GCOVR_EXCL_LINE: what was listed can be read */
    if (!status) {
        okra_safetensors_seal(*bytes, *size, data, tensors, n);
        return OKRA_OK;
    }
    free(*bytes);
    *bytes = NULL;
    return status;
}

okra_status okra_model_pack(const okra_filter *model, const okra_notes *notes, unsigned char **bytes, size_t *size,
                            okra_message *why)
{
    if (!model || !bytes || !size)
        return okra_say_status(OKRA_E_NULL, why);
    size_t n;
    *bytes = NULL;
    okra_tensor *tensors = list_tensors(model, okra_get_spec(model)->precision, &n);
    json_t *metadata = okra_metadata_make(model, notes);
    okra_status status =
        tensors && metadata ? pack(model, metadata, tensors, n, bytes, size, why) : okra_say_status(OKRA_E_MEMORY, why);
    json_decref(metadata);
    free(tensors);
    return status;
}

/* ---- unpacking ----------------------------------------------------------------------------------------------- */

static okra_status refuse_numbers(const okra_tensor *tensor, okra_message *why)
{
    return okra_refuse_file(
        why, "array '%s' holds a number that it cannot: NaN, infinite or out of range: use another copy", tensor->name);
}

static okra_status write_array(okra_filter *model, const okra_safetensors *file, const okra_tensor *tensor,
                               okra_message *why)
{
    void *numbers = malloc(tensor->bytes + 1); /* aligned, which the file need not be */
    if (!numbers)
        return okra_say_status(OKRA_E_MEMORY, why);
    okra_tensor_copy(file, tensor, numbers);
    okra_status status = okra_array_write(model, tensor->name, numbers);
    free(numbers);
    return status ? refuse_numbers(tensor, why) : OKRA_OK;
}

static okra_status check_type(const okra_filter *model, const okra_tensor *tensor, okra_message *why)
{
    int bits = okra_get_spec(model)->precision;
    if (tensor->bits == bits)
        return OKRA_OK;
    return okra_refuse_file(why, "array '%s' is of type F%d in a model of precision f%d: use another copy",
                            tensor->name, tensor->bits, bits);
}

static okra_status restore_array(okra_filter *model, const okra_safetensors *file, const okra_array *array,
                                 okra_message *why)
{
    const okra_tensor *tensor = okra_safetensors_find(file, array->name);
    if (!tensor)
        return okra_refuse_stranger(file->metadata, why, "array '%s' is missing", array->name);
    okra_status status = check_type(model, tensor, why);
    if (status)
        return status;
    if (tensor->rows != array->rows || tensor->cols != array->cols)
        return okra_refuse_file(why, "array '%s' is %zu x %zu and should be %zu x %zu: use another copy", array->name,
                                tensor->rows, tensor->cols, array->rows, array->cols);
    return write_array(model, file, tensor, why);
}

static bool is_array(const okra_filter *model, const char *name)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++)
        if (strcmp(array.name, name) == 0)
            return true;
    return false;
}

/* Its one row of zeros is all that a reserve can be. How long it is, its bytes say: no shape without numbers gets by.
 */
static okra_status check_reserve(const okra_filter *model, const okra_safetensors *file, const okra_tensor *tensor,
                                 okra_message *why)
{
    okra_status status = check_type(model, tensor, why);
    if (status)
        return status;
    if (tensor->rows != 1 || tensor->cols == 0)
        return okra_refuse_file(why, "array '%s' is %zu x %zu and should be a row of zeros: use another copy",
                                tensor->name, tensor->rows, tensor->cols);
    for (size_t i = 0; i < tensor->bytes; i++)
        if (file->data[tensor->begin + i])
            return refuse_numbers(tensor, why);
    return OKRA_OK;
}

/* What the file has beside the model's arrays. */
static okra_status check_other(const okra_filter *model, const okra_safetensors *file, const okra_tensor *tensor,
                               okra_message *why)
{
    if (strcmp(tensor->name, RESERVE) == 0)
        return check_reserve(model, file, tensor, why);
    if (is_array(model, tensor->name))
        return OKRA_OK;
    return okra_refuse_stranger(file->metadata, why, "array '%.80s' is none that %s has", tensor->name,
                                okra_get_spec(model)->recipe);
}

static okra_status restore_arrays(okra_filter *model, const okra_safetensors *file, okra_message *why)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++) {
        okra_status status = restore_array(model, file, &array, why);
        if (status)
            return status;
    }
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < file->n_tensors && !status; i++)
        status = check_other(model, file, &file->tensors[i], why);
    return status;
}

/* Counters first, because sizes of arrays depend on them. */
static okra_status build(const okra_safetensors *file, size_t justified, okra_filter **model, okra_message *why)
{
    okra_spec spec;
    okra_status status = okra_metadata_spec(file->metadata, &spec, why);
    if (!status)
        status = check_memory(&spec, file->data_bytes < justified ? file->data_bytes : justified, why);
    if (status)
        return status;
    status = okra_create_blank(&spec, model);
    if (status)
        return okra_say_status(status, why);
    status = okra_metadata_counters(file->metadata, *model, why);
    return status ? status : restore_arrays(*model, file, why);
}

okra_status okra_model_unpack_within(const void *bytes, size_t size, size_t justified, okra_filter **model,
                                     okra_notes **notes, okra_message *why)
{
    if (notes)
        *notes = NULL;
    if (!bytes || !model)
        return okra_say_status(OKRA_E_NULL, why);
    *model = NULL;
    okra_safetensors file;
    okra_status status = okra_safetensors_open(&file, bytes, size, why);
    if (!status)
        status = build(&file, justified, model, why);
    if (!status && notes && (status = okra_metadata_notes(file.metadata, notes)))
        okra_say_status(status, why);
    okra_safetensors_close(&file);
    if (status) {
        okra_free(*model);
        *model = NULL;
    }
    return status;
}

okra_status okra_model_unpack(const void *bytes, size_t size, okra_filter **model, okra_notes **notes,
                              okra_message *why)
{
    return okra_model_unpack_within(bytes, size, SIZE_MAX, model, notes, why);
}

okra_status okra_model_metadata(const void *bytes, size_t size, okra_notes **metadata, okra_message *why)
{
    if (!bytes || !metadata)
        return okra_say_status(OKRA_E_NULL, why);
    *metadata = NULL;
    okra_safetensors file;
    const char *key;
    json_t *value;
    okra_status status = okra_safetensors_open(&file, bytes, size, why);
    if (!status && (status = okra_notes_create(metadata)))
        okra_say_status(status, why);
    json_object_foreach((json_t *)(uintptr_t)file.metadata, key, value)
    {
        if (!status && (status = okra_notes_set(*metadata, key, json_string_value(value))))
            okra_say_status(status, why);
    }
    okra_safetensors_close(&file);
    if (status) {
        okra_notes_free(*metadata);
        *metadata = NULL;
    }
    return status;
}

/* ---- files --------------------------------------------------------------------------------------------------- */

okra_status okra_model_save(const okra_filter *model, const char *path, const okra_notes *notes, okra_message *why)
{
    unsigned char *bytes;
    size_t size;
    if (!path)
        return okra_say_status(OKRA_E_NULL, why);
    okra_status status = okra_model_pack(model, notes, &bytes, &size, why);
    if (status)
        return status;
    status = okra_file_save(path, bytes, size, why);
    free(bytes);
    return status;
}

/* What was wrong, with the file before it. */
static void name_file(const char *path, okra_message *why)
{
    char name[OKRA_NAME];
    okra_message cause = *why;
    okra_name_file(name, strcmp(path, "-") == 0 ? "standard input" : path);
    okra_say(why, "%s: %.250s", name, cause.text);
}

okra_status okra_model_load(const char *path, okra_filter **model, okra_notes **notes, okra_message *why)
{
    unsigned char *bytes;
    size_t size;
    if (notes)
        *notes = NULL;
    if (model)
        *model = NULL;
    okra_status status = okra_file_load(path, &bytes, &size, why);
    if (status)
        return status;
    status = okra_model_unpack(bytes, size, model, notes, why);
    free(bytes);
    if (status && why)
        name_file(path, why);
    return status;
}
