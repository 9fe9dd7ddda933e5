/* libokra-lab: signals, and what theory expects of RFF-KLMS. */
#include "core.h"

#include <stddef.h>

#include <okra/lab.h>

/* ---- signals ------------------------------------------------------------------------------------------------ */

static PyObject *constants_of(const okra_signal_kind *kind)
{
    PyObject *dict = PyDict_New();
    for (const okra_signal_param *p = kind->params; dict && p->name; p++)
        core_put(&dict, p->name, Py_BuildValue("(ddds)", p->value, p->low, p->high, p->help));
    return dict;
}

/* [(name, help, {constant: (default, low, high, help)})] */
static PyObject *signals(PyObject *module UNUSED, PyObject *none UNUSED)
{
    PyObject *list = PyList_New(0);
    const okra_signal_kind *kind;
    for (size_t i = 0; list && (kind = okra_signal_at(i)); i++)
        core_append(&list, Py_BuildValue("(ssN)", kind->name, kind->help, constants_of(kind)));
    return list;
}

static bool set_constants(const core_state *core, okra_signal_spec *spec, PyObject *constants)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(constants, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        double number;
        okra_message why = {""};
        if (!name || !core_number_get(core, value, name, &number))
            return false;
        okra_status status = okra_signal_spec_set(spec, name, number, &why);
        if (status)
            return core_raise(core, status, &why);
    }
    return true;
}

static PyObject *generate(const core_state *core, const okra_signal_spec *spec, Py_ssize_t n)
{
    okra_signal *signal;
    okra_status status = okra_signal_create(spec, &signal);
    if (status)
        return core_raise(core, status, NULL);
    size_t inputs = okra_signal_inputs(signal);
    core_rows X, y = {.held = false};
    PyObject *inputs_array = core_new_array(core, OKRA_F64, (size_t)n, inputs, true, &X);
    PyObject *targets = inputs_array ? core_new_array(core, OKRA_F64, (size_t)n, 1, false, &y) : NULL;
    if (targets) {
        PyThreadState *others = PyEval_SaveThread();
        okra_signal_next(signal, (size_t)n, inputs ? X.data : NULL, y.data);
        PyEval_RestoreThread(others);
    }
    okra_signal_free(signal);
    core_rows_release(&X);
    core_rows_release(&y);
    return core_answer(inputs_array, targets, true);
}

/* signal(name, n, seed, run, {constant: value}): inputs and targets. */
static PyObject *signal(PyObject *module, PyObject *args)
{
    const core_state *core = PyModule_GetState(module);
    const char *name;
    Py_ssize_t n;
    unsigned long long seed;
    unsigned int run;
    PyObject *constants;
    okra_signal_spec spec;
    if (!PyArg_ParseTuple(args, "snKIO!", &name, &n, &seed, &run, &PyDict_Type, &constants))
        return NULL;
    if (n < 0)
        return core_refuse(core, "n = %zd is negative", n);
    if (okra_signal_spec_init(&spec, name))
        return core_refuse(core, "no signal '%.80s': okra.signals() lists them", name);
    spec.seed = seed;
    spec.run = run;
    return set_constants(core, &spec, constants) ? generate(core, &spec, n) : NULL;
}

/* ---- theory ------------------------------------------------------------------------------------------------- */

static const char capsule_name[] = "okra theory";

static okra_theory *theory_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, capsule_name); }

static void destroy(PyObject *capsule) { okra_theory_free(theory_of(capsule)); }

typedef enum field_kind { REAL, COUNT, SEED, FLAG } field_kind;

