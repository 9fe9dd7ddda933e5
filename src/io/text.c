#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Room for so many more bytes and the final NUL; at least twice as much as before. */
static bool make_room(okra_text *text, size_t more)
{
    if (text->lacks_memory)
        return false;
    if (more < text->room - text->length)
        return true;
    size_t room = text->room > more ? text->room : more + 1;
    char *larger = room <= SIZE_MAX / 4 ? realloc(text->bytes, 2 * room) : NULL;
    text->lacks_memory = !larger;
    if (!larger)
        return false;
    text->bytes = larger;
    text->room = 2 * room;
    return true;
}

void okra_text_add(okra_text *text, const char *more)
{
    size_t length = strlen(more);
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, more, length + 1);
    text->length += length;
}

char *okra_text_take(okra_text *text)
{
    char *bytes = text->lacks_memory ? NULL : text->bytes;
    if (!bytes)
        free(text->bytes);
    *text = (okra_text){0};
    return bytes;
}
