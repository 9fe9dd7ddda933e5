/*
 * Characters, inside libokra-io and the program.
 */
#ifndef OKRA_JSON_UTF8_H
#define OKRA_JSON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the UTF-8 character at p, and the character; 0 where there is none. A NUL is not read
 * beyond. */
size_t okra_utf8(const unsigned char *p, uint32_t *character);

/* Writes a character below 0x110000, 1 to 4 bytes, and returns how many. */
size_t okra_utf8_write(uint32_t character, char bytes[4]);

bool okra_is_utf8(const char *text);

/* Whether a terminal takes the character for a command: controls, line and paragraph ends, and what turns the direction
 * of writing. */
bool okra_is_command(uint32_t character);

#endif
