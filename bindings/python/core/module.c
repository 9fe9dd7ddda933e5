/* The module itself: what it finds when it is imported, and what it offers; lists and dicts. */
#include "core.h"

void core_append(PyObject **to, PyObject *item)
{
    if (*to && (!item || PyList_Append(*to, item) != 0))
        Py_CLEAR(*to);
    Py_XDECREF(item);
}

void core_put(PyObject **to, const char *name, PyObject *item)
{
    if (*to && (!item || PyDict_SetItemString(*to, name, item) != 0))
        Py_CLEAR(*to);
    Py_XDECREF(item);
}

static bool find(PyObject **place, const char *module, const char *name)
{
    PyObject *found = PyImport_ImportModule(module);
    *place = found && name ? PyObject_GetAttrString(found, name) : Py_XNewRef(found);
    Py_XDECREF(found);
    return *place;
}

static bool find_all(PyObject **held)
{
    held[CORE_F64] = PyUnicode_InternFromString("f8");
    held[CORE_F32] = PyUnicode_InternFromString("f4");
    held[CORE_AS_F64] = Py_BuildValue("{ssss}", "dtype", "f8", "order", "C");
    held[CORE_AS_F32] = Py_BuildValue("{ssss}", "dtype", "f4", "order", "C");
    return held[CORE_F64] && held[CORE_F32] && held[CORE_AS_F64] && held[CORE_AS_F32] &&
           find(&held[CORE_ERRORS], "okra.errors", NULL) && find(&held[CORE_EMPTY], "numpy", "empty") &&
           find(&held[CORE_IS_COMPLEX], "numpy", "iscomplexobj") && find(&held[CORE_ARRAY], "numpy", "array");
}

static int start(PyObject *module)
{
    core_state *core = PyModule_GetState(module);
    PyMethodDef *functions[] = {core_registry_methods, core_lab_methods, core_file_methods, core_map_methods};
    PyObject *type = find_all(core->held) ? PyType_FromModuleAndSpec(module, &core_filter_type, NULL) : NULL;
    bool added = type && PyModule_AddType(module, (PyTypeObject *)type) == 0;
    Py_XDECREF(type);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        added = added && PyModule_AddFunctions(module, functions[i]) == 0;
    return added ? 0 : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    const core_state *core = PyModule_GetState(module);
    for (size_t i = 0; i < CORE_HELD; i++)
        Py_VISIT(core->held[i]);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *core = PyModule_GetState(module);
    for (size_t i = 0; i < CORE_HELD; i++)
        Py_CLEAR(core->held[i]);
    return 0;
}

static void release(void *module) { clear(module); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, start}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "okra._core",
    .m_doc = "The C half of okra.",
    .m_size = sizeof(core_state),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
