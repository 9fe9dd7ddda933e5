/*
 * The writing thread.
 */
#include "writer.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../common/message.h"

/* What the main thread may request after the blocks before are written. */
typedef enum request { REQUEST_NONE, REQUEST_SYNC, REQUEST_END } request;

struct writer {
    okra_writer *to;
    writer_rows what;
    reader *from;
    double *row;
    queue blocks;
    block word; /* in the queue, it stands for `request` */
    request request;
    sem_t answered;
    pthread_t thread;
    atomic_bool failed;
    bool reported;
    okra_message why; /* of the failure, once that is set */
};

/* ---- the writing thread -------------------------------------------------------------------------------------- */

/* Without a prediction, while lags are being filled, the residual is the target. */
static void make_residual(writer *w, const block *b, size_t i)
{
    size_t targets = w->what.columns->n_targets;
    for (size_t j = 0; j < targets; j++) {
        double error = b->error[i * targets + j];
        w->row[j] = isnan(error) ? b->y[i * targets + j] : error;
    }
}

static void make_row(writer *w, const block *b, size_t i)
{
    const columns *c = w->what.columns;
    double *to = w->row;
    *to++ = (double)(b->first + i + 1);
    for (size_t j = i * c->n_targets; j < (i + 1) * c->n_targets; j++) {
        *to++ = b->y[j];
        *to++ = b->yhat[j];
        *to++ = b->error[j];
        if (w->what.intervals) {
            *to++ = b->lo[j];
            *to++ = b->hi[j];
        }
    }
    for (size_t k = 0; k < c->n_kept && !c->kept_as_text; k++)
        *to++ = b->kept[i * c->n_kept + k];
}

static okra_status write_block(writer *w, const block *b)
{
    bool texts = w->what.columns->kept_as_text && w->what.columns->n_kept > 0;
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < b->n && !status; i++) {
        if (b->weight[i] < 0)
            continue;
        (w->what.residual ? make_residual : make_row)(w, b, i);
        status = okra_writer_row(w->to, w->row, texts ? b->texts + b->text[i] : NULL, &w->why);
    }
    return status || !w->what.eager ? status : okra_writer_flush(w->to, false, &w->why);
}

/* After a failure blocks are still taken, and dropped, so that no thread waits for one. */
static void *write_blocks(void *argument)
{
    writer *w = argument;
    for (;;) {
        block *b = queue_pop(&w->blocks, 0);
        bool good = b && !atomic_load(&w->failed);
        if (good && (b == &w->word ? w->request == REQUEST_SYNC && okra_writer_flush(w->to, true, &w->why)
                                   : write_block(w, b) != OKRA_OK))
            atomic_store(&w->failed, true);
        if (b == &w->word) {
            bool ends = w->request == REQUEST_END;
            sem_post(&w->answered);
            if (ends)
                return NULL;
        } else if (b) {
            reader_return(w->from, b);
        }
    }
}

/* ---- the main thread ----------------------------------------------------------------------------------------- */

static int tell(writer *w)
{
    if (!atomic_load(&w->failed))
        return EXIT_DONE;
    bool first = !w->reported;
    w->reported = true;
    return first ? message_fail(EXIT_IO, "%s", w->why.text) : EXIT_IO;
}

int writer_put(writer *w, block *b)
{
    queue_push(&w->blocks, b);
    return tell(w);
}

/* Returns once all blocks before are written, and this is done. */
static void ask(writer *w, request what)
{
    w->request = what;
    queue_push(&w->blocks, &w->word);
    while (sem_wait(&w->answered) != 0) /* a signal: there is time for it afterwards */
        ;
}

int writer_sync(writer *w, uint64_t *bytes)
{
    ask(w, REQUEST_SYNC);
    *bytes = okra_writer_get(w->to)->bytes;
    return tell(w);
}

uint64_t writer_clipped(writer *w)
{
    if (!w)
        return 0;
    ask(w, REQUEST_NONE);
    return okra_writer_get(w->to)->clipped;
}

static void release(writer *w)
{
    queue_end(&w->blocks);
    sem_destroy(&w->answered);
    free(w->row);
    free(w);
}

writer *writer_start(okra_writer *to, const writer_rows *what, reader *from)
{
    writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->to = to;
    w->what = *what;
    w->from = from;
    w->row = calloc(1 + 5 * what->columns->n_targets + what->columns->n_kept, sizeof *w->row);
    queue_start(&w->blocks);
    sem_init(&w->answered, 0, 0);
    if (!w->row || !queue_thread(&w->thread, write_blocks, w)) {
        release(w);
        return NULL;
    }
    return w;
}

int writer_close(writer *w)
{
    if (!w)
        return EXIT_DONE;
    ask(w, REQUEST_END);
    pthread_join(w->thread, NULL);
    okra_message why;
    if (okra_writer_close(w->to, &why) && !atomic_load(&w->failed)) {
        w->why = why;
        atomic_store(&w->failed, true);
    }
    int status = tell(w);
    release(w);
    return status;
}
