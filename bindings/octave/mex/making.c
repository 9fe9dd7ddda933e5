/* Making, copying, saving and freeing learners. */
#include "gateway.h"

#include <string.h>

/* ---- specs ----------------------------------------------------------------------------------------------- */

/* Ends the call with the names that this recipe knows. */
static void fail_unknown(const okra_spec *spec, const char *name)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    name_list known = {""};
    for (size_t i = 0; i < recipe->n_params; i++)
        list_name(&known, recipe->params[i].param->name);
    fail(OKRA_E_PARAMETER, "%s has no parameter '%s': it has %s", spec->recipe, name, known.text);
}

static void set_parameter(okra_spec *spec, const char *name, const mxArray *value)
{
    char present[OKRA_VALUE_TEXT];
    okra_message why;
    if (okra_spec_get(spec, name, present, sizeof present) != OKRA_OK)
        fail_unknown(spec, name);
    expect_said(okra_spec_set(spec, name, value_text(value, name), &why), &why);
}

/* omega, D x inputs, and phase, D, in radians; both empty where features are to be drawn. */
static void set_frequencies(okra_spec *spec, const mxArray *omega, const mxArray *phase)
{
    if (mxIsEmpty(omega) && mxIsEmpty(phase))
        return;
    expect_matrix(omega, "omega"), expect_matrix(phase, "phase");
    size_t features = mxGetM(omega);
    if (mxGetNumberOfElements(phase) != features)
        fail(OKRA_E_PARAMETER, "omega has %zu rows and phase %zu numbers: give a row and a phase for each feature",
             features, (size_t)mxGetNumberOfElements(phase));
    if (mxGetN(omega) != spec->inputs)
        fail(OKRA_E_PARAMETER, "omega has %zu columns, and there are %zu inputs: give a column for each",
             (size_t)mxGetN(omega), spec->inputs);
    double *rows = mxMalloc(features * spec->inputs * sizeof *rows), *phases = mxMalloc(features * sizeof *phases);
    rows_read(omega, 0, features, false, rows);
    for (size_t i = 0; i < features; i++)
        phases[i] =
            mxIsDouble(phase) ? ((const double *)mxGetData(phase))[i] : (double)((const float *)mxGetData(phase))[i];
    spec->features = features;
    spec->omega = rows;
    spec->phase = phases;
}

/* Arguments: recipe, inputs, outputs, cell of names, cell of values, omega, phase. */
static void read_spec(okra_spec *spec, int n_in, const mxArray *in[])
{
    if (n_in != 7 || !mxIsCell(in[3]) || !mxIsCell(in[4]) ||
        mxGetNumberOfElements(in[3]) != mxGetNumberOfElements(in[4]))
        fail(OKRA_E_PARAMETER, "okra_mex is the inside of okra: call okra(recipe, parameters)");
    const char *recipe = text_of(in[0], "recipe");
    size_t inputs = count_of(in[1], "inputs"), outputs = count_of(in[2], "outputs");
    okra_status status = okra_spec_init(spec, recipe, inputs, outputs);
    if (status)
        fail(status, "'%s': %s", recipe, okra_strerror(status));
    for (size_t i = 0; i < mxGetNumberOfElements(in[3]); i++)
        set_parameter(spec, text_of(mxGetCell(in[3], (mwIndex)i), "a name"), mxGetCell(in[4], (mwIndex)i));
    set_frequencies(spec, in[5], in[6]);
    okra_message why;
    expect_said(okra_spec_check(spec, &why), &why);
}

/* ---- commands -------------------------------------------------------------------------------------------- */

void do_check(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)out;
    okra_spec spec;
    read_spec(&spec, n_in, in);
}

void do_create(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out;
    okra_spec spec;
    read_spec(&spec, n_in, in);
    out[0] = handle_new(learner_create(&spec));
}

void do_free(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)out;
    if (n_in == 1)
        handle_free(in[0]);
}

void do_copy(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in;
    out[0] = handle_new(learner_copy(handle_get(in[0])));
}

void do_reset(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)out, (void)n_in;
    expect(okra_reset(handle_get(in[0])->filter));
}

void do_save(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)out, (void)n_in;
    learner_save(handle_get(in[0]), text_of(in[1], "the file's name"));
}

void do_load(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in;
    out[0] = handle_new(learner_load(text_of(in[0], "the file's name")));
}

void do_count(int n_out, mxArray *out[], int n_in, const mxArray *in[])
{
    (void)n_out, (void)n_in, (void)in;
    out[0] = new_number((double)handle_count());
}
