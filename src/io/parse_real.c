/*
 * From decimal text to the nearest double, ties to even, for any input, in any locale and rounding mode.
 *
 * The value of the text is w 10^q with an integer w of up to 19 digits. 128 bits of 10^q (pow10_table.h) times w give
 * the leading 128 bits of the product to within one unit, and that decides the rounding nearly always (M. Eisel and D.
 * Lemire; D. Lemire, "Number parsing at a gigabyte per second", 2021). Undecided cases go to strtod: with 128 bits,
 * only texts of 20 digits and more that are next to the middle between two doubles.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l, strncasecmp_l */
#endif
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number.h"
#include "pow10_table.h"

enum { MANTISSA_BITS = 53, MIN_EXPONENT = -1022, MAX_DIGITS = 19 };

static const uint64_t INFINITE_BITS = UINT64_C(0x7ff) << 52;

/* (-1)^negative (digits + something below 1 if truncated) 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int64_t exponent;
    bool negative, truncated;
} decimal;

/* ---- text to decimal ----------------------------------------------------------------------------------------- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Eight characters as one integer, the first in the lowest byte. */
static uint64_t load_eight(const char *p)
{
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight;
}

/* Combines neighbours: eight digits to four pairs, to two fours, to one number. */
static uint64_t join_digits(uint64_t eight)
{
    eight = eight * (10 * 256 + 1) >> 8;
    eight = (eight & UINT64_C(0x00ff00ff00ff00ff)) * (100 * 65536 + 1) >> 16;
    return (eight & UINT64_C(0x0000ffff0000ffff)) * (10000 * UINT64_C(4294967296) + 1) >> 32;
}

