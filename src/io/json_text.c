/* JSON (RFC 8259) read into jansson's objects. */
#include "json_text.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "say.h"

/* ---- characters ---------------------------------------------------------------------------------------------- */

bool okra_is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    uint32_t character;
    for (size_t length; *at; at += length)
        if ((length = okra_utf8(at, &character)) == 0)
            return false;
    return true;
}

/* ---- strings ------------------------------------------------------------------------------------------------- */

typedef struct cursor {
    const char *at, *end;
    bool reals;
    bool lacks_memory; /* or the text is at fault .. */
    bool twice;        /* .. because of a name that was there before */
} cursor;

/* The next character; NUL, which no text has, at the end. */
static char peek(const cursor *c)
{
    if (c->at < c->end)
        return *c->at;
    return '\0';
}

static bool take(cursor *c, char wanted)
{
    bool there = c->at < c->end && *c->at == wanted;
    c->at += there;
    return there;
}

static void pass_blanks(cursor *c)
{
    while (peek(c) && strchr(" \t\r\n", peek(c)))
        c->at++;
}

/* The number of XXXX in \uXXXX; 0, which is no letter of a text, where there is none. */
static uint32_t take_hexadecimal(cursor *c)
{
    uint32_t code = 0;
    for (int k = 0; k < 4; k++, c->at++) {
        static const char hex[] = "0123456789abcdef";
        const char *digit = peek(c) ? strchr(hex, peek(c) | 0x20) : NULL;
        if (!digit || peek(c) < '0')
            return 0;
        code = code << 4 | (uint32_t)(digit - hex);
    }
    return code;
}

/* Writes the character of \uXXXX, or of two such where it is beyond 16 bits; NULL where it is none. */
static char *take_code(cursor *c, char *to)
{
    uint32_t code = take_hexadecimal(c);
    if (code >= 0xd800 && code < 0xdc00) {
        uint32_t low = take(c, '\\') && take(c, 'u') ? take_hexadecimal(c) : 0;
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff)) : 0;
    }
    if (code == 0 || (code >= 0xdc00 && code < 0xe000))
        return NULL;
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800)
        *to++ = (char)(0xc0 | code >> 6);
    else if (code < 0x10000)
        *to++ = (char)(0xe0 | code >> 12), *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    else
        *to++ = (char)(0xf0 | code >> 18), *to++ = (char)(0x80 | (code >> 12 & 0x3f)),
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
    return to;
}

static char *take_escape(cursor *c, char *to)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *known = peek(c) ? strchr(letters, peek(c)) : NULL;
    if (!known)
        return take(c, 'u') ? take_code(c, to) : NULL;
    c->at++;
    *to++ = meant[known - letters];
    return to;
}

/* Writes what stands before the closing quote, which is passed; NULL where it is at fault. */
static char *take_letters(cursor *c, char *to)
{
    while (to && c->at < c->end && *c->at != '"') {
        unsigned char next[5] = {0}; /* the character may end with the text */
        uint32_t character;
        size_t left = (size_t)(c->end - c->at), length;
        memcpy(next, c->at, left < 4 ? left : 4);
        if (*next < 0x20 || (length = okra_utf8(next, &character)) == 0)
            return NULL;
        c->at += length;
        if (*next == '\\') {
            to = take_escape(c, to);
        } else {
            memcpy(to, next, length);
            to += length;
        }
    }
    return to && take(c, '"') ? to : NULL;
}

/* A string, to be freed; it is never longer than what stands for it. */
static char *take_string(cursor *c)
{
    if (!take(c, '"'))
        return NULL;
    const char *quote = c->at;
    while (quote < c->end && *quote != '"')
        quote += *quote == '\\' && c->end - quote > 1 ? 2 : 1;
    char *text = malloc((size_t)(quote - c->at) + 1), *end = text ? take_letters(c, text) : NULL;
    c->lacks_memory = !text;
    if (end) {
        *end = '\0';
        return text;
    }
    free(text);
    return NULL;
}

/* ---- values -------------------------------------------------------------------------------------------------- */

/* What jansson has made, or the lack of memory for it. */
static json_t *made(cursor *c, json_t *value)
{
    c->lacks_memory = !value;
    return value;
}

static size_t pass_digits(cursor *c)
{
    const char *from = c->at;
    while (peek(c) >= '0' && peek(c) <= '9')
        c->at++;
    return (size_t)(c->at - from);
}

