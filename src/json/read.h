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
 * The events are the same however the bytes were cut into pieces. A text is one value of any kind; of lines of JSON
 * each is a text. Memory is that of the longest string or number, which the caller limits, and with `unique` of the
 * keys of all objects that are open; nothing else is kept. Strings have no NUL in them: \u0000 is refused.
 */
#ifndef OKRA_JSON_READ_H
#define OKRA_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys.h"
#include "text.h"

typedef enum okra_json_event {
    OKRA_JSON_MORE, /* all that was fed is used up: feed more, or finish */
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
    OKRA_JSON_END,  /* the text is whole, and was JSON */
    OKRA_JSON_ERROR /* it is not, or there is no memory: `wrong` and the place say what and where */
} okra_json_event;

typedef struct okra_json_limits {
    unsigned depth; /* of objects and arrays in each other, up to 64 */
    size_t text;    /* bytes of the longest key, string or number */
    bool unique;    /* a key that its object has already is a fault */
} okra_json_limits;

typedef struct okra_json_reader {
    /* Of the last event; valid until the next call, and the text of a key with `unique` until its object's next key. */
    const char *text; /* of a key or string, decoded; of a number, as it is written; ends with a NUL */
    size_t length;
    bool whole;        /* a number without fraction and exponent */
    const char *wrong; /* of an error, in words */
    bool lacks_memory; /* which is no fault of the text */

    size_t offset;       /* bytes that were taken .. */
    size_t line, column; /* .. and where the next one is, from 1; of an error, the byte at fault */

    /* Its own. */
    okra_json_limits limits;
    const char *at, *end; /* of the piece */
    bool finished;
    unsigned depth;
    uint64_t arrays; /* a bit for each level: it is an array */
    int state, part;
    uint32_t code, high; /* of \uXXXX, and of the first of two */
    unsigned digits;
    bool is_key;
    const char *word; /* what is left of true, false or null .. */
    okra_json_event meaning;
    unsigned char character[5]; /* bytes of one that is not whole yet */
    size_t pending;
    okra_text buffer;
    okra_keys *keys; /* of each level */
} okra_json_reader;

/* `reader` need not be initialised. */
void okra_json_start(okra_json_reader *reader, okra_json_limits limits);
void okra_json_stop(okra_json_reader *reader);

/* The bytes must stay where they are until they are used up. */
void okra_json_feed(okra_json_reader *reader, const char *bytes, size_t n);
void okra_json_finish(okra_json_reader *reader);

okra_json_event okra_json_next(okra_json_reader *reader);

/* What a value comes to: after OKRA_JSON_OBJECT or _ARRAY to its end, whatever is inside, for a reader that was fed all
 * of the text. The event of the end, or an error; others come back as they are. */
okra_json_event okra_json_skip(okra_json_reader *reader, okra_json_event event);

#endif
