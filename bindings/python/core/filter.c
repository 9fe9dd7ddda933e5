/* okra._core.Filter: a filter alone. */
#include "core.h"

/* ---- making ------------------------------------------------------------------------------------------------- */

static PyObject *create(PyTypeObject *type, const core_state *core, const okra_spec *spec)
{
    okra_filter *filter;
    okra_message why = {""};
    okra_status status = okra_spec_check(spec, &why);
    if (!status)
        status = okra_create(spec, &filter);
    return status ? core_raise(core, status, &why) : handle_new(type, filter, NULL);
}

/* Filter(recipe, inputs, outputs, settings, omega, phase) */
static PyObject *filter_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const core_state *core = core_of_type(type);
    const char *recipe;
    Py_ssize_t inputs, outputs;
    PyObject *settings, *omega, *phase, *made = NULL;
    okra_spec spec;
    core_rows given[2];
    if (!core ||
        !PyArg_ParseTuple(args, "snnO!OO", &recipe, &inputs, &outputs, &PyDict_Type, &settings, &omega, &phase))
        return NULL;
    (void)keywords;
    if (okra_spec_init(&spec, recipe, inputs < 0 ? 0 : (size_t)inputs, outputs < 0 ? 0 : (size_t)outputs))
        return core_refuse(core, OKRA_E_RECIPE, "no recipe '%.80s': okra.recipes() lists them", recipe);
    spec.scale = OKRA_SCALE_NONE; /* which is a model's */
    if (core_spec_set(core, &spec, settings)) {
        if (core_spec_frequencies(core, &spec, spec.inputs, omega, phase, settings, given))
            made = create(type, core, &spec);
        core_rows_release(&given[0]);
        core_rows_release(&given[1]);
    }
    return made;
}

static PyObject *clone(PyObject *self, PyObject *none)
{
    (void)none;
    handle *h = (handle *)self;
    okra_filter *twin;
    if (!handle_enter(h, false))
        return NULL;
    okra_status status = okra_clone(h->filter, &twin);
    handle_leave(h, false);
    return status ? core_raise(h->core, status, NULL) : handle_new(Py_TYPE(self), twin, NULL);
}

/* ---- learning ----------------------------------------------------------------------------------------------- */

static okra_status learn_one(handle *h, const void *x, const void *y, double weight, void *yhat)
{
    return h->precision == OKRA_F32 ? okra_step_weighted_f32(h->filter, x, y, (float)weight, yhat)
                                    : okra_step_weighted(h->filter, x, y, weight, yhat);
}

/* With room for the prediction: a number on the stack, or an array. */
static PyObject *step_one_output(handle *h, const core_rows *x, const step_target *y, double weight)
{
    double yhat;
    float yhat_f32;
    bool single = h->precision == OKRA_F32;
    okra_status status = learn_one(h, x->data, y->data, weight, single ? (void *)&yhat_f32 : &yhat);
    if (status)
        return core_raise(h->core, status, NULL);
    return PyFloat_FromDouble(single ? (double)yhat_f32 : yhat);
}

static PyObject *step_outputs(handle *h, const core_rows *x, const step_target *y, double weight)
{
    core_rows yhat;
    PyObject *array = core_new_array(h->core, h->precision, 1, h->outputs, true, &yhat);
    okra_status status = array ? learn_one(h, x->data, y->data, weight, yhat.data) : OKRA_OK;
    PyObject *answer = core_finish(array, &yhat, true);
    if (!status)
        return answer;
    Py_XDECREF(answer);
    return core_raise(h->core, status, NULL);
}

/* A step is short: it keeps the interpreter's lock. */
static PyObject *filter_step(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *keywords)
{
    handle *h = (handle *)self;
    step_arguments step;
    step_target y = {.rows.held = false};
    core_rows x;
    PyObject *answer = NULL;
    if (!core_step_arguments(h->core, args, n, keywords, &step))
        return NULL;
    if (core_rows_get(h->core, step.x, h->precision, h->inputs, "x", &x) && core_target_get(h, step.y, &y)) {
        if (x.n != 1)
            core_refuse(h->core, OKRA_E_PARAMETER, "x has %zu rows: a step takes one", x.n);
        else if (handle_enter(h, true)) {
            answer = (h->outputs == 1 ? step_one_output : step_outputs)(h, &x, &y, step.weight);
            handle_leave(h, true);
        }
    }
    core_rows_release(&x);
    core_rows_release(&y.rows);
    return answer;
}