/* Over a number; whether it is a whole one. False where there is none. */
static bool pass_number(cursor *c, bool *whole)
{
    take(c, '-');
    const char *first = c->at;
    size_t digits = pass_digits(c);
    bool fraction = take(c, '.');
    if (digits == 0 || (digits > 1 && *first == '0') || (fraction && pass_digits(c) == 0))
        return false;
    bool power = take(c, 'e') || take(c, 'E');
    *whole = !fraction && !power;
    if (power && !take(c, '-'))
        take(c, '+');
    return !power || pass_digits(c) > 0;
}

static json_t *take_number(cursor *c)
{
    const char *from = c->at;
    bool whole;
    double x;
    if (!pass_number(c, &whole) || !peek(c) || !strchr(",]} \t\r\n", peek(c)))
        return NULL;
    if (whole && !c->reals) {
        errno = 0;
        long long n = strtoll(from, NULL, 10);
        return errno ? NULL : made(c, json_integer(n));
    }
    return okra_parse_real(from, c->at, &x) == OKRA_NUMBER_REAL ? made(c, json_real(x)) : NULL;
}

static json_t *take_text(cursor *c)
{
    char *text = take_string(c);
    json_t *value = text ? made(c, json_string_nocheck(text)) : NULL;
    free(text);
    return value;
}

static json_t *take_word(cursor *c, const char *word, json_t *value)
{
    size_t length = strlen(word);
    bool there = (size_t)(c->end - c->at) >= length && memcmp(c->at, word, length) == 0;
    c->at += there ? length : 0;
    return there ? value : NULL;
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than okra_json_look_over() has allowed */

static json_t *take_value(cursor *c);

/* "key": value */
static bool take_member(cursor *c, json_t *object)
{
    pass_blanks(c);
    char *key = take_string(c);
    pass_blanks(c);
    c->twice = key && json_object_get(object, key);
    bool fine = key && !c->twice && take(c, ':');
    json_t *value = fine ? take_value(c) : NULL;
    bool done = value && json_object_set_new_nocheck(object, key, value) == 0;
    if (value && !done)
        c->lacks_memory = true;
    free(key);
    return done;
}

static bool take_item(cursor *c, json_t *array)
{
    json_t *value = take_value(c);
    bool done = value && json_array_append_new(array, value) == 0;
    if (value && !done)
        c->lacks_memory = true;
    return done;
}

/* An object or an array, whose opening bracket has been passed. */
static json_t *take_members(cursor *c, bool object)
{
    json_t *all = made(c, object ? json_object() : json_array());
    char close = object ? '}' : ']';
    bool fine = all != NULL;
    pass_blanks(c);
    if (fine && take(c, close))
        return all;
    do {
        fine = fine && (object ? take_member(c, all) : take_item(c, all));
        if (fine)
            pass_blanks(c); /* after a fault we stay where it is */
    } while (fine && take(c, ','));
    if (fine && take(c, close))
        return all;
    json_decref(all);
    return NULL;
}

static json_t *take_value(cursor *c)
{
    pass_blanks(c);
    switch (peek(c)) {
    case '{':
    case '[':
        return take_members(c, *c->at++ == '{');
    case '"':
        return take_text(c);
    case 't':
        return take_word(c, "true", json_true());
    case 'f':
        return take_word(c, "false", json_false());
    case 'n':
        return take_word(c, "null", json_null());
    default:
        return take_number(c);
    }
}

/* NOLINTEND(misc-no-recursion) */

/* ---- whole texts --------------------------------------------------------------------------------------------- */

static void tell_place(const char *text, const char *at, size_t *line, size_t *column)
{
    for (*line = *column = 1; text < at; text++, ++*column)
        if (*text == '\n')
            ++*line, *column = 0;
}

json_t *okra_json_load(const char *text, size_t length, bool reals, const char **wrong, size_t *line, size_t *column)
{
    cursor c = {.at = text, .end = text + length, .reals = reals};
    pass_blanks(&c);
    json_t *all = peek(&c) == '{' || peek(&c) == '[' ? take_value(&c) : NULL;
    if (all)
        pass_blanks(&c);
    *wrong = NULL;
    if (all ? c.at == c.end : c.lacks_memory)
        return all;
    json_decref(all);
    *wrong = c.twice ? "a name that is there twice" : "cannot be read as JSON";
    tell_place(text, c.at, line, column);
    return NULL;
}

/* Measured first, so that jansson need not make room. */
char *okra_json_dump(const json_t *json, size_t flags)
{
    size_t length = json_dumpb(json, NULL, 0, flags);
    char *text = length > 0 ? malloc(length + 1) : NULL;
    if (text && json_dumpb(json, text, length, flags) == length) {
        text[length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}
