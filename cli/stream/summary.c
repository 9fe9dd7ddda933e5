/*
 * The summary. It is made once, as JSON, so that text and file always agree.
 */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/json_file.h"
#include "../common/params.h"
#include "../common/message.h"
#include "../common/text.h"

enum { MISSING_TEXT = 3 * (COLUMN_LABEL + 48), VALUE_COLUMN = 17 };

/* JSON readers take whole numbers for signed ones. */
static void put_count(okra_json_writer *w, const char *key, uint64_t n)
{
    if (n <= INT64_MAX)
        okra_json_put_count(w, key, n);
    else
        okra_json_put_real(w, key, (double)n);
}

/* "0.5,1,2" as an array, one number as itself. */
static void put_reals(okra_json_writer *w, const char *key, const char *text)
{
    char *end;
    double first = strtod(text, &end);
    if (!*end) {
        okra_json_put_real(w, key, first);
        return;
    }
    okra_json_open(w, key, '[');
    for (okra_json_put_real(w, NULL, first); *end == ',';)
        okra_json_put_real(w, NULL, strtod(end + 1, &end));
    okra_json_close(w);
}

static void put_parameter(okra_json_writer *w, const okra_spec *spec, const okra_param *param)
{
    char text[OKRA_VALUE_TEXT];
    bool counts = param->kind == OKRA_PARAM_COUNT || param->kind == OKRA_PARAM_SEED;
    if (okra_spec_get(spec, param->name, text, sizeof text))
        okra_json_put_null(w, param->name);
    else if (param_has_word(param, text))
        okra_json_put_text(w, param->name, text);
    else if (counts)
        put_count(w, param->name, strtoull(text, NULL, 10));
    else
        put_reals(w, param->name, text);
}

static bool has_dictionary(const summary *s) { return recipe_param(okra_recipe_find(s->spec.recipe), "capacity"); }

/* By name, or by number from 1 if there is no header or no UTF-8; null if a column is not there. */
static void put_column(okra_json_writer *w, const okra_table *table, size_t at)
{
    const char *name = at == NO_COLUMN ? NULL : okra_table_column_name(table, at);
    if (at == NO_COLUMN)
        okra_json_put_null(w, NULL);
    else if (name && *name && okra_is_utf8(name))
        okra_json_put_text(w, NULL, name);
    else
        put_count(w, NULL, at + 1);
}

static void put_columns(okra_json_writer *w, const char *key, const okra_table *table, size_t n, const size_t *at)
{
    okra_json_open(w, key, '[');
    for (size_t i = 0; i < n; i++)
        put_column(w, table, at[i]);
    okra_json_close(w);
}

static const char *column_name(const void *of, size_t i, char number[COLUMN_NUMBER])
{
    const summary *s = of;
    const columns *c = s->columns;
    size_t at = i < c->n_inputs ? c->inputs[i] : c->targets[i - c->n_inputs];
    const char *name = at == NO_COLUMN ? "target" : okra_table_column_name(s->table, at);
    if (name && *name && okra_is_utf8(name))
        return name;
    snprintf(number, COLUMN_NUMBER, "%zu", at + 1);
    return number;
}

column_names summary_names(const summary *s) { return (column_names){column_name, s}; }

/* Whether a parameter has its recipe's default, and most filters do without it. */
static bool is_unsaid(const okra_spec *spec, const okra_param *param)
{
    okra_spec fresh;
    char value[OKRA_VALUE_TEXT], usual[OKRA_VALUE_TEXT];
    return param->quiet && !okra_spec_init(&fresh, spec->recipe, 1, 1) &&
           !okra_spec_get(&fresh, param->name, usual, sizeof usual) &&
           !okra_spec_get(spec, param->name, value, sizeof value) && strcmp(usual, value) == 0;
}

/* The parameters in force, under the names of the options. */
static void put_model(okra_json_writer *w, const okra_spec *spec)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    okra_json_put_text(w, "recipe", recipe->name);
    for (size_t i = 0; i < recipe->n_params; i++)
        if (!is_unsaid(spec, recipe->params[i].param))
            put_parameter(w, spec, recipe->params[i].param);
}

