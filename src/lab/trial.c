/*
 * Monte Carlo: realisations in parallel, a batch at a time. Each writes its squared errors into a slot of its own; the
 * batch is then added to the sums in the order of the runs. So memory does not grow with the runs, and the bits do not
 * depend on the threads. Processes that share a trial fill a row of slots each, and add up all rows.
 */
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <okra/lab.h>
#include <okra/okra.h>

enum { BATCH = 16 };

/* The results of a run, contiguous: squares[n_filters][samples], centres[n_filters], seconds[n_filters], status. */
typedef struct slot {
    double *squares, *centres, *seconds, *status;
} slot;

typedef struct trial_state {
    const okra_trial *trial;
    okra_trial_result *results;
    size_t ranks, own; /* processes, and the slots of each */
    double *numbers;   /* [ranks][own][slot_size] */
    double *rows;      /* [threads][samples][inputs + 1]: one realisation per thread, all inputs first */
    size_t inputs;
    int threads;
} trial_state;

static size_t slot_size(const okra_trial *trial) { return trial->n_filters * (trial->samples + 2) + 1; }

static slot slot_at(const trial_state *w, size_t i)
{
    const okra_trial *trial = w->trial;
    double *squares = w->numbers + i * slot_size(trial), *centres = squares + trial->n_filters * trial->samples;
    return (slot){squares, centres, centres + trial->n_filters, centres + 2 * trial->n_filters};
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The seed of run r's features. It differs from the signal's key, so that data and features are independent. */
static uint64_t feature_seed(uint64_t seed, size_t run)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, out[4];
    okra_philox(key, (uint32_t[4]){(uint32_t)run, (uint32_t)((uint64_t)run >> 32), 31, 0}, out);
    return (uint64_t)out[1] << 32 | out[0];
}

/* ---- one run ------------------------------------------------------------------------------------------------ */

static okra_status make_data(const okra_trial *trial, size_t run, double *X, double *y)
{
    okra_signal_spec spec = trial->signal;
    okra_signal *signal;
    spec.seed = trial->seed;
    spec.run = (uint32_t)run;
    okra_status status = okra_signal_create(&spec, &signal);
    if (status)
        return status;
    okra_signal_next(signal, trial->samples, X, y);
    okra_signal_free(signal);
    return OKRA_OK;
}

static okra_status pass(const okra_trial *trial, size_t k, size_t run, const double *X, const double *y, const slot *s)
{
    okra_spec spec = trial->filters[k];
    okra_filter *filter;
    okra_stats stats;
    double *squares = s->squares + k * trial->samples;
    spec.seed = feature_seed(trial->seed, run);
    okra_status status = okra_create(&spec, &filter);
    if (status)
        return status;
    double start = now();
    status = okra_run(filter, trial->samples, X, y, NULL, squares, NULL, NULL);
    s->seconds[k] = now() - start;
    okra_get_stats(filter, &stats);
    s->centres[k] = (double)stats.centres;
    okra_free(filter);
    for (size_t n = 0; n < trial->samples && !status; n++)
        squares[n] = (y[n] - squares[n]) * (y[n] - squares[n]);
    return status;
}

static void do_run(const trial_state *w, size_t run, const slot *s)
{
    size_t samples = w->trial->samples;
    double *X = w->rows + (size_t)omp_get_thread_num() * samples * (w->inputs + 1), *y = X + samples * w->inputs;
    okra_status status = make_data(w->trial, run, X, y);
    for (size_t k = 0; k < w->trial->n_filters && !status; k++)
        status = pass(w->trial, k, run, X, y, s);
    *s->status = (double)status;
}

/* ---- adding up ---------------------------------------------------------------------------------------------- */

/* The mean squared error of the last 5%. */
static double floor_of(const double *squares, size_t samples)
{
    size_t tail = samples / 20 ? samples / 20 : 1;
    double sum = 0;
    for (size_t n = samples - tail; n < samples; n++)
        sum += squares[n];
    return sum / (double)tail;
}

static void add_run(trial_state *w, size_t run, const slot *s)
{
    size_t samples = w->trial->samples;
    for (size_t k = 0; k < w->trial->n_filters; k++) {
        okra_trial_result *r = &w->results[k];
        const double *squares = s->squares + k * samples;
        for (size_t n = 0; n < samples; n++)
            r->mse[n] += squares[n];
        r->floor[run] = floor_of(squares, samples);
        r->centres += s->centres[k];
        r->seconds += s->seconds[k];
    }
}

