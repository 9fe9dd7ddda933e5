/*
 * Rows from lines of JSON: an object a line. The first object names the columns, nested values by a path: a.b for
 * {"a": {"b": 1}}, and a.0, a.1 for {"a": [1, 2]}. A name that a later object lacks is a missing value.
 *
 * A name that only a later object has is refused, as a field too many is in CSV: it would be left out unnoticed. If the
 * caller has chosen columns, the others do not matter, and it is passed over.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../json/read.h"
#include "csv.h"
#include "table.h"

/* A short line of nested names could otherwise make long names for very many columns. */
enum { MAX_DEPTH = 16, LONGEST_NAME = 1 << 10, LONGEST_NAMES = 1 << 24 };

typedef struct jsonl_table {
    okra_table base;
    okra_json_reader json; /* of the line */
    char *line;            /* the last one read, and its number .. */
    size_t length;
    uint64_t number;
    bool pending; /* .. which is the first, and still to be delivered */
    okra_keys columns;
    uint64_t row;   /* counts objects .. */
    uint64_t *seen; /* .. and of each column, the last one that had it */
    size_t next;    /* where the column after the last one is expected: objects tend to be in the same order */

    /* The name of the value that is read, and at each level what its names begin with. */
    char name[LONGEST_NAME + 1];
    size_t prefix[MAX_DEPTH + 1];
    bool array[MAX_DEPTH + 1];
    size_t index[MAX_DEPTH + 1]; /* in an array */
    unsigned depth;
} jsonl_table;

/* A value of an object, and its name in jsonl_table.name. */
typedef struct json_value {
    okra_json_event kind; /* OKRA_JSON_END: there are no more */
    const char *text;     /* of a string or number; ends with a NUL */
    size_t length;
} json_value;

/* ---- lines --------------------------------------------------------------------------------------------------- */

/* The next line that is not blank. No byte is searched twice. */
static okra_status next_line(jsonl_table *t, bool *more, okra_message *why)
{
    okra_source *source = &t->base.source;
    size_t searched = 0;
    for (;;) {
        char *begin = source->buffer + source->start;
        size_t held = okra_source_held(source);
        char *end = memchr(begin + searched, '\n', held - searched);
        if (!end && !okra_source_ended(source)) {
            searched = held;
            okra_status status = okra_source_fill(source, why);
            if (status)
                return status;
            continue;
        }
        *more = held > 0;
        if (!*more)
            return OKRA_OK;
        t->length = end ? (size_t)(end - begin) : held;
        t->line = begin;
        t->number = source->line++;
        source->start += t->length + (end != NULL);
        searched = 0;
        while (t->length > 0 && (begin[t->length - 1] == '\r' || begin[t->length - 1] == ' '))
            t->length--;
        if (okra_skip_blanks(begin, begin + t->length, 0) < begin + t->length)
            return OKRA_OK;
    }
}

static okra_status refuse_line(const jsonl_table *t, const char *what, okra_message *why)
{
    return okra_refuse(why, "%s:%llu: %s", t->base.source.path, (unsigned long long)t->number, what);
}

/* ---- names of values ----------------------------------------------------------------------------------------- */

static bool add_name(jsonl_table *t, const char *text, size_t length)
{
    size_t at = t->prefix[t->depth], point = at > 0;
    if (at + point + length > LONGEST_NAME)
        return false;
    if (point)
        t->name[at] = '.';
    memcpy(t->name + at + point, text, length);
    t->name[at + point + length] = '\0';
    return true;
}

static bool add_index(jsonl_table *t)
{
    char text[24];
    return add_name(t, text, (size_t)snprintf(text, sizeof text, "%zu", t->index[t->depth]++));
}

/* ---- values -------------------------------------------------------------------------------------------------- */

static okra_status refuse_json(const jsonl_table *t, okra_message *why)
{
    const okra_json_reader *json = &t->json;
    if (json->lacks_memory)
        return okra_error(OKRA_E_MEMORY, why, "%s:%llu: out of memory", t->base.source.path,
                          (unsigned long long)t->number);
    return okra_refuse(why, "%s:%llu: byte %zu: %s: a line must be one JSON object, as in jq -c .", t->base.source.path,
                       (unsigned long long)t->number, json->offset + 1, json->wrong);
}

static okra_status begin_object(jsonl_table *t, okra_message *why)
{
    okra_json_limits limits = {.depth = MAX_DEPTH, .text = t->length};
    okra_text kept = t->json.buffer;
    okra_json_start(&t->json, limits);
    t->json.buffer = kept;
    okra_json_feed(&t->json, t->line, t->length);
    okra_json_finish(&t->json);
    t->depth = 0;
    t->next = 0;
    okra_json_event event = okra_json_next(&t->json);
    if (event == OKRA_JSON_ERROR)
        return refuse_json(t, why);
    if (event != OKRA_JSON_OBJECT)
        return refuse_line(t, "is not a JSON object: write a row as {\"x\":1,\"y\":2}", why);
    t->depth = 1;
    t->prefix[1] = 0;
    t->array[1] = false;
    return OKRA_OK;
}

