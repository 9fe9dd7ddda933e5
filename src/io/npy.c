/*
 * Tables from NPY files. By rows, they are raw numbers after a header. By columns (Fortran order), the numbers of a row
 * are far apart: a block of rows is read at a time, so memory is bounded, but the input must be a file.
 */
#include <stdlib.h>

#include "npy_header.h"
#include "transfer.h"

enum { LONGEST_HEADER = 1 << 20, BLOCK_BYTES = 1 << 21 };

typedef struct npy_table {
    okra_raw raw;
    uint64_t rows;
    /* by columns: */
    char *block;                         /* number (r, c) is at dtype.bytes (c block_rows + r) */
    size_t block_rows;                   /* the capacity */
    uint64_t block_first, block_end, at; /* the rows in it, and the next to be delivered, from 0 */
    int64_t data;                        /* offset of the first number in the file */
} npy_table;

/* ---- by columns ---------------------------------------------------------------------------------------------- */

static okra_status read_at(const npy_table *npy, char *to, size_t bytes, int64_t from, okra_message *why)
{
    const okra_source *source = &npy->raw.base.source;
    unsigned long long row = npy->at + 1;
    int error = 0;
    if (okra_read_at(source->fd, to, bytes, from, &error) == bytes)
        return OKRA_OK;
    if (error)
        return okra_error(OKRA_E_READ, why, "%s: row %llu: cannot be read: %s", source->path, row,
                          okra_error_text(error));
    return okra_error(OKRA_E_READ, why, "%s: row %llu: the file has been cut short while it was read", source->path,
                      row);
}

/* The block that begins with the row at `at`. */
static okra_status load_block(npy_table *npy, okra_message *why)
{
    const okra_table *table = &npy->raw.base;
    const size_t size = npy->raw.dtype.bytes;
    uint64_t left = npy->rows - npy->at, rows = left < npy->block_rows ? left : npy->block_rows;
    npy->block_first = npy->block_end = npy->at;
    for (size_t c = 0; c < table->columns; c++) {
        int64_t from = npy->data + (int64_t)((c * npy->rows + npy->at) * size);
        okra_status status = read_at(npy, npy->block + c * npy->block_rows * size, (size_t)rows * size, from, why);
        if (status)
            return status;
    }
    npy->block_end = npy->at + rows;
    return OKRA_OK;
}

static okra_status next_by_columns(npy_table *npy, double *row, bool *more, okra_message *why)
{
    const size_t size = npy->raw.dtype.bytes;
    *more = npy->at < npy->rows;
    if (!*more)
        return OKRA_OK;
    okra_status status = npy->at < npy->block_end ? OKRA_OK : load_block(npy, why);
    if (status)
        return status;
    const char *first = npy->block + (npy->at - npy->block_first) * size;
    npy->at++;
    return okra_raw_take(&npy->raw, first, npy->block_rows * size, row, why);
}

static okra_status start_by_columns(npy_table *npy, okra_message *why)
{
    const okra_table *table = &npy->raw.base;
    const okra_source *source = &table->source;
    if (source->unpacker)
        return okra_refuse_compressed(source, "stored by columns (Fortran order), which needs a file to seek in", why);
    if (source->size < 0)
        return okra_refuse(
            why,
            "%s: is stored by columns (Fortran order), which a pipe cannot give by rows: name the file, or save "
            "numpy.ascontiguousarray(array)",
            source->path);
    size_t fit = BLOCK_BYTES / npy->raw.row_bytes;
    npy->block_rows = fit > 1 ? fit : 1;
    npy->data = source->position - (int64_t)okra_source_held(source);
    npy->block = calloc(npy->block_rows, npy->raw.row_bytes);
    if (npy->block)
        return OKRA_OK;
    return okra_error(OKRA_E_MEMORY, why, "%s: out of memory for rows of %zu numbers", source->path, table->columns);
}

/* ---- the header ---------------------------------------------------------------------------------------------- */

static unsigned byte_at(const okra_source *source, size_t i)
{
    return (unsigned char)source->buffer[source->start + i];
}

/* The magic string, the version and the length of the header's text, which has 2 bytes in format 1 and 4 since. */
static okra_status read_lengths(okra_table *table, size_t *begin, size_t *length, okra_message *why)
{
    okra_source *source = &table->source;
    bool npy;
    okra_status status = okra_source_begins(source, "\x93NUMPY", 6, &npy, why);
    if (!status && !npy)
        return okra_refuse(why, "%s: does not begin as an NPY file: check the name, or the format asked for",
                           source->path);
    if (!status)
        status = okra_source_need(source, 12, why);
    if (status)
        return status;
    if (okra_source_held(source) < 12)
        return okra_refuse(why, "%s: ends within its NPY header: it was cut short", source->path);
    unsigned version = byte_at(source, 6);
    if (version < 1 || version > 3)
        return okra_refuse(why, "%s: is of an NPY format that is not known here: save it as 1.0, 2.0 or 3.0",
                           source->path);
    *begin = version == 1 ? 10 : 12;
    *length = byte_at(source, 8) | byte_at(source, 9) << 8;
    if (version > 1)
        *length |= (size_t)byte_at(source, 10) << 16 | (size_t)byte_at(source, 11) << 24;
    return *length <= LONGEST_HEADER
               ? OKRA_OK
               : okra_refuse(why, "%s: its NPY header is too long for a table of numbers", source->path);
}

