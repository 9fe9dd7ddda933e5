/*
 * From a double or a float to the shortest decimal text that reads back to the same bits, and of those the nearest.
 *
 * R. Giulietti, "The Schubfach way to render doubles" (2021), whose names are used here. A number is c 2^q with an
 * integer c. All reals that round to it lie within half a unit of c; scaled by 10^-k, with k such that this interval is
 * at least 1 and less than 10 wide, it holds at most one multiple of 10 and at least one integer. So the shortest is
 * the multiple of 10 if there is one, and else the nearest integer. The scaled numbers are needed only to two bits
 * after the point and a third, sticky one, which 128 bits of 10^-k (pow10_table.h) give exactly.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* uselocale */
#endif
#include <okra/io.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "pow10_table.h"

/* digits 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* ---- the shortest decimal ------------------------------------------------------------------------------------ */

/*
 * The highest of the three words of g c, with its last bit set if anything was cut off. g is rounded up by less than
 * one, so a middle word of 0 or 1 counts as zero.
 */
static uint64_t scale_to_odd(const okra_power *g, uint64_t c)
{
    uint64_t middle, low, carry = okra_multiply_wide(g->lo, c, &low), high = okra_multiply_wide(g->hi, c, &middle);
    middle += carry;
    high += middle < carry;
    return high | (middle > 1);
}

/* a or b, by operations: compilers make branches of ?:, and which it is here is as good as random. */
static uint64_t choose(bool first, uint64_t a, uint64_t b) { return b ^ ((a ^ b) & -(uint64_t)first); }

/* The interval of reals that round to c 2^q, in quarters of 10^k, and the number itself. */
typedef struct interval {
    uint64_t low, number, high;
    bool open; /* its ends round to a neighbour: ties go to even */
} interval;

static uint64_t choose_integer(const interval *i)
{
    uint64_t least = (i->low + i->open + 3) >> 2, most = (i->high - i->open) >> 2; /* of the integers in it */
    uint64_t s = i->number >> 2, ten = most / 10 * 10, middle = 4 * s + 2;
    /* the nearest, the even one from the middle; outside where the number is not in the middle of its interval */
    uint64_t one = s + ((i->number > middle) | ((i->number == middle) & (s & 1)));
    one = one < least ? least : one;
    one = one > most ? most : one;
    return choose((s >= 10) & (ten >= least), ten, one);
}

/* c 2^q; `lowest`: c is the smallest of its binade, so the number below is half as far away as the one above. */
static decimal shortest(uint64_t c, int q, bool lowest)
{
    /* log10(2) to 22 bits, less log10(4/3) if the interval is that much shorter: correct for -1100 < q < 1000. */
    int k = (q * 1262611 - (lowest ? 524031 : 0)) >> 22;
    int h = q + okra_log2_of_power(-k) + 1;
    const okra_power *g = okra_power_of_ten(-k);
    interval i = {.low = scale_to_odd(g, (4 * c - (lowest ? 1 : 2)) << h),
                  .number = scale_to_odd(g, (4 * c) << h),
                  .high = scale_to_odd(g, (4 * c + 2) << h),
                  .open = c & 1};
    return (decimal){choose_integer(&i), k};
}

/* ---- decimal to text ----------------------------------------------------------------------------------------- */

enum { LONGEST = 17 };

/* clang-format off */
static const uint64_t tens[] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
    1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
};
/* clang-format on */

/* How many digits an integer above 0 has: from its bits, which leave two lengths open. */
static int count_digits(uint64_t integer)
{
    int less = (64 - __builtin_clzll(integer)) * 1233 >> 12; /* log10(2) to 12 bits */
    return less + (integer >= tens[less]);
}

/* Eight digits, one a byte, the first in the lowest. All parts are halved at once, to fours, pairs and digits: what is
 * above goes where it stands, and the rest, moved up, loses it. */
static uint64_t spread_digits(uint64_t eight)
{
    uint64_t fours = (eight << 32) - eight / 10000 * ((UINT64_C(10000) << 32) - 1);
    uint64_t hundreds = fours * 10486 >> 20 & UINT64_C(0x0000007f0000007f);
    uint64_t pairs = (fours << 16) - hundreds * ((UINT64_C(100) << 16) - 1);
    uint64_t tenths = pairs * 103 >> 10 & UINT64_C(0x000f000f000f000f);
    return (pairs << 8) - tenths * ((UINT64_C(10) << 8) - 1);
}

/* How many of eight there are up to the last that is not 0. */
static int count_significant(uint64_t eight) { return eight ? 8 - (__builtin_clzll(eight) >> 3) : 0; }

