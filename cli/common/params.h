/*
 * The recipe table of libokra in words: ranges and defaults as --help, `okra list` and error messages show them.
 */
#ifndef OKRA_CLI_PARAMS_H
#define OKRA_CLI_PARAMS_H

#include <stdbool.h>

#include <okra/okra.h>

enum { PARAM_TEXT = 160, PARAM_HELP = 4 * PARAM_TEXT, DEFAULTS_TEXT = 2048 };

/* What a value looks like: REAL, N, N|auto, or the names of the choices; NAME if they are too many for that. */
const char *param_argument(const okra_param *param, char text[PARAM_TEXT]);

/* The names of a choice, with `between` between them: all of them, or those that a recipe accepts if one is given. */
const char *param_names(const okra_param *param, const okra_recipe *recipe, const char *between, char text[PARAM_TEXT]);

/* Whether a value is a word: a choice, or a word for a special number. */
bool param_has_word(const okra_param *param, const char *value);

/* The range of the numbers: "> 0", "1 to 1000", "any number"; empty for a choice, whose names say it. */
const char *param_range(const okra_param *param, char text[PARAM_TEXT]);

/* The default that a recipe gives to a parameter. */
const char *param_default(const okra_recipe_param *param, char text[PARAM_TEXT]);

/* What --help says: the parameter's meaning, the names that its argument left out, the range, and the default:
 * `own`, or, if that is NULL, the recipes', if all that have it agree, or all but one. */
const char *param_help(const okra_param *param, const char *own, char text[PARAM_HELP]);

/* "features=300 mu=0.5 ..", the way a reader takes in a recipe at a glance, without what is the stream's and the same
 * in most recipes. */
const char *recipe_defaults(const okra_recipe *recipe, char text[DEFAULTS_TEXT]);

/* The recipe's row of that name, or NULL. */
const okra_recipe_param *recipe_param(const okra_recipe *recipe, const char *name);

#endif
