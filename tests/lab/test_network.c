/*
 * Graphs, and diffusion over them: against matrices written out, against filters that stand alone, and split between
 * places that exchange theta.
 */
#include "check.h"

#include <math.h>
#include <okra/lab.h>
#include <okra/network.h>
#include <okra/okra.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 12, INPUTS = 3, FEATURES = 37, SAMPLES = 60 };

static okra_graph *make_graph(okra_topology topology, size_t nodes)
{
    okra_graph *graph;
    okra_message why;
    okra_graph_spec spec = {.topology = topology, .nodes = nodes, .seed = 3};
    if (okra_graph_create(&spec, &graph, &why))
        fail_msg("%s", why.text);
    return graph;
}

static double weight_between(const okra_graph *graph, size_t k, size_t l)
{
    for (size_t i = graph->start[k]; i < graph->start[k + 1]; i++)
        if (graph->node[i] == l)
            return graph->weight[i];
    return 0;
}

static size_t degree(const okra_graph *graph, size_t k) { return graph->start[k + 1] - graph->start[k] - 1; }

/* ---- graphs ------------------------------------------------------------------------------------------------- */

static void metropolis_weights_are_doubly_stochastic(void **state)
{
    (void)state;
    for (okra_topology t = OKRA_RING; okra_topology_name(t); t++)
        for (size_t nodes = 1; nodes <= 30; nodes += 1 + nodes / 4) {
            okra_graph *graph = make_graph(t, nodes);
            assert_int_equal(graph->nodes, nodes);
            for (size_t k = 0; k < nodes; k++) {
                double row = 0, column = 0;
                for (size_t l = 0; l < nodes; l++) {
                    double a = weight_between(graph, k, l);
                    size_t max = degree(graph, k) > degree(graph, l) ? degree(graph, k) : degree(graph, l);
                    row += a, column += weight_between(graph, l, k);
                    assert_true(a >= 0);
                    assert_true(k == l || a == 0 || a == 1 / (1 + (double)max));
                    assert_true(k == l || a == weight_between(graph, l, k));
                }
                assert_true(fabs(row - 1) < 1e-14 && fabs(column - 1) < 1e-14); /* 30 roundings of 1.1e-16 */
            }
            okra_graph_free(graph);
        }
}

static void topologies_have_their_edges(void **state)
{
    (void)state;
    okra_graph *ring = make_graph(OKRA_RING, 9), *grid = make_graph(OKRA_GRID, 12), *all = make_graph(OKRA_COMPLETE, 7);
    assert_int_equal(ring->edges, 9);
    assert_int_equal(grid->edges, 3 * 3 + 2 * 4); /* 3 rows of 4 */
    assert_int_equal(all->edges, 21);
    assert_true(weight_between(ring, 8, 0) == 1.0 / 3 && weight_between(ring, 0, 2) == 0);
    assert_true(weight_between(grid, 0, 4) > 0 && weight_between(grid, 3, 4) == 0);
    okra_graph_free(ring), okra_graph_free(grid), okra_graph_free(all);
}

/* From left to right: neighbours are within a radius of each other, so with 0.06 of the square on either side, and 120
 * of 2000 numbers or so; nine deviations of the number in such a strip are 100. */
static void geometric_neighbours_have_near_numbers(void **state)
{
    (void)state;
    okra_graph *graph;
    okra_graph_spec spec = {.topology = OKRA_GEOMETRIC, .nodes = 2000, .radius = 0.06, .seed = 5};
    assert_ok(okra_graph_create(&spec, &graph, NULL));
    for (size_t k = 0; k < 2000; k++)
        assert_true(graph->node[graph->start[k + 1] - 1] - graph->node[graph->start[k]] < 2 * 120 + 100);
    okra_graph_free(graph);
}

/* 2000 nodes, p = 0.01: 19990 +- 141 edges. */
static void a_random_graph_has_the_probability(void **state)
{
    (void)state;
    okra_graph *graph;
    okra_graph_spec spec = {.topology = OKRA_RANDOM, .nodes = 2000, .probability = 0.01, .seed = 5};
    assert_ok(okra_graph_create(&spec, &graph, NULL));
    assert_true(fabs((double)graph->edges - 19990) < 5 * 141);
    okra_graph_free(graph);
}

static void assert_refused(okra_status status, okra_status expected, okra_graph *const *graph, const okra_message *why,
                           const char *word)
{
    assert_int_equal(status, expected);
    assert_null(*graph);
    if (!strstr(why->text, word))
        fail_msg("'%s' does not speak of '%s'", why->text, word);
}

