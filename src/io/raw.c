/* Raw numbers: rows of little-endian float64 or float32 and nothing else. The user gives the number of columns. */
#include "raw.h"

#include <math.h>

void okra_raw_start(okra_raw *raw, okra_dtype dtype, size_t columns, uint64_t rows)
{
    raw->dtype = dtype;
    raw->row_bytes = columns * dtype.bytes;
    raw->left = rows;
    raw->base.columns = columns;
}

static okra_status refuse_number(const okra_raw *raw, size_t c, okra_message *why)
{
    const char *what = raw->dtype.kind == OKRA_DTYPE_FLOAT
                           ? "is not finite: correct it, or make it NaN if there is no value"
                           : "is beyond 2^53, where not every whole number is a float64: save array.astype(float), if "
                             "it may be rounded";
    return okra_refuse(why, "%s: row %llu: column %zu: %s", raw->base.source.path,
                       (unsigned long long)raw->base.info.line, c + 1, what);
}

okra_status okra_raw_take(okra_raw *raw, const char *bytes, size_t stride, double *row, okra_message *why)
{
    okra_table *table = &raw->base;
    size_t bad = table->columns;
    table->info.line = table->source.line++;
    raw->left -= raw->left != OKRA_TO_THE_END;
    for (size_t c = table->columns; c-- > 0;) {
        bool ignored = okra_table_ignores(table, c);
        row[c] = ignored ? (double)NAN : okra_load_number(raw->dtype, bytes + c * stride);
        if (isinf(row[c]))
            bad = c;
    }
    return bad < table->columns ? refuse_number(raw, bad, why) : OKRA_OK;
}

/* The source has fewer bytes than a row: none, which may be the end, or an incomplete row. */
static okra_status end_rows(okra_raw *raw, bool *more, okra_message *why)
{
    okra_source *source = &raw->base.source;
    size_t held = okra_source_held(source);
    *more = held > 0 || raw->left != OKRA_TO_THE_END;
    raw->left = 0;
    if (!*more)
        return OKRA_OK;
    raw->base.info.line = source->line;
    return okra_refuse(why,
                       "%s: row %llu: ends after %zu of its %zu bytes: the input was cut short, or has other columns",
                       source->path, (unsigned long long)source->line, held, raw->row_bytes);
}

okra_status okra_raw_next(okra_table *table, double *row, bool *more, okra_message *why)
{
    okra_raw *raw = (okra_raw *)table;
    okra_source *source = &table->source;
    *more = raw->left > 0;
    if (!*more)
        return okra_source_finish(source, why);
    okra_status status = okra_source_need(source, raw->row_bytes, why);
    if (status)
        return status;
    if (okra_source_held(source) < raw->row_bytes)
        return end_rows(raw, more, why);
    const char *bytes = source->buffer + source->start;
    source->start += raw->row_bytes;
    return okra_raw_take(raw, bytes, raw->dtype.bytes, row, why);
}

void okra_raw_pass(okra_raw *raw, uint64_t rows)
{
    raw->left -= raw->left != OKRA_TO_THE_END ? rows : 0;
    raw->base.source.line += rows;
    raw->base.info.line = raw->base.source.line - 1;
}

okra_status okra_raw_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    okra_raw *raw = (okra_raw *)table;
    uint64_t max = (uint64_t)INT64_MAX / raw->row_bytes, bytes = 0;
    rows = rows < raw->left ? rows : raw->left;
    rows = rows < max ? rows : max;
    okra_status status = okra_source_skip(&table->source, rows * raw->row_bytes, &bytes, why);
    *skipped = bytes / raw->row_bytes;
    okra_raw_pass(raw, *skipped);
    return status;
}

okra_status okra_raw_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead, okra_message *why)
{
    okra_raw *raw = (okra_raw *)table;
    uint64_t there = (uint64_t)okra_source_left(&table->source) / raw->row_bytes, skipped;
    uint64_t rows = there < raw->left ? there : raw->left;
    uint64_t first = okra_part_begin(rows, part, parts), end = okra_part_begin(rows, part + 1, parts);
    *ahead = before < first ? before : (size_t)first;
    okra_status status = okra_raw_skip(table, first - *ahead, &skipped, why);
    raw->left = end - first + *ahead;
    return status;
}

/* Detects a wrong number of columns before anything is learnt from misplaced numbers. */
static okra_status check_size(const okra_raw *raw, okra_message *why)
{
    const okra_table *table = &raw->base;
    int64_t left = okra_source_left(&table->source);
    if (left < 0 || left % (int64_t)raw->row_bytes == 0)
        return OKRA_OK;
    return okra_refuse(why,
                       "%s: its %lld bytes are no whole number of rows of %zu bytes (%zu column%s of f%zu): check the "
                       "number of columns",
                       table->source.path, (long long)left, raw->row_bytes, table->columns,
                       table->columns == 1 ? "" : "s", 8 * raw->dtype.bytes);
}

static okra_status raw_open(okra_table *table, const okra_table_options *options, okra_message *why)
{
    okra_raw *raw = (okra_raw *)table;
    okra_dtype dtype = {.bytes = (size_t)table->format->variant};
    okra_raw_start(raw, dtype, options->columns ? options->columns : 1, OKRA_TO_THE_END);
    return check_size(raw, why);
}

const okra_table_class okra_raw_class = {
    .size = sizeof(okra_raw),
    .open = raw_open,
    .next = okra_raw_next,
    .skip = okra_raw_skip,
    .part = okra_raw_part,
};
