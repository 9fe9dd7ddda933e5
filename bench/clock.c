#include "clock.h"

#include <math.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void race(contender *contenders, size_t n, int rounds)
{
    for (size_t i = 0; i < n; i++)
        contenders[i].best = INFINITY;
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < n; i++) {
            double start = now();
            contenders[i].work(contenders[i].context);
            contenders[i].best = fmin(contenders[i].best, now() - start);
        }
}
