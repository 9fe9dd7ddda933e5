/*
 * What a piece of text is: a number, a missing one, or something else.
 *
 * The C library's conversions follow the locale of the program that calls us, where 0.5 may be spelt 0,5. Our files do
 * not, so where it is asked, it is asked in the C locale.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strncasecmp_l */
#endif
#include "number.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

locale_t okra_c_locale(void)
{
    static _Atomic(locale_t) made;
    locale_t c = atomic_load(&made);
    if (c)
        return c;
    locale_t fresh = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!fresh || atomic_compare_exchange_strong(&made, &c, fresh))
        return fresh;
    freelocale(fresh); /* another thread was first */
    return c;
}

static bool says(const char *begin, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - begin) == length && strncasecmp_l(begin, word, length, okra_c_locale()) == 0;
}

static okra_number parse_word(const char *begin, const char *end)
{
    if (begin < end && (*begin == '+' || *begin == '-'))
        begin++;
    if (says(begin, end, "nan"))
        return OKRA_NUMBER_MISSING;
    if (says(begin, end, "inf") || says(begin, end, "infinity"))
        return OKRA_NUMBER_INFINITE;
    return OKRA_NUMBER_TEXT;
}

okra_number okra_parse_real(const char *begin, const char *end, double *x)
{
    *x = (double)NAN;
    if (begin == end)
        return OKRA_NUMBER_MISSING;
    double value;
    const char *stopped = okra_scan_real(begin, end, &value);
    if (!stopped)
        return parse_word(begin, end);
    if (stopped != end)
        return OKRA_NUMBER_TEXT;
    if (!isfinite(value))
        return OKRA_NUMBER_LARGE;
    *x = value;
    return OKRA_NUMBER_REAL;
}

bool okra_parse_count(const char *text, uint64_t *value)
{
    *value = 0;
    if (text[0] == '0')
        return !text[1];
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, (uint64_t)(*p - '0'), value))
            return false;
    return p > text && !*p;
}
