/*
 * A model that begins anew in the middle of a stream. A new model has no past, so it could predict nothing until its
 * lags are filled; but the rows that they hold are known, and are gone through again first. A warm-up takes scale and
 * width from them too: they are the latest ones, and so of the world after the change.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learner.h"

/* A model's ring of past rows: row t is at t mod rows. */
typedef struct ring_copy {
    size_t rows, columns;
    void *numbers; /* of the model's precision */
} ring_copy;

static okra_status copy_ring(const learner *l, const char *name, ring_copy *copy)
{
    okra_array array;
    *copy = (ring_copy){0};
    for (size_t i = 0; okra_model_array_at(l->model, i, &array) == OKRA_OK; i++)
        if (strcmp(array.name, name) == 0)
            *copy = (ring_copy){.rows = array.rows, .columns = array.cols};
    if (copy->rows == 0)
        return OKRA_OK; /* a time series has no inputs */
    copy->numbers = calloc(copy->rows * copy->columns, l->f32 ? sizeof(float) : sizeof(double));
    return copy->numbers ? okra_model_array_read(l->model, name, copy->numbers) : OKRA_E_MEMORY;
}

/* Row t of a ring whose next row is `next`; NaN where it has left the ring. */
static void recall_row(const learner *l, const ring_copy *ring, uint64_t t, uint64_t next, double *row)
{
    for (size_t c = 0; c < ring->columns; c++) {
        size_t at = ring->rows ? t % ring->rows * ring->columns + c : 0;
        row[c] = next - t > ring->rows ? (double)NAN
                 : l->f32              ? (double)((const float *)ring->numbers)[at]
                                       : ((const double *)ring->numbers)[at];
    }
}

static uint64_t rows_taken(const learner *l)
{
    okra_counter counter;
    for (size_t i = 0; okra_model_counter_at(l->model, i, &counter) == OKRA_OK; i++)
        if (strcmp(counter.name, "rows") == 0)
            return counter.value;
    return 0;
}

static okra_status replay(learner *l, const ring_copy *inputs, const ring_copy *targets, uint64_t next, double weight)
{
    size_t longest = inputs->rows > targets->rows ? inputs->rows : targets->rows;
    double *u = calloc(l->inputs + 2 * l->outputs, sizeof *u), *y = u + l->inputs, *yhat = y + l->outputs;
    okra_status status = u ? OKRA_OK : OKRA_E_MEMORY;
    for (uint64_t t = next > longest ? next - longest : 0; t < next && !status; t++) {
        recall_row(l, inputs, t, next, u);
        recall_row(l, targets, t, next, y);
        status = learner_step(l, u, y, t + 1 < next ? 1 : weight, yhat, NULL);
    }
    free(u);
    return status;
}

okra_status learner_relearn(learner *l, double weight)
{
    uint64_t next = rows_taken(l);
    ring_copy inputs, targets;
    okra_status status = copy_ring(l, "history.inputs", &inputs), other = copy_ring(l, "history.targets", &targets);
    if (!status && !other)
        status = okra_model_reset(l->model);
    if (!status && !other)
        status = replay(l, &inputs, &targets, next, weight);
    free(inputs.numbers);
    free(targets.numbers);
    return status ? status : other;
}
