/*
 * Learning and predicting, a block of rows at a time. A block is cut into pieces that stay in the cache between being
 * turned from columns into rows and being learnt; the library promises that the cuts change no bit.
 */
#include "gateway.h"

#include <math.h>

enum { PIECE = 512 };

/* A call's matrices, and buffers for a piece of each, row by row in the learner's precision. */
typedef struct block {
    const learner *by;
    size_t rows;
    const mxArray *X, *Y, *weights; /* Y and weights may be NULL */
    mxArray *Yhat, *deviation;      /* may be NULL */
    void *x, *y, *weight, *yhat, *variance;
    void *scratch;
} block;

static size_t real_size(const learner *by) { return by->single ? sizeof(float) : sizeof(double); }

static void *room(const learner *by, size_t numbers) { return mxMalloc((numbers ? numbers : 1) * real_size(by)); }

static void *at(const learner *by, void *numbers, size_t i)
{
    return numbers ? (char *)numbers + i * real_size(by) : NULL;
}

static void expect_rows(const mxArray *matrix, const char *what, size_t rows, size_t cols, const char *of)
{
    expect_matrix(matrix, what);
    if (mxGetN(matrix) != cols)
        fail(OKRA_E_PARAMETER, "%s has %zu columns, and this object has %zu %s: rows are samples", what,
             (size_t)mxGetN(matrix), cols, of);
    if (mxGetM(matrix) != rows)
        fail(OKRA_E_PARAMETER, "%s has %zu rows, and X has %zu: give one for each sample", what, (size_t)mxGetM(matrix),
             rows);
}

/* Creates the matrices to return: predictions if there is an output, deviations if there are two. */
static block make_block(const learner *by, const mxArray *X, const mxArray *Y, const mxArray *weights, int answers)
{
    block b = {.by = by, .rows = mxGetM(X), .X = X, .Y = Y, .weights = weights};
    expect_rows(X, "X", b.rows, by->inputs, "inputs");
    if (Y)
        expect_rows(Y, "Y", b.rows, by->outputs, "outputs");
    if (weights)
        expect_rows(weights, "weights", b.rows, 1, "weight a sample");
    size_t piece = b.rows < PIECE ? b.rows : PIECE;
    b.x = room(by, piece * by->inputs);
    b.y = Y ? room(by, piece * by->outputs) : NULL;
    b.weight = weights ? room(by, piece) : NULL;
    b.scratch = mxMalloc(okra_scratch_size(by->filter));
    if (answers > 0) {
        b.Yhat = new_matrix(b.rows, by->outputs, by->single);
        b.yhat = room(by, piece * by->outputs);
    }
    if (answers > 1) {
        b.deviation = new_matrix(b.rows, by->outputs, by->single);
        b.variance = room(by, piece * by->outputs);
    }
    return b;
}

static void read_piece(const block *b, size_t first, size_t n)
{
    rows_read(b->X, first, n, b->by->single, b->x);
    if (b->Y)
        rows_read(b->Y, first, n, b->by->single, b->y);
    if (b->weights)
        rows_read(b->weights, first, n, b->by->single, b->weight);
}

static void write_piece(const block *b, size_t first, size_t n)
{
    size_t numbers = n * b->by->outputs;
    if (b->Yhat)
        rows_write(b->Yhat, first, n, b->by->single, b->yhat);
    if (!b->deviation)
        return;
    for (size_t i = 0; i < numbers; i++)
        if (b->by->single)
            ((float *)b->variance)[i] = sqrtf(((float *)b->variance)[i]);
        else
            ((double *)b->variance)[i] = sqrt(((double *)b->variance)[i]);
    rows_write(b->deviation, first, n, b->by->single, b->variance);
}

/* As the library says it, but for what its words do not name. */
static void expect_row(const block *b, okra_status status, size_t row)
{
    if (status == OKRA_E_UNSUPPORTED && b->deviation)
        fail(status, "%s has no standard deviations: take rff-krls, rls, krls or auto, or ask for predictions alone",
             okra_get_spec(b->by->filter)->recipe);
    if (status && b->rows > 1)
        fail(status, "row %zu of %zu: %s", row + 1, b->rows, okra_strerror(status));
    expect(status);
}