static void graphs_that_cannot_be_are_refused(void **state)
{
    (void)state;
    okra_graph *graph;
    okra_message why;
    okra_graph_spec thin = {.topology = OKRA_RANDOM, .nodes = 50, .probability = 0.001};
    okra_graph_spec near = {.topology = OKRA_GEOMETRIC, .nodes = 50, .radius = 0.01};
    okra_graph_spec none = {.topology = OKRA_RING, .nodes = 0}, odd = {.topology = (okra_topology)77, .nodes = 3};
    okra_graph_spec sure = {.topology = OKRA_RANDOM, .nodes = 3, .probability = 1.5};
    assert_refused(okra_graph_create(&thin, &graph, &why), OKRA_E_PARAMETER, &graph, &why, "raise the probability");
    assert_refused(okra_graph_create(&near, &graph, &why), OKRA_E_PARAMETER, &graph, &why, "raise the radius");
    assert_refused(okra_graph_create(&none, &graph, &why), OKRA_E_PARAMETER, &graph, &why, "0 nodes");
    assert_refused(okra_graph_create(&odd, &graph, &why), OKRA_E_PARAMETER, &graph, &why, "77");
    assert_refused(okra_graph_create(&sure, &graph, &why), OKRA_E_PARAMETER, &graph, &why, "1.5");
}

static void edges_make_a_graph_once_or_both_ways(void **state)
{
    (void)state;
    const size_t once[][2] = {{2, 1}, {0, 1}, {3, 0}}, both[][2] = {{1, 2}, {0, 1}, {2, 1}, {0, 3}, {1, 0}, {3, 0}};
    okra_graph *a, *b;
    assert_ok(okra_graph_from_edges(4, once, 3, &a, NULL));
    assert_ok(okra_graph_from_edges(4, both, 6, &b, NULL));
    assert_int_equal(a->edges, 3);
    assert_int_equal(b->edges, 3);
    for (size_t k = 0; k < 4; k++)
        for (size_t l = 0; l < 4; l++)
            assert_true(weight_between(a, k, l) == weight_between(b, k, l));
    assert_true(weight_between(a, 1, 2) == 1.0 / 3 && weight_between(a, 2, 3) == 0);
    okra_graph_free(a), okra_graph_free(b);
}

static void bad_edges_are_refused(void **state)
{
    (void)state;
    okra_graph *graph;
    okra_message why;
    const size_t mixed[][2] = {{0, 1}, {1, 0}, {1, 2}}, beyond[][2] = {{0, 3}}, itself[][2] = {{0, 1}, {2, 2}};
    const size_t twice[][2] = {{0, 1}, {1, 2}, {0, 1}}, apart[][2] = {{0, 1}, {2, 3}};
    assert_refused(okra_graph_from_edges(3, mixed, 3, &graph, &why), OKRA_E_FORMAT, &graph, &why,
                   "not symmetric: the edge from 1 to 2");
    assert_refused(okra_graph_from_edges(3, beyond, 1, &graph, &why), OKRA_E_FORMAT, &graph, &why, "nodes are 0 to 2");
    assert_refused(okra_graph_from_edges(3, itself, 2, &graph, &why), OKRA_E_FORMAT, &graph, &why, "itself");
    assert_refused(okra_graph_from_edges(3, twice, 3, &graph, &why), OKRA_E_FORMAT, &graph, &why, "twice");
    assert_refused(okra_graph_from_edges(4, apart, 2, &graph, &why), OKRA_E_FORMAT, &graph, &why, "not connected");
    assert_refused(okra_graph_from_edges(2, NULL, 0, &graph, &why), OKRA_E_FORMAT, &graph, &why, "not connected");
    /* as many edges as a tree has, and no tree */
    const size_t cycle[][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}};
    assert_refused(okra_graph_from_edges(5, cycle, 4, &graph, &why), OKRA_E_FORMAT, &graph, &why, "not connected");
    /* told before memory is taken for four billion nodes */
    const size_t far[][2] = {{0, 4000000000}};
    assert_refused(okra_graph_from_edges(4000000001, far, 1, &graph, &why), OKRA_E_FORMAT, &graph, &why,
                   "not connected");
}

static void one_node_is_a_network(void **state)
{
    (void)state;
    okra_graph *graph;
    assert_ok(okra_graph_from_edges(1, NULL, 0, &graph, NULL));
    assert_true(graph->start[0] == 0 && graph->start[1] == 1 && graph->node[0] == 0 && graph->weight[0] == 1);
    okra_graph_free(graph);
}

/* ---- diffusion ---------------------------------------------------------------------------------------------- */

static double X[SAMPLES][NODES][INPUTS], Y[SAMPLES][NODES];

static int make_samples(void **state)
{
    (void)state;
    okra_random random = {.seed = 9};
    okra_random_normal(&random, SAMPLES * NODES * INPUTS, &X[0][0][0]);
    for (size_t n = 0; n < SAMPLES; n++)
        for (size_t k = 0; k < NODES; k++)
            Y[n][k] = sin(X[n][k][0]) + 0.3 * X[n][k][1] * X[n][k][2];
    return 0;
}