static void open_level(jsonl_table *t, bool array)
{
    t->depth++;
    t->prefix[t->depth] = strlen(t->name);
    t->array[t->depth] = array;
    t->index[t->depth] = 0;
}

/* The next value that is neither object nor array. */
static okra_status next_value(jsonl_table *t, json_value *value, okra_message *why)
{
    for (;;) {
        okra_json_event event = okra_json_next(&t->json);
        bool named = true, begins = event == OKRA_JSON_OBJECT || event == OKRA_JSON_ARRAY;
        if (event == OKRA_JSON_ERROR)
            return refuse_json(t, why);
        *value = (json_value){event, t->json.text, t->json.length};
        if (event == OKRA_JSON_END)
            return OKRA_OK;
        if (event == OKRA_JSON_OBJECT_END || event == OKRA_JSON_ARRAY_END) {
            t->depth--;
            continue;
        }
        if (event == OKRA_JSON_KEY)
            named = add_name(t, t->json.text, t->json.length);
        else if (t->array[t->depth])
            named = add_index(t);
        if (!named)
            return refuse_line(t, "has a name that is too long: shorten it", why);
        if (begins)
            open_level(t, event == OKRA_JSON_ARRAY);
        else if (event != OKRA_JSON_KEY)
            return OKRA_OK;
    }
}

/* The column of the value that is read; OKRA_NO_KEY: there is none. */
static size_t find_column(jsonl_table *t)
{
    size_t c = t->next;
    if (c >= t->base.columns || strcmp(t->base.names[c], t->name) != 0)
        c = okra_keys_find(&t->columns, t->name);
    t->next = c + 1;
    return c;
}