/* What a run takes and gives; weights may be absent. */
typedef struct block {
    core_rows X, Y, weights, Yhat;
} block;

static void block_release(block *b)
{
    core_rows_release(&b->X);
    core_rows_release(&b->Y);
    core_rows_release(&b->weights);
    core_rows_release(&b->Yhat);
}

static bool block_get(const handle *h, PyObject *X, PyObject *Y, PyObject *weights, block *b)
{
    *b = (block){.X.held = false};
    if (!core_rows_get(h->core, X, h->precision, h->inputs, "X", &b->X) ||
        !core_rows_get(h->core, Y, h->precision, h->outputs, "Y", &b->Y) ||
        (weights != Py_None && !core_rows_get(h->core, weights, h->precision, 1, "weights", &b->weights)))
        return false;
    if (b->Y.n == b->X.n && (weights == Py_None || b->weights.n == b->X.n))
        return true;
    return core_refuse(h->core, OKRA_E_PARAMETER, "X has %zu rows and %s %zu", b->X.n,
                       b->Y.n == b->X.n ? "there are weights for" : "Y", b->Y.n == b->X.n ? b->weights.n : b->Y.n);
}

/* `n` rows from row `from` on; *done of them were learnt. */
static okra_status learn(handle *h, const block *b, size_t from, size_t n, size_t *done)
{
    size_t x = from * h->inputs, y = from * h->outputs;
    if (h->precision == OKRA_F32) {
        const float *X = b->X.data, *Y = b->Y.data, *weights = b->weights.data;
        return okra_run_f32(h->filter, n, X + x, Y + y, weights ? weights + from : NULL, (float *)b->Yhat.data + y,
                            done);
    }
    const double *X = b->X.data, *Y = b->Y.data, *weights = b->weights.data;
    return okra_run(h->filter, n, X + x, Y + y, weights ? weights + from : NULL, (double *)b->Yhat.data + y, done);
}

/* Without the interpreter's lock, but with an ear for Ctrl-C. False and an exception where it ended early. */
static bool learn_all(handle *h, const block *b)
{
    okra_status status = OKRA_OK;
    size_t from = 0, done = 0;
    while (from < b->X.n && !status) {
        size_t left = b->X.n - from, n = left < CORE_CHUNK ? left : CORE_CHUNK;
        PyThreadState *others = PyEval_SaveThread();
        status = learn(h, b, from, n, &done);
        PyEval_RestoreThread(others);
        from += done;
        if (!status && PyErr_CheckSignals() != 0)
            return false;
    }
    if (status)
        core_raise_row(h->core, status, from);
    return !status;
}

/* Whether predictions would be written over numbers that are still to be read. */
static bool lies_over(const core_rows *out, const core_rows *in)
{
    uintptr_t a = (uintptr_t)out->data, b = (uintptr_t)in->data;
    return in->held && a < b + (size_t)in->view.len && b < a + (size_t)out->view.len;
}

/* The array for predictions: the caller's, or a new one in the shape of the targets. */
static PyObject *output_array(const handle *h, PyObject *out, block *b)
{
    if (out == Py_None)
        return core_new_array(h->core, h->precision, b->X.n, h->outputs, b->Y.view.ndim == 2, &b->Yhat);
    if (!core_rows_get_writable(h->core, out, h->precision, b->X.n, h->outputs, &b->Yhat))
        return NULL;
    if (lies_over(&b->Yhat, &b->X) || lies_over(&b->Yhat, &b->Y) || lies_over(&b->Yhat, &b->weights))
        return core_refuse(h->core, OKRA_E_PARAMETER, "out shares memory with what is read: give an array of its own");
    return Py_NewRef(out);
}

