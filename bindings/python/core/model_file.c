/*
 * Model files of libokra-io, and the same bytes for pickling. The file holds a model; a filter is written as the plain
 * model that it is the inside of, without lags or scale, and read back from such a one.
 */
#include "core.h"

#include <stdlib.h>

#include <okra/model_file.h>

/* ---- notes -------------------------------------------------------------------------------------------------- */

static bool put_note(const core_state *core, okra_notes *notes, PyObject *key, PyObject *value)
{
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    const char *text = name ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    okra_status status = text ? okra_notes_set(notes, name, text) : OKRA_OK;
    if (status)
        core_raise(core, status, NULL);
    return text && !status;
}

/* From a dict of texts; to be freed. NULL and an exception where it is none. */
static okra_notes *notes_from(const core_state *core, PyObject *dict)
{
    okra_notes *notes;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "notes are a dict of texts");
        return NULL;
    }
    if (okra_notes_create(&notes)) {
        core_raise(core, OKRA_E_MEMORY, NULL);
        return NULL;
    }
    while (PyDict_Next(dict, &at, &key, &value))
        if (!put_note(core, notes, key, value)) {
            okra_notes_free(notes);
            return NULL;
        }
    return notes;
}

static PyObject *notes_to(const okra_notes *notes)
{
    PyObject *dict = PyDict_New();
    const char *key, *value;
    for (size_t i = 0; dict && okra_notes_at(notes, i, &key, &value); i++) {
        PyObject *text = PyUnicode_FromString(value);
        if (!text || PyDict_SetItemString(dict, key, text) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(text);
    }
    return dict;
}

/* ---- a filter as a plain model ------------------------------------------------------------------------------ */

static okra_status copy_array(const okra_filter *filter, const okra_array *array, okra_model *model)
{
    void *numbers = calloc(array->rows * array->cols + 1, sizeof(double));
    okra_status status = numbers ? okra_array_read(filter, array->name, numbers) : OKRA_E_MEMORY;
    if (!status)
        status = okra_model_array_write(model, array->name, numbers);
    free(numbers);
    return status;
}

/* Counters first, because sizes can depend on them. The first of a filter's is the samples learnt: as many rows. */
static okra_status copy_state(const okra_filter *filter, okra_model *model)
{
    okra_counter counter;
    okra_array array;
    okra_status status = OKRA_OK;
    for (size_t i = 0; !status && okra_counter_at(filter, i, &counter) == OKRA_OK; i++) {
        status = okra_model_counter_write(model, counter.name, counter.value);
        if (i == 0 && !status)
            status = okra_model_counter_write(model, "rows", counter.value);
    }
    for (size_t i = 0; !status && okra_array_at(filter, i, &array) == OKRA_OK; i++)
        status = copy_array(filter, &array, model);
    return status;
}

static okra_status wrap(const okra_filter *filter, okra_model **model)
{
    okra_status status = okra_model_create(okra_get_spec(filter), model);
    if (status)
        return status;
    status = copy_state(filter, *model);
    if (status) {
        okra_model_free(*model);
        *model = NULL;
    }
    return status;
}

static bool is_plain(const okra_model *model)
{
    const okra_spec *spec = okra_model_get_spec(model);
    return spec->lags == 1 && spec->lag_from == 0 && spec->target_lags == 0 && spec->horizon == 1 &&
           spec->scale == OKRA_SCALE_NONE && !okra_model_sigma_is_auto(model);
}

/* ---- writing ------------------------------------------------------------------------------------------------ */

/* The bytes of the file; to be freed. NULL and an exception where there are none. */
static unsigned char *pack(handle *h, PyObject *dict, size_t *size)
{
    okra_notes *notes = notes_from(h->core, dict);
    unsigned char *bytes = NULL;
    okra_message why = {""};
    okra_model *model = h->model;
    if (notes && handle_enter(h, false)) {
        okra_status status = h->filter ? wrap(h->filter, &model) : OKRA_OK;
        if (!status)
            status = okra_model_pack(model, notes, &bytes, size, &why);
        if (h->filter)
            okra_model_free(model);
        handle_leave(h, false);
        if (status)
            core_raise(h->core, status, &why);
    }
    okra_notes_free(notes);
    return PyErr_Occurred() ? NULL : bytes;
}

PyObject *core_pack(PyObject *self, PyObject *notes)
{
    size_t size;
    unsigned char *bytes = pack((handle *)self, notes, &size);
    PyObject *packed = bytes ? PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size) : NULL;
    free(bytes);
    return packed;
}

PyObject *core_save(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *path, *notes;
    size_t size;
    okra_message why = {""};
    okra_status status;
    if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &path, &notes))
        return NULL;
    unsigned char *bytes = pack(h, notes, &size);
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

static bool is_filter_type(PyObject *type) { return PyObject_HasAttrString(type, "_clone"); /* models have none */ }

/* The filter inside, alone; the model is freed. */
static PyObject *unwrap(PyTypeObject *type, const core_state *core, okra_model *model)
{
    okra_filter *filter = NULL;
    okra_status status = is_plain(model) ? okra_clone(okra_model_filter(model), &filter) : OKRA_E_UNSUPPORTED;
    okra_model_free(model);
    if (status == OKRA_E_UNSUPPORTED)
        return core_refuse(core, status, "the file holds a model with lags, a horizon or a scale: use okra.Model.load");
    return status ? core_raise(core, status, NULL) : handle_new(type, filter, NULL);
}

/* (object, notes); both are taken over. */
static PyObject *pair_of(PyObject *type, const core_state *core, okra_model *model, okra_notes *notes)
{
    PyTypeObject *class = (PyTypeObject *)type;
    PyObject *object = is_filter_type(type) ? unwrap(class, core, model) : handle_new(class, NULL, model);
    PyObject *dict = object ? notes_to(notes) : NULL;
    okra_notes_free(notes);
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
    okra_model *model;
    okra_notes *notes;
    okra_message why = {""};
    if (!core || PyBytes_AsStringAndSize(bytes, &data, &size) != 0)
        return NULL;
    okra_status status = okra_model_unpack(data, (size_t)size, &model, &notes, &why);
    return status ? core_raise(core, status, &why) : pair_of(type, core, model, notes);
}

PyObject *core_load(PyObject *type, PyObject *path)
{
    const core_state *core = core_of_type((PyTypeObject *)type);
    PyObject *name;
    okra_model *model;
    okra_notes *notes;
    okra_message why = {""};
    okra_status status;
    if (!core || !PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *place = PyBytes_AsString(name);
    PyThreadState *others = PyEval_SaveThread();
    status = okra_model_load(place, &model, &notes, &why);
    PyEval_RestoreThread(others);
    Py_DECREF(name);
    return status ? core_raise(core, status, &why) : pair_of(type, core, model, notes);
}
