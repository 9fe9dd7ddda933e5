/*
 * Graphs as compressed rows: each is a node and its neighbours in ascending order, with Metropolis weights.
 */
#include "graph.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Streams of the random numbers that draw a graph. */
enum { GRAPH_STREAM = 41, ATTEMPTS = 100 };

okra_status lab_refuse(okra_message *why, okra_status status, const char *format, ...)
{
    if (why) {
        va_list args;
        va_start(args, format);
        vsnprintf(why->text, sizeof why->text, format, args);
        va_end(args);
    }
    return status;
}

okra_status lab_refuse_status(okra_message *why, okra_status status)
{
    return lab_refuse(why, status, "%s", okra_strerror(status));
}

/* ---- lists of edges ----------------------------------------------------------------------------------------- */

typedef size_t edge[2];

/* Grows as edges are found; `failed`: memory ran out. */
typedef struct edge_list {
    edge *edges;
    size_t n, capacity;
    bool failed;
} edge_list;

static void add_edge(edge_list *list, size_t a, size_t b)
{
    if (list->n == list->capacity && !list->failed) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        edge *more = capacity > SIZE_MAX / sizeof(edge) ? NULL : realloc(list->edges, capacity * sizeof(edge));
        list->failed = !more;
        list->edges = more ? more : list->edges;
        list->capacity = more ? capacity : list->capacity;
    }
    if (list->failed)
        return;
    list->edges[list->n][0] = a < b ? a : b;
    list->edges[list->n++][1] = a < b ? b : a;
}

/* Adds the edges of an attempt; graphs that are not random are the same in all. */
typedef void edge_maker(edge_list *list, const okra_graph_spec *spec, okra_random *random);

static void add_ring(edge_list *list, const okra_graph_spec *spec, okra_random *random)
{
    (void)random;
    for (size_t k = 0; k + 1 < spec->nodes; k++)
        add_edge(list, k, k + 1);
    if (spec->nodes > 2)
        add_edge(list, spec->nodes - 1, 0);
}

/* The rectangle nearest to a square: the number of columns is the smallest divisor from the root up. A prime number of
 * nodes gives a path. */
static void add_grid(edge_list *list, const okra_graph_spec *spec, okra_random *random)
{
    (void)random;
    size_t nodes = spec->nodes, columns = (size_t)ceil(sqrt((double)nodes));
    while (nodes % columns != 0)
        columns++;
    for (size_t k = 0; k < nodes; k++) {
        if (k % columns + 1 < columns)
            add_edge(list, k, k + 1);
        if (k + columns < nodes)
            add_edge(list, k, k + columns);
    }
}

static void add_random(edge_list *list, const okra_graph_spec *spec, okra_random *random)
{
    double p = spec->probability > 0 ? spec->probability : 2 * log((double)spec->nodes) / (double)spec->nodes;
    for (size_t a = 0; a < spec->nodes; a++)
        for (size_t b = a + 1; b < spec->nodes; b++) {
            double chance;
            okra_random_uniform(random, 1, &chance);
            if (chance < p)
                add_edge(list, a, b);
        }
}

static int compare_places(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Nodes are numbered from left to right, so that processes with a range of numbers each have few neighbours. */
static void add_geometric(edge_list *list, const okra_graph_spec *spec, okra_random *random)
{
    double n = (double)spec->nodes, radius = spec->radius > 0 ? spec->radius : sqrt(2 * log(n) / (M_PI * n));
    double(*at)[2] = calloc(spec->nodes, sizeof *at);
    list->failed = list->failed || !at;
    if (!at)
        return;
    okra_random_uniform(random, 2 * spec->nodes, &at[0][0]);
    qsort(at, spec->nodes, sizeof *at, compare_places);
    for (size_t a = 0; a < spec->nodes; a++)
        for (size_t b = a + 1; b < spec->nodes; b++)
            if (hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]) < radius)
                add_edge(list, a, b);
    free(at);
}

