/*
 * A baseline in a process of its own, between two pipes: it says "ready" once, and for every line "go" does one round
 * and answers with the seconds that took, by its own clock.
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

/* Starts arguments[0], ended by NULL; false if it does not come to be ready. */
bool child_start(child *c, const char *const *arguments);

/* A runner: one round. */
void child_go(void *context);

/* Ends it, and waits for it. */
void child_end(child *c);

#endif
