/* Where rows come from: synthetic streams of libokra-lab, and files through libokra-io. */
#include "gateway.h"

#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#include <okra/lab.h>

enum { PIECE = 512 };

/* ---- signals --------------------------------------------------------------------------------------------- */

static void set_constant(okra_signal_spec *spec, const char *name, const mxArray *value)
{
    okra_message why;
    if (strcmp(name, "seed") == 0) {
        spec->seed = count_of(value, name);
    } else if (strcmp(name, "run") == 0) {
        size_t run = count_of(value, name);
        if (run > UINT32_MAX)
            fail(OKRA_E_PARAMETER, "run = %zu is out of range: it must be from 0 to %u", run, UINT32_MAX);
        spec->run = (uint32_t)run;
    } else {
        if (!mxIsNumeric(value) || mxIsComplex(value) || mxGetNumberOfElements(value) != 1)
            fail(OKRA_E_PARAMETER, "%s must be a real number", name);
        expect_said(okra_signal_spec_set(spec, name, mxGetScalar(value), &why), &why);
    }
}

static void read_spec(okra_signal_spec *spec, const mxArray *in[])
{
    const char *name = text_of(in[0], "the name of a signal");
    name_list known = {""};
    for (size_t i = 0; okra_signal_at(i); i++)
        list_name(&known, okra_signal_at(i)->name);
    if (okra_signal_spec_init(spec, name))
        fail(OKRA_E_PARAMETER, "no signal '%s': there are %s", name, known.text);
    for (size_t i = 0; i < mxGetNumberOfElements(in[2]); i++)
        set_constant(spec, text_of(mxGetCell(in[2], (mwIndex)i), "a name"), mxGetCell(in[3], (mwIndex)i));
}

/* [X, y] = signal(name, n, cell of names, cell of values). */
COMMAND(do_signal)
{
    if (n_in != 4 || !mxIsCell(in[2]) || !mxIsCell(in[3]))
        fail(OKRA_E_PARAMETER, "okra_mex is the inside of okra: call okra_signal(name, n, constants)");
    okra_signal_spec spec;
    okra_signal *signal;
    read_spec(&spec, in);
    size_t rows = count_of(in[1], "n");
    expect(okra_signal_create(&spec, &signal));
    size_t inputs = okra_signal_inputs(signal);
    okra_signal_free(signal); /* the matrices may not fit: what follows must not fail */
    mxArray *X = new_matrix(rows, inputs, false), *y = new_matrix(rows, 1, false);
    double *x = mxMalloc((inputs ? inputs : 1) * PIECE * sizeof *x);
    expect(okra_signal_create(&spec, &signal));
    for (size_t first = 0, n; first < rows; first += n) {
        n = rows - first < PIECE ? rows - first : PIECE;
        okra_signal_next(signal, n, inputs ? x : NULL, (double *)mxGetData(y) + first);
        rows_write(X, first, n, false, x);
    }
    okra_signal_free(signal);
    out[0] = X;
    if (n_out > 1)
        out[1] = y;
}

/* signals(): name and help of each, and its constants with their defaults. */
COMMAND(do_signals)
{
    size_t n = 0;
    while (okra_signal_at(n))
        n++;
    out[0] = new_list(n, "constants");
    for (size_t i = 0; i < n; i++) {
        const okra_signal_kind *kind = okra_signal_at(i);
        mxArray *constants = mxCreateStructMatrix(1, 1, 0, NULL);
        for (const okra_signal_param *p = kind->params; p->name; p++)
            add_field(constants, p->name, mxCreateDoubleScalar(p->value));
        list_put(out[0], i, kind->name, kind->help, constants);
    }
}

/* ---- files ----------------------------------------------------------------------------------------------- */

/* All rows of a file, one after the other. A matrix that they do not fit into ends the call: the next one frees them.
 */
static struct contents {
    double *values;
    size_t columns, n, capacity;
} contents;

static okra_status add_row(okra_table *table, bool *more, okra_message *why)
{
    struct contents *c = &contents;
    if (c->n == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : PIECE, bytes;
        double *grown =
            __builtin_mul_overflow(capacity, c->columns * sizeof *grown, &bytes) ? NULL : realloc(c->values, bytes);
        if (!grown)
            return OKRA_E_MEMORY;
        c->values = grown;
        c->capacity = capacity;
    }
    okra_status status = okra_table_next(table, c->values + c->n * c->columns, more, why);
    c->n += !status && *more;
    return status;
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
COMMAND(do_read)
{
    const char *path = text_of(in[0], "the name of a file"), *format = text_of(in[1], "a format");
    okra_table_options options = {.format = *format ? format : NULL, .columns = count_of(in[2], "columns")};
    okra_table *table;
    okra_message why = {"out of memory"};
    expect_said(okra_table_open(path, &options, &table, &why), &why);
    free(contents.values);
    contents = (struct contents){.columns = okra_table_get(table)->columns};
    okra_status status = OKRA_OK;
    for (bool more = true; more && !status;)
        status = add_row(table, &more, &why);
    if (n_out > 1 && !status)
        out[1] = names_of(table);
    okra_table_close(table);
    expect_said(status, &why);
    out[0] = new_matrix(contents.n, contents.columns, false);
    rows_write(out[0], 0, contents.n, false, contents.values);
    free(contents.values);
    contents.values = NULL;
}

/* formats(): name, help and suffixes of each. */
COMMAND(do_formats)
{
    size_t n = 0;
    while (okra_format_at(n))
        n++;
    out[0] = new_list(n, "suffixes");
    for (size_t i = 0; i < n; i++) {
        const okra_format *format = okra_format_at(i);
        list_put(out[0], i, format->name, format->help, mxCreateString(format->suffixes));
    }
}
