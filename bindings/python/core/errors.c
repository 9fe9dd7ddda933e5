/* Statuses as exceptions: the classes of okra.errors, with the library's words. */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>

static const char *class_of(okra_status status)
{
    switch (status) {
    case OKRA_E_RECIPE:
    case OKRA_E_PARAMETER:
    case OKRA_E_PRECISION:
        return "ParameterError";
    case OKRA_E_SAMPLE:
    case OKRA_E_RANGE:
        return "SampleError";
    case OKRA_E_DIVERGED:
        return "DivergedError";
    case OKRA_E_FULL:
        return "FullError";
    case OKRA_E_UNSUPPORTED:
        return "UnsupportedError";
    case OKRA_E_MEMORY:
    case OKRA_E_SIZE:
        return "OutOfMemoryError";
    case OKRA_E_ARRAY:
        return "StateError";
    case OKRA_E_OPEN:
    case OKRA_E_READ:
    case OKRA_E_WRITE:
        return "FileError";
    case OKRA_E_FORMAT:
        return "FormatError";
    default: /* what a right use of these bindings cannot meet, and an instruction set that is not there */
        return "Error";
    }
}

static PyObject *raise_text(const core_state *core, okra_status status, const char *text, PyObject *done)
{
    PyObject *class = PyObject_GetAttrString(core->errors, class_of(status));
    PyObject *error = class ? PyObject_CallFunction(class, "s", text) : NULL;
    PyObject *number = error ? PyLong_FromLong(status) : NULL;
    if (number && PyObject_SetAttrString(error, "status", number) == 0 &&
        (!done || PyObject_SetAttrString(error, "done", done) == 0))
        PyErr_SetObject(class, error);
    Py_XDECREF(number);
    Py_XDECREF(error);
    Py_XDECREF(class);
    return NULL;
}

PyObject *core_raise(const core_state *core, okra_status status, const okra_message *why)
{
    return raise_text(core, status, why && why->text[0] ? why->text : okra_strerror(status), NULL);
}

PyObject *core_raise_row(const core_state *core, okra_status status, size_t done)
{
    okra_message why;
    PyObject *number = PyLong_FromSize_t(done);
    if (!number)
        return NULL;
    snprintf(why.text, sizeof why.text, "row %zu: %s", done, okra_strerror(status));
    raise_text(core, status, why.text, number);
    Py_DECREF(number);
    return NULL;
}

PyObject *core_refuse(const core_state *core, okra_status status, const char *format, ...)
{
    okra_message why;
    va_list args;
    va_start(args, format);
    vsnprintf(why.text, sizeof why.text, format, args);
    va_end(args);
    return core_raise(core, status, &why);
}
