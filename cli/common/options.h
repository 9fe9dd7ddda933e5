/*
 * Options: one table per command. A row binds a name to a field of the command's settings, with type, range, default
 * and help. Parsing, --help, the manual and completion use the table. Recipe parameters are options too, from libokra's
 * registry.
 */
#ifndef OKRA_CLI_OPTIONS_H
#define OKRA_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "params.h"

#define DEFAULT_RECIPE "auto" /* if no --recipe is given */

/* Whether the value of an option means standard input or output: "-", or none given. */
bool is_standard(const char *path);

/*
 * What help calls a value says what it may be, for shells to complete: words with | between them are to be taken as
 * they are; FILE, MODEL, PREFIX and PATTERN are files, DIR is a folder, RECIPE and SIGNAL are names of `okra list`,
 * and FORMAT stands for the names of the formats that are read. Whatever else is in capitals, N or COL, only the user
 * knows. "X[,X..]" and "X,.." are lists.
 */
typedef enum option_kind {
    OPTION_UNBOUND, /* no field: asked for by name, arguments_value(), or one of several, arguments_next() */
    OPTION_FLAG,    /* bool: whether it was given */
    OPTION_TEXT,    /* const char *: as it is */
    OPTION_COUNT,   /* uint64_t: a whole number from low to high */
    OPTION_REAL,    /* double: finite */
    OPTION_CHOICE,  /* int: which of the words of `argument`, from 1 */
    OPTION_AMOUNT   /* amount: a whole number from low to high, or a number of 0 or more with the unit behind it */
} option_kind;

typedef struct amount {
    uint64_t count;
    double value; /* with the unit .. */
    bool in_unit; /* .. if it was given so */
} amount;

typedef struct cli_option {
    const char *name;     /* as in --name; NULL ends a table */
    const char *argument; /* what help calls its value; NULL: a switch, which takes none */
    const char *help;     /* what it is, in a sentence without its default */
    option_kind kind;     /* this and the next by TO_FLAG() and so on */
    size_t offset;        /* of the field in the command's settings */
    uint64_t low, high;
    char unit;
    const char *fallback; /* the value if it is not given, in brackets behind the help; NULL: the field stays .. */
    const char *absent;   /* .. and this is what help says about it; NULL: nothing */
    bool repeats;         /* may be given several times */
} cli_option;

/* The place of a field. A field of another type is a comparison that compilers warn of. */
#define TO_FIELD(settings, type, field) (offsetof(settings, field) + 0 * sizeof((type *)0 == &((settings *)0)->field))

#define TO(of_kind, settings, type, field)  .kind = (of_kind), .offset = TO_FIELD(settings, type, field)
#define TO_FLAG(settings, field)            TO(OPTION_FLAG, settings, bool, field)
#define TO_TEXT(settings, field)            TO(OPTION_TEXT, settings, const char *, field)
#define TO_REAL(settings, field)            TO(OPTION_REAL, settings, double, field)
#define TO_CHOICE(settings, field)          TO(OPTION_CHOICE, settings, int, field)
#define TO_COUNT(settings, field, min, max) TO(OPTION_COUNT, settings, uint64_t, field), .low = (min), .high = (max)
#define TO_AMOUNT(settings, field, min, max, its_unit) \
    TO(OPTION_AMOUNT, settings, amount, field), .low = (min), .high = (max), .unit = (its_unit)
#define TO_NOTHING .kind = OPTION_UNBOUND

/* The rows that every table ends with. */
/* clang-format off */
#define HELP_OPTION {"help", NULL, "this text", TO_NOTHING}, {.name = NULL}
/* clang-format on */

/* An option's help, with its default. */
enum { OPTION_HELP = 512 };
const char *option_help(const cli_option *option, char text[OPTION_HELP]);

/* The words of an option's argument: those of FORMAT, or what the table has. */
enum { ARGUMENT_TEXT = 256 };
const char *argument_words(const char *argument, char text[ARGUMENT_TEXT]);

/* The format of that name which is read; NULL if there is none. */
const okra_format *format_named(const char *name);

/* The letter that is short for an option, as o is for --out; 0 if there is none. */
char option_letter(const char *name);

/* Which of the library's parameters are options of a command as well. */
typedef enum cli_parameters {
    NO_PARAMETERS,
    FILTER_PARAMETERS, /* of maps and filters */
    ALL_PARAMETERS     /* of the stream around them too */
} cli_parameters;

/* A command's own default of a parameter, for its help. */
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

/* Sorts argv[0..argc) into *parsed. Returns EXIT_DONE, or EXIT_USAGE after an error message. Free it in either case. */
int arguments_parse(arguments *parsed, const cli_command *command, int argc, char **argv);

/* A copy whose values can be changed; false if there is no memory. Free it in either case. */
bool arguments_copy(arguments *copy, const arguments *from);

void arguments_free(arguments *parsed);

/* The value of an option or parameter; "" for a switch; NULL if it was not given, or the command has no such option.
 */
const char *arguments_value(const arguments *parsed, const char *name);

/* The values of an option that may be given several times, one after the other: begin with *at = 0; NULL after the
 * last. */
const char *arguments_next(const arguments *parsed, const char *name, size_t *at);

/* Gives an option of the command a value, as if it had been on the command line; `value` must outlive `parsed`. */
void arguments_set(arguments *parsed, const char *name, const char *value);

/* Gives the settings of the command the values of its options, and the defaults of those that were not given.
 * Returns EXIT_DONE, or EXIT_USAGE after an error message. */
int arguments_read(const arguments *parsed, void *settings);

/* A number of any size; *value is unchanged if the option is not given. */
int arguments_number(const arguments *options, const char *name, double *value);

/* Sets the recipe parameters that were given. Returns EXIT_DONE, or EXIT_USAGE after an error message. */
int arguments_apply(const arguments *parsed, okra_spec *spec);

/* Prints the command's help to standard output. */
void command_help(const cli_command *command, const char *program);

#endif
