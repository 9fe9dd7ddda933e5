/*
 * The recipe table in words. Everything is read from the table: a new parameter appears here by itself.
 */
#include "params.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <okra/io.h>

const char *param_names(const okra_param *param, const char *between, char text[PARAM_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (const okra_choice *choice = param->choices; choice->name && used < PARAM_TEXT; choice++)
        used += (size_t)snprintf(text + used, PARAM_TEXT - used, "%s%s", used ? between : "", choice->name);
    return text;
}

const char *param_argument(const okra_param *param, char text[PARAM_TEXT])
{
    if (param->kind == OKRA_PARAM_CHOICE)
        return param_names(param, "|", text);
    snprintf(text, PARAM_TEXT, "%s", param->kind == OKRA_PARAM_REAL ? "REAL" : "N");
    return text;
}

/* The table closes its ranges, so "above zero" and "no limit" are numbers there; people read them as words. */
static bool no_lower_limit(double low) { return low > 0 && low < 1e-20; }

static bool no_upper_limit(double high) { return high > 1e15; }

const char *param_range(const okra_param *param, char text[PARAM_TEXT])
{
    char low[OKRA_REAL_TEXT], high[OKRA_REAL_TEXT];
    okra_format_real(param->low, low);
    okra_format_real(param->high, high);
    if (param->kind == OKRA_PARAM_CHOICE)
        text[0] = '\0';
    else if (no_lower_limit(param->low) && no_upper_limit(param->high))
        snprintf(text, PARAM_TEXT, "> 0");
    else if (no_lower_limit(param->low))
        snprintf(text, PARAM_TEXT, "> 0, up to %s", high);
    else if (no_upper_limit(param->high))
        snprintf(text, PARAM_TEXT, ">= %s", low);
    else
        snprintf(text, PARAM_TEXT, "%s to %s", low, high);
    return text;
}

static const char *choice_name(const okra_choice *choices, int value)
{
    for (const okra_choice *choice = choices; choice->name; choice++)
        if (choice->value == value)
            return choice->name;
    return "?";
}

const char *param_default(const okra_recipe_param *param, char text[PARAM_TEXT])
{
    if (param->param->kind == OKRA_PARAM_CHOICE)
        snprintf(text, PARAM_TEXT, "%s", choice_name(param->param->choices, (int)param->value));
    else if (param->param->kind == OKRA_PARAM_REAL)
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
