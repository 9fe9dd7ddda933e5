/*
 * The recipes of a command line, for `compare` and `tune`. Each takes the parameters that it has; width and scale are
 * automatic unless given.
 */
#ifndef OKRA_CLI_RECIPE_LIST_H
#define OKRA_CLI_RECIPE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

#include "../common/options.h"
#include "../stream/input.h"

enum { RECIPES_MAX = 26 }; /* that compare shows side by side, a letter each */

typedef struct recipe_entry {
    char *label;         /* as given */
    resume_state resume; /* a loaded model; its model is NULL: a new one of the spec */
    okra_spec spec;
    bool own_target_lags; /* given in the text */
} recipe_entry;

typedef struct recipe_list {
    size_t n;
    recipe_entry *entries;
} recipe_list;

/* Adds each name of a list "rff-krls,qklms"; `said` is the option. Returns EXIT_DONE, or another exit status after
 * an error message. */
int recipe_list_add_names(recipe_list *r, const arguments *options, const char *names, const char *said);

/* Adds a recipe with options of its own, "rff-krls --features 100 --sigma 2", which go before the command's. */
int recipe_list_add(recipe_list *r, const arguments *options, const char *text, const char *said);

/* Adds a saved model, up to `limit` bytes. */
int recipe_list_load(recipe_list *r, const char *path, size_t limit);

/* The first loaded model, which decides the columns; without one, an empty resume_state. */
const resume_state *recipe_list_loaded(const recipe_list *r);

/* Refuses a parameter that none of the recipes has. */
int recipe_list_check(const recipe_list *r, const arguments *options);

/* Gives each the inputs and targets of the stream. */
int recipe_list_fit(recipe_list *r, const input *in);

void recipe_list_free(recipe_list *r);

#endif
