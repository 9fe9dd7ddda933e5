/*
 * JSON written into memory, inside libokra-io and the program.
 *
 *     okra_json_writer w = {.indent = 2};
 *     okra_json_open(&w, NULL, '{');
 *     okra_json_put_count(&w, "rows", 300);
 *     okra_json_open_line(&w, "shape", '[');
 *     okra_json_put_count(&w, NULL, 1);
 *     ..
 *     okra_json_close(&w), okra_json_close(&w);
 *     char *text = okra_text_take(&w.out);             NULL if memory ran out
 *
 * Every value has a key in an object, and no key (NULL) elsewhere.
 */
#ifndef OKRA_JSON_WRITE_H
#define OKRA_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

/* Starts as all zero but `indent`. */
typedef struct okra_json_writer {
    okra_text out;
    unsigned indent; /* blanks for each level; 0: all on one line, without blanks */
    unsigned depth;  /* below 64; a bit for each level: */
    uint64_t objects, filled, lines;
} okra_json_writer;

/* '{' or '['; with _line, its contents are on the same line. */
void okra_json_open(okra_json_writer *w, const char *key, char bracket);
void okra_json_open_line(okra_json_writer *w, const char *key, char bracket);
void okra_json_close(okra_json_writer *w);

/* What a terminal would interpret is written as \uXXXX, what is not UTF-8 as '?'. */
void okra_json_put_text(okra_json_writer *w, const char *key, const char *text);

/* The fewest digits that read back to the same bits, and a point or an exponent; null if it is not finite. */
void okra_json_put_real(okra_json_writer *w, const char *key, double value);

void okra_json_put_count(okra_json_writer *w, const char *key, uint64_t value);
void okra_json_put_bool(okra_json_writer *w, const char *key, bool value);
void okra_json_put_null(okra_json_writer *w, const char *key);

/* [a, b], on one line. */
void okra_json_put_pair(okra_json_writer *w, const char *key, uint64_t a, uint64_t b);

/* A value that is already JSON. */
void okra_json_put_json(okra_json_writer *w, const char *key, const char *json, size_t length);

#endif
