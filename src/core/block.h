/*
 * One aligned block of memory per object, handed out piece by piece.
 *
 * The same lay-out code runs twice: over a block without memory, which only measures, and over the real one, which
 * gives addresses. So the measured size and the used size cannot differ. Sizes are checked: an overflow makes every
 * later piece NULL and okra_block_bytes() zero.
 */
#ifndef OKRA_BLOCK_H
#define OKRA_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

enum { OKRA_ALIGNMENT = 64 }; /* a cache line, and the widest vector of any current instruction set */

typedef struct okra_block {
    unsigned char *base; /* aligned; NULL measures */
    size_t used;
    bool overflow;
} okra_block;

/* A block that measures. */
okra_block okra_block_measure(void);

/* A block in memory at `base`, which must be aligned and as large as the measured bytes. */
okra_block okra_block_at(void *base);

/* The next count x size bytes, aligned; NULL while measuring or after an overflow. */
void *okra_block_take(okra_block *block, size_t count, size_t size);

/*
 * The next piece as a struct to be filled in. While measuring, or after an overflow, it is `spare`, so that lay-out
 * code need not know which of its two runs this is.
 */
void *okra_block_take_struct(okra_block *block, size_t size, void *spare);

/* Bytes taken so far, 0 after an overflow. */
size_t okra_block_bytes(const okra_block *block);

/* Allocates so many bytes (a measured size), aligned and zeroed, to be freed by okra_block_release(). NULL if memory
 * runs out, and always without a heap (OKRA_NO_HEAP). */
void *okra_block_allocate(size_t bytes);

/* Frees it; NULL is allowed. */
void okra_block_release(void *memory);

/* *product = a b; false if that overflows. */
bool okra_multiply(size_t a, size_t b, size_t *product);

/* The first aligned address at or after p; reserve OKRA_ALIGNMENT - 1 bytes more than you need. */
void *okra_align(void *p);

#endif
