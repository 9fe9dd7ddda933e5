/*
 * The options that describe a network and its learners: for `okra diffuse` and for `okra-mpi diffuse`.
 */
#ifndef OKRA_CLI_NETWORK_OPTIONS_H
#define OKRA_CLI_NETWORK_OPTIONS_H

#include <okra/lab.h>
#include <okra/network.h>
#include <okra/okra.h>

#include "../common/options.h"

/* clang-format off */
#define NETWORK_OPTIONS                                                                                              \
    {"nodes", "N", "learners (20)"},                                                                                 \
    {"topology", "ring|grid|random|geometric|complete", "who is whose neighbour (random)"},                          \
    {"probability", "P", "of an edge in a random graph (2 ln N / N)"},                                               \
    {"radius", "R", "of neighbourhood in a geometric graph, nodes in the unit square (sqrt(2 ln N / (pi N)))"},      \
    {"edges", "FILE", "the graph instead: two columns, the nodes that each edge joins, from 0"},                     \
    {"rule", "cta|atc", "combine, then adapt, or the reverse: the same predictions (cta)"},                          \
    {"every", "K", "combine at every K-th sample (1)"},                                                              \
    {"signal", "SIGNAL", "what they learn: every node has inputs and noise of its own, of the same system (ex2)"},     \
    {"in", "PATTERN", "files instead, one a node, %d standing for its number from 0: inputs, the target last"},      \
    {"samples", "N", "that each node learns (5000)"}
/* clang-format on */

typedef struct network_plan {
    okra_graph *graph;
    const char *topology; /* its name, or that of the file of edges */
    okra_signal_spec signal;
    const char *files;             /* a pattern, or NULL */
    okra_diffusion_spec diffusion; /* with the recipe parameters */
    size_t samples;
} network_plan;

/* EXIT_DONE, or another exit status when it has said why; to be freed in either case. The recipe is rff-klms, with
 * sigma 5, mu 1 and 200 features unless given. */
int network_plan_read(network_plan *plan, const arguments *options);
void network_plan_free(network_plan *plan);

/* What they learn from: the name of the signal, or the pattern of the files. */
const char *network_source(const network_plan *plan);

/* Neighbours that a node has on average. */
double network_degree(const network_plan *plan);

/* The seed of the features in realisation `run`: another key than the data's. */
uint64_t network_feature_seed(const network_plan *plan, uint32_t run);

#endif
