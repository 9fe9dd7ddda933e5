/*
 * What the JSON reader makes of a text, in forms that can be compared.
 */
#ifndef OKRA_TESTS_JSON_EVENTS_H
#define OKRA_TESTS_JSON_EVENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "json/read.h"

/* The events of a text, one after the other with their texts, and of an error what and where; to be freed. It is fed
 * `first` bytes and then `piece` at a time (0: all). */
char *json_events(const char *text, size_t length, size_t first, size_t piece, okra_json_limits limits);

/* The same text as jansson's object; NULL if it is refused. Numbers that do not fit are; with `reals` all are reals.
 */
json_t *json_tree(const char *text, size_t length, bool reals);

/* Whether jansson makes the same of it, or nothing either. */
bool json_is_as_jansson(const char *text, size_t length, bool reals);

/* The text as the writer has it; to be freed. NULL if the text is refused. */
char *json_rewritten(const char *text, size_t length, unsigned indent);

#endif
