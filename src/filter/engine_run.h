/* Running an engine, in one precision. The handle has checked pointers and precision. */
#ifndef OKRA_ENGINE_RUN_H
#define OKRA_ENGINE_RUN_H

#include "../core/real.h"
#include "engine.h"

#define engine_run              OKRA_TYPED(engine_run)
#define engine_step             OKRA_TYPED(engine_step)
#define engine_predict          OKRA_TYPED(engine_predict)
#define engine_takes            OKRA_TYPED(engine_takes)
#define engine_predict_next     OKRA_TYPED(engine_predict_next)
#define engine_begin            OKRA_TYPED(engine_begin)
#define engine_commit           OKRA_TYPED(engine_commit)
#define engine_predict_pending  OKRA_TYPED(engine_predict_pending)
#define engine_keeps_pending    OKRA_TYPED(engine_keeps_pending)
#define engine_cancel_pending   OKRA_TYPED(engine_cancel_pending)
#define engine_learn_delayed    OKRA_TYPED(engine_learn_delayed)
#define engine_is_probabilistic OKRA_TYPED(engine_is_probabilistic)

/* n samples, as n steps; *done is the number learnt. weights and Yhat may be NULL. */
okra_status engine_run(okra_engine *engine, size_t n, const real *X, const real *Y, const real *weights, real *Yhat,
                       size_t *done);

/* Predicts into yhat (may be NULL), then learns. Does neither if the sample is rejected. */
okra_status engine_step(okra_engine *engine, const real *x, const real *y, real weight, real *yhat);

/* n predictions. `memory` is the caller's, okra_engine_scratch() bytes. Also variances, if not NULL and the engine has
 * them. */
okra_status engine_predict(const okra_engine *engine, void *memory, size_t n, const real *X, real *Yhat,
                           real *variance);
bool engine_is_probabilistic(const okra_engine *engine);

/* Whether a target is finite. */
bool engine_takes(const okra_engine *engine, const real *y);

/* One prediction in the engine's own scratch; yhat may be NULL. */
okra_status engine_predict_next(okra_engine *engine, const real *x, real *yhat, real *variance);

/* A step in two halves, which computes the features once. begin predicts into yhat (may be NULL). commit learns the
 * same x, which the caller has kept; no other call of the engine may come between. A rejected commit may be tried
 * again. */
okra_status engine_begin(okra_engine *engine, const real *x, real *yhat, real *variance);
okra_status engine_commit(okra_engine *engine, const real *x, const real *y, real weight);

/* The same if the label comes spec.delay rows later. `slot` identifies a row with a pending label. If the row is
 * rejected after its prediction, the prediction can be cancelled. */
okra_status engine_predict_pending(okra_engine *engine, size_t slot, const real *x, real *yhat, real *variance);
bool engine_keeps_pending(const okra_engine *engine); /* else predict_pending only predicts */
void engine_cancel_pending(okra_engine *engine, size_t slot);
okra_status engine_learn_delayed(okra_engine *engine, size_t slot, const real *x, const real *y, real weight);

#endif
