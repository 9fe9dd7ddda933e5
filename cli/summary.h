/*
 * What a run comes to, as the summary on standard error and as the JSON of --metrics: the same numbers under the
 * same names.
 */
#ifndef OKRA_CLI_SUMMARY_H
#define OKRA_CLI_SUMMARY_H

#include <stdint.h>

#include <okra/okra.h>

#include "output.h"
#include "score.h"

typedef struct summary {
    uint64_t rows;    /* predicted */
    uint64_t learnt;  /* of them */
    uint64_t skipped; /* rows that did not parse and were passed over */
    double seconds;
    const score *score;
    const okra_spec *spec;
} summary;

/* To standard error, one line per entry. */
void summary_print(const summary *s);

/* As JSON. EXIT_DONE, or EXIT_IO when it has said why. */
int summary_write(const summary *s, output *out);

#endif