static void put_drifts(okra_json_writer *w, const drift_watch *drift)
{
    put_count(w, "drifts", drift->drifts);
    okra_json_open(w, "drift_rows", '[');
    for (size_t i = 0; i < drift->drifts && i < DRIFT_ROWS; i++)
        put_count(w, NULL, drift->rows[i]);
    okra_json_close(w);
}

static bool is_reported(const summary *s, const metric *m, bool recent)
{
    bool there = m->when == METRIC_ALWAYS || (m->when == METRIC_AUDIO ? s->audio : s->intervals);
    return there && (m->recent || !recent);
}

/* Every metric of the table that there is here. */
static void put_metrics(okra_json_writer *w, const summary *s, const score *of, const char *prefix)
{
    for (const metric *m = score_metrics; m->name; m++) {
        char key[2 * METRIC_NAME];
        snprintf(key, sizeof key, "%s%s", prefix, m->name);
        if (is_reported(s, m, *prefix))
            okra_json_put_real(w, key, m->value(of));
    }
}

/* If there are more rows than the last ones. */
static void put_recent(okra_json_writer *w, const summary *s)
{
    score recent = {0};
    if (s->score->rows > s->score->window && score_recent(s->score, &recent)) {
        put_count(w, "recent_rows", recent.rows);
        put_metrics(w, s, &recent, "recent_");
    }
    score_free(&recent);
}

static void make(okra_json_writer *w, const summary *s)
{
    okra_json_open(w, NULL, '{');
    put_count(w, "rows", s->rows);
    put_count(w, "learnt", s->learnt);
    if (recipe_param(okra_recipe_find(s->spec.recipe), "tolerance"))
        put_count(w, "updates", s->stats.updates);
    put_count(w, "skipped", s->skipped);
    put_count(w, "gaps", s->gaps);
    if (s->restarts > 0)
        put_count(w, "restarts", s->restarts);
    put_metrics(w, s, s->score, "");
    put_recent(w, s);
    if (s->residual)
        put_count(w, "clipped", s->clipped);
    if (s->drift)
        put_drifts(w, s->drift);
    okra_json_put_real(w, "seconds", s->seconds);
    okra_json_put_real(w, "rows_per_second", (double)s->rows / s->seconds);
    put_columns(w, "target", s->table, s->columns->n_targets, s->columns->targets);
    put_columns(w, "inputs", s->table, s->columns->n_inputs, s->columns->inputs);
    put_model(w, &s->spec);
    if (has_dictionary(s)) {
        put_count(w, "centres", s->stats.centres);
        put_count(w, "full", s->stats.full);
    }
    column_names names = summary_names(s);
    relevance_put(w, s->model, &names);
    okra_json_close(w);
}

/* Names come from files, and may hold control characters. */
static void print_value(const okra_json_reader *value, okra_json_event event)
{
    if (event == OKRA_JSON_STRING)
        print_plain(stderr, value->text);
    else if (event == OKRA_JSON_NUMBER && value->whole)
        fputs(value->text, stderr);
    else if (event == OKRA_JSON_NUMBER)
        fprintf(stderr, "%.6g", strtod(value->text, NULL));
    else
        fputs("-", stderr);
}

/* The first of a list that is too long for a line, and how many there are. */
static void print_values(okra_json_reader *value)
{
    enum { MAX_SHOWN = 12 };
    size_t n = 0;
    okra_json_event event = okra_json_next(value);
    bool list = event == OKRA_JSON_ARRAY;
    while (list && (event = okra_json_next(value)) != OKRA_JSON_ARRAY_END && event < OKRA_JSON_END)
        if (n++ < MAX_SHOWN) {
            fputs(n > 1 ? "," : "", stderr);
            print_value(value, event);
        }
    if (n == 0)
        print_value(value, event);
    if (n > MAX_SHOWN)
        fprintf(stderr, ",.. (%zu)", n);
    fputc('\n', stderr);
}

/* The JSON as text, a line per member. */
static void print_text(const char *text)
{
    okra_json_reader reader;
    okra_json_event event;
    json_file_read(&reader, text);
    while ((event = okra_json_next(&reader)) < OKRA_JSON_END)
        if (event == OKRA_JSON_KEY) {
            bool relevance = strcmp(reader.text, RELEVANCE_KEY) == 0;
            fprintf(stderr, "%-*s ", VALUE_COLUMN - 1, reader.text);
            if (relevance && okra_json_next(&reader) == OKRA_JSON_ARRAY)
                relevance_print(stderr, VALUE_COLUMN, &reader);
            else
                print_values(&reader);
        }
    if (event == OKRA_JSON_ERROR)
        message_note("out of memory: the summary is not complete");
    okra_json_stop(&reader);
}

