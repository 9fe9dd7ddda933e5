/*
 * Losses other than the square: a factor on the weight of a sample, from the error of its prediction. The engine
 * multiplies the weight by it, so every algorithm has every loss. It turns e into psi(e) for a gradient filter, and is
 * the weight psi(e) / e for least squares.
 *
 * The scale c is given, or tracked from the errors, robustly: up to one target in twenty may be an outlier.
 */
#ifndef OKRA_LOSS_H
#define OKRA_LOSS_H

#include <okra/spec.h>

#include "../core/block.h"
#include "../vec/array.h"

#define loss_state OKRA_TYPED(loss_state)
typedef struct loss_state {
    int kind; /* OKRA_LOSS_.. */
    size_t outputs;
    real scale;    /* c, or 0: tracked */
    real quantile; /* the quantile to learn */
    real *track;   /* tracked errors of each output, if c is tracked */
} loss_state;

#define loss_lay_out    OKRA_TYPED(loss_lay_out)
#define loss_reset      OKRA_TYPED(loss_reset)
#define loss_part       OKRA_TYPED(loss_part)
#define loss_weight     OKRA_TYPED(loss_weight)
#define loss_learn      OKRA_TYPED(loss_learn)
#define loss_array      OKRA_TYPED(loss_array)
#define loss_after_load OKRA_TYPED(loss_after_load)

/* For spec->outputs targets, or `times` times as many. */
void loss_lay_out(loss_state *l, const okra_spec *spec, size_t times, okra_block *block);

/* The k-th part, of `outputs` outputs: for filters inside a filter. */
loss_state loss_part(const loss_state *all, size_t k, size_t outputs);
void loss_reset(loss_state *l);

/*
 * psi(e) / e, the share of a sample that counts. Changes nothing. `spread` is the predicted variance of the error in
 * units of the noise; 1 if the filter has none. A large error that was expected is no outlier.
 */
real loss_weight(const loss_state *l, const real *y, const real *yhat, real spread);

/* Updates the scale with the errors of a learnt sample. */
void loss_learn(loss_state *l, const real *y, const real *yhat, real spread);

/* The state; false if there is none. */
bool loss_array(const loss_state *l, array_view *view);

/* Corrects numbers from a file to a valid state. */
void loss_after_load(loss_state *l);

#endif
