/*
 * The noise estimate of a filter, for predictive variances. The error e of a sample with weight w and spread h = z'Pz
 * has variance noise (1/w + h). So e^2 / (1/w + h) estimates the noise. It is averaged with the filter's forgetting.
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
    /* A memory of a thousand samples gives the noise to a few percent, and forgets the errors of the start. */
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

/* Learns the errors of a sample whose prediction had variance `spread` in units of the noise. Overflows are left out.
 */
static inline void noise_learn(noise_estimate *n, const real *y, const real *yhat, real spread)
{
    for (size_t o = 0; o < n->outputs; o++) {
        real e = y[o] - yhat[o], sum = n->forget * n->sums[o] + e * e / spread;
        if (sum <= REAL_MAX)
            n->sums[o] = sum;
    }
    n->sums[n->outputs] = n->forget * n->sums[n->outputs] + 1;
}

/* The effective number of samples, after forgetting. */
static inline real noise_weight(const noise_estimate *n) { return n->sums[n->outputs]; }

/* The predictive variance of output o at that spread; infinite before the first sample. */
static inline real noise_variance(const noise_estimate *n, size_t o, real spread)
{
    real weight = noise_weight(n);
    real variance = n->sums[o] / weight * spread;
    return weight > 0 && !isnan(variance) ? variance : (real)INFINITY;
}

/* Sums of squares: a file may hold negative numbers. */
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
