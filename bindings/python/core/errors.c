/* Statuses as exceptions: the classes of okra.errors, with the library's words. */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>

/* The rest cannot occur in correct use of these bindings, except a missing instruction set. */
static const char *const classes[] = {
    [OKRA_E_RECIPE] = "ParameterError",    [OKRA_E_PARAMETER] = "ParameterError",
    [OKRA_E_PRECISION] = "ParameterError", [OKRA_E_SAMPLE] = "SampleError",
    [OKRA_E_RANGE] = "SampleError",        [OKRA_E_DIVERGED] = "DivergedError",
    [OKRA_E_FULL] = "FullError",           [OKRA_E_UNSUPPORTED] = "UnsupportedError",
    [OKRA_E_MEMORY] = "OutOfMemoryError",  [OKRA_E_SIZE] = "OutOfMemoryError",
    [OKRA_E_ARRAY] = "StateError",         [OKRA_E_OPEN] = "FileError",
    [OKRA_E_READ] = "FileError",           [OKRA_E_WRITE] = "FileError",
    [OKRA_E_FORMAT] = "FormatError",
};

static const char *class_of(okra_status status)
{
    bool known = (size_t)status < sizeof classes / sizeof *classes && classes[status];
    return known ? classes[status] : "Error";
}

/* The library's words, with our names for its functions. */
static const char *text_of(okra_status status)
{
    return status == OKRA_E_ORDER ? "no row was begun: call begin() before commit()" : okra_strerror(status);
}

static PyObject *raise_text(const core_state *core, okra_status status, const char *text, PyObject *done)
{
    PyObject *class = PyObject_GetAttrString(core->held[CORE_ERRORS], class_of(status));
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
    return raise_text(core, status, why && why->text[0] ? why->text : text_of(status), NULL);
}

PyObject *core_none(const core_state *core, okra_status status)
{
    return status ? core_raise(core, status, NULL) : Py_NewRef(Py_None);
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

PyObject *core_refuse(const core_state *core, const char *format, ...)
{
    okra_message why;
    va_list args;
    va_start(args, format);
    vsnprintf(why.text, sizeof why.text, format, args);
    va_end(args);
    return core_raise(core, OKRA_E_PARAMETER, &why);
}
