/*
 * How well a stream was predicted: mean squared error, and its ratio to the variance of the targets.
 */
#ifndef OKRA_CLI_SCORE_H
#define OKRA_CLI_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct score {
    size_t outputs;
    uint64_t rows;   /* scored */
    double squares;  /* sum of squared errors, over rows and outputs */
    double *mean;    /* of each output's targets */
    double *spread;  /* of each output's targets: sum of squared deviations from the mean */
    uint64_t inside; /* targets, of all outputs, that were in their interval */
} score;

/* False where there is no memory. */
bool score_start(score *s, size_t outputs);
void score_free(score *s);

/* One row: its targets, and the errors of the predictions made before they were learnt. */
void score_add(score *s, const double *y, const double *error);

/* The intervals of a row that was added: lo[outputs], hi[outputs], issued before its targets y were learnt. */
void score_interval(score *s, const double *y, const double *lo, const double *hi);

double score_mse(const score *s);      /* over rows and outputs; NaN where no row was scored */
double score_mse_db(const score *s);   /* 10 log10 of it */
double score_nmse(const score *s);     /* squared errors over squared deviations; NaN where the targets never vary */
double score_erle_db(const score *s);  /* echo return loss enhancement: squared targets over squared errors, in dB */
double score_coverage(const score *s); /* the share of targets in their intervals; NaN where no row was scored */

#endif
