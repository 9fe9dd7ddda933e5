/*
 * Metrics: how well a stream was predicted, over all rows and over the recent ones. Every metric is a row of one table,
 * which the summary, --metrics and model files read.
 *
 * Prequential: every error is that of a prediction made before its row was learnt.
 */
#ifndef OKRA_CLI_METRICS_H
#define OKRA_CLI_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct score score;

/* A target of a row, its error, and its interval, both ends NaN if there is none. */
typedef struct score_item {
    double y, error, lo, hi;
} score_item;

typedef enum metric_when {
    METRIC_ALWAYS,
    METRIC_INTERVALS, /* if intervals were requested */
    METRIC_AUDIO      /* if the input is audio */
} metric_when;

typedef struct metric {
    const char *name; /* NULL ends the table */
    metric_when when;
    double (*add)(const score_item *item); /* what an item adds to this metric's sum; NaN: it is not counted. NULL: the
                                              metric is computed from others */
    double (*value)(const score *s);
    bool recent; /* is reported for the recent rows too */
} metric;

enum { METRICS_MAX = 16, METRIC_NAME = 32 };
extern const metric score_metrics[];

/* The sum of a metric's items, and how many there were. */
typedef struct metric_sum {
    double sum;
    uint64_t n;
} metric_sum;

struct score {
    size_t outputs;
    uint64_t rows;  /* scored */
    double *mean;   /* of each output's targets */
    double *spread; /* of each output's targets: sum of squared deviations from the mean */
    metric_sum sums[METRICS_MAX];
    unsigned char added[METRICS_MAX]; /* the metrics that have a sum .. */
    size_t n_added;                   /* .. so many */

    size_t window;      /* rows that are kept; 0: none */
    uint64_t kept;      /* rows that have been kept so far */
    score_item *recent; /* [window][outputs], in a circle */
};

/* `window`: how many of the last rows are kept, for score_recent(). False if there is no memory. Free it in either
 * case. */
bool score_start(score *s, size_t outputs, size_t window);
void score_free(score *s);

/* One row: its targets, the errors of the predictions made before they were learnt, and their intervals, NULL if
 * there are none. */
void score_add(score *s, const double *y, const double *error, const double *lo, const double *hi);

/* Of the last rows, up to the window. False if there is no memory. Free it in either case. */
bool score_recent(const score *s, score *recent);

/* By name; NaN if no row was scored. */
double score_value(const score *s, const char *name);

#endif
