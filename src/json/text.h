/* Text that grows, and its characters, inside libokra-io and the program. */
#ifndef OKRA_JSON_TEXT_H
#define OKRA_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* open_memstream() is not used, because glibc's drops what it has no room for and does not set the stream's error. */
typedef struct okra_text {
    char *bytes; /* ends with a NUL */
    size_t length, capacity;
    bool lacks_memory; /* for good: nothing is added any more */
} okra_text;

void okra_text_add(okra_text *text, const char *more);
void okra_text_add_bytes(okra_text *text, const char *bytes, size_t length);

/* The text, to be freed, and an empty one in its place; NULL where memory was lacking. */
char *okra_text_take(okra_text *text);

/* An array of `count` things with space for one more: `array`, or a larger one in its place. NULL where there is no
 * memory for that; `array` is then as it was. */
void *okra_grow(void *array, size_t count, size_t *capacity, size_t bytes);

/* The bytes of the UTF-8 character at p, and the character; 0 where there is none. A NUL is not read beyond. */
size_t okra_utf8(const unsigned char *p, uint32_t *character);

/* Writes a character below 0x110000, 1 to 4 bytes, and returns how many. */
size_t okra_utf8_write(uint32_t character, char bytes[4]);

bool okra_is_utf8(const char *text);

/* Whether a terminal takes the character for a command: controls, line and paragraph ends, and what turns the direction
 * of writing. */
bool okra_is_command(uint32_t character);

#endif
