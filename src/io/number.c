/*
 * Numbers to text and back. Exact both ways: reading rounds correctly (the C library's strtod), and writing gives the
 * fewest digits that read back to the same bits.
 *
 * The C library's conversions follow the locale of the program that calls us, where 0.5 may be spelt 0,5. A CSV file
 * does not, so every conversion here is made in the C locale, and the caller's is put back.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l */
#endif
#include <okra/io.h>

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number.h"

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

/* ---- reading ------------------------------------------------------------------------------------------------- */

static bool says(const char *begin, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - begin) == length && strncasecmp(begin, word, length) == 0;
}

/* What strtod takes beyond decimal numbers (0x1p3, nan(..), infinity), we do not: so look before calling it. */
static bool looks_decimal(const char *begin, const char *end)
{
    bool digit = false;
    for (const char *p = begin; p < end; p++) {
        if (*p >= '0' && *p <= '9')
            digit = true;
        else if (*p == '\0' || !strchr("+-.eE", *p))
            return false;
    }
    return digit;
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
    if (!looks_decimal(begin, end))
        return parse_word(begin, end);
    char *stopped;
    double value = strtod_l(begin, &stopped, okra_c_locale());
    if (stopped != end)
        return OKRA_NUMBER_TEXT;
    if (!isfinite(value))
        return OKRA_NUMBER_LARGE;
    *x = value;
    return OKRA_NUMBER_REAL;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static size_t format_special(double x, char text[OKRA_REAL_TEXT])
{
    const char *word = isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
    size_t length = strlen(word);
    memcpy(text, word, length + 1);
    return length;
}

/* Every double survives with 17 digits, most that people write with 15; below DBL_MIN even one digit may do. */
size_t okra_format_real(double x, char text[OKRA_REAL_TEXT])
{
    if (!isfinite(x))
        return format_special(x, text);
    locale_t c = okra_c_locale(), callers = uselocale(c);
    int digits = fabs(x) < DBL_MIN ? 1 : DBL_DIG, length;
    do
        length = snprintf(text, OKRA_REAL_TEXT, "%.*g", digits, x);
    while (digits++ < DBL_DECIMAL_DIG && strtod_l(text, NULL, c) != x);
    uselocale(callers);
    return (size_t)length;
}

size_t okra_format_real_f32(float x, char text[OKRA_REAL_TEXT])
{
    if (!isfinite(x))
        return format_special((double)x, text);
    locale_t c = okra_c_locale(), callers = uselocale(c);
    int digits = fabsf(x) < FLT_MIN ? 1 : FLT_DIG, length;
    do
        length = snprintf(text, OKRA_REAL_TEXT, "%.*g", digits, (double)x);
    while (digits++ < FLT_DECIMAL_DIG && strtof_l(text, NULL, c) != x);
    uselocale(callers);
    return (size_t)length;
}
