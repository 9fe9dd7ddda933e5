/*
 * The container of model files, inside libokra-io: a safetensors file whose first metadata entry is a checksum.
 *
 *     8 bytes   length of the header, little-endian
 *     header    JSON, padded with blanks to a multiple of 8: {"__metadata__":{"checksum":"0123456789abcdef",..},
 *               "theta":{"dtype":"F64","shape":[1,300],"data_offsets":[0,2400]},..}
 *     data      the tensors' numbers, little-endian, row by row, in the order of the header, without holes
 *
 * The checksum is over the whole file with its own 16 digits as zeros. It is at a fixed offset, so that it can be
 * checked without parsing the rest.
 */
#ifndef OKRA_IO_SAFETENSORS_H
#define OKRA_IO_SAFETENSORS_H

#include <stddef.h>

#include <okra/model_file.h>

#include "../json/read.h"
#include "../json/write.h"

/* 16 MiB hold the names of a hundred thousand columns. */
enum { MAX_HEADER = 1 << 24 };

typedef struct okra_tensor {
    const char *name;
    int bits;            /* OKRA_F64 or OKRA_F32 */
    size_t rows, cols;   /* all tensors of a model have two dimensions */
    size_t begin, bytes; /* in the data */
} okra_tensor;

/* An opened file; `data` points into the caller's bytes. */
typedef struct okra_safetensors {
    okra_metadata *metadata;
    okra_keys names; /* of the tensors */
    okra_tensor *tensors;
    size_t n_tensors, capacity;
    const unsigned char *data;
    size_t data_bytes;
} okra_safetensors;

/*
 * Opens a file in memory and checks all of it: header, layout, sizes, format version, checksum. OKRA_E_FORMAT with the
 * cause and the remedy, or OKRA_E_MEMORY. Close it even after a failure.
 */
okra_status okra_safetensors_open(okra_safetensors *file, const void *memory, size_t size, okra_message *why);
void okra_safetensors_close(okra_safetensors *file);

/* The tensor of that name, or NULL. */
const okra_tensor *okra_safetensors_find(const okra_safetensors *file, const char *name);

/*
 * Lays a new file out: header, and space for the data, which the caller fills in at *data + tensor.begin, in the
 * machine's own byte order. Sets begin and bytes of the tensors. Omits a checksum among the metadata:
 * okra_safetensors_seal(), which must follow, computes it.
 */
okra_status okra_safetensors_lay_out(const okra_metadata *metadata, okra_tensor *tensors, size_t n_tensors,
                                     unsigned char **bytes, size_t *size, unsigned char **data, okra_message *why);

/* Converts the data to the file's byte order and sets the checksum. */
void okra_safetensors_seal(unsigned char *bytes, size_t size, unsigned char *data, const okra_tensor *tensors,
                           size_t n_tensors);

/* Sets the checksum of a file that is otherwise complete; false if it has no place for one. */
bool okra_safetensors_sign(unsigned char *bytes, size_t size);

/* Copies a tensor's numbers out, in the machine's byte order. */
void okra_tensor_copy(const okra_safetensors *file, const okra_tensor *tensor, void *to);

/* "F64" or "F32", as in files; okra_dtype_bits() returns 0 for anything else. */
const char *okra_dtype_name(int bits);
int okra_dtype_bits(const char *name);

/* Writes the entries, except a checksum, into the open object. */
void okra_metadata_write(const okra_metadata *metadata, okra_json_writer *w);

/* Reads [a, b], each by `read`; false if the value is anything else. *event is the first event of the value, and
 * becomes its last, or an error. */
typedef bool okra_size_reader(const okra_json_reader *json, okra_json_event event, size_t *size);
bool okra_read_pair(okra_json_reader *json, okra_json_event *event, okra_size_reader *read, size_t sizes[2]);

#endif
