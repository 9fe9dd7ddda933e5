/*
 * The writing thread, and the ring of rows between it and the main one.
 */
#include "sink.h"

#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "../common/talk.h"

struct sink {
    okra_writer *writer;
    size_t columns;
    double *values; /* [ring.size][columns] */
    struct text {
        char *text;
        size_t room;
    } * texts; /* of each place */
    bool eager;
    pthread_t thread;
    atomic_bool failed, ending;
    bool told;
    okra_message why; /* of the failure, once that is set */
    ring ring;
};

/* ---- the writing thread -------------------------------------------------------------------------------------- */

/* After a failure rows are still taken, so that nobody waits for room, and dropped. */
static void write_first(sink *s)
{
    size_t first = ring_first(&s->ring);
    const double *row = s->values + first * s->columns;
    if (!atomic_load_explicit(&s->failed, memory_order_relaxed) &&
        okra_writer_row(s->writer, row, s->texts[first].text, &s->why))
        atomic_store(&s->failed, true);
    ring_free_first(&s->ring);
}

static void *write_rows(void *argument)
{
    sink *s = argument;
    while (ring_wait(&s->ring, 0, NULL)) {
        if (atomic_load_explicit(&s->ending, memory_order_acquire))
            return NULL;
        write_first(s);
    }
    return NULL;
}

/* ---- the main thread ----------------------------------------------------------------------------------------- */

static int tell(sink *s)
{
    bool first = !s->told;
    s->told = true;
    return first ? talk_fail(EXIT_IO, "%s", s->why.text) : EXIT_IO;
}

double *sink_room(sink *s) { return s->values + ring_room(&s->ring) * s->columns; }

int sink_texts(sink *s, const char *texts, size_t length)
{
    struct text *place = &s->texts[ring_room(&s->ring)];
    if (length > place->room) {
        char *grown = realloc(place->text, 2 * length);
        if (!grown)
            return talk_fail(EXIT_IO, "out of memory");
        place->text = grown;
        place->room = 2 * length;
    }
    memcpy(place->text, texts, length);
    return EXIT_DONE;
}

int sink_row(sink *s)
{
    ring_publish(&s->ring);
    if (s->eager || ring_is_half_full(&s->ring))
        ring_wake(&s->ring);
    return atomic_load_explicit(&s->failed, memory_order_relaxed) ? tell(s) : EXIT_DONE;
}

void sink_nudge(sink *s) { ring_wake(&s->ring); }

int sink_sync(sink *s, uint64_t *bytes)
{
    ring_drain(&s->ring);
    if (!atomic_load(&s->failed) && okra_writer_flush(s->writer, true, &s->why))
        atomic_store(&s->failed, true);
    *bytes = okra_writer_get(s->writer)->bytes;
    return atomic_load(&s->failed) ? tell(s) : EXIT_DONE;
}

uint64_t sink_clipped(sink *s)
{
    ring_drain(&s->ring);
    return okra_writer_get(s->writer)->clipped;
}

/* ---- starting and stopping ----------------------------------------------------------------------------------- */

static void release(sink *s)
{
    for (size_t i = 0; s->texts && i < s->ring.size; i++)
        free(s->texts[i].text);
    free(s->texts);
    ring_end(&s->ring);
    free(s->values);
    free(s);
}

sink *sink_start(okra_writer *writer, size_t columns, bool eager)
{
    sink *s = aligned_alloc(RING_LINE, sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    s->writer = writer;
    s->columns = columns;
    s->eager = eager;
    ring_start(&s->ring, ring_places(columns * sizeof(double)));
    s->values = calloc(s->ring.size * columns, sizeof(double));
    s->texts = calloc(s->ring.size, sizeof *s->texts);
    if (!s->values || !s->texts || !ring_thread(&s->thread, write_rows, s)) {
        release(s);
        return NULL;
    }
    return s;
}

int sink_close(sink *s)
{
    if (!s)
        return EXIT_DONE;
    ring_drain(&s->ring);
    atomic_store(&s->ending, true);
    ring_room(&s->ring);
    ring_publish(&s->ring); /* a row that says so */
    ring_wake(&s->ring);
    pthread_join(s->thread, NULL);
    okra_message why;
    okra_status closed = okra_writer_close(s->writer, &why);
    int status = EXIT_DONE;
    if (closed && !atomic_load(&s->failed))
        s->why = why;
    if (closed || atomic_load(&s->failed))
        status = tell(s);
    release(s);
    return status;
}
