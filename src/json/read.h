/*
 * JSON (RFC 8259) read piece by piece, inside libokra-io and the program.
 *
 *     okra_json_reader reader;
 *     okra_json_start(&reader, (okra_json_limits){.depth = 8, .text = 1 << 20, .unique = true});
 *     okra_json_feed(&reader, bytes, n);               .. again after every OKRA_JSON_MORE
 *     okra_json_finish(&reader);                       .. when there are no more
 *     while ((event = okra_json_next(&reader)) < OKRA_JSON_END) ..
 *     okra_json_stop(&reader);
 *
 * The events do not depend on how the bytes are divided into pieces. A text is one value of any kind; in lines of JSON,
 * each line is a text. Memory is that of the longest string or number, which the caller limits, and with `unique` that
 * of the keys of all open objects. Strings hold no NUL: \u0000 is refused.
 */
#ifndef OKRA_JSON_READ_H
#define OKRA_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys.h"
#include "text.h"

typedef enum okra_json_event {
    OKRA_JSON_MORE, /* all bytes are used: feed more, or finish */
    OKRA_JSON_OBJECT,
    OKRA_JSON_OBJECT_END,
    OKRA_JSON_ARRAY,
    OKRA_JSON_ARRAY_END,
    OKRA_JSON_KEY,
    OKRA_JSON_STRING,
    OKRA_JSON_NUMBER,
    OKRA_JSON_TRUE,
    OKRA_JSON_FALSE,
    OKRA_JSON_NULL,
    OKRA_JSON_END,  /* the text is complete, and was JSON */
    OKRA_JSON_ERROR /* it is not JSON, or memory ran out: see `wrong`, line and column */
} okra_json_event;

typedef struct okra_json_limits {
    unsigned depth; /* of nested objects and arrays, up to 64 */
    size_t text;    /* bytes of the longest key, string or number */
    bool unique;    /* a repeated key in an object is an error */
} okra_json_limits;

typedef struct okra_json_reader {
    /* Of the last event; valid until the next call, and the text of a key with `unique` until its object's next key. */
    const char *text; /* of a key or string, decoded; of a number, as in the text; ends with a NUL */
    size_t length;
    bool whole;        /* a number without fraction and exponent */
    const char *wrong; /* of an error, as text */
    bool lacks_memory; /* then the text is not at fault */

    size_t offset;       /* bytes used so far .. */
    size_t line, column; /* .. and the position of the next one, from 1; of an error, the byte at fault */

    /* Internal. */
    okra_json_limits limits;
    const char *at, *end; /* of the piece */
    bool finished;
    unsigned depth;
    uint64_t arrays; /* a bit for each level: 1 for an array */
    int state, part;
    uint32_t code, high; /* of \uXXXX, and of the first of a pair */
    unsigned digits;
    bool is_key;
    const char *word; /* what is left of true, false or null .. */
    okra_json_event meaning;
    unsigned char character[5]; /* bytes of one that is not complete yet */
    size_t pending;
    okra_text buffer;
    okra_keys *keys; /* of each level */
} okra_json_reader;

/* `reader` need not be initialised. */
void okra_json_start(okra_json_reader *reader, okra_json_limits limits);
void okra_json_stop(okra_json_reader *reader);

/* The bytes must stay valid until they are used. */
void okra_json_feed(okra_json_reader *reader, const char *bytes, size_t n);
void okra_json_finish(okra_json_reader *reader);

okra_json_event okra_json_next(okra_json_reader *reader);

/* Skips a value: after OKRA_JSON_OBJECT or _ARRAY, reads to its end and returns that event, or an error. Other events
 * are returned unchanged. The reader must have been fed all of the text. */
okra_json_event okra_json_skip(okra_json_reader *reader, okra_json_event event);

#endif
