/* Specs: defaults from the recipe table, and the check that comes before anything is built. Texts are in spec_text.c.
 */
#include <okra/spec.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "../map/kernel.h"
#include "../vec/isa.h"
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

/* ---- values ----------------------------------------------------------------------------------------------- */

okra_status okra_check_range(const okra_param *p, double number, okra_message *why)
{
    if (number >= p->low && number <= p->high)
        return OKRA_OK;
    return okra_refuse_range(p, number, why);
}

static okra_status check_list(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    double list[OKRA_WIDTHS_MAX];
    size_t n = param_get_list(spec, p, list);
    if (p->choices && list[0] == p->choices[0].value)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s = %s needs a filter around the map", p->name, p->choices[0].name);
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
    *spec = (okra_spec){
        .recipe = recipe->name, .inputs = inputs, .outputs = outputs, .precision = OKRA_F64, .map = recipe->map};
    for (size_t i = 0; i < recipe->n_params; i++)
        param_put_number(spec, recipe->params[i].param, recipe->params[i].value);
    return OKRA_OK;
}

enum { COLUMNS_MAX = 1 << 30 };

static bool all_fit(const double *a, size_t rows, size_t cols, double most)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            if (!(fabs(a[i * cols + j]) <= most))
                return false;
    return true;
}

static okra_status check_frequencies(const okra_spec *spec, okra_message *why)
{
    if (!spec->omega && !spec->phase)
        return OKRA_OK;
    if (!spec->omega || !spec->phase)
        return okra_refuse(OKRA_E_PARAMETER, why, "omega and phase go together: one of them is NULL");
    if (!(spec->map & OKRA_MAP_RFF))
        return okra_refuse(OKRA_E_PARAMETER, why, "given frequencies have phases: they need the rff map");
    double most = spec->precision == OKRA_F32 ? (double)FLT_MAX : DBL_MAX;
    if (!all_fit(spec->omega, spec->features, spec->inputs, most) || !all_fit(spec->phase, spec->features, 1, most))
        return okra_refuse(OKRA_E_PARAMETER, why, "a given frequency or phase is not finite in this precision");
    return OKRA_OK;
}

/* What a map of cosines can do, of the spec's kernel, features and inputs. */
static okra_status check_cosines(const okra_spec *spec, okra_message *why)
{
    const char *map = find_choice(okra_map_choices, spec->map)->name;
    const char *kernel = find_choice(okra_kernel_choices, spec->kernel)->name;
    enum {
        ORTHOGONAL = OKRA_MAP_ORF | OKRA_MAP_SORF,
        PAIRED = ORTHOGONAL | OKRA_MAP_PAIR | OKRA_MAP_QMC | OKRA_MAP_QUADRATURE
    };
    if (spec->map & PAIRED && spec->features % 2)
        return okra_refuse(OKRA_E_PARAMETER, why,
                           "features = %zu is odd: map %s has a cosine and a sine of each frequency", spec->features,
                           map);
    if (okra_spec_widths(spec) > (spec->map & PAIRED ? spec->features / 2 : spec->features))
        return okra_refuse(OKRA_E_PARAMETER, why, "features = %zu is too few for %zu widths", spec->features,
                           okra_spec_widths(spec));
    if (spec->map & ORTHOGONAL && !okra_kernel_is_radial(spec->kernel))
        return okra_refuse(OKRA_E_PARAMETER, why,
                           "map %s needs a kernel that depends on distance alone, and %s does not: use pair or qmc",
                           map, kernel);
    if (spec->map & OKRA_MAP_QMC && spec->inputs > OKRA_QMC_INPUTS_MAX)
        return okra_refuse(OKRA_E_PARAMETER, why, "map %s is for up to %d inputs, and there are %zu: use sorf", map,
                           OKRA_QMC_INPUTS_MAX, spec->inputs);
    if (spec->map & OKRA_MAP_QUADRATURE && spec->kernel != OKRA_GAUSSIAN && spec->kernel != OKRA_CAUCHY)
        return okra_refuse(OKRA_E_PARAMETER, why,
                           "map %s has rules for gaussian and cauchy kernels, not for %s: use qmc", map, kernel);
    if (spec->map & OKRA_MAP_QUADRATURE && spec->kernel == OKRA_CAUCHY && spec->inputs > OKRA_PRODUCT_INPUTS_MAX)
        return okra_refuse(OKRA_E_PARAMETER, why,
                           "map %s with a cauchy kernel is for up to %d inputs, and there are %zu: use qmc", map,
                           OKRA_PRODUCT_INPUTS_MAX, spec->inputs);
    return OKRA_OK;
}

