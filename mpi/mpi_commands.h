/*
 * The commands of okra-mpi; mpi_commands.c has their table.
 */
#ifndef OKRA_MPI_COMMANDS_H
#define OKRA_MPI_COMMANDS_H

#include "common/options.h"

extern const cli_command mpi_learn_command;
extern const cli_command mpi_diffuse_command;

/* All of them. */
extern const struct program okra_mpi_program;

#endif
