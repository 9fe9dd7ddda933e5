/*
 * JSON from outside, inside libokra-io: looked over before it is parsed. A parsed value takes a hundred bytes and more,
 * a written one two or three, so a file of nothing but braces would cost many times its size.
 */
#ifndef OKRA_IO_JSON_LIMITS_H
#define OKRA_IO_JSON_LIMITS_H

#include <stddef.h>

/* What a kind of text may hold; objects inside arrays are in none. */
typedef struct okra_json_limits {
    int depth;            /* of braces and brackets in each other, up to 31 */
    size_t bytes_a_value; /* the text is at least so long for each comma, brace and bracket in it; 0: of any length */
} okra_json_limits;

/* What is wrong with the text, and where, from 1; NULL where it may be parsed. It need not be JSON for that. */
const char *okra_json_look_over(const char *text, size_t length, const okra_json_limits *limits, size_t *line,
                                size_t *column);

#endif
