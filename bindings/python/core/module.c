/* The module itself: what it finds when it is imported, and the types it offers. */
#include "core.h"

static bool find(PyObject **place, const char *module, const char *name)
{
    PyObject *found = PyImport_ImportModule(module);
    *place = found && name ? PyObject_GetAttrString(found, name) : Py_XNewRef(found);
    Py_XDECREF(found);
    return *place;
}

static bool find_all(core_state *core)
{
    core->name_f64 = PyUnicode_InternFromString("f8");
    core->name_f32 = PyUnicode_InternFromString("f4");
    core->as_f64 = Py_BuildValue("{ssss}", "dtype", "f8", "order", "C");
    core->as_f32 = Py_BuildValue("{ssss}", "dtype", "f4", "order", "C");
    return core->name_f64 && core->name_f32 && core->as_f64 && core->as_f32 &&
           find(&core->errors, "okra.errors", NULL) && find(&core->numpy_empty, "numpy", "empty") &&
           find(&core->numpy_is_complex, "numpy", "iscomplexobj") && find(&core->numpy_array, "numpy", "array");
}

static bool add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    bool added = type && PyModule_AddType(module, (PyTypeObject *)type) == 0;
    Py_XDECREF(type);
    return added;
}

static int start(PyObject *module)
{
    return find_all(PyModule_GetState(module)) && add_type(module, &core_filter_type) &&
                   add_type(module, &core_map_type) && add_type(module, &core_theory_type) &&
                   PyModule_AddFunctions(module, core_table_methods) == 0 &&
                   PyModule_AddFunctions(module, core_lab_methods) == 0 &&
                   PyModule_AddFunctions(module, core_file_methods) == 0
               ? 0
               : -1;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    const core_state *core = PyModule_GetState(module);
    Py_VISIT(core->errors);
    Py_VISIT(core->numpy_empty);
    Py_VISIT(core->numpy_is_complex);
    Py_VISIT(core->numpy_array);
    Py_VISIT(core->as_f64);
    Py_VISIT(core->as_f32);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *core = PyModule_GetState(module);
    Py_CLEAR(core->errors);
    Py_CLEAR(core->numpy_empty);
    Py_CLEAR(core->numpy_is_complex);
    Py_CLEAR(core->numpy_array);
    Py_CLEAR(core->as_f64);
    Py_CLEAR(core->as_f32);
    Py_CLEAR(core->name_f64);
    Py_CLEAR(core->name_f32);
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
