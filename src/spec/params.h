/* Access to the value of a parameter in a spec, by its row of the table. */
#ifndef OKRA_PARAMS_H
#define OKRA_PARAMS_H

#include <string.h>

#include <okra/spec.h>

/* A list starts at its parameter's field and may continue in the next field. */
_Static_assert(offsetof(okra_spec, sigma_more) == offsetof(okra_spec, sigma) + sizeof(double), "widths are one list");
_Static_assert(OKRA_INPUT_WIDTHS_MAX >= OKRA_WIDTHS_MAX, "buffers for lists have room for both");

static inline void *param_field(okra_spec *spec, const okra_param *p) { return (char *)spec + p->offset; }

static inline const void *param_const_field(const okra_spec *spec, const okra_param *p)
{
    return (const char *)spec + p->offset;
}

/* Stores a list of n numbers, and the 0 that ends it. */
static inline void param_put_list(okra_spec *spec, const okra_param *p, size_t n, const double *values)
{
    double list[OKRA_INPUT_WIDTHS_MAX] = {0};
    memcpy(list, values, n * sizeof *list);
    memcpy(param_field(spec, p), list, p->values * sizeof *list);
}

/* Fills list[OKRA_INPUT_WIDTHS_MAX] and returns how many there are: at least 1. */
static inline size_t param_get_list(const okra_spec *spec, const okra_param *p, double *list)
{
    size_t n = 1;
    memcpy(list, param_const_field(spec, p), p->values * sizeof *list);
    while (n < p->values && list[n] != 0)
        n++;
    return n;
}

static inline void param_put_number(okra_spec *spec, const okra_param *p, double value)
{
    switch (p->kind) {
    case OKRA_PARAM_REAL:
        *(double *)param_field(spec, p) = value;
        break;
    case OKRA_PARAM_REALS:
        param_put_list(spec, p, 1, &value);
        break;
    case OKRA_PARAM_COUNT:
        *(size_t *)param_field(spec, p) = value < 0 ? OKRA_AUTO : (size_t)value;
        break;
    case OKRA_PARAM_SEED:
        *(uint64_t *)param_field(spec, p) = (uint64_t)value;
        break;
    case OKRA_PARAM_CHOICE:
        *(int *)param_field(spec, p) = (int)value;
        break;
    }
}

/* The number, or the first of a list. OKRA_AUTO is -1, as in the table. */
static inline double param_get_number(const okra_spec *spec, const okra_param *p)
{
    const void *field = param_const_field(spec, p);
    switch (p->kind) {
    case OKRA_PARAM_COUNT:
        return *(const size_t *)field == OKRA_AUTO ? -1 : (double)*(const size_t *)field;
    case OKRA_PARAM_SEED:
        return (double)*(const uint64_t *)field;
    case OKRA_PARAM_CHOICE:
        return *(const int *)field;
    default:
        return *(const double *)field;
    }
}

/* The word of its parameter that a number stands for; NULL if there is none. */
static inline const okra_choice *param_word(const okra_param *p, double value)
{
    for (const okra_choice *word = p->choices; word && word->name; word++)
        if (value == word->value)
            return word;
    return NULL;
}

static inline const okra_choice *find_choice(const okra_choice *choices, int value)
{
    for (; choices->name; choices++)
        if (choices->value == value)
            return choices;
    return NULL;
}

/* The number of values of sigma: 1 if sigma_more begins with a 0. */
size_t okra_spec_widths(const okra_spec *spec);

/* The number of widths that are given: 0 if they are equal, 1 if they are to be found. */
size_t okra_spec_input_widths(const okra_spec *spec);

/* What sigma is multiplied by along input j. Maps without cosines ignore it. */
static inline double okra_spec_input_width(const okra_spec *spec, size_t j)
{
    bool cosines = spec->map & ~(OKRA_MAP_LINEAR | OKRA_MAP_IDENTITY);
    return cosines && spec->widths[0] > 0 ? spec->widths[j] : 1;
}

#endif
