/*
 * The recipe table of libokra in words: ranges and defaults as --help, `okra list` and error messages show them.
 */
#ifndef OKRA_CLI_PARAMS_H
#define OKRA_CLI_PARAMS_H

#include <okra/okra.h>

enum { PARAM_TEXT = 160 };

/* What a value looks like: REAL, N, or the names of the choices. */
const char *param_argument(const okra_param *param, char text[PARAM_TEXT]);

/* The names of a choice, with `between` between them. */
const char *param_names(const okra_param *param, const char *between, char text[PARAM_TEXT]);

/* The range: "> 0", "1 to 1000"; empty for a choice, whose names say it. */
const char *param_range(const okra_param *param, char text[PARAM_TEXT]);

/* The default that a recipe gives to a parameter. */
const char *param_default(const okra_recipe_param *param, char text[PARAM_TEXT]);

/* The recipe's row of that name, or NULL. */
const okra_recipe_param *recipe_param(const okra_recipe *recipe, const char *name);

#endif
