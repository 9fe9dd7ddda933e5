/* okra._core.Filter: made, shown rows, and asked. */
#include "core.h"

#include <stdio.h>

/* Rows between looks at whether the user has pressed Ctrl-C. */
enum { CHUNK = 4096 };

/* ---- making ------------------------------------------------------------------------------------------------- */

/* Filter(recipe, inputs, outputs, settings, omega, phase) */
static PyObject *filter_new(PyTypeObject *type, PyObject *args, PyObject *keywords UNUSED)
{
    const core_state *core = core_of_type(type);
    const char *recipe;
    Py_ssize_t inputs, outputs;
    PyObject *settings, *omega, *phase, *made = NULL;
    okra_spec spec;
    okra_message why;
    core_rows given[2];
    if (!core ||
        !PyArg_ParseTuple(args, "snnO!OO", &recipe, &inputs, &outputs, &PyDict_Type, &settings, &omega, &phase))
        return NULL;
    if (inputs < 0 || outputs < 0)
        return core_refuse(core, "inputs = %zd and outputs = %zd cannot be negative", inputs, outputs);
    if (okra_spec_init(&spec, recipe, (size_t)inputs, (size_t)outputs)) {
        snprintf(why.text, sizeof why.text, "no recipe '%.80s': okra.recipes() lists them", recipe);
        return core_raise(core, OKRA_E_RECIPE, &why);
    }
    if (core_spec_read(core, &spec, settings, omega, phase, given)) {
        okra_filter *filter;
        okra_status status = okra_create(&spec, &filter);
        made = status ? core_raise(core, status, NULL) : handle_new(type, filter);
    }
    core_rows_release(&given[0]);
    core_rows_release(&given[1]);
    return made;
}

static PyObject *clone(PyObject *self, PyObject *none UNUSED)
{
    handle *h = (handle *)self;
    okra_filter *filter;
    if (!handle_enter(h, false))
        return NULL;
    okra_status status = okra_clone(h->filter, &filter);
    handle_leave(h, false);
    if (status)
        return core_raise(h->core, status, NULL);
    PyObject *twin = handle_new(Py_TYPE(self), filter);
    if (twin)
        ((handle *)twin)->frozen = h->frozen;
    return twin;
}

/* ---- arguments ---------------------------------------------------------------------------------------------- */

/* Borrows rows, unless None stands for none. */
static bool get_rows(const handle *h, PyObject *object, size_t columns, const char *name, core_rows *rows)
{
    rows->data = NULL;
    return object == Py_None || core_rows_get(h->core, object, h->precision, columns, name, rows);
}

static bool has_inputs(const handle *h, PyObject *object)
{
    if (object == Py_None && h->inputs > 0)
        return core_refuse(h->core, "the filter has %zu input%s, and none %s given", h->inputs,
                           h->inputs == 1 ? "" : "s", h->inputs == 1 ? "is" : "are");
    return true;
}

/* ---- a row -------------------------------------------------------------------------------------------------- */

/* The third argument of a step, which may be a keyword. */
static bool get_weight(const handle *h, PyObject *const *args, Py_ssize_t n, PyObject *keywords, double *weight)
{
    Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
    *weight = 1;
    if (n < 2 || n + named > 3 ||
        (named == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "weight") != 0)) {
        PyErr_SetString(PyExc_TypeError, "step() takes the inputs, the target, and perhaps a weight");
        return false;
    }
    return n + named < 3 || core_number_get(h->core, args[2], "weight", weight);
}

/* Borrows a row, or none. */
static bool get_row(const handle *h, PyObject *object, size_t columns, const char *name, core_rows *rows)
{
    if (!get_rows(h, object, columns, name, rows))
        return false;
    if (!rows->data || rows->n == 1)
        return true;
    if (columns == 1 && rows->view.ndim == 1)
        return core_refuse(h->core, "a row has 1 %s, and %zu were given", *name == 'u' ? "input" : "target", rows->n);
    return core_refuse(h->core, "%s has %zu rows: a step takes one", name, rows->n);
}

