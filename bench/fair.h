/*
 * The fair question: at QKLMS's error floor, how few features does a map need, and who is faster there? Errors by Monte
 * Carlo over the same realisations for all, times on a few of them.
 */
#ifndef OKRA_BENCH_FAIR_H
#define OKRA_BENCH_FAIR_H

#include <okra/lab.h>

#include "bench.h"

/* A stream to be learnt, with the parameters that suit it. */
typedef struct scene {
    okra_signal_spec signal;
    size_t inputs, samples, runs;
    double sigma, mu, epsilon;
    size_t stride; /* of the search, in steps of the grid: 6 double D, 1 leaves none out */
} scene;

/* A filter for it. */
typedef struct fighter {
    const char *name;
    okra_spec spec;
    size_t features; /* in a z; 0 of a dictionary */
    double centres;  /* mean at the end */
    double floor;    /* mean over the runs of the mean squared error of the last 5%; infinite where one diverged */
} fighter;

fighter fair_qklms(const scene *s);

/*
 * The map with the smallest even D, on a grid of steps of about an eighth, whose floor is at or below `floor`: the next
 * smaller D on the grid was seen to be above. False where no D up to `max` reaches it, *found then being the largest,
 * or where the library has no such map for the scene, found->features being 0. A map with linear parts has a longer z
 * than the others, and gets a step that is as much smaller.
 */
bool fair_smallest(const bench *b, const scene *s, const char *map, double floor, size_t max, fighter *found);

/* ---- times ---- */

enum { FAIR_STREAMS = 4 };

/* A fighter on some realisations: a contender that starts afresh each time, or goes on learning. */
typedef struct runner {
    size_t streams, samples, times;
    okra_filter *filter[FAIR_STREAMS];
    double *X[FAIR_STREAMS], *y[FAIR_STREAMS];
} runner;

runner runner_make(const scene *s, const fighter *who, size_t streams);
void runner_free(runner *r);
double runner_samples(const runner *r); /* that one call does */
void runner_afresh(void *context);
void runner_steadily(void *context);

#endif
