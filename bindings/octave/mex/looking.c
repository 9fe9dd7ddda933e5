/* What a learner holds, and what the library has. */
#include "gateway.h"

#include <stdlib.h>
#include <string.h>

static mxArray *new_struct(int n, const char *names[]) { return mxCreateStructMatrix(1, 1, n, names); }

/* state(handle, name): an array of the learner as a matrix. */
void do_state(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in;
    const learner *of = handle_get(in[0]);
    const char *name = text_of(in[1], "the name of a state array");
    name_list known = {""};
    okra_array array;
    for (size_t i = 0; okra_array_at(of->filter, i, &array) == OKRA_OK; i++) {
        if (strcmp(array.name, name) == 0) {
            size_t size = of->single ? sizeof(float) : sizeof(double);
            void *rows = mxCalloc(array.rows * array.cols + 1, size);
            expect(okra_array_read(of->filter, name, rows));
            out[0] = new_matrix(array.rows, array.cols, of->single);
            rows_write(out[0], 0, array.rows, of->single, rows);
            return;
        }
        list_name(&known, array.name);
    }
    fail(OKRA_E_ARRAY, "no state array '%s': there are %s", name, known.text);
}

/* arrays(handle): the names of the state arrays, in a column. */
void do_arrays(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in;
    const learner *of = handle_get(in[0]);
    okra_array array;
    size_t n = 0;
    while (okra_array_at(of->filter, n, &array) == OKRA_OK)
        n++;
    out[0] = mxCreateCellMatrix((mwSize)n, 1);
    for (size_t i = 0; i < n && okra_array_at(of->filter, i, &array) == OKRA_OK; i++)
        mxSetCell(out[0], (mwIndex)i, mxCreateString(array.name));
}

void do_stats(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in;
    const char *names[] = {"learnt", "bytes", "features", "centres", "full"};
    okra_stats stats;
    expect(okra_get_stats(handle_get(in[0])->filter, &stats));
    double values[] = {(double)stats.learnt, (double)stats.bytes, (double)stats.features, (double)stats.centres,
                       (double)stats.full};
    out[0] = new_struct(5, names);
    for (int i = 0; i < 5; i++)
        mxSetFieldByNumber(out[0], 0, i, new_number(values[i]));
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

/* A number where the text is one, else the text. */
static mxArray *new_value(const char *text)
{
    char *end;
    double number = strtod(text, &end);
    return end != text && *end == '\0' ? new_number(number) : mxCreateString(text);
}

static void add_parameters(mxArray *to, const okra_spec *spec)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    for (size_t i = 0; i < recipe->n_params; i++) {
        char text[OKRA_VALUE_TEXT];
        const char *name = recipe->params[i].param->name;
        expect(okra_spec_get(spec, name, text, sizeof text));
        add_field(to, name, new_value(text));
    }
}

/* parameters(handle): recipe, inputs, outputs and every parameter in force, by okra's names. */
void do_parameters(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in;
    const learner *of = handle_get(in[0]);
    okra_spec spec = *okra_get_spec(of->filter), bare;
    expect(okra_bare_spec(of->filter, &bare));
    spec.sigma = bare.sigma; /* the width in force */
    const char *names[] = {"recipe", "inputs", "outputs"};
    out[0] = new_struct(3, names);
    mxSetFieldByNumber(out[0], 0, 0, mxCreateString(spec.recipe));
    mxSetFieldByNumber(out[0], 0, 1, new_number((double)of->inputs));
    mxSetFieldByNumber(out[0], 0, 2, new_number((double)of->outputs));
    add_parameters(out[0], &spec);
}

/* recipes(): name, help, and the parameters with their defaults, of each. */
void do_recipes(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in, (void)in;
    const char *names[] = {"name", "help", "parameters"};
    size_t n = 0;
    while (okra_recipe_at(n))
        n++;
    out[0] = mxCreateStructMatrix((mwSize)n, 1, 3, names);
    for (size_t i = 0; i < n; i++) {
        okra_spec spec;
        const okra_recipe *recipe = okra_recipe_at(i);
        expect(okra_spec_init(&spec, recipe->name, 1, 1));
        mxArray *parameters = new_struct(0, NULL);
        add_parameters(parameters, &spec);
        mxSetFieldByNumber(out[0], (mwIndex)i, 0, mxCreateString(recipe->name));
        mxSetFieldByNumber(out[0], (mwIndex)i, 1, mxCreateString(recipe->help));
        mxSetFieldByNumber(out[0], (mwIndex)i, 2, parameters);
    }
}

/* [version, instruction set] of the library. */
void do_version(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_in, (void)in;
    out[0] = mxCreateString(okra_version());
    if (n_out > 1)
        out[1] = mxCreateString(okra_isa() ? okra_isa() : "");
}
