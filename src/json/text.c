#include "text.h"

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

void *okra_grow(void *array, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return array;
    size_t more = *capacity ? 2 * *capacity : 16;
    void *larger = reallocarray(array, more, bytes);
    *capacity = larger ? more : *capacity;
    return larger;
}

/* ---- characters ---------------------------------------------------------------------------------------------- */

size_t okra_utf8(const unsigned char *p, uint32_t *character)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
    *character = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t k = 1; k < length; k++) {
        if (p[k] >> 6 != 2)
            return 0;
        *character = *character << 6 | (p[k] & 0x3f);
    }
    bool possible = *character >= min[length] && *character <= 0x10ffff && *character >> 11 != 0x1b;
    return possible ? length : 0;
}

size_t okra_utf8_write(uint32_t character, char bytes[4])
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t k = length; k-- > 1; character >>= 6)
        bytes[k] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)(lead[length] | character);
    return length;
}

bool okra_is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    uint32_t character;
    for (size_t length; *at; at += length)
        if ((length = okra_utf8(at, &character)) == 0)
            return false;
    return true;
}

bool okra_is_command(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}
