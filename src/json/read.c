#include "read.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* Between tokens: what may come next. */
enum { VALUE, FIRST_VALUE, FIRST_KEY, NEXT_KEY, COLON, AFTER_VALUE, DONE };

/* Within a token: what may come next in a string, a word or a number. */
enum { NO_TOKEN, LETTERS, ESCAPE, HEX, WORD };
enum { MINUS = WORD + 1, ZERO, DIGITS, POINT, FRACTION, POWER, SIGN, EXPONENT };

/* No event yet; never returned. */
#define NOTHING ((okra_json_event)-1)

static const char not_json[] = "cannot be read as JSON";

/* ---- places and faults --------------------------------------------------------------------------------------- */

static okra_json_event fail(okra_json_reader *r, const char *wrong)
{
    r->wrong = wrong;
    return OKRA_JSON_ERROR;
}

static okra_json_event lack_memory(okra_json_reader *r)
{
    r->lacks_memory = true;
    return fail(r, "out of memory");
}

/* Skips bytes of one line. */
static void pass(okra_json_reader *r, size_t n)
{
    r->at += n;
    r->offset += n;
    r->column += n;
}

/* ---- text of tokens ------------------------------------------------------------------------------------------ */

static okra_json_event keep(okra_json_reader *r, const char *bytes, size_t n)
{
    if (n > r->limits.text - r->buffer.length)
        return fail(r, "a text that is too long");
    okra_text_add_bytes(&r->buffer, bytes, n);
    return r->buffer.lacks_memory ? lack_memory(r) : NOTHING;
}

/* An empty text has its NUL too. */
static okra_json_event begin_token(okra_json_reader *r, int part)
{
    r->part = part;
    r->buffer.length = 0;
    return keep(r, "", 0);
}

static void end_value(okra_json_reader *r)
{
    r->part = NO_TOKEN;
    r->state = r->depth ? AFTER_VALUE : DONE;
}

static okra_json_event show(okra_json_reader *r, okra_json_event event)
{
    r->text = r->buffer.bytes;
    r->length = r->buffer.length;
    return event;
}

/* ---- strings ------------------------------------------------------------------------------------------------- */

static okra_json_event end_key(okra_json_reader *r)
{
    r->part = NO_TOKEN;
    r->state = COLON;
    if (!r->limits.unique)
        return show(r, OKRA_JSON_KEY);
    okra_keys *keys = &r->keys[r->depth - 1];
    if (okra_keys_find(keys, r->buffer.bytes) != OKRA_NO_KEY)
        return fail(r, "a name that is there twice");
    if (!okra_keys_add(keys, r->buffer.bytes))
        return lack_memory(r);
    show(r, OKRA_JSON_KEY);
    r->text = okra_keys_at(keys, keys->count - 1);
    return OKRA_JSON_KEY;
}

static okra_json_event end_string(okra_json_reader *r)
{
    pass(r, 1);
    if (r->is_key)
        return end_key(r);
    end_value(r);
    return show(r, OKRA_JSON_STRING);
}

/* A byte of a multi-byte character. */
static okra_json_event take_byte_of_character(okra_json_reader *r, unsigned char byte)
{
    uint32_t character;
    if (r->pending == 4 || (r->pending > 0) != (byte >> 6 == 2))
        return fail(r, not_json);
    r->character[r->pending++] = byte;
    r->character[r->pending] = 0;
    pass(r, 1);
    size_t length = okra_utf8(r->character, &character);
    if (length == 0)
        return NOTHING; /* not complete yet; an invalid one fails at its fifth byte, or at a byte that cannot continue
                           it */
    r->pending = 0;
    return keep(r, (const char *)r->character, length);
}

static size_t plain_run(const char *at, const char *end)
{
    const char *p = at;
    while (p < end && *p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\')
        p++;
    return (size_t)(p - at);
}

static okra_json_event take_letters(okra_json_reader *r)
{
    unsigned char byte = (unsigned char)*r->at;
    if (r->high && byte != '\\')
        return fail(r, not_json); /* the second of two \uXXXX has to follow */
    if (byte >= 0x80)
        return take_byte_of_character(r, byte);
    if (r->pending > 0 || byte < 0x20)
        return fail(r, not_json);
    if (byte == '"')
        return end_string(r);
    if (byte == '\\') {
        r->part = ESCAPE;
        pass(r, 1);
        return NOTHING;
    }
    size_t n = byte == 0x7f ? 1 : plain_run(r->at, r->end);
    okra_json_event event = keep(r, r->at, n);
    pass(r, event == NOTHING ? n : 0);
    return event;
}

static okra_json_event take_escape(okra_json_reader *r)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *known = r->high ? NULL : memchr(letters, *r->at, sizeof letters - 1);
    if (!known && *r->at != 'u')
        return fail(r, not_json);
    pass(r, 1);
    if (!known) {
        r->part = HEX;
        r->code = r->digits = 0;
        return NOTHING;
    }
    r->part = LETTERS;
    return keep(r, meant + (known - letters), 1);
}

