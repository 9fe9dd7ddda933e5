/*
 * libokra-lab: learners on a network, by diffusion RFF-KLMS (Bouboulis, Chouvardas, Theodoridis, 2018). Each node has
 * its own samples. All use the same random features, which follow from a seed. Neighbours exchange nothing but theta.
 *
 * An okra_diffusion holds all nodes of a network, or the local ones, those of this process. It then lists the remote
 * nodes whose theta it needs (its ghosts), and calls exchange() when it needs them.
 *
 * A diffusion belongs to one thread at a time, and starts threads of its own in a step. A graph does not change once it
 * is made: any number of threads and diffusions may share it.
 */
#ifndef OKRA_NETWORK_H
#define OKRA_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs ------------------------------------------------------------------------------------------------- */

/*
 * A connected graph of undirected edges between nodes 0 .. nodes - 1; read only. Node k and its neighbours, ascending,
 * are node[start[k]] .. node[start[k + 1] - 1]. Their weights are at the same indices of `weight`. They are Metropolis
 * weights: a_kl = 1 / (1 + max(degree_k, degree_l)), and a_kk is the rest to 1. They are symmetric, and rows add up to
 * 1.
 */
typedef struct okra_graph {
    size_t nodes, edges; /* an edge counts once */
    size_t *start;       /* [nodes + 1] */
    size_t *node;
    double *weight;
} okra_graph;

/* Values never change once released. */
typedef enum okra_topology {
    OKRA_RING = 0,      /* each node between two others */
    OKRA_GRID = 1,      /* rows of a rectangle as near to a square as the number of nodes allows; four neighbours */
    OKRA_RANDOM = 2,    /* every pair with the same probability (Erdos and Renyi) */
    OKRA_GEOMETRIC = 3, /* nodes at random in the unit square, numbered from left to right; an edge if two are closer
                           than a radius */
    OKRA_COMPLETE = 4   /* every pair */
} okra_topology;

/* "ring", "grid", "random", "geometric", "complete"; NULL beyond the last, so that the names can be searched. */
OKRA_API const char *okra_topology_name(okra_topology topology);

typedef struct okra_graph_spec {
    okra_topology topology;
    size_t nodes;       /* >= 1 */
    double probability; /* random: of an edge, above 0 up to 1; 0: 2 ln(nodes) / nodes, usually connected */
    double radius;      /* geometric: above 0; 0: sqrt(2 ln(nodes) / (pi nodes)), usually connected */
    uint64_t seed;      /* of a graph drawn at random */
} okra_graph_spec;

/*
 * Makes a graph; the caller frees *graph with okra_graph_free(). A random graph that is not connected is drawn again,
 * up to 100 times. On failure *graph is NULL and `why` (may be NULL) says what to do: OKRA_E_PARAMETER, OKRA_E_MEMORY.
 */
OKRA_API okra_status okra_graph_create(const okra_graph_spec *spec, okra_graph **graph, okra_message *why);

/*
 * Makes the graph of a list of edges, each a pair of nodes: either every edge once, or every edge both ways.
 * OKRA_E_FORMAT if only some edges are there both ways, an edge is there twice or joins a node with itself, a node is
 * beyond the last, or the graph is not connected.
 */
OKRA_API okra_status okra_graph_from_edges(size_t nodes, const size_t (*edges)[2], size_t n_edges, okra_graph **graph,
                                           okra_message *why);
OKRA_API void okra_graph_free(okra_graph *graph);

/* ---- diffusion ---------------------------------------------------------------------------------------------- */

/* A node predicts with psi; theta is what it has learnt. */
typedef enum okra_diffusion_rule {
    OKRA_CTA = 0,      /* combine, then adapt: psi_k = sum_l a_kl theta_l, theta_k = psi_k + mu (y_k - psi_k.z) z */
    OKRA_ATC = 1,      /* adapt, then combine: the same predictions from psi, which is what it stores */
    OKRA_ISOLATED = 2, /* every node alone */
    OKRA_AVERAGED = 3  /* one theta for all, updated by the mean of all steps: the best that cooperation can do */
} okra_diffusion_rule;

/* "cta", "atc", "isolated", "averaged"; NULL beyond the last. */
OKRA_API const char *okra_diffusion_rule_name(okra_diffusion_rule rule);

/* What exchange() must do for remote nodes. */
typedef enum okra_exchange {
    OKRA_EXCHANGE_BEGIN = 0, /* every local theta is final: send it */
    OKRA_EXCHANGE_END = 1    /* every ghost must have arrived on return */
} okra_exchange;

typedef struct okra_diffusion_spec {
    okra_spec filter; /* recipe rff-klms, double precision, one output; its map and mu are used */
    okra_diffusion_rule rule;
    size_t every;        /* K >= 1: theta is combined at every K-th sample */
    size_t first, count; /* the local nodes; AVERAGED needs all */
    /* Called if there are remote neighbours: BEGIN, then END, for every combination. With CTA, the next sample's
     * features are computed in between. May be NULL if all nodes are local. */
    okra_status (*exchange)(void *context, okra_exchange part);
    void *context;
} okra_diffusion_spec;

typedef struct okra_diffusion okra_diffusion;

/* rff-klms with its defaults for inputs of d numbers, CTA, every sample, all nodes of the graph. */
OKRA_API okra_status okra_diffusion_spec_init(okra_diffusion_spec *spec, size_t inputs, const okra_graph *graph);

/* Makes learners with theta = 0. The graph is not needed after the call. On failure *diffusion is NULL and `why` (may
 * be NULL) has the reason. */
OKRA_API okra_status okra_diffusion_create(const okra_diffusion_spec *spec, const okra_graph *graph,
                                           okra_diffusion **diffusion, okra_message *why);
OKRA_API void okra_diffusion_free(okra_diffusion *diffusion);

/*
 * One sample at each local node: predicts X[count][inputs] into yhat[count] (may be NULL), then learns y[count]. Sums
 * are in the order of the nodes, so the bits do not depend on the processes or threads.
 *
 * On failure every local theta is unchanged: OKRA_E_SAMPLE or OKRA_E_RANGE if X or y is not finite, or too large;
 * OKRA_E_DIVERGED if a step would not be finite (lower mu). The exception is a failure of exchange(): neighbours then
 * lack what the next sample needs, and these learners cannot continue.
 */
OKRA_API okra_status okra_diffusion_step(okra_diffusion *diffusion, const double *X, const double *y, double *yhat);

/* The state of learners, valid until they are freed. Fields may be added at the end. */
typedef struct okra_diffusion_state {
    size_t features;      /* D */
    uint64_t samples;     /* learnt by each node. May be written, to restore learners from their state */
    size_t n_ghosts;      /* remote neighbours of the local nodes .. */
    const size_t *ghosts; /* .. their numbers, ascending .. */
    double *ghost_theta;  /* .. and where exchange() must put their theta: [n_ghosts][D] */
} okra_diffusion_state;

OKRA_API okra_diffusion_state *okra_diffusion_get(okra_diffusion *diffusion);

/* theta[D] of local node i = 0 .. count - 1, to be sent, stored or written; valid until the next step. They are
 * contiguous. With AVERAGED all nodes share one. */
OKRA_API double *okra_diffusion_theta(okra_diffusion *diffusion, size_t i);

#ifdef __cplusplus
}
#endif
#endif
