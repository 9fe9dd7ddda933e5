/*
 * The reading thread, and the ring of rows between it and the main one.
 */
#include "feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "../common/refusal.h"
#include "../common/signals.h"

enum { LOOKS = 128 };

struct feed {
    okra_table *table;
    size_t columns;
    const size_t *texts; /* columns that are wanted as text */
    size_t n_texts;
    feed_row *rows;
    double *values;
    okra_message first_bad, failure;
    bool any_bad;
    pthread_t thread;
    _Atomic float progress;
    bool holding; /* main still looks at the first row */
    bool ended;   /* main has seen the last one */
    ring ring;
};

/* ---- the reading thread -------------------------------------------------------------------------------------- */

static feed_kind classify(feed *f, okra_status status, bool more, okra_message *why)
{
    if (!status)
        return more ? FEED_ROW : FEED_END;
    if (status != OKRA_E_FORMAT) {
        f->failure = *why;
        return FEED_FAILED;
    }
    name_option(why);
    if (!f->any_bad)
        f->first_bad = *why;
    f->any_bad = true;
    return FEED_BAD;
}

/* Adds the text of a column to the row's; false where there is no memory. */
static bool add_text(const feed *f, feed_row *row, size_t column)
{
    for (;;) {
        size_t left = row->room - row->length,
               needed = 1 + okra_table_text(f->table, column, row->texts ? row->texts + row->length : NULL, left);
        if (row->texts && needed <= left) {
            row->length += needed;
            return true;
        }
        size_t room = 2 * row->room + needed + 64;
        char *grown = realloc(row->texts, room);
        if (!grown)
            return false;
        row->texts = grown;
        row->room = room;
    }
}

static void read_texts(feed *f, feed_row *row)
{
    row->length = 0;
    for (size_t k = 0; k < f->n_texts && row->kind == FEED_ROW; k++)
        if (!add_text(f, row, f->texts[k])) {
            snprintf(f->failure.text, sizeof f->failure.text, "%s", okra_strerror(OKRA_E_MEMORY));
            row->kind = FEED_FAILED;
        }
}

static void read_row(feed *f, feed_row *row)
{
    okra_message why; /* filled where it is needed: half a kilobyte is not to be cleared for every row */
    bool more = true;
    okra_status status = okra_table_next(f->table, row->values, &more, &why);
    row->kind = classify(f, status, more, &why);
    row->line = okra_table_get(f->table)->line;
    read_texts(f, row);
}

static void note_progress(feed *f)
{
    atomic_store_explicit(&f->progress, (float)okra_table_progress(f->table), memory_order_relaxed);
}

static void *read_rows(void *argument)
{
    enum { PROGRESS_ROWS = 64 };
    feed *f = argument;
    feed_kind kind = FEED_ROW;
    bool file = okra_table_progress(f->table) >= 0; /* it never keeps one waiting: rows can be handed over by the
                                                         hundred */
    for (size_t n = 0; kind == FEED_ROW || kind == FEED_BAD; n++) {
        feed_row *row = &f->rows[ring_room(&f->ring)];
        read_row(f, row);
        kind = row->kind;
        if (n % PROGRESS_ROWS == 0)
            note_progress(f);
        ring_publish(&f->ring);
        if (!file || kind != FEED_ROW || ring_is_half_full(&f->ring))
            ring_wake(&f->ring);
    }
    return NULL;
}

/* ---- the main thread ----------------------------------------------------------------------------------------- */

static void let_go(feed *f)
{
    if (f->holding)
        ring_free_first(&f->ring);
    f->holding = false;
}

bool feed_has_row(feed *f)
{
    let_go(f);
    return ring_has(&f->ring);
}

const feed_row *feed_next(feed *f)
{
    let_go(f);
    f->holding = ring_wait(&f->ring, LOOKS, signals_noted);
    if (!f->holding)
        return NULL;
    const feed_row *row = &f->rows[ring_first(&f->ring)];
    f->ended = row->kind == FEED_END || row->kind == FEED_FAILED;
    return row;
}

const char *feed_first_bad(const feed *f) { return f->first_bad.text; }

const char *feed_failure(const feed *f) { return f->failure.text; }

double feed_progress(const feed *f) { return (double)atomic_load_explicit(&f->progress, memory_order_relaxed); }

/* ---- starting and stopping ----------------------------------------------------------------------------------- */

static bool take_rows(feed *f)
{
    size_t size = ring_places(f->columns * sizeof *f->values);
    ring_start(&f->ring, size);
    f->rows = calloc(size, sizeof *f->rows);
    f->values = calloc(size * f->columns, sizeof *f->values);
    for (size_t i = 0; f->rows && f->values && i < size; i++)
        f->rows[i].values = f->values + i * f->columns;
    return f->rows && f->values;
}

static void release(feed *f)
{
    for (size_t i = 0; f->rows && i < f->ring.size; i++)
        free(f->rows[i].texts);
    ring_end(&f->ring);
    free(f->rows);
    free(f->values);
    free(f);
}

feed *feed_start(okra_table *table, const size_t *texts, size_t n_texts)
{
    feed *f = aligned_alloc(RING_LINE, sizeof *f);
    if (!f)
        return NULL;
    memset(f, 0, sizeof *f);
    f->table = table;
    f->columns = okra_table_get(table)->columns;
    f->texts = texts;
    f->n_texts = n_texts;
    if (!take_rows(f) || !ring_thread(&f->thread, read_rows, f)) {
        release(f);
        return NULL;
    }
    signals_watch(&f->ring.place_made);
    return f;
}

/* A thread that waits for input cannot be joined; what it uses stays, where a search for leaks finds it. Volatile, or
 * it would not be stored. */
static feed *volatile abandoned;

bool feed_stop(feed *f)
{
    signals_unwatch();
    if (!f)
        return true;
    if (!f->ended) {
        abandoned = f;
        return false;
    }
    pthread_join(f->thread, NULL);
    release(f);
    return true;
}
