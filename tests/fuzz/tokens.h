/* Texts changed value by value: most other changes to a text only break its syntax. */
#ifndef OKRA_FUZZ_TOKENS_H
#define OKRA_FUZZ_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the value or key (a text in quotes, or a number) that begins at or after `from` begins and ends; false if
 * there is none. */
bool tokens_find(const uint8_t *data, size_t size, size_t from, size_t *begin, size_t *end);

/* Puts `length` bytes in place of data[begin..end), for which there must be room; the new size. */
size_t tokens_splice(uint8_t *data, size_t size, size_t begin, size_t end, const void *bytes, size_t length);

/* Another value for a token: a special one, or what another place has. The new size, `max` at most. */
size_t tokens_replace(uint8_t *data, size_t size, size_t max, unsigned seed);

/* Other digits for a whole number, in quotes or not, which they stay: a special number, or a neighbour. */
size_t tokens_replace_digits(uint8_t *data, size_t size, size_t max, unsigned seed);

#endif
