/*
 * The order of places in a ring between two threads: a maker that fills them and a taker that empties them. What lies
 * in the places is theirs.
 */
#ifndef OKRA_CLI_RING_H
#define OKRA_CLI_RING_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { RING_LINE = 64 }; /* bytes of a cache line */

typedef struct ring {
    size_t size; /* places, from ring_places() */
    sem_t place_made, place_freed;
    /* Each side's count, and what it last saw of the other's, on a cache line of its own. */
    _Alignas(RING_LINE) atomic_size_t made;
    size_t freed_seen;
    atomic_bool maker_sleeps;
    _Alignas(RING_LINE) atomic_size_t taken;
    size_t made_seen;
    atomic_bool taker_sleeps;
} ring;

/* How many places of so many bytes a ring should have: a power of two, within a megabyte where that allows a few. */
size_t ring_places(size_t bytes);

void ring_start(ring *r, size_t size);
void ring_end(ring *r);

/* Starts the thread of the other side. Signals are left to the main one, which may be waiting for a place. */
bool ring_thread(pthread_t *thread, void *(*work)(void *), void *with);

/* ---- the maker's side ---- */

/* A free place, when there is one. */
size_t ring_room(ring *r);

/* The place is filled. */
void ring_publish(ring *r);

/* Wakes the taker if it sleeps: after each place, or where that can wait, now and then. */
void ring_wake(ring *r);

/* Whether half of the places are filled: time to wake a taker that could wait. */
bool ring_is_half_full(ring *r);

/* Waits until the taker has emptied every place. */
void ring_drain(ring *r);

/* ---- the taker's side ---- */

/* Whether a place is filled, and the first of them. */
bool ring_has(ring *r);
size_t ring_first(ring *r);

/* Waits for a filled place; looks so many times before it sleeps, for a maker that is about to be done. False where
 * `interrupted` (may be NULL) says so first; whoever makes it say so posts place_made. */
bool ring_wait(ring *r, int looks, bool (*interrupted)(void));

/* The first place is empty again. */
void ring_free_first(ring *r);

#endif
