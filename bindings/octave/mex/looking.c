/* What a learner holds, and what the library has. */
#include "gateway.h"

#include <stdlib.h>
#include <string.h>

/* state(handle, name): an array of the learner as a matrix. */
COMMAND(do_state)
{
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
COMMAND(do_arrays)
{
    const learner *of = handle_get(in[0]);
    okra_array array;
    size_t n = 0;
    while (okra_array_at(of->filter, n, &array) == OKRA_OK)
        n++;
    out[0] = mxCreateCellMatrix((mwSize)n, 1);
    for (size_t i = 0; i < n && okra_array_at(of->filter, i, &array) == OKRA_OK; i++)
        mxSetCell(out[0], (mwIndex)i, mxCreateString(array.name));
}

COMMAND(do_stats)
{
    okra_stats stats;
    expect(okra_get_stats(handle_get(in[0])->filter, &stats));
    out[0] = mxCreateStructMatrix(1, 1, 0, NULL);
    add_field(out[0], "learnt", mxCreateDoubleScalar((double)stats.learnt));
    add_field(out[0], "updates", mxCreateDoubleScalar((double)stats.updates));
    add_field(out[0], "bytes", mxCreateDoubleScalar((double)stats.bytes));
    add_field(out[0], "features", mxCreateDoubleScalar((double)stats.features));
    add_field(out[0], "centres", mxCreateDoubleScalar((double)stats.centres));
    add_field(out[0], "full", mxCreateDoubleScalar((double)stats.full));
}

/* relevance(handle): of each input, in a row. */
COMMAND(do_relevance)
{
    const learner *of = handle_get(in[0]);
    okra_spec bare;
    expect(okra_bare_spec(of->filter, &bare));
    double *relevance = mxCalloc(bare.inputs, sizeof *relevance);
    if (okra_get_relevance(of->filter, relevance))
        fail(OKRA_E_UNSUPPORTED, "which inputs matter is not known: use the recipe auto, or widths 'auto', and train "
                                 "with more than 64 samples");
    out[0] = new_matrix(1, bare.inputs, false);
    rows_write(out[0], 0, 1, false, relevance);
}

/* A number if the text is one, else the text. */
static mxArray *new_value(const char *text)
{
    char *end;
    double number = strtod(text, &end);
    return end != text && *end == '\0' ? mxCreateDoubleScalar(number) : mxCreateString(text);
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
COMMAND(do_parameters)
{
    const learner *of = handle_get(in[0]);
    okra_spec spec = *okra_get_spec(of->filter), bare;
    expect(okra_bare_spec(of->filter, &bare));
    spec.sigma = bare.sigma; /* the width in force */
    out[0] = mxCreateStructMatrix(1, 1, 0, NULL);
    add_field(out[0], "recipe", mxCreateString(spec.recipe));
    add_field(out[0], "inputs", mxCreateDoubleScalar((double)of->inputs));
    add_field(out[0], "outputs", mxCreateDoubleScalar((double)of->outputs));
    add_parameters(out[0], &spec);
}

/* recipes(): name, help, and the parameters with their defaults, of each. */
COMMAND(do_recipes)
{
    size_t n = 0;
    while (okra_recipe_at(n))
        n++;
    out[0] = new_list(n, "parameters");
    for (size_t i = 0; i < n; i++) {
        okra_spec spec;
        const okra_recipe *recipe = okra_recipe_at(i);
        expect(okra_spec_init(&spec, recipe->name, 1, 1));
        mxArray *parameters = mxCreateStructMatrix(1, 1, 0, NULL);
        add_parameters(parameters, &spec);
        list_put(out[0], i, recipe->name, recipe->help, parameters);
    }
}

/* [version, instruction set] of the library. */
COMMAND(do_version)
{
    out[0] = mxCreateString(okra_version());
    if (n_out > 1)
        out[1] = mxCreateString(okra_isa() ? okra_isa() : "");
}