/* Maps of cosines approximate a mean of kernels as easily as one; a dictionary has one. */
static okra_status check_widths(const okra_spec *spec, const okra_recipe *recipe, okra_message *why)
{
    if (recipe->map == OKRA_MAP_IDENTITY && okra_spec_widths(spec) > 1)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s has one kernel: give one sigma", recipe->name);
    if (strcmp(recipe->filter, "committee") == 0 && spec->features % 2)
        return okra_refuse(OKRA_E_PARAMETER, why, "features = %zu is odd: %s has a cosine and a sine of each frequency",
                           spec->features, recipe->name);
    return recipe->map || spec->map == OKRA_MAP_LINEAR ? OKRA_OK : check_cosines(spec, why);
}

enum { MAP = 1 << OKRA_SCOPE_MAP, FILTER = 1 << OKRA_SCOPE_FILTER, STREAM = 1 << OKRA_SCOPE_STREAM };

/* The recipe, and its parameters of those scopes. */
static okra_status check_values(const okra_spec *spec, int scopes, okra_message *why)
{
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

static okra_status check_columns(const char *name, size_t n, size_t low, okra_message *why)
{
    if (n >= low && n <= COLUMNS_MAX)
        return OKRA_OK;
    return okra_refuse(OKRA_E_PARAMETER, why, "%s = %zu is out of range: it must be from %zu to %d", name, n, low,
                       COLUMNS_MAX);
}

static okra_status check_recipe(const okra_spec *spec, int scopes, okra_message *why)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    if (recipe && recipe->map && spec->map != recipe->map)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s has a map of its own: leave map as it is", recipe->name);
    okra_status status = check_values(spec, scopes, why);
    if (status || !recipe)
        return status;
    status = check_columns("inputs", spec->inputs, 1, why);
    if (!status && okra_isa_chosen() == OKRA_ISA_NONE)
        status = okra_refuse(OKRA_E_ISA, why, "%s", okra_strerror(OKRA_E_ISA));
    if (!status)
        status = check_widths(spec, recipe, why);
    return status ? status : check_frequencies(spec, why);
}

okra_status okra_check_map(const okra_spec *spec, okra_message *why) { return check_recipe(spec, MAP, why); }

static okra_status check_krls(const okra_spec *spec, okra_message *why)
{
    const double least = 5e-4; /* below it, rounding in float32 decides what becomes a centre */
    if (spec->when_full == OKRA_FULL_OLDEST)
        return okra_refuse(OKRA_E_PARAMETER, why, "krls cannot take a centre back: set when-full to stop or error");
    if (spec->precision == OKRA_F32 && spec->nu < least)
        return okra_refuse(OKRA_E_PARAMETER, why, "nu = %g is too small for krls in float32: it must be at least %g",
                           spec->nu, least);
    return OKRA_OK;
}

okra_status okra_check_stream(const okra_spec *spec, okra_message *why)
{
    okra_status status = check_values(spec, STREAM, why);
    if (!status)
        status = check_columns("inputs", spec->inputs, 0, why);
    return status ? status : check_columns("outputs", spec->outputs, 1, why);
}

okra_status okra_check_engine(const okra_spec *spec, okra_message *why)
{
    okra_status status = check_recipe(spec, MAP | FILTER, why);
    return status || strcmp(spec->recipe, "krls") != 0 ? status : check_krls(spec, why);
}
