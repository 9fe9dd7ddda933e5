/*
 * Runs of a network: data and features of run r are keyed by (seed, r), the three kinds of learners see the same
 * samples, and runs are added up in their order, so that the result does not depend on threads. Many small networks
 * take a thread each; a large one uses the threads inside.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "diffuse.h"
#include "node_data.h"
#include "../common/signals.h"
#include "../common/message.h"

/* What a run leaves behind. */
typedef struct slot {
    double *mse; /* [DIFFUSE_CURVES][samples] */
    size_t features;
    double seconds;
    okra_status status;
    size_t sample; /* that it stopped at, from 1 */
} slot;

static const okra_diffusion_rule baseline[DIFFUSE_CURVES] = {
    [ISOLATED] = OKRA_ISOLATED,
    [AVERAGED] = OKRA_AVERAGED,
};

/* ---- one run ------------------------------------------------------------------------------------------------ */

typedef struct network {
    node_data *data;
    okra_diffusion *learners[DIFFUSE_CURVES];
    double *X, *y, *yhat;
} network;

static okra_status build(network *w, const network_plan *plan, uint32_t run)
{
    size_t nodes = plan->graph->nodes;
    okra_diffusion_spec spec = plan->diffusion;
    spec.filter.seed = network_feature_seed(plan, run);
    okra_status status = node_data_open(&w->data, plan, run, 0, nodes) ? OKRA_E_READ : OKRA_OK;
    for (size_t c = 0; c < DIFFUSE_CURVES && !status; c++) {
        spec.rule = c == COOPERATIVE ? plan->diffusion.rule : baseline[c];
        status = okra_diffusion_create(&spec, plan->graph, &w->learners[c], NULL);
    }
    w->X = calloc(nodes, spec.filter.inputs * sizeof *w->X);
    w->y = calloc(nodes, sizeof *w->y);
    w->yhat = calloc(nodes, sizeof *w->yhat);
    return status ? status : w->X && w->y && w->yhat ? OKRA_OK : OKRA_E_MEMORY;
}

static void tear_down(network *w)
{
    node_data_close(w->data);
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        okra_diffusion_free(w->learners[c]);
    free(w->X), free(w->y), free(w->yhat);
}

static okra_status learn(network *w, const diffuse_request *request, slot *s)
{
    size_t nodes = request->plan.graph->nodes;
    okra_status status = OKRA_OK;
    for (size_t n = 0; n < request->samples && !status && !signals_end(); n++) {
        status = node_data_next(w->data, w->X, w->y) ? OKRA_E_READ : OKRA_OK;
        s->sample = n + 1;
        for (size_t c = 0; c < DIFFUSE_CURVES && !status; c++) {
            double began = message_clock(), sum = 0;
            status = okra_diffusion_step(w->learners[c], w->X, w->y, w->yhat);
            s->seconds += c == COOPERATIVE ? message_clock() - began : 0;
            for (size_t k = 0; k < nodes; k++)
                sum += (w->y[k] - w->yhat[k]) * (w->y[k] - w->yhat[k]);
            s->mse[c * request->samples + n] = sum / (double)nodes;
        }
    }
    return status;
}

static void do_run(const diffuse_request *request, uint32_t run, slot *s)
{
    network w = {0};
    s->seconds = 0;
    s->sample = 0;
    s->status = build(&w, &request->plan, run);
    if (!s->status) {
        s->features = okra_diffusion_get(w.learners[COOPERATIVE])->features;
        s->status = learn(&w, request, s);
    }
    tear_down(&w);
}

/* ---- all runs ----------------------------------------------------------------------------------------------- */

static void add(const diffuse_request *request, diffuse_outcome *outcome, const slot *s)
{
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        for (size_t n = 0; n < request->samples; n++)
            outcome->mse[c][n] += s->mse[c * request->samples + n] / (double)request->runs;
    outcome->features = s->features;
    outcome->seconds +=
        s->seconds / (double)request->runs / (double)request->samples / (double)request->plan.graph->nodes;
}

/* Of what could not be read, the reason has been said. */
static int fail(okra_status status, size_t sample)
{
    int said = status == OKRA_E_DIVERGED ? EXIT_DIVERGED : EXIT_IO;
    if (status == OKRA_E_READ)
        return EXIT_IO;
    return sample > 0 ? message_fail(said, "sample %zu: %s", sample, okra_strerror(status))
                      : message_fail(said, "diffuse: %s", okra_strerror(status));
}

