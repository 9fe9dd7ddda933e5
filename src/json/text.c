#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Capacity for so many more bytes and the final NUL; at least twice as much as before. */
static bool reserve(okra_text *text, size_t more)
{
    if (text->lacks_memory)
        return false;
    if (more < text->capacity - text->length)
        return true;
    size_t capacity = text->capacity > more ? text->capacity : more + 1;
    char *larger = capacity <= SIZE_MAX / 4 ? realloc(text->bytes, 2 * capacity) : NULL;
    text->lacks_memory = !larger;
    if (!larger)
        return false;
    text->bytes = larger;
    text->capacity = 2 * capacity;
    return true;
}

void okra_text_add_bytes(okra_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void okra_text_add(okra_text *text, const char *more) { okra_text_add_bytes(text, more, strlen(more)); }

char *okra_text_take(okra_text *text)
{
    char *bytes = text->lacks_memory ? NULL : text->bytes;
    if (!bytes)
        free(text->bytes);
    *text = (okra_text){0};
    return bytes;
}