static PyObject *filter_run(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"X", "Y", "weights", "out", NULL};
    handle *h = (handle *)self;
    PyObject *X, *Y, *weights = Py_None, *out = Py_None, *answer = NULL;
    block b;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|OO", names, &X, &Y, &weights, &out))
        return NULL;
    if (block_get(h, X, Y, weights, &b) && (answer = output_array(h, out, &b))) {
        bool entered = handle_enter(h, true), done = entered && learn_all(h, &b);
        if (entered)
            handle_leave(h, true);
        if (!done)
            Py_CLEAR(answer);
    }
    block_release(&b);
    return answer;
}

/* ---- asking ------------------------------------------------------------------------------------------------- */

static okra_status ask(const handle *h, void *scratch, const core_rows *X, const core_rows *Yhat,
                       const core_rows *variance)
{
    if (h->precision == OKRA_F32)
        return variance->data ? okra_predict_variance_f32(h->filter, scratch, X->n, X->data, Yhat->data, variance->data)
                              : okra_predict_with_f32(h->filter, scratch, X->n, X->data, Yhat->data);
    return variance->data ? okra_predict_variance(h->filter, scratch, X->n, X->data, Yhat->data, variance->data)
                          : okra_predict_with(h->filter, scratch, X->n, X->data, Yhat->data);
}

/* Any number of threads may ask: each has its own scratch. */
static okra_status ask_unlocked(handle *h, const core_rows *X, const core_rows *Yhat, const core_rows *variance)
{
    okra_status status = OKRA_E_MEMORY;
    void *scratch = PyMem_Malloc(okra_scratch_size(h->filter));
    if (scratch) {
        PyThreadState *others = PyEval_SaveThread();
        status = ask(h, scratch, X, Yhat, variance);
        PyEval_RestoreThread(others);
    }
    PyMem_Free(scratch);
    return status;
}

/* _predict(X, with variance): predictions, or a pair of them and their variances. */
static PyObject *filter_predict(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *object, *predictions = NULL, *variances = NULL;
    int with_variance;
    core_rows X, Yhat = {.held = false}, variance = {.held = false};
    if (!PyArg_ParseTuple(args, "Op", &object, &with_variance))
        return NULL;
    if (core_rows_get(h->core, object, h->precision, h->inputs, "X", &X) && handle_enter(h, false)) {
        predictions = core_new_array(h->core, h->precision, X.n, h->outputs, false, &Yhat);
        if (predictions && with_variance)
            variances = core_new_array(h->core, h->precision, X.n, h->outputs, false, &variance);
        okra_status status = PyErr_Occurred() ? OKRA_OK : ask_unlocked(h, &X, &Yhat, &variance);
        handle_leave(h, false);
        if (status)
            core_raise(h->core, status, NULL);
    }
    predictions = core_finish(predictions, &Yhat, X.single);
    variances = core_finish(variances, &variance, X.single);
    core_rows_release(&X);
    return core_answer(predictions, variances, with_variance);
}

/* ---- the type ----------------------------------------------------------------------------------------------- */

PyDoc_STRVAR(step_doc, "step(x, y, weight=1.0)\n--\n\n"
                       "Predicts the target of the input x, then learns that it was y. Returns the prediction.\n\n"
                       "A sample that is refused raises an exception and leaves no trace.");
PyDoc_STRVAR(run_doc,
             "run(X, Y, weights=None, out=None)\n--\n\n"
             "A step for each row of X and Y, in less time and with the same bits. Returns the predictions.\n\n"
             "Contiguous arrays of the filter's dtype are used in place; others are copied first. Other threads "
             "run\nmeanwhile. At a row that is refused it stops: the exception's `done` is the number of rows "
             "learnt.\n`out` takes the predictions, where given.");

static PyMethodDef methods[] = {
    {"step", CORE_FUNCTION(filter_step), METH_FASTCALL | METH_KEYWORDS, step_doc},
    {"run", CORE_FUNCTION(filter_run), METH_VARARGS | METH_KEYWORDS, run_doc},
    {"_predict", filter_predict, METH_VARARGS, "Predictions, and variances where asked for."},
    {"_clone", clone, METH_NOARGS, "An independent twin."},
    HANDLE_METHODS,
    MODEL_FILE_METHODS,
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
