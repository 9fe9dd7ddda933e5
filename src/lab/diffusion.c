/*
 * Diffusion RFF-KLMS (Bouboulis, Chouvardas, Theodoridis, 2018): nodes of a graph use the same features, and combine
 * theta with their neighbours' by the Metropolis weights.
 *
 *     CTA: psi_k = sum_l a_kl theta_l, e = y_k - psi_k.z, theta_k = psi_k + mu e z
 *     ATC: e = y_k - theta_k.z, psi_k = theta_k + mu e z, theta_k = sum_l a_kl psi_l
 *
 * CTA sends theta as soon as a sample is learnt, and computes the next sample's features while it is in transit. The
 * combination of ATC belongs to the sample itself, so ATC waits for it.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

enum { PARALLEL_FROM = 1 << 16 }; /* below so many numbers in a pass over all theta, threads cost more than they save */

/* The maximum step: 1e18 of these, more than any number of samples, still add up to a finite theta. */
static const double LARGEST_STEP = 1e290;

static const char *const rules[] = {"cta", "atc", "isolated", "averaged"};

const char *okra_diffusion_rule_name(okra_diffusion_rule rule)
{
    return (size_t)rule < sizeof rules / sizeof *rules ? rules[rule] : NULL;
}

struct okra_diffusion {
    okra_diffusion_spec spec;
    okra_diffusion_state state;
    size_t *start;         /* [count + 1]: the row of each local node, as in the graph .. */
    size_t *place;         /* .. as indices of theta: i < count is local, count + i is the i-th ghost */
    double *weight;        /* .. with the graph's weights */
    double *numbers;       /* the memory of the five below */
    double *theta, *psi;   /* [count][D]; with AVERAGED only the first row is used, and psi is scratch */
    double *z;             /* [count][D] */
    double *guess, *error; /* [count] */
    okra_map **maps;       /* [threads]: the same map, with scratch for each thread */
    size_t threads;
    bool sent; /* theta is in transit */
};

/* ---- arithmetic --------------------------------------------------------------------------------------------- */

/* Eight sums, so that the compiler may use vectors without changing their order. */
static double dot(size_t n, const double *a, const double *b)
{
    double sums[8] = {0}, rest = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = 0; j < 8; j++)
            sums[j] += a[i + j] * b[i + j];
    for (; i < n; i++)
        rest += a[i] * b[i];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest;
}

static void axpy(size_t n, double g, const double *x, const double *y, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = y[i] + g * x[i];
}

static bool worth_threads(const okra_diffusion *d) { return d->spec.count * d->state.features >= PARALLEL_FROM; }

static double *row(const okra_diffusion *d, double *of, size_t i) { return of + i * d->state.features; }

static const double *at_place(const okra_diffusion *d, size_t place)
{
    return place < d->spec.count ? row(d, d->theta, place) : row(d, d->state.ghost_theta, place - d->spec.count);
}

/* ---- a step ------------------------------------------------------------------------------------------------- */

