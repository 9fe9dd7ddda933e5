/*
 * Equal error: at QKLMS's error floor, how few features does a map need, and who is faster there? Errors by Monte
 * Carlo over the same realisations for all, times on a few of them.
 */
#ifndef OKRA_BENCH_EQUAL_ERROR_H
#define OKRA_BENCH_EQUAL_ERROR_H

#include <okra/lab.h>

#include "bench.h"

/* A stream to learn, with suitable parameters. */
typedef struct task {
    okra_signal_spec signal;
    size_t inputs, samples, runs;
    double sigma, mu, epsilon;
    size_t stride; /* of the search, in steps of the grid: 6 double D, 1 leaves none out */
} task;

/* A filter for it. */
typedef struct setup {
    const char *name;
    okra_spec spec;
    size_t features; /* in a z; 0 of a dictionary */
    double centres;  /* mean at the end */
    double floor;    /* mean over the runs of the mean squared error of the last 5%; infinite if one diverged */
} setup;

setup equal_error_qklms(const task *s);

/*
 * The map with the smallest even D, on a grid of steps of about an eighth, whose floor is at or below `floor`: the next
 * smaller D on the grid was seen to be above. False if no D up to `max` reaches it, *found then being the largest, or
 * if the library has no such map for the task; found->features is then 0. A map with linear parts has a longer z than
 * the others, and gets a step that is as much smaller.
 */
bool equal_error_smallest(const bench *b, const task *s, const char *map, double floor, size_t max, setup *found);

/* ---- times ---- */

enum { REPLAY_STREAMS = 4 };

/* A setup on some realisations: a runner that starts afresh each time, or continues to learn. */
typedef struct replay {
    size_t streams, samples, times;
    okra_filter *filter[REPLAY_STREAMS];
    double *X[REPLAY_STREAMS], *y[REPLAY_STREAMS];
} replay;

replay replay_make(const task *s, const setup *who, size_t streams);
void replay_free(replay *r);
double replay_samples(const replay *r); /* of one call */
void replay_afresh(void *context);
void replay_steadily(void *context);

#endif
