/* Checks a spec for its map. */
#include <float.h>
#include <math.h>

#include "../kernel/kernel.h"
#include "../spec/check.h"
#include "../spec/params.h"
#include "../spec/recipes.h"
#include "handle.h"

static bool all_fit(const double *a, size_t rows, size_t cols, double max)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            if (!(fabs(a[i * cols + j]) <= max))
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
    double max = spec->precision == OKRA_F32 ? (double)FLT_MAX : DBL_MAX;
    if (!all_fit(spec->omega, spec->features, spec->inputs, max) || !all_fit(spec->phase, spec->features, 1, max))
        return okra_refuse(OKRA_E_PARAMETER, why, "a given frequency or phase is not finite in this precision");
    return OKRA_OK;
}

static okra_status check_rule(const okra_spec *spec, const char *map, const char *kernel, okra_message *why)
{
    if (!okra_kernel_has_rule(spec->kernel))
        return okra_refuse(OKRA_E_PARAMETER, why, "map %s has no rule for kernel %s: use qmc", map, kernel);
    if (spec->kernel != OKRA_GAUSSIAN && spec->inputs > OKRA_PRODUCT_INPUTS_MAX)
        return okra_refuse(OKRA_E_PARAMETER, why,
                           "map %s with kernel %s is for up to %d inputs, and there are %zu: use qmc", map, kernel,
                           OKRA_PRODUCT_INPUTS_MAX, spec->inputs);
    return OKRA_OK;
}

/* A width for each input, or none. */
static okra_status check_input_widths(const okra_spec *spec, okra_message *why)
{
    size_t n = okra_spec_input_widths(spec);
    if (n == 0 || n == spec->inputs)
        return OKRA_OK;
    if (spec->inputs > OKRA_INPUT_WIDTHS_MAX)
        return okra_refuse(OKRA_E_PARAMETER, why,
                           "widths are for up to %d inputs, and there are %zu: give sigma alone, or fewer inputs",
                           OKRA_INPUT_WIDTHS_MAX, spec->inputs);
    return okra_refuse(OKRA_E_PARAMETER, why,
                       "widths has %zu number%s, and there are %zu inputs: give one for each, lags of the first input "
                       "first, lags of targets last",
                       n, n == 1 ? "" : "s", spec->inputs);
}

/* Whether a map of cosines supports the spec's kernel, features and inputs. */
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
    okra_status status = check_input_widths(spec, why);
    return !status && spec->map & OKRA_MAP_QUADRATURE ? check_rule(spec, map, kernel, why) : status;
}

/* Maps of cosines can approximate a mean of kernels; a dictionary has one kernel. */
static okra_status check_widths(const okra_spec *spec, const okra_recipe *recipe, okra_message *why)
{
    if (recipe->map == OKRA_MAP_IDENTITY && okra_spec_widths(spec) > 1)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s has one kernel: give one sigma", recipe->name);
    return recipe->map || spec->map == OKRA_MAP_LINEAR ? OKRA_OK : check_cosines(spec, why);
}

okra_status okra_check_map(const okra_spec *spec, okra_message *why)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    if (recipe && recipe->map && spec->map != recipe->map)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s has a map of its own: leave map as it is", recipe->name);
    okra_status status = okra_check_values(spec, 1 << OKRA_SCOPE_MAP, why);
    if (status || !recipe)
        return status;
    status = okra_check_columns("inputs", spec->inputs, 1, why);
    if (!status && okra_isa_chosen() == OKRA_ISA_NONE)
        status = okra_refuse(OKRA_E_ISA, why, "%s", okra_strerror(OKRA_E_ISA));
    if (!status)
        status = check_widths(spec, recipe, why);
    return status ? status : check_frequencies(spec, why);
}
