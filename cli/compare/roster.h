/*
 * Several recipes from one command line, for the commands that set them side by side: each takes the parameters that it
 * has, and finds its width and scale by itself unless told otherwise.
 */
#ifndef OKRA_CLI_ROSTER_H
#define OKRA_CLI_ROSTER_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/okra.h>

#include "../common/options.h"
#include "../stream/input.h"

typedef struct roster_entry {
    char *label; /* as it was asked for */
    saved saved; /* a model that goes on; its model is NULL: a new one of the spec */
    okra_spec spec;
    bool own_target_lags; /* given in the text */
} roster_entry;

typedef struct roster {
    size_t n;
    roster_entry *entries;
} roster;

/* Adds each name of a list "rff-krls,qklms"; `said` is the option. EXIT_DONE, or another exit status when it has said
 * why. */
int roster_add_names(roster *r, const arguments *options, const char *names, const char *said);

/* Adds a recipe with options of its own, "rff-krls --features 100 --sigma 2", which go before the command's. */
int roster_add(roster *r, const arguments *options, const char *text, const char *said);

/* Adds a saved model, of at most so many bytes. */
int roster_load(roster *r, const char *path, size_t limit);

/* The first saved model, whose columns the others must have too; without one, a saved model that is none. */
const saved *roster_saved(const roster *r);

/* Refuses a parameter that none of the recipes has. */
int roster_check(const roster *r, const arguments *options);

/* Gives each the inputs and targets of the stream. */
int roster_fit(roster *r, const input *in);

void roster_free(roster *r);

#endif
