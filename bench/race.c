#include "race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "probe.h"

/* ---- racing -------------------------------------------------------------------------------------------------- */

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Ratios take the thread's processor time: waiting for a core that others use does not count. The kernel's account of
 * it can be a little short in a virtual machine, so the shortest time is taken from the clock on the wall, which
 * cannot.
 */
typedef struct timing {
    double processor, wall;
} timing;

static timing time_call(const runner *c)
{
    double wall = now(CLOCK_MONOTONIC), processor = now(CLOCK_THREAD_CPUTIME_ID);
    c->work(c->context);
    timing t = {.processor = now(CLOCK_THREAD_CPUTIME_ID) - processor, .wall = now(CLOCK_MONOTONIC) - wall};
    return c->clock ? (timing){*c->clock, *c->clock} : t;
}

/* The fastest of a few calls, as for the clock (probe.h): what is short can be disturbed a lot. */
enum { CALLS = 3 };
static const double long_enough = 2e-3;

/* Per sample. */
static timing turn(const runner *c)
{
    timing best = c->work ? time_call(c) : (timing){NAN, NAN};
    for (int i = 1; c->work && i < CALLS && best.wall < long_enough; i++) {
        timing t = time_call(c);
        best = (timing){fmin(best.processor, t.processor), fmin(best.wall, t.wall)};
    }
    return (timing){best.processor / c->samples, best.wall / c->samples};
}

race race_run(const runner *runners, size_t n, size_t rounds)
{
    race r = {.n = n, .rounds = rounds};
    r.seconds = bench_take(n * rounds, sizeof *r.seconds);
    r.best = bench_take(n, sizeof *r.best);
    r.cycle = bench_take(rounds, sizeof *r.cycle);
    for (size_t i = 0; i < n; i++)
        r.best[i] = turn(&runners[i]).wall;
    for (size_t round = 0; round < rounds; round++) {
        r.cycle[round] = probe_cycle();
        for (size_t k = 0; k < n; k++) {
            size_t i = (round + k) % n; /* the order rotates, so that no runner always follows the same one */
            timing t = turn(&runners[i]);
            r.seconds[i * rounds + round] = t.processor;
            r.best[i] = fmin(r.best[i], t.wall);
        }
    }
    return r;
}

void race_free(race *r)
{
    free(r->seconds), free(r->best), free(r->cycle);
    *r = (race){0};
}

/* ---- results ------------------------------------------------------------------------------------------------- */

double race_best(const race *r, size_t who) { return 1e9 * r->best[who]; }

double race_fastest_cycle(const race *r)
{
    double best = r->cycle[0];
    for (size_t round = 1; round < r->rounds; round++)
        best = fmin(best, r->cycle[round]);
    return 1e9 * best;
}

/* over[k] / (times x under[k]) over the rounds. */
static spread spread_of(const double *over, const double *under, double times, size_t rounds)
{
    double *ratios = bench_take(rounds, sizeof *ratios);
    for (size_t k = 0; k < rounds; k++)
        ratios[k] = over[k] / (times * under[k]);
    spread s = spread_make(ratios, rounds);
    free(ratios);
    return s;
}

spread race_in_units(const race *r, size_t who, size_t unit, double times)
{
    return spread_of(r->seconds + who * r->rounds, r->seconds + unit * r->rounds, times, r->rounds);
}

spread race_ratio(const race *r, size_t over, size_t under) { return race_in_units(r, over, under, 1); }

spread race_in_cycles(const race *r, size_t who, double cycles)
{
    return spread_of(r->seconds + who * r->rounds, r->cycle, cycles, r->rounds);
}
