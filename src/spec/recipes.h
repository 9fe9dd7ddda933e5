/* The recipe and parameter tables, for this folder; the public part is okra/spec.h. */
#ifndef OKRA_RECIPES_H
#define OKRA_RECIPES_H

#include <okra/spec.h>

/* The names of the maps, ended by a NULL name. */
extern const okra_choice okra_map_choices[];

/* The recipe's row for that parameter, or NULL if it has none. */
const okra_recipe_param *okra_recipe_param_find(const okra_recipe *recipe, const char *name);

#endif