/* Begins a row, and with `y` takes it. The prediction is a number on the stack, or an array. */
static PyObject *predict_row(handle *h, const core_rows *u, const core_rows *y, double weight)
{
    core_rows yhat;
    PyObject *array = NULL;
    void *to = yhat.small;
    if (h->outputs > 1) {
        array = core_new_array(h->core, h->precision, 1, h->outputs, true, &yhat);
        if (!array)
            return NULL;
        to = yhat.data;
    }
    okra_status status;
    if (h->precision == OKRA_F32)
        status = y ? okra_step_f32(h->filter, u->data, y->data, (float)weight, to, NULL)
                   : okra_begin_f32(h->filter, u->data, to, NULL);
    else
        status =
            y ? okra_step(h->filter, u->data, y->data, weight, to, NULL) : okra_begin(h->filter, u->data, to, NULL);
    PyObject *answer = array ? core_finish(array, &yhat, true) : core_number(to, h->precision);
    if (!status)
        return answer;
    Py_XDECREF(answer);
    return core_raise(h->core, status, NULL);
}

/* A step, or without `target` its first half. It is short: it keeps the interpreter's lock. */
static PyObject *take_row(handle *h, PyObject *inputs, PyObject *target, double weight)
{
    core_rows u, y;
    PyObject *answer = NULL;
    u.held = y.held = false;
    if (has_inputs(h, inputs) && get_row(h, inputs, h->inputs, "u", &u) &&
        (!target || get_row(h, target, h->outputs, "y", &y)) && handle_enter(h, true)) {
        answer = predict_row(h, &u, target ? &y : NULL, weight);
        handle_leave(h, true);
    }
    core_rows_release(&u);
    core_rows_release(&y);
    return answer;
}

static PyObject *filter_step(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *keywords)
{
    double weight;
    bool given = get_weight((handle *)self, args, n, keywords, &weight);
    return given ? take_row((handle *)self, args[0], args[1], weight) : NULL;
}

static PyObject *filter_begin(PyObject *self, PyObject *inputs) { return take_row((handle *)self, inputs, NULL, 1); }

static PyObject *filter_commit(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"y", "weight", NULL};
    handle *h = (handle *)self;
    core_rows y;
    PyObject *target, *answer = NULL;
    double weight = 1;
    y.held = false;
    if (PyArg_ParseTupleAndKeywords(args, keywords, "O|d", names, &target, &weight) &&
        get_row(h, target, h->outputs, "y", &y) && handle_enter(h, true)) {
        okra_status status = h->precision == OKRA_F32 ? okra_commit_f32(h->filter, y.data, (float)weight)
                                                      : okra_commit(h->filter, y.data, weight);
        handle_leave(h, true);
        answer = core_none(h->core, status);
    }
    core_rows_release(&y);
    return answer;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

/* What goes in and comes out; all but Yhat may be absent. */
typedef struct block {
    core_rows U, Y, weights, Yhat, variance;
    size_t n;
} block;

/* Releases the arrays, and returns the predictions, or a pair of predictions and variances. */
static PyObject *finish(block *b, PyObject *predictions, PyObject *variances, bool single)
{
    bool pair = variances;
    core_rows_release(&b->U);
    core_rows_release(&b->Y);
    core_rows_release(&b->weights);
    predictions = core_finish(predictions, &b->Yhat, single);
    variances = core_finish(variances, &b->variance, single);
    return core_answer(predictions, variances, pair);
}

/* Arrays for what comes out. */
static bool new_answers(const handle *h, block *b, bool keep_columns, PyObject **predictions, PyObject **variances)
{
    *predictions = core_new_array(h->core, h->precision, b->n, h->outputs, keep_columns, &b->Yhat);
    if (*predictions && variances)
        *variances = core_new_array(h->core, h->precision, b->n, h->outputs, keep_columns, &b->variance);
    return !PyErr_Occurred();
}

static bool same_length(const handle *h, const block *b)
{
    const struct {
        const core_rows *rows;
        const char *name;
    } all[] = {{&b->U, "inputs"}, {&b->Y, "targets"}, {&b->weights, "weights"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].rows->data && all[i].rows->n != b->n)
            return core_refuse(h->core, "there are %zu rows of %s, and %zu of the others", all[i].rows->n, all[i].name,
                               b->n);
    return true;
}

