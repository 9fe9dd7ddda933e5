/*
 * Rows of numbers through the buffer protocol. An array that is contiguous and of the filter's type is used where it
 * lies; everything else that numpy understands is copied first.
 */
#include "core.h"

#include <stdio.h>
#include <string.h>

static size_t bytes_of(int precision) { return precision == OKRA_F32 ? sizeof(float) : sizeof(double); }

/* Whether a buffer holds aligned numbers of that precision in this machine's byte order. */
static bool is_native(const Py_buffer *view, int precision)
{
    const char *format = view->format ? view->format : "B";
    return strcmp(format, precision == OKRA_F32 ? "f" : "d") == 0 && (size_t)view->itemsize == bytes_of(precision) &&
           (uintptr_t)view->buf % bytes_of(precision) == 0;
}

static bool borrow(PyObject *object, int precision, int flags, core_rows *rows)
{
    if (PyObject_GetBuffer(object, &rows->view, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
        PyErr_Clear();
        return false;
    }
    rows->held = is_native(&rows->view, precision);
    if (!rows->held)
        PyBuffer_Release(&rows->view);
    return rows->held;
}

/* numpy would drop imaginary parts, with a warning that is shown once. */
static bool expect_real(const core_state *core, PyObject *object, const char *name)
{
    PyObject *answer = PyObject_CallFunctionObjArgs(core->held[CORE_IS_COMPLEX], object, NULL);
    int complex = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    if (complex > 0)
        core_refuse(core, "%s is complex: take .real, or give real and imaginary parts as two columns", name);
    return complex == 0;
}

bool core_number_get(const core_state *core, PyObject *object, const char *name, double *number)
{
    if (!PyFloat_Check(object) && !PyLong_Check(object) && !expect_real(core, object, name))
        return false;
    *number = PyFloat_AsDouble(object);
    return !(*number == -1 && PyErr_Occurred());
}

static bool borrow_copy(const core_state *core, PyObject *object, int precision, const char *name, core_rows *rows)
{
    if (!expect_real(core, object, name))
        return false;
    PyObject *args = PyTuple_Pack(1, object);
    PyObject *keywords = core->held[precision == OKRA_F32 ? CORE_AS_F32 : CORE_AS_F64];
    PyObject *copy = args ? PyObject_Call(core->held[CORE_ARRAY], args, keywords) : NULL;
    Py_XDECREF(args);
    if (!copy)
        return false;
    if (!borrow(copy, precision, 0, rows))
        PyErr_SetString(PyExc_TypeError, "numbers are wanted");
    Py_DECREF(copy); /* the view holds it */
    return rows->held;
}

/* "(3, 4)" */
static void write_shape(const Py_buffer *view, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (int i = 0; i < view->ndim && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%zd", i ? ", " : "", view->shape[i]);
    if (used < size)
        snprintf(text + used, size - used, view->ndim == 1 ? ",)" : ")");
}

static bool find_rows(core_rows *rows, size_t columns)
{
    const Py_buffer *view = &rows->view;
    rows->data = view->buf;
    rows->single = view->ndim == 0 || (view->ndim == 1 && columns != 1);
    rows->n = rows->single ? 1 : (size_t)view->shape[0];
    switch (view->ndim) {
    case 0:
        return columns == 1;
    case 1:
        return columns == 1 || (size_t)view->shape[0] == columns;
    case 2:
        return (size_t)view->shape[1] == columns;
    default:
        return false;
    }
}

static bool check_shape(const core_state *core, core_rows *rows, size_t columns, const char *name)
{
    char shape[128];
    if (find_rows(rows, columns))
        return true;
    write_shape(&rows->view, shape, sizeof shape);
    core_refuse(core, "%s has the shape %s: rows of %zu number%s are wanted", name, shape, columns,
                columns == 1 ? "" : "s");
    return false;
}

/* Number i of a row that is as simple as that. A whole number may be too large: numpy says so. */
static bool read_number(PyObject *object, int precision, core_rows *rows, size_t i)
{
    double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    if (precision == OKRA_F32)
        ((float *)(void *)rows->small)[i] = (float)value;
    else
        rows->small[i] = value;
    return true;
}

/* A Python number, if a row is one, or a short list or tuple of Python floats. */
static bool read_small(PyObject *object, int precision, size_t columns, core_rows *rows)
{
    bool list = PyList_CheckExact(object);
    rows->n = 1;
    rows->single = true;
    rows->data = rows->small;
    if (columns == 1)
        return (PyFloat_Check(object) || PyLong_Check(object)) && read_number(object, precision, rows, 0);
    if ((!list && !PyTuple_CheckExact(object)) || columns > CORE_SMALL || (size_t)PyObject_Size(object) != columns)
        return false;
    for (size_t i = 0; i < columns; i++) {
        PyObject *item = list ? PyList_GetItem(object, (Py_ssize_t)i) : PyTuple_GetItem(object, (Py_ssize_t)i);
        if (!PyFloat_Check(item) || !read_number(item, precision, rows, i))
            return false;
    }
    return true;
}

bool core_rows_get(const core_state *core, PyObject *object, int precision, size_t columns, const char *name,
                   core_rows *rows)
{
    rows->held = false;
    if (read_small(object, precision, columns, rows))
        return true;
    return (borrow(object, precision, 0, rows) || borrow_copy(core, object, precision, name, rows)) &&
           check_shape(core, rows, columns, name);
}

void core_rows_release(core_rows *rows)
{
    if (rows->held)
        PyBuffer_Release(&rows->view);
    rows->held = false;
}

PyObject *core_new_array(const core_state *core, int precision, size_t n, size_t columns, bool keep_columns,
                         core_rows *rows)
{
    PyObject *type = core->held[precision == OKRA_F32 ? CORE_F32 : CORE_F64], *array;
    rows->held = false;
    if (columns == 1 && !keep_columns)
        array = PyObject_CallFunction(core->held[CORE_EMPTY], "nO", (Py_ssize_t)n, type);
    else
        array = PyObject_CallFunction(core->held[CORE_EMPTY], "(nn)O", (Py_ssize_t)n, (Py_ssize_t)columns, type);
    if (array && !(borrow(array, precision, PyBUF_WRITABLE, rows) && find_rows(rows, columns))) {
        PyErr_SetString(PyExc_RuntimeError, "numpy.empty() has made another array than it was asked for");
        Py_CLEAR(array);
    }
    return array;
}

PyObject *core_number(const void *number, int precision)
{
    return PyFloat_FromDouble(precision == OKRA_F32 ? (double)*(const float *)number : *(const double *)number);
}

PyObject *core_finish(PyObject *array, core_rows *rows, bool single)
{
    if (!array)
        return NULL;
    PyObject *answer = array;
    if (single) {
        answer = rows->view.ndim == 1
                     ? core_number(rows->data, rows->view.itemsize == sizeof(float) ? OKRA_F32 : OKRA_F64)
                     : PySequence_GetItem(array, 0);
        Py_DECREF(array);
    }
    core_rows_release(rows);
    return answer;
}

PyObject *core_answer(PyObject *first, PyObject *second, bool pair)
{
    if (!PyErr_Occurred())
        return pair ? Py_BuildValue("(NN)", first, second) : first;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return NULL;
}
