#include "block.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

okra_block okra_block_measure(void) { return (okra_block){.base = NULL}; }

okra_block okra_block_at(void *base) { return (okra_block){.base = base}; }

bool okra_multiply(size_t a, size_t b, size_t *product)
{
    if (b != 0 && a > SIZE_MAX / b)
        return false;
    *product = a * b;
    return true;
}

void *okra_block_take(okra_block *block, size_t count, size_t size)
{
    size_t bytes = 0;
    /* Half the address space is the limit, so that rounding up below, and a caller's pointer differences, stay in
     * range. */
    if (!okra_multiply(count, size, &bytes) || bytes > SIZE_MAX / 2 - OKRA_ALIGNMENT ||
        block->used > SIZE_MAX / 2 - OKRA_ALIGNMENT - bytes)
        block->overflow = true;
    if (block->overflow)
        return NULL;
    unsigned char *piece = block->base ? block->base + block->used : NULL;
    size_t end = block->used + bytes;
    block->used = (end + OKRA_ALIGNMENT - 1) / OKRA_ALIGNMENT * OKRA_ALIGNMENT;
    return piece;
}

void *okra_block_take_struct(okra_block *block, size_t size, void *spare)
{
    void *piece = okra_block_take(block, 1, size);
    return piece ? piece : spare;
}

size_t okra_block_bytes(const okra_block *block) { return block->overflow ? 0 : block->used; }

#ifdef OKRA_NO_HEAP
void *okra_block_allocate(size_t bytes)
{
    (void)bytes;
    return NULL;
}

void okra_block_release(void *memory) { (void)memory; }
#else
void *okra_block_allocate(size_t bytes)
{
    void *memory = aligned_alloc(OKRA_ALIGNMENT, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

void okra_block_release(void *memory) { free(memory); }
#endif

void *okra_align(void *p)
{
    uintptr_t address = (uintptr_t)p;
    size_t past = address % OKRA_ALIGNMENT;
    return (unsigned char *)p + (past ? OKRA_ALIGNMENT - past : 0);
}
