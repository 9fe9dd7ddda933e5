/*
 * Blocks that wait between two threads. There are QUEUE_BLOCKS of them in all, which go round, and one with a request:
 * a queue is never full.
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

/* The first, once there is one; NULL where whoever posted `waiting` had something else in mind, or after so many
 * seconds, unless they are 0. */
block *queue_pop(queue *q, unsigned seconds);

/* Starts a thread. Signals are left to the main one, which may be waiting for a block. */
bool queue_thread(pthread_t *thread, void *(*work)(void *), void *with);

#endif
