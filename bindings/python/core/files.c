/* Files of libokra-io: models, the same bytes for pickling, and tables of rows in every format. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#include <okra/model_file.h>

/* ---- models ------------------------------------------------------------------------------------------------- */

/* From a dict of texts; *metadata is to be freed, and NULL if it has none. False and an exception if it is no such
 * dict. */
static bool metadata_from(const core_state *core, PyObject *dict, okra_metadata **metadata)
{
    *metadata = NULL;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "metadata is a dict of texts");
        return false;
    }
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const char *text = name ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
        okra_status status = text ? okra_metadata_set(metadata, name, text) : OKRA_OK;
        if (status)
            core_raise(core, status, NULL);
        if (!text || status)
            return false;
    }
    return true;
}

static PyObject *metadata_to(const okra_metadata *metadata)
{
    PyObject *dict = PyDict_New();
    const char *key, *value;
    for (size_t i = 0; dict && okra_metadata_at(metadata, i, &key, &value); i++)
        core_put(&dict, key, PyUnicode_FromString(value));
    return dict;
}

PyObject *core_pack(PyObject *self, PyObject *dict)
{
    handle *h = (handle *)self;
    okra_metadata *metadata;
    unsigned char *bytes = NULL;
    size_t size = 0;
    PyObject *packed = NULL;
    okra_message why = {""};
    if (metadata_from(h->core, dict, &metadata) && handle_enter(h, false)) {
        okra_status status = okra_pack(h->filter, metadata, &bytes, &size, &why);
        handle_leave(h, false);
        packed = status ? core_raise(h->core, status, &why)
                        : PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size);
    }
    okra_metadata_free(metadata);
    free(bytes);
    return packed;
}

/* save(path, bytes): a file that is whole or as it was before. */
static PyObject *save(PyObject *module, PyObject *args)
{
    PyObject *path;
    const char *bytes;
    Py_ssize_t size;
    okra_message why = {""};
    if (!PyArg_ParseTuple(args, "O&y#", PyUnicode_FSConverter, &path, &bytes, &size))
        return NULL;
    const char *place = PyBytes_AsString(path);
    PyThreadState *others = PyEval_SaveThread();
    okra_status status = okra_file_save(place, bytes, (size_t)size, &why);
    PyEval_RestoreThread(others);
    Py_DECREF(path);
    return status ? core_raise(PyModule_GetState(module), status, &why) : Py_NewRef(Py_None);
}

/* (object, metadata); both are taken over. */
static PyObject *pair_of(PyObject *type, okra_filter *filter, okra_metadata *metadata)
{
    PyObject *object = handle_new((PyTypeObject *)type, filter);
    PyObject *dict = object ? metadata_to(metadata) : NULL;
    okra_metadata_free(metadata);
    return core_answer(object, dict, true);
}

PyObject *core_unpack(PyObject *type, PyObject *bytes)
{
    const core_state *core = core_of_type((PyTypeObject *)type);
    char *data;
    Py_ssize_t size;
    okra_filter *filter;
    okra_metadata *metadata;
    okra_message why = {""};
    if (!core || PyBytes_AsStringAndSize(bytes, &data, &size) != 0)
        return NULL;
    okra_status status = okra_unpack(data, (size_t)size, SIZE_MAX, &filter, &metadata, &why);
    return status ? core_raise(core, status, &why) : pair_of(type, filter, metadata);
}

PyObject *core_load(PyObject *type, PyObject *path)
{
    const core_state *core = core_of_type((PyTypeObject *)type);
    PyObject *name;
    okra_filter *filter;
    okra_metadata *metadata;
    okra_message why = {""};
    okra_status status;
    if (!core || !PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *place = PyBytes_AsString(name);
    PyThreadState *others = PyEval_SaveThread();
    status = okra_load(place, 0, &filter, &metadata, &why);
    PyEval_RestoreThread(others);
    Py_DECREF(name);
    return status ? core_raise(core, status, &why) : pair_of(type, filter, metadata);
}

/* ---- tables ------------------------------------------------------------------------------------------------- */

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

/* None if the columns have no names. */
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

/* read_table(path, format or None, header, columns, missing or None): the rows, and the names of the columns or None.
 */
static PyObject *read_table(PyObject *module, PyObject *args)
{
    const core_state *core = PyModule_GetState(module);
    PyObject *path = NULL, *array = NULL, *names = NULL;
    okra_table_options options = {0};
    int header;
    Py_ssize_t columns;
    if (!PyArg_ParseTuple(args, "O&zinz", PyUnicode_FSConverter, &path, &options.format, &header, &columns,
                          &options.missing))
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
    else if ((names = names_of(table)))
        array = as_array(core, &c);
    okra_table_close(table);
    free(c.values);
    Py_DECREF(path);
    return core_answer(array, names, true);
}

PyMethodDef core_file_methods[] = {
    {"save", save, METH_VARARGS, "Writes bytes into a file."},
    {"formats", formats, METH_NOARGS, "The registry of formats."},
    {"read_table", read_table, METH_VARARGS, "The rows of a file, and the names of its columns."},
    {NULL, NULL, 0, NULL},
};