static okra_diffusion_spec make_spec(const okra_graph *graph, okra_diffusion_rule rule, size_t every)
{
    okra_diffusion_spec spec;
    assert_ok(okra_diffusion_spec_init(&spec, INPUTS, graph));
    spec.filter.features = FEATURES, spec.filter.sigma = 2, spec.filter.mu = 0.7;
    spec.rule = rule, spec.every = every;
    return spec;
}

static okra_diffusion *make(const okra_diffusion_spec *spec, const okra_graph *graph)
{
    okra_diffusion *d;
    okra_message why;
    if (okra_diffusion_create(spec, graph, &d, &why))
        fail_msg("%s", why.text);
    return d;
}

static void run(okra_diffusion *d, double yhat[SAMPLES][NODES])
{
    for (size_t n = 0; n < SAMPLES; n++)
        assert_ok(okra_diffusion_step(d, &X[n][0][0], Y[n], yhat[n]));
}

/* From the equations, with A a full matrix: psi = A theta (at every K-th sample), e = y - psi.z, theta = psi + mu e z.
 */
static void cta_by_matrices(const okra_graph *graph, const okra_spec *filter, size_t every, double yhat[SAMPLES][NODES])
{
    static double theta[NODES][FEATURES], psi[NODES][FEATURES], z[FEATURES];
    okra_map *map;
    memset(theta, 0, sizeof theta);
    assert_ok(okra_map_create(filter, &map));
    for (size_t n = 0; n < SAMPLES; n++) {
        memcpy(psi, theta, sizeof psi);
        for (size_t k = 0; k < NODES && n % every == 0; k++)
            for (size_t i = 0; i < FEATURES; i++) {
                psi[k][i] = 0;
                for (size_t l = 0; l < NODES; l++)
                    psi[k][i] += weight_between(graph, k, l) * theta[l][i];
            }
        for (size_t k = 0; k < NODES; k++) {
            assert_ok(okra_map_apply(map, 1, X[n][k], z));
            yhat[n][k] = 0;
            for (size_t i = 0; i < FEATURES; i++)
                yhat[n][k] += psi[k][i] * z[i];
            for (size_t i = 0; i < FEATURES; i++)
                theta[k][i] = psi[k][i] + filter->mu * (Y[n][k] - yhat[n][k]) * z[i];
        }
    }
    okra_map_free(map);
}

/* LMS with mu |z|^2 < 2 does not amplify, so roundings of about D eps |theta| a step add up: 60 * 37 * 1.1e-16 * 3. */
enum { ROUNDING_STEPS = SAMPLES * FEATURES * 3 };

static void assert_close(double a[SAMPLES][NODES], double b[SAMPLES][NODES])
{
    for (size_t n = 0; n < SAMPLES; n++)
        for (size_t k = 0; k < NODES; k++)
            assert_near(a[n][k], b[n][k], ROUNDING_STEPS * 1.2e-16);
}

static void cta_follows_its_equations(void **state)
{
    (void)state;
    static double yhat[SAMPLES][NODES], expected[SAMPLES][NODES];
    for (okra_topology t = OKRA_RING; okra_topology_name(t); t++)
        for (size_t every = 1; every <= 7; every += 3) {
            okra_graph *graph = make_graph(t, NODES);
            okra_diffusion_spec spec = make_spec(graph, OKRA_CTA, every);
            okra_diffusion *d = make(&spec, graph);
            run(d, yhat);
            cta_by_matrices(graph, &spec.filter, every, expected);
            assert_close(yhat, expected);
            assert_int_equal(okra_diffusion_get(d)->samples, SAMPLES);
            okra_diffusion_free(d);
            okra_graph_free(graph);
        }
}

static void atc_predicts_what_cta_predicts(void **state)
{
    (void)state;
    static double a[SAMPLES][NODES], b[SAMPLES][NODES];
    okra_graph *graph = make_graph(OKRA_RANDOM, NODES);
    for (size_t every = 1; every <= 7; every += 3) {
        okra_diffusion_spec cta = make_spec(graph, OKRA_CTA, every), atc = make_spec(graph, OKRA_ATC, every);
        okra_diffusion *p = make(&cta, graph), *q = make(&atc, graph);
        run(p, a);
        run(q, b);
        assert_memory_equal(a, b, sizeof a);
        /* what they store differs: ATC's is combined */
        if (SAMPLES % every == 0)
            assert_true(okra_diffusion_theta(p, 0)[0] != okra_diffusion_theta(q, 0)[0]);
        okra_diffusion_free(p), okra_diffusion_free(q);
    }
    okra_graph_free(graph);
}

