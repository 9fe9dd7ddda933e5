/* Specs: defaults from the table, and range checks. Texts are in spec_text.c. Maps and filters have further checks of
 * their own. */
#include <okra/spec.h>

#include "check.h"
#include "params.h"
#include "recipes.h"

size_t okra_spec_widths(const okra_spec *spec)
{
    size_t n = 0;
    while (n < OKRA_WIDTHS_MAX - 1 && spec->sigma_more[n] != 0)
        n++;
    return n + 1;
}

size_t okra_spec_input_widths(const okra_spec *spec)
{
    size_t n = 0;
    while (n < OKRA_INPUT_WIDTHS_MAX && spec->widths[n] != 0)
        n++;
    return n;
}

/* ---- values ----------------------------------------------------------------------------------------------- */

okra_status okra_check_range(const okra_param *p, double number, okra_message *why)
{
    if (number >= p->low && number <= p->high)
        return OKRA_OK;
    return okra_refuse_range(p, number, why);
}

static okra_status check_list(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    double list[OKRA_INPUT_WIDTHS_MAX];
    size_t n = param_get_list(spec, p, list);
    const okra_choice *word = param_word(p, list[0]);
    if (word && word->value == 0)
        return OKRA_OK;
    if (word) /* to be found */
        return okra_refuse(OKRA_E_PARAMETER, why, "%s = %s needs a filter around the map", p->name, word->name);
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = okra_check_range(p, list[i], why);
    return status;
}

okra_status okra_check_value(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    switch (p->kind) {
    case OKRA_PARAM_CHOICE:
        return find_choice(p->choices, *(const int *)param_const_field(spec, p)) ? OKRA_OK
                                                                                 : okra_refuse_choice(spec, p, why);
    case OKRA_PARAM_SEED:
        return OKRA_OK;
    case OKRA_PARAM_REAL:
        if (param_word(p, *(const double *)param_const_field(spec, p)))
            return OKRA_OK;
        return okra_check_range(p, *(const double *)param_const_field(spec, p), why);
    case OKRA_PARAM_REALS:
        return check_list(spec, p, why);
    case OKRA_PARAM_COUNT:
        if (p->choices && *(const size_t *)param_const_field(spec, p) == OKRA_AUTO)
            return OKRA_OK;
        return okra_check_range(p, (double)*(const size_t *)param_const_field(spec, p), why);
    }
    return OKRA_OK;
}

/* ---- whole specs ----------------------------------------------------------------------------------------- */

okra_status okra_spec_init(okra_spec *spec, const char *name, size_t inputs, size_t outputs)
{
    if (!spec || !name)
        return OKRA_E_NULL;
    const okra_recipe *recipe = okra_recipe_find(name);
    if (!recipe)
        return OKRA_E_RECIPE;
    *spec = (okra_spec){.size = sizeof *spec,
                        .recipe = recipe->name,
                        .inputs = inputs,
                        .outputs = outputs,
                        .precision = OKRA_F64,
                        .map = recipe->map};
    for (size_t i = 0; i < recipe->n_params; i++)
        param_put_number(spec, recipe->params[i].param, recipe->params[i].value);
    return OKRA_OK;
}

enum { COLUMNS_MAX = 1 << 30 };

okra_status okra_check_values(const okra_spec *spec, int scopes, okra_message *why)
{
    if (spec->size != sizeof *spec) /* from another version's header, or not initialised */
        return okra_refuse(OKRA_E_PARAMETER, why, "spec.size = %zu is not %zu: begin with okra_spec_init()", spec->size,
                           sizeof *spec);
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    if (!recipe)
        return okra_refuse(OKRA_E_RECIPE, why, "'%s': %s", spec->recipe ? spec->recipe : "",
                           okra_strerror(OKRA_E_RECIPE));
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < recipe->n_params && !status; i++)
        if (scopes & 1 << recipe->params[i].param->scope)
            status = okra_check_value(spec, recipe->params[i].param, why);
    return status;
}

okra_status okra_check_columns(const char *name, size_t n, size_t low, okra_message *why)
{
    if (n >= low && n <= COLUMNS_MAX)
        return OKRA_OK;
    return okra_refuse(OKRA_E_PARAMETER, why, "%s = %zu is out of range: it must be from %zu to %d", name, n, low,
                       COLUMNS_MAX);
}
