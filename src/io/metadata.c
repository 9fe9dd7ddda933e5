/* Metadata: an ordered list of texts about a model, with an index, because a file may have any number of columns. */
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

/* Adds a key at the end, without a value yet; false if memory runs out. */
static bool add_key(okra_metadata *metadata, const char *key)
{
    char **larger = okra_grow(metadata->values, metadata->keys.count, &metadata->capacity, sizeof *larger);
    if (!larger)
        return false;
    metadata->values = larger;
    larger[metadata->keys.count] = NULL;
    return okra_keys_add(&metadata->keys, key);
}

okra_status okra_metadata_set(okra_metadata **metadata, const char *key, const char *value)
{
    if (!metadata || !key || !value)
        return OKRA_E_NULL;
    /* JSON needs UTF-8. An error here is better than one when the model is saved. */
    if (!okra_is_utf8(key) || !okra_is_utf8(value))
        return OKRA_E_PARAMETER;
    if (!*metadata && !(*metadata = calloc(1, sizeof **metadata)))
        return OKRA_E_MEMORY;
    size_t place = okra_keys_find(&(*metadata)->keys, key);
    char *copy = strdup(value);
    if (!copy || (place == OKRA_NO_KEY && !add_key(*metadata, key))) {
        free(copy);
        return OKRA_E_MEMORY;
    }
    char **at = &(*metadata)->values[place == OKRA_NO_KEY ? (*metadata)->keys.count - 1 : place];
    free(*at); /* NOLINT(clang-analyzer-core.NullDereference): a key that was found has a value */
    *at = copy;
    return OKRA_OK;
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