static void isolated_nodes_are_filters(void **state)
{
    (void)state;
    static double yhat[SAMPLES][NODES], expected[SAMPLES][NODES];
    okra_graph *graph = make_graph(OKRA_COMPLETE, NODES);
    okra_diffusion_spec spec = make_spec(graph, OKRA_ISOLATED, 1);
    okra_diffusion *d = make(&spec, graph);
    run(d, yhat);
    for (size_t k = 0; k < NODES; k++) {
        okra_filter *filter;
        assert_ok(okra_create(&spec.filter, &filter));
        for (size_t n = 0; n < SAMPLES; n++)
            assert_ok(okra_step(filter, X[n][k], &Y[n][k], 1, &expected[n][k], NULL));
        okra_free(filter);
    }
    assert_close(yhat, expected);
    okra_diffusion_free(d);
    okra_graph_free(graph);
}

/* One theta moved by the mean of the steps is what a complete graph with equal weights does. */
static void averaged_is_a_complete_graph(void **state)
{
    (void)state;
    static double a[SAMPLES][NODES], b[SAMPLES][NODES];
    okra_graph *graph = make_graph(OKRA_COMPLETE, NODES);
    okra_diffusion_spec one = make_spec(graph, OKRA_AVERAGED, 1), all = make_spec(graph, OKRA_CTA, 1);
    okra_diffusion *p = make(&one, graph), *q = make(&all, graph);
    run(p, a);
    run(q, b);
    assert_close(a, b);
    assert_ptr_equal(okra_diffusion_theta(p, 0), okra_diffusion_theta(p, 5));
    okra_diffusion_free(p), okra_diffusion_free(q);
    okra_graph_free(graph);
}

/* ---- in several places -------------------------------------------------------------------------------------- */

enum { PLACES = 3 };

typedef struct place {
    okra_diffusion *d;
    size_t first, count;
    struct place *all;
    double *copies[2]; /* of theta when it was sent: the last two */
    size_t begun, ended;
} place;

/* What was sent of a node the `turn`-th time; it may have been sent once more since. */
static const double *sent_theta(const place *all, size_t node, size_t turn)
{
    for (size_t p = 0; p < PLACES; p++)
        if (node >= all[p].first && node < all[p].first + all[p].count)
            return all[p].copies[turn % 2] + (node - all[p].first) * FEATURES;
    return NULL;
}

static okra_status carry(void *context, okra_exchange part)
{
    place *here = context;
    if (part == OKRA_EXCHANGE_BEGIN) {
        for (size_t i = 0; i < here->count; i++)
            memcpy(here->copies[here->begun % 2] + i * FEATURES, okra_diffusion_theta(here->d, i),
                   FEATURES * sizeof(double));
        here->begun++;
        return OKRA_OK;
    }
    const okra_diffusion_state *of = okra_diffusion_get(here->d);
    for (size_t i = 0; i < of->n_ghosts; i++)
        memcpy(of->ghost_theta + i * FEATURES, sent_theta(here->all, of->ghosts[i], here->ended),
               FEATURES * sizeof(double));
    here->ended++;
    return OKRA_OK;
}

/* CTA in three places equals CTA in one, bit for bit. All send after a sample and receive at the next, so places can
 * take their turns. */
static void places_agree_with_one(void **state)
{
    (void)state;
    static double whole[SAMPLES][NODES], yhat[SAMPLES][NODES];
    okra_graph *graph = make_graph(OKRA_GEOMETRIC, NODES);
    for (size_t every = 1; every <= 4; every += 3) {
        okra_diffusion_spec spec = make_spec(graph, OKRA_CTA, every);
        place places[PLACES] = {{.first = 0, .count = 5}, {.first = 5, .count = 1}, {.first = 6, .count = 6}};
        okra_diffusion *d = make(&spec, graph);
        run(d, whole);
        spec.exchange = carry;
        for (size_t p = 0; p < PLACES; p++) {
            places[p].all = places;
            for (size_t c = 0; c < 2; c++) /* at first all theta are zero */
                places[p].copies[c] = calloc(places[p].count, FEATURES * sizeof(double));
            spec.first = places[p].first, spec.count = places[p].count, spec.context = &places[p];
            places[p].d = make(&spec, graph);
        }
        for (size_t n = 0; n < SAMPLES; n++)
            for (size_t p = 0; p < PLACES; p++)
                assert_int_equal(okra_diffusion_step(places[p].d, X[n][places[p].first], Y[n] + places[p].first,
                                                     yhat[n] + places[p].first),
                                 OKRA_OK);
        assert_memory_equal(whole, yhat, sizeof whole);
        for (size_t p = 0; p < PLACES; p++) {
            assert_int_equal(places[p].ended, SAMPLES / every);
            assert_int_equal(places[p].begun, SAMPLES / every + (SAMPLES % every == 0));
            okra_diffusion_free(places[p].d);
            free(places[p].copies[0]), free(places[p].copies[1]);
        }
        okra_diffusion_free(d);
    }
    okra_graph_free(graph);
}

/* ---- refusals ----------------------------------------------------------------------------------------------- */

