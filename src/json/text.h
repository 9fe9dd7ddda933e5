/*
 * Text that grows, inside libokra-io and the program. open_memstream() is not used, because glibc's drops what it has
 * no room for and does not set the stream's error.
 */
#ifndef OKRA_JSON_TEXT_H
#define OKRA_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct okra_text {
    char *bytes; /* ends with a NUL */
    size_t length, capacity;
    bool lacks_memory; /* for good: nothing is added any more */
} okra_text;

void okra_text_add(okra_text *text, const char *more);
void okra_text_add_bytes(okra_text *text, const char *bytes, size_t length);

/* The text, to be freed, and an empty one in its place; NULL where memory was lacking. */
char *okra_text_take(okra_text *text);

#endif
