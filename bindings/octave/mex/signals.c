/* Synthetic streams of libokra-lab. */
#include "gateway.h"

#include <string.h>

#include <okra/lab.h>

enum { PIECE = 512 };

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
void do_signal(int n_out, mxArray *out[], int n_in, const mxArray *in[])
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
void do_signals(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in, (void)in;
    const char *names[] = {"name", "help", "constants"};
    size_t n = 0;
    while (okra_signal_at(n))
        n++;
    out[0] = mxCreateStructMatrix((mwSize)n, 1, 3, names);
    for (size_t i = 0; i < n; i++) {
        const okra_signal_kind *kind = okra_signal_at(i);
        mxArray *constants = mxCreateStructMatrix(1, 1, 0, NULL);
        for (const okra_signal_param *p = kind->params; p->name; p++)
            add_field(constants, p->name, new_number(p->value));
        mxSetFieldByNumber(out[0], (mwIndex)i, 0, mxCreateString(kind->name));
        mxSetFieldByNumber(out[0], (mwIndex)i, 1, mxCreateString(kind->help));
        mxSetFieldByNumber(out[0], (mwIndex)i, 2, constants);
    }
}
