/*
 * Learners: creating, copying, saving and freeing. The host keeps numbers, not pointers: a handle is an index into the
 * table below and a generation count, so that a stale handle is recognised. The table is the one thing that must
 * outlive a call.
 */
#include "gateway.h"

#include <stdlib.h>
#include <string.h>

/* ---- handles --------------------------------------------------------------------------------------------- */

typedef struct place {
    learner tenant;
    uint32_t turn; /* odd while there is a tenant */
} place;

static place *table;
static size_t n_places, n_tenants;

enum { TURN_BITS = 32 };

/* At the end of the host, or when it unloads the gateway. */
static void free_all(void)
{
    for (size_t i = 0; i < n_places; i++)
        okra_free(table[i].tenant.filter);
    free(table);
    table = NULL;
    n_places = n_tenants = 0;
}

/* A place without a tenant, or NULL: no memory. */
static place *find_room(void)
{
    for (size_t i = 0; i < n_places; i++)
        if (table[i].turn % 2 == 0)
            return &table[i];
    size_t more = n_places ? 2 * n_places : 16;
    place *larger = realloc(table, more * sizeof *table);
    if (!larger)
        return NULL;
    if (!table)
        mexAtExit(free_all);
    for (size_t i = n_places; i < more; i++)
        larger[i] = (place){.turn = 0};
    table = larger;
    size_t first = n_places;
    n_places = more;
    return &table[first];
}

/* Takes a filter in, and keeps the gateway loaded for as long as there is one. */
static mxArray *handle_new(okra_filter *filter)
{
    place *room = find_room();
    if (!room) {
        okra_free(filter);
        expect(OKRA_E_MEMORY);
    }
    const okra_spec *spec = okra_get_spec(filter);
    bool ordered = spec->lags > 1 || spec->lag_from > 0 || spec->target_lags > 0 || spec->horizon > 1;
    room->tenant = (learner){filter, spec->inputs, spec->outputs, spec->precision == OKRA_F32, ordered};
    room->turn++;
    n_tenants++;
    mexLock();
    mxArray *handle = mxCreateNumericMatrix(1, 1, mxUINT64_CLASS, mxREAL);
    *(uint64_t *)mxGetData(handle) = (uint64_t)(room - table) << TURN_BITS | room->turn;
    return handle;
}

static place *find(const mxArray *handle)
{
    if (!mxIsUint64(handle) || mxGetNumberOfElements(handle) != 1)
        return NULL;
    uint64_t number = *(const uint64_t *)mxGetData(handle);
    size_t i = (size_t)(number >> TURN_BITS);
    uint32_t turn = (uint32_t)number;
    return i < n_places && turn % 2 && table[i].turn == turn ? &table[i] : NULL;
}

learner *handle_get(const mxArray *handle)
{
    place *at = find(handle);
    if (!at)
        fail(OKRA_E_NULL, "this object has been deleted: make a new one");
    return &at->tenant;
}

/* ---- specs ----------------------------------------------------------------------------------------------- */

static void set_parameter(okra_spec *spec, const char *name, const mxArray *value)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    name_list known = {""};
    bool has = false;
    for (size_t i = 0; i < recipe->n_params; i++) {
        has = has || strcmp(recipe->params[i].param->name, name) == 0;
        list_name(&known, recipe->params[i].param->name);
    }
    if (!has)
        fail(OKRA_E_PARAMETER, "%s has no parameter '%s': it has %s", spec->recipe, name, known.text);
    okra_message why;
    expect_said(okra_spec_set(spec, name, value_text(value, name), &why), &why);
}

/* omega, D x inputs, and phase, D, in radians; both empty if features are to be drawn. */
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

COMMAND(do_check)
{
    okra_spec spec;
    read_spec(&spec, n_in, in);
}

COMMAND(do_create)
{
    okra_spec spec;
    okra_filter *filter;
    read_spec(&spec, n_in, in);
    expect(okra_create(&spec, &filter));
    out[0] = handle_new(filter);
}

/* One that is gone already is no error, because hosts run destructors twice. */
COMMAND(do_free)
{
    place *at = find(in[0]);
    if (!at)
        return;
    okra_free(at->tenant.filter);
    at->tenant = (learner){0};
    at->turn++;
    n_tenants--;
    mexUnlock();
}

COMMAND(do_copy)
{
    okra_filter *twin;
    expect(okra_clone(handle_get(in[0])->filter, &twin));
    out[0] = handle_new(twin);
}

COMMAND(do_reset) { expect(okra_reset(handle_get(in[0])->filter)); }

COMMAND(do_save)
{
    okra_message why;
    expect_said(okra_save(handle_get(in[0])->filter, text_of(in[1], "the file's name"), NULL, &why), &why);
}

COMMAND(do_load)
{
    okra_message why;
    okra_filter *filter;
    expect_said(okra_load(text_of(in[0], "the file's name"), 0, &filter, NULL, &why), &why);
    out[0] = handle_new(filter);
}

COMMAND(do_count) { out[0] = mxCreateDoubleScalar((double)n_tenants); }
