/* A filter's life, who may touch it, and the look inside. */
#include "core.h"

/* ---- life --------------------------------------------------------------------------------------------------- */

core_state *core_of_type(PyTypeObject *type)
{
    for (; type; type = PyType_GetSlot(type, Py_tp_base)) {
        PyObject *module = PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) ? PyType_GetModule(type) : NULL;
        if (module)
            return PyModule_GetState(module);
        PyErr_Clear(); /* a class of Python's */
    }
    PyErr_SetString(PyExc_TypeError, "not a class of okra");
    return NULL;
}

PyObject *handle_new(PyTypeObject *type, okra_filter *filter)
{
    const core_state *core = core_of_type(type);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    handle *h = core ? (handle *)allocate(type, 0) : NULL;
    if (!h) {
        okra_free(filter);
        return NULL;
    }
    h->core = core;
    h->filter = filter;
    const okra_spec *spec = okra_get_spec(filter);
    h->precision = spec->precision;
    h->inputs = spec->inputs;
    h->outputs = spec->outputs;
    return (PyObject *)h;
}

void handle_dealloc(PyObject *self)
{
    handle *h = (handle *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    okra_free(h->filter);
    release(self);
    Py_DECREF(type);
}

/* The interpreter's lock is held here, so that a plain number does. */
bool handle_enter(handle *h, bool to_change)
{
    if (h->users < 0 || (to_change && h->users > 0)) {
        PyErr_Format(
            PyExc_RuntimeError,
            "another thread %s this filter now: give each thread its own (copy.copy), or take turns with a lock",
            h->users < 0 ? "changes" : "asks");
        return false;
    }
    h->users += to_change ? -1 : 1;
    return true;
}

void handle_leave(handle *h, bool to_change) { h->users -= to_change ? -1 : 1; }

/* ---- state arrays ------------------------------------------------------------------------------------------- */

PyObject *handle_arrays(PyObject *self, PyObject *none UNUSED)
{
    okra_array array;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && okra_array_at(((handle *)self)->filter, i, &array) == OKRA_OK; i++)
        core_append(&list, Py_BuildValue("(snn)", array.name, (Py_ssize_t)array.rows, (Py_ssize_t)array.cols));
    return list;
}

static bool find_array(const handle *h, PyObject *name, okra_array *array)
{
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "the name of a state array is a text");
        return false;
    }
    for (size_t i = 0; okra_array_at(h->filter, i, array) == OKRA_OK; i++)
        if (PyUnicode_CompareWithASCIIString(name, array->name) == 0)
            return true;
    core_raise(h->core, OKRA_E_ARRAY, NULL);
    return false;
}

PyObject *handle_array_read(PyObject *self, PyObject *name)
{
    handle *h = (handle *)self;
    okra_array array;
    core_rows rows;
    if (!find_array(h, name, &array) || !handle_enter(h, false))
        return NULL;
    PyObject *numbers = core_new_array(h->core, h->precision, array.rows, array.cols, true, &rows);
    if (numbers)
        okra_array_read(h->filter, array.name, rows.data);
    core_rows_release(&rows);
    handle_leave(h, false);
    return numbers;
}

/* Copies the numbers into the array, which is looked up again because it may have grown meanwhile. */
static void write_array(handle *h, PyObject *name, size_t columns, const core_rows *rows)
{
    okra_array array;
    if (!find_array(h, name, &array))
        return;
    if (rows->n != array.rows || columns != array.cols) {
        core_refuse(h->core, "%s has %zu rows, and %zu were given", array.name, array.rows, rows->n);
        return;
    }
    if (!handle_enter(h, true))
        return;
    okra_status status = okra_array_write(h->filter, array.name, rows->data);
    handle_leave(h, true);
    if (status)
        core_raise(h->core, status, NULL);
}

