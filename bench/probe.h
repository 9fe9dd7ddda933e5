/*
 * What the machine can do now: its clock, and its read bandwidth.
 */
#ifndef OKRA_BENCH_PROBE_H
#define OKRA_BENCH_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether baselines compiled for AVX2 and FMA can run. */
bool probe_has_avx2(void);

/*
 * Seconds of a cycle of the CPU's clock, from a chain of multiply-adds that each wait for the one before: 4 cycles each
 * on Zen 2 and later and on Intel from Skylake. (The time stamp counter does not follow the clock.) NaN without FMA.
 */
double probe_cycle(void);

/* The name of the CPU. */
void probe_cpu(char *name, size_t size);

/* A runner: reads a buffer of that many bytes, over and over; its samples are bytes. */
typedef struct reading {
    void *buffer;
    size_t bytes, passes;
    unsigned sum; /* so that nothing is optimised away */
} reading;

reading reading_make(size_t bytes);
void reading_free(reading *r);
void reading_work(void *context);
double reading_bytes(const reading *r);

#endif