static bool block_get(const handle *h, PyObject *U, PyObject *Y, PyObject *weights, block *b)
{
    if (!has_inputs(h, U) || !get_rows(h, U, h->inputs, "U", &b->U) || !get_rows(h, Y, h->outputs, "Y", &b->Y) ||
        !get_rows(h, weights, 1, "weights", &b->weights))
        return false;
    if (!b->U.data && !b->Y.data)
        return core_refuse(h->core, "a filter without inputs needs the targets");
    b->n = b->U.data ? b->U.n : b->Y.n;
    return same_length(h, b);
}

/* Where row i begins; NULL if there are none. */
static void *row_at(const handle *h, const core_rows *rows, size_t i, size_t columns)
{
    size_t bytes = h->precision == OKRA_F32 ? sizeof(float) : sizeof(double);
    return rows->data ? (char *)rows->data + i * columns * bytes : NULL;
}

/* `n` rows from row `from` on; *done of them were taken. */
static okra_status take_rows(handle *h, const block *b, size_t from, size_t n, size_t *done)
{
    const void *U = row_at(h, &b->U, from, h->inputs), *Y = row_at(h, &b->Y, from, h->outputs);
    const void *weights = row_at(h, &b->weights, from, 1);
    void *Yhat = row_at(h, &b->Yhat, from, h->outputs), *variance = row_at(h, &b->variance, from, h->outputs);
    return h->precision == OKRA_F32 ? okra_run_f32(h->filter, n, U, Y, weights, Yhat, variance, done)
                                    : okra_run(h->filter, n, U, Y, weights, Yhat, variance, done);
}

/* Without the interpreter's lock, but checking for Ctrl-C. Raises an exception if it ended early. */
static void take_all(handle *h, const block *b)
{
    okra_status status = OKRA_OK;
    size_t from = 0, done = 0;
    while (from < b->n && !status && !PyErr_Occurred()) {
        size_t left = b->n - from, n = left < CHUNK ? left : CHUNK;
        PyThreadState *others = PyEval_SaveThread();
        status = take_rows(h, b, from, n, &done);
        PyEval_RestoreThread(others);
        from += done;
        if (!status)
            PyErr_CheckSignals();
    }
    if (status)
        core_raise_row(h->core, status, from);
}

/* _run(U, Y, weights, learn, with variance) */
static PyObject *filter_run(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *U, *Y, *weights, *predictions = NULL, *variances = NULL;
    int learns, with_variance;
    block b = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOpp", &U, &Y, &weights, &learns, &with_variance))
        return NULL;
    if (block_get(h, U, Y, weights, &b) &&
        new_answers(h, &b, b.Y.view.ndim == 2, &predictions, with_variance ? &variances : NULL) &&
        handle_enter(h, true)) {
        okra_freeze(h->filter, h->frozen || !learns);
        take_all(h, &b);
        okra_freeze(h->filter, h->frozen);
        handle_leave(h, true);
    }
    return finish(&b, predictions, variances, false);
}

/* ---- asking ------------------------------------------------------------------------------------------------- */

/* Any number of threads may ask: each has its own scratch. */
static void ask(const handle *h, const block *b)
{
    okra_status status = OKRA_E_MEMORY;
    void *scratch = PyMem_Malloc(okra_scratch_size(h->filter));
    if (scratch) {
        PyThreadState *others = PyEval_SaveThread();
        status = h->precision == OKRA_F32
                     ? okra_predict_f32(h->filter, scratch, b->n, b->U.data, b->Yhat.data, b->variance.data)
                     : okra_predict(h->filter, scratch, b->n, b->U.data, b->Yhat.data, b->variance.data);
        PyEval_RestoreThread(others);
    }
    PyMem_Free(scratch);
    if (status)
        core_raise(h->core, status, NULL);
}

/* _predict(U, with variance) */
static PyObject *filter_predict(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *U, *predictions = NULL, *variances = NULL;
    int with_variance;
    block b = {.U = {.n = 1, .single = true}}; /* where there are no inputs */
    if (!PyArg_ParseTuple(args, "Op", &U, &with_variance))
        return NULL;
    if (has_inputs(h, U) && get_rows(h, U, h->inputs, "U", &b.U)) {
        b.n = b.U.n;
        if (new_answers(h, &b, false, &predictions, with_variance ? &variances : NULL) && handle_enter(h, false)) {
            ask(h, &b);
            handle_leave(h, false);
        }
    }
    return finish(&b, predictions, variances, b.U.single);
}

