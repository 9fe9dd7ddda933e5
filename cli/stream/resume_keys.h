/*
 * The keys of the metadata in a model file, for resume_write.c and resume_read.c.
 */
#ifndef OKRA_CLI_RESUME_KEYS_H
#define OKRA_CLI_RESUME_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <okra/drift.h>

enum { RESUME_KEY = 80 };

/* Options that shape what a run reads, scores and writes, but not the model: a resumed run must have the same. The
 * first ones are the model's own, but the model does not know them: of `sigma auto` it has the width that was found. */
enum { RESUME_MODEL_OPTIONS = 2 };
static const char *const resume_options[] = {"sigma",  "omega",   "keep",     "interval", "format",
                                             "header", "columns", "missing",  "bad-rows", "score-from",
                                             "window", "digits",  "on-drift", NULL};

enum { RESUME_ITEM = 4 }; /* numbers of a score_item */

/* The fields of a drift test: name and offset. */
typedef struct resume_field {
    const char *name;
    size_t offset;
    bool is_count; /* or a real */
} resume_field;

static const resume_field resume_drift[] = {
    {"rows", offsetof(okra_drift, rows), true},
    {"level", offsetof(okra_drift, level), false},
    {"blocks", offsetof(okra_drift, blocks), true},
    {"fluctuation", offsetof(okra_drift, fluctuation), false},
    {"new_blocks", offsetof(okra_drift, new_blocks), true},
    {"new_fluctuation", offsetof(okra_drift, new_fluctuation), false},
    {"block_rows", offsetof(okra_drift, block_rows), true},
    {"block", offsetof(okra_drift, block), false},
    {"since", offsetof(okra_drift, since), true},
    {"since_level", offsetof(okra_drift, since_level), false},
    {"excess", offsetof(okra_drift, excess), false},
    {"shortfall", offsetof(okra_drift, shortfall), false},
};
enum { RESUME_DRIFT = sizeof resume_drift / sizeof *resume_drift };

static inline const char *resume_key(char key[RESUME_KEY], const char *kind, size_t i, const char *what)
{
    snprintf(key, RESUME_KEY, "%s.%zu.%s", kind, i + 1, what);
    return key;
}

static inline const char *resume_metric_key(char key[RESUME_KEY], const char *name, const char *what)
{
    snprintf(key, RESUME_KEY, "score.%s.%s", name, what);
    return key;
}

static inline const char *resume_option_key(char key[RESUME_KEY], const char *name)
{
    snprintf(key, RESUME_KEY, "option.%s", name);
    return key;
}

#endif
