/*
 * The one file that info, export and import read, and the care not to write over what a command reads.
 */
#ifndef OKRA_CLI_MODEL_INPUT_H
#define OKRA_CLI_MODEL_INPUT_H

#include <stddef.h>

#include "options.h"

typedef struct model_input {
    const char *name; /* what messages call it */
    unsigned char *bytes;
    size_t size;
    size_t limit; /* of its model's memory */
} model_input;

/* A row for the tables of commands that load models, and what it says in bytes: 0, the library's default, where it is
 * not given. EXIT_DONE, or EXIT_USAGE when it has said why. */
#define MEMORY_OPTION                                                                  \
    {                                                                                  \
        "max-memory", "MB", "the most memory that the model of a file may take (1074)" \
    }
int model_limit(const arguments *options, size_t *limit);

/* Reads the operand, or standard input. EXIT_DONE, or another exit status when it has said why. To be freed in either
 * case. */
int model_input_read(model_input *input, const arguments *options);
void model_input_free(model_input *input);

/* Refuses the value of an option that names the very file that is read, or one of a pair of audio. */
int model_input_spare(const arguments *options, const char *option);

#endif
