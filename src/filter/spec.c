/* Specs: defaults from the recipe table, parameters by name, and the check that comes before anything is built. */
#include <okra/spec.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../vec/isa.h"
#include "check.h"
#include "recipes.h"

okra_status okra_refuse(okra_status status, okra_message *why, const char *format, ...)
{
    if (why) {
        va_list args;
        va_start(args, format);
        vsnprintf(why->text, sizeof why->text, format, args);
        va_end(args);
    }
    return status;
}

/* ---- the value of a parameter, through its row ----------------------------------------------------------- */

static void *field(okra_spec *spec, const okra_param *p) { return (char *)spec + p->offset; }

static const void *const_field(const okra_spec *spec, const okra_param *p) { return (const char *)spec + p->offset; }

static void put_number(okra_spec *spec, const okra_param *p, double value)
{
    switch (p->kind) {
    case OKRA_PARAM_REAL:
        *(double *)field(spec, p) = value;
        break;
    case OKRA_PARAM_COUNT:
        *(size_t *)field(spec, p) = value < 0 ? OKRA_AUTO : (size_t)value;
        break;
    case OKRA_PARAM_SEED:
        *(uint64_t *)field(spec, p) = (uint64_t)value;
        break;
    case OKRA_PARAM_CHOICE:
        *(int *)field(spec, p) = (int)value;
        break;
    }
}

static const okra_choice *find_choice(const okra_choice *choices, int value)
{
    for (; choices->name; choices++)
        if (choices->value == value)
            return choices;
    return NULL;
}

/* "rff, linear" */
static void list_choices(const okra_choice *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const okra_choice *c = choices; c->name && used < size; c++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", c == choices ? "" : ", ", c->name);
}

/* The fewest digits that read back to the same number, and at least 6, so that 40 is not written 4e+01. */
static int write_real(double value, char *text, size_t size)
{
    int length = 0;
    for (int digits = 6; digits <= 17; digits++) {
        length = snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return length;
}

static okra_status check_value(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    double number = 0;
    char names[128];
    switch (p->kind) {
    case OKRA_PARAM_CHOICE:
        if (find_choice(p->choices, *(const int *)const_field(spec, p)))
            return OKRA_OK;
        list_choices(p->choices, names, sizeof names);
        return okra_refuse(OKRA_E_PARAMETER, why, "%s = %d is none of: %s", p->name, *(const int *)const_field(spec, p),
                           names);
    case OKRA_PARAM_SEED:
        return OKRA_OK;
    case OKRA_PARAM_REAL:
        number = *(const double *)const_field(spec, p);
        if (p->choices && number == p->choices[0].value)
            return okra_refuse(OKRA_E_PARAMETER, why, "%s = %s needs a model around the filter", p->name,
                               p->choices[0].name);
        break;
    case OKRA_PARAM_COUNT:
        if (p->choices && *(const size_t *)const_field(spec, p) == OKRA_AUTO)
            return OKRA_OK;
        number = (double)*(const size_t *)const_field(spec, p);
        break;
    }
    if (number >= p->low && number <= p->high)
        return OKRA_OK;
    char value[32], low[32], high[32];
    write_real(number, value, sizeof value), write_real(p->low, low, sizeof low),
        write_real(p->high, high, sizeof high);
    return okra_refuse(OKRA_E_PARAMETER, why, "%s = %s is out of range: it must be from %s to %s", p->name, value, low,
                       high);
}

/* ---- text ------------------------------------------------------------------------------------------------ */

static bool read_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static bool read_count(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return isdigit((unsigned char)*text) && *end == '\0' && errno == 0;
}

static bool read_choice(const char *text, const okra_choice *choices, int *value)
{
    for (; choices->name; choices++)
        if (strcmp(text, choices->name) == 0) {
            *value = choices->value;
            return true;
        }
    return false;
}

static okra_status read_value(okra_spec *spec, const okra_param *p, const char *text, okra_message *why)
{
    uint64_t count;
    int word;
    char names[128];
    if (p->kind != OKRA_PARAM_CHOICE && p->choices && read_choice(text, p->choices, &word)) {
        put_number(spec, p, word);
        return OKRA_OK;
    }
    switch (p->kind) {
    case OKRA_PARAM_REAL:
        if (!read_real(text, field(spec, p)))
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a number", p->name, text);
        break;
    case OKRA_PARAM_COUNT:
        if (!read_count(text, &count) || count > SIZE_MAX)
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a whole number from %.0f to %.0f%s%s", p->name,
                               text, p->low, p->high, p->choices ? ", nor " : "", p->choices ? p->choices[0].name : "");
        *(size_t *)field(spec, p) = (size_t)count;
        break;
    case OKRA_PARAM_SEED:
        if (!read_count(text, field(spec, p)))
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a whole number from 0 to 2^64 - 1", p->name,
                               text);
        break;
    case OKRA_PARAM_CHOICE:
        if (!read_choice(text, p->choices, field(spec, p))) {
            list_choices(p->choices, names, sizeof names);
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is none of: %s", p->name, text, names);
        }
        break;
    }
    return check_value(spec, p, why);
}

