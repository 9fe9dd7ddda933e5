#include "row_window.h"

#include <string.h>

#define ROUNDING ((real)(16 * (OKRA_PRECISION == 64 ? DBL_EPSILON : (double)FLT_EPSILON)))

void window_lay_out(row_window *r, const filter_shape *shape, okra_block *block)
{
    size_t row = SIZE_MAX, targets = SIZE_MAX, order = shape->spec->order;
    okra_multiply(shape->width, sizeof(real), &row);
    okra_multiply(shape->outputs, sizeof(real), &targets);
    r->loss = shape->spec->loss == OKRA_LOSS_SQUARE ? NULL : shape->loss;
    r->order = order;
    r->z = okra_block_take(block, order, row);
    r->y = okra_block_take(block, order, targets);
    r->weight = okra_block_take(block, order, sizeof(real));
    r->gram = okra_block_take(block, order, order * sizeof(real));
    r->error = okra_block_take(block, order, targets);
    r->gain = okra_block_take(block, order, targets);
    r->factor = okra_block_take(block, order, order * sizeof(real));
    r->target = okra_block_take(block, 1, targets);
    r->before = okra_block_take(block, 1, row);
    r->before_y = okra_block_take(block, 1, targets);
}

void window_reset(row_window *r) { r->count = r->next = 0; }

/* Computes the products of row i with all rows held. */
static void multiply_row(row_window *r, const linear_weights *w, size_t i)
{
    for (size_t j = 0; j < r->count; j++)
        r->gram[i * r->order + j] = r->gram[j * r->order + i] =
            w->vec->dot(w->width, r->z + i * w->width, r->z + j * w->width);
}

/* Adds a row; replaces the oldest if the window is full. */
static void push(row_window *r, const linear_weights *w, const real *z, const real *y, real weight)
{
    size_t i = r->next;
    memcpy(r->before, r->z + i * w->width, w->width * sizeof *z);
    memcpy(r->before_y, r->y + i * w->outputs, w->outputs * sizeof *y);
    r->before_weight = r->weight[i];
    r->before_count = r->count;
    memcpy(r->z + i * w->width, z, w->width * sizeof *z);
    memcpy(r->y + i * w->outputs, y, w->outputs * sizeof *y);
    r->weight[i] = weight;
    r->next = (r->next + 1) % r->order;
    r->count += r->count < r->order;
    multiply_row(r, w, i);
}

/* Undoes the last push. */
static void undo(row_window *r, const linear_weights *w)
{
    size_t i = r->next = (r->next + r->order - 1) % r->order;
    memcpy(r->z + i * w->width, r->before, w->width * sizeof *r->z);
    memcpy(r->y + i * w->outputs, r->before_y, w->outputs * sizeof *r->y);
    r->weight[i] = r->before_weight;
    r->count = r->before_count;
    if (i < r->count)
        multiply_row(r, w, i);
}

/* Fills in `error`. */
static void errors(const row_window *r, const linear_weights *w)
{
    for (size_t o = 0; o < w->outputs; o++)
        for (size_t i = 0; i < r->count; i++) {
            real yhat = w->vec->dot(w->width, w->theta + o * w->width, r->z + i * w->width);
            r->error[o * r->order + i] = r->weight[i] * (r->y[i * w->outputs + o] - yhat);
        }
}

/* L L' = G + reg I. Pivots are at least reg, except for rounding, and at least the rounding error of their row. So rows
 * that are almost equal do not cause huge opposite steps. */
static void factorise(const row_window *r, real reg)
{
    size_t n = r->count, m = r->order;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            real sum = r->gram[i * m + j] + (i == j ? reg : 0);
            for (size_t k = 0; k < j; k++)
                sum -= r->factor[i * m + k] * r->factor[j * m + k];
            if (i == j) {
                real rounding = ROUNDING * r->gram[i * m + i], min = reg > rounding ? reg : rounding;
                sum = real_sqrt(sum > min ? sum : min);
            } else {
                sum /= r->factor[j * m + j];
            }
            r->factor[i * m + j] = sum;
        }
}

void window_solve(const row_window *r, size_t outputs, real reg, real rate)
{
    size_t n = r->count, m = r->order;
    factorise(r, reg);
    for (size_t o = 0; o < outputs; o++) {
        real *a = r->gain + o * m;
        for (size_t i = 0; i < n; i++) {
            a[i] = r->error[o * m + i];
            for (size_t k = 0; k < i; k++)
                a[i] -= r->factor[i * m + k] * a[k];
            a[i] /= r->factor[i * m + i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++)
                a[i] -= r->factor[k * m + i] * a[k];
            a[i] /= r->factor[i * m + i];
        }
        for (size_t i = 0; i < n; i++)
            a[i] *= rate;
    }
}

