/*
 * Recipes side by side. An entry is read as a command line of its own, whose missing options are the command's.
 */
#include "recipe_list.h"

#include <stdlib.h>
#include <string.h>

#include "../stream/columns.h"
#include "../common/params.h"
#include "../common/message.h"
#include "../common/text.h"

/* What an entry could say for itself besides parameters, and may not. */
static const cli_option entry_options[] = {{"recipe", "RECIPE", "", TO_NOTHING}, HELP_OPTION};

/* ---- one entry ----------------------------------------------------------------------------------------------- */

enum { MAX_WORDS = 64 };

/* Splits at blanks, in place; the number of words. */
static int split(char *text, char *words[MAX_WORDS])
{
    int n = 0;
    char *rest;
    for (char *word = strtok_r(text, " \t", &rest); word && n < MAX_WORDS; word = strtok_r(NULL, " \t", &rest))
        words[n++] = word;
    return n;
}

/* The command's options, unless the entry has its own. */
static void inherit(arguments *own, const arguments *options, const okra_recipe *recipe)
{
    for (size_t i = 0; i < recipe->n_params; i++) {
        const char *name = recipe->params[i].param->name;
        if (!arguments_value(own, name))
            arguments_set(own, name, arguments_value(options, name));
    }
    if (!arguments_value(own, "scale"))
        arguments_set(own, "scale", "auto");
    if (recipe_param(recipe, "sigma") && !arguments_value(own, "sigma"))
        arguments_set(own, "sigma", "auto");
}

static int read_own(recipe_entry *entry, arguments *own, const arguments *options, const char *name, const char *said)
{
    settings set = {.recipe = name};
    const okra_recipe *recipe = okra_recipe_find(name);
    if (arguments_value(own, "recipe") || arguments_value(own, "horizon") || arguments_value(own, "help"))
        return message_fail(EXIT_USAGE, "%s: '%s': give a recipe's name, then its parameters, lags, scale and warm-up",
                            said, entry->label);
    entry->own_target_lags = arguments_value(own, "target-lags");
    if (recipe)
        inherit(own, options, recipe);
    int status = settings_read_model(&set, own);
    entry->spec = set.spec;
    return status;
}

static int read_entry(recipe_entry *entry, const arguments *options, const char *said)
{
    const cli_command reads = {.name = options->command->name, .options = entry_options, .parameters = ALL_PARAMETERS};
    char *copy = strdup(entry->label), *words[MAX_WORDS];
    if (!copy)
        return message_fail(EXIT_IO, "out of memory");
    arguments own = {0};
    int n = split(copy, words);
    int status = n > 0
                     ? arguments_parse(&own, &reads, n - 1, words + 1)
                     : message_fail(EXIT_USAGE, "%s: '%s' names no recipe: 'okra list' shows them", said, entry->label);
    if (!status)
        status = read_own(entry, &own, options, words[0], said);
    arguments_free(&own);
    free(copy);
    return status;
}

/* Adds a new entry; NULL, after an error message, if there is no memory. */
static recipe_entry *add_entry(recipe_list *r, const char *label)
{
    recipe_entry *grown = realloc(r->entries, (r->n + 1) * sizeof *grown);
    if (grown) {
        r->entries = grown;
        r->entries[r->n] = (recipe_entry){.label = strdup(label)};
    }
    if (!grown || !r->entries[r->n].label) {
        message_error("out of memory");
        return NULL;
    }
    return &r->entries[r->n++];
}

int recipe_list_add(recipe_list *r, const arguments *options, const char *text, const char *said)
{
    recipe_entry *entry = add_entry(r, text);
    return entry ? read_entry(entry, options, said) : EXIT_IO;
}

int recipe_list_load(recipe_list *r, const char *path, size_t limit)
{
    recipe_entry *entry = add_entry(r, path);
    int status = entry ? resume_load(&entry->resume, entry->label, limit, false) : EXIT_IO;
    if (!status)
        entry->spec = *okra_get_spec(entry->resume.model);
    return status;
}

const resume_state *recipe_list_loaded(const recipe_list *r)
{
    static const resume_state none = {0};
    for (size_t i = 0; i < r->n; i++)
        if (r->entries[i].resume.model)
            return &r->entries[i].resume;
    return &none;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

int recipe_list_add_names(recipe_list *r, const arguments *options, const char *names, const char *said)
{
    column_list list;
    int status = column_list_split(&list, names, said);
    for (size_t i = 0; i < list.n && !status; i++)
        status = recipe_list_add(r, options, list.items[i].text, said);
    column_list_free(&list);
    return status;
}

static bool any_has(const recipe_list *r, const char *param)
{
    for (size_t i = 0; i < r->n; i++)
        if (!r->entries[i].resume.model && recipe_param(okra_recipe_find(r->entries[i].spec.recipe), param))
            return true;
    return false;
}

int recipe_list_check(const recipe_list *r, const arguments *options)
{
    const okra_param *param;
    for (size_t i = 0; (param = okra_param_at(i)); i++)
        if (arguments_value(options, param->name) && !any_has(r, param->name))
            return message_fail(EXIT_USAGE,
                                "--%s: no recipe here has such a parameter: 'okra list %s' shows those of one",
                                param->name, r->entries[0].spec.recipe);
    return EXIT_DONE;
}

int recipe_list_fit(recipe_list *r, const input *in)
{
    okra_message why;
    for (size_t i = 0; i < r->n; i++) {
        recipe_entry *entry = &r->entries[i];
        size_t target_lags = entry->spec.target_lags;
        if (entry->resume.model) {
            if (entry->spec.inputs == in->columns.n_inputs && entry->spec.outputs == in->columns.n_targets)
                continue;
            return message_fail(EXIT_USAGE,
                                "%s: the model has %zu inputs and %zu targets, but %s has %zu and %zu: choose them "
                                "with --inputs and --target",
                                entry->label, entry->spec.inputs, entry->spec.outputs, okra_table_get(in->table)->path,
                                in->columns.n_inputs, in->columns.n_targets);
        }
        input_fit(in, &entry->spec);
        if (entry->own_target_lags)
            entry->spec.target_lags = target_lags;
        if (okra_spec_check(&entry->spec, &why))
            return message_fail(EXIT_USAGE, "%s: %s", entry->label, why.text);
    }
    return EXIT_DONE;
}

void recipe_list_free(recipe_list *r)
{
    for (size_t i = 0; i < r->n; i++) {
        okra_free(r->entries[i].resume.model);
        resume_free(&r->entries[i].resume);
        free(r->entries[i].label);
    }
    free(r->entries);
    *r = (recipe_list){0};
}
