/*
 * okra._core: the C half of the Python package, on okra's public headers and CPython's limited API alone. numpy is
 * reached through the buffer protocol and two of its functions, so no numpy headers are needed either.
 *
 * What its files share is here. A file per subject: arrays, errors, specs and registries, filters and their state,
 * files, maps, the lab.
 */
#ifndef OKRA_PYTHON_CORE_H
#define OKRA_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

#include <okra/okra.h>

#define UNUSED __attribute__((unused))

/* What the module has found once, for all its objects; they keep it alive through their type. Keywords are those of
 * numpy.array for a copy in C order, names those of dtypes. */
enum { CORE_ERRORS, CORE_EMPTY, CORE_IS_COMPLEX, CORE_ARRAY, CORE_AS_F64, CORE_AS_F32, CORE_F64, CORE_F32, CORE_HELD };

typedef struct core_state {
    PyObject *held[CORE_HELD];
} core_state;

/* Method table entries take functions of other types than their own. */
#define CORE_FUNCTION(function) ((PyCFunction)(void (*)(void))(function))

/* Appends an item, which it takes, to a list; sets an item, which it takes, in a dict. Where that fails, *to is
 * cleared; NULL is allowed for both. */
void core_append(PyObject **to, PyObject *item);
void core_put(PyObject **to, const char *name, PyObject *item);

/* ---- errors ------------------------------------------------------------------------------------------------- */

/* Raises the exception of a status, with its text, or `why`'s where that says something. Answers NULL. */
PyObject *core_raise(const core_state *core, okra_status status, const okra_message *why);

/* The same for row `done` of a block: rows before it were taken, and the exception's `done` says how many. */
PyObject *core_raise_row(const core_state *core, okra_status status, size_t done);

/* None, or the exception of a status. */
PyObject *core_none(const core_state *core, okra_status status);

/* Refuses a parameter, or what stands for one, in words of our own, as printf takes them. */
PyObject *core_refuse(const core_state *core, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- arrays ------------------------------------------------------------------------------------------------- */

enum { CORE_SMALL = 64 };

/* Rows of numbers that Python owns: as they are where they are contiguous and of the right type, else a copy. */
typedef struct core_rows {
    Py_buffer view;
    bool held;
    bool single; /* one row without a dimension for rows: answers have none either */
    size_t n;
    void *data;
    double small[CORE_SMALL]; /* a number, or a short list of them, in either precision: no array is made of it */
} core_rows;

/* A number; `name` is for the message. False and an exception if it is none: numpy makes one of a complex number
 * too, with a warning at most, and that is refused. */
bool core_number_get(const core_state *core, PyObject *object, const char *name, double *number);

/* Borrows n x `columns` numbers of the precision; `name` is for the message. To be released in either case. */
bool core_rows_get(const core_state *core, PyObject *object, int precision, size_t columns, const char *name,
                   core_rows *rows);

void core_rows_release(core_rows *rows);

/* A new numpy array of n x columns numbers, borrowed in *rows. Of one column, unless they are to be kept: n
 * numbers. */
PyObject *core_new_array(const core_state *core, int precision, size_t n, size_t columns, bool keep_columns,
                         core_rows *rows);

/* The number that lies there, of either precision. */
PyObject *core_number(const void *number, int precision);

/* Ends the writing to an array from core_new_array(). Of a single row, a dimension is taken off: a Python float where
 * it has one column. Takes the array over; NULL is allowed. */
PyObject *core_finish(PyObject *array, core_rows *rows, bool single);

/* An answer, or a pair of them; NULL if an exception is on its way. Takes both over. */
PyObject *core_answer(PyObject *first, PyObject *second, bool pair);

/* ---- specs -------------------------------------------------------------------------------------------------- */

/* A dict of every parameter of a spec's recipe, as text. */
PyObject *core_spec_texts(const okra_spec *spec);

/* Completes a spec: sets parameters from a dict of names and texts, with frequencies and phases in radians that take
 * the place of drawn ones, None for none, and checks all. The rows are to be released in either case. */
bool core_spec_read(const core_state *core, okra_spec *spec, PyObject *settings, PyObject *omega, PyObject *phase,
                    core_rows rows[2]);

/* ---- filters ------------------------------------------------------------------------------------------------ */

typedef struct handle {
    PyObject_HEAD const core_state *core;
    okra_filter *filter;
    int precision;
    size_t inputs, outputs;
    bool frozen;
    Py_ssize_t users; /* threads that ask; -1: one that changes it */
} handle;

/* The state of the module that a class of filters belongs to, or the class that it derives from; NULL and an exception
 * where there is none. */
core_state *core_of_type(PyTypeObject *type);

/* A new object of the type, which takes over the filter, even where it fails. */
PyObject *handle_new(PyTypeObject *type, okra_filter *filter);
void handle_dealloc(PyObject *self);

/* To be called before and after any work on a handle: either many threads ask, or one changes it. False and an
 * exception where another is in the way. */
bool handle_enter(handle *h, bool to_change);
void handle_leave(handle *h, bool to_change);

/* The look inside, in handle.c: methods, and attributes. */
PyObject *handle_arrays(PyObject *self, PyObject *none);
PyObject *handle_array_read(PyObject *self, PyObject *name);
PyObject *handle_array_write(PyObject *self, PyObject *args);
PyObject *handle_counter_write(PyObject *self, PyObject *args);
PyObject *handle_texts(PyObject *self, PyObject *none);
extern PyGetSetDef handle_attributes[];

/* Model files, in files.c. */
PyObject *core_pack(PyObject *self, PyObject *metadata);
PyObject *core_unpack(PyObject *type, PyObject *bytes);
PyObject *core_load(PyObject *type, PyObject *path);

/* ---- what the module offers --------------------------------------------------------------------------------- */

extern PyType_Spec core_filter_type;

extern PyMethodDef core_registry_methods[], core_lab_methods[], core_file_methods[], core_map_methods[];

#endif
