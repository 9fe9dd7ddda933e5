/*
 * Writes metadata into a model file. Numbers read back to the same bits, so that a resumed score equals one that never
 * stopped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resume_state.h"
#include "resume_keys.h"
#include "../../src/json/text.h"
#include "../common/message.h"

static bool put_count(okra_metadata **metadata, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return !okra_metadata_set(metadata, key, text);
}

static bool put_real(okra_metadata **metadata, const char *key, double value)
{
    char text[OKRA_REAL_TEXT];
    okra_format_real(value, text);
    return !okra_metadata_set(metadata, key, text);
}

/* ---- columns and options ------------------------------------------------------------------------------------- */

/* A name that is not UTF-8 cannot be kept; the number still is. */
static bool put_column(okra_metadata **metadata, const okra_table *table, const char *kind, size_t i, size_t column)
{
    char key[RESUME_KEY];
    const char *name = okra_table_column_name(table, column);
    if (name && okra_metadata_set(metadata, resume_key(key, kind, i, "name"), name) == OKRA_E_MEMORY)
        return false;
    return put_count(metadata, resume_key(key, kind, i, "column"), column + 1);
}

static bool put_columns(okra_metadata **metadata, const okra_table *table, const columns *c)
{
    bool done = true;
    for (size_t j = 0; j < c->n_targets; j++)
        done = done && put_column(metadata, table, "target", j, c->targets[j]);
    for (size_t i = 0; i < c->n_inputs; i++)
        done = done && put_column(metadata, table, "input", i, c->inputs[i]);
    if (c->weight != NO_COLUMN)
        done = done && put_column(metadata, table, "weight", 0, c->weight);
    return done;
}

/* Options of the model are passed on from one file to the next. */
static bool put_options(okra_metadata **metadata, const okra_metadata *before, const arguments *options)
{
    for (size_t i = 0; resume_options[i]; i++) {
        char key[RESUME_KEY];
        const char *value = arguments_value(options, resume_options[i]);
        resume_option_key(key, resume_options[i]);
        if (!value && i < RESUME_MODEL_OPTIONS)
            value = okra_metadata_get(before, key);
        if (value && okra_metadata_set(metadata, key, value) == OKRA_E_MEMORY)
            return false;
    }
    return true;
}

int resume_start_metadata(okra_metadata **metadata, const okra_metadata *before, const arguments *options,
                          const okra_table *table, const columns *c, uint64_t score_from)
{
    *metadata = NULL;
    bool done = put_options(metadata, before, options) && put_columns(metadata, table, c) &&
                put_count(metadata, "run.score_from", score_from);
    return done ? EXIT_DONE : message_fail(EXIT_IO, "out of memory");
}

int resume_inherit_metadata(okra_metadata **metadata, const okra_metadata *before)
{
    static const char *const kinds[] = {"target.", "input.", "weight.", "option."};
    const char *key, *value;
    bool done = true;
    *metadata = NULL;
    for (size_t i = 0; done && okra_metadata_at(before, i, &key, &value); i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strncmp(key, kinds[k], strlen(kinds[k])) == 0)
                done = !okra_metadata_set(metadata, key, value);
    return done ? EXIT_DONE : message_fail(EXIT_IO, "out of memory");
}

/* ---- progress ------------------------------------------------------------------------------------------------ */

size_t resume_window_max(size_t outputs)
{
    enum { ITEMS_MAX = 1 << 17 }; /* of 100 bytes at most: the header of a model file has 16 MB */
    return outputs < ITEMS_MAX ? ITEMS_MAX / outputs : 1;
}

/* The last rows, the oldest first: four numbers for each target. */
static bool put_recent(okra_metadata **metadata, const score *s)
{
    uint64_t rows = s->kept < s->window ? s->kept : s->window;
    okra_text text = {0};
    okra_text_add(&text, "");
    for (uint64_t i = s->kept - rows; i < s->kept; i++)
        for (size_t j = 0; j < s->outputs; j++) {
            const score_item *item = &s->recent[i % s->window * s->outputs + j];
            const double numbers[RESUME_ITEM] = {item->y, item->error, item->lo, item->hi};
            for (size_t k = 0; k < RESUME_ITEM; k++) {
                char number[OKRA_REAL_TEXT + 1];
                size_t length = okra_format_real(numbers[k], number);
                number[length] = ' ';
                okra_text_add_bytes(&text, number, length + 1);
            }
        }
    char *all = okra_text_take(&text);
    bool done = all && !okra_metadata_set(metadata, "score.recent", all);
    free(all);
    return done;
}

static bool put_score(okra_metadata **metadata, const score *s)
{
    char key[RESUME_KEY];
    bool done = put_count(metadata, "score.rows", s->rows);
    for (size_t i = 0; done && score_metrics[i].name; i++)
        if (score_metrics[i].add)
            done = put_real(metadata, resume_metric_key(key, score_metrics[i].name, "sum"), s->sums[i].sum) &&
                   put_count(metadata, resume_metric_key(key, score_metrics[i].name, "n"), s->sums[i].n);
    for (size_t j = 0; done && j < s->outputs; j++) {
        done = put_real(metadata, resume_key(key, "score", j, "mean"), s->mean[j]) &&
               put_real(metadata, resume_key(key, "score", j, "spread"), s->spread[j]);
    }
    return done && put_recent(metadata, s);
}

static bool put_test(okra_metadata **metadata, size_t output, const okra_drift *test)
{
    bool done = true;
    for (size_t i = 0; done && i < RESUME_DRIFT; i++) {
        char key[RESUME_KEY];
        const char *place = (const char *)test + resume_drift[i].offset;
        resume_key(key, "drift", output, resume_drift[i].name);
        done = resume_drift[i].is_count ? put_count(metadata, key, *(const uint64_t *)place)
                                        : put_real(metadata, key, *(const double *)place);
    }
    return done;
}

/* Writes nothing without drift detection. */
static bool put_drift(okra_metadata **metadata, const drift_watch *w)
{
    char key[RESUME_KEY];
    if (w->outputs == 0)
        return true;
    bool done = put_count(metadata, "drift.waited", w->waited) && put_count(metadata, "drift.drifts", w->drifts);
    for (size_t i = 0; done && i < w->drifts && i < DRIFT_ROWS; i++)
        done = put_count(metadata, resume_key(key, "drift", i, "row"), w->rows[i]);
    for (size_t j = 0; done && j < w->outputs; j++)
        done = put_test(metadata, j, &w->tests[j]);
    return done;
}

static bool put_progress(okra_metadata **metadata, const progress *p, uint64_t bytes)
{
    return put_count(metadata, "run.consumed", p->consumed) && put_count(metadata, "run.rows", p->rows) &&
           put_count(metadata, "run.skipped", p->skipped) && put_count(metadata, "run.gaps", p->gaps) &&
           put_count(metadata, "run.before", p->before) && put_real(metadata, "run.seconds", p->seconds) &&
           put_count(metadata, "run.bytes", bytes) && put_count(metadata, "run.fingerprint", p->fingerprint);
}

int resume_save(okra_metadata **metadata, const char *path, const okra_filter *model, const progress *p, const score *s,
                const drift_watch *drift, uint64_t bytes)
{
    okra_message why;
    if (!put_progress(metadata, p, bytes) || !put_score(metadata, s) || !put_drift(metadata, drift))
        return message_fail(EXIT_IO, "%s: out of memory: the model is not saved", path);
    return okra_save(model, path, *metadata, &why) ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}