static okra_status read_header(okra_table *table, okra_npy *header, okra_message *why)
{
    okra_source *source = &table->source;
    size_t begin, length;
    okra_status status = read_lengths(table, &begin, &length, why);
    if (!status)
        status = okra_source_need(source, begin + length, why);
    if (status)
        return status;
    if (okra_source_held(source) < begin + length)
        return okra_refuse(why, "%s: ends within its NPY header: it was cut short", source->path);
    status = okra_npy_read(source->buffer + source->start + begin, length, source->path, header, why);
    source->start += begin + length;
    return status;
}

/* The length of a file is checked at the start, that of a pipe at its end. Bytes after the last row are ignored. */
static okra_status check_size(const npy_table *npy, okra_message *why)
{
    const okra_source *source = &npy->raw.base.source;
    int64_t left = okra_source_left(source), wanted = (int64_t)(npy->rows * npy->raw.row_bytes);
    if (left < 0 || left >= wanted)
        return OKRA_OK;
    return okra_refuse(why, "%s: its header tells of %llu rows, and the file ends within row %llu: it was cut short",
                       source->path, (unsigned long long)npy->rows, (unsigned long long)left / npy->raw.row_bytes + 1);
}

/* A short input may claim very long rows, for which the caller would allocate memory: one row must be present. */
static okra_status check_first_row(npy_table *npy, okra_message *why)
{
    enum { SHORT_ROW = 1 << 16 };
    okra_source *source = &npy->raw.base.source;
    size_t wanted = npy->raw.row_bytes;
    if (wanted <= SHORT_ROW)
        return OKRA_OK;
    okra_status status = source->size < 0 ? okra_source_need(source, wanted, why) : OKRA_OK;
    if (status || (uint64_t)(source->size < 0 ? (int64_t)okra_source_held(source) : okra_source_left(source)) >= wanted)
        return status;
    return okra_refuse(
        why, "%s: its header tells of %zu columns, and it ends within the first row: it was cut short, or is empty",
        source->path, npy->raw.base.columns);
}

/* ---- the class ----------------------------------------------------------------------------------------------- */

static okra_status npy_open(okra_table *table, const okra_table_options *options, okra_message *why)
{
    (void)options;
    npy_table *npy = (npy_table *)table;
    okra_npy header = {0};
    okra_status status = read_header(table, &header, why);
    if (status)
        return status;
    npy->rows = header.rows;
    okra_raw_start(&npy->raw, header.dtype, header.columns, header.rows);
    status = check_size(npy, why);
    if (!status)
        status = check_first_row(npy, why);
    return status || !header.by_columns ? status : start_by_columns(npy, why);
}

static okra_status npy_next(okra_table *table, double *row, bool *more, okra_message *why)
{
    npy_table *npy = (npy_table *)table;
    return npy->block ? next_by_columns(npy, row, more, why) : okra_raw_next(table, row, more, why);
}

static okra_status npy_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    npy_table *npy = (npy_table *)table;
    if (!npy->block)
        return okra_raw_skip(table, rows, skipped, why);
    *skipped = rows < npy->raw.left ? rows : npy->raw.left;
    npy->at += *skipped;
    okra_raw_pass(&npy->raw, *skipped);
    return OKRA_OK;
}

static okra_status npy_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead,
                            okra_message *why)
{
    if (!((npy_table *)table)->block)
        return okra_raw_part(table, part, parts, before, ahead, why);
    return okra_refuse(
        why,
        "%s: is stored by columns (Fortran order) and cannot be read in parts: save numpy.ascontiguousarray(array)",
        table->source.path);
}

static double npy_progress(const okra_table *table)
{
    const npy_table *npy = (const npy_table *)table;
    return npy->rows > 0 ? 1 - (double)npy->raw.left / (double)npy->rows : 1;
}

static void npy_close(okra_table *table) { free(((npy_table *)table)->block); }

const okra_table_class okra_npy_class = {
    .size = sizeof(npy_table),
    .open = npy_open,
    .next = npy_next,
    .skip = npy_skip,
    .part = npy_part,
    .progress = npy_progress,
    .close = npy_close,
};
