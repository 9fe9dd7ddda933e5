/*
 * CRC-64/XZ: the polynomial of ECMA-182, reflected, all ones before and after. Eight bytes at a time, each through a
 * table of its own (M. Kounavis, F. Berry 2005), which keeps it well ahead of any disk.
 */
#include "checksum.h"

#include <stdio.h>

#define POLYNOMIAL 0xc96c5795d7870f42u

static uint64_t divide_byte(uint64_t remainder)
{
    for (int bit = 0; bit < 8; bit++)
        remainder = remainder & 1 ? remainder >> 1 ^ POLYNOMIAL : remainder >> 1;
    return remainder;
}

void okra_checksum_start(okra_checksum *sum)
{
    for (uint64_t byte = 0; byte < 256; byte++)
        sum->table[0][byte] = divide_byte(byte);
    for (size_t k = 1; k < 8; k++)
        for (size_t byte = 0; byte < 256; byte++) {
            uint64_t before = sum->table[k - 1][byte];
            sum->table[k][byte] = before >> 8 ^ sum->table[0][before & 255];
        }
    sum->state = UINT64_MAX;
}

void okra_checksum_add(okra_checksum *sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t state = sum->state;
    for (; size >= 8; size -= 8, at += 8) {
        uint64_t word = state ^ okra_load_little(at);
        state = 0;
        for (int k = 0; k < 8; k++)
            state ^= sum->table[7 - k][word >> 8 * k & 255];
    }
    for (; size > 0; size--, at++)
        state = state >> 8 ^ sum->table[0][(state ^ *at) & 255];
    sum->state = state;
}

void okra_checksum_finish(const okra_checksum *sum, char digits[CHECKSUM_DIGITS + 1])
{
    snprintf(digits, CHECKSUM_DIGITS + 1, "%016llx", (unsigned long long)~sum->state);
}
