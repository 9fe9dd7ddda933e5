/* Tables of libokra-io: rows of numbers out of a file, and the formats that there are. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

/* [(name, help, suffixes with blanks between, reads, writes)] */
static PyObject *formats(PyObject *module UNUSED, PyObject *none UNUSED)
{
    PyObject *list = PyList_New(0);
    const okra_format *format;
    for (size_t i = 0; list && (format = okra_format_at(i)); i++)
        core_append(&list, Py_BuildValue("(sssii)", format->name, format->help, format->suffixes, format->reads,
                                         format->writes));
    return list;
}

/* All rows of a table, one after the other. */
typedef struct contents {
    double *values;
    size_t columns, n, capacity;
} contents;

static okra_status add_row(contents *c, okra_table *table, bool *more, okra_message *why)
{
    if (c->n == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 256, bytes;
        double *grown =
            __builtin_mul_overflow(capacity, c->columns * sizeof *grown, &bytes) ? NULL : realloc(c->values, bytes);
        if (!grown)
            return OKRA_E_MEMORY;
        c->values = grown;
        c->capacity = capacity;
    }
    okra_status status = okra_table_next(table, c->values + c->n * c->columns, more, why);
    c->n += !status && *more;
    return status;
}

/* None where the columns have no names. */
static PyObject *names_of(const okra_table *table)
{
    size_t n = okra_table_get(table)->columns;
    if (n == 0 || !okra_table_column_name(table, 0))
        return Py_NewRef(Py_None);
    PyObject *list = PyList_New(0);
    for (size_t c = 0; list && c < n; c++) {
        const char *name = okra_table_column_name(table, c);
        core_append(&list, PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace"));
    }
    return list;
}

static PyObject *as_array(const core_state *core, const contents *c)
{
    core_rows rows;
    PyObject *array = core_new_array(core, OKRA_F64, c->n, c->columns, true, &rows);
    if (array && c->n > 0)
        memcpy(rows.data, c->values, c->n * c->columns * sizeof *c->values);
    return core_finish(array, &rows, false);
}

/* read_table(path, format or None, header, columns): the rows, and the names of the columns or None. */
static PyObject *read_table(PyObject *module, PyObject *args)
{
    const core_state *core = PyModule_GetState(module);
    PyObject *path = NULL, *array = NULL, *names = NULL;
    okra_table_options options = {0};
    int header;
    Py_ssize_t columns;
    if (!PyArg_ParseTuple(args, "O&zin", PyUnicode_FSConverter, &path, &options.format, &header, &columns))
        return NULL;
    options.header = (okra_header)header;
    options.columns = columns < 0 ? SIZE_MAX : (size_t)columns;
    okra_table *table;
    okra_message why = {""};
    contents c = {0};
    PyThreadState *others = PyEval_SaveThread();
    okra_status status = okra_table_open(PyBytes_AsString(path), &options, &table, &why);
    c.columns = okra_table_get(table)->columns;
    for (bool more = true; more && !status;)
        status = add_row(&c, table, &more, &why);
    PyEval_RestoreThread(others);
    if (status)
        core_raise(core, status, &why);
    else if ((names = names_of(table)) && (array = as_array(core, &c)))
        names = Py_BuildValue("(NN)", array, names);
    if (!array)
        Py_CLEAR(names);
    okra_table_close(table);
    free(c.values);
    Py_DECREF(path);
    return names;
}

PyMethodDef core_file_methods[] = {
    {"formats", formats, METH_NOARGS, "The registry of formats."},
    {"read_table", read_table, METH_VARARGS, "The rows of a file, and the names of its columns."},
    {NULL, NULL, 0, NULL},
};
