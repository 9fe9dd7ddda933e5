/* Metadata: an ordered list of texts about a model, with an index, because a file may have as many columns as it likes.
 */
#include <okra/model_file.h>

#include <stdlib.h>
#include <string.h>

#include "../json/keys.h"

struct okra_metadata {
    okra_keys keys;
    char **values; /* of each key */
    size_t capacity;
};

void okra_metadata_free(okra_metadata *metadata)
{
    if (!metadata)
        return;
    for (size_t i = 0; i < metadata->keys.count; i++)
        free(metadata->values[i]);
    okra_keys_free(&metadata->keys);
    free(metadata->values);
    free(metadata);
}

static bool reserve(okra_metadata *metadata)
{
    if (metadata->keys.count < metadata->capacity)
        return true;
    size_t capacity = metadata->capacity ? 2 * metadata->capacity : 16;
    char **larger = reallocarray(metadata->values, capacity, sizeof *larger);
    if (!larger)
        return false;
    metadata->values = larger;
    metadata->capacity = capacity;
    return true;
}

static okra_status append(okra_metadata *metadata, const char *key, const char *value)
{
    char *copy = reserve(metadata) ? strdup(value) : NULL;
    if (copy && okra_keys_add(&metadata->keys, key)) {
        metadata->values[metadata->keys.count - 1] = copy;
        return OKRA_OK;
    }
    free(copy);
    return OKRA_E_MEMORY;
}

static okra_status replace(okra_metadata *metadata, size_t place, const char *with)
{
    char *copy = strdup(with);
    if (!copy)
        return OKRA_E_MEMORY;
    free(metadata->values[place]); /* NOLINT(clang-analyzer-core.NullDereference): a key that was found has a value */
    metadata->values[place] = copy;
    return OKRA_OK;
}

okra_status okra_metadata_set(okra_metadata **metadata, const char *key, const char *value)
{
    if (!metadata || !key || !value)
        return OKRA_E_NULL;
    /* JSON holds nothing else, and it is better told when an entry is made than when a model is to be saved. */
    if (!okra_is_utf8(key) || !okra_is_utf8(value))
        return OKRA_E_PARAMETER;
    if (!*metadata && !(*metadata = calloc(1, sizeof **metadata)))
        return OKRA_E_MEMORY;
    size_t place = okra_keys_find(&(*metadata)->keys, key);
    return place == OKRA_NO_KEY ? append(*metadata, key, value) : replace(*metadata, place, value);
}

const char *okra_metadata_get(const okra_metadata *metadata, const char *key)
{
    size_t place = metadata && key ? okra_keys_find(&metadata->keys, key) : OKRA_NO_KEY;
    return place == OKRA_NO_KEY ? NULL : metadata->values[place];
}

bool okra_metadata_at(const okra_metadata *metadata, size_t i, const char **key, const char **value)
{
    if (!metadata || i >= metadata->keys.count)
        return false;
    if (key)
        *key = okra_keys_at(&metadata->keys, i);
    if (value)
        *value = metadata->values[i];
    return true;
}
