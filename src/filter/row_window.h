/*
 * The last rows, for filters that learn from several at once: their z, targets, weights, and the products of their z.
 */
#ifndef OKRA_ROW_WINDOW_H
#define OKRA_ROW_WINDOW_H

#include "weights.h"

#define row_window OKRA_TYPED(row_window)
typedef struct row_window {
    loss_state *loss; /* NULL: the square */
    size_t order;     /* maximum number of rows */
    uint64_t count;   /* rows held, and .. */
    uint64_t next;    /* .. the index of the next row: that of the oldest if the window is full */
    real *z;          /* [order][width] */
    real *y;          /* [order][outputs] */
    real *weight;     /* [order] */
    real *gram;       /* [order][order]: z_i . z_j, of the rows held */
    real *error;      /* [outputs][order]: weight (y - theta . z) of each row held, for the current theta */
    real *gain;       /* [outputs][order]: the step along each row */
    real *factor;     /* [order][order]: of window_solve() */
    real *target;     /* [outputs]: y under the loss */
    real *before, *before_y, before_weight; /* the row that the last one replaced .. */
    uint64_t before_count;                  /* .. and the count before */
    bool moved;                             /* by the last sample: a gain was not 0 */
} row_window;

#define window_lay_out    OKRA_TYPED(window_lay_out)
#define window_reset      OKRA_TYPED(window_reset)
#define window_step       OKRA_TYPED(window_step)
#define window_solve      OKRA_TYPED(window_solve)
#define window_array      OKRA_TYPED(window_array)
#define window_counter    OKRA_TYPED(window_counter)
#define window_after_load OKRA_TYPED(window_after_load)

void window_lay_out(row_window *r, const filter_shape *shape, okra_block *block);
void window_reset(row_window *r);

/*
 * Predicts and learns a sample, as filter_class.step does. The row replaces the oldest if the window is full, and theta
 * moves by sum_i gain_i z_i for every output. find_gains(self) computes `gain` from `error`. If a weight could become
 * non-finite, an older row may be the cause: the window restarts with this row alone. If that fails too,
 * OKRA_E_DIVERGED and nothing has changed.
 */
okra_status window_step(row_window *r, linear_weights *w, const real *z, const real *y, real weight, real *yhat,
                        const void *self, void (*find_gains)(const void *self));

/* gain = rate (G + reg I)^-1 error for every output, G the products of the rows. */
void window_solve(const row_window *r, size_t outputs, real reg, real rate);

/* State array i = 0, 1, 2 and counter i = 0, 1. */
bool window_array(const row_window *r, const linear_weights *w, size_t i, array_view *view);
uint64_t *window_counter(row_window *r, size_t i, const char **name, uint64_t *max);
void window_after_load(row_window *r, const linear_weights *w);

#endif
