/* Rows of numbers as bytes, inside libokra-io: a whole file of them, or the part after a header. */
#ifndef OKRA_IO_RAW_H
#define OKRA_IO_RAW_H

#include <math.h>
#include <string.h>

#include "table.h"

typedef enum okra_dtype_kind { OKRA_DTYPE_FLOAT, OKRA_DTYPE_SIGNED, OKRA_DTYPE_UNSIGNED } okra_dtype_kind;

/* How the numbers of a file are stored. */
typedef struct okra_dtype {
    size_t bytes; /* 8 or 4; for integers also 2 or 1 */
    okra_dtype_kind kind;
    bool big_endian; /* the highest byte first */
} okra_dtype;

static const bool okra_host_is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static inline double okra_load_f64(const char *from, bool swap)
{
    uint64_t bits;
    double x;
    memcpy(&bits, from, sizeof bits);
    bits = swap ? __builtin_bswap64(bits) : bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double okra_load_f32(const char *from, bool swap)
{
    uint32_t bits;
    float x;
    memcpy(&bits, from, sizeof bits);
    bits = swap ? __builtin_bswap32(bits) : bits;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

/* The bits of a number, on any machine. */
static inline uint64_t okra_load_bits(okra_dtype dtype, const char *from)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < dtype.bytes; i++)
        bits = bits << 8 | (unsigned char)from[dtype.big_endian ? i : dtype.bytes - 1 - i];
    return bits;
}

/* An integer; infinity if it is beyond 2^53, because a double cannot hold every one of those. */
static inline double okra_load_whole(okra_dtype dtype, const char *from)
{
    const uint64_t bits = okra_load_bits(dtype, from), sign = UINT64_C(1) << ((8 * dtype.bytes - 1) & 63);
    const bool negative = dtype.kind == OKRA_DTYPE_SIGNED && (bits & sign);
    const uint64_t size = negative ? sign - (bits - sign) : bits;
    const double x = size <= UINT64_C(1) << 53 ? (double)size : (double)INFINITY;
    return negative ? -x : x;
}

static inline double okra_load_number(okra_dtype dtype, const char *from)
{
    if (dtype.kind != OKRA_DTYPE_FLOAT)
        return okra_load_whole(dtype, from);
    bool swap = dtype.big_endian != okra_host_is_big_endian;
    return dtype.bytes == 8 ? okra_load_f64(from, swap) : okra_load_f32(from, swap);
}

/* Little-endian, 8 bytes or 4; returns where the next one goes. */
static inline char *okra_store_number(char *to, size_t bytes, double x)
{
    float narrow = (float)x;
    uint64_t wide_bits;
    uint32_t narrow_bits;
    memcpy(&wide_bits, &x, sizeof x);
    memcpy(&narrow_bits, &narrow, sizeof narrow);
    if (okra_host_is_big_endian) {
        wide_bits = __builtin_bswap64(wide_bits);
        narrow_bits = __builtin_bswap32(narrow_bits);
    }
    memcpy(to, bytes == 8 ? (const void *)&wide_bits : (const void *)&narrow_bits, bytes);
    return to + bytes;
}

/* As many rows as there are. */
#define OKRA_TO_THE_END UINT64_MAX

typedef struct okra_raw {
    okra_table base;
    okra_dtype dtype;
    size_t row_bytes;
    uint64_t left; /* rows still to come, or OKRA_TO_THE_END */
} okra_raw;

/* Sets dtype, columns and rows to come; the source is at the first row. */
void okra_raw_start(okra_raw *raw, okra_dtype dtype, size_t columns, uint64_t rows);

/*
 * Reads the row whose numbers begin at `bytes`, one every `stride` bytes. OKRA_E_FORMAT, with row and column, if one is
 * infinite, or an integer beyond 2^53.
 */
okra_status okra_raw_take(okra_raw *raw, const char *bytes, size_t stride, double *row, okra_message *why);

/* Counts rows that were skipped. */
void okra_raw_pass(okra_raw *raw, uint64_t rows);

/* The `next`, `skip` and `part` of contiguous rows. */
okra_status okra_raw_next(okra_table *table, double *row, bool *more, okra_message *why);
okra_status okra_raw_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why);
okra_status okra_raw_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead,
                          okra_message *why);

#endif
