/*
 * Several recipes from one command line, for the commands that set them side by side: each takes the parameters that it
 * has, and finds its width and scale by itself unless told otherwise.
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
    char *label;         /* as it was asked for */
    resume_state resume; /* a model that goes on; its model is NULL: a new one of the spec */
    okra_spec spec;
    bool own_target_lags; /* given in the text */
} recipe_entry;

typedef struct recipe_list {
    size_t n;
    recipe_entry *entries;
} recipe_list;

/* Adds each name of a list "rff-krls,qklms"; `said` is the option. EXIT_DONE, or another exit status when it has said
 * why. */
int recipe_list_add_names(recipe_list *r, const arguments *options, const char *names, const char *said);

/* Adds a recipe with options of its own, "rff-krls --features 100 --sigma 2", which go before the command's. */
int recipe_list_add(recipe_list *r, const arguments *options, const char *text, const char *said);

/* Adds a saved model, of at most so many bytes. */
int recipe_list_load(recipe_list *r, const char *path, size_t limit);

/* The first saved model, whose columns the others must have too; without one, a saved model that is none. */
const resume_state *recipe_list_loaded(const recipe_list *r);

/* Refuses a parameter that none of the recipes has. */
int recipe_list_check(const recipe_list *r, const arguments *options);

/* Gives each the inputs and targets of the stream. */
int recipe_list_fit(recipe_list *r, const input *in);

void recipe_list_free(recipe_list *r);

#endif