/* Moves theta if every weight is certain to stay finite. */
static okra_status move(const row_window *r, linear_weights *w)
{
    real max = 0;
    for (size_t o = 0; o < w->outputs; o++) {
        real sum = 0; /* no |z_j| is above |z| */
        for (size_t i = 0; i < r->count; i++)
            sum += real_abs(r->gain[o * r->order + i]) * real_sqrt(r->gram[i * r->order + i]);
        if (!(sum <= REAL_MAX))
            return OKRA_E_DIVERGED;
        max = sum > max ? sum : max;
    }
    if (!weights_reserve(w, max))
        return OKRA_E_DIVERGED;
    for (size_t o = 0; o < w->outputs; o++)
        for (size_t i = 0; i < r->count; i++)
            w->vec->axpy(w->width, r->gain[o * r->order + i], r->z + i * w->width, w->theta + o * w->width);
    return OKRA_OK;
}

static okra_status try_row(row_window *r, linear_weights *w, const real *z, const real *y, real weight,
                           const void *self, void (*find_gains)(const void *self))
{
    push(r, w, z, y, weight);
    errors(r, w);
    find_gains(self);
    okra_status status = move(r, w);
    if (status)
        undo(r, w);
    return status;
}

static okra_status learn(row_window *r, linear_weights *w, const real *z, const real *y, real weight, const void *self,
                         void (*find_gains)(const void *self))
{
    uint64_t count = r->count, next = r->next;
    okra_status status = try_row(r, w, z, y, weight, self, find_gains);
    if (!status || count == 0)
        return status;
    r->count = r->next = 0;
    status = try_row(r, w, z, y, weight, self, find_gains);
    if (status) {
        r->count = count, r->next = next;
        multiply_row(r, w, 0);
    }
    return status;
}

static bool moves(const row_window *r, size_t outputs)
{
    for (size_t o = 0; o < outputs; o++)
        for (size_t i = 0; i < r->count; i++)
            if (r->gain[o * r->order + i] != 0)
                return true;
    return false;
}

/*
 * target = y under the loss, which changes the weight of the row for as long as it is held. A quantile's weight
 * psi(e) / e is large for a small error, and too large once the row's error has grown: theta would overshoot. So it
 * changes the target, to yhat + psi(e).
 */
static real apply_loss(row_window *r, size_t outputs, const real *y, const real *yhat, real weight)
{
    real share = r->loss ? loss_weight(r->loss, y, yhat, 1) : 1;
    bool shifts = r->loss && r->loss->kind == OKRA_LOSS_QUANTILE;
    for (size_t o = 0; o < outputs; o++)
        r->target[o] = shifts ? yhat[o] + share * (y[o] - yhat[o]) : y[o];
    return shifts ? weight : weight * share;
}

okra_status window_step(row_window *r, linear_weights *w, const real *z, const real *y, real weight, real *yhat,
                        const void *self, void (*find_gains)(const void *self))
{
    r->moved = false;
    if (!(w->vec->dot(w->width, z, z) <= REAL_MAX))
        return OKRA_E_RANGE;
    weights_predict(w, z, NULL, yhat, NULL);
    real counts = apply_loss(r, w->outputs, y, yhat, weight);
    okra_status status = OKRA_OK;
    if (counts > 0)
        status = learn(r, w, z, r->target, counts, self, find_gains);
    else if (w->vec->finite(w->outputs, yhat) < w->outputs)
        status = OKRA_E_DIVERGED;
    r->moved = !status && counts > 0 && moves(r, w->outputs);
    if (!status && r->loss && weight > 0)
        loss_learn(r->loss, y, yhat, 1);
    return status;
}

bool window_array(const row_window *r, const linear_weights *w, size_t i, array_view *view)
{
    if (i == 0)
        *view = (array_view){"rows", r->count, w->features, r->z, ARRAY_ROWS, w->width, false};
    else if (i == 1)
        *view = (array_view){"targets", r->count, w->outputs, r->y, ARRAY_ROWS, w->outputs, false};
    else if (i == 2)
        *view = (array_view){"weights", 1, r->count, r->weight, ARRAY_ROWS, r->count, false};
    return i < 3;
}

uint64_t *window_counter(row_window *r, size_t i, const char **name, uint64_t *max)
{
    *name = i == 0 ? "held" : "next";
    *max = i == 0 ? r->order : r->order - 1;
    return i == 0 ? &r->count : i == 1 ? &r->next : NULL;
}

void window_after_load(row_window *r, const linear_weights *w)
{
    for (size_t i = 0; i < r->count; i++) {
        memset(r->z + i * w->width + w->features, 0, (w->width - w->features) * sizeof *r->z);
        r->weight[i] = r->weight[i] > 0 ? r->weight[i] : 0;
        multiply_row(r, w, i);
    }
    if (r->count < r->order)
        r->next = r->count;
}
