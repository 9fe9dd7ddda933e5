/*
 * The file that info, export and import read, and a check that no output overwrites an input.
 */
#ifndef OKRA_CLI_MODEL_INPUT_H
#define OKRA_CLI_MODEL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

typedef struct model_input {
    const char *name; /* what messages call it */
    unsigned char *bytes;
    size_t size;
    size_t limit; /* of its model's memory */
} model_input;

/* The settings of info, export, import and merge. */
typedef struct model_settings {
    const char *out, *metrics, *base; /* NULL: not given */
    uint64_t max_memory;              /* MB; 0: the library's default */
    bool quiet;
} model_settings;

/* A row for the tables of commands that load models, and what it says in bytes. */
enum { MEGABYTE = 1000000 };
#define MEMORY_OPTION(settings)                                                      \
    {                                                                                \
        "max-memory", "MB", "maximum memory of a model that is loaded",              \
            TO_COUNT(settings, max_memory, 1, SIZE_MAX / MEGABYTE), .absent = "1074" \
    }

/* Reads the settings, and the operand, or standard input; `writes` is the option that names a file to write, which
 * must not be the one that is read. Returns EXIT_DONE, or another exit status after an error message. Free it in either
 * case. */
int model_input_open(model_input *input, const arguments *options, model_settings *set, const char *writes);
void model_input_free(model_input *input);

/* Refuses the value of an option that names the very file that is read, or one of a pair of audio. */
int model_input_spare(const arguments *options, const char *option);

#endif
