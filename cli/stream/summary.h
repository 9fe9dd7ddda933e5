/*
 * The result of a run: the summary on standard error and the JSON of --metrics, with the same numbers and names.
 */
#ifndef OKRA_CLI_SUMMARY_H
#define OKRA_CLI_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/okra.h>

#include "columns.h"
#include "drift.h"
#include "metrics.h"
#include "relevance.h"

typedef struct summary {
    uint64_t rows;           /* predicted, or found to have no prediction yet */
    uint64_t learnt;         /* samples */
    uint64_t skipped;        /* rows that did not parse */
    uint64_t gaps;           /* rows without a prediction, because a value is missing */
    const uint64_t *missing; /* values of each input and target, those of this session */
    uint64_t restarts;       /* of the model, so far */
    double seconds;
    bool learns; /* or only predicts */
    bool loaded; /* the model, so that its inputs are settled */
    const okra_table *table;
    const columns *columns;
    const score *score;
    const drift_watch *drift; /* NULL: was not looked for */
    okra_spec spec;
    const okra_filter *model;
    okra_stats stats; /* of the filter */
    bool intervals;   /* were asked for, so that there is a coverage */
    bool audio;       /* is what was read, so that there is an echo return loss enhancement .. */
    bool residual;    /* .. and what was written, so that there is a number of values clipped */
    uint64_t clipped;
} summary;

/* The names of the columns, by number from 1 if there is no header or no UTF-8. */
column_names summary_names(const summary *s);

/* Prints to standard error, one line per entry, and notes if something needs attention. */
void summary_print(const summary *s);

/* As JSON, to be freed; with `indent` 0 in one line. NULL if there is no memory. */
char *summary_json(const summary *s, unsigned indent);

#endif
