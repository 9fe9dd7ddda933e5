/* Timing on a shared, noisy machine: contenders take turns, and each keeps its best round. */
#ifndef OKRA_BENCH_CLOCK_H
#define OKRA_BENCH_CLOCK_H

#include <stddef.h>

/* One contender: does the same work on every call. */
typedef struct contender {
    const char *name;
    void (*work)(void *context);
    void *context;
    double best; /* seconds of its fastest round */
} contender;

/* Runs all contenders in turn, `rounds` times over, and fills in `best`. */
void race(contender *contenders, size_t n, int rounds);

#endif