static void a_bad_sample_leaves_no_trace(void **state)
{
    (void)state;
    static double a[SAMPLES][NODES], b[SAMPLES][NODES], x[NODES][INPUTS], y[NODES], z[NODES];
    okra_graph *graph = make_graph(OKRA_RING, NODES);
    okra_diffusion_spec spec = make_spec(graph, OKRA_CTA, 1);
    okra_diffusion *p = make(&spec, graph), *q = make(&spec, graph);
    run(p, a);
    run(q, b);
    memcpy(x, X[0], sizeof x);
    memcpy(y, Y[0], sizeof y);
    y[7] = (double)INFINITY;
    assert_int_equal(okra_diffusion_step(p, &x[0][0], y, z), OKRA_E_SAMPLE);
    y[7] = 1e308;
    assert_int_equal(okra_diffusion_step(p, &x[0][0], y, z), OKRA_E_DIVERGED);
    y[7] = 0, x[3][1] = (double)NAN;
    assert_int_equal(okra_diffusion_step(p, &x[0][0], y, z), OKRA_E_SAMPLE);
    assert_int_equal(okra_diffusion_get(p)->samples, SAMPLES);
    run(p, a);
    run(q, b);
    assert_memory_equal(a, b, sizeof a);
    okra_diffusion_free(p), okra_diffusion_free(q);
    okra_graph_free(graph);
}

/* Linear maps have the inputs themselves among the features: an error that is finite may make a step that is not. */
static void a_step_too_large_is_refused(void **state)
{
    (void)state;
    static double x[NODES][INPUTS], y[NODES];
    okra_graph *graph = make_graph(OKRA_RING, NODES);
    okra_diffusion_spec spec = make_spec(graph, OKRA_CTA, 1);
    spec.filter.map = OKRA_MAP_LINEAR + OKRA_MAP_RFF;
    for (okra_diffusion_rule rule = OKRA_CTA; rule <= OKRA_AVERAGED; rule++) {
        spec.rule = rule;
        okra_diffusion *d = make(&spec, graph);
        memcpy(x, X[0], sizeof x);
        memcpy(y, Y[0], sizeof y);
        assert_ok(okra_diffusion_step(d, &x[0][0], y, NULL));
        x[5][1] = 1e15, y[5] = 1e280;
        assert_status(okra_diffusion_step(d, &x[0][0], y, NULL), OKRA_E_DIVERGED);
        for (size_t i = 0; i < okra_diffusion_get(d)->features; i++)
            assert_true(fabs(okra_diffusion_theta(d, 5)[i]) < 10);
        assert_int_equal(okra_diffusion_get(d)->samples, 1);
        okra_diffusion_free(d);
    }
    okra_graph_free(graph);
}

static void assert_unmakeable(const okra_diffusion_spec *spec, const okra_graph *graph, const char *word)
{
    okra_diffusion *d;
    okra_message why;
    assert_int_not_equal(okra_diffusion_create(spec, graph, &d, &why), OKRA_OK);
    assert_null(d);
    if (!strstr(why.text, word))
        fail_msg("'%s' does not speak of '%s'", why.text, word);
}

static void specs_that_cannot_be_are_refused(void **state)
{
    (void)state;
    okra_graph *graph = make_graph(OKRA_RING, NODES);
    okra_diffusion_spec good = make_spec(graph, OKRA_CTA, 1), bad = good;
    okra_spec_init(&bad.filter, "rff-krls", INPUTS, 1);
    assert_unmakeable(&bad, graph, "rff-klms");
    bad = good, bad.filter.precision = OKRA_F32;
    assert_unmakeable(&bad, graph, "double");
    bad = good, bad.every = 0;
    assert_unmakeable(&bad, graph, "every");
    bad = good, bad.first = 8;
    assert_unmakeable(&bad, graph, "0 to 11");
    bad = good, bad.rule = OKRA_AVERAGED, bad.count = 3;
    assert_unmakeable(&bad, graph, "all 12");
    bad = good, bad.filter.sigma = -1;
    assert_unmakeable(&bad, graph, "sigma");
    okra_graph_free(graph);
}

/* ---- ATC in several places, which are threads here ---------------------------------------------------------- */

typedef struct member {
    place here;
    pthread_barrier_t *all_sent;
    double yhat[SAMPLES][NODES];
    okra_status status;
} member;

static okra_status carry_and_wait(void *context, okra_exchange part)
{
    member *me = context;
    if (part == OKRA_EXCHANGE_END)
        pthread_barrier_wait(me->all_sent);
    okra_status status = carry(&me->here, part);
    if (part == OKRA_EXCHANGE_END)
        pthread_barrier_wait(me->all_sent);
    return status;
}

