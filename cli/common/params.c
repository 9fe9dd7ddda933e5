/*
 * The recipe table in words. Everything is read from the table: a new parameter appears here by itself.
 */
#include "params.h"

#include <stdio.h>
#include <string.h>

#include <okra/io.h>

/* The table lists every choice; a recipe may refuse one. A spec that is refused anyway does not count against the
 * choice. */
static bool accepts(const okra_recipe *recipe, const okra_param *param, const char *word)
{
    okra_spec spec;
    okra_spec_init(&spec, recipe->name, 1, 1);
    return okra_spec_check(&spec, NULL) ||
           (!okra_spec_set(&spec, param->name, word, NULL) && !okra_spec_check(&spec, NULL));
}

const char *param_names(const okra_param *param, const okra_recipe *recipe, const char *between, char text[PARAM_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (const okra_choice *choice = param->choices; choice && choice->name && used < PARAM_TEXT; choice++)
        if (!recipe || accepts(recipe, param, choice->name))
            used += (size_t)snprintf(text + used, PARAM_TEXT - used, "%s%s", used ? between : "", choice->name);
    return text;
}

bool param_has_word(const okra_param *param, const char *value)
{
    for (const okra_choice *choice = param->choices; choice && choice->name; choice++)
        if (strcmp(choice->name, value) == 0)
            return true;
    return false;
}

/* What stands for a value in help. */
static const char *value_word(const okra_param *param)
{
    return param->kind == OKRA_PARAM_REAL ? "REAL" : param->kind == OKRA_PARAM_REALS ? "REAL[,REAL..]" : "N";
}

/* A choice whose names would take more than half a line. */
static bool has_many_names(const okra_param *param)
{
    char names[PARAM_TEXT];
    return param->kind == OKRA_PARAM_CHOICE && strlen(param_names(param, NULL, "|", names)) > 60;
}

const char *param_argument(const okra_param *param, char text[PARAM_TEXT])
{
    char words[PARAM_TEXT];
    param_names(param, NULL, "|", words);
    if (has_many_names(param))
        snprintf(text, PARAM_TEXT, "NAME");
    else if (param->kind == OKRA_PARAM_CHOICE)
        snprintf(text, PARAM_TEXT, "%s", words);
    else
        snprintf(text, PARAM_TEXT, "%s%s%.100s", value_word(param), *words ? "|" : "", words);
    return text;
}

/* The table closes its ranges, so "above zero" and "no limit" are numbers there; people read them as words. */
static bool above_zero(double low) { return low > 0 && low < 1e-20; }

static bool no_lower_limit(double low) { return low < -1e15; }

static bool no_upper_limit(double high) { return high > 1e15; }

const char *param_range(const okra_param *param, char text[PARAM_TEXT])
{
    char low[OKRA_REAL_TEXT], high[OKRA_REAL_TEXT];
    okra_format_real(param->low, low);
    okra_format_real(param->high, high);
    if (param->kind == OKRA_PARAM_CHOICE)
        text[0] = '\0';
    else if (no_lower_limit(param->low))
        snprintf(text, PARAM_TEXT, "any number%s%s", no_upper_limit(param->high) ? "" : " up to ",
                 no_upper_limit(param->high) ? "" : high);
    else if (above_zero(param->low) && no_upper_limit(param->high))
        snprintf(text, PARAM_TEXT, "> 0");
    else if (above_zero(param->low))
        snprintf(text, PARAM_TEXT, "> 0, up to %s", high);
    else if (no_upper_limit(param->high))
        snprintf(text, PARAM_TEXT, ">= %s", low);
    else
        snprintf(text, PARAM_TEXT, "%s to %s", low, high);
    return text;
}

/* The word for a value, or NULL. */
static const char *word_for(const okra_param *param, double value)
{
    for (const okra_choice *choice = param->choices; choice && choice->name; choice++)
        if (!(value < choice->value || value > choice->value))
            return choice->name;
    return NULL;
}

const char *param_default(const okra_recipe_param *param, char text[PARAM_TEXT])
{
    const char *word = word_for(param->param, param->value);
    if (word)
        snprintf(text, PARAM_TEXT, "%s", word);
    else if (param->param->kind == OKRA_PARAM_REAL || param->param->kind == OKRA_PARAM_REALS)
        okra_format_real(param->value, text);
    else
        snprintf(text, PARAM_TEXT, "%.0f", param->value);
    return text;
}

const okra_recipe_param *recipe_param(const okra_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->n_params; i++)
        if (strcmp(recipe->params[i].param->name, name) == 0)
            return &recipe->params[i];
    return NULL;
}

static bool same_default(const okra_recipe_param *a, const okra_recipe_param *b)
{
    return !(a->value < b->value || a->value > b->value);
}

/* Recipes that have the parameter with another default than this; *last is the last of them. */
static size_t count_others(const okra_recipe_param *row, const okra_recipe **last)
{
    const okra_recipe *recipe;
    size_t others = 0;
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++) {
        const okra_recipe_param *here = recipe_param(recipe, row->param->name);
        if (here && !same_default(here, row))
            others++, *last = recipe;
    }
    return others;
}

/* The row whose default all recipes that have the parameter agree on, but for one at the most, which is *but (else
 * NULL); NULL if there is none. */
static const okra_recipe_param *common_default(const okra_param *param, const okra_recipe **but)
{
    const okra_recipe *recipe;
    const okra_recipe_param *common = NULL;
    *but = NULL;
    for (size_t i = 0; !common && (recipe = okra_recipe_at(i)); i++) {
        const okra_recipe_param *here = recipe_param(recipe, param->name);
        if (here && count_others(here, but) <= 1)
            common = here;
    }
    return common;
}

/* "0.5", or "none; auto for recipe auto". */
static void write_default(const okra_param *param, char text[PARAM_TEXT])
{
    const okra_recipe *but;
    const okra_recipe_param *common = common_default(param, &but);
    char other[PARAM_TEXT];
    snprintf(text, PARAM_TEXT, "default by recipe");
    if (common)
        param_default(common, text);
    if (common && but) {
        size_t used = strlen(text);
        snprintf(text + used, PARAM_TEXT - used, "; %.60s for recipe %s",
                 param_default(recipe_param(but, param->name), other), but->name);
    }
}

const char *param_help(const okra_param *param, const char *own, char text[PARAM_HELP])
{
    char names[PARAM_TEXT], range[PARAM_TEXT], value[PARAM_TEXT];
    write_default(param, value);
    param_range(param, range);
    param_names(param, NULL, ", ", names);
    bool named = has_many_names(param);
    snprintf(text, PARAM_HELP, "%s%s%s%s%s (%s)", param->help, named ? ": " : "", named ? names : "",
             *range ? "; " : "", range, own ? own : value);
    return text;
}

/* Whether to leave it out of lists: a parameter of the stream that is the same in most recipes. */
static bool goes_without_saying(const okra_recipe_param *row)
{
    const okra_recipe *but;
    const okra_recipe_param *common = common_default(row->param, &but);
    bool aside = row->param->scope == OKRA_SCOPE_STREAM || row->param->quiet;
    return aside && common && same_default(common, row);
}

const char *recipe_defaults(const okra_recipe *recipe, char text[DEFAULTS_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < recipe->n_params && used < DEFAULTS_TEXT; i++) {
        char value[PARAM_TEXT];
        if (goes_without_saying(&recipe->params[i]))
            continue;
        used += (size_t)snprintf(text + used, DEFAULTS_TEXT - used, "%s%s=%s", used ? " " : "",
                                 recipe->params[i].param->name, param_default(&recipe->params[i], value));
    }
    return text;
}
