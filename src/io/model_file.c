/*
 * Models to model files and back.
 *
 * Memory: sizes of arrays are checked against the file before anything is allocated. But a dictionary takes memory for
 * its declared capacity, and a warm-up for all its rows, however few the file holds. So the caller gives a limit for
 * the memory of the model. Time: random features are in the file and not drawn again, so loading takes time in
 * proportion to the file and the model.
 */
#include <okra/model_file.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_metadata.h"
#include "message.h"

static const size_t default_limit = (size_t)1 << 30;

static okra_status check_memory(const okra_spec *spec, size_t limit, okra_message *why)
{
    size_t memory = okra_size(spec), allowed = limit ? limit : default_limit;
    if (memory > 0 && memory <= allowed)
        return OKRA_OK;
    if (memory == 0)
        return okra_refuse(why, "its model takes more memory than any machine has: use another copy");
    return okra_refuse(why, "its model takes %.0f MB of memory, and the limit is %.0f MB: raise the limit",
                       ceil((double)memory / 1e6), floor((double)allowed / 1e6));
}

/* ---- packing ------------------------------------------------------------------------------------------------- */

/* The model's arrays as tensors, to be freed. */
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
    return tensors;
}

static okra_status pack(const okra_filter *model, const okra_metadata *metadata, okra_tensor *tensors, size_t n,
                        unsigned char **bytes, size_t *size, okra_message *why)
{
    unsigned char *data;
    okra_status status = okra_safetensors_lay_out(metadata, tensors, n, bytes, size, &data, why);
    for (size_t i = 0; i < n && !status; i++)
        if ((status = okra_array_read(model, tensors[i].name, data + tensors[i].begin)))
            okra_status_error(status, why); /* GCOVR_EXCL_LINE: what was listed can be read */
    if (!status) {
        okra_safetensors_seal(*bytes, *size, data, tensors, n);
        return OKRA_OK;
    }
    free(*bytes);
    *bytes = NULL;
    return status;
}

okra_status okra_pack(const okra_filter *model, const okra_metadata *metadata, unsigned char **bytes, size_t *size,
                      okra_message *why)
{
    if (!model || !bytes || !size)
        return okra_status_error(OKRA_E_NULL, why);
    size_t n;
    *bytes = NULL;
    okra_tensor *tensors = list_tensors(model, okra_get_spec(model)->precision, &n);
    okra_metadata *header = okra_metadata_make(model, metadata);
    okra_status status =
        tensors && header ? pack(model, header, tensors, n, bytes, size, why) : okra_status_error(OKRA_E_MEMORY, why);
    okra_metadata_free(header);
    free(tensors);
    return status;
}

/* ---- unpacking ----------------------------------------------------------------------------------------------- */

static okra_status write_array(okra_filter *model, const okra_safetensors *file, const okra_tensor *tensor,
                               okra_message *why)
{
    void *numbers = malloc(tensor->bytes + 1); /* aligned, which the file may not be */
    if (!numbers)
        return okra_status_error(OKRA_E_MEMORY, why);
    okra_tensor_copy(file, tensor, numbers);
    okra_status status = okra_array_write(model, tensor->name, numbers);
    free(numbers);
    if (!status)
        return OKRA_OK;
    return okra_refuse(why, "array '%s' holds a number that it cannot: NaN, infinite or out of range: use another copy",
                       tensor->name);
}

static okra_status restore_array(okra_filter *model, const okra_safetensors *file, const okra_array *array,
                                 okra_message *why)
{
    const okra_tensor *tensor = okra_safetensors_find(file, array->name);
    int bits = okra_get_spec(model)->precision;
    if (!tensor)
        return okra_refuse_unsupported(file->metadata, why, "array '%s' is missing", array->name);
    if (tensor->bits != bits)
        return okra_refuse(why, "array '%s' is of type F%d in a model of precision f%d: use another copy", tensor->name,
                           tensor->bits, bits);
    if (tensor->rows != array->rows || tensor->cols != array->cols)
        return okra_refuse(why, "array '%s' is %zu x %zu and should be %zu x %zu: use another copy", array->name,
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

static okra_status restore_arrays(okra_filter *model, const okra_safetensors *file, okra_message *why)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++) {
        okra_status status = restore_array(model, file, &array, why);
        if (status)
            return status;
    }
    for (size_t i = 0; i < file->n_tensors; i++)
        if (!is_array(model, file->tensors[i].name))
            return okra_refuse_unsupported(file->metadata, why, "array '%.80s' is none that %s has",
                                           file->tensors[i].name, okra_get_spec(model)->recipe);
    return OKRA_OK;
}

/* Counters first, because sizes of arrays depend on them. */
static okra_status build(const okra_safetensors *file, size_t limit, okra_filter **model, okra_message *why)
{
    okra_spec spec;
    okra_status status = okra_metadata_spec(file->metadata, &spec, why);
    if (!status)
        status = check_memory(&spec, limit, why);
    if (status)
        return status;
    status = okra_create_empty(&spec, model);
    if (status)
        return okra_status_error(status, why);
    status = okra_metadata_counters(file->metadata, *model, why);
    return status ? status : restore_arrays(*model, file, why);
}

okra_status okra_unpack(const void *bytes, size_t size, size_t limit, okra_filter **model, okra_metadata **metadata,
                        okra_message *why)
{
    if (metadata)
        *metadata = NULL;
    if (!bytes || !model)
        return okra_status_error(OKRA_E_NULL, why);
    *model = NULL;
    okra_safetensors file;
    okra_status status = okra_safetensors_open(&file, bytes, size, why);
    if (!status)
        status = build(&file, limit, model, why);
    if (!status && metadata && (status = okra_metadata_own(file.metadata, metadata)))
        okra_status_error(status, why);
    okra_safetensors_close(&file);
    if (status) {
        okra_free(*model);
        *model = NULL;
    }
    return status;
}

okra_status okra_read_header(const void *bytes, size_t size, okra_metadata **header, okra_message *why)
{
    if (!bytes || !header)
        return okra_status_error(OKRA_E_NULL, why);
    okra_safetensors file;
    okra_status status = okra_safetensors_open(&file, bytes, size, why);
    *header = status ? NULL : file.metadata;
    if (!status)
        file.metadata = NULL;
    okra_safetensors_close(&file);
    return status;
}

/* ---- files --------------------------------------------------------------------------------------------------- */

okra_status okra_save(const okra_filter *model, const char *path, const okra_metadata *metadata, okra_message *why)
{
    unsigned char *bytes;
    size_t size;
    if (!path)
        return okra_status_error(OKRA_E_NULL, why);
    okra_status status = okra_pack(model, metadata, &bytes, &size, why);
    if (status)
        return status;
    status = okra_file_save(path, bytes, size, why);
    free(bytes);
    return status;
}

/* The message, with the file's name before it. */
static void name_file(const char *path, okra_message *why)
{
    char name[OKRA_NAME];
    okra_message cause = *why;
    okra_name_file(name, okra_is_standard(path) ? "standard input" : path);
    okra_message_set(why, "%s: %.250s", name, cause.text);
}

okra_status okra_load(const char *path, size_t limit, okra_filter **model, okra_metadata **metadata, okra_message *why)
{
    unsigned char *bytes;
    size_t size;
    if (metadata)
        *metadata = NULL;
    if (model)
        *model = NULL;
    okra_status status = okra_file_load(path, &bytes, &size, why);
    if (status)
        return status;
    status = okra_unpack(bytes, size, limit, model, metadata, why);
    free(bytes);
    if (status && why)
        name_file(path, why);
    return status;
}
