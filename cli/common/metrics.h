/*
 * --metrics: what a command found, as JSON.
 */
#ifndef OKRA_CLI_METRICS_H
#define OKRA_CLI_METRICS_H

#include <jansson.h>

#include "options.h"
#include "output.h"

/*
 * Opens the file of --metrics where it is given, before any work is done. `result` is what goes to standard output, and
 * leaves no room for metrics there. EXIT_DONE, or another exit status when it has said why.
 */
int metrics_open(output *out, const arguments *options, const char *result);

/* From here on a lack of memory for JSON is remembered, so that objects can be made without a look at every step .. */
void metrics_watch_memory(void);

/* .. and before one is shown it is asked whether anything can be missing from it. */
bool metrics_lack_memory(void);

/* Writes an object, which is let go of. EXIT_DONE, or EXIT_IO when it has said why. */
int metrics_write(output *out, json_t *all);

/* JSON has no NaN and no infinity: those are null. */
json_t *metrics_real(double x);

#endif
