/*
 * A set of texts in order of insertion, inside libokra-io and the program.
 *
 * A tree of the bits in which they differ (D. J. Bernstein's crit-bit tree): the cost of a search is bounded by the
 * length of the text, even if the other keys are hostile.
 */
#ifndef OKRA_JSON_KEYS_H
#define OKRA_JSON_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

#define OKRA_NO_KEY SIZE_MAX

/* Key i, and the branch added with it; the first has none. */
typedef struct okra_key {
    size_t text;       /* its offset in okra_keys.texts */
    uint32_t byte;     /* the branch: the first byte in which the texts below it differ .. */
    uint32_t child[2]; /* .. its children: 2 i is key i, 2 i + 1 branch i .. */
    uint8_t others;    /* .. and all bits of that byte except the first that differs */
} okra_key;

/* All zero is an empty set. */
typedef struct okra_keys {
    okra_text texts; /* each followed by a NUL */
    okra_key *keys;
    size_t count, capacity;
    uint32_t root;
} okra_keys;

/* The index of a key, from 0 in order of insertion; OKRA_NO_KEY if it is not there. */
size_t okra_keys_find(const okra_keys *keys, const char *key);

/* The text of the key at an index below `count`, valid until a key is added. */
const char *okra_keys_at(const okra_keys *keys, size_t place);

/* Adds a key that is not there yet; false if memory runs out, and the set is unchanged. */
bool okra_keys_add(okra_keys *keys, const char *key);

/* Empties the set, and keeps its memory for reuse. */
void okra_keys_clear(okra_keys *keys);

void okra_keys_free(okra_keys *keys);

#endif
