/*
 * Refusals in words that suit the recipe: no advice to lower a step size where there is none.
 */
#include "refusal.h"

#include <stdbool.h>
#include <stdio.h>

#include "talk.h"

enum { REMEDY_TEXT = 768 };

/* The value of a parameter that the recipe may have. */
static bool value_of(const okra_spec *spec, const char *name, char value[OKRA_VALUE_TEXT])
{
    return !okra_spec_get(spec, name, value, OKRA_VALUE_TEXT);
}

int refuse_filter(const okra_spec *spec, okra_status status)
{
    char value[OKRA_VALUE_TEXT];
    bool bounded = value_of(spec, "capacity", value), memory = status == OKRA_E_MEMORY || status == OKRA_E_SIZE;
    if (memory && (bounded || value_of(spec, "features", value)))
        return talk_fail(EXIT_USAGE, "--%s %s: %s finds no memory for so many: lower it",
                         bounded ? "capacity" : "features", value, spec->recipe);
    return talk_fail(status == OKRA_E_MEMORY ? EXIT_IO : EXIT_USAGE, "%s", okra_strerror(status));
}

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
