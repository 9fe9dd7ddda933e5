/*
 * A mean of predictors, weighted by their recent errors. A squared error is measured in units of what the mean itself
 * has been off by lately, its level. A predictor's loss is the sum of these, with a memory of 500 samples, and
 *
 *     weight_i ~ exp(-(loss_i - least) / 20).
 *
 * The mean soon is about as good as the best predictor on this stream. Errors beyond ten levels count by their
 * logarithm, so that one bad row does not undo what was known of a good predictor. No loss is more than 400 above the
 * least: after a change, a predictor that was far behind is soon heard.
 */
#ifndef OKRA_LEVELS_H
#define OKRA_LEVELS_H

#include "../core/real.h"

enum {
    LEVEL_SHARPNESS = 20,
    LEVEL_MEMORY = 500,
    LEVEL_MEMORY_SHORT = 100,
    LEVEL_CAP = 10,
    LEVEL_KNOWN = 4,
    LEVEL_FAR = 20
};

/* The weights of n predictors; they add up to 1. Those whose bit in `heard` is not set have none. */
#define level_weights OKRA_TYPED(level_weights)
static inline void level_weights(size_t n, const real *loss, uint64_t heard, real sharpness, real *weights)
{
    real min = REAL_MAX, total = 0;
    for (size_t k = 0; k < n; k++)
        min = heard >> k & 1 && loss[k] < min ? loss[k] : min;
    for (size_t k = 0; k < n; k++) {
        weights[k] = heard >> k & 1 ? real_exp(-(loss[k] - min) / sharpness) : 0;
        total += weights[k];
    }
    for (size_t k = 0; k < n && total > 0; k++)
        weights[k] /= total;
}

/* A squared error relative to its level, as it counts. */
#define level_excess OKRA_TYPED(level_excess)
static inline real level_excess(real square, real level)
{
    real r = square / level;
    if (!(r > LEVEL_CAP))
        return r;
    return r <= REAL_MAX ? LEVEL_CAP * (1 + real_log(r / LEVEL_CAP)) : LEVEL_CAP * (1 + real_log(REAL_MAX));
}

#endif
