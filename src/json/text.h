/* Growing text, and UTF-8, inside libokra-io and the program. */
#ifndef OKRA_JSON_TEXT_H
#define OKRA_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* open_memstream() is not used, because glibc's drops what does not fit in memory and does not set the stream's
 * error. */
typedef struct okra_text {
    char *bytes; /* ends with a NUL */
    size_t length, capacity;
    bool lacks_memory; /* permanent: nothing more is added */
} okra_text;

void okra_text_add(okra_text *text, const char *more);
void okra_text_add_bytes(okra_text *text, const char *bytes, size_t length);

/* Returns the text, to be freed, and leaves an empty one; NULL if memory ran out. */
char *okra_text_take(okra_text *text);

/* An array of `count` elements with space for one more: `array`, or a larger one in its place. NULL if memory runs out;
 * `array` is then unchanged. */
void *okra_grow(void *array, size_t count, size_t *capacity, size_t bytes);

/* The bytes of the UTF-8 character at p, and the character; 0 if there is none. Does not read past a NUL. */
size_t okra_utf8(const unsigned char *p, uint32_t *character);

/* Writes a character below 0x110000, 1 to 4 bytes, and returns how many. */
size_t okra_utf8_write(uint32_t character, char bytes[4]);

bool okra_is_utf8(const char *text);

/* Whether a terminal interprets the character: controls, line and paragraph ends, and changes of the direction of
 * writing. */
bool okra_is_command(uint32_t character);

#endif
