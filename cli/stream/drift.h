/*
 * Drift in a run: a test for each output (okra/drift.h), what the tests found, and the messages about it.
 */
#ifndef OKRA_CLI_DRIFT_H
#define OKRA_CLI_DRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "columns.h"
#include "learner.h"

enum { DRIFT_ROWS = 100 }; /* drifts that are reported and listed; more are only counted */

typedef struct drift_watch {
    size_t outputs;            /* 0: no drift detection */
    okra_drift *tests;         /* [outputs] */
    uint64_t waited;           /* rows of the warm-up so far: they are not tested */
    uint64_t drifts;           /* rows at which a drift was detected .. */
    uint64_t rows[DRIFT_ROWS]; /* .. and the first of them */
} drift_watch;

/* False if there is no memory. */
bool drift_start(drift_watch *w, size_t outputs);
void drift_free(drift_watch *w);

/* A row: its number, and where it stands in the input. */
typedef struct drift_place {
    const okra_table *table;
    const size_t *targets; /* columns of the outputs */
    uint64_t row, line;
} drift_place;

/* Takes the a-priori errors of the next row; NaN if there is none. Returns true, after a message, if a drift is
 * detected. */
bool drift_take(drift_watch *w, const learner *l, const double *y, const double *error, const drift_place *place);

/* The model is new or was reset: it must warm up before its errors are tested again. */
void drift_restart(drift_watch *w);

#endif