static void *take_part(void *context)
{
    member *me = context;
    size_t first = me->here.first;
    for (size_t n = 0; n < SAMPLES && !me->status; n++)
        me->status = okra_diffusion_step(me->here.d, X[n][first], Y[n] + first, me->yhat[n] + first);
    return NULL;
}

static void atc_in_places_agrees_with_one(void **state)
{
    (void)state;
    static double whole[SAMPLES][NODES];
    static member members[PLACES];
    static place places[PLACES];
    okra_graph *graph = make_graph(OKRA_GRID, NODES);
    for (size_t every = 1; every <= 7; every += 3) {
        okra_diffusion_spec spec = make_spec(graph, OKRA_ATC, every);
        okra_diffusion *d = make(&spec, graph);
        pthread_barrier_t all_sent;
        pthread_t threads[PLACES];
        assert_int_equal(pthread_barrier_init(&all_sent, NULL, PLACES), 0);
        run(d, whole);
        spec.exchange = carry_and_wait;
        for (size_t p = 0; p < PLACES; p++) {
            members[p] = (member){.here = {.first = 4 * p, .count = 4, .all = places}, .all_sent = &all_sent};
            for (size_t c = 0; c < 2; c++)
                members[p].here.copies[c] = calloc(4, FEATURES * sizeof(double));
            places[p] = members[p].here;
            spec.first = 4 * p, spec.count = 4, spec.context = &members[p];
            members[p].here.d = make(&spec, graph);
        }
        for (size_t p = 0; p < PLACES; p++)
            assert_int_equal(pthread_create(&threads[p], NULL, take_part, &members[p]), 0);
        for (size_t p = 0; p < PLACES; p++)
            assert_int_equal(pthread_join(threads[p], NULL), 0);
        for (size_t p = 0; p < PLACES; p++) {
            assert_ok(members[p].status);
            assert_int_equal(members[p].here.begun, SAMPLES / every);
            assert_int_equal(members[p].here.ended, SAMPLES / every);
            for (size_t n = 0; n < SAMPLES; n++)
                assert_memory_equal(members[p].yhat[n] + 4 * p, whole[n] + 4 * p, 4 * sizeof(double));
            okra_diffusion_free(members[p].here.d);
            free(members[p].here.copies[0]), free(members[p].here.copies[1]);
        }
        pthread_barrier_destroy(&all_sent);
        okra_diffusion_free(d);
    }
    okra_graph_free(graph);
}

/* ---- what is where, and when -------------------------------------------------------------------------------- */

/* Node 0 .. 4 - 8 - 2 - 6 along a path through the numbers: who needs whom is known by hand. */
static void ghosts_are_the_neighbours_elsewhere(void **state)
{
    (void)state;
    const size_t edges[][2] = {{0, 4}, {4, 8}, {8, 2}, {2, 6}, {6, 1}, {1, 3}, {3, 5}, {5, 7}};
    okra_graph *graph;
    assert_ok(okra_graph_from_edges(9, edges, COUNT_OF(edges), &graph, NULL));
    okra_diffusion_spec spec = make_spec(graph, OKRA_CTA, 1);
    spec.first = 2, spec.count = 3; /* nodes 2, 3, 4 */
    okra_diffusion *d = make(&spec, graph);
    const size_t wanted[] = {0, 1, 5, 6, 8};
    assert_int_equal(okra_diffusion_get(d)->n_ghosts, COUNT_OF(wanted));
    assert_memory_equal(okra_diffusion_get(d)->ghosts, wanted, sizeof wanted);
    assert_true(okra_diffusion_theta(d, 2) == okra_diffusion_theta(d, 0) + 2 * FEATURES);
    okra_diffusion_free(d);
    spec = make_spec(graph, OKRA_CTA, 1), d = make(&spec, graph);
    assert_int_equal(okra_diffusion_get(d)->n_ghosts, 0);
    okra_diffusion_free(d);
    okra_graph_free(graph);
}

typedef struct record {
    char text[64];
    size_t n;
    okra_status answer[2];
} record;

static okra_status note(void *context, okra_exchange part)
{
    record *r = context;
    assert_true(r->n + 1 < sizeof r->text);
    r->text[r->n++] = part == OKRA_EXCHANGE_BEGIN ? 'b' : 'e';
    return r->answer[part];
}