/* The setting's fields, by name. */
static const struct field_row {
    const char *name;
    size_t offset;
    field_kind kind;
} fields[] = {
#define FIELD(name, kind)                             \
    {                                                 \
#name, offsetof(okra_theory_spec, name), kind \
    }
    FIELD(dim, COUNT),     FIELD(sigma, REAL),        FIELD(features, COUNT),    FIELD(seed, SEED),
    FIELD(paired, FLAG),   FIELD(mu, REAL),           FIELD(noise, REAL),        FIELD(sigma_x, REAL),
    FIELD(centres, COUNT), FIELD(centre_sigma, REAL), FIELD(weight_sigma, REAL), FIELD(tolerance, REAL),
#undef FIELD
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

static void put_field(const core_state *core, okra_theory_spec *spec, const struct field_row *field, PyObject *value)
{
    void *place = (char *)spec + field->offset;
    switch (field->kind) {
    case REAL:
        core_number_get(core, value, field->name, place);
        break;
    case COUNT:
        *(size_t *)place = PyLong_AsSize_t(value);
        break;
    case SEED:
        *(uint64_t *)place = PyLong_AsUnsignedLongLong(value);
        break;
    case FLAG:
        *(int *)place = PyObject_IsTrue(value);
        break;
    }
}

static bool set_fields(const core_state *core, okra_theory_spec *spec, PyObject *settings)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(settings, &at, &key, &value)) {
        size_t i = 0;
        while (i < N_FIELDS && PyUnicode_CompareWithASCIIString(key, fields[i].name) != 0)
            i++;
        if (i == N_FIELDS)
            return core_refuse(core, "theory has no '%.80s': help(okra.theory) lists what it has",
                               PyUnicode_AsUTF8AndSize(key, NULL));
        put_field(core, spec, &fields[i], value);
        if (PyErr_Occurred())
            return false;
    }
    return true;
}

static PyObject *figures_of(const okra_theory_figures *f)
{
    return Py_BuildValue("{sdsdsnsdsdsdsdsdsd}", "lambda_max", f->lambda_max, "trace", f->trace, "rank",
                         (Py_ssize_t)f->rank, "mu_max", f->mu_max, "mu_max_mean", f->mu_max_mean, "mu_max_mse",
                         f->mu_max_mse, "mse_optimal", f->mse_optimal, "mse", f->mse, "mse_paper", f->mse_paper);
}

static PyObject *spectrum_of(const core_state *core, const okra_theory_figures *figures)
{
    core_rows rows;
    PyObject *array = core_new_array(core, OKRA_F64, figures->rank, 1, false, &rows);
    for (size_t i = 0; array && i < figures->rank; i++)
        ((double *)rows.data)[i] = figures->spectrum[i];
    return core_finish(array, &rows, false);
}

/* theory({field: value}): the theory, {figure: number}, eigenvalues. */
static PyObject *theory(PyObject *module, PyObject *settings)
{
    const core_state *core = PyModule_GetState(module);
    okra_theory_spec spec;
    okra_theory *made;
    okra_message why;
    okra_theory_spec_init(&spec);
    if (!set_fields(core, &spec, settings))
        return NULL;
    okra_status status = okra_theory_spec_check(&spec, &why);
    if (status)
        return core_raise(core, status, &why);
    PyThreadState *others = PyEval_SaveThread();
    status = okra_theory_create(&spec, &made);
    PyEval_RestoreThread(others);
    if (status)
        return core_raise(core, status, NULL);
    PyObject *capsule = PyCapsule_New(made, capsule_name, destroy);
    if (!capsule) {
        okra_theory_free(made);
        return NULL;
    }
    const okra_theory_figures *figures = okra_theory_get(made);
    return Py_BuildValue("(NNN)", capsule, figures_of(figures), spectrum_of(core, figures));
}

/* theory_curve(theory, n, as printed) */
static PyObject *theory_curve(PyObject *module, PyObject *args)
{
    const core_state *core = PyModule_GetState(module);
    PyObject *capsule;
    Py_ssize_t n;
    int as_printed;
    core_rows rows;
    const okra_theory *t = PyArg_ParseTuple(args, "Onp", &capsule, &n, &as_printed) ? theory_of(capsule) : NULL;
    if (!t)
        return NULL;
    PyObject *array = core_new_array(core, OKRA_F64, n < 0 ? 0 : (size_t)n, 1, false, &rows);
    okra_status status = array ? okra_theory_curve(t, as_printed, rows.n, rows.data) : OKRA_OK;
    if (status)
        core_raise(core, status, NULL);
    return core_answer(core_finish(array, &rows, false), NULL, false);
}

PyMethodDef core_lab_methods[] = {
    {"signals", signals, METH_NOARGS, "The registry of signals."},
    {"signal", signal, METH_VARARGS, "Inputs and targets of a synthetic stream."},
    {"theory", theory, METH_O, "What theory expects: it, its figures by name, eigenvalues with the largest first."},
    {"theory_curve", theory_curve, METH_VARARGS, "The predicted learning curve."},
    {NULL, NULL, 0, NULL},
};
