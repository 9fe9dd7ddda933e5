/*
 * The commands, one cmd_*.c each; commands.c has their table.
 */
#ifndef OKRA_CLI_COMMANDS_H
#define OKRA_CLI_COMMANDS_H

#include "common/options.h"

extern const cli_command run_command;
extern const cli_command predict_command;
extern const cli_command list_command;
extern const cli_command info_command;
extern const cli_command export_command;
extern const cli_command import_command;
extern const cli_command signal_command;
extern const cli_command theory_command;
extern const cli_command paper_command;
extern const cli_command bench_command;
extern const cli_command tune_command;
extern const cli_command compare_command;
extern const cli_command merge_command;
extern const cli_command diffuse_command;

/* All of them. */
extern const struct program okra_program;

#endif
