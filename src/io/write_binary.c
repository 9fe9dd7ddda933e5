/*
 * Rows as little-endian numbers: alone, or after the header of an NPY file, which is updated when the number of rows is
 * known.
 */
#include "npy_header.h"
#include "writer.h"

/* Bytes of a number: from the format, or if it leaves them open, from the options. */
static size_t number_bytes(const okra_writer *writer)
{
    if (writer->format->variant > 0)
        return (size_t)writer->format->variant;
    return writer->options.f32 ? 4 : 8;
}

static size_t binary_row_bytes(const okra_writer *writer) { return writer->options.columns * number_bytes(writer); }

static char *binary_row(okra_writer *writer, const double *values, char *to)
{
    size_t bytes = number_bytes(writer);
    for (size_t c = 0; c < writer->options.columns; c++)
        to = okra_store_number(to, bytes, values[c]);
    return to;
}

/* append_at must be the end of a row; rows begin after `header` bytes. */
static okra_status check_rows(const okra_writer *writer, size_t header, okra_message *why)
{
    uint64_t keep = writer->options.append_at;
    if (keep >= header && (keep - header) % writer->row_bytes == 0)
        return OKRA_OK;
    return okra_refuse(
        why,
        "%s: %llu bytes are no whole number of rows of %zu bytes: it is not the output of the run that stopped; start "
        "again",
        writer->output.name, (unsigned long long)keep, writer->row_bytes);
}

static okra_status raw_check(okra_writer *writer, okra_message *why) { return check_rows(writer, 0, why); }

const okra_writer_class okra_raw_writer = {
    .row_bytes = binary_row_bytes,
    .check = raw_check,
    .row = binary_row,
};

static void make_header(const okra_writer *writer, uint64_t bytes, char header[OKRA_NPY_HEADER])
{
    uint64_t rows = (bytes - OKRA_NPY_HEADER) / writer->row_bytes;
    okra_npy_write(number_bytes(writer), writer->options.columns, rows, header);
}

static okra_status npy_begin(okra_writer *writer, const char *const *names, okra_message *why)
{
    char header[OKRA_NPY_HEADER];
    (void)names, (void)why;
    make_header(writer, OKRA_NPY_HEADER, header);
    okra_output_put(&writer->output, header, sizeof header);
    return OKRA_OK;
}

static void npy_update_header(okra_writer *writer)
{
    char header[OKRA_NPY_HEADER];
    make_header(writer, writer->output.bytes, header);
    okra_output_patch(&writer->output, header, sizeof header, 0);
}

/* The header must be ours: any number of rows, but these columns and this precision. */
static okra_status npy_check(okra_writer *writer, okra_message *why)
{
    char found[OKRA_NPY_HEADER], wanted[OKRA_NPY_HEADER];
    okra_npy npy = {0};
    okra_status status = check_rows(writer, OKRA_NPY_HEADER, why);
    if (status)
        return status;
    if (okra_writer_look(writer, 0, found, sizeof found) &&
        !okra_npy_read(found + 10, sizeof found - 10, writer->output.name, &npy, NULL)) {
        okra_npy_write(number_bytes(writer), writer->options.columns, npy.rows, wanted);
        if (memcmp(found, wanted, sizeof found) == 0)
            return OKRA_OK;
    }
    return okra_refuse(
        why,
        "%s: is no NPY file of %zu columns as written here: it is not the output of the run that stopped; start again",
        writer->output.name, writer->options.columns);
}

const okra_writer_class okra_npy_writer = {
    .row_bytes = binary_row_bytes,
    .check = npy_check,
    .begin = npy_begin,
    .row = binary_row,
    .update_header = npy_update_header,
};
