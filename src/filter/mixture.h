/*
 * A mean of predictors, weighted by their recent errors:
 *
 *     weight_i ~ exp(-(a_i - a_min) / a_min m / 20),
 *
 * a_i the mean of squared a-priori errors with a memory of 500 samples, m the samples in that memory. The mean soon is
 * about as good as the best predictor on this stream.
 */
#ifndef OKRA_MIXTURE_H
#define OKRA_MIXTURE_H

#include "../core/real.h"

enum { MIXTURE_SHARPNESS = 20 };

/* The weights of n predictors; they add up to 1. loss[n + 1] are sums of squared errors, discounted, then the sum of
 * the discounts. */
#define mixture_weights OKRA_TYPED(mixture_weights)
static inline void mixture_weights(size_t n, const real *loss, real *weights)
{
    real min = loss[0], total = 0, count = loss[n];
    for (size_t k = 1; k < n; k++)
        min = loss[k] < min ? loss[k] : min;
    for (size_t k = 0; k < n; k++) {
        real excess = min > 0 ? (loss[k] - min) / min : loss[k] > 0 ? REAL_MAX : 0;
        weights[k] = real_exp(-(excess * count / MIXTURE_SHARPNESS));
        total += weights[k];
    }
    for (size_t k = 0; k < n; k++)
        weights[k] /= total;
}

/* Adds the errors of predicted[n][outputs] to the losses. An overflow counts as the largest
 * number. */
#define mixture_learn OKRA_TYPED(mixture_learn)
static inline void mixture_learn(size_t n, size_t outputs, const real *predicted, const real *y, real weight,
                                 real *loss)
{
    const real forget = (real)0.998, max = REAL_MAX / 4;
    if (!(weight > 0)) /* learns and forgets nothing */
        return;
    for (size_t k = 0; k < n; k++) {
        real sum = forget * loss[k];
        for (size_t o = 0; o < outputs; o++) {
            real e = y[o] - predicted[k * outputs + o];
            sum += weight * e * e;
        }
        loss[k] = sum <= max ? sum : max;
    }
    real count = forget * loss[n] + weight;
    loss[n] = count <= max ? count : max;
}

#endif