static void add_complete(edge_list *list, const okra_graph_spec *spec, okra_random *random)
{
    (void)random;
    for (size_t a = 0; a < spec->nodes; a++)
        for (size_t b = a + 1; b < spec->nodes; b++)
            add_edge(list, a, b);
}

/* `raise` is the option to increase, to make a random graph more likely to be connected. */
static const struct topology {
    const char *name;
    edge_maker *add;
    const char *raise;
} topologies[] = {
    [OKRA_RING] = {"ring", add_ring, NULL},
    [OKRA_GRID] = {"grid", add_grid, NULL},
    [OKRA_RANDOM] = {"random", add_random, "probability"},
    [OKRA_GEOMETRIC] = {"geometric", add_geometric, "radius"},
    [OKRA_COMPLETE] = {"complete", add_complete, NULL},
};

const char *okra_topology_name(okra_topology topology)
{
    return (size_t)topology < sizeof topologies / sizeof *topologies ? topologies[topology].name : NULL;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

static okra_graph *allocate(size_t nodes, size_t edges)
{
    okra_graph *g = calloc(1, sizeof *g);
    if (!g || nodes == 0 || nodes >= SIZE_MAX / sizeof(size_t) || edges > (SIZE_MAX / sizeof(double) - nodes) / 2) {
        free(g);
        return NULL;
    }
    g->nodes = nodes;
    g->edges = edges;
    g->start = calloc(nodes + 1, sizeof *g->start);
    g->node = calloc(nodes + 2 * edges, sizeof *g->node);
    g->weight = calloc(nodes + 2 * edges, sizeof *g->weight);
    if (g->start && g->node && g->weight)
        return g;
    okra_graph_free(g);
    return NULL;
}

/* Row k holds its smaller neighbours, itself, then its larger ones. Edges are sorted, so that each row is filled in
 * order: the smaller neighbours of b from edges (a, b) in the order of a, and the larger ones of a in the order of
 * b. */
static void fill_rows(okra_graph *g, edge *edges, size_t *cursor)
{
    for (size_t i = 0; i < g->edges; i++)
        g->start[edges[i][0] + 1]++, g->start[edges[i][1] + 1]++;
    for (size_t k = 0; k < g->nodes; k++) {
        g->start[k + 1] += g->start[k] + 1;
        cursor[k] = g->start[k];
    }
    for (size_t i = 0; i < g->edges; i++)
        g->node[cursor[edges[i][1]]++] = edges[i][0];
    for (size_t k = 0; k < g->nodes; k++)
        g->node[cursor[k]++] = k;
    for (size_t i = 0; i < g->edges; i++)
        g->node[cursor[edges[i][0]]++] = edges[i][1];
}

static size_t degree(const okra_graph *g, size_t k) { return g->start[k + 1] - g->start[k] - 1; }

static void weigh(okra_graph *g)
{
    for (size_t k = 0; k < g->nodes; k++) {
        double others = 0;
        size_t self = g->start[k];
        for (size_t i = g->start[k]; i < g->start[k + 1]; i++) {
            size_t l = g->node[i], dk = degree(g, k), dl = degree(g, l);
            self = l == k ? i : self;
            g->weight[i] = l == k ? 0 : 1 / (1 + (double)(dk > dl ? dk : dl));
            others += g->weight[i];
        }
        g->weight[self] = 1 - others;
    }
}

/* The number of nodes that can be reached from node 0. queue[nodes] and seen[nodes], all false, are scratch. */
static size_t reachable(const okra_graph *g, size_t *queue, bool *seen)
{
    size_t head = 0, tail = 0;
    seen[0] = true;
    queue[tail++] = 0;
    while (head < tail) {
        size_t k = queue[head++];
        for (size_t i = g->start[k]; i < g->start[k + 1]; i++)
            if (!seen[g->node[i]]) {
                seen[g->node[i]] = true;
                queue[tail++] = g->node[i];
            }
    }
    return tail;
}

/* Makes the graph of sorted edges, each there once; *connected says whether it can be used. */
static okra_graph *build(size_t nodes, edge *edges, size_t n, bool *connected)
{
    okra_graph *g = allocate(nodes, n);
    size_t *scratch = calloc(nodes, sizeof *scratch);
    bool *seen = calloc(nodes, sizeof *seen);
    if (g && scratch && seen) {
        fill_rows(g, edges, scratch);
        weigh(g);
        *connected = reachable(g, scratch, seen) == nodes;
    } else {
        okra_graph_free(g);
        g = NULL;
    }
    free(scratch), free(seen);
    return g;
}

static int compare_edges(const void *a, const void *b)
{
    const size_t *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0] ? 1 : -1) : (p[1] > q[1]) - (p[1] < q[1]);
}

