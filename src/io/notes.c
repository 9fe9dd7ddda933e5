/* Notes: an ordered list of words about a model, with an index, because a file may have as many columns as it likes. */
#include <okra/model_file.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"

typedef struct note {
    char *key, *value;
} note;

struct okra_metadata {
    note *notes;
    size_t count, room;
    json_t *index; /* from keys to their places */
};

static okra_metadata *create(void)
{
    okra_metadata *notes = calloc(1, sizeof *notes);
    if (notes && (notes->index = json_object()))
        return notes;
    free(notes);
    return NULL;
}

void okra_metadata_free(okra_metadata *notes)
{
    if (!notes)
        return;
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->notes[i].key);
        free(notes->notes[i].value);
    }
    json_decref(notes->index);
    free(notes->notes);
    free(notes);
}

static bool make_room(okra_metadata *notes)
{
    if (notes->notes && notes->count < notes->room)
        return true;
    size_t room = notes->room ? 2 * notes->room : 16;
    note *larger = reallocarray(notes->notes, room, sizeof *larger);
    if (!larger)
        return false;
    notes->notes = larger;
    notes->room = room;
    return true;
}

static okra_status append(okra_metadata *notes, const char *key, const char *value)
{
    note fresh = {strdup(key), strdup(value)};
    if (fresh.key && fresh.value && make_room(notes) &&
        json_object_set_new(notes->index, key, json_integer((json_int_t)notes->count)) == 0) {
        notes->notes[notes->count++] = fresh;
        return OKRA_OK;
    }
    free(fresh.key);
    free(fresh.value);
    return OKRA_E_MEMORY;
}

static note *find(const okra_metadata *notes, const char *key)
{
    const json_t *place = json_object_get(notes->index, key);
    return place ? &notes->notes[json_integer_value(place)] : NULL;
}

okra_status okra_metadata_set(okra_metadata **metadata, const char *key, const char *value)
{
    if (!metadata || !key || !value)
        return OKRA_E_NULL;
    /* JSON holds nothing else, and it is better told when a note is made than when a model is to be saved. */
    if (!okra_is_utf8(key) || !okra_is_utf8(value))
        return OKRA_E_PARAMETER;
    if (!*metadata && !(*metadata = create()))
        return OKRA_E_MEMORY;
    okra_metadata *notes = *metadata;
    note *old = find(notes, key);
    if (!old)
        return append(notes, key, value);
    char *copy = strdup(value);
    if (!copy)
        return OKRA_E_MEMORY;
    free(old->value);
    old->value = copy;
    return OKRA_OK;
}

const char *okra_metadata_get(const okra_metadata *notes, const char *key)
{
    const note *found = notes && key ? find(notes, key) : NULL;
    return found ? found->value : NULL;
}

bool okra_metadata_at(const okra_metadata *notes, size_t i, const char **key, const char **value)
{
    if (!notes || i >= notes->count)
        return false;
    if (key)
        *key = notes->notes[i].key;
    if (value)
        *value = notes->notes[i].value;
    return true;
}