static int do_batch(const diffuse_request *request, diffuse_outcome *outcome, slot *slots, size_t n)
{
#pragma omp parallel for num_threads((int)n) schedule(static, 1)
    for (size_t i = 0; i < n; i++)
        do_run(request, (uint32_t)(outcome->runs + i), &slots[i]);
    if (signals_end())
        return EXIT_DONE;
    for (size_t i = 0; i < n; i++) {
        if (slots[i].status)
            return fail(slots[i].status, slots[i].sample);
        add(request, outcome, &slots[i]);
    }
    outcome->runs += n;
    return EXIT_DONE;
}

/* Centres that QKLMS would have after the samples of node 0. */
static okra_status price_dictionary(const diffuse_request *request, size_t *centres)
{
    const network_plan *plan = &request->plan;
    size_t inputs = plan->diffusion.filter.inputs;
    double *x = calloc(inputs, sizeof *x), y;
    okra_filter *filter = NULL;
    node_data *data = NULL;
    okra_stats stats = {0};
    okra_spec spec;
    okra_status status = okra_spec_init(&spec, "qklms", inputs, 1);
    spec.sigma = plan->diffusion.filter.sigma, spec.mu = plan->diffusion.filter.mu;
    spec.epsilon = request->epsilon, spec.capacity = request->samples;
    if (!status)
        status = x ? okra_create(&spec, &filter) : OKRA_E_MEMORY;
    if (!status)
        status = node_data_open(&data, plan, 0, 0, 1) ? OKRA_E_READ : OKRA_OK;
    for (size_t n = 0; n < request->samples && !status; n++) {
        status = node_data_next(data, x, &y) ? OKRA_E_READ : OKRA_OK;
        if (!status)
            status = okra_step(filter, x, &y, 1, NULL, NULL);
    }
    if (!status)
        status = okra_get_stats(filter, &stats);
    *centres = stats.centres;
    okra_free(filter);
    node_data_close(data);
    free(x);
    return status;
}

static int do_all(const diffuse_request *request, diffuse_outcome *outcome, slot *slots, size_t n_slots)
{
    progress_bar bar = progress_bar_start(!request->quiet);
    int status = EXIT_DONE;
    signals_watch(NULL);
    while (outcome->runs < request->runs && !status && !signals_end()) {
        size_t left = request->runs - outcome->runs;
        status = do_batch(request, outcome, slots, left < n_slots ? left : n_slots);
        progress_bar_show(&bar, outcome->runs, (double)outcome->runs / (double)request->runs);
    }
    progress_bar_end(&bar);
    if (!status && signals_end())
        status = message_fail(EXIT_IO, "diffuse: stopped after %zu runs: nothing is written", outcome->runs);
    signals_unwatch();
    signals_die();
    return status;
}

static bool furnish(const diffuse_request *request, diffuse_outcome *outcome, slot *slots, size_t n_slots)
{
    bool all = slots;
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        all = (outcome->mse[c] = calloc(request->samples, sizeof(double))) && all;
    for (size_t i = 0; i < n_slots && slots; i++)
        all = (slots[i].mse = calloc(request->samples, DIFFUSE_CURVES * sizeof(double))) && all;
    return all;
}

int diffuse_run(const diffuse_request *request, diffuse_outcome *outcome)
{
    omp_set_num_threads(request->threads > 0 ? (int)request->threads : omp_get_max_threads());
    /* runs on files take turns: a bad row is reported once, not by every thread */
    size_t n_slots = request->plan.files ? 1 : (size_t)omp_get_max_threads();
    slot *slots = calloc(n_slots, sizeof *slots);
    *outcome = (diffuse_outcome){0};
    int status = furnish(request, outcome, slots, n_slots) ? do_all(request, outcome, slots, n_slots)
                                                           : message_fail(EXIT_IO, "out of memory");
    for (size_t i = 0; i < n_slots && slots; i++)
        free(slots[i].mse);
    free(slots);
    okra_status priced = status ? OKRA_OK : price_dictionary(request, &outcome->centres);
    return priced ? fail(priced, 0) : status;
}

void diffuse_free(diffuse_outcome *outcome)
{
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        free(outcome->mse[c]);
}
