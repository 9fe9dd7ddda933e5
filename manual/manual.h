/*
 * The parts of the manual. Each function writes one file to standard output, from the tables of --help and `okra list`
 * or from the public headers, so nothing is written twice.
 */
#ifndef OKRA_MANUAL_H
#define OKRA_MANUAL_H

#include <stdbool.h>

#include "common/program.h"

/* The page of a program, in section 1. `date` is the version's, "" if it has none. */
void manual_page(const program *p, const char *date);

/* How shells complete its command lines. */
void manual_bash(const program *p);
void manual_zsh(const program *p);

/* The page of the libraries, in section 3, from their headers, ended by NULL; false if one cannot be read. */
bool manual_library(const char *const *headers, const char *date);

/* The functions that they declare, a line each. */
bool manual_functions(const char *const *headers);

#endif