PyObject *handle_array_write(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *name, *numbers;
    okra_array array;
    core_rows rows;
    if (!PyArg_ParseTuple(args, "OO", &name, &numbers) || !find_array(h, name, &array))
        return NULL;
    if (core_rows_get(h->core, numbers, h->precision, array.cols, array.name, &rows))
        write_array(h, name, array.cols, &rows);
    core_rows_release(&rows);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- counters, statistics, parameters ----------------------------------------------------------------------- */

PyObject *handle_counter_write(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    const char *name;
    unsigned long long value;
    if (!PyArg_ParseTuple(args, "sK", &name, &value) || !handle_enter(h, true))
        return NULL;
    okra_status status = okra_counter_write(h->filter, name, value);
    handle_leave(h, true);
    return core_none(h->core, status);
}

PyObject *handle_texts(PyObject *self, PyObject *none UNUSED)
{
    const handle *h = (const handle *)self;
    okra_spec spec = *okra_get_spec(h->filter), bare;
    okra_bare_spec(h->filter, &bare);
    spec.sigma = bare.sigma; /* the width in force */
    return core_spec_texts(&spec);
}

static PyObject *get_counters(PyObject *self, void *unused UNUSED)
{
    okra_counter counter;
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && okra_counter_at(((handle *)self)->filter, i, &counter) == OKRA_OK; i++)
        core_put(&dict, counter.name, PyLong_FromUnsignedLongLong(counter.value));
    return dict;
}

static PyObject *get_stats(PyObject *self, void *unused UNUSED)
{
    okra_stats s;
    okra_get_stats(((handle *)self)->filter, &s);
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"rows", s.rows},   {"learnt", s.learnt},     {"updates", s.updates}, {"restarts", s.restarts},
               {"bytes", s.bytes}, {"features", s.features}, {"centres", s.centres}, {"full", s.full}};
    PyObject *dict = PyDict_New();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        core_put(&dict, all[i].name, PyLong_FromUnsignedLongLong(all[i].value));
    return dict;
}

static PyObject *get_relevance(PyObject *self, void *unused UNUSED)
{
    handle *h = (handle *)self;
    okra_spec bare;
    core_rows rows;
    if (!handle_enter(h, false))
        return NULL;
    okra_bare_spec(h->filter, &bare);
    PyObject *numbers = core_new_array(h->core, OKRA_F64, bare.inputs, 1, false, &rows);
    okra_status status = numbers ? okra_get_relevance(h->filter, rows.data) : OKRA_OK;
    core_rows_release(&rows);
    handle_leave(h, false);
    if (!status)
        return numbers;
    Py_DECREF(numbers);
    return core_raise(h->core, status, NULL);
}

static PyObject *get_recipe(PyObject *self, void *unused UNUSED)
{
    return PyUnicode_FromString(okra_get_spec(((handle *)self)->filter)->recipe);
}

static PyObject *get_inputs(PyObject *self, void *unused UNUSED) { return PyLong_FromSize_t(((handle *)self)->inputs); }

static PyObject *get_outputs(PyObject *self, void *unused UNUSED)
{
    return PyLong_FromSize_t(((handle *)self)->outputs);
}

static PyObject *get_bits(PyObject *self, void *unused UNUSED) { return PyLong_FromLong(((handle *)self)->precision); }

static PyObject *get_frozen(PyObject *self, void *unused UNUSED) { return PyBool_FromLong(((handle *)self)->frozen); }

PyGetSetDef handle_attributes[] = {
    {"recipe", get_recipe, NULL, "The name of the recipe.", NULL},
    {"inputs", get_inputs, NULL, "Numbers in an input.", NULL},
    {"outputs", get_outputs, NULL, "Numbers in a target.", NULL},
    {"frozen", get_frozen, NULL, "Whether rows pass without being learnt.", NULL},
    {"stats", get_stats, NULL,
     "Rows taken, samples learnt, those that moved what was learnt, restarts, bytes of memory, features, centres, and "
     "how often a dictionary was full.",
     NULL},
    {"relevance", get_relevance, NULL,
     "Which inputs matter, for recipe auto: how fast the nonlinear part of the prediction varies along each input, in "
     "units of its deviation. The numbers add up to 1. With lags, each input with its lags, the latest first, then "
     "each "
     "target likewise. UnsupportedError for other recipes, and until widths were found, some rows after the 64th.",
     NULL},
    {"counters", get_counters, NULL, "The counters that belong to the state.", NULL},
    {"_bits", get_bits, NULL, "Of a number: 64 or 32.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