/* z of every local node; threads share the nodes, and each has its own map. */
static okra_status map_inputs(okra_diffusion *d, const double *X)
{
    size_t parts = worth_threads(d) ? d->threads : 1, count = d->spec.count;
    okra_status worst = OKRA_OK;
#pragma omp parallel for num_threads((int)parts) reduction(max : worst)
    for (size_t p = 0; p < parts; p++) {
        size_t from = count * p / parts, to = count * (p + 1) / parts;
        okra_status status =
            okra_map_apply(d->maps[p], to - from, X + from * d->spec.filter.inputs, row(d, d->z, from));
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* psi_k = sum_l a_kl theta_l, in the order of the nodes l. */
static void combine(okra_diffusion *d)
{
#pragma omp parallel for if (worth_threads(d))
    for (size_t k = 0; k < d->spec.count; k++) {
        double *psi = row(d, d->psi, k);
        memset(psi, 0, d->state.features * sizeof *psi);
        for (size_t i = d->start[k]; i < d->start[k + 1]; i++)
            axpy(d->state.features, d->weight[i], at_place(d, d->place[i]), psi, psi);
    }
}

/* An upper bound of all features: cosines are below 2, and linear maps hold the inputs themselves. */
static double largest_feature(const okra_diffusion *d, const double *x)
{
    double max = 2;
    for (size_t j = 0; j < d->spec.filter.inputs; j++)
        max = fmax(max, fabs(x[j]));
    return max;
}

/* Predictions and errors of the estimate `base`. Fails before anything has changed. */
static okra_status predict(okra_diffusion *d, double *base, const double *X, const double *y)
{
    bool shared = d->spec.rule == OKRA_AVERAGED;
    double mu = d->spec.filter.mu;
#pragma omp parallel for if (worth_threads(d))
    for (size_t k = 0; k < d->spec.count; k++) {
        d->guess[k] = dot(d->state.features, row(d, base, shared ? 0 : k), row(d, d->z, k));
        d->error[k] = mu * (y[k] - d->guess[k]);
    }
    for (size_t k = 0; k < d->spec.count; k++) {
        if (!isfinite(y[k]))
            return OKRA_E_SAMPLE;
        if (!(fabs(d->error[k]) * largest_feature(d, X + k * d->spec.filter.inputs) < LARGEST_STEP))
            return OKRA_E_DIVERGED;
    }
    return OKRA_OK;
}

static void adapt(okra_diffusion *d, double *base)
{
#pragma omp parallel for if (worth_threads(d))
    for (size_t k = 0; k < d->spec.count; k++)
        axpy(d->state.features, d->error[k], row(d, d->z, k), row(d, base, k), row(d, d->theta, k));
}

/* theta += mean of the nodes' steps. */
static void adapt_together(okra_diffusion *d)
{
    memset(d->psi, 0, d->state.features * sizeof *d->psi);
    for (size_t k = 0; k < d->spec.count; k++)
        axpy(d->state.features, d->error[k], row(d, d->z, k), d->psi, d->psi);
    axpy(d->state.features, 1 / (double)d->spec.count, d->psi, d->theta, d->theta);
}

static okra_status exchange(okra_diffusion *d, okra_exchange part)
{
    if (!d->spec.exchange || (part == OKRA_EXCHANGE_BEGIN) == d->sent)
        return OKRA_OK;
    okra_status status = d->spec.exchange(d->spec.context, part);
    d->sent = !status && part == OKRA_EXCHANGE_BEGIN;
    return status;
}

/* Both halves of an exchange; the first may have been done already. */
static okra_status receive(okra_diffusion *d)
{
    okra_status status = exchange(d, OKRA_EXCHANGE_BEGIN);
    return status ? status : exchange(d, OKRA_EXCHANGE_END);
}

/* After a sample: CTA sends theta for the next combination, ATC combines. */
static okra_status pass_on(okra_diffusion *d)
{
    if ((d->state.samples + 1) % d->spec.every != 0 || (d->spec.rule != OKRA_CTA && d->spec.rule != OKRA_ATC))
        return OKRA_OK;
    if (d->spec.rule == OKRA_CTA)
        return exchange(d, OKRA_EXCHANGE_BEGIN);
    okra_status status = receive(d);
    if (status)
        return status;
    combine(d);
    double *combined = d->psi;
    d->psi = d->theta;
    d->theta = combined;
    return OKRA_OK;
}

okra_status okra_diffusion_step(okra_diffusion *d, const double *X, const double *y, double *yhat)
{
    if (!d || !X || !y)
        return OKRA_E_NULL;
    bool combines = d->spec.rule == OKRA_CTA && d->state.samples % d->spec.every == 0;
    double *base = combines ? d->psi : d->theta;
    okra_status status = map_inputs(d, X);
    if (!status && combines)
        status = receive(d);
    if (!status && combines)
        combine(d);
    if (!status)
        status = predict(d, base, X, y);
    if (status)
        return status;
    if (d->spec.rule == OKRA_AVERAGED)
        adapt_together(d);
    else
        adapt(d, base);
    status = pass_on(d);
    if (status)
        return status;
    d->state.samples++;
    if (yhat)
        memcpy(yhat, d->guess, d->spec.count * sizeof *yhat);
    return OKRA_OK;
}

/* ---- making and unmaking ------------------------------------------------------------------------------------ */

okra_status okra_diffusion_spec_init(okra_diffusion_spec *spec, size_t inputs, const okra_graph *graph)
{
    if (!spec || !graph)
        return OKRA_E_NULL;
    *spec = (okra_diffusion_spec){.rule = OKRA_CTA, .every = 1, .count = graph->nodes};
    return okra_spec_init(&spec->filter, "rff-klms", inputs, 1);
}

static okra_status check_spec(const okra_diffusion_spec *spec, const okra_graph *graph, okra_message *why)
{
    const okra_spec *filter = &spec->filter;
    if (!filter->recipe || strcmp(filter->recipe, "rff-klms") != 0)
        return lab_refuse(why, OKRA_E_UNSUPPORTED, "diffusion runs on rff-klms only: name that recipe");
    if (filter->precision != OKRA_F64 || filter->outputs != 1)
        return lab_refuse(why, OKRA_E_UNSUPPORTED, "diffusion has double precision and one output: set both so");
    if (!okra_diffusion_rule_name(spec->rule))
        return lab_refuse(why, OKRA_E_PARAMETER, "no rule of diffusion has the number %d", (int)spec->rule);
    if (spec->every < 1)
        return lab_refuse(why, OKRA_E_PARAMETER, "combining at every 0th sample means nothing: give 1 or more");
    if (spec->count < 1 || spec->first > graph->nodes || spec->count > graph->nodes - spec->first)
        return lab_refuse(why, OKRA_E_PARAMETER, "%zu nodes from %zu on: the graph has nodes 0 to %zu", spec->count,
                          spec->first, graph->nodes - 1);
    if (spec->rule == OKRA_AVERAGED && spec->count < graph->nodes)
        return lab_refuse(why, OKRA_E_PARAMETER, "averaged learning needs all %zu nodes in one place", graph->nodes);
    if (filter->sigma == OKRA_SIGMA_AUTO || filter->scale != OKRA_SCALE_NONE || filter->lags != 1 ||
        filter->lag_from != 0 || filter->target_lags != 0 || filter->horizon != 1)
        return lab_refuse(why, OKRA_E_UNSUPPORTED,
                          "nodes take samples as they are: give sigma a number, and no lags, horizon or scale");
    if (filter->mu == OKRA_MU_AUTO || filter->leak != 0 || filter->loss != OKRA_LOSS_SQUARE)
        return lab_refuse(why, OKRA_E_UNSUPPORTED,
                          "nodes learn by plain LMS: give mu a number, and no leak or loss but the square");
    return okra_spec_check(filter, why);
}

static bool is_here(const okra_diffusion_spec *spec, size_t node)
{
    return node >= spec->first && node - spec->first < spec->count;
}

/* Finds the ghosts, ascending; of[nodes] is scratch, and becomes the index of each node. */
static bool find_ghosts(okra_diffusion *d, const okra_graph *graph, size_t *of)
{
    const okra_diffusion_spec *spec = &d->spec;
    for (size_t i = graph->start[spec->first]; i < graph->start[spec->first + spec->count]; i++)
        of[graph->node[i]] = 1;
    for (size_t l = 0; l < graph->nodes; l++)
        d->state.n_ghosts += of[l] && !is_here(spec, l);
    size_t *ghosts = calloc(d->state.n_ghosts + 1, sizeof *ghosts);
    d->state.ghosts = ghosts;
    if (!ghosts)
        return false;
    for (size_t l = 0, g = 0; l < graph->nodes; l++)
        if (is_here(spec, l))
            of[l] = l - spec->first;
        else if (of[l]) {
            ghosts[g] = l;
            of[l] = spec->count + g++;
        }
    return true;
}

/* Copies the graph's rows of the local nodes, with indices of theta instead of nodes. */
static bool copy_rows(okra_diffusion *d, const okra_graph *graph)
{
    const size_t *start = graph->start + d->spec.first;
    size_t count = d->spec.count, n = start[count] - start[0];
    size_t *of = calloc(graph->nodes, sizeof *of);
    d->start = calloc(count + 1, sizeof *d->start);
    d->place = calloc(n, sizeof *d->place);
    d->weight = calloc(n, sizeof *d->weight);
    bool all = of && d->start && d->place && d->weight && find_ghosts(d, graph, of);
    for (size_t k = 0; all && k <= count; k++)
        d->start[k] = start[k] - start[0];
    for (size_t i = 0; all && i < n; i++) {
        d->place[i] = of[graph->node[start[0] + i]];
        d->weight[i] = graph->weight[start[0] + i];
    }
    free(of);
    return all;
}

static okra_status make_maps(okra_diffusion *d)
{
    d->threads = (size_t)omp_get_max_threads();
    d->maps = calloc(d->threads, sizeof(okra_map *));
    if (!d->maps)
        return OKRA_E_MEMORY;
    for (size_t p = 0; p < d->threads; p++) {
        okra_status status = okra_map_create(&d->spec.filter, &d->maps[p]);
        if (status)
            return status;
    }
    d->state.features = okra_map_outputs(d->maps[0]);
    return OKRA_OK;
}

static okra_status furnish(okra_diffusion *d, const okra_graph *graph)
{
    okra_status status = make_maps(d);
    if (status)
        return status;
    size_t count = d->spec.count, D = d->state.features;
    bool all = copy_rows(d, graph);
    d->numbers = calloc(count, (3 * D + 2) * sizeof(double));
    d->state.ghost_theta = calloc(d->state.n_ghosts + 1, D * sizeof(double));
    if (!all || !d->numbers || !d->state.ghost_theta)
        return OKRA_E_MEMORY;
    d->theta = d->numbers;
    d->psi = d->theta + count * D;
    d->z = d->psi + count * D;
    d->guess = d->z + count * D;
    d->error = d->guess + count;
    return OKRA_OK;
}

okra_status okra_diffusion_create(const okra_diffusion_spec *spec, const okra_graph *graph, okra_diffusion **diffusion,
                                  okra_message *why)
{
    if (!spec || !graph || !diffusion)
        return lab_refuse_status(why, OKRA_E_NULL);
    *diffusion = NULL;
    okra_status status = check_spec(spec, graph, why);
    if (status)
        return status;
    okra_diffusion *d = calloc(1, sizeof *d);
    if (!d)
        return lab_refuse_status(why, OKRA_E_MEMORY);
    d->spec = *spec;
    status = furnish(d, graph);
    if (!status) {
        *diffusion = d;
        return OKRA_OK;
    }
    okra_diffusion_free(d);
    return lab_refuse_status(why, status);
}

void okra_diffusion_free(okra_diffusion *d)
{
    if (!d)
        return;
    for (size_t p = 0; d->maps && p < d->threads; p++)
        okra_map_free(d->maps[p]);
    free(d->maps);
    free(d->start), free(d->place), free(d->weight), free((void *)d->state.ghosts);
    free(d->numbers), free(d->state.ghost_theta), free(d);
}

okra_diffusion_state *okra_diffusion_get(okra_diffusion *d) { return &d->state; }

double *okra_diffusion_theta(okra_diffusion *d, size_t i)
{
    return row(d, d->theta, d->spec.rule == OKRA_AVERAGED ? 0 : i);
}
