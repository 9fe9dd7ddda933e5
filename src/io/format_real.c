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

/* The interval of reals that round to c 2^q, in quarters of 10^k, and the number itself. */
typedef struct interval {
    uint64_t low, number, high;
    bool open; /* its ends round to a neighbour: ties go to even */
} interval;

static bool holds(const interval *i, uint64_t integer)
{
    return (i->low + i->open <= 4 * integer) & (4 * integer + i->open <= i->high); /* no branch: half would be
                                                                                      mispredicted */
}

/* The nearer of s and s + 1; from the middle, the even one. */
static uint64_t nearer(const interval *i, uint64_t s)
{
    uint64_t middle = 4 * s + 2;
    return s + (i->number > middle || (i->number == middle && (s & 1)));
}

static uint64_t choose_integer(const interval *i)
{
    uint64_t s = i->number >> 2, tens = s / 10 * 10;
    if (s >= 10 && holds(i, tens) != holds(i, tens + 10))
        return holds(i, tens) ? tens : tens + 10;
    if (holds(i, s) != holds(i, s + 1))
        return holds(i, s) ? s : s + 1;
    return nearer(i, s);
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

static decimal without_zeros(decimal d)
{
    static const struct {
        uint64_t factor;
        int zeros;
    } steps[] = {{100000000, 8}, {10000, 4}, {100, 2}, {10, 1}};
    if (d.digits % 10 != 0)
        return d;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        while (d.digits % steps[i].factor == 0)
            d = (decimal){d.digits / steps[i].factor, d.exponent + steps[i].zeros};
    return d;
}

/* ---- decimal to text ----------------------------------------------------------------------------------------- */

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445"
    "46474849505152535455565758596061626364656667686970717273747576777879808182838485868788899"
    "0919293949596979899";

static char *put_pair(char *end, unsigned pair) { return memcpy(end - 2, pairs + 2 * pair, 2); }

/* Eight digits at a time, because divisions of 32 bits take half the time of 64. Ends at `end`; returns the
 * beginning. */
static char *put_digits(uint64_t digits, char *end)
{
    for (; digits >= 100000000; digits /= 100000000) {
        unsigned eight = (unsigned)(digits % 100000000), high = eight / 10000, low = eight % 10000;
        end = put_pair(put_pair(end, low % 100), low / 100);
        end = put_pair(put_pair(end, high % 100), high / 100);
    }
    unsigned rest = (unsigned)digits;
    for (; rest >= 10; rest /= 100)
        end = put_pair(end, rest % 100);
    if (rest > 0)
        *--end = (char)('0' + rest);
    return end;
}

static char *put_text(char *to, const char *from, size_t length) { return (char *)memcpy(to, from, length) + length; }

static char *put_zeros(char *to, int count)
{
    for (; count > 0; count--)
        *to++ = '0';
    return to;
}

/* As in printf: a sign and at least two digits. */
static char *put_exponent(char *to, int exponent)
{
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    if (size >= 100)
        *to++ = (char)('0' + size / 100);
    put_pair(to + 2, size % 100);
    return to + 2;
}

static char *put_scientific(char *to, const char *digits, size_t n, int exponent)
{
    *to++ = digits[0]; /* NOLINT(clang-analyzer-core.uninitialized.Assign): there is one, as the number is not 0 */
    if (n > 1) {
        *to++ = '.';
        to = put_text(to, digits + 1, n - 1);
    }
    return put_exponent(to, exponent);
}

/* `point`: how many digits are before the decimal point; zeros are added if it is outside of them. */
static char *put_plain(char *to, const char *digits, int n, int point)
{
    if (point >= n)
        return put_zeros(put_text(to, digits, (size_t)n), point - n);
    if (point > 0)
        to = put_text(to, digits, (size_t)point);
    else
        to = put_zeros(put_text(to, "0.", 2), -point);
    if (point > 0)
        *to++ = '.';
    int shown = point > 0 ? point : 0;
    return put_text(to, digits + shown, (size_t)(n - shown));
}

static char *put_decimal(char *to, decimal d)
{
    char buffer[24], *end = buffer + sizeof buffer, *digits;
    d = without_zeros(d);
    digits = put_digits(d.digits, end);
    int n = (int)(end - digits), point = n + d.exponent;
    bool plain = point > -4 && point <= 16;
    return plain ? put_plain(to, digits, n, point) : put_scientific(to, digits, (size_t)n, point - 1);
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

static size_t format_bits(uint64_t bits, layout l, char text[OKRA_REAL_TEXT])
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
    char *to = text;
    if (negative)
        *to++ = '-';
    to = put_decimal(to, shortest(c, q, fraction == 0 && biased > 1));
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
