/* Powers of ten to 128 bits, for reading and writing numbers exactly. */
#ifndef OKRA_IO_POW10_TABLE_H
#define OKRA_IO_POW10_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* From the smallest power that, times a 64-bit integer, can give a double above 0, to the largest that writing 5e-324
 * needs. */
enum { OKRA_POWER_MIN = -342, OKRA_POWER_MAX = 324 };

/* 10^n = g 2^(floor(log2(10^n)) - 127), where g = hi 2^64 + lo has its top bit set and is rounded up. */
typedef struct okra_power {
    uint64_t hi, lo;
} okra_power;

extern const okra_power okra_powers[OKRA_POWER_MAX - OKRA_POWER_MIN + 1];

static inline const okra_power *okra_power_of_ten(int n) { return &okra_powers[n - OKRA_POWER_MIN]; }

/* 5^55 is the largest power of five below 2^128: up to there g is not rounded. */
static inline bool okra_power_is_exact(int n) { return n >= 0 && n <= 55; }

/* floor(log2(10^n)), right for |n| <= 400: 1741647 / 2^19 is log2(10) to 22 bits. Right shifts of negative numbers are
   arithmetic in gcc. */
static inline int okra_log2_of_power(int n) { return (n * 1741647) >> 19; }

/* The 128 bits of a b. */
static inline uint64_t okra_multiply_wide(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a1 = a >> 32, a0 = a & 0xffffffff, b1 = b >> 32, b0 = b & 0xffffffff;
    uint64_t bottom = a0 * b0, left = a1 * b0, right = a0 * b1;
    uint64_t middle = (bottom >> 32) + (left & 0xffffffff) + (right & 0xffffffff);
    *low = middle << 32 | (bottom & 0xffffffff);
    return a1 * b1 + (left >> 32) + (right >> 32) + (middle >> 32);
#endif
}

#endif
