#include "race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "probe.h"

/* ---- racing -------------------------------------------------------------------------------------------------- */

/* What this thread has computed: waiting for a core that others use does not count. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(const contender *c)
{
    double start = now();
    c->work(c->context);
    return c->clock ? *c->clock : now() - start;
}

/* The fastest of a few calls, as for the clock (probe.h): what is short can be disturbed a lot. */
enum { CALLS = 3 };
static const double long_enough = 2e-3;

/* Seconds per sample. */
static double turn(const contender *c)
{
    double best = c->work ? seconds_of(c) : NAN;
    for (int i = 1; i < CALLS && best < long_enough; i++)
        best = fmin(best, seconds_of(c));
    return best / c->samples;
}

race race_run(const contender *contenders, size_t n, size_t rounds)
{
    race r = {.n = n, .rounds = rounds};
    r.seconds = bench_take(n * rounds, sizeof *r.seconds);
    r.cycle = bench_take(rounds, sizeof *r.cycle);
    for (size_t i = 0; i < n; i++)
        turn(&contenders[i]);
    for (size_t round = 0; round < rounds; round++) {
        r.cycle[round] = probe_cycle();
        for (size_t k = 0; k < n; k++) {
            size_t i = (round + k) % n; /* nobody always comes after the same one, and finds the caches as it left them
                                         */
            r.seconds[i * rounds + round] = turn(&contenders[i]);
        }
    }
    return r;
}

void race_free(race *r)
{
    free(r->seconds), free(r->cycle);
    *r = (race){0};
}

/* ---- results ------------------------------------------------------------------------------------------------- */

static double smallest(const double *values, size_t n)
{
    double best = values[0];
    for (size_t i = 1; i < n; i++)
        best = fmin(best, values[i]);
    return best;
}

double race_best(const race *r, size_t who) { return 1e9 * smallest(r->seconds + who * r->rounds, r->rounds); }

double race_fastest_cycle(const race *r) { return 1e9 * smallest(r->cycle, r->rounds); }

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
