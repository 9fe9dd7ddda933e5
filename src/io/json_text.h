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
 * What json_loadb() gives with JSON_REJECT_DUPLICATES, and JSON_DECODE_INT_AS_REAL where `reals`. NULL where there is
 * no memory, and *lacks_memory is true; or where the text is at fault, as *error says.
 */
json_t *okra_json_load(const char *text, size_t length, bool reals, bool *lacks_memory, json_error_t *error);

/* json_dumps(). */
char *okra_json_dump(const json_t *json, size_t flags);

#endif
