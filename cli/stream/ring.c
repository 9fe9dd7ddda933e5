/*
 * `made` and `taken` count places; each is written by one side only. A side that cannot go on says that it sleeps,
 * looks once more, and waits on its semaphore; the other looks for sleepers after it has moved its count. In this order
 * one of the two always sees the other, so that no wake-up is lost.
 */
#include "ring.h"

#include <signal.h>
#include <string.h>

enum { FEWEST = 8, MOST = 8192, BYTES = 1 << 20 };

size_t ring_places(size_t bytes)
{
    size_t size = MOST;
    while (size > FEWEST && bytes > BYTES / size)
        size /= 2;
    return size;
}

bool ring_thread(pthread_t *thread, void *(*work)(void *), void *with)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, work, with) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void ring_start(ring *r, size_t size)
{
    memset(r, 0, sizeof *r);
    r->size = size;
    sem_init(&r->place_made, 0, 0);
    sem_init(&r->place_freed, 0, 0);
}

void ring_end(ring *r)
{
    sem_destroy(&r->place_made);
    sem_destroy(&r->place_freed);
}

static size_t own(const atomic_size_t *count) { return atomic_load_explicit(count, memory_order_relaxed); }

/* ---- the maker's side ---------------------------------------------------------------------------------------- */

/* Sleeps until at most `most` places are filled. */
static void wait_until_filled(ring *r, size_t most)
{
    size_t made = own(&r->made);
    for (;;) {
        atomic_store(&r->maker_sleeps, true);
        r->freed_seen = atomic_load(&r->taken);
        if (made - r->freed_seen <= most)
            break;
        sem_wait(&r->place_freed);
    }
    atomic_store(&r->maker_sleeps, false);
}

/* A full ring is waited for until it is half empty, so that the two take turns in long strides. */
size_t ring_room(ring *r)
{
    size_t made = own(&r->made);
    if (made - r->freed_seen == r->size) {
        r->freed_seen = atomic_load_explicit(&r->taken, memory_order_acquire);
        if (made - r->freed_seen == r->size)
            wait_until_filled(r, r->size / 2);
    }
    return made & (r->size - 1);
}

void ring_publish(ring *r) { atomic_store(&r->made, own(&r->made) + 1); }

void ring_wake(ring *r)
{
    if (atomic_load(&r->taker_sleeps) && atomic_exchange(&r->taker_sleeps, false))
        sem_post(&r->place_made);
}

bool ring_is_half_full(ring *r)
{
    size_t made = own(&r->made);
    if (made - r->freed_seen < r->size / 2)
        return false;
    r->freed_seen = atomic_load_explicit(&r->taken, memory_order_acquire);
    return made - r->freed_seen >= r->size / 2;
}

void ring_drain(ring *r)
{
    ring_wake(r);
    wait_until_filled(r, 0);
}

/* ---- the taker's side ---------------------------------------------------------------------------------------- */

bool ring_has(ring *r)
{
    size_t taken = own(&r->taken);
    if (r->made_seen == taken)
        r->made_seen = atomic_load_explicit(&r->made, memory_order_acquire);
    return r->made_seen != taken;
}

size_t ring_first(ring *r) { return own(&r->taken) & (r->size - 1); }

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static bool look_a_while(ring *r, int looks)
{
    for (int i = 0; i < looks; i++) {
        if (ring_has(r))
            return true;
        relax();
    }
    return ring_has(r);
}

bool ring_wait(ring *r, int looks, bool (*interrupted)(void))
{
    while (!look_a_while(r, looks)) {
        if (interrupted && interrupted())
            return false;
        atomic_store(&r->taker_sleeps, true);
        if (atomic_load(&r->made) == own(&r->taken))
            sem_wait(&r->place_made);
        atomic_store(&r->taker_sleeps, false);
    }
    return true;
}

/* The maker sleeps only while many places are filled, or all are waited for: it is looked for now and then, and at the
 * last. */
void ring_free_first(ring *r)
{
    size_t taken = own(&r->taken) + 1;
    atomic_store_explicit(&r->taken, taken, memory_order_release);
    if (taken % (r->size / FEWEST) != 0 && taken != r->made_seen)
        return;
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&r->maker_sleeps) && atomic_load(&r->made) - taken <= r->size / 2 &&
        atomic_exchange(&r->maker_sleeps, false))
        sem_post(&r->place_freed);
}