/* When theta travels, by rule and interval; "|" is between samples. A count that was set moves the turn. */
static void exchanges_come_in_their_turn(void **state)
{
    (void)state;
    static const struct {
        okra_diffusion_rule rule;
        size_t every;
        uint64_t from;
        const char *wanted;
    } cases[] = {
        {OKRA_CTA, 1, 0, "beb|eb|eb|eb|"}, {OKRA_CTA, 2, 0, "be|b|e|b|"},    {OKRA_CTA, 2, 1, "b|e|b|e|"},
        {OKRA_CTA, 3, 2, "b|e||b|"},       {OKRA_ATC, 1, 0, "be|be|be|be|"}, {OKRA_ATC, 2, 0, "|be||be|"},
        {OKRA_ATC, 3, 2, "be|||be|"},      {OKRA_ISOLATED, 1, 0, "||||"},    {OKRA_AVERAGED, 1, 0, "||||"},
    };
    okra_graph *graph = make_graph(OKRA_RING, NODES);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        record r = {.n = 0};
        okra_diffusion_spec spec = make_spec(graph, cases[i].rule, cases[i].every);
        spec.exchange = note, spec.context = &r;
        okra_diffusion *d = make(&spec, graph);
        okra_diffusion_get(d)->samples = cases[i].from;
        for (size_t n = 0; n < 4; n++) {
            assert_ok(okra_diffusion_step(d, &X[n][0][0], Y[n], NULL));
            r.text[r.n++] = '|';
        }
        r.text[r.n] = 0;
        assert_string_equal(r.text, cases[i].wanted);
        assert_int_equal(okra_diffusion_get(d)->samples, cases[i].from + 4);
        okra_diffusion_free(d);
    }
    okra_graph_free(graph);
}

/* A step that could not send or receive says so, and does not count. */
static void exchanges_that_fail_are_told(void **state)
{
    (void)state;
    okra_graph *graph = make_graph(OKRA_RING, NODES);
    for (okra_diffusion_rule rule = OKRA_CTA; rule <= OKRA_ATC; rule++)
        for (int part = 0; part < 2; part++) {
            record r = {.n = 0};
            okra_diffusion_spec spec = make_spec(graph, rule, 1);
            r.answer[part] = OKRA_E_FORMAT;
            spec.exchange = note, spec.context = &r;
            okra_diffusion *d = make(&spec, graph);
            assert_status(okra_diffusion_step(d, &X[0][0][0], Y[0], NULL), OKRA_E_FORMAT);
            assert_int_equal(okra_diffusion_get(d)->samples, 0);
            assert_string_equal(r.text, part ? "be" : "b");
            /* what was not sent is sent again; what was received is not on its way any more */
            assert_status(okra_diffusion_step(d, &X[0][0][0], Y[0], NULL), OKRA_E_FORMAT);
            assert_string_equal(r.text, part ? "bebe" : "bb");
            okra_diffusion_free(d);
        }
    okra_graph_free(graph);
}

/* So many numbers that threads share the work: the bits of a part of the nodes by themselves. */
static void threads_change_nothing(void **state)
{
    (void)state;
    enum { MANY = 70, LARGE = 1000, STEPS = 3 };
    static double x[STEPS][MANY][INPUTS], y[STEPS][MANY], yhat[STEPS][MANY], part[STEPS][MANY];
    okra_random random = {.seed = 6};
    okra_graph *graph = make_graph(OKRA_RING, MANY);
    okra_random_normal(&random, STEPS * MANY * INPUTS, &x[0][0][0]);
    okra_random_normal(&random, STEPS * MANY, &y[0][0]);
    okra_diffusion_spec spec = make_spec(graph, OKRA_ISOLATED, 1);
    spec.filter.features = LARGE;
    okra_diffusion *d = make(&spec, graph);
    for (size_t n = 0; n < STEPS; n++)
        assert_ok(okra_diffusion_step(d, &x[n][0][0], y[n], yhat[n]));
    for (spec.first = 0, spec.count = 14; spec.first < MANY; spec.first += 14) {
        okra_diffusion *few = make(&spec, graph);
        for (size_t n = 0; n < STEPS; n++)
            assert_ok(okra_diffusion_step(few, x[n][spec.first], y[n] + spec.first, part[n] + spec.first));
        okra_diffusion_free(few);
    }
    assert_memory_equal(yhat, part, sizeof yhat);
    okra_diffusion_free(d);
    okra_graph_free(graph);
}

/* A step of 1e290 is the largest: features of cosines are taken for 2. */
static void steps_are_bounded(void **state)
{
    (void)state;
    static double x[NODES][INPUTS], y[NODES];
    okra_graph *graph = make_graph(OKRA_RING, NODES);
    for (okra_diffusion_rule rule = OKRA_CTA; rule <= OKRA_AVERAGED; rule++)
        for (int sign = -1; sign <= 1; sign += 2) {
            okra_diffusion_spec spec = make_spec(graph, rule, 1);
            spec.filter.mu = 0.5;
            okra_diffusion *d = make(&spec, graph);
            y[NODES - 1] = sign * 1.0001e290;
            assert_status(okra_diffusion_step(d, &x[0][0], y, NULL), OKRA_E_DIVERGED);
            assert_int_equal(okra_diffusion_get(d)->samples, 0);
            for (size_t i = 0; i < FEATURES; i++)
                assert_near(okra_diffusion_theta(d, NODES - 1)[i], 0, 0);
            y[NODES - 1] = sign * 0.9999e290;
            assert_ok(okra_diffusion_step(d, &x[0][0], y, NULL));
            okra_diffusion_free(d);
        }
    okra_graph_free(graph);
}