static void sort(edge_list *list)
{
    if (list->n > 0)
        qsort(list->edges, list->n, sizeof(edge), compare_edges);
}

/* ---- the front door ----------------------------------------------------------------------------------------- */

static okra_status check_spec(const okra_graph_spec *spec, okra_message *why)
{
    if (!okra_topology_name(spec->topology))
        return lab_refuse(why, OKRA_E_PARAMETER, "no topology has the number %d", (int)spec->topology);
    if (spec->nodes < 1 || spec->nodes > UINT32_MAX)
        return lab_refuse(why, OKRA_E_PARAMETER, "%zu nodes make no network: give from 1 to %u", spec->nodes,
                          UINT32_MAX);
    if (!(spec->probability >= 0 && spec->probability <= 1))
        return lab_refuse(why, OKRA_E_PARAMETER, "an edge cannot have the probability %g: give one from 0 to 1",
                          spec->probability);
    if (!(spec->radius >= 0))
        return lab_refuse(why, OKRA_E_PARAMETER, "a radius of %g is none: give a positive number", spec->radius);
    return OKRA_OK;
}

okra_status okra_graph_create(const okra_graph_spec *spec, okra_graph **graph, okra_message *why)
{
    if (!spec || !graph)
        return lab_refuse_status(why, OKRA_E_NULL);
    *graph = NULL;
    okra_status status = check_spec(spec, why);
    if (status)
        return status;
    edge_list list = {0};
    const struct topology *topology = &topologies[spec->topology];
    bool connected = false, drawn = topology->raise;
    for (uint32_t attempt = 0; !connected && !list.failed && attempt < (drawn ? ATTEMPTS : 1); attempt++) {
        okra_graph_free(*graph);
        list.n = 0;
        topology->add(&list, spec, &(okra_random){.seed = spec->seed, .run = attempt, .stream = GRAPH_STREAM});
        sort(&list);
        *graph = list.failed ? NULL : build(spec->nodes, list.edges, list.n, &connected);
        list.failed = !*graph;
    }
    free(list.edges);
    if (connected)
        return OKRA_OK;
    okra_graph_free(*graph);
    *graph = NULL;
    if (list.failed)
        return lab_refuse(why, OKRA_E_MEMORY, "out of memory for a graph of %zu nodes: ask for fewer", spec->nodes);
    return lab_refuse(why, OKRA_E_PARAMETER, "no connected graph of %zu nodes in %d attempts: raise the %s",
                      spec->nodes, ATTEMPTS, topology->raise);
}

static okra_status check_edges(size_t nodes, const size_t (*edges)[2], size_t n, okra_message *why)
{
    for (size_t i = 0; i < n; i++) {
        if (edges[i][0] >= nodes || edges[i][1] >= nodes)
            return lab_refuse(why, OKRA_E_FORMAT, "edge %zu joins %zu and %zu: nodes are 0 to %zu", i + 1, edges[i][0],
                              edges[i][1], nodes - 1);
        if (edges[i][0] == edges[i][1])
            return lab_refuse(why, OKRA_E_FORMAT, "edge %zu joins node %zu with itself: leave it out", i + 1,
                              edges[i][0]);
    }
    return OKRA_OK;
}

