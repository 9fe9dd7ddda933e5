/*
 * JSON where memory may end, inside libokra-io. jansson 2.14 does not read it safely then: its scanner loses letters
 * where it cannot make room, runs over the end of what is left, and calls a sound file damaged. Nor does it write
 * safely: a key may be missing from the text. Its objects can be relied on.
 */
#ifndef OKRA_IO_JSON_TEXT_H
#define OKRA_IO_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

bool okra_is_utf8(const char *text);

/*
 * What json_loadb() gives with JSON_REJECT_DUPLICATES, and JSON_DECODE_INT_AS_REAL where `reals`, of a text that
 * okra_json_look_over() has found shallow enough. NULL where there is no memory, or where the text is at fault: *wrong
 * then says what it is, at that line and column, and is NULL otherwise.
 */
json_t *okra_json_load(const char *text, size_t length, bool reals, const char **wrong, size_t *line, size_t *column);

/* json_dumps(). */
char *okra_json_dump(const json_t *json, size_t flags);

#endif