static void put_eight(char *to, uint64_t eight)
{
    eight |= UINT64_C(0x3030303030303030);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    memcpy(to, &eight, sizeof eight);
}

/* As in printf: a sign and at least two digits. */
static char *put_exponent(char *to, int exponent)
{
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    if (size >= 100)
        *to++ = (char)('0' + size / 100);
    *to++ = (char)('0' + size / 10 % 10);
    *to++ = (char)('0' + size % 10);
    return to;
}

/* The same with 17 digits, zeros behind those that it has. The longest have 16 or 17. */
static decimal widen(decimal d)
{
    if (d.digits < tens[15]) {
        int missing = LONGEST - count_digits(d.digits);
        return (decimal){d.digits * tens[missing], d.exponent - missing};
    }
    bool short_of = d.digits < tens[16];
    return (decimal){choose(short_of, 10 * d.digits, d.digits), d.exponent - short_of};
}

/* All 17 digits: the first, a point behind it where it is wanted, and the others by eights. */
static void put_all(char *to, uint64_t first, bool pointed, uint64_t high, uint64_t low)
{
    to[0] = (char)('0' + first);
    to[1] = '.';
    put_eight(to + 1 + pointed, high);
    put_eight(to + 9 + pointed, low);
}

/* `point`: how many digits are before the decimal point. The text is cut behind the last digit that counts, and where
 * the point is near the first one, as it mostly is, nothing branches. */
static char *put_decimal(char *to, decimal d)
{
    d = widen(d);
    uint64_t nine = d.digits / tens[8], first = nine / tens[8];
    uint64_t high = spread_digits(nine - first * tens[8]), low = spread_digits(d.digits - nine * tens[8]);
    int n = 1 + (low ? 8 + count_significant(low) : count_significant(high)), point = d.exponent + LONGEST;
    if (point > 1 && point <= 16) {
        put_all(to, first, false, high, low);
        if (point >= n)
            return to + point;
        memmove(to + point + 1, to + point, (size_t)(n - point));
        to[point] = '.';
        return to + n + 1;
    }
    bool plain = point > -4 && point <= 1, zeros = plain & (point <= 0);
    memcpy(to, "0.000", sizeof "0.000");
    to += (2 - point) & -(int)zeros;
    put_all(to, first, !zeros, high, low);
    to += n + (!zeros & (n > 1));
    return plain ? to : put_exponent(to, point - 1);
}

/* ---- the two precisions -------------------------------------------------------------------------------------- */

/* The bits of a precision: of the fraction, of the exponent, and q of the smallest exponent. */
typedef struct layout {
    int fraction, exponent, min;
} layout;

static const layout of_double = {52, 11, -1074}, of_float = {23, 8, -149};

static size_t put_word(char *text, const char *word)
{
    size_t length = strlen(word);
    memcpy(text, word, length + 1);
    return length;
}

static inline size_t format_bits(uint64_t bits, layout l, char text[OKRA_REAL_TEXT])
{
    const uint64_t one = 1, fraction = bits & ((one << l.fraction) - 1);
    const int biased = (int)(bits >> l.fraction & ((one << l.exponent) - 1));
    const bool negative = bits >> (l.fraction + l.exponent) & 1;
    if (biased == (1 << l.exponent) - 1)
        return put_word(text, fraction ? "nan" : negative ? "-inf" : "inf");
    if (biased == 0 && fraction == 0)
        return put_word(text, negative ? "-0" : "0");
    uint64_t c = biased ? fraction | one << l.fraction : fraction;
    int q = l.min + (biased ? biased - 1 : 0);
    /* Of integers below 2^53 all digits count, and no other number of fewer digits is as near. */
    bool whole = q <= 0 && q >= -l.fraction && (c & ((one << -q) - 1)) == 0;
    *text = '-';
    char *to =
        put_decimal(text + negative, whole ? (decimal){c >> -q, 0} : shortest(c, q, fraction == 0 && biased > 1));
    *to = '\0';
    return (size_t)(to - text);
}

size_t okra_format_real(double x, char text[OKRA_REAL_TEXT])
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return format_bits(bits, of_double, text);
}

size_t okra_format_real_f32(float x, char text[OKRA_REAL_TEXT])
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return format_bits(bits, of_float, text);
}

/* ---- a number of digits that is asked for -------------------------------------------------------------------- */

size_t okra_format_digits(double x, int digits, char text[OKRA_REAL_TEXT])
{
    if (!isfinite(x))
        return okra_format_real(x, text);
    locale_t callers = uselocale(okra_c_locale());
    int length = snprintf(text, OKRA_REAL_TEXT, "%.*g", digits, x);
    uselocale(callers);
    return (size_t)length;
}