/* After the four digits. */
static okra_json_event end_code(okra_json_reader *r)
{
    char bytes[4];
    bool is_high = r->code >= 0xd800 && r->code < 0xdc00, is_low = r->code >= 0xdc00 && r->code < 0xe000;
    if (r->code == 0 || is_low != (r->high != 0))
        return fail(r, not_json);
    if (is_low)
        r->code = 0x10000 + ((r->high & 0x3ff) << 10 | (r->code & 0x3ff));
    r->part = LETTERS;
    r->high = is_high ? r->code : 0;
    if (is_high)
        return NOTHING;
    return keep(r, bytes, okra_utf8_write(r->code, bytes));
}

static okra_json_event take_digit(okra_json_reader *r)
{
    static const char hex[] = "0123456789abcdefABCDEF";
    const char *digit = memchr(hex, *r->at, sizeof hex - 1);
    if (!digit)
        return fail(r, not_json);
    uint32_t value = (uint32_t)(digit - hex);
    r->code = r->code << 4 | (value < 16 ? value : value - 6);
    pass(r, 1);
    return ++r->digits == 4 ? end_code(r) : NOTHING;
}

static okra_json_event begin_string(okra_json_reader *r, bool is_key)
{
    r->is_key = is_key;
    r->high = 0;
    r->pending = 0;
    pass(r, 1);
    return begin_token(r, LETTERS);
}

/* ---- numbers and words --------------------------------------------------------------------------------------- */

static int next_part(int part, char c)
{
    bool digit = c >= '0' && c <= '9', power = c == 'e' || c == 'E';
    switch (part) {
    case MINUS:
        return c == '0' ? ZERO : digit ? DIGITS : NO_TOKEN;
    case ZERO:
        return c == '.' ? POINT : power ? POWER : NO_TOKEN;
    case DIGITS:
        return digit ? DIGITS : c == '.' ? POINT : power ? POWER : NO_TOKEN;
    case POINT:
        return digit ? FRACTION : NO_TOKEN;
    case FRACTION:
        return digit ? FRACTION : power ? POWER : NO_TOKEN;
    case POWER:
        return digit ? EXPONENT : c == '+' || c == '-' ? SIGN : NO_TOKEN;
    default:
        return digit ? EXPONENT : NO_TOKEN;
    }
}

static okra_json_event end_number(okra_json_reader *r)
{
    if (r->part == MINUS || r->part == POINT || r->part == POWER || r->part == SIGN)
        return fail(r, not_json);
    r->whole = r->part == ZERO || r->part == DIGITS;
    end_value(r);
    return show(r, OKRA_JSON_NUMBER);
}

static okra_json_event take_number(okra_json_reader *r)
{
    const char *p = r->at;
    for (int part; p < r->end && (part = next_part(r->part, *p)) != NO_TOKEN; p++)
        r->part = part;
    size_t n = (size_t)(p - r->at);
    okra_json_event event = keep(r, r->at, n);
    if (event != NOTHING)
        return event;
    pass(r, n);
    return r->at < r->end ? end_number(r) : NOTHING;
}

static okra_json_event begin_number(okra_json_reader *r, char c)
{
    okra_json_event event = begin_token(r, c == '-' ? MINUS : c == '0' ? ZERO : DIGITS);
    if (event == NOTHING)
        event = keep(r, r->at, 1);
    pass(r, event == NOTHING);
    return event;
}

static okra_json_event take_word(okra_json_reader *r)
{
    if (*r->at != *r->word)
        return fail(r, not_json);
    pass(r, 1);
    if (*++r->word)
        return NOTHING;
    end_value(r);
    return r->meaning;
}

static okra_json_event begin_word(okra_json_reader *r, const char *word, okra_json_event meaning)
{
    r->part = WORD;
    r->word = word;
    r->meaning = meaning;
    return NOTHING;
}

/* ---- between tokens ------------------------------------------------------------------------------------------ */

static okra_json_event open_level(okra_json_reader *r, bool array)
{
    if (r->depth == r->limits.depth)
        return fail(r, "nested too deeply");
    uint64_t bit = UINT64_C(1) << r->depth;
    r->arrays = array ? r->arrays | bit : r->arrays & ~bit;
    if (r->limits.unique && !r->keys && !(r->keys = calloc(r->limits.depth, sizeof *r->keys)))
        return lack_memory(r);
    if (r->limits.unique)
        okra_keys_clear(&r->keys[r->depth]);
    r->depth++;
    r->state = array ? FIRST_VALUE : FIRST_KEY;
    pass(r, 1);
    return array ? OKRA_JSON_ARRAY : OKRA_JSON_OBJECT;
}

