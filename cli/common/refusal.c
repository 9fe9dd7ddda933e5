/*
 * Refusals in words that suit the recipe: no advice to lower a step size where there is none.
 */
#include "refusal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "talk.h"

enum { REMEDY_TEXT = 768 };

/* The value of a parameter that the recipe may have. */
static bool value_of(const okra_spec *spec, const char *name, char value[OKRA_VALUE_TEXT])
{
    return !okra_spec_get(spec, name, value, OKRA_VALUE_TEXT);
}

/* ---- too large ------------------------------------------------------------------------------------------------- */

/* What makes a model large, and how little of it any recipe does with. */
typedef struct size_part {
    const char *option;
    size_t offset, few;
    bool counted; /* as a rule by the columns that there are, not given */
} size_part;

static const size_part size_parts[] = {
    {"features", offsetof(okra_spec, features), 2 * OKRA_WIDTHS_MAX, false},
    {"capacity", offsetof(okra_spec, capacity), 1, false},
    {"lags", offsetof(okra_spec, lags), 1, false},
    {"target-lags", offsetof(okra_spec, target_lags), 1, false},
    {"horizon", offsetof(okra_spec, horizon), 1, false},
    {"warmup", offsetof(okra_spec, warmup), 2, false},
    {"inputs", offsetof(okra_spec, inputs), 1, true},
};

static size_t part_of(const okra_spec *spec, const size_part *part)
{
    size_t value;
    memcpy(&value, (const char *)spec + part->offset, sizeof value);
    return value;
}

/* The bytes of the model if it had little of this part. */
static size_t size_without(const okra_spec *spec, const size_part *part)
{
    okra_spec less = *spec;
    memcpy((char *)&less + part->offset, &part->few, sizeof part->few);
    size_t bytes = okra_model_size(&less);
    return bytes > 0 ? bytes : SIZE_MAX; /* 0: still more than can be counted */
}

/* The part without which the model would be smallest; NULL where each leaves half of it or more. */
static const size_part *largest_part(const okra_spec *spec)
{
    const size_part *largest = NULL;
    size_t bytes = okra_model_size(spec), least = bytes > 0 ? bytes / 2 : SIZE_MAX;
    for (size_t i = 0; i < sizeof size_parts / sizeof *size_parts; i++) {
        const size_part *part = &size_parts[i];
        size_t without = part_of(spec, part) > part->few ? size_without(spec, part) : SIZE_MAX;
        if (without < least)
            least = without, largest = part;
    }
    return largest;
}

int refuse_model(const okra_spec *spec, okra_status status)
{
    enum { SMALL = 1 << 20 }; /* bytes: where there is no memory for these, no option is to blame */
    size_t bytes = okra_model_size(spec);
    bool memory = status == OKRA_E_MEMORY || status == OKRA_E_SIZE, small = bytes > 0 && bytes <= SMALL;
    const size_part *part = memory && !small ? largest_part(spec) : NULL;
    if (part && part->counted)
        return talk_fail(EXIT_USAGE, "%zu %s: %s finds no memory for so many: choose fewer with --%s",
                         part_of(spec, part), part->option, spec->recipe, part->option);
    if (part)
        return talk_fail(EXIT_USAGE, "--%s %zu: %s finds no memory for so many: lower it", part->option,
                         part_of(spec, part), spec->recipe);
    if (status == OKRA_E_MEMORY)
        return talk_fail(EXIT_IO, "out of memory for a model of %zu bytes: free some", bytes);
    return talk_fail(EXIT_USAGE, "%s", okra_strerror(status));
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

/* What forgetting does to RLS, and only what can still be changed. */
static const char *rls_remedy(const okra_spec *spec, const char *lambda, char remedy[REMEDY_TEXT])
{
    char beta[OKRA_VALUE_TEXT];
    bool forgets = spec->beta < 1 && value_of(spec, "beta", beta);
    if (forgets)
        snprintf(remedy, REMEDY_TEXT, "raise --lambda %s or --beta %s%s", lambda, beta,
                 spec->cyclic == OKRA_AUTO ? "" : ", or leave --cyclic at auto");
    else
        snprintf(remedy, REMEDY_TEXT, "raise --lambda %s, or scale the stream", lambda);
    return remedy;
}

static const char *divergence_remedy(const okra_spec *spec, char remedy[REMEDY_TEXT])
{
    char value[OKRA_VALUE_TEXT];
    if (value_of(spec, "lambda", value))
        return rls_remedy(spec, value, remedy);
    if (value_of(spec, "mu", value))
        snprintf(remedy, REMEDY_TEXT, "the step size --mu %s is too large for this stream: lower it", value);
    else if (value_of(spec, "nu", value))
        snprintf(remedy, REMEDY_TEXT, "raise --nu %s, or scale the targets", value);
    else
        snprintf(remedy, REMEDY_TEXT, "%s", okra_strerror(OKRA_E_DIVERGED));
    return remedy;
}

/* Not every dictionary can let go of its oldest centre. */
static bool could_replace(const okra_spec *spec)
{
    okra_spec other = *spec;
    other.when_full = OKRA_FULL_OLDEST;
    return !okra_spec_check(&other, NULL);
}

int refuse_row(const char *path, uint64_t number, const okra_spec *spec, okra_status status)
{
    const char *recipe = spec->recipe;
    unsigned long long line = number;
    char value[OKRA_VALUE_TEXT], remedy[REMEDY_TEXT];
    if (status == OKRA_E_DIVERGED)
        return talk_fail(EXIT_DIVERGED, "%s:%llu: %s diverged: %s", path, line, recipe,
                         divergence_remedy(spec, remedy));
    if (status == OKRA_E_FULL && value_of(spec, "capacity", value))
        return talk_fail(EXIT_IO,
                         "%s:%llu: the dictionary of %s is full at --capacity %s: raise it, or use --when-full stop%s",
                         path, line, recipe, value, could_replace(spec) ? " or oldest" : "");
    if (status == OKRA_E_RANGE && value_of(spec, "sigma", value))
        return talk_fail(EXIT_IO, "%s:%llu: an input is too large for --sigma %s: scale the inputs or raise --sigma",
                         path, line, value);
    return talk_fail(EXIT_IO, "%s:%llu: %s", path, line, okra_strerror(status));
}
