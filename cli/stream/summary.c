/*
 * The summary, made once as a JSON object, so that the text and the file cannot drift apart.
 */
#include "summary.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/metrics.h"
#include "../common/params.h"
#include "../common/talk.h"
#include "../common/text.h"

enum { MISSING_TEXT = 3 * (COLUMN_LABEL + 48) };

/* JSON has no NaN and no infinity. */
static json_t *real(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *count(uint64_t n) { return n <= INT64_MAX ? json_integer((json_int_t)n) : json_real((double)n); }

/* "0.5,1,2" as an array, one number as itself. */
static json_t *reals(const char *text)
{
    char *end;
    double first = strtod(text, &end);
    if (!*end)
        return real(first);
    json_t *list = json_array();
    for (json_array_append_new(list, real(first)); *end == ',';)
        json_array_append_new(list, real(strtod(end + 1, &end)));
    return list;
}

static json_t *parameter(const okra_spec *spec, const okra_param *param)
{
    char text[OKRA_VALUE_TEXT];
    if (okra_spec_get(spec, param->name, text, sizeof text))
        return json_null();
    if (param_has_word(param, text))
        return json_string(text);
    bool counts = param->kind == OKRA_PARAM_COUNT || param->kind == OKRA_PARAM_SEED;
    return counts ? count(strtoull(text, NULL, 10)) : reals(text);
}

static bool has_dictionary(const summary *s) { return recipe_param(okra_recipe_find(s->spec.recipe), "capacity"); }

/* By name, or by number from 1 where there is no header; null where a column is not there. */
static json_t *column(const okra_table *table, size_t at)
{
    if (at == NO_COLUMN)
        return json_null();
    const char *name = okra_table_column_name(table, at);
    json_t *text = name && *name ? json_string(name) : NULL; /* NULL too where it is not UTF-8 */
    return text ? text : count(at + 1);
}

static json_t *columns_of(const okra_table *table, size_t n, const size_t *at)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, column(table, at[i]));
    return list;
}

/* Every parameter in force, under the names of the options. */
static void add_model(json_t *all, const okra_spec *spec)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    json_object_set_new(all, "recipe", json_string(recipe->name));
    for (size_t i = 0; i < recipe->n_params; i++)
        json_object_set_new(all, recipe->params[i].param->name, parameter(spec, recipe->params[i].param));
}

static void add_drifts(json_t *all, const drift_watch *drift)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < drift->drifts && i < DRIFT_ROWS; i++)
        json_array_append_new(rows, count(drift->rows[i]));
    json_object_set_new(all, "drifts", count(drift->drifts));
    json_object_set_new(all, "drift_rows", rows);
}

static json_t *make(const summary *s)
{
    json_t *all = json_object();
    json_object_set_new(all, "rows", count(s->rows));
    json_object_set_new(all, "learnt", count(s->learnt));
    json_object_set_new(all, "skipped", count(s->skipped));
    json_object_set_new(all, "gaps", count(s->gaps));
    if (s->restarts > 0)
        json_object_set_new(all, "restarts", count(s->restarts));
    json_object_set_new(all, "mse", real(score_mse(s->score)));
    json_object_set_new(all, "mse_db", real(score_mse_db(s->score)));
    json_object_set_new(all, "nmse", real(score_nmse(s->score)));
    if (s->audio)
        json_object_set_new(all, "erle_db", real(score_erle_db(s->score)));
    if (s->residual)
        json_object_set_new(all, "clipped", count(s->clipped));
    if (s->intervals)
        json_object_set_new(all, "coverage", real(score_coverage(s->score)));
    if (s->drift)
        add_drifts(all, s->drift);
    json_object_set_new(all, "seconds", real(s->seconds));
    json_object_set_new(all, "rows_per_second", real((double)s->rows / s->seconds));
    json_object_set_new(all, "target", columns_of(s->table, s->columns->n_targets, s->columns->targets));
    json_object_set_new(all, "inputs", columns_of(s->table, s->columns->n_inputs, s->columns->inputs));
    add_model(all, &s->spec);
    if (has_dictionary(s)) {
        json_object_set_new(all, "centres", count(s->stats.centres));
        json_object_set_new(all, "full", count(s->stats.full));
    }
    return all;
}

/* Names come from files, and may hold what a terminal would obey. */
static void print_value(const json_t *value)
{
    if (json_is_string(value))
        print_plain(stderr, json_string_value(value));
    else if (json_is_integer(value))
        fprintf(stderr, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        fprintf(stderr, "%.6g", json_real_value(value));
    else
        fputs("-", stderr);
}

/* The first of a list that is too long for a line, and how many there are. */
static void print_values(const json_t *value)
{
    enum { MOST = 12 };
    size_t n = json_array_size(value);
    if (n == 0)
        print_value(value);
    for (size_t i = 0; i < n && i < MOST; i++) {
        if (i > 0)
            fputc(',', stderr);
        print_value(json_array_get(value, i));
    }
    if (n > MOST)
        fprintf(stderr, ",.. (%zu)", n);
    fputc('\n', stderr);
}

/* A dictionary that ran full learns less than it was meant to, and nothing else in the summary shows it. */
static void tell_full(const summary *s)
{
    if (has_dictionary(s) && s->stats.full > 0)
        talk_note(
            "the dictionary was full %llu time%s when a centre would have been added, and %s: raise --capacity %zu "
            "for more",
            (unsigned long long)s->stats.full, s->stats.full == 1 ? "" : "s",
            s->spec.when_full == OKRA_FULL_OLDEST ? "replaced its oldest" : "adapted those it had", s->spec.capacity);
}

/* Rows went by, and the model is what it was. */
static void tell_unlearnt(const summary *s)
{
    enum { FIRST_ESTIMATE = 16 }; /* see okra_spec */
    if (!s->learns || s->rows == 0 || s->learnt > 0)
        return;
    if (s->rows < FIRST_ESTIMATE)
        talk_note("nothing is learnt yet: an automatic scale or width is first estimated from %d rows", FIRST_ESTIMATE);
    else
        talk_note("nothing was learnt: no row had its target and all that it is predicted from: check --target and "
                  "--inputs");
}

/* The column with most values missing that comes after `before` in that order; NO_COLUMN where there is none. */
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

/* ", most often column 7 (c7), 123 times; column 3 (c3), 120 times": at most three. As it was, which is empty, where no
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

/* A gap in one of many columns costs the whole row, and with lags the rows after it. */
static void tell_gaps(const summary *s)
{
    enum { FEW = 10, SHARE = 100 }; /* up to ten rows, or one in a hundred, are nothing to speak of */
    char list[MISSING_TEXT] = "";
    if (s->gaps <= FEW || s->gaps <= s->rows / SHARE)
        return;
    talk_note("%llu of %llu rows have no prediction%s: a value that they are predicted from is missing%s: %sfill the "
              "gaps before",
              (unsigned long long)s->gaps, (unsigned long long)s->rows, s->learns ? " and were not learnt" : "",
              list_missing(s, list), s->loaded ? "" : "leave such columns out with --without, or ");
}

void summary_print(const summary *s)
{
    json_t *all = make(s), *value;
    const char *key;
    talk_clear();
    json_object_foreach(all, key, value)
    {
        fprintf(stderr, "%-16s ", key);
        print_values(value);
    }
    json_decref(all);
    if (metrics_lack_memory())
        talk_note("out of memory: the summary is not complete");
    tell_full(s);
    tell_unlearnt(s);
    tell_gaps(s);
}

int summary_write(const summary *s, output *out) { return metrics_write(out, make(s)); }
