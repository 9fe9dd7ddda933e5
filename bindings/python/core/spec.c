/* Specs from names and texts, and the library's tables as Python sees them. No parameter is named here. */
#include "core.h"

#include <stddef.h>

/* ---- setting and getting ------------------------------------------------------------------------------------ */

static bool set_one(const core_state *core, okra_spec *spec, PyObject *name, PyObject *text)
{
    const char *name_text = PyUnicode_AsUTF8AndSize(name, NULL);
    const char *value_text = name_text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    okra_message why = {""};
    if (!value_text)
        return false;
    okra_status status = okra_spec_set(spec, name_text, value_text, &why);
    if (status)
        core_raise(core, status, &why);
    return !status;
}

bool core_spec_set(const core_state *core, okra_spec *spec, PyObject *settings)
{
    PyObject *name, *text;
    Py_ssize_t at = 0;
    while (PyDict_Next(settings, &at, &name, &text))
        if (!set_one(core, spec, name, text))
            return false;
    return true;
}

/* A new text, or NULL. */
static PyObject *text_of(const okra_spec *spec, const char *name)
{
    char text[OKRA_VALUE_TEXT] = "";
    okra_spec_get(spec, name, text, sizeof text);
    return PyUnicode_FromString(text);
}

PyObject *core_spec_texts(const okra_spec *spec)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    PyObject *texts = PyDict_New();
    for (size_t i = 0; texts && i < recipe->n_params; i++) {
        const char *name = recipe->params[i].param->name;
        PyObject *text = text_of(spec, name);
        if (!text || PyDict_SetItemString(texts, name, text) != 0)
            Py_CLEAR(texts);
        Py_XDECREF(text);
    }
    return texts;
}

/* ---- given frequencies -------------------------------------------------------------------------------------- */

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

bool core_spec_frequencies(const core_state *core, okra_spec *spec, size_t inputs, PyObject *omega, PyObject *phase,
                           PyObject *settings, core_rows rows[2])
{
    const char *features = name_of_field(offsetof(okra_spec, features));
    rows[0].held = rows[1].held = false;
    if (omega == Py_None && phase == Py_None)
        return true;
    if (omega == Py_None || phase == Py_None)
        return core_refuse(core, OKRA_E_PARAMETER, "omega and phase go together: one of them is missing");
    if (!core_rows_get(core, omega, OKRA_F64, inputs, "omega", &rows[0]) ||
        !core_rows_get(core, phase, OKRA_F64, 1, "phase", &rows[1]))
        return false;
    if (rows[0].n != rows[1].n)
        return core_refuse(core, OKRA_E_PARAMETER, "omega has %zu rows and phase %zu numbers: a row and a number each",
                           rows[0].n, rows[1].n);
    if (has_setting(settings, features) && spec->features != rows[0].n)
        return core_refuse(core, OKRA_E_PARAMETER, "%s = %zu: omega has %zu rows, one each: leave %s out", features,
                           spec->features, rows[0].n, features);
    spec->omega = rows[0].data;
    spec->phase = rows[1].data;
    spec->features = rows[0].n;
    return true;
}

/* ---- tables ------------------------------------------------------------------------------------------------- */

/* Appends to a list, which it clears where that fails; takes the item. */
static void append(PyObject **list, PyObject *item)
{
    if (!*list || !item || PyList_Append(*list, item) != 0)
        Py_CLEAR(*list);
    Py_XDECREF(item);
}

static PyObject *choices_of(const okra_param *param)
{
    PyObject *list = PyList_New(0);
    for (const okra_choice *choice = param->choices; list && choice && choice->name; choice++)
        append(&list, Py_BuildValue("(ss)", choice->name, choice->help ? choice->help : ""));
    return list;
}

static const char *kind_of(const okra_param *param)
{
    switch (param->kind) {
    case OKRA_PARAM_REAL:
        return "real";
    case OKRA_PARAM_REALS:
        return "reals";
    case OKRA_PARAM_COUNT:
        return "count";
    case OKRA_PARAM_SEED:
        return "seed";
    default:
        return "choice";
    }
}

static const char *scope_of(const okra_param *param)
{
    switch (param->scope) {
    case OKRA_SCOPE_MAP:
        return "map";
    case OKRA_SCOPE_FILTER:
        return "filter";
    default:
        return "stream";
    }
}

/* [(name, kind, scope, low, high, [(choice, help)], help)] */
static PyObject *params(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    PyObject *list = PyList_New(0);
    const okra_param *param;
    for (size_t i = 0; list && (param = okra_param_at(i)); i++)
        append(&list, Py_BuildValue("(sssddNs)", param->name, kind_of(param), scope_of(param), param->low, param->high,
                                    choices_of(param), param->help));
    return list;
}

/* [(name, help, algorithm, {parameter: default as text})] */
static PyObject *recipes(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    PyObject *list = PyList_New(0);
    const okra_recipe *recipe;
    for (size_t i = 0; list && (recipe = okra_recipe_at(i)); i++) {
        okra_spec spec;
        okra_spec_init(&spec, recipe->name, 1, 1);
        append(&list, Py_BuildValue("(sssN)", recipe->name, recipe->help, recipe->filter, core_spec_texts(&spec)));
    }
    return list;
}

static PyObject *version(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    return PyUnicode_FromString(okra_version());
}

static PyObject *isa(PyObject *module, PyObject *none)
{
    (void)module, (void)none;
    return Py_BuildValue("z", okra_isa());
}

PyMethodDef core_table_methods[] = {
    {"params", params, METH_NOARGS, "The table of parameters."},
    {"recipes", recipes, METH_NOARGS, "The table of recipes."},
    {"version", version, METH_NOARGS, "The version of the library that is linked."},
    {"isa", isa, METH_NOARGS, "The instruction set in use; None where OKRA_ISA asks for one that is not there."},
    {NULL, NULL, 0, NULL},
};