okra_status okra_spec_set(okra_spec *spec, const char *name, const char *text, okra_message *why)
{
    if (!spec || !name || !text)
        return okra_refuse(OKRA_E_NULL, why, "%s", okra_strerror(OKRA_E_NULL));
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    if (!recipe)
        return okra_refuse(OKRA_E_RECIPE, why, "%s", okra_strerror(OKRA_E_RECIPE));
    const okra_recipe_param *row = okra_recipe_param_find(recipe, name);
    if (!row)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s has no parameter '%s'", recipe->name, name);
    okra_spec changed = *spec;
    okra_status status = read_value(&changed, row->param, text, why);
    if (!status)
        *spec = changed;
    return status;
}

okra_status okra_spec_get(const okra_spec *spec, const char *name, char *text, size_t size)
{
    if (!spec || !name || !text)
        return OKRA_E_NULL;
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    const okra_recipe_param *row = recipe ? okra_recipe_param_find(recipe, name) : NULL;
    if (!row)
        return OKRA_E_PARAMETER;
    const void *value = const_field(spec, row->param);
    const okra_choice *choice;
    char whole[32];
    int length = 0;
    switch (row->param->kind) {
    case OKRA_PARAM_REAL:
        if (row->param->choices && *(const double *)value == row->param->choices[0].value)
            length = snprintf(whole, sizeof whole, "%s", row->param->choices[0].name);
        else
            length = write_real(*(const double *)value, whole, sizeof whole);
        break;
    case OKRA_PARAM_COUNT:
        if (*(const size_t *)value == OKRA_AUTO)
            length = snprintf(whole, sizeof whole, "auto");
        else
            length = snprintf(whole, sizeof whole, "%zu", *(const size_t *)value);
        break;
    case OKRA_PARAM_SEED:
        length = snprintf(whole, sizeof whole, "%llu", (unsigned long long)*(const uint64_t *)value);
        break;
    case OKRA_PARAM_CHOICE:
        choice = find_choice(row->param->choices, *(const int *)value);
        length = snprintf(whole, sizeof whole, "%s", choice ? choice->name : "?");
        break;
    }
    if ((size_t)length >= size)
        return OKRA_E_BUFFER;
    memcpy(text, whole, (size_t)length + 1);
    return OKRA_OK;
}

/* ---- whole specs ----------------------------------------------------------------------------------------- */

okra_status okra_spec_init(okra_spec *spec, const char *name, size_t inputs)
{
    if (!spec || !name)
        return OKRA_E_NULL;
    const okra_recipe *recipe = okra_recipe_find(name);
    if (!recipe)
        return OKRA_E_RECIPE;
    *spec =
        (okra_spec){.recipe = recipe->name, .inputs = inputs, .outputs = 1, .precision = OKRA_F64, .map = recipe->map};
    for (size_t i = 0; i < recipe->n_params; i++)
        put_number(spec, recipe->params[i].param, recipe->params[i].value);
    return OKRA_OK;
}

enum { INPUTS_MAX = 1 << 30 };

static bool all_finite(const double *a, size_t rows, size_t cols)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            if (!isfinite(a[i * cols + j]))
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
        return okra_refuse(OKRA_E_PARAMETER, why, "given frequencies need the rff map");
    if (!all_finite(spec->omega, spec->features, spec->inputs) || !all_finite(spec->phase, spec->features, 1))
        return okra_refuse(OKRA_E_PARAMETER, why, "a given frequency or phase is not finite");
    return OKRA_OK;
}

okra_status okra_check_map(const okra_spec *spec, okra_message *why)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    if (!recipe)
        return okra_refuse(OKRA_E_RECIPE, why, "'%s': %s", spec->recipe ? spec->recipe : "",
                           okra_strerror(OKRA_E_RECIPE));
    if (recipe->map && spec->map != recipe->map)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s has a map of its own: leave map as it is", recipe->name);
    if (spec->inputs < 1 || spec->inputs > INPUTS_MAX)
        return okra_refuse(OKRA_E_PARAMETER, why, "inputs = %zu is out of range: it must be from 1 to %d", spec->inputs,
                           INPUTS_MAX);
    for (size_t i = 0; i < recipe->n_params; i++) {
        okra_status status = check_value(spec, recipe->params[i].param, why);
        if (status)
            return status;
    }
    if (okra_isa_chosen() == OKRA_ISA_NONE)
        return okra_refuse(OKRA_E_ISA, why, "%s", okra_strerror(OKRA_E_ISA));
    return check_frequencies(spec, why);
}

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

okra_status okra_spec_check(const okra_spec *spec, okra_message *why)
{
    if (!spec)
        return okra_refuse(OKRA_E_NULL, why, "%s", okra_strerror(OKRA_E_NULL));
    if (spec->outputs < 1 || spec->outputs > INPUTS_MAX)
        return okra_refuse(OKRA_E_PARAMETER, why, "outputs = %zu is out of range: it must be from 1 to %d",
                           spec->outputs, INPUTS_MAX);
    okra_status status = okra_check_map(spec, why);
    return status || strcmp(spec->recipe, "krls") != 0 ? status : check_krls(spec, why);
}