static void divide(trial_state *w, size_t runs)
{
    for (size_t k = 0; k < w->trial->n_filters && runs > 0; k++) {
        okra_trial_result *r = &w->results[k];
        for (size_t n = 0; n < w->trial->samples; n++)
            r->mse[n] /= (double)runs;
        r->centres /= (double)runs;
        r->seconds /= (double)runs;
    }
}

/* Does this process's share of runs first .. first + n - 1, then gathers those of all processes. */
static okra_status fill_slots(const trial_state *w, size_t first, size_t n)
{
    size_t from = w->trial->rank * w->own, to = from + w->own < n ? from + w->own : n;
#pragma omp parallel for schedule(dynamic) num_threads(w->threads)
    for (size_t i = from; i < to; i++) {
        slot s = slot_at(w, i);
        do_run(w, first + i, &s);
    }
    return w->ranks > 1 ? w->trial->gather(w->trial->context, w->own * slot_size(w->trial), w->numbers) : OKRA_OK;
}

/* Does runs first .. first + n - 1. Returns the number before the first failure. */
static size_t do_batch(trial_state *w, size_t first, size_t n, okra_status *status)
{
    *status = fill_slots(w, first, n);
    for (size_t i = 0; i < n && !*status; i++) {
        slot s = slot_at(w, i);
        *status = (okra_status)(int)*s.status;
        if (*status)
            return i;
        add_run(w, first + i, &s);
    }
    return *status ? 0 : n;
}

/* ---- the trial_state ------------------------------------------------------------------------------------------- */

static bool furnish(trial_state *w)
{
    const okra_trial *trial = w->trial;
    w->rows = calloc((size_t)w->threads, trial->samples * (w->inputs + 1) * sizeof(double));
    w->numbers = calloc(w->ranks * w->own, slot_size(trial) * sizeof(double));
    bool all = w->rows && w->numbers;
    for (size_t k = 0; k < trial->n_filters; k++) {
        w->results[k].mse = calloc(trial->samples, sizeof(double));
        w->results[k].floor = calloc(trial->runs, sizeof(double));
        all = all && w->results[k].mse && w->results[k].floor;
    }
    return all;
}

static okra_status work(trial_state *w, size_t *done)
{
    const okra_trial *trial = w->trial;
    okra_status status = OKRA_OK;
    while (*done < trial->runs && !status) {
        size_t max = w->ranks * w->own, n = trial->runs - *done < max ? trial->runs - *done : max;
        *done += do_batch(w, *done, n, &status);
        if (trial->progress && !trial->progress(trial->context, *done, trial->runs))
            break;
    }
    divide(w, *done);
    return status;
}

okra_status okra_trial_run(const okra_trial *trial, okra_trial_result *results, size_t *done)
{
    size_t ignored = 0;
    done = done ? done : &ignored;
    *done = 0;
    if (!trial || !results || !trial->filters)
        return OKRA_E_NULL;
    memset(results, 0, trial->n_filters * sizeof *results);
    if (trial->ranks > 1 && (!trial->gather || trial->rank >= trial->ranks))
        return OKRA_E_PARAMETER;
    if (trial->samples == 0 || trial->runs == 0 || trial->n_filters == 0 || trial->runs > UINT32_MAX)
        return OKRA_E_PARAMETER;
    okra_signal *probe;
    okra_status status = okra_signal_create(&trial->signal, &probe);
    if (status)
        return status;
    trial_state w = {.trial = trial, .results = results, .inputs = okra_signal_inputs(probe)};
    okra_signal_free(probe);
    w.threads = trial->threads > 0 ? trial->threads : omp_get_max_threads();
    w.ranks = trial->ranks > 1 ? trial->ranks : 1;
    w.own = BATCH / w.ranks ? BATCH / w.ranks : 1;
    status = furnish(&w) ? work(&w, done) : OKRA_E_MEMORY;
    free(w.rows), free(w.numbers);
    if (status)
        okra_trial_free(results, trial->n_filters);
    return status;
}

void okra_trial_free(okra_trial_result *results, size_t n_filters)
{
    for (size_t k = 0; results && k < n_filters; k++) {
        free(results[k].mse), free(results[k].floor);
        results[k].mse = results[k].floor = NULL;
    }
}
