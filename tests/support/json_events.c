#include "json_events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "json/write.h"

static const char *const names[] = {"more",   "{",    "}",     "[",    "]",   "key",  "string",
                                    "number", "true", "false", "null", "end", "error"};

/* The next event that is not for want of bytes. */
static okra_json_event next_fed(okra_json_reader *r, const char *text, size_t length, size_t *fed, size_t piece)
{
    okra_json_event event;
    while ((event = okra_json_next(r)) == OKRA_JSON_MORE)
        if (*fed < length) {
            size_t n = piece && piece < length - *fed ? piece : length - *fed;
            okra_json_feed(r, text + *fed, n);
            *fed += n;
        } else {
            okra_json_finish(r);
        }
    return event;
}

char *json_events(const char *text, size_t length, size_t first, size_t piece, okra_json_limits limits)
{
    okra_json_reader r;
    okra_json_event event;
    okra_text log = {0};
    char place[160];
    okra_json_start(&r, limits);
    okra_json_feed(&r, text, first);
    size_t fed = first;
    do {
        event = next_fed(&r, text, length, &fed, piece);
        okra_text_add(&log, names[event]);
        okra_text_add(&log, " ");
        okra_text_add_bytes(&log, r.text, r.length);
        okra_text_add(&log, event == OKRA_JSON_NUMBER && r.whole ? " whole\n" : "\n");
    } while (event < OKRA_JSON_END);
    snprintf(place, sizeof place, "%s at %zu, line %zu, column %zu", r.wrong ? r.wrong : "", r.offset, r.line,
             r.column);
    okra_text_add(&log, place);
    okra_json_stop(&r);
    return okra_text_take(&log);
}

/* ---- trees --------------------------------------------------------------------------------------------------- */

static json_t *number(const okra_json_reader *r, bool reals)
{
    double x;
    if (!r->whole || reals)
        return okra_parse_real(r->text, r->text + r->length, &x) == OKRA_NUMBER_REAL ? json_real(x) : NULL;
    errno = 0;
    long long n = strtoll(r->text, NULL, 10);
    return errno ? NULL : json_integer(n);
}

static json_t *build(okra_json_reader *r, okra_json_event event, bool reals);

/* NOLINTBEGIN(misc-no-recursion): as deep as the reader allows */
static json_t *build_array(okra_json_reader *r, bool reals)
{
    json_t *all = json_array(), *item;
    okra_json_event event;
    while ((event = okra_json_next(r)) != OKRA_JSON_ARRAY_END)
        if (!(item = build(r, event, reals)) || json_array_append_new(all, item) != 0) {
            json_decref(all);
            return NULL;
        }
    return all;
}

static json_t *build_object(okra_json_reader *r, bool reals)
{
    json_t *all = json_object(), *value = NULL;
    okra_json_event event;
    while ((event = okra_json_next(r)) == OKRA_JSON_KEY) {
        char *key = strdup(r->text);
        value = build(r, okra_json_next(r), reals);
        bool done = value && json_object_set_new(all, key, value) == 0;
        free(key);
        if (!done)
            break;
    }
    if (event == OKRA_JSON_OBJECT_END)
        return all;
    json_decref(all);
    return NULL;
}

static json_t *build(okra_json_reader *r, okra_json_event event, bool reals)
{
    switch (event) {
    case OKRA_JSON_OBJECT:
        return build_object(r, reals);
    case OKRA_JSON_ARRAY:
        return build_array(r, reals);
    case OKRA_JSON_STRING:
        return json_stringn(r->text, r->length);
    case OKRA_JSON_NUMBER:
        return number(r, reals);
    case OKRA_JSON_TRUE:
        return json_true();
    case OKRA_JSON_FALSE:
        return json_false();
    case OKRA_JSON_NULL:
        return json_null();
    default:
        return NULL;
    }
}
/* NOLINTEND(misc-no-recursion) */

static void start(okra_json_reader *r, const char *text, size_t length)
{
    okra_json_start(r, (okra_json_limits){.depth = 64, .text = length, .unique = true});
    okra_json_feed(r, text, length);
    okra_json_finish(r);
}

json_t *json_tree(const char *text, size_t length, bool reals)
{
    okra_json_reader r;
    start(&r, text, length);
    json_t *tree = build(&r, okra_json_next(&r), reals);
    bool whole = tree && okra_json_next(&r) == OKRA_JSON_END;
    okra_json_stop(&r);
    if (!whole)
        json_decref(tree);
    return whole ? tree : NULL;
}

bool json_is_as_jansson(const char *text, size_t length, bool reals)
{
    size_t flags = JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | (reals ? JSON_DECODE_INT_AS_REAL : 0);
    json_t *ours = json_tree(text, length, reals), *theirs = json_loadb(text, length, flags, NULL);
    bool same = !ours == !theirs && (!ours || json_equal(ours, theirs));
    json_decref(ours), json_decref(theirs);
    return same;
}

/* ---- and back ------------------------------------------------------------------------------------------------ */

static void put(okra_json_writer *w, okra_json_reader *r, okra_json_event event, const char *key)
{
    switch (event) {
    case OKRA_JSON_OBJECT:
    case OKRA_JSON_ARRAY:
        okra_json_open(w, key, event == OKRA_JSON_OBJECT ? '{' : '[');
        break;
    case OKRA_JSON_OBJECT_END:
    case OKRA_JSON_ARRAY_END:
        okra_json_close(w);
        break;
    case OKRA_JSON_STRING:
        okra_json_put_text(w, key, r->text);
        break;
    case OKRA_JSON_NUMBER:
        okra_json_put_json(w, key, r->text, r->length);
        break;
    case OKRA_JSON_NULL:
        okra_json_put_null(w, key);
        break;
    default:
        okra_json_put_bool(w, key, event == OKRA_JSON_TRUE);
    }
}

char *json_rewritten(const char *text, size_t length, unsigned indent)
{
    okra_json_writer w = {.indent = indent};
    okra_json_reader r;
    okra_json_event event;
    char *key = NULL;
    start(&r, text, length);
    while ((event = okra_json_next(&r)) < OKRA_JSON_END) {
        if (event == OKRA_JSON_KEY) {
            free(key);
            key = strdup(r.text);
            continue;
        }
        put(&w, &r, event, key);
        free(key);
        key = NULL;
    }
    free(key);
    okra_json_stop(&r);
    char *written = okra_text_take(&w.out);
    if (event == OKRA_JSON_END)
        return written;
    free(written);
    return NULL;
}
