/*
 * What a value may be, derived from its name in the help (cli/common/options.h has the rule).
 */
#ifndef OKRA_MANUAL_VALUES_H
#define OKRA_MANUAL_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/program.h"

enum { VALUE_WORDS = 64, VALUE_TEXT = 48 };

typedef struct value_word {
    char name[VALUE_TEXT];
    const char *help; /* NULL: none */
} value_word;

typedef struct value {
    bool file, directory; /* its names are to be offered */
    bool list;            /* several, with commas between them */
    value_word words[VALUE_WORDS];
    size_t n_words;
} value;

/* Of an option's argument, "yes|no" or "RECIPE[,RECIPE..]". */
void value_of_argument(value *v, const char *argument);

/* Of a recipe parameter. */
void value_of_param(value *v, const okra_param *param);

/* Of what may follow a command's options. */
void value_of_operand(value *v, const cli_command *command);

/* Whether nothing can be offered. */
bool value_is_free(const value *v);

/* Prints the name of a shell function: those of okra-mpi begin with _okra_mpi. */
void print_function(const program *p, const char *suffix);

#endif
