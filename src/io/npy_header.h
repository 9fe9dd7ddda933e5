/* The header of an NPY file (numpy.lib.format), inside libokra-io: read any, write one of a fixed size. */
#ifndef OKRA_IO_NPY_HEADER_H
#define OKRA_IO_NPY_HEADER_H

#include "raw.h"

typedef struct okra_npy {
    okra_dtype dtype;
    bool by_columns; /* Fortran order */
    uint64_t rows;
    size_t columns;
} okra_npy;

/*
 * Reads the text of a header, a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }.
 * OKRA_E_FORMAT, with a message that begins with `path`, if it does not describe a table of numbers.
 */
okra_status okra_npy_read(const char *text, size_t length, const char *path, okra_npy *npy, okra_message *why);

/* What we write: format 1.0, little-endian, by rows, padded so that any number of rows fits. */
enum { OKRA_NPY_HEADER = 128 };

void okra_npy_write(size_t bytes, size_t columns, uint64_t rows, char header[OKRA_NPY_HEADER]);

#endif