static bool in_array(const okra_json_reader *r) { return r->depth > 0 && r->arrays >> (r->depth - 1) & 1; }

static okra_json_event close_level(okra_json_reader *r)
{
    bool array = in_array(r);
    r->depth--;
    end_value(r);
    pass(r, 1);
    return array ? OKRA_JSON_ARRAY_END : OKRA_JSON_OBJECT_END;
}

static okra_json_event begin_value(okra_json_reader *r, char c)
{
    switch (c) {
    case '{':
    case '[':
        return open_level(r, c == '[');
    case '"':
        return begin_string(r, false);
    case 't':
        return begin_word(r, "true", OKRA_JSON_TRUE);
    case 'f':
        return begin_word(r, "false", OKRA_JSON_FALSE);
    case 'n':
        return begin_word(r, "null", OKRA_JSON_NULL);
    default:
        return c == '-' || (c >= '0' && c <= '9') ? begin_number(r, c) : fail(r, not_json);
    }
}

static okra_json_event take_mark(okra_json_reader *r, char c, char wanted, int state)
{
    if (c != wanted)
        return fail(r, not_json);
    r->state = state;
    pass(r, 1);
    return NOTHING;
}

static okra_json_event begin(okra_json_reader *r)
{
    char c = *r->at;
    switch (r->state) {
    case FIRST_VALUE:
        return c == ']' ? close_level(r) : begin_value(r, c);
    case VALUE:
        return begin_value(r, c);
    case FIRST_KEY:
    case NEXT_KEY:
        if (c == '}' && r->state == FIRST_KEY)
            return close_level(r);
        return c == '"' ? begin_string(r, true) : fail(r, not_json);
    case COLON:
        return take_mark(r, c, ':', VALUE);
    case AFTER_VALUE:
        return c == (in_array(r) ? ']' : '}') ? close_level(r) : take_mark(r, c, ',', in_array(r) ? VALUE : NEXT_KEY);
    default:
        return fail(r, not_json);
    }
}

static okra_json_event take(okra_json_reader *r)
{
    switch (r->part) {
    case NO_TOKEN:
        break;
    case LETTERS:
        return take_letters(r);
    case ESCAPE:
        return take_escape(r);
    case HEX:
        return take_digit(r);
    case WORD:
        return take_word(r);
    default:
        return take_number(r);
    }
    bool line_end = *r->at == '\n';
    if (!line_end && *r->at != ' ' && *r->at != '\t' && *r->at != '\r')
        return begin(r);
    pass(r, 1);
    if (line_end)
        r->line++, r->column = 1;
    return NOTHING;
}

static okra_json_event end(okra_json_reader *r)
{
    if (r->part >= MINUS)
        return end_number(r);
    return r->part == NO_TOKEN && r->state == DONE ? OKRA_JSON_END : fail(r, not_json);
}

/* ---- the front ----------------------------------------------------------------------------------------------- */

void okra_json_start(okra_json_reader *reader, okra_json_limits limits)
{
    *reader = (okra_json_reader){.limits = limits, .line = 1, .column = 1, .state = VALUE};
    if (limits.depth > MAX_DEPTH)
        reader->limits.depth = MAX_DEPTH;
}

void okra_json_stop(okra_json_reader *reader)
{
    for (unsigned level = 0; reader->keys && level < reader->limits.depth; level++)
        okra_keys_free(&reader->keys[level]);
    free(reader->keys);
    free(reader->buffer.bytes);
    *reader = (okra_json_reader){0};
}

void okra_json_feed(okra_json_reader *reader, const char *bytes, size_t n)
{
    reader->at = bytes;
    reader->end = bytes + n;
}

void okra_json_finish(okra_json_reader *reader) { reader->finished = true; }

okra_json_event okra_json_next(okra_json_reader *reader)
{
    okra_json_event event = reader->wrong ? OKRA_JSON_ERROR : NOTHING;
    reader->text = "";
    reader->length = 0;
    while (event == NOTHING && reader->at < reader->end)
        event = take(reader);
    if (event != NOTHING)
        return event;
    return reader->finished ? end(reader) : OKRA_JSON_MORE;
}

okra_json_event okra_json_skip(okra_json_reader *reader, okra_json_event event)
{
    if (event != OKRA_JSON_OBJECT && event != OKRA_JSON_ARRAY)
        return event;
    unsigned above = reader->depth - 1;
    do
        event = okra_json_next(reader);
    while (reader->depth > above && event != OKRA_JSON_MORE && event != OKRA_JSON_ERROR);
    return event;
}
