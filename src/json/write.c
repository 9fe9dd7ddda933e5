#include "write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <okra/io.h>

static bool is_set(uint64_t bits, unsigned level) { return bits >> level & 1; }

static void set(uint64_t *bits, unsigned level, bool value)
{
    uint64_t bit = UINT64_C(1) << level;
    *bits = value ? *bits | bit : *bits & ~bit;
}

/* ---- strings ------------------------------------------------------------------------------------------------- */

/* The next character, escaped; returns its length in the text. */
static size_t add_character(okra_text *out, const char *text)
{
    static const char letters[] = "\"\\\b\f\n\r\t", escapes[] = "\"\\bfnrt";
    uint32_t character;
    char escape[8];
    size_t length = okra_utf8((const unsigned char *)text, &character);
    const char *known = memchr(letters, *text, sizeof letters - 1);
    if (length == 0)
        okra_text_add(out, "?");
    else if (known)
        snprintf(escape, sizeof escape, "\\%c", escapes[known - letters]), okra_text_add(out, escape);
    else if (okra_is_command(character))
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)character & 0xffff), okra_text_add(out, escape);
    else
        okra_text_add_bytes(out, text, length);
    return length ? length : 1;
}

static size_t plain_run(const char *text)
{
    size_t n = 0;
    while (text[n] >= 0x20 && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

static void add_string(okra_text *out, const char *text)
{
    okra_text_add(out, "\"");
    while (*text) {
        size_t n = plain_run(text);
        okra_text_add_bytes(out, text, n);
        text += n;
        if (*text)
            text += add_character(out, text);
    }
    okra_text_add(out, "\"");
}

/* ---- between values ------------------------------------------------------------------------------------------ */

static void new_line(okra_json_writer *w)
{
    okra_text_add(&w->out, "\n");
    for (unsigned i = 0; i < w->indent * w->depth; i++)
        okra_text_add(&w->out, " ");
}

static void begin_value(okra_json_writer *w, const char *key)
{
    unsigned level = w->depth - 1;
    if (w->depth > 0) {
        bool first = !is_set(w->filled, level), line = is_set(w->lines, level);
        if (!first)
            okra_text_add(&w->out, w->indent && line ? ", " : ",");
        if (w->indent && !line)
            new_line(w);
        set(&w->filled, level, true);
    }
    if (key) {
        add_string(&w->out, key);
        okra_text_add(&w->out, w->indent ? ": " : ":");
    }
}

static void open_level(okra_json_writer *w, const char *key, char bracket, bool line)
{
    begin_value(w, key);
    okra_text_add(&w->out, bracket == '{' ? "{" : "[");
    set(&w->objects, w->depth, bracket == '{');
    set(&w->filled, w->depth, false);
    set(&w->lines, w->depth, line);
    w->depth++;
}

void okra_json_open(okra_json_writer *w, const char *key, char bracket) { open_level(w, key, bracket, false); }

void okra_json_open_line(okra_json_writer *w, const char *key, char bracket) { open_level(w, key, bracket, true); }

void okra_json_close(okra_json_writer *w)
{
    unsigned level = --w->depth;
    if (w->indent && is_set(w->filled, level) && !is_set(w->lines, level))
        new_line(w);
    okra_text_add(&w->out, is_set(w->objects, level) ? "}" : "]");
}

/* ---- values -------------------------------------------------------------------------------------------------- */

void okra_json_put_json(okra_json_writer *w, const char *key, const char *json, size_t length)
{
    begin_value(w, key);
    okra_text_add_bytes(&w->out, json, length);
}

static void put_word(okra_json_writer *w, const char *key, const char *word)
{
    okra_json_put_json(w, key, word, strlen(word));
}

void okra_json_put_text(okra_json_writer *w, const char *key, const char *text)
{
    begin_value(w, key);
    add_string(&w->out, text);
}

void okra_json_put_real(okra_json_writer *w, const char *key, double value)
{
    char text[OKRA_REAL_TEXT];
    okra_format_real(value, text);
    put_word(w, key, isfinite(value) ? text : "null");
    if (isfinite(value) && !strpbrk(text, ".e"))
        okra_text_add(&w->out, ".0");
}

void okra_json_put_count(okra_json_writer *w, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put_word(w, key, text);
}

void okra_json_put_bool(okra_json_writer *w, const char *key, bool value)
{
    put_word(w, key, value ? "true" : "false");
}

void okra_json_put_null(okra_json_writer *w, const char *key) { put_word(w, key, "null"); }

void okra_json_put_pair(okra_json_writer *w, const char *key, uint64_t a, uint64_t b)
{
    okra_json_open_line(w, key, '[');
    okra_json_put_count(w, NULL, a);
    okra_json_put_count(w, NULL, b);
    okra_json_close(w);
}