/* ---- the whole of it ---------------------------------------------------------------------------------------- */

static PyObject *change(PyObject *self, okra_status (*how)(okra_filter *filter))
{
    handle *h = (handle *)self;
    if (!handle_enter(h, true))
        return NULL;
    okra_status status = how(h->filter);
    handle_leave(h, true);
    return core_none(h->core, status);
}

static PyObject *skip(PyObject *self, PyObject *none UNUSED) { return change(self, okra_skip); }

static PyObject *reset(PyObject *self, PyObject *none UNUSED) { return change(self, okra_reset); }

static PyObject *restart(PyObject *self, PyObject *none UNUSED) { return change(self, okra_restart); }

static PyObject *freeze(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"frozen", NULL};
    handle *h = (handle *)self;
    int frozen = true;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|p", names, &frozen) || !handle_enter(h, true))
        return NULL;
    h->frozen = frozen;
    okra_freeze(h->filter, frozen);
    handle_leave(h, true);
    return Py_NewRef(Py_None);
}

/* ---- the type ----------------------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"step", CORE_FUNCTION(filter_step), METH_FASTCALL | METH_KEYWORDS,
     "step(u, y, weight=1.0)\n--\n\n"
     "Predicts the row whose inputs are u, then takes its target y and learns what is due. Returns the prediction.\n\n"
     "u is None for a filter without inputs; y may be None. A row that is refused raises an exception and leaves no "
     "trace."},
    {"begin", filter_begin, METH_O,
     "begin(u)\n--\n\n"
     "The first half of a step: predicts the row whose inputs are u, and returns that. `commit` is the other, for a "
     "weight that depends on the error. A second `begin` replaces the first."},
    {"commit", CORE_FUNCTION(filter_commit), METH_VARARGS | METH_KEYWORDS,
     "commit(y, weight=1.0)\n--\n\nTakes the target of the row that was begun, and learns what is due. y may be None."},
    {"skip", skip, METH_NOARGS, "skip()\n--\n\nA row that is not there: time goes on, lags have a gap."},
    {"reset", reset, METH_NOARGS, "reset()\n--\n\nBack to the state of a new filter."},
    {"restart", restart, METH_NOARGS,
     "restart()\n--\n\nForgets what was learnt, scale and width too, and keeps the lags: time goes on."},
    {"freeze", CORE_FUNCTION(freeze), METH_VARARGS | METH_KEYWORDS,
     "freeze(frozen=True)\n--\n\nWhile frozen, rows are predicted and become lags, and nothing is learnt."},
    {"_run", filter_run, METH_VARARGS, "Rows one after the other."},
    {"_predict", filter_predict, METH_VARARGS, "What the next row would be predicted as."},
    {"_clone", clone, METH_NOARGS, "An independent twin."},
    {"_arrays", handle_arrays, METH_NOARGS, "[(name, rows, columns)] of the state arrays."},
    {"_array_read", handle_array_read, METH_O, "A state array, by name, as a copy."},
    {"_array_write", handle_array_write, METH_VARARGS, "Puts numbers into a state array."},
    {"_counter_write", handle_counter_write, METH_VARARGS, "Gives a counter a value."},
    {"_texts", handle_texts, METH_NOARGS, "{parameter: text} as the library writes them."},
    {"_pack", core_pack, METH_O, "The bytes of its model file, with a dict of metadata."},
    {"_unpack", core_unpack, METH_O | METH_CLASS, "(object, metadata) from the bytes of a model file."},
    {"_load", core_load, METH_O | METH_CLASS, "(object, metadata) from a model file."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The C half of okra.Filter."}, {Py_tp_new, filter_new},
    {Py_tp_dealloc, handle_dealloc},           {Py_tp_methods, methods},
    {Py_tp_getset, handle_attributes},         {0, NULL},
};

PyType_Spec core_filter_type = {.name = "okra._core.Filter",
                                .basicsize = sizeof(handle),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                .slots = slots};
