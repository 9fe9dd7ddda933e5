/*
 * A baseline in its own process, connected by two pipes. It prints "ready" once. For every line "go" it runs one round
 * and prints its seconds, by its own clock.
 */
#ifndef OKRA_BENCH_CHILD_H
#define OKRA_BENCH_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct child {
    pid_t process;
    FILE *to, *from;
    double seconds; /* of the last round */
} child;

/* Starts arguments[0], ended by NULL; false if it never gets ready. */
bool child_start(child *c, const char *const *arguments);

/* A runner: one round. */
void child_go(void *context);

/* Ends it, and waits for it. */
void child_end(child *c);

#endif
