/*
 * The noise that a filter sees, for predictive variances: each error e, of a sample with weight w and spread h = z'Pz,
 * has variance noise (1/w + h), so e^2 / (1/w + h) estimates the noise; averaged with the filter's forgetting.
 */
#ifndef OKRA_NOISE_H
#define OKRA_NOISE_H

#include "../vec/array.h"
#include "../core/block.h"

#define noise_estimate OKRA_TYPED(noise_estimate)
typedef struct noise_estimate {
    size_t outputs;
    real forget;
    real *sums; /* [outputs], then the sum of the weights */
} noise_estimate;

static inline void noise_lay_out(noise_estimate *n, size_t outputs, real beta, okra_block *block)
{
    /* A memory of a thousand samples knows the noise to a few percent, and does not carry the start's errors along for
     * ever. */
    const real longest = (real)0.999;
    n->outputs = outputs;
    n->forget = beta < longest ? beta : longest;
    n->sums = okra_block_take(block, outputs + 1, sizeof(real));
}

static inline void noise_reset(noise_estimate *n)
{
    for (size_t o = 0; o <= n->outputs; o++)
        n->sums[o] = 0;
}

/* Learns the errors of a sample whose prediction had variance `spread` in units of the noise. What does not fit the
 * format is left out. */
static inline void noise_learn(noise_estimate *n, const real *y, const real *yhat, real spread)
{
    for (size_t o = 0; o < n->outputs; o++) {
        real e = y[o] - yhat[o], sum = n->forget * n->sums[o] + e * e / spread;
        if (sum <= REAL_MAX)
            n->sums[o] = sum;
    }
    n->sums[n->outputs] = n->forget * n->sums[n->outputs] + 1;
}

/* Samples that the estimate rests on, after forgetting. */
static inline real noise_weight(const noise_estimate *n) { return n->sums[n->outputs]; }

/* The predictive variance of output o at that spread; before anything was learnt, none is known: infinite. */
static inline real noise_variance(const noise_estimate *n, size_t o, real spread)
{
    real weight = noise_weight(n);
    real variance = n->sums[o] / weight * spread;
    return weight > 0 && !isnan(variance) ? variance : (real)INFINITY;
}

/* Sums of squares: whatever a file says, not below 0. */
static inline void noise_after_load(noise_estimate *n)
{
    for (size_t o = 0; o <= n->outputs; o++)
        n->sums[o] = n->sums[o] > 0 ? n->sums[o] : 0;
}

static inline void noise_array(const noise_estimate *n, array_view *view)
{
    *view = (array_view){"noise", 1, n->outputs + 1, n->sums, ARRAY_ROWS, n->outputs + 1, false};
}

#endif
