/*
 * Which inputs matter, by name: for the summary, --metrics, `okra info`, and the file of --relevance.
 */
#ifndef OKRA_CLI_RELEVANCE_H
#define OKRA_CLI_RELEVANCE_H

#include <stddef.h>
#include <stdio.h>

#include <okra/okra.h>

#include "../../src/json/read.h"
#include "../../src/json/write.h"

#define RELEVANCE_KEY "relevance"

enum { RELEVANCE_SHOWN = 10, COLUMN_NUMBER = 32 };

/* The names of a model's columns. */
typedef struct column_names {
    /* Of column i: an input, or from the model's inputs on a target. `number` has room for one that has none. */
    const char *(*name)(const void *of, size_t i, char number[COLUMN_NUMBER]);
    const void *of;
} column_names;

/* Returns EXIT_DONE, or EXIT_USAGE after an error message if the recipe does not know. */
int relevance_settle(const okra_spec *spec);

/* Adds the most relevant inputs, the first one first: [{"input": "u[t-3]", "relevance": 0.6}, ..]. Nothing if the model
 * does not know them. */
void relevance_put(okra_json_writer *w, const okra_filter *model, const column_names *names);

/* Prints this array, whose beginning has been read, a line for each input. The name of the first line is there; the
 * others begin with `column` blanks. */
void relevance_print(FILE *to, int column, okra_json_reader *reader);

/* Writes all inputs, as CSV, or as JSON if the path ends in .json. Returns EXIT_DONE, or EXIT_IO after an error
 * message. */
int relevance_write(const char *path, const okra_filter *model, const column_names *names);

#endif
