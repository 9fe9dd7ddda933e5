/* Feature maps alone, and the kernels that they approximate. A map is a capsule, which okra.Map keeps. */
#include "core.h"

#include <stddef.h>

typedef struct feature_map {
    okra_map *map;
    okra_spec spec; /* without omega and phase */
    bool busy;      /* a map works in memory of its own: one thread at a time */
} feature_map;

static const char capsule_name[] = "okra map";

static feature_map *map_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, capsule_name); }

static void destroy(PyObject *capsule)
{
    feature_map *m = map_of(capsule);
    okra_map_free(m->map);
    PyMem_Free(m);
}

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

/* (capsule, D, texts of its parameters) */
static PyObject *create(const core_state *core, const okra_spec *spec)
{
    okra_map *map;
    okra_status status = okra_map_create(spec, &map);
    if (status)
        return core_raise(core, status, NULL);
    feature_map *m = PyMem_Malloc(sizeof *m);
    PyObject *capsule = m ? PyCapsule_New(m, capsule_name, destroy) : PyErr_NoMemory();
    if (!capsule) {
        PyMem_Free(m);
        okra_map_free(map);
        return NULL;
    }
    *m = (feature_map){.map = map, .spec = *spec};
    m->spec.omega = m->spec.phase = NULL;
    return Py_BuildValue("(NnN)", capsule, (Py_ssize_t)okra_map_outputs(map), core_spec_texts(spec));
}

/* map(inputs, settings, omega, phase) */
static PyObject *map_new(PyObject *module, PyObject *args)
{
    const core_state *core = PyModule_GetState(module);
    Py_ssize_t inputs;
    PyObject *settings, *omega, *phase, *made = NULL;
    okra_spec spec;
    core_rows given[2];
    if (!PyArg_ParseTuple(args, "nO!OO", &inputs, &PyDict_Type, &settings, &omega, &phase))
        return NULL;
    okra_status status = okra_spec_init(&spec, recipe_with_map(), inputs < 0 ? 0 : (size_t)inputs, 1);
    if (status)
        return core_raise(core, status, NULL);
    if (core_spec_read(core, &spec, settings, omega, phase, given))
        made = create(core, &spec);
    core_rows_release(&given[0]);
    core_rows_release(&given[1]);
    return made;
}

static void apply(const core_state *core, feature_map *m, const core_rows *X, const core_rows *Z)
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
        core_raise(core, status, NULL);
}

/* map_apply(map, X): the features of its rows. */
static PyObject *map_apply(PyObject *module, PyObject *args)
{
    const core_state *core = PyModule_GetState(module);
    PyObject *capsule, *object, *features = NULL;
    core_rows X, Z = {.held = false};
    feature_map *m = PyArg_ParseTuple(args, "OO", &capsule, &object) ? map_of(capsule) : NULL;
    if (!m)
        return NULL;
    if (core_rows_get(core, object, m->spec.precision, m->spec.inputs, "X", &X)) {
        features = core_new_array(core, m->spec.precision, X.n, okra_map_outputs(m->map), true, &Z);
        if (features)
            apply(core, m, &X, &Z);
    }
    features = core_finish(features, &Z, X.single);
    core_rows_release(&X);
    return core_answer(features, NULL, false);
}

static void fill_kernel(const okra_spec *spec, const core_rows *X, const core_rows *Y, double *K)
{
    const double *x = X->data, *y = Y->data;
    for (size_t i = 0; i < X->n; i++)
        for (size_t j = 0; j < Y->n; j++)
            K[i * Y->n + j] =
                okra_kernel_value(spec->kernel, spec->sigma, spec->inputs, x + i * spec->inputs, y + j * spec->inputs);
}

/* map_kernel(map, X, Y): the exact kernel of each pair of rows. */
static PyObject *map_kernel(PyObject *module, PyObject *args)
{
    const core_state *core = PyModule_GetState(module);
    PyObject *capsule, *x, *y, *matrix = NULL;
    core_rows X, Y = {.held = false}, K = {.held = false};
    const feature_map *m = PyArg_ParseTuple(args, "OOO", &capsule, &x, &y) ? map_of(capsule) : NULL;
    if (!m)
        return NULL;
    if (core_rows_get(core, x, OKRA_F64, m->spec.inputs, "X", &X) &&
        core_rows_get(core, y, OKRA_F64, m->spec.inputs, "Y", &Y) &&
        (matrix = core_new_array(core, OKRA_F64, X.n, Y.n, true, &K))) {
        PyThreadState *others = PyEval_SaveThread();
        fill_kernel(&m->spec, &X, &Y, K.data);
        PyEval_RestoreThread(others);
    }
    core_rows_release(&K);
    core_rows_release(&Y);
    core_rows_release(&X);
    return matrix;
}

PyMethodDef core_map_methods[] = {
    {"map", map_new, METH_VARARGS, "A feature map, its features, and {parameter: text} as the library writes them."},
    {"map_apply", map_apply, METH_VARARGS, "The features of each row."},
    {"map_kernel", map_kernel, METH_VARARGS, "The exact kernel of each pair of rows."},
    {NULL, NULL, 0, NULL},
};
