/* okra._core.Model: a filter with its lags, horizon, scale and warm-up. */
#include "core.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------------------------- */

static PyObject *create(PyTypeObject *type, const core_state *core, const okra_spec *spec)
{
    okra_model *model;
    okra_message why = {""};
    okra_status status = okra_model_spec_check(spec, &why);
    if (!status)
        status = okra_model_create(spec, &model);
    return status ? core_raise(core, status, &why) : handle_new(type, NULL, model);
}

/* Model(recipe, inputs, targets, settings, omega, phase) */
static PyObject *model_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const core_state *core = core_of_type(type);
    const char *recipe;
    Py_ssize_t inputs, targets;
    PyObject *settings, *omega, *phase, *made = NULL;
    okra_spec spec;
    core_rows given[2];
    if (!core ||
        !PyArg_ParseTuple(args, "snnO!OO", &recipe, &inputs, &targets, &PyDict_Type, &settings, &omega, &phase))
        return NULL;
    (void)keywords;
    if (inputs < 0 || targets < 0)
        return core_refuse(core, OKRA_E_PARAMETER, "inputs = %zd and targets = %zd cannot be negative", inputs,
                           targets);
    if (okra_spec_init(&spec, recipe, (size_t)inputs, (size_t)targets))
        return core_refuse(core, OKRA_E_RECIPE, "no recipe '%.80s': okra.recipes() lists them", recipe);
    if (core_spec_set(core, &spec, settings)) {
        size_t dimension = spec.inputs * spec.lags + spec.outputs * spec.target_lags;
        if (core_spec_frequencies(core, &spec, dimension, omega, phase, settings, given))
            made = create(type, core, &spec);
        core_rows_release(&given[0]);
        core_rows_release(&given[1]);
    }
    return made;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

/* What a stretch of rows takes and gives; all but Yhat may be absent. */
typedef struct stretch {
    core_rows U, Y, weights, Yhat, variance;
    size_t n;
    bool learns;
} stretch;

static void stretch_release(stretch *s)
{
    core_rows *const all[] = {&s->U, &s->Y, &s->weights, &s->Yhat, &s->variance};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        core_rows_release(all[i]);
}

static okra_status row_f64(okra_model *model, const stretch *s, size_t i, size_t inputs, size_t outputs)
{
    const double *u = s->U.data ? (const double *)s->U.data + i * inputs : NULL;
    const double *y = s->Y.data ? (const double *)s->Y.data + i * outputs : NULL;
    double weight = s->weights.data ? ((const double *)s->weights.data)[i] : 1;
    double *yhat = (double *)s->Yhat.data + i * outputs;
    double *variance = s->variance.data ? (double *)s->variance.data + i * outputs : NULL;
    if (!s->learns)
        return okra_model_predict(model, u, y, yhat, variance);
    return variance ? okra_model_step_variance(model, u, y, weight, yhat, variance)
                    : okra_model_step(model, u, y, weight, yhat);
}

static okra_status row_f32(okra_model *model, const stretch *s, size_t i, size_t inputs, size_t outputs)
{
    const float *u = s->U.data ? (const float *)s->U.data + i * inputs : NULL;
    const float *y = s->Y.data ? (const float *)s->Y.data + i * outputs : NULL;
    float weight = s->weights.data ? ((const float *)s->weights.data)[i] : 1;
    float *yhat = (float *)s->Yhat.data + i * outputs;
    float *variance = s->variance.data ? (float *)s->variance.data + i * outputs : NULL;
    if (!s->learns)
        return okra_model_predict_f32(model, u, y, yhat, variance);
    return variance ? okra_model_step_variance_f32(model, u, y, weight, yhat, variance)
                    : okra_model_step_f32(model, u, y, weight, yhat);
}

/* Rows `from` to `to`; *done is the first that was not taken. */
static okra_status take_rows(handle *h, const stretch *s, size_t from, size_t to, size_t *done)
{
    okra_status status = OKRA_OK;
    for (*done = from; *done < to && !status; *done += !status)
        status = (h->precision == OKRA_F32 ? row_f32 : row_f64)(h->model, s, *done, h->inputs, h->outputs);
    return status;
}

