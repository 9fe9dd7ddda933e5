/*
 * The table of signals of libokra-lab in words, as `okra list` and the manual show it.
 */
#ifndef OKRA_CLI_SIGNAL_TEXT_H
#define OKRA_CLI_SIGNAL_TEXT_H

#include <okra/lab.h>

#include "../common/params.h"

/* "noise=0.05 ..": the constants of a signal, with their defaults. */
const char *signal_defaults(const okra_signal_kind *kind, char text[DEFAULTS_TEXT]);

#endif
