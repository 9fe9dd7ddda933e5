/*
 * --metrics: the summary as a file that others can watch. It is always complete. It is written at the start, every few
 * seconds, on SIGUSR1, and at the end.
 */
#ifndef OKRA_CLI_METRICS_FILE_H
#define OKRA_CLI_METRICS_FILE_H

#include <stdbool.h>

#include "summary.h"

typedef struct metrics_file {
    const char *path; /* NULL: none. Standard output ("-") and pipes get it at the end only */
    double every;     /* seconds */
    double due;       /* a time of message_clock() */
} metrics_file;

/* Whether the next one is due. Cheap. */
bool metrics_file_is_due(const metrics_file *m);

/* Writes it in the format of the path's ending: .prom for Prometheus, .jsonl appends a line, else JSON. EXIT_DONE,
 * or EXIT_IO after an error message. */
int metrics_file_write(metrics_file *m, const summary *s, bool at_end);

#endif
