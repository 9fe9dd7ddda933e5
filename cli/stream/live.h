/*
 * --metrics: the summary as a file that others watch, whole at every moment: written at the start, every so many
 * seconds, where somebody asks (SIGUSR1), and at the end.
 */
#ifndef OKRA_CLI_LIVE_H
#define OKRA_CLI_LIVE_H

#include <stdbool.h>

#include "summary.h"

typedef struct live {
    const char *path; /* NULL: none is wanted. To "-", standard output, and to pipes it is written at the end only */
    double every;     /* seconds */
    double due;       /* a time of message_clock() */
} live;

/* Whether it is time for the next one. Cheap. */
bool live_is_due(const live *l);

/* Writes it in the format that the path ends in: .prom, text for Prometheus; .jsonl, a line more; else JSON. EXIT_DONE,
 * or EXIT_IO when it has said why. */
int live_write(live *l, const summary *s, bool at_end);

#endif
