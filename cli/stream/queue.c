/*
 * A queue of blocks: a mutex, and a semaphore to wait on.
 */
#include "queue.h"

#include <signal.h>
#include <time.h>

enum { PLACES = QUEUE_BLOCKS + 1 };

void queue_start(queue *q)
{
    *q = (queue){0};
    pthread_mutex_init(&q->lock, NULL);
    sem_init(&q->waiting, 0, 0);
}

void queue_end(queue *q)
{
    pthread_mutex_destroy(&q->lock);
    sem_destroy(&q->waiting);
}

void queue_push(queue *q, block *b)
{
    pthread_mutex_lock(&q->lock);
    q->blocks[(q->first + q->n++) % PLACES] = b;
    pthread_mutex_unlock(&q->lock);
    sem_post(&q->waiting);
}

block *queue_pop(queue *q, unsigned seconds)
{
    block *b = NULL;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    if (seconds > 0)
        sem_timedwait(&q->waiting, &until);
    else
        sem_wait(&q->waiting);
    pthread_mutex_lock(&q->lock);
    if (q->n > 0) {
        b = q->blocks[q->first];
        q->first = (q->first + 1) % PLACES;
        q->n--;
    }
    pthread_mutex_unlock(&q->lock);
    return b;
}

bool queue_thread(pthread_t *thread, void *(*work)(void *), void *with)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, work, with) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
