/*
 * Predictive intervals (--interval).
 */
#ifndef OKRA_CLI_INTERVAL_H
#define OKRA_CLI_INTERVAL_H

#include <okra/okra.h>

/*
 * Reads a percentage, above 0 and below 100, and finds its *q: yhat +- q sqrt(variance) is the interval. EXIT_DONE, or
 * EXIT_USAGE after an error message: the text is no percentage, or the spec's recipe knows no variance.
 */
int interval_settle(const char *text, const okra_spec *spec, double *q);

#endif