/* Notes that the dictionary was full, which nothing else in the summary shows. */
static void note_full(const summary *s)
{
    if (has_dictionary(s) && s->stats.full > 0)
        message_note("the dictionary was full %llu time%s, and %s: raise --capacity %zu for more centres",
                     (unsigned long long)s->stats.full, s->stats.full == 1 ? "" : "s",
                     s->spec.when_full == OKRA_FULL_OLDEST ? "replaced its oldest centre"
                                                           : "updated the centres it had",
                     s->spec.capacity);
}

/* Notes that a way to forget was chosen, and nothing to forget. */
static void note_forget(const summary *s)
{
    if (s->spec.forget == OKRA_FORGET_PRIOR && !(s->spec.beta < 1))
        message_note("--forget prior forgets nothing with --beta 1: give a beta below 1, 0.995 say");
}

/* Notes that nothing was learnt. */
static void note_unlearnt(const summary *s)
{
    enum { FIRST_ESTIMATE = 16 }; /* see okra_spec */
    if (!s->learns || s->rows == 0 || s->learnt > 0)
        return;
    if (s->rows < FIRST_ESTIMATE)
        message_note("nothing is learnt yet: an automatic scale or width is first estimated from %d rows",
                     FIRST_ESTIMATE);
    else
        message_note("nothing was learnt: no row had both its target and all inputs: check --target and --inputs");
}

/* The column with most values missing that comes after `before` in that order; NO_COLUMN if there is none. */
static size_t next_missing(const summary *s, size_t before)
{
    size_t n = s->columns->n_inputs + s->columns->n_targets, next = NO_COLUMN;
    for (size_t i = 0; i < n; i++) {
        bool after = before == NO_COLUMN || s->missing[i] < s->missing[before] ||
                     (i > before && s->missing[i] == s->missing[before]);
        if (s->missing[i] > 0 && after && (next == NO_COLUMN || s->missing[i] > s->missing[next]))
            next = i;
    }
    return next;
}

/* ", most often column 7 (c7), 123 times; column 3 (c3), 120 times": at most three. As it was, which is empty, if no
 * value was missing: rows that are skipped are gaps too. */
static const char *list_missing(const summary *s, char list[MISSING_TEXT])
{
    const columns *c = s->columns;
    size_t used = 0, at = NO_COLUMN;
    for (int k = 0; k < 3 && (at = next_missing(s, at)) != NO_COLUMN; k++) {
        char label[COLUMN_LABEL];
        size_t column = at < c->n_inputs ? c->inputs[at] : c->targets[at - c->n_inputs];
        used += (size_t)snprintf(list + used, MISSING_TEXT - used, "%s%s, %llu time%s", k ? "; " : ", most often ",
                                 column == NO_COLUMN ? "the target" : column_label(s->table, column, label),
                                 (unsigned long long)s->missing[at], s->missing[at] == 1 ? "" : "s");
    }
    return list;
}

/* Notes many gaps: a gap in one column costs the whole row, and with lags the rows after it. */
static void note_gaps(const summary *s)
{
    enum { FEW = 10, SHARE = 100 }; /* up to ten rows, or one in a hundred, are not reported */
    char list[MISSING_TEXT] = "";
    if (s->gaps <= FEW || s->gaps <= s->rows / SHARE)
        return;
    message_note("%llu of %llu rows have no prediction%s: a value they need is missing%s: %sfill the gaps",
                 (unsigned long long)s->gaps, (unsigned long long)s->rows, s->learns ? " and were not learnt" : "",
                 list_missing(s, list), s->loaded ? "" : "leave such columns out (--without), or ");
}

void summary_print(const summary *s)
{
    char *text = summary_json(s, 2);
    message_clear();
    print_text(text ? text : ""); /* which is no JSON */
    free(text);
    note_full(s);
    note_forget(s);
    note_unlearnt(s);
    note_gaps(s);
}

char *summary_json(const summary *s, unsigned indent)
{
    okra_json_writer made = {.indent = indent};
    make(&made, s);
    return okra_text_take(&made.out);
}
