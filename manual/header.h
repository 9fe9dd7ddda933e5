/*
 * Splits a public header into its parts, in order: comments and groups of declarations.
 */
#ifndef OKRA_MANUAL_HEADER_H
#define OKRA_MANUAL_HEADER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum header_kind {
    HEADER_CHAPTER, /* the title of a chapter, from a ruled comment */
    HEADER_TEXT,    /* a comment, its marks taken off */
    HEADER_CODE,    /* declarations up to the next comment or blank line, lines as they are */
    HEADER_FUNCTION /* the declaration of one function, in one line */
} header_kind;

typedef struct header_part {
    header_kind kind;
    bool joined; /* follows the part before it without a blank line: that comment describes it */
    char *text;
} header_part;

typedef struct header {
    header_part *parts;
    size_t n;
} header;

/* False if it cannot be read, which is then said. Free it in either case. */
bool header_read(header *h, const char *path);
void header_free(header *h);

/* The name of the function that a HEADER_FUNCTION declares: where it begins, and its length. */
const char *function_name(const char *declaration, size_t *length);

#endif
