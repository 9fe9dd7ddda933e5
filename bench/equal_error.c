#include "equal_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- floors -------------------------------------------------------------------------------------------------- */

static void measure(const task *s, setup *who)
{
    okra_trial trial = {.signal = s->signal, .filters = &who->spec, .n_filters = 1, .samples = s->samples};
    okra_trial_result result;
    size_t done;
    trial.runs = s->runs, trial.seed = 1;
    okra_status status = okra_trial_run(&trial, &result, &done);
    who->floor = INFINITY;
    if (status == OKRA_E_DIVERGED)
        return;
    bench_check(status);
    who->floor = 0;
    for (size_t r = 0; r < done; r++)
        who->floor += result.floor[r] / (double)done;
    who->centres = result.centres;
    okra_trial_free(&result, 1);
}

setup equal_error_qklms(const task *s)
{
    setup who = {.name = "qklms"};
    bench_check(okra_spec_init(&who.spec, "qklms", s->inputs, 1));
    who.spec.sigma = s->sigma, who.spec.mu = s->mu, who.spec.epsilon = s->epsilon, who.spec.capacity = s->samples;
    measure(s, &who);
    return who;
}

/* ---- a map of some size -------------------------------------------------------------------------------------- */

static void make_stream(const task *s, size_t run, size_t n, double *X, double *y)
{
    okra_signal_spec spec = s->signal;
    okra_signal *signal;
    spec.seed = 1, spec.run = (uint32_t)run;
    bench_check(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, n, X, y);
    okra_signal_free(signal);
}

/* Mean |z|^2 over some of the stream. */
static double power(const task *s, const okra_spec *spec)
{
    enum { SAMPLES = 200 };
    okra_map *map;
    bench_check(okra_map_create(spec, &map));
    size_t numbers = SAMPLES * okra_map_outputs(map);
    double *X = bench_take(SAMPLES * s->inputs, sizeof *X), *y = bench_take(SAMPLES, sizeof *y);
    double *Z = bench_take(numbers, sizeof *Z), sum = 0;
    make_stream(s, 0, SAMPLES, X, y);
    bench_check(okra_map_apply(map, SAMPLES, X, Z));
    for (size_t i = 0; i < numbers; i++)
        sum += Z[i] * Z[i] / SAMPLES;
    okra_map_free(map);
    free(X), free(y), free(Z);
    return sum;
}

static size_t outputs(const okra_spec *spec)
{
    okra_map *map;
    bench_check(okra_map_create(spec, &map));
    size_t features = okra_map_outputs(map);
    okra_map_free(map);
    return features;
}

/* False if the library refuses it. */
static bool try_map(const task *s, const char *map, size_t features, setup *who)
{
    *who = (setup){.name = map};
    if (!bench_map_spec(&who->spec, map, s->inputs, features, OKRA_F64))
        return false;
    who->spec.sigma = s->sigma;
    who->spec.mu = strncmp(map, "linear", 6) == 0 ? s->mu / power(s, &who->spec) : s->mu;
    who->features = outputs(&who->spec);
    measure(s, who);
    return true;
}

/* ---- the search ---------------------------------------------------------------------------------------------- */

enum { GRID_MAX = 128 };

static size_t make_grid(size_t max, size_t *grid)
{
    size_t n = 0, d = 2;
    do {
        grid[n++] = d;
        d = d + 2 > d * 9 / 8 ? d + 2 : d * 9 / 8 / 2 * 2;
    } while (d <= max && n < GRID_MAX);
    return n;
}

/* Strides up the grid to the first D that is enough, its place in *high; everything before *low was too few. */
static bool stride_up(const bench *b, const task *s, const size_t *grid, size_t n, double floor, setup *found,
                      size_t *low, size_t *high)
{
    const char *map = found->name;
    size_t before = 0;
    for (size_t i = 0;; i = i + s->stride < n ? i + s->stride : n - 1) {
        bench_progress(b, "%s %s, D = %zu", s->signal.kind->name, map, grid[i]);
        if (!try_map(s, map, grid[i], found))
            return false;
        *high = i;
        if (found->floor <= floor)
            return true;
        if (i == n - 1 || found->features == before) /* all there are; or a map whose size is fixed */
            return false;
        *low = i + 1;
        before = found->features;
    }
}

bool equal_error_smallest(const bench *b, const task *s, const char *map, double floor, size_t max, setup *found)
{
    size_t grid[GRID_MAX], n = make_grid(max, grid), low = 0, high = 0;
    setup here;
    found->name = map;
    if (!stride_up(b, s, grid, n, floor, found, &low, &high))
        return false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bench_progress(b, "%s %s, D = %zu", s->signal.kind->name, map, grid[middle]);
        if (try_map(s, map, grid[middle], &here) && here.floor <= floor)
            high = middle, *found = here;
        else
            low = middle + 1;
    }
    return true;
}

/* ---- times --------------------------------------------------------------------------------------------------- */

enum { SAMPLES_PER_CALL = 10000 };

replay replay_make(const task *s, const setup *who, size_t streams)
{
    replay r = {.streams = streams, .samples = s->samples, .times = 1 + SAMPLES_PER_CALL / s->samples};
    for (size_t k = 0; k < streams; k++) {
        okra_spec spec = who->spec;
        spec.seed = k + 1;
        bench_check(okra_create(&spec, &r.filter[k]));
        r.X[k] = bench_take(s->samples * s->inputs, sizeof(double)), r.y[k] = bench_take(s->samples, sizeof(double));
        make_stream(s, k, s->samples, r.X[k], r.y[k]);
    }
    return r;
}

void replay_free(replay *r)
{
    for (size_t k = 0; k < r->streams; k++)
        okra_free(r->filter[k]), free(r->X[k]), free(r->y[k]);
}

double replay_samples(const replay *r) { return (double)(r->streams * r->samples * r->times); }

static void go(replay *r, bool afresh)
{
    for (size_t k = 0; k < r->streams; k++)
        for (size_t t = 0; t < r->times; t++) {
            if (afresh)
                bench_check(okra_reset(r->filter[k]));
            bench_check(okra_run(r->filter[k], r->samples, r->X[k], r->y[k], NULL, NULL, NULL, NULL));
        }
}

void replay_afresh(void *context) { go(context, true); }
void replay_steadily(void *context) { go(context, false); }
