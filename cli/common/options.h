/*
 * Options: one table per command says what it understands, and drives both the parsing and the --help.
 * Recipe parameters are options too, taken from libokra's own table.
 */
#ifndef OKRA_CLI_OPTIONS_H
#define OKRA_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "params.h"

#define DEFAULT_RECIPE "auto" /* where no --recipe is given */

/* Whether the value of an option means standard input or output: "-", or none given. */
bool is_standard(const char *path);

/*
 * What help calls a value says what it may be, for shells to complete: words with | between them are to be taken as
 * they are; FILE, MODEL, PREFIX and PATTERN are files, DIR is a folder, RECIPE and SIGNAL are names of `okra list`,
 * and FORMAT stands for the names of the formats that are read. Whatever else is in capitals, N or COL, only the user
 * knows. "X[,X..]" and "X,.." are lists.
 */
typedef struct cli_option {
    const char *name;     /* as in --name; NULL ends a table */
    const char *argument; /* what help calls its value; NULL: a switch, which takes none */
    const char *help;     /* one sentence, the default in brackets; "several times" in it: may be given so */
} cli_option;

/* The words of an option's argument: those of FORMAT, or what the table has. */
enum { ARGUMENT_TEXT = 256 };
const char *argument_words(const char *argument, char text[ARGUMENT_TEXT]);

/* The format of that name which is read; NULL where there is none. */
const okra_format *format_named(const char *name);

/* The letter that is short for an option, as o is for --out; 0 where there is none. */
char option_letter(const char *name);

/* Which of the library's parameters are options of a command as well. */
typedef enum cli_parameters {
    NO_PARAMETERS,
    FILTER_PARAMETERS, /* of maps and filters */
    ALL_PARAMETERS     /* of the stream around them too */
} cli_parameters;

/* The default of a parameter where a command has its own, for its help. */
typedef struct cli_default {
    const char *name; /* NULL ends a table */
    const char *text;
} cli_default;

struct arguments;

typedef struct cli_command {
    const char *name;
    const char *operand; /* what help calls the one argument that may follow the options; NULL: none may */
    bool many_operands;  /* any number of them may */
    const char *(*operand_at)(size_t i); /* the words that it may be, until NULL; NULL: its name says it, as FILE does
                                          */
    const char *help;                    /* one line */
    const char *more;                    /* a paragraph for `okra help NAME` */
    const char *examples;                /* whole lines */
    const cli_option *options;
    cli_parameters parameters;
    const cli_default *defaults; /* NULL: those of the recipes */

    int (*run)(const struct arguments *arguments); /* returns the exit status */
} cli_command;

typedef struct arguments {
    const cli_command *command;
    size_t n_options, n_params;
    const char **values;   /* of the command's options, then of the recipe parameters; NULL: not given */
    const char *operand;   /* NULL: not given; of many, the last */
    const char **operands; /* all of them .. */
    size_t n_operands;     /* .. and how many */
    char **given;          /* the command line as it was, ended by NULL, for a command that hands it on */
} arguments;

/* Parameter i of those that are options of the command; NULL after the last. */
const okra_param *command_param(const cli_command *command, size_t i);

/* What help says about a parameter: see param_help(). */
const char *command_param_help(const cli_command *command, const okra_param *param, char text[PARAM_HELP]);

/* Sorts argv[0..argc) into *parsed. EXIT_DONE, or EXIT_USAGE when it has said why; to be freed in either case. */
int arguments_parse(arguments *parsed, const cli_command *command, int argc, char **argv);

/* A copy whose values can be changed; false where there is no memory; to be freed in either case. */
bool arguments_copy(arguments *copy, const arguments *from);

void arguments_free(arguments *parsed);

/* The value of an option or parameter; "" for a switch; NULL where it was not given, or the command has no such option.
 */
const char *arguments_value(const arguments *parsed, const char *name);

/* The values of an option that may be given several times, one after the other: begin with *at = 0; NULL after the
 * last. */
const char *arguments_next(const arguments *parsed, const char *name, size_t *at);

/* Gives an option of the command a value, as if it had been on the command line; `value` must outlive `parsed`. */
void arguments_set(arguments *parsed, const char *name, const char *value);

/* A whole number from `low` to `high`; *value is as it was where the option was not given. */
int arguments_count(const arguments *options, const char *name, uint64_t low, uint64_t high, uint64_t *value);

/* A number of any size; *value is as it was where the option was not given. */
int arguments_number(const arguments *options, const char *name, double *value);

/* Sets the recipe parameters that were given. EXIT_DONE, or EXIT_USAGE when it has said why. */
int arguments_apply(const arguments *parsed, okra_spec *spec);

/* Prints the command's help to standard output. */
void command_help(const cli_command *command, const char *program);

#endif
