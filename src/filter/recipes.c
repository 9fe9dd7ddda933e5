/*
 * The one table of recipes and parameters: the command line, `okra list`, the bindings and the documentation read it. A
 * parameter has one row with its range and help; a recipe lists the parameters it has, with its own defaults.
 */
#include "recipes.h"

#include <string.h>

#include "../map/kernel.h"

const okra_choice okra_map_choices[] = {
    {"rff", OKRA_MAP_RFF, "random Fourier features: sqrt(2/D) cos(omega.x + b)"},
    {"linear", OKRA_MAP_LINEAR, "the inputs themselves and a bias"},
    {NULL, 0, NULL},
};

static const okra_choice precision_choices[] = {
    {"f64", OKRA_F64, "double"},
    {"f32", OKRA_F32, "single, in every operation of a step"},
    {NULL, 0, NULL},
};

/* clang-format off */
#define REAL(field, low, high, help)  {#field, OKRA_PARAM_REAL, offsetof(okra_spec, field), low, high, NULL, help}
#define COUNT(field, low, high, help) {#field, OKRA_PARAM_COUNT, offsetof(okra_spec, field), low, high, NULL, help}
#define SEED(field, help)             {#field, OKRA_PARAM_SEED, offsetof(okra_spec, field), 0, 0x1p64, NULL, help}
#define CHOICE(field, choices, help)  {#field, OKRA_PARAM_CHOICE, offsetof(okra_spec, field), 0, 0, choices, help}
/* clang-format on */

enum { MAP, KERNEL, SIGMA, FEATURES, SEED_OF_MAP, MU, REG, PRECISION };

static const okra_param params[] = {
    [MAP] = CHOICE(map, okra_map_choices, "how features are made from inputs"),
    [KERNEL] = CHOICE(kernel, okra_kernel_choices, "what the features approximate"),
    [SIGMA] = REAL(sigma, 1e-30, 1e30, "kernel width, in units of the inputs"),
    [FEATURES] = COUNT(features, 1, 0x1p30, "number of features D"),
    [SEED_OF_MAP] = SEED(seed, "seed of the random features"),
    [MU] = REAL(mu, 1e-30, 1e30, "step size"),
    [REG] = REAL(reg, 1e-30, 1e30, "regularisation: added to the power of the features"),
    [PRECISION] = CHOICE(precision, precision_choices, "arithmetic of every step"),
};

/* clang-format off */
#define RANDOM_MAP \
    {&params[MAP], OKRA_MAP_RFF}, {&params[KERNEL], OKRA_GAUSSIAN}, {&params[SIGMA], 1}, {&params[FEATURES], 300}, \
    {&params[SEED_OF_MAP], 1}
#define IN_EITHER_PRECISION {&params[PRECISION], OKRA_F64}

static const okra_recipe_param rff_klms[] = {RANDOM_MAP, {&params[MU], 0.5}, IN_EITHER_PRECISION};
static const okra_recipe_param rff_nlms[] = {RANDOM_MAP, {&params[MU], 0.5}, {&params[REG], 1e-6}, IN_EITHER_PRECISION};
static const okra_recipe_param lms[] = {{&params[MU], 0.01}, IN_EITHER_PRECISION};
static const okra_recipe_param nlms[] = {{&params[MU], 0.5}, {&params[REG], 1e-6}, IN_EITHER_PRECISION};

#define RECIPE(name, filter, map, params, help) {name, help, filter, map, params, sizeof(params) / sizeof *(params)}
/* clang-format on */

static const okra_recipe recipes[] = {
    RECIPE("rff-klms", "lms", 0, rff_klms, "kernel LMS on random Fourier features: theta += mu e z"),
    RECIPE("rff-nlms", "nlms", 0, rff_nlms, "normalised kernel LMS: theta += mu e z / (reg + |z|^2)"),
    RECIPE("lms", "lms", OKRA_MAP_LINEAR, lms, "linear LMS on the inputs and a bias"),
    RECIPE("nlms", "nlms", OKRA_MAP_LINEAR, nlms, "linear normalised LMS on the inputs and a bias"),
};

const okra_recipe *okra_recipe_at(size_t i) { return i < sizeof recipes / sizeof *recipes ? &recipes[i] : NULL; }

const okra_recipe *okra_recipe_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof recipes / sizeof *recipes; i++)
        if (strcmp(recipes[i].name, name) == 0)
            return &recipes[i];
    return NULL;
}

const okra_param *okra_param_at(size_t i) { return i < sizeof params / sizeof *params ? &params[i] : NULL; }

const okra_recipe_param *okra_recipe_param_find(const okra_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->n_params; i++)
        if (strcmp(recipe->params[i].param->name, name) == 0)
            return &recipe->params[i];
    return NULL;
}
