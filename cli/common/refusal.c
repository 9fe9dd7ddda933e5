/*
 * Refusals in words that suit the recipe: no advice to lower a step size if there is none.
 */
#include "refusal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "message.h"

enum { REMEDY_TEXT = 2 * OKRA_VALUE_TEXT + 128 }; /* two values, and words */

/* The value of a parameter that the recipe may have. */
static bool value_of(const okra_spec *spec, const char *name, char value[OKRA_VALUE_TEXT])
{
    return !okra_spec_get(spec, name, value, OKRA_VALUE_TEXT);
}

/* ---- too large ------------------------------------------------------------------------------------------------- */

/* So little of anything is not what makes a model large. */
enum { FEW = 2 * OKRA_WIDTHS_MAX };

/* The bytes of the model if it had little of the count at that offset of the spec; SIZE_MAX if it has no more. */
static size_t size_without(const okra_spec *spec, size_t offset)
{
    okra_spec less = *spec;
    size_t few = FEW, value;
    memcpy(&value, (const char *)spec + offset, sizeof value);
    memcpy((char *)&less + offset, &few, sizeof few);
    size_t bytes = value > FEW ? okra_size(&less) : 0;
    return bytes > 0 ? bytes : SIZE_MAX; /* 0: still more than can be counted */
}

/* The parameter that, with little of it, would leave the model smallest, and the bytes that it would leave; NULL if
 * each leaves `limit` or more. */
static const okra_param *largest_part(const okra_spec *spec, size_t limit, size_t *bytes)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    const okra_param *largest = NULL;
    *bytes = limit;
    for (size_t i = 0; i < recipe->n_params; i++) {
        const okra_param *param = recipe->params[i].param;
        size_t without = param->kind == OKRA_PARAM_COUNT ? size_without(spec, param->offset) : SIZE_MAX;
        if (without < *bytes)
            *bytes = without, largest = param;
    }
    return largest;
}

/* Says which option asks for too much; false if none does. */
static bool explain_size(const okra_spec *spec, size_t bytes)
{
    char value[OKRA_VALUE_TEXT];
    size_t left, limit = bytes > 0 ? bytes / 2 : SIZE_MAX; /* half of it or more is no cure */
    const okra_param *part = largest_part(spec, limit, &left);
    if (size_without(spec, offsetof(okra_spec, inputs)) < left)
        message_error("%zu inputs: %s has no memory for so many: choose fewer with --inputs", spec->inputs,
                      spec->recipe);
    else if (part && value_of(spec, part->name, value))
        message_error("--%s %s: %s has no memory for so many: lower it", part->name, value, spec->recipe);
    else
        return false;
    return true;
}

int refuse_model(const okra_spec *spec, okra_status status)
{
    enum { SMALL = 1 << 20 }; /* bytes: if there is no memory for these, no option is the cause */
    size_t bytes = okra_size(spec);
    bool memory = status == OKRA_E_MEMORY || status == OKRA_E_SIZE, small = bytes > 0 && bytes <= SMALL;
    if (memory && !small && explain_size(spec, bytes))
        return EXIT_USAGE;
    if (status == OKRA_E_MEMORY)
        return message_fail(EXIT_IO, "out of memory for a model of %zu bytes: free some", bytes);
    return message_fail(EXIT_USAGE, "%s", okra_strerror(status));
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
        return message_fail(EXIT_DIVERGED, "%s:%llu: %s diverged: %s", path, line, recipe,
                            divergence_remedy(spec, remedy));
    if (status == OKRA_E_FULL && value_of(spec, "capacity", value))
        return message_fail(
            EXIT_IO, "%s:%llu: the dictionary of %s is full at --capacity %s: raise it, or use --when-full stop%s",
            path, line, recipe, value, could_replace(spec) ? " or oldest" : "");
    if (status == OKRA_E_RANGE && value_of(spec, "sigma", value))
        return message_fail(EXIT_IO, "%s:%llu: an input is too large for --sigma %s: scale the inputs or raise --sigma",
                            path, line, value);
    return message_fail(EXIT_IO, "%s:%llu: %s", path, line, okra_strerror(status));
}

void name_option(okra_message *why)
{
    static const char advice[] = "or leave its column out";
    size_t length = strlen(why->text), n = sizeof advice - 1;
    if (length >= n && strcmp(why->text + length - n, advice) == 0)
        snprintf(why->text + length, sizeof why->text - length, " (--without)");
}