static bool has_way_back(const edge_list *sorted, size_t i)
{
    edge back = {sorted->edges[i][1], sorted->edges[i][0]};
    return bsearch(&back, sorted->edges, sorted->n, sizeof(edge), compare_edges);
}

/* Checks sorted edges: none twice, and the reverse is there for all or for none; *both says which. */
static okra_status check_symmetry(const edge_list *sorted, bool *both, okra_message *why)
{
    size_t alone = sorted->n, paired = 0;
    for (size_t i = 0; i < sorted->n; i++) {
        const size_t *e = sorted->edges[i];
        if (i > 0 && compare_edges(e - 2, e) == 0)
            return lab_refuse(why, OKRA_E_FORMAT, "the edge from %zu to %zu is there twice: leave one out", e[0], e[1]);
        if (has_way_back(sorted, i))
            paired++;
        else if (alone == sorted->n)
            alone = i;
    }
    *both = paired > 0;
    if (paired == 0 || paired == sorted->n)
        return OKRA_OK;
    return lab_refuse(why, OKRA_E_FORMAT,
                      "not symmetric: the edge from %zu to %zu has no way back, and others have: give every edge "
                      "once, or every edge both ways",
                      sorted->edges[alone][0], sorted->edges[alone][1]);
}

/* Keeps each edge once, the smaller node first, sorted. */
static okra_status tidy(edge_list *list, okra_message *why)
{
    bool both = false;
    size_t n = list->n;
    sort(list);
    okra_status status = check_symmetry(list, &both, why);
    if (status)
        return status;
    list->n = 0;
    for (size_t i = 0; i < n; i++)
        if (!both || list->edges[i][0] < list->edges[i][1])
            add_edge(list, list->edges[i][0], list->edges[i][1]);
    sort(list);
    return OKRA_OK;
}

static okra_status refuse_parts(size_t nodes, okra_message *why)
{
    return lab_refuse(why, OKRA_E_FORMAT,
                      "the graph is not connected: some of its %zu nodes cannot be reached from node 0", nodes);
}

okra_status okra_graph_from_edges(size_t nodes, const size_t (*edges)[2], size_t n_edges, okra_graph **graph,
                                  okra_message *why)
{
    if (!graph || (n_edges > 0 && !edges))
        return lab_refuse_status(why, OKRA_E_NULL);
    *graph = NULL;
    okra_status status = check_spec(&(okra_graph_spec){.nodes = nodes}, why);
    if (!status)
        status = check_edges(nodes, edges, n_edges, why);
    if (status)
        return status;
    if (n_edges >= SIZE_MAX / sizeof(edge))
        return lab_refuse(why, OKRA_E_MEMORY, "out of memory for %zu edges", n_edges);
    if (n_edges < nodes - 1) /* before memory is allocated for a node with a large number */
        return refuse_parts(nodes, why);
    edge_list list = {.n = n_edges, .capacity = n_edges + 1, .edges = calloc(n_edges + 1, sizeof(edge))};
    bool connected = false;
    if (list.edges) {
        if (n_edges > 0)
            memcpy(list.edges, edges, n_edges * sizeof(edge));
        status = tidy(&list, why);
    }
    if (list.edges && !status)
        *graph = build(nodes, list.edges, list.n, &connected);
    free(list.edges);
    if (status)
        return status;
    if (!*graph)
        return lab_refuse(why, OKRA_E_MEMORY, "out of memory for a graph of %zu nodes", nodes);
    if (connected)
        return OKRA_OK;
    okra_graph_free(*graph);
    *graph = NULL;
    return refuse_parts(nodes, why);
}

void okra_graph_free(okra_graph *graph)
{
    if (graph)
        free(graph->start), free(graph->node), free(graph->weight);
    free(graph);
}
