#include "peak.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static long long now, base, max;

static void *came(void *block)
{
    now += block ? (long long)malloc_usable_size(block) : 0;
    max = now > max ? now : max;
    return block;
}

static void goes(void *block) { now -= block ? (long long)malloc_usable_size(block) : 0; }

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *block, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
char *__real_strdup(const char *text);
void __real_free(void *block);

void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *block, size_t n);
void *__wrap_reallocarray(void *block, size_t n, size_t m);
void *__wrap_aligned_alloc(size_t alignment, size_t n);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

void *__wrap_malloc(size_t n) { return came(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t m) { return came(__real_calloc(n, m)); }
void *__wrap_aligned_alloc(size_t alignment, size_t n) { return came(__real_aligned_alloc(alignment, n)); }
char *__wrap_strdup(const char *text) { return came(__real_strdup(text)); }

void *__wrap_realloc(void *block, size_t n)
{
    long long before = block ? (long long)malloc_usable_size(block) : 0;
    void *larger = __real_realloc(block, n);
    came(larger);
    now -= larger ? before : 0;
    return larger;
}

void *__wrap_reallocarray(void *block, size_t n, size_t m)
{
    size_t bytes;
    return __builtin_mul_overflow(n, m, &bytes) ? NULL : __wrap_realloc(block, bytes);
}

void __wrap_free(void *block)
{
    goes(block);
    __real_free(block);
}

void peak_start(void) { base = max = now; }

size_t peak_bytes(void) { return (size_t)(max - base); }
