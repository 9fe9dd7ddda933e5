/* Model files of libokra-io, and the same bytes for pickling. */
#include "core.h"

#include <stdlib.h>

#include <okra/model_file.h>

/* ---- metadata -------------------------------------------------------------------------------------------------- */

/* From a dict of texts; *metadata is to be freed, and NULL where it has none. False and an exception where it is no
 * such dict. */
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

/* ---- writing ------------------------------------------------------------------------------------------------ */

/* The bytes of the file; to be freed. NULL and an exception where there are none. */
static unsigned char *pack(handle *h, PyObject *dict, size_t *size)
{
    okra_metadata *metadata;
    unsigned char *bytes = NULL;
    okra_message why = {""};
    if (metadata_from(h->core, dict, &metadata) && handle_enter(h, false)) {
        okra_status status = okra_pack(h->filter, metadata, &bytes, size, &why);
        handle_leave(h, false);
        if (status)
            core_raise(h->core, status, &why);
    }
    okra_metadata_free(metadata);
    return PyErr_Occurred() ? NULL : bytes;
}

PyObject *core_pack(PyObject *self, PyObject *metadata)
{
    size_t size;
    unsigned char *bytes = pack((handle *)self, metadata, &size);
    PyObject *packed = bytes ? PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size) : NULL;
    free(bytes);
    return packed;
}

PyObject *core_save(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *path, *metadata;
    size_t size;
    okra_message why = {""};
    okra_status status;
    if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &path, &metadata))
        return NULL;
    unsigned char *bytes = pack(h, metadata, &size);
    if (bytes) {
        const char *place = PyBytes_AsString(path);
        PyThreadState *others = PyEval_SaveThread();
        status = okra_file_save(place, bytes, size, &why);
        PyEval_RestoreThread(others);
        if (status)
            core_raise(h->core, status, &why);
    }
    free(bytes);
    Py_DECREF(path);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

/* (object, metadata); both are taken over. */
static PyObject *pair_of(PyObject *type, okra_filter *filter, okra_metadata *metadata)
{
    PyObject *object = handle_new((PyTypeObject *)type, filter);
    PyObject *dict = object ? metadata_to(metadata) : NULL;
    okra_metadata_free(metadata);
    if (dict)
        return Py_BuildValue("(NN)", object, dict);
    Py_XDECREF(object);
    return NULL;
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
