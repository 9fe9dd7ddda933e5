/*
 * Losses other than the square: how much of a sample counts, from the error of its prediction. The engine multiplies
 * the sample's weight by it, so that every algorithm has every loss: to a gradient filter it makes of e its psi(e), to
 * least squares it is the weight psi(e) / e.
 *
 * The scale c is given, or tracked from the errors themselves by a rule that a few wild ones cannot move: up to one
 * target in twenty may be wild.
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
    real quantile; /* that is learnt */
    real *track;   /* what is known of each output's errors, if c is tracked */
} loss_state;

#define loss_lay_out    OKRA_TYPED(loss_lay_out)
#define loss_reset      OKRA_TYPED(loss_reset)
#define loss_part       OKRA_TYPED(loss_part)
#define loss_weight     OKRA_TYPED(loss_weight)
#define loss_learn      OKRA_TYPED(loss_learn)
#define loss_array      OKRA_TYPED(loss_array)
#define loss_after_load OKRA_TYPED(loss_after_load)

/* Of spec->outputs targets, or `times` times as many. */
void loss_lay_out(loss_state *l, const okra_spec *spec, size_t times, okra_block *block);

/* Of those, the k-th part of so many outputs: for filters inside a filter. */
loss_state loss_part(const loss_state *all, size_t k, size_t outputs);
void loss_reset(loss_state *l);

/*
 * psi(e) / e, the share of a sample that counts. Changes nothing. `spread` is the variance that its error has in units
 * of the noise, as far as the filter knows: 1 if it knows nothing. An error that was to be expected is not wild.
 */
real loss_weight(const loss_state *l, const real *y, const real *yhat, real spread);

/* Takes the errors of a sample that was learnt into the scale. */
void loss_learn(loss_state *l, const real *y, const real *yhat, real spread);

/* The state, if there is any: false if not. */
bool loss_array(const loss_state *l, array_view *view);

/* Makes whatever a file says a state that can be gone on from. */
void loss_after_load(loss_state *l);

#endif
