/* Tables of libokra-io: rows of numbers out of a file, and the formats that there are. */
#include "gateway.h"

#include <string.h>

#include <okra/io.h>

enum { PIECE = 512 };

/* Ends the call with what the library has said, and nothing left open. */
static void expect_row(okra_table *table, okra_status status, const okra_message *why)
{
    if (status)
        okra_table_close(table);
    expect_said(status, why);
}

/* How many rows there are; the table is opened again to have them: what does not fit must not leave it open. */
static size_t count_rows(const char *path, const okra_table_options *options, size_t *columns)
{
    okra_table *table;
    okra_message why;
    bool more = true;
    size_t n = 0;
    expect_said(okra_table_open(path, options, &table, &why), &why);
    *columns = okra_table_get(table)->columns;
    double *row = mxMalloc(*columns * sizeof *row);
    for (; more; n += more)
        expect_row(table, okra_table_next(table, row, &more, &why), &why);
    okra_table_close(table);
    mxFree(row);
    return n;
}

static void read_rows(okra_table *table, mxArray *to, double *rows)
{
    size_t total = mxGetM(to), columns = mxGetN(to);
    okra_message why;
    for (size_t first = 0, n; first < total; first += n) {
        bool more = true;
        n = total - first < PIECE ? total - first : PIECE;
        for (size_t i = 0; i < n && more; i++)
            expect_row(table, okra_table_next(table, rows + i * columns, &more, &why), &why);
        if (!more) {
            okra_table_close(table);
            fail(OKRA_E_FORMAT, "the file has become shorter while it was read: read it again");
        }
        rows_write(to, first, n, false, rows);
    }
}

static mxArray *names_of(const okra_table *table)
{
    size_t n = okra_table_get(table)->columns;
    bool named = n > 0 && okra_table_column_name(table, 0);
    mxArray *names = mxCreateCellMatrix(named ? 1 : 0, named ? (mwSize)n : 0);
    for (size_t c = 0; named && c < n; c++)
        mxSetCell(names, (mwIndex)c, mxCreateString(okra_table_column_name(table, c)));
    return names;
}

/* [rows, names] = read(path, format or '', columns). */
void do_read(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_in;
    const char *path = text_of(in[0], "the name of a file"), *format = text_of(in[1], "a format");
    okra_table_options options = {.format = *format ? format : NULL, .columns = count_of(in[2], "columns")};
    size_t columns, n = count_rows(path, &options, &columns);
    mxArray *rows = new_matrix(n, columns, false);
    double *piece = mxMalloc(columns * PIECE * sizeof *piece);
    okra_table *table;
    okra_message why;
    expect_said(okra_table_open(path, &options, &table, &why), &why);
    if (okra_table_get(table)->columns != columns)
        expect_row(table, OKRA_E_FORMAT, &(okra_message){"the file has changed while it was read: read it again"});
    read_rows(table, rows, piece);
    out[0] = rows;
    if (n_out > 1)
        out[1] = names_of(table);
    okra_table_close(table);
}

/* formats(): name, help and suffixes of each. */
void do_formats(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in, (void)in;
    const char *names[] = {"name", "help", "suffixes"};
    size_t n = 0;
    while (okra_format_at(n))
        n++;
    out[0] = mxCreateStructMatrix((mwSize)n, 1, 3, names);
    for (size_t i = 0; i < n; i++) {
        const okra_format *format = okra_format_at(i);
        mxSetFieldByNumber(out[0], (mwIndex)i, 0, mxCreateString(format->name));
        mxSetFieldByNumber(out[0], (mwIndex)i, 1, mxCreateString(format->help));
        mxSetFieldByNumber(out[0], (mwIndex)i, 2, mxCreateString(format->suffixes));
    }
}