static void specs_of_diffusion_have_ends(void **state)
{
    (void)state;
    static const char *const names[] = {"cta", "atc", "isolated", "averaged"};
    okra_graph *graph = make_graph(OKRA_RING, NODES);
    okra_diffusion_spec good = make_spec(graph, OKRA_CTA, 1), bad = good;
    okra_diffusion *d;
    okra_message why;
    assert_ok(okra_diffusion_spec_init(&bad, 4, graph));
    assert_true(bad.every == 1 && bad.first == 0 && bad.count == NODES && bad.rule == OKRA_CTA && !bad.exchange);
    assert_true(bad.filter.inputs == 4 && bad.filter.outputs == 1);
    bad = good, bad.filter.outputs = 2;
    assert_unmakeable(&bad, graph, "one output");
    bad = good, bad.filter.recipe = NULL;
    assert_unmakeable(&bad, graph, "rff-klms");
    bad = good, bad.rule = OKRA_AVERAGED + 1;
    assert_unmakeable(&bad, graph, "no rule of diffusion has the number 4");
    bad = good, bad.count = 0;
    assert_unmakeable(&bad, graph, "0 nodes from 0 on");
    bad = good, bad.first = NODES, bad.count = 1;
    assert_unmakeable(&bad, graph, "1 nodes from 12 on: the graph has nodes 0 to 11");
    bad = good, bad.first = NODES + 1, bad.count = 1;
    assert_unmakeable(&bad, graph, "1 nodes from 13 on");
    bad = good, bad.first = 1;
    assert_unmakeable(&bad, graph, "12 nodes from 1 on");
    bad = good, bad.rule = OKRA_AVERAGED, bad.count = NODES - 1;
    assert_unmakeable(&bad, graph, "all 12");
    bad = good, bad.first = NODES - 1, bad.count = 1;
    okra_diffusion_free(make(&bad, graph));
    assert_status(okra_diffusion_create(NULL, graph, &d, &why), OKRA_E_NULL);
    assert_string_equal(why.text, okra_strerror(OKRA_E_NULL));
    assert_status(okra_diffusion_create(&good, NULL, &d, NULL), OKRA_E_NULL);
    assert_status(okra_diffusion_create(&good, graph, NULL, NULL), OKRA_E_NULL);
    assert_status(okra_diffusion_spec_init(NULL, 1, graph), OKRA_E_NULL);
    assert_status(okra_diffusion_spec_init(&bad, 1, NULL), OKRA_E_NULL);
    d = make(&good, graph);
    assert_int_equal(okra_diffusion_get(d)->features, FEATURES);
    assert_status(okra_diffusion_step(NULL, &X[0][0][0], Y[0], NULL), OKRA_E_NULL);
    assert_status(okra_diffusion_step(d, NULL, Y[0], NULL), OKRA_E_NULL);
    assert_status(okra_diffusion_step(d, &X[0][0][0], NULL, NULL), OKRA_E_NULL);
    okra_diffusion_free(d), okra_diffusion_free(NULL);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(okra_diffusion_rule_name((okra_diffusion_rule)i), names[i]);
    assert_null(okra_diffusion_rule_name(OKRA_AVERAGED + 1));
    okra_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metropolis_weights_are_doubly_stochastic),
        cmocka_unit_test(topologies_have_their_edges),
        cmocka_unit_test(a_random_graph_has_the_probability),
        cmocka_unit_test(geometric_neighbours_have_near_numbers),
        cmocka_unit_test(graphs_that_cannot_be_are_refused),
        cmocka_unit_test(edges_make_a_graph_once_or_both_ways),
        cmocka_unit_test(bad_edges_are_refused),
        cmocka_unit_test(one_node_is_a_network),
        cmocka_unit_test(cta_follows_its_equations),
        cmocka_unit_test(atc_predicts_what_cta_predicts),
        cmocka_unit_test(isolated_nodes_are_filters),
        cmocka_unit_test(averaged_is_a_complete_graph),
        cmocka_unit_test(places_agree_with_one),
        cmocka_unit_test(a_bad_sample_leaves_no_trace),
        cmocka_unit_test(a_step_too_large_is_refused),
        cmocka_unit_test(specs_that_cannot_be_are_refused),
        cmocka_unit_test(atc_in_places_agrees_with_one),
        cmocka_unit_test(ghosts_are_the_neighbours_elsewhere),
        cmocka_unit_test(exchanges_come_in_their_turn),
        cmocka_unit_test(exchanges_that_fail_are_told),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(steps_are_bounded),
        cmocka_unit_test(specs_of_diffusion_have_ends),
    };
    return cmocka_run_group_tests_name("network", tests, make_samples, NULL);
}
