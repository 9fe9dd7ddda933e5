/*
 * The names of notes in a model file, for those that write them and those that read them.
 */
#ifndef OKRA_CLI_SAVED_KEYS_H
#define OKRA_CLI_SAVED_KEYS_H

#include <stdio.h>

enum { SAVED_KEY = 80 };

/* Options that shape what a run reads, scores and writes, but not the model: a run that goes on must have the same. The
 * first ones are the model's own, but it does not tell them: of `sigma auto` it knows the width that was found. */
enum { SAVED_MODEL_OPTIONS = 2 };
static const char *const saved_options[] = {"sigma",   "omega",    "keep",       "interval", "format", "header",
                                            "columns", "bad-rows", "score-from", "digits",   NULL};

static inline const char *saved_key(char key[SAVED_KEY], const char *kind, size_t i, const char *what)
{
    snprintf(key, SAVED_KEY, "%s.%zu.%s", kind, i + 1, what);
    return key;
}

static inline const char *saved_option_key(char key[SAVED_KEY], const char *name)
{
    snprintf(key, SAVED_KEY, "option.%s", name);
    return key;
}

#endif
