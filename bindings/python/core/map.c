/* okra._core.Map: a feature map alone; and the kernels that maps approximate. */
#include "core.h"

#include <stddef.h>

typedef struct map_object {
    PyObject_HEAD const core_state *core;
    okra_map *map;
    okra_spec spec; /* without omega and phase */
    bool busy;      /* a map works in memory of its own: one thread at a time */
} map_object;

/* The first recipe whose map can be chosen: a spec of it has all that a map needs. */
static const char *recipe_with_map(void)
{
    const okra_recipe *recipe;
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++)
        for (size_t k = 0; k < recipe->n_params; k++)
            if (recipe->params[k].param->offset == offsetof(okra_spec, map))
                return recipe->name;
    return "";
}

static PyObject *create(PyTypeObject *type, const core_state *core, okra_spec *spec)
{
    okra_map *map;
    okra_message why = {""};
    okra_status status = okra_spec_check(spec, &why);
    if (!status)
        status = okra_map_create(spec, &map);
    if (status)
        return core_raise(core, status, &why);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    map_object *m = (map_object *)allocate(type, 0);
    if (!m) {
        okra_map_free(map);
        return NULL;
    }
    m->core = core;
    m->map = map;
    m->spec = *spec;
    m->spec.omega = m->spec.phase = NULL;
    return (PyObject *)m;
}

/* Map(inputs, settings, omega, phase) */
static PyObject *map_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const core_state *core = core_of_type(type);
    Py_ssize_t inputs;
    PyObject *settings, *omega, *phase, *made = NULL;
    okra_spec spec;
    core_rows given[2];
    if (!core || !PyArg_ParseTuple(args, "nO!OO", &inputs, &PyDict_Type, &settings, &omega, &phase))
        return NULL;
    (void)keywords;
    okra_status status = okra_spec_init(&spec, recipe_with_map(), inputs < 0 ? 0 : (size_t)inputs, 1);
    if (status)
        return core_raise(core, status, NULL);
    if (core_spec_set(core, &spec, settings)) {
        if (core_spec_frequencies(core, &spec, spec.inputs, omega, phase, settings, given))
            made = create(type, core, &spec);
        core_rows_release(&given[0]);
        core_rows_release(&given[1]);
    }
    return made;
}

static void map_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    okra_map_free(((map_object *)self)->map);
    release(self);
    Py_DECREF(type);
}

static void apply(map_object *m, const core_rows *X, const core_rows *Z)
{
    okra_status status;
    if (m->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread uses this map now: give each thread its own");
        return;
    }
    m->busy = true;
    PyThreadState *others = PyEval_SaveThread();
    status = m->spec.precision == OKRA_F32 ? okra_map_apply_f32(m->map, X->n, X->data, Z->data)
                                           : okra_map_apply(m->map, X->n, X->data, Z->data);
    PyEval_RestoreThread(others);
    m->busy = false;
    if (status)
        core_raise(m->core, status, NULL);
}

/* _apply(X): the features of its rows. */
static PyObject *map_apply(PyObject *self, PyObject *object)
{
    map_object *m = (map_object *)self;
    core_rows X, Z = {.held = false};
    PyObject *features = NULL;
    if (core_rows_get(m->core, object, m->spec.precision, m->spec.inputs, "X", &X)) {
        features = core_new_array(m->core, m->spec.precision, X.n, okra_map_outputs(m->map), true, &Z);
        if (features)
            apply(m, &X, &Z);
    }
    features = core_finish(features, &Z, X.single);
    core_rows_release(&X);
    return core_answer(features, NULL, false);
}

static PyObject *map_texts(PyObject *self, PyObject *none)
{
    (void)none;
    return core_spec_texts(&((map_object *)self)->spec);
}

static PyObject *get_inputs(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((map_object *)self)->spec.inputs);
}

static PyObject *get_outputs(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(okra_map_outputs(((map_object *)self)->map));
}

/* ---- kernels ------------------------------------------------------------------------------------------------ */

static void fill_kernel(const okra_spec *spec, const core_rows *X, const core_rows *Y, double *K)
{
    const double *x = X->data, *y = Y->data;
    for (size_t i = 0; i < X->n; i++)
        for (size_t j = 0; j < Y->n; j++)
            K[i * Y->n + j] =
                okra_kernel_value(spec->kernel, spec->sigma, spec->inputs, x + i * spec->inputs, y + j * spec->inputs);
}

/* _kernel(X, Y): the exact kernel of each pair of rows. */
static PyObject *map_kernel(PyObject *self, PyObject *args)
{
    const map_object *m = (const map_object *)self;
    PyObject *x, *y, *matrix = NULL;
    core_rows X, Y = {.held = false}, K = {.held = false};
    if (!PyArg_ParseTuple(args, "OO", &x, &y))
        return NULL;
    if (core_rows_get(m->core, x, OKRA_F64, m->spec.inputs, "X", &X) &&
        core_rows_get(m->core, y, OKRA_F64, m->spec.inputs, "Y", &Y) &&
        (matrix = core_new_array(m->core, OKRA_F64, X.n, Y.n, true, &K))) {
        PyThreadState *others = PyEval_SaveThread();
        fill_kernel(&m->spec, &X, &Y, K.data);
        PyEval_RestoreThread(others);
    }
    core_rows_release(&K);
    core_rows_release(&Y);
    core_rows_release(&X);
    return matrix;
}

static PyMethodDef methods[] = {
    {"_apply", map_apply, METH_O, "The features of each row."},
    {"_kernel", map_kernel, METH_VARARGS, "The exact kernel of each pair of rows."},
    {"_texts", map_texts, METH_NOARGS, "{parameter: text} as the library writes them."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"inputs", get_inputs, NULL, "Numbers in an input.", NULL},
    {"outputs", get_outputs, NULL, "D, the number of features.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The C half of okra.Map."},
    {Py_tp_new, map_new},
    {Py_tp_dealloc, map_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec core_map_type = {.name = "okra._core.Map",
                             .basicsize = sizeof(map_object),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             .slots = slots};