/* Appends digits to *w, which overflows if there are more than 19: take_many() then starts again. */
static inline const char *take_digits(const char *p, const char *end, uint64_t *w)
{
    static const uint64_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    for (; end - p >= 8; p += 8) {
        uint64_t eight = load_eight(p) ^ UINT64_C(0x3030303030303030);
        /* Adding 0x76 lifts 10 and more into the highest bit. */
        uint64_t others = (eight | (eight + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
        if (others) {
            unsigned count = (unsigned)__builtin_ctzll(others) / 8; /* digits before the first that is none */
            /* zeros take the place of those that are missing, before the others */
            *w = *w * tens[count] + join_digits(eight << 8 << (56 - 8 * count));
            return p + count;
        }
        *w = *w * 100000000 + join_digits(eight);
    }
    for (; is_digit(*p); p++)
        *w = *w * 10 + (uint64_t)(*p - '0');
    return p;
}

/* The exponent at p, just past the e; `otherwise` if there is none. */
static const char *take_exponent(const char *p, const char *end, const char *otherwise, int64_t *exponent)
{
    const int64_t plenty = INT64_C(1) << 40; /* more than the number of digits in any text in memory */
    bool negative = p < end && *p == '-';
    int64_t value = 0;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return otherwise;
    for (; p < end && is_digit(*p); p++)
        if (value < plenty)
            value = value * 10 + (*p - '0');
    *exponent += negative ? -value : value;
    return p;
}

/* The number of leading zeros, which are not significant. */
static ptrdiff_t count_zeros(const char *p, const char *end)
{
    ptrdiff_t zeros = 0;
    for (; p < end && (*p == '0' || *p == '.'); p++)
        zeros += *p == '0';
    return zeros;
}

/* The first 19 significant digits of a text that has more, perhaps with a point among them. */
static void take_many(const char *p, const char *end, decimal *d)
{
    int taken = 0;
    d->digits = 0;
    for (; p < end; p++) {
        if (*p == '.')
            continue;
        if (taken == MAX_DIGITS) {
            d->exponent++;
            d->truncated |= *p != '0';
        } else {
            d->digits = d->digits * 10 + (uint64_t)(*p - '0');
            taken += d->digits > 0;
        }
    }
}

/* Reads the longest text from p on that is a decimal number; NULL where there is none. *end goes on none. */
static const char *take_decimal(const char *p, const char *end, decimal *d)
{
    bool minus = *p == '-';
    *d = (decimal){.negative = minus};
    p += minus | (*p == '+'); /* no branch: signs are as good as random */
    const char *begin = p;
    if (is_digit(*p))
        d->digits = (uint64_t)(*p++ - '0'); /* most often there is one before the point */
    if (is_digit(*p))
        p = take_digits(p, end, &d->digits);
    ptrdiff_t count = p - begin;
    if (*p == '.') {
        const char *fraction = ++p;
        p = take_digits(p, end, &d->digits);
        d->exponent = fraction - p;
        count += p - fraction;
    }
    if (count == 0)
        return NULL;
    if (count > MAX_DIGITS && count - count_zeros(begin, p) > MAX_DIGITS)
        take_many(begin, p, d);
    return *p == 'e' || *p == 'E' ? take_exponent(p + 1, end, p, &d->exponent) : p;
}

/* ---- decimal to double --------------------------------------------------------------------------------------- */

/* g w to three words. w 10^q = (u + middle / 2^64 + ..) 2^scale, to within a unit of `middle` if g is rounded. */
typedef struct product {
    uint64_t u, middle, low;
    int scale;
} product;

static product multiply(uint64_t w, int q)
{
    const okra_power *g = okra_power_of_ten(q);
    int zeros = __builtin_clzll(w);
    product p = {.scale = okra_log2_of_power(q) + 1 - zeros};
    p.u = okra_multiply_wide(w << zeros, g->hi, &p.middle);
    uint64_t carry = okra_multiply_wide(w << zeros, g->lo, &p.low);
    p.middle += carry;
    p.u += p.middle < carry;
    return p;
}

/* Whether 5^-q is a factor of w, for negative q. w has at most 27 of them. */
static bool has_fives(uint64_t w, int q)
{
    while (q < 0 && w % 5 == 0)
        w /= 5, q++;
    return q == 0;
}

/*
 * Rounds a product that, as far as u is known, is the middle between two doubles. It is exactly the middle if g is not
 * rounded, or if the fives of 10^q cancel: w 10^q then has fewer than 64 bits.
 */
static bool round_middle(const product *p, uint64_t w, int q, bool odd, bool *up)
{
    bool exact = okra_power_is_exact(q);
    if (p->middle > 0 || (exact && p->low > 0))
        *up = true;
    else if (exact || has_fives(w, q))
        *up = odd;
    else
        return false;
    return true;
}

/* The double nearest to w 10^q as bits, beyond INFINITE_BITS if it is too large; false if undecided. */
static bool round_integer(uint64_t w, int q, uint64_t *bits)
{
    product p = multiply(w, q);
    int top = 62 + (int)(p.u >> 63), drop = top - (MANTISSA_BITS - 1), biased = top + p.scale - MIN_EXPONENT;
    if (biased < 0) /* subnormal: fewer bits, and the exponent stays */
        drop -= biased, biased = 0;
    if (drop > 64) {
        *bits = 0; /* less than half of the smallest double */
        return true;
    }
    uint64_t kept = drop < 64 ? p.u >> drop : 0, rest = drop < 64 ? p.u - (kept << drop) : p.u;
    uint64_t half = UINT64_C(1) << (drop - 1);
    bool up = rest > half;
    if (rest == half && !round_middle(&p, w, q, kept & 1, &up))
        return false;
    /* The top bit of a normal number's mantissa adds one to the exponent, and so does a carry out of it. */
    *bits = ((uint64_t)biased << 52) + kept + up;
    return true;
}

/* The same for any decimal. If digits were cut off, the integers on both sides must agree. */
static bool round_decimal(const decimal *d, uint64_t *bits)
{
    if (d->digits == 0 || d->exponent < OKRA_POWER_MIN) {
        *bits = 0;
        return true;
    }
    if (d->exponent > 308) {
        *bits = INFINITE_BITS;
        return true;
    }
    uint64_t next;
    int q = (int)d->exponent;
    if (!round_integer(d->digits, q, bits))
        return false;
    return !d->truncated || (round_integer(d->digits + 1, q, &next) && next == *bits);
}

/* ---- the C locale -------------------------------------------------------------------------------------------- */

/* The C library's conversions follow the locale of the calling program, in which 0.5 may be 0,5. Our files do not, so
 * the conversions are always called with the C locale. */
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

/* ---- numbers and words --------------------------------------------------------------------------------------- */

const char *okra_scan_real(const char *begin, const char *end, double *x)
{
    decimal d;
    uint64_t bits;
    const char *stop = take_decimal(begin, end, &d);
    if (!stop)
        return NULL;
    if (!round_decimal(&d, &bits)) {
        *x = strtod_l(begin, NULL, okra_c_locale());
        return stop;
    }
    bits = (bits < INFINITE_BITS ? bits : INFINITE_BITS) | (uint64_t)d.negative << 63;
    memcpy(x, &bits, sizeof *x);
    return stop;
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
