/*
 * What to say when the library refuses: the place, the parameter to blame with its value, and the remedy, in one line.
 */
#ifndef OKRA_CLI_REFUSAL_H
#define OKRA_CLI_REFUSAL_H

#include <stdint.h>

#include <okra/okra.h>

/* A model that could not be made. If it is too large, the option is named that most of it comes from. Returns the
 * exit status. */
int refuse_model(const okra_spec *spec, okra_status status);

/* A row, by the file and its line. Returns the exit status. */
int refuse_row(const char *path, uint64_t number, const okra_spec *spec, okra_status status);

/* Names the option for what the library advises about a row: it knows of columns, and not of options. */
void name_option(okra_message *why);

#endif
