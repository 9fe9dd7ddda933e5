/*
 * A set of texts that keeps the order in which they came, inside libokra-io and the program.
 *
 * A tree of the bits in which they differ (D. J. Bernstein's crit-bit tree): what a search costs is bounded by the
 * length of the text that is looked for, whoever has chosen the others.
 */
#ifndef OKRA_JSON_KEYS_H
#define OKRA_JSON_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

#define OKRA_NO_KEY SIZE_MAX

/* Key i, and the branch that came with it; the first needs none. */
typedef struct okra_key {
    size_t text;       /* its place in okra_keys.texts */
    uint32_t byte;     /* the branch: the first byte in which the texts below it differ .. */
    uint32_t child[2]; /* .. where they go: 2 i is key i, 2 i + 1 branch i .. */
    uint8_t others;    /* .. and all bits of that byte but the first that differs */
} okra_key;

/* All zero is an empty set. */
typedef struct okra_keys {
    okra_text texts; /* each with a NUL behind it */
    okra_key *keys;
    size_t count, capacity;
    uint32_t root;
} okra_keys;

/* The place of a key, from 0 in the order in which they came; OKRA_NO_KEY where it is not there. */
size_t okra_keys_find(const okra_keys *keys, const char *key);

/* The text of the key at a place below `count`, until one is added. */
const char *okra_keys_at(const okra_keys *keys, size_t place);

/* Adds a key that is not there yet; false where there is no memory for it, and the set is as it was. */
bool okra_keys_add(okra_keys *keys, const char *key);

/* Empties the set, and keeps its memory for others. */
void okra_keys_clear(okra_keys *keys);

void okra_keys_free(okra_keys *keys);

#endif
