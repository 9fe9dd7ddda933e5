/* Specs: defaults from the recipe table, parameters by name, and the check that comes before anything is built. */
#include <okra/spec.h>

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../map/kernel.h"
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
        for (char *p = why->text; *p; p++) /* what is quoted may hold anything; a message is one line */
            if ((unsigned char)*p < ' ' || *p == 0x7f)
                *p = '?';
    }
    return status;
}

/* A list starts at its parameter's field and goes on in the next. */
_Static_assert(offsetof(okra_spec, sigma_more) == offsetof(okra_spec, sigma) + sizeof(double), "widths are one list");

size_t okra_spec_widths(const okra_spec *spec)
{
    size_t n = 0;
    while (n < OKRA_WIDTHS_MAX - 1 && spec->sigma_more[n] != 0)
        n++;
    return n + 1;
}

/* ---- the value of a parameter, through its row ----------------------------------------------------------- */

static void *field(okra_spec *spec, const okra_param *p) { return (char *)spec + p->offset; }

static const void *const_field(const okra_spec *spec, const okra_param *p) { return (const char *)spec + p->offset; }

/* A list of n numbers, and the 0 that ends it. */
static void put_list(okra_spec *spec, const okra_param *p, size_t n, const double *values)
{
    double list[OKRA_WIDTHS_MAX] = {0};
    memcpy(list, values, n * sizeof *list);
    memcpy(field(spec, p), list, sizeof list);
}

static size_t get_list(const okra_spec *spec, const okra_param *p, double *list)
{
    size_t n = 1;
    memcpy(list, const_field(spec, p), OKRA_WIDTHS_MAX * sizeof *list);
    while (n < OKRA_WIDTHS_MAX && list[n] != 0)
        n++;
    return n;
}

static void put_number(okra_spec *spec, const okra_param *p, double value)
{
    switch (p->kind) {
    case OKRA_PARAM_REAL:
        *(double *)field(spec, p) = value;
        break;
    case OKRA_PARAM_REALS:
        put_list(spec, p, 1, &value);
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

enum { CHOICES_TEXT = 192 };

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

static okra_status check_range(const okra_param *p, double number, okra_message *why)
{
    if (number >= p->low && number <= p->high)
        return OKRA_OK;
    char value[32], low[32], high[32];
    write_real(number, value, sizeof value), write_real(p->low, low, sizeof low),
        write_real(p->high, high, sizeof high);
    return okra_refuse(OKRA_E_PARAMETER, why, "%s = %s is out of range: it must be from %s to %s", p->name, value, low,
                       high);
}

static okra_status check_list(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    double list[OKRA_WIDTHS_MAX];
    size_t n = get_list(spec, p, list);
    if (p->choices && list[0] == p->choices[0].value)
        return okra_refuse(OKRA_E_PARAMETER, why, "%s = %s needs a model around the filter", p->name,
                           p->choices[0].name);
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = check_range(p, list[i], why);
    return status;
}

static okra_status check_value(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    char names[CHOICES_TEXT];
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
        return check_range(p, *(const double *)const_field(spec, p), why);
    case OKRA_PARAM_REALS:
        return check_list(spec, p, why);
    case OKRA_PARAM_COUNT:
        if (p->choices && *(const size_t *)const_field(spec, p) == OKRA_AUTO)
            return OKRA_OK;
        return check_range(p, (double)*(const size_t *)const_field(spec, p), why);
    }
    return OKRA_OK;
}

/* ---- text ------------------------------------------------------------------------------------------------ */

static bool read_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* "0.5,1,2": what is not readable, or more than fit, is refused whole. */
static okra_status read_list(okra_spec *spec, const okra_param *p, const char *text, okra_message *why)
{
    double list[OKRA_WIDTHS_MAX];
    size_t n = 0;
    const char *at = text;
    for (char *end;; at = end + 1) {
        if (n == OKRA_WIDTHS_MAX)
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' has more than %d numbers", p->name, text,
                               OKRA_WIDTHS_MAX);
        list[n] = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite(list[n]))
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a number, nor numbers with commas between them",
                               p->name, text);
        okra_status status = check_range(p, list[n++], why); /* a 0 would end the list unseen */
        if (status || !*end) {
            put_list(spec, p, n, list);
            return status;
        }
    }
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
    char names[CHOICES_TEXT];
    if (p->kind != OKRA_PARAM_CHOICE && p->choices && read_choice(text, p->choices, &word)) {
        put_number(spec, p, word);
        return OKRA_OK;
    }
    switch (p->kind) {
    case OKRA_PARAM_REAL:
        if (!read_real(text, field(spec, p)))
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a number", p->name, text);
        break;
    case OKRA_PARAM_REALS:
        return read_list(spec, p, text, why);
    case OKRA_PARAM_COUNT:
        if (!read_count(text, &count) || count >= SIZE_MAX) /* which is OKRA_AUTO: a word says that */
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

/* "0.5,1,2", or the word that stands for a special value. */
static int write_list(const okra_spec *spec, const okra_param *p, char *text, size_t size)
{
    double list[OKRA_WIDTHS_MAX];
    size_t n = get_list(spec, p, list);
    if (p->choices && list[0] == p->choices[0].value)
        return snprintf(text, size, "%s", p->choices[0].name);
    int length = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            text[length++] = ',';
        length += write_real(list[i], text + length, size - (size_t)length);
    }
    return length;
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
    char whole[OKRA_VALUE_TEXT];
    int length = 0;
    switch (row->param->kind) {
    case OKRA_PARAM_REAL:
        length = write_real(*(const double *)value, whole, sizeof whole);
        break;
    case OKRA_PARAM_REALS:
        length = write_list(spec, row->param, whole, sizeof whole);
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
    okra_status status = check_widths(spec, recipe, why);
    return status ? status : check_frequencies(spec, why);
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