/* Without the interpreter's lock, but with an ear for Ctrl-C. False and an exception where it ended early. */
static bool take_all(handle *h, const stretch *s)
{
    okra_status status = OKRA_OK;
    size_t from = 0;
    while (from < s->n && !status) {
        size_t to = s->n - from < CORE_CHUNK ? s->n : from + CORE_CHUNK;
        PyThreadState *others = PyEval_SaveThread();
        status = take_rows(h, s, from, to, &from);
        PyEval_RestoreThread(others);
        if (!status && PyErr_CheckSignals() != 0)
            return false;
    }
    if (status)
        core_raise_row(h->core, status, from);
    return !status;
}

static bool same_length(const handle *h, const stretch *s)
{
    const struct {
        const core_rows *rows;
        const char *name;
    } all[] = {{&s->U, "inputs"}, {&s->Y, "targets"}, {&s->weights, "weights"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].rows->data && all[i].rows->n != s->n)
            return core_refuse(h->core, OKRA_E_PARAMETER, "there are %zu rows of %s, and %zu of the others",
                               all[i].rows->n, all[i].name, s->n);
    return true;
}

static bool stretch_get(const handle *h, PyObject *U, PyObject *Y, PyObject *weights, stretch *s)
{
    if (U == Py_None && h->inputs > 0)
        return core_refuse(h->core, OKRA_E_PARAMETER, "the model has %zu inputs, and none are given", h->inputs);
    if (h->inputs == 0 && Y == Py_None)
        return core_refuse(h->core, OKRA_E_PARAMETER, "a model without inputs needs the targets");
    if ((h->inputs > 0 && !core_rows_get(h->core, U, h->precision, h->inputs, "U", &s->U)) ||
        (Y != Py_None && !core_rows_get(h->core, Y, h->precision, h->outputs, "Y", &s->Y)) ||
        (weights != Py_None && !core_rows_get(h->core, weights, h->precision, 1, "weights", &s->weights)))
        return false;
    s->n = s->U.data ? s->U.n : s->Y.n;
    return same_length(h, s);
}

/* _run(U, Y, weights, learns, with variance): predictions, or a pair of them and their variances. */
static PyObject *model_run(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *U, *Y, *weights, *predictions = NULL, *variances = NULL;
    int learns, with_variance;
    stretch s = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOpp", &U, &Y, &weights, &learns, &with_variance))
        return NULL;
    s.learns = learns;
    if (stretch_get(h, U, Y, weights, &s)) {
        predictions = core_new_array(h->core, h->precision, s.n, h->outputs, s.Y.data && s.Y.view.ndim == 2, &s.Yhat);
        if (predictions && with_variance)
            variances =
                core_new_array(h->core, h->precision, s.n, h->outputs, s.Y.data && s.Y.view.ndim == 2, &s.variance);
        if (!PyErr_Occurred() && handle_enter(h, true)) {
            take_all(h, &s);
            handle_leave(h, true);
        }
    }
    stretch_release(&s);
    return core_answer(predictions, variances, with_variance);
}

/* ---- a row -------------------------------------------------------------------------------------------------- */

static PyObject *step_row(handle *h, stretch *s)
{
    PyObject *array = core_new_array(h->core, h->precision, 1, h->outputs, false, &s->Yhat);
    if (!array)
        return NULL;
    okra_status status = OKRA_OK;
    if (handle_enter(h, true)) {
        size_t done;
        status = take_rows(h, s, 0, 1, &done);
        handle_leave(h, true);
    }
    PyObject *answer = core_finish(array, &s->Yhat, true);
    if (status)
        core_raise(h->core, status, NULL);
    if (PyErr_Occurred())
        Py_CLEAR(answer);
    return answer;
}

static PyObject *model_step(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *keywords)
{
    handle *h = (handle *)self;
    step_arguments step;
    step_target y = {.rows.held = false};
    stretch s = {.n = 1, .learns = true};
    PyObject *answer = NULL;
    double weight;
    float weight_f32;
    if (!core_step_arguments(h->core, args, n, keywords, &step))
        return NULL;
    weight = step.weight, weight_f32 = (float)weight;
    s.weights.data = h->precision == OKRA_F32 ? (void *)&weight_f32 : &weight;
    bool good = (h->inputs == 0 || core_rows_get(h->core, step.x, h->precision, h->inputs, "u", &s.U)) &&
                (step.y == Py_None || core_target_get(h, step.y, &y));
    if (good && s.U.data && s.U.n != 1)
        core_refuse(h->core, OKRA_E_PARAMETER, "u has %zu rows: a step takes one", s.U.n);
    else if (good) {
        s.Y.data = step.y == Py_None ? NULL : (void *)(uintptr_t)y.data;
        answer = step_row(h, &s);
    }
    core_rows_release(&y.rows);
    stretch_release(&s);
    return answer;
}

