/*
 * --metrics: the summary as a file that others watch, whole at every moment: written at the start, every so many
 * seconds, where somebody asks (SIGUSR1), and at the end.
 */
#ifndef OKRA_CLI_METRICS_FILE_H
#define OKRA_CLI_METRICS_FILE_H

#include <stdbool.h>

#include "summary.h"

typedef struct metrics_file {
    const char *path; /* NULL: none is wanted. To "-", standard output, and to pipes it is written at the end only */
    double every;     /* seconds */
    double due;       /* a time of message_clock() */
} metrics_file;

/* Whether it is time for the next one. Cheap. */
bool metrics_file_is_due(const metrics_file *m);

/* Writes it in the format that the path ends in: .prom, text for Prometheus; .jsonl, a line more; else JSON. EXIT_DONE,
 * or EXIT_IO after an error message. */
int metrics_file_write(metrics_file *m, const summary *s, bool at_end);

#endif