/* ---- pieces ---------------------------------------------------------------------------------------------- */

static okra_status learn_piece(const block *b, size_t n, size_t *done)
{
    okra_filter *filter = b->by->filter;
    return b->by->single ? okra_run_f32(filter, n, b->x, b->y, b->weight, b->yhat, b->variance, done)
                         : okra_run(filter, n, b->x, b->y, b->weight, b->yhat, b->variance, done);
}

static okra_status ask_rows(const block *b, size_t first, size_t n)
{
    const learner *by = b->by;
    void *x = at(by, b->x, first * by->inputs), *yhat = at(by, b->yhat, first * by->outputs);
    void *variance = at(by, b->variance, first * by->outputs);
    return by->single ? okra_predict_f32(by->filter, b->scratch, n, x, yhat, variance)
                      : okra_predict(by->filter, b->scratch, n, x, yhat, variance);
}

/* *done is the row that was refused, if one was. */
static okra_status ask_piece(const block *b, size_t n, size_t *done)
{
    okra_status status = ask_rows(b, 0, n);
    if (status)
        for (*done = 0; *done + 1 < n && ask_rows(b, *done, 1) == OKRA_OK;)
            ++*done;
    return status;
}

static okra_status begin_row(const block *b, size_t n, size_t *done)
{
    (void)n, (void)done;
    return b->by->single ? okra_begin_f32(b->by->filter, b->x, b->yhat, NULL)
                         : okra_begin(b->by->filter, b->x, b->yhat, NULL);
}

/* ---- commands -------------------------------------------------------------------------------------------- */

typedef okra_status piece_work(const block *b, size_t n, size_t *done);

static void go_through(const block *b, piece_work *work, mxArray *out[])
{
    for (size_t first = 0, n; first < b->rows; first += n) {
        size_t done = 0;
        n = b->rows - first < PIECE ? b->rows - first : PIECE;
        read_piece(b, first, n);
        okra_status status = work(b, n, &done);
        expect_row(b, status, first + done);
        write_piece(b, first, n);
    }
    if (b->Yhat)
        out[0] = b->Yhat;
    if (b->deviation)
        out[1] = b->deviation;
}

/* [Yhat, deviation] = run(handle, X, Y, weights): predicts and learns each row; weights may be empty. */
COMMAND(do_run)
{
    block b = make_block(handle_get(in[0]), in[1], in[2], n_in > 3 && !mxIsEmpty(in[3]) ? in[3] : NULL, n_out);
    go_through(&b, learn_piece, out);
}

/* [Yhat, deviation] = predict(handle, X): learns nothing. */
COMMAND(do_predict)
{
    const learner *by = handle_get(in[0]);
    if (by->ordered)
        fail(OKRA_E_UNSUPPORTED,
             "a model with lags or a horizon takes rows in order: use run, with NaN for targets that are not known");
    block b = make_block(by, in[1], NULL, NULL, n_out > 1 ? 2 : 1);
    go_through(&b, ask_piece, out);
}

/* yhat = begin(handle, x): the first half of a step. */
COMMAND(do_begin)
{
    if (mxGetM(in[1]) != 1)
        fail(OKRA_E_PARAMETER, "X has %zu rows: a step takes one", (size_t)mxGetM(in[1]));
    block b = make_block(handle_get(in[0]), in[1], NULL, NULL, 1);
    go_through(&b, begin_row, out);
}

/* commit(handle, y, weight): the other half. */
COMMAND(do_commit)
{
    const learner *by = handle_get(in[0]);
    void *y = room(by, by->outputs);
    expect_rows(in[2], "weight", 1, 1, "weight a sample");
    expect_rows(in[1], "Y", 1, by->outputs, "outputs");
    rows_read(in[1], 0, 1, by->single, y);
    double weight = mxGetScalar(in[2]);
    expect(by->single ? okra_commit_f32(by->filter, y, (float)weight) : okra_commit(by->filter, y, weight));
}