/* As a field of CSV. */
static okra_number read_value(const json_value *value, const okra_missing *missing, double *x)
{
    const char *begin = value->text, *end = begin + value->length;
    switch (value->kind) {
    case OKRA_JSON_TRUE:
    case OKRA_JSON_FALSE:
        *x = value->kind == OKRA_JSON_TRUE;
        return OKRA_NUMBER_REAL;
    case OKRA_JSON_NULL:
        *x = (double)NAN;
        return OKRA_NUMBER_MISSING;
    default:
        break;
    }
    okra_field f = okra_plain_field(okra_skip_blanks(begin, end, 0), end, 0);
    return okra_read_field(&f, missing, x);
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

static okra_status add_column(jsonl_table *t, size_t *bytes, okra_message *why)
{
    okra_table *table = &t->base;
    *bytes += strlen(t->name) + 1;
    if (okra_keys_find(&t->columns, t->name) != OKRA_NO_KEY)
        return okra_refuse(why, "%s:%llu: has the name '%.60s' twice: rename one", table->source.path,
                           (unsigned long long)t->number, t->name);
    if (t->columns.count == OKRA_MAX_COLUMNS || *bytes > LONGEST_NAMES)
        return refuse_line(t, "has more names than can be read: is it a row of numbers?", why);
    if (!okra_keys_add(&t->columns, t->name))
        return okra_error(OKRA_E_MEMORY, why, "%s: out of memory for %zu columns", table->source.path,
                          t->columns.count);
    return OKRA_OK;
}

static okra_status copy_names(jsonl_table *t, okra_message *why)
{
    okra_table *table = &t->base;
    bool done = (table->names = calloc(t->columns.count, sizeof *table->names)) &&
                (t->seen = calloc(t->columns.count, sizeof *t->seen));
    for (size_t c = 0; done && c < t->columns.count; c++) {
        table->columns = c + 1;
        done = (table->names[c] = strdup(okra_keys_at(&t->columns, c)));
    }
    return done ? OKRA_OK
                : okra_error(OKRA_E_MEMORY, why, "%s: out of memory for %zu columns", table->source.path,
                             t->columns.count);
}

static okra_status learn_columns(jsonl_table *t, okra_message *why)
{
    json_value value = {.kind = OKRA_JSON_NULL};
    size_t bytes = 0;
    okra_status status = begin_object(t, why);
    while (!status && !(status = next_value(t, &value, why)) && value.kind != OKRA_JSON_END)
        status = add_column(t, &bytes, why);
    if (status)
        return status;
    if (t->columns.count == 0)
        return refuse_line(t, "names no values: the first object names the columns", why);
    return copy_names(t, why);
}

static okra_status jsonl_open(okra_table *table, const okra_table_options *options, okra_message *why)
{
    (void)options;
    jsonl_table *t = (jsonl_table *)table;
    okra_status status = okra_source_skip_mark(&table->source, why);
    if (!status)
        status = next_line(t, &t->pending, why);
    if (status)
        return status;
    if (!t->pending)
        return okra_refuse(why, "%s: is empty: it needs rows, each a JSON object on a line", table->source.path);
    return learn_columns(t, why);
}

static void jsonl_close(okra_table *table)
{
    jsonl_table *t = (jsonl_table *)table;
    okra_json_stop(&t->json);
    okra_keys_free(&t->columns);
    free(t->seen);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static okra_status refuse_value(const jsonl_table *t, size_t c, const json_value *value, okra_number kind,
                                okra_message *why)
{
    static const char *const complaints[] = {
        [OKRA_NUMBER_INFINITE] = "is not finite: correct it, or make it null if there is no value",
        [OKRA_NUMBER_LARGE] = "is too large for a double: scale the column",
        [OKRA_NUMBER_TEXT] = "is not a number: correct it, make it null if there is no value, or leave its column out"};
    return okra_refuse(why, "%s:%llu: column %zu (%.60s): '%.40s%s' %s", t->base.source.path,
                       (unsigned long long)t->number, c + 1, t->name, value->text, value->length > 40 ? "..." : "",
                       complaints[kind]);
}

static okra_status refuse_name(const jsonl_table *t, bool twice, okra_message *why)
{
    return okra_refuse(why, "%s:%llu: '%.60s' %s", t->base.source.path, (unsigned long long)t->number, t->name,
                       twice ? "is there twice: rename one"
                             : "is not in the first object, which names the columns: add it there, as null if there is "
                               "no value, or choose the columns to be read");
}

static bool columns_are_chosen(const okra_table *table)
{
    bool chosen = false;
    for (size_t c = 0; table->ignored && c < table->columns && !chosen; c++)
        chosen = table->ignored[c];
    return chosen;
}

static okra_status take_value(jsonl_table *t, const json_value *value, double *row, okra_message *why)
{
    size_t c = find_column(t);
    if (c == OKRA_NO_KEY)
        return columns_are_chosen(&t->base) ? OKRA_OK : refuse_name(t, false, why);
    if (t->seen[c] == t->row)
        return refuse_name(t, true, why);
    t->seen[c] = t->row;
    if (okra_table_ignores(&t->base, c))
        return OKRA_OK;
    okra_number kind = read_value(value, &t->base.missing, &row[c]);
    return kind > OKRA_NUMBER_MISSING ? refuse_value(t, c, value, kind, why) : OKRA_OK;
}

static okra_status parse_row(jsonl_table *t, double *row, okra_message *why)
{
    json_value value;
    t->row++;
    for (size_t c = 0; c < t->base.columns; c++)
        row[c] = (double)NAN;
    okra_status status = begin_object(t, why);
    while (!status && !(status = next_value(t, &value, why)) && value.kind != OKRA_JSON_END)
        status = take_value(t, &value, row, why);
    return status;
}

static okra_status next_row(jsonl_table *t, bool *more, okra_message *why)
{
    *more = t->pending;
    okra_status status = t->pending ? OKRA_OK : next_line(t, more, why);
    t->pending = false;
    if (!status && *more)
        t->base.info.line = t->number;
    return status;
}

static okra_status jsonl_next(okra_table *table, double *row, bool *more, okra_message *why)
{
    jsonl_table *t = (jsonl_table *)table;
    okra_status status = next_row(t, more, why);
    return status || !*more ? status : parse_row(t, row, why);
}

static okra_status jsonl_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    bool more = true;
    okra_status status = OKRA_OK;
    for (*skipped = 0; *skipped < rows && more && !status; *skipped += more && !status)
        status = next_row((jsonl_table *)table, &more, why);
    return status;
}

/* Reads the line again: few columns are wanted as text. A table that is asked for text is not changed by it. */
static size_t jsonl_text(const okra_table *table, size_t column, char *text, size_t size)
{
    jsonl_table *t = (jsonl_table *)(uintptr_t)table;
    json_value value;
    size_t length = 0;
    okra_status status = begin_object(t, NULL);
    while (!status && !(status = next_value(t, &value, NULL)) && value.kind != OKRA_JSON_END) {
        if (find_column(t) != column || value.kind == OKRA_JSON_NULL)
            continue;
        bool word = value.kind == OKRA_JSON_TRUE || value.kind == OKRA_JSON_FALSE;
        length = (size_t)snprintf(text, size, "%s",
                                  !word                          ? value.text
                                  : value.kind == OKRA_JSON_TRUE ? "true"
                                                                 : "false");
        break;
    }
    return length;
}

const okra_table_class okra_jsonl_class = {
    .size = sizeof(jsonl_table),
    .open = jsonl_open,
    .next = jsonl_next,
    .skip = jsonl_skip,
    .text = jsonl_text,
    .close = jsonl_close,
};
