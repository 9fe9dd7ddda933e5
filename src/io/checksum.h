/*
 * The checksum of model files: CRC-64/XZ, inside libokra-io.
 *
 * A CRC detects every change within 64 consecutive bits, so every altered byte; any other change goes unnoticed once in
 * 2^64. It protects against damage, not against an adversary, who can compute it too.
 */
#ifndef OKRA_IO_CHECKSUM_H
#define OKRA_IO_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_DIGITS = 16 };

/* Eight bytes as one little-endian number, on any machine. */
static inline uint64_t okra_load_little(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int k = 0; k < 8; k++)
        word |= (uint64_t)bytes[k] << 8 * k;
    return word;
}

/* A checksum in progress: start, add pieces in order, finish. The tables are in here, so that nothing is shared. */
typedef struct okra_checksum {
    uint64_t table[8][256];
    uint64_t state;
} okra_checksum;

void okra_checksum_start(okra_checksum *sum);
void okra_checksum_add(okra_checksum *sum, const void *bytes, size_t size);

/* Writes the checksum as 16 lower-case hexadecimal digits and a NUL. */
void okra_checksum_finish(const okra_checksum *sum, char digits[CHECKSUM_DIGITS + 1]);

#endif
