#include "keys.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 1 << 30 }; /* twice as many are still 32 bits */

static bool is_branch(uint32_t child) { return child & 1; }

static const okra_key *branch_of(const okra_keys *keys, uint32_t child) { return &keys->keys[child >> 1]; }

const char *okra_keys_at(const okra_keys *keys, size_t place) { return keys->texts.bytes + keys->keys[place].text; }

/* The child that a text belongs to at a branch. */
static int side_of(const okra_key *branch, const char *key, size_t length)
{
    unsigned byte = branch->byte < length ? (unsigned char)key[branch->byte] : 0;
    return (int)((1 + (branch->others | byte)) >> 8);
}

/* The only key that can be equal to this text. */
static size_t nearest(const okra_keys *keys, const char *key, size_t length)
{
    uint32_t child = keys->root;
    while (is_branch(child))
        child = branch_of(keys, child)->child[side_of(branch_of(keys, child), key, length)];
    return child >> 1;
}

size_t okra_keys_find(const okra_keys *keys, const char *key)
{
    if (keys->count == 0)
        return OKRA_NO_KEY;
    size_t place = nearest(keys, key, strlen(key));
    return strcmp(okra_keys_at(keys, place), key) == 0 ? place : OKRA_NO_KEY;
}

/* All bits but the highest that is set. */
static uint8_t all_but_highest(unsigned bits)
{
    bits |= bits >> 1, bits |= bits >> 2, bits |= bits >> 4;
    return (uint8_t)((bits & ~(bits >> 1)) ^ 0xff);
}

static bool is_above(const okra_key *branch, const okra_key *other)
{
    return branch->byte < other->byte || (branch->byte == other->byte && branch->others < other->others);
}

/* Inserts the branch of the last key below the branches for earlier bits; it first differs from `other`. */
static void hang(okra_keys *keys, const char *key, size_t length, const char *other)
{
    uint32_t last = (uint32_t)keys->count, *place = &keys->root;
    okra_key *branch = &keys->keys[last];
    size_t i = 0;
    while (key[i] == other[i])
        i++;
    branch->byte = (uint32_t)i;
    branch->others = all_but_highest((unsigned char)key[i] ^ (unsigned char)other[i]);
    while (is_branch(*place) && is_above(branch_of(keys, *place), branch)) {
        okra_key *above = &keys->keys[*place >> 1];
        place = &above->child[side_of(above, key, length)];
    }
    int side = side_of(branch, key, length);
    branch->child[side] = 2 * last;
    branch->child[!side] = *place;
    *place = 2 * last + 1;
}

bool okra_keys_add(okra_keys *keys, const char *key)
{
    size_t length = strlen(key), before = keys->texts.length;
    if (length >= UINT32_MAX || keys->count == MAX_KEYS)
        return false;
    okra_key *larger = okra_grow(keys->keys, keys->count, &keys->capacity, sizeof *larger);
    if (!larger)
        return false;
    keys->keys = larger;
    okra_text_add_bytes(&keys->texts, key, length + 1);
    if (keys->texts.lacks_memory) {
        keys->texts.lacks_memory = false;
        return false;
    }
    keys->keys[keys->count] = (okra_key){.text = before};
    if (keys->count > 0)
        hang(keys, key, length, okra_keys_at(keys, nearest(keys, key, length)));
    else
        keys->root = 0;
    keys->count++;
    return true;
}

void okra_keys_clear(okra_keys *keys) { keys->count = keys->texts.length = 0; }

void okra_keys_free(okra_keys *keys)
{
    free(keys->texts.bytes);
    free(keys->keys);
    *keys = (okra_keys){0};
}
