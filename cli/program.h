/*
 * A program of several commands: what `okra` and `okra-mpi` share. Exit status: 0 done, 1 input or output failed, 2
 * wrong usage, 3 the filter diverged.
 */
#ifndef OKRA_CLI_PROGRAM_H
#define OKRA_CLI_PROGRAM_H

#include "options.h"

typedef struct program {
    const char *name, *usage;           /* "okra-mpi", "mpirun -n N okra-mpi" */
    const char *help;                   /* what it does, in one line */
    const char *examples;               /* whole lines */
    const cli_command *const *commands; /* ended by NULL */
} program;

/* Before anything else: standard streams that are there, errors in place of deadly signals, and its name in messages.
 */
void program_prepare(const program *p);

/* Does what the command line says; returns the exit status. */
int program_dispatch(const program *p, int argc, char **argv);

/* What a command printed and nobody has checked, help and lists, on a full disk; returns the exit status. */
int program_finish(int status);

#endif
