/*
 * The reading thread.
 */
#include "reader.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "../common/signals.h"

enum { BLOCK_ROWS = 512, BLOCK_NUMBERS = 1 << 16, FIRST_ROWS = 16 };
static const double BLOCK_SECONDS = 0.05;

struct reader {
    input *in;
    block blocks[QUEUE_BLOCKS];
    queue empty, filled;
    block *now;            /* being filled */
    size_t max_rows;       /* of a block */
    atomic_size_t rows;    /* of the next ones */
    uint64_t count, every; /* rows passed on; see reader_start() */
    pthread_t thread;
    bool ended; /* main has seen the last block */
};

/* ---- the reading thread -------------------------------------------------------------------------------------- */

static void take_block(reader *r)
{
    do {
        r->now = queue_pop(&r->empty, 0);
    } while (!r->now);
    block_clear(r->now);
}

static void hand_over(reader *r)
{
    r->now->progress = okra_table_progress(r->in->table);
    r->now->first = r->count;
    r->count += r->now->n;
    queue_push(&r->filled, r->now);
}

/* Called while the next row is being read, and is not yet there. */
static void on_wait(void *context)
{
    reader *r = context;
    if (r->now->n == 0)
        return;
    hand_over(r);
    take_block(r);
}

static bool is_due(const reader *r) { return r->every > 0 && (r->count + r->now->n) % r->every == 0; }

static void *read_blocks(void *argument)
{
    reader *r = argument;
    block_state state = BLOCK_GOOD;
    while (state == BLOCK_GOOD) {
        take_block(r);
        do {
            input_next(r->in, &r->now);
        } while (r->now->state == BLOCK_GOOD && r->now->n < atomic_load_explicit(&r->rows, memory_order_relaxed) &&
                 !is_due(r));
        state = r->now->state;
        hand_over(r);
    }
    return NULL;
}

/* ---- the main thread ----------------------------------------------------------------------------------------- */

block *reader_next(reader *r, unsigned seconds)
{
    block *b = queue_pop(&r->filled, seconds);
    if (b)
        r->ended = b->state != BLOCK_GOOD;
    return b;
}

void reader_pace(reader *r, size_t rows, double seconds)
{
    double wanted = seconds > 0 ? BLOCK_SECONDS * (double)rows / seconds : (double)r->max_rows;
    size_t next = wanted < 1 ? 1 : wanted > (double)r->max_rows ? r->max_rows : (size_t)wanted;
    if (rows > 0)
        atomic_store_explicit(&r->rows, next, memory_order_relaxed);
}

void reader_return(reader *r, block *b) { queue_push(&r->empty, b); }

static void release(reader *r)
{
    for (size_t i = 0; i < QUEUE_BLOCKS; i++)
        block_free(&r->blocks[i]);
    queue_end(&r->empty), queue_end(&r->filled);
    free(r);
}

/* Blocks of a few hundred rows, fewer of wide ones. */
static bool make_blocks(reader *r)
{
    const columns *c = &r->in->columns;
    size_t width = c->n_inputs + 6 * c->n_targets + c->n_kept + 3;
    r->max_rows = width > BLOCK_NUMBERS / BLOCK_ROWS ? BLOCK_NUMBERS / width + 1 : BLOCK_ROWS;
    atomic_init(&r->rows, r->max_rows < FIRST_ROWS ? r->max_rows : FIRST_ROWS);
    for (size_t i = 0; i < QUEUE_BLOCKS; i++) {
        if (!block_reserve(&r->blocks[i], r->max_rows, c))
            return false;
        queue_push(&r->empty, &r->blocks[i]);
    }
    return true;
}

reader *reader_start(input *in, uint64_t rows, uint64_t every)
{
    reader *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    *r = (reader){.in = in, .count = rows, .every = every};
    queue_start(&r->empty), queue_start(&r->filled);
    in->waits = on_wait;
    in->context = r;
    if (!make_blocks(r) || !queue_thread(&r->thread, read_blocks, r)) {
        in->waits = NULL;
        release(r);
        return NULL;
    }
    signals_watch(&r->filled.waiting);
    return r;
}

/* A thread that waits for input cannot be joined; what it uses stays, where a search for leaks finds it. Volatile, or
 * it would not be stored. */
static reader *volatile abandoned;

bool reader_stop(reader *r)
{
    signals_unwatch();
    if (!r)
        return true;
    if (!r->ended) {
        abandoned = r;
        return false;
    }
    pthread_join(r->thread, NULL);
    release(r);
    return true;
}
