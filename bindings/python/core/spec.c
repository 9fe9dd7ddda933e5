/* Specs from names and texts, and the library's registries as Python sees them. No parameter is named here. */
#include "core.h"

#include <stddef.h>

static bool set_all(const core_state *core, okra_spec *spec, PyObject *settings)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(settings, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const char *text = name ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
        okra_message why = {""};
        if (!text)
            return false;
        okra_status status = okra_spec_set(spec, name, text, &why);
        if (status)
            return core_raise(core, status, &why);
    }
    return true;
}

PyObject *core_spec_texts(const okra_spec *spec)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    PyObject *texts = PyDict_New();
    for (size_t i = 0; texts && i < recipe->n_params; i++) {
        char text[OKRA_VALUE_TEXT] = "";
        const char *name = recipe->params[i].param->name;
        okra_spec_get(spec, name, text, sizeof text);
        core_put(&texts, name, PyUnicode_FromString(text));
    }
    return texts;
}

/* The name of the parameter that lives in that field. */
static const char *name_of_field(size_t offset)
{
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        if (param->offset == offset)
            return param->name;
    return "";
}

static bool has_setting(PyObject *settings, const char *name)
{
    PyObject *key = PyUnicode_FromString(name);
    bool has = key && PyDict_Contains(settings, key) == 1;
    Py_XDECREF(key);
    return has;
}

static bool set_frequencies(const core_state *core, okra_spec *spec, PyObject *settings, PyObject *omega,
                            PyObject *phase, core_rows rows[2])
{
    const char *features = name_of_field(offsetof(okra_spec, features));
    size_t inputs = spec->inputs * spec->lags + spec->outputs * spec->target_lags;
    if (omega == Py_None && phase == Py_None)
        return true;
    if (omega == Py_None || phase == Py_None)
        return core_refuse(core, "omega and phase go together: one of them is missing");
    if (!core_rows_get(core, omega, OKRA_F64, inputs, "omega", &rows[0]) ||
        !core_rows_get(core, phase, OKRA_F64, 1, "phase", &rows[1]))
        return false;
    if (rows[0].n != rows[1].n)
        return core_refuse(core, "omega has %zu rows and phase %zu numbers: a row and a number each", rows[0].n,
                           rows[1].n);
    if (has_setting(settings, features) && spec->features != rows[0].n)
        return core_refuse(core, "%s = %zu: omega has %zu rows, one each: leave %s out", features, spec->features,
                           rows[0].n, features);
    spec->omega = rows[0].data;
    spec->phase = rows[1].data;
    spec->features = rows[0].n;
    return true;
}

bool core_spec_read(const core_state *core, okra_spec *spec, PyObject *settings, PyObject *omega, PyObject *phase,
                    core_rows rows[2])
{
    okra_message why = {""};
    rows[0].held = rows[1].held = false;
    if (!set_all(core, spec, settings) || !set_frequencies(core, spec, settings, omega, phase, rows))
        return false;
    okra_status status = okra_spec_check(spec, &why);
    if (status)
        core_raise(core, status, &why);
    return !status;
}

static const char *const kinds[] = {[OKRA_PARAM_REAL] = "real",
                                    [OKRA_PARAM_REALS] = "reals",
                                    [OKRA_PARAM_COUNT] = "count",
                                    [OKRA_PARAM_SEED] = "seed",
                                    [OKRA_PARAM_CHOICE] = "choice"};

static const char *const scopes[] = {
    [OKRA_SCOPE_MAP] = "map", [OKRA_SCOPE_FILTER] = "filter", [OKRA_SCOPE_STREAM] = "stream"};

static PyObject *choices_of(const okra_param *param)
{
    PyObject *list = PyList_New(0);
    for (const okra_choice *choice = param->choices; list && choice && choice->name; choice++)
        core_append(&list, Py_BuildValue("(ss)", choice->name, choice->help ? choice->help : ""));
    return list;
}

/* [(name, kind, scope, low, high, [(choice, help)], help)] */
static PyObject *params(PyObject *module UNUSED, PyObject *none UNUSED)
{
    PyObject *list = PyList_New(0);
    const okra_param *param;
    for (size_t i = 0; list && (param = okra_param_at(i)); i++)
        core_append(&list, Py_BuildValue("(sssddNs)", param->name, kinds[param->kind], scopes[param->scope], param->low,
                                         param->high, choices_of(param), param->help));
    return list;
}

/* [(name, help, algorithm, {parameter: default as text})] */
static PyObject *recipes(PyObject *module UNUSED, PyObject *none UNUSED)
{
    PyObject *list = PyList_New(0);
    const okra_recipe *recipe;
    for (size_t i = 0; list && (recipe = okra_recipe_at(i)); i++) {
        okra_spec spec;
        okra_spec_init(&spec, recipe->name, 1, 1);
        core_append(&list, Py_BuildValue("(sssN)", recipe->name, recipe->help, recipe->filter, core_spec_texts(&spec)));
    }
    return list;
}

static PyObject *version(PyObject *module UNUSED, PyObject *none UNUSED)
{
    return PyUnicode_FromString(okra_version());
}

static PyObject *isa(PyObject *module UNUSED, PyObject *none UNUSED) { return Py_BuildValue("z", okra_isa()); }

PyMethodDef core_registry_methods[] = {
    {"params", params, METH_NOARGS, "The registry of parameters."},
    {"recipes", recipes, METH_NOARGS, "The registry of recipes."},
    {"version", version, METH_NOARGS, "The version of the library that is linked."},
    {"isa", isa, METH_NOARGS, "The instruction set in use; None where OKRA_ISA asks for one that is not there."},
    {NULL, NULL, 0, NULL},
};
