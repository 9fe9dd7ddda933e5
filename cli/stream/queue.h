/*
 * A queue of blocks between two threads. QUEUE_BLOCKS blocks circulate, and one more carries a request, so a queue is
 * never full.
 */
#ifndef OKRA_CLI_QUEUE_H
#define OKRA_CLI_QUEUE_H

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#include "block.h"

enum { QUEUE_BLOCKS = 6 };

typedef struct queue {
    pthread_mutex_t lock;
    sem_t waiting; /* counts the blocks; no condition, because a signal's handler may post it to wake who waits */
    block *blocks[QUEUE_BLOCKS + 1];
    size_t first, n;
} queue;

void queue_start(queue *q);
void queue_end(queue *q);

void queue_push(queue *q, block *b);

/* Waits for the first block. NULL if `waiting` was posted for another reason, or after so many seconds, unless 0. */
block *queue_pop(queue *q, unsigned seconds);

/* Starts a thread that blocks all signals: the main thread handles them. */
bool queue_thread(pthread_t *thread, void *(*work)(void *), void *with);

#endif
