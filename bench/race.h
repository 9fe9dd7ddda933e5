/*
 * Timing on a shared, noisy machine. Runners take turns within a round. Results are medians, over the rounds, of ratios
 * within a round, because noise in a round affects all its runners.
 */
#ifndef OKRA_BENCH_RACE_H
#define OKRA_BENCH_RACE_H

#include <stddef.h>

#include "report.h"

/* One runner: does the same work on every call. */
typedef struct runner {
    void (*work)(void *context); /* NULL: a baseline that is not installed; all its numbers are NaN */
    void *context;
    double samples;      /* that a call does: all times are per sample */
    const double *clock; /* NULL, or where `work` leaves the seconds that it took by a clock of its own */
} runner;

typedef struct race {
    size_t n, rounds;
    double *seconds; /* [n][rounds]: processor time per sample, what ratios are made of */
    double *best;    /* [n]: the shortest time per sample by the clock on the wall */
    double *cycle;   /* [rounds]: a cycle of the CPU's clock, measured in that round */
} race;

/* Runs all of them in turn, once to warm up and then `rounds` times; to be freed. */
race race_run(const runner *runners, size_t n, size_t rounds);
void race_free(race *r);

/* Nanoseconds per sample of a runner at its fastest. */
double race_best(const race *r, size_t who);

/* Nanoseconds of a cycle of the CPU's clock at its fastest. */
double race_fastest_cycle(const race *r);

/* How often the time of `under` fits into that of `over`. */
spread race_ratio(const race *r, size_t over, size_t under);

/* A runner's time per sample, in units of `times` samples of another, or of so many cycles of the CPU's clock. */
spread race_in_units(const race *r, size_t who, size_t unit, double times);
spread race_in_cycles(const race *r, size_t who, double cycles);

#endif
