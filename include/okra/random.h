/*
 * Random numbers by counter: Philox4x32-10 (Salmon et al., SC 2011).
 *
 * Value k of a sequence is a pure function of (seed, run, stream, k). Any part of a sequence can be drawn without the
 * values before it, and threads share nothing. The integers are the same on every machine. Numbers computed from them
 * (with logarithms, cosines) are the same bits on one instruction set, and agree to rounding between instruction sets.
 */
#ifndef OKRA_RANDOM_H
#define OKRA_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include <okra/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place in a sequence. Set the fields as you like; `next` = 0 is the beginning. */
typedef struct okra_random {
    uint64_t seed;   /* the experiment */
    uint32_t run;    /* the realisation within it */
    uint32_t stream; /* what the numbers are for: sequences with different streams are independent */
    uint64_t next;   /* index of the next value; every call below advances it by n */
} okra_random;

/* The generator itself: the 128 bits of Philox4x32-10 for this key and counter. */
OKRA_API void okra_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);

/* Writes n numbers uniform in the open interval (0, 1), each a multiple of 2^-53, to out[n]. */
OKRA_API void okra_random_uniform(okra_random *random, size_t n, double *out);

/* Writes n standard normal numbers to out[n], by Box and Muller. */
OKRA_API void okra_random_normal(okra_random *random, size_t n, double *out);

#ifdef __cplusplus
}
#endif
#endif
