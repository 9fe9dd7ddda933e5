/*
 * Messages for what the library refuses: the place, the parameter and its value, and the remedy, in one line.
 */
#ifndef OKRA_CLI_REFUSAL_H
#define OKRA_CLI_REFUSAL_H

#include <stdint.h>

#include <okra/okra.h>

/* Reports a model that could not be created. If it is too large, names the option that makes it so. Returns the exit
 * status. */
int refuse_model(const okra_spec *spec, okra_status status);

/* Reports a refused row, by file and line. Returns the exit status. */
int refuse_row(const char *path, uint64_t number, const okra_spec *spec, okra_status status);

/* Adds the option to the library's advice about a row, which knows only columns. */
void name_option(okra_message *why);

#endif
