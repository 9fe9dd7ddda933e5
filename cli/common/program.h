/*
 * A program of several commands: what `okra` and `okra-mpi` share. Its table is what --help, the manual page and the
 * completion of shells are made from.
 */
#ifndef OKRA_CLI_PROGRAM_H
#define OKRA_CLI_PROGRAM_H

#include "options.h"

/* An environment variable that makes a difference. */
typedef struct program_variable {
    const char *name; /* NULL ends a table */
    const char *help;
} program_variable;

typedef struct program {
    const char *name, *usage;            /* "okra-mpi", "mpirun -n N okra-mpi" */
    const char *help;                    /* what it does, in one line */
    const char *more;                    /* and in a paragraph */
    const char *examples;                /* whole lines */
    const program_variable *environment; /* ended by a NULL name */
    const cli_command *const *commands;  /* ended by NULL */
    const char *const *left_out;         /* commands that this build lacks without the lab; ended by NULL */
} program;

/* What exit status 0, 1, .. means; NULL past the last. */
const char *program_exit_meaning(int status);

/* Call first: opens missing standard streams, turns deadly signals into errors, and sets the name in messages. */
void program_prepare(const program *p);

/* Does what the command line says; returns the exit status. */
int program_dispatch(const program *p, int argc, char **argv);

/* Checks that standard output was written (help and lists, on a full disk); returns the exit status. */
int program_finish(int status);

#endif
