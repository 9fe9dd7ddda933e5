/*
 * What to say when the library refuses: the place, the parameter to blame with its value, and the remedy, in one line.
 */
#ifndef OKRA_CLI_REFUSAL_H
#define OKRA_CLI_REFUSAL_H

#include <stdint.h>

#include <okra/okra.h>

/* A filter that could not be made. Returns the exit status. */
int refuse_filter(const okra_spec *spec, okra_status status);

/* A row, by the file and its line. Returns the exit status. */
int refuse_row(const char *path, uint64_t number, const okra_spec *spec, okra_status status);

#endif