/* ---- asking ------------------------------------------------------------------------------------------------- */

static okra_status ask(const handle *h, void *scratch, const stretch *s)
{
    return h->precision == OKRA_F32
               ? okra_model_ask_f32(h->model, scratch, s->n, s->U.data, s->Yhat.data, s->variance.data)
               : okra_model_ask(h->model, scratch, s->n, s->U.data, s->Yhat.data, s->variance.data);
}

static okra_status ask_unlocked(const handle *h, const stretch *s)
{
    okra_status status = OKRA_E_MEMORY;
    void *scratch = PyMem_Malloc(okra_model_scratch_size(h->model));
    if (scratch) {
        PyThreadState *others = PyEval_SaveThread();
        status = ask(h, scratch, s);
        PyEval_RestoreThread(others);
    }
    PyMem_Free(scratch);
    return status;
}

/* _predict(U, with variance): predictions, or a pair of them and their variances. */
static PyObject *model_predict(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *U, *predictions = NULL, *variances = NULL;
    int with_variance;
    stretch s = {.n = 1};
    bool single = h->inputs == 0;
    if (!PyArg_ParseTuple(args, "Op", &U, &with_variance))
        return NULL;
    if ((single || core_rows_get(h->core, U, h->precision, h->inputs, "U", &s.U)) && handle_enter(h, false)) {
        s.n = single ? 1 : s.U.n;
        single = single || s.U.single;
        predictions = core_new_array(h->core, h->precision, s.n, h->outputs, false, &s.Yhat);
        if (predictions && with_variance)
            variances = core_new_array(h->core, h->precision, s.n, h->outputs, false, &s.variance);
        okra_status status = PyErr_Occurred() ? OKRA_OK : ask_unlocked(h, &s);
        handle_leave(h, false);
        if (status)
            core_raise(h->core, status, NULL);
    }
    predictions = core_finish(predictions, &s.Yhat, single);
    variances = core_finish(variances, &s.variance, single);
    stretch_release(&s);
    return core_answer(predictions, variances, with_variance);
}

static PyObject *model_skip(PyObject *self, PyObject *none)
{
    (void)none;
    handle *h = (handle *)self;
    if (!handle_enter(h, true))
        return NULL;
    okra_status status = okra_model_skip(h->model);
    handle_leave(h, true);
    return status ? core_raise(h->core, status, NULL) : Py_NewRef(Py_None);
}

/* ---- the type ----------------------------------------------------------------------------------------------- */

PyDoc_STRVAR(step_doc,
             "step(u, y, weight=1.0)\n--\n\n"
             "Predicts the row whose inputs are u, then takes its target y and learns what is due.\n\n"
             "NaN is a missing value; y may be None. The prediction is NaN where a lag is missing or not there "
             "yet.\nA model without inputs takes u = None.");
PyDoc_STRVAR(skip_doc, "skip()\n--\n\nA row that is not there: time goes on, lags have a gap.");

static PyMethodDef methods[] = {
    {"step", CORE_FUNCTION(model_step), METH_FASTCALL | METH_KEYWORDS, step_doc},
    {"skip", model_skip, METH_NOARGS, skip_doc},
    {"_run", model_run, METH_VARARGS, "Rows one after the other."},
    {"_predict", model_predict, METH_VARARGS, "What the next row would be predicted as."},
    HANDLE_METHODS,
    MODEL_FILE_METHODS,
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The C half of okra.Model."}, {Py_tp_new, model_new},
    {Py_tp_dealloc, handle_dealloc},          {Py_tp_methods, methods},
    {Py_tp_getset, handle_attributes},        {0, NULL},
};

PyType_Spec core_model_type = {.name = "okra._core.Model",
                               .basicsize = sizeof(handle),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
