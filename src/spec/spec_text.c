/* Specs as text: parameters set and written by name, and error messages. */
#include <okra/spec.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "params.h"
#include "recipes.h"

/* ---- error messages ----------------------------------------------------------------------------------------- */

#ifdef OKRA_NO_HEAP
/* In many C libraries printf and strtod allocate memory. So without a heap the message is that of the status, and
 * parameters are set in the spec. */
okra_status okra_refuse(okra_status status, okra_message *why, const char *format, ...)
{
    (void)format;
    if (why)
        strcpy(why->text, okra_strerror(status));
    return status;
}

okra_status okra_refuse_range(const okra_param *p, double number, okra_message *why)
{
    (void)number;
    return okra_refuse(OKRA_E_PARAMETER, why, "%s", p->name);
}

okra_status okra_refuse_choice(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    (void)spec;
    return okra_refuse(OKRA_E_PARAMETER, why, "%s", p->name);
}
#else

okra_status okra_refuse(okra_status status, okra_message *why, const char *format, ...)
{
    if (why) {
        va_list args;
        va_start(args, format);
        vsnprintf(why->text, sizeof why->text, format, args);
        va_end(args);
        for (char *p = why->text; *p; p++) /* quoted text may hold any character; a message is one line */
            if ((unsigned char)*p < ' ' || *p == 0x7f)
                *p = '?';
    }
    return status;
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

/* Printf writes 0.5 as 0,5 in some locales; our numbers always have a point. */
static void write_point(char *text)
{
    const char *others = "+-0123456789einfa"; /* characters of "%g", with "inf" and "nan" */
    char *point = text + strspn(text, others);
    size_t length = strcspn(point, others);
    if (length > 0) {
        *point = '.';
        memmove(point + 1, point + length, strlen(point + length) + 1);
    }
}

/* The fewest digits that read back to the same number, and at least 6, so that 40 is not written 4e+01. */
static int write_real(double value, char *text, size_t size)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    write_point(text);
    return (int)strlen(text);
}

okra_status okra_refuse_range(const okra_param *p, double number, okra_message *why)
{
    char value[32], low[32], high[32];
    write_real(number, value, sizeof value), write_real(p->low, low, sizeof low),
        write_real(p->high, high, sizeof high);
    return okra_refuse(OKRA_E_PARAMETER, why, "%s = %s is out of range: it must be from %s to %s", p->name, value, low,
                       high);
}

okra_status okra_refuse_choice(const okra_spec *spec, const okra_param *p, okra_message *why)
{
    char names[CHOICES_TEXT];
    list_choices(p->choices, names, sizeof names);
    return okra_refuse(OKRA_E_PARAMETER, why, "%s = %d is none of: %s", p->name,
                       *(const int *)param_const_field(spec, p), names);
}

/* ---- parameters by name ------------------------------------------------------------------------------------- */

/* Converts the text up to `end` to the locale of the program, for strtod; false if it is too long or not a number. */
static bool spell_locally(const char *text, const char *end, char *local, size_t size)
{
    char half[16];
    snprintf(half, sizeof half, "%.1f", 0.5);
    const size_t point = strlen(half) - 2; /* between the 0 and the 5: several bytes in some locales */
    size_t used = 0;
    for (; text < end; text++) {
        if (used + point >= size || strncmp(text, half + 1, point) == 0)
            return false;
        if (*text == '.') {
            memcpy(local + used, half + 1, point);
            used += point;
        } else
            local[used++] = *text;
    }
    local[used] = '\0';
    return true;
}

/* Reads a number up to a comma or the end of the text, and sets `end` there. The decimal point is a point in any
 * locale.
 */
static bool read_real(const char *text, const char **end, double *value)
{
    char local[512], *stop;
    *end = text + strcspn(text, ",");
    if (*end == text)
        return false;
    if (strtod("0.5", NULL) == 0.5) {
        *value = strtod(text, &stop);
        return stop == *end && isfinite(*value);
    }
    if (!spell_locally(text, *end, local, sizeof local))
        return false;
    *value = strtod(local, &stop);
    return !*stop && isfinite(*value);
}

/* "0.5,1,2". Rejects the whole list if it is not readable or too long. */
static okra_status read_list(okra_spec *spec, const okra_param *p, const char *text, okra_message *why)
{
    double list[OKRA_INPUT_WIDTHS_MAX];
    size_t n = 0;
    const char *at = text;
    for (const char *end;; at = end + 1) {
        if (n == p->values)
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' has more than %zu numbers", p->name, text, p->values);
        if (!read_real(at, &end, &list[n]))
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a number, nor numbers with commas between them",
                               p->name, text);
        okra_status status = okra_check_range(p, list[n++], why); /* a 0 would end the list early */
        if (status || !*end) {
            param_put_list(spec, p, n, list);
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
    const char *end;
    char names[CHOICES_TEXT];
    if (p->kind != OKRA_PARAM_CHOICE && p->choices && read_choice(text, p->choices, &word)) {
        param_put_number(spec, p, word);
        return OKRA_OK;
    }
    switch (p->kind) {
    case OKRA_PARAM_REAL:
        if (!read_real(text, &end, param_field(spec, p)) || *end)
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a number%s%s", p->name, text,
                               p->choices ? ", nor " : "", p->choices ? p->choices[0].name : "");
        return okra_check_range(p, *(const double *)param_const_field(spec, p), why); /* the value of a word is outside
                                                                                         the range */
    case OKRA_PARAM_REALS:
        return read_list(spec, p, text, why);
    case OKRA_PARAM_COUNT:
        if (!read_count(text, &count) || count >= SIZE_MAX) /* SIZE_MAX is OKRA_AUTO, which is set by a word */
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a whole number from %.0f to %.0f%s%s", p->name,
                               text, p->low, p->high, p->choices ? ", nor " : "", p->choices ? p->choices[0].name : "");
        *(size_t *)param_field(spec, p) = (size_t)count;
        break;
    case OKRA_PARAM_SEED:
        if (!read_count(text, param_field(spec, p)))
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is not a whole number from 0 to 2^64 - 1", p->name,
                               text);
        break;
    case OKRA_PARAM_CHOICE:
        if (!read_choice(text, p->choices, param_field(spec, p))) {
            list_choices(p->choices, names, sizeof names);
            return okra_refuse(OKRA_E_PARAMETER, why, "%s: '%s' is none of: %s", p->name, text, names);
        }
        break;
    }
    return okra_check_value(spec, p, why);
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

/* Writes a number, or the word for it. */
static int write_number(double value, const okra_param *p, char *text, size_t size)
{
    const okra_choice *word = param_word(p, value);
    return word ? snprintf(text, size, "%s", word->name) : write_real(value, text, size);
}

/* Writes "0.5,1,2", or the word for a special value. */
static int write_list(const okra_spec *spec, const okra_param *p, char *text, size_t size)
{
    double list[OKRA_INPUT_WIDTHS_MAX];
    size_t n = param_get_list(spec, p, list);
    if (param_word(p, list[0]))
        return write_number(list[0], p, text, size);
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
    const void *value = param_const_field(spec, row->param);
    const okra_choice *choice;
    char whole[OKRA_VALUE_TEXT];
    int length = 0;
    switch (row->param->kind) {
    case OKRA_PARAM_REAL:
        length = write_number(*(const double *)value, row->param, whole, sizeof whole);
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

#endif
