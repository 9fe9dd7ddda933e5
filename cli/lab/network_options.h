/*
 * The options that describe a network and its learners: for `okra diffuse` and for `okra-mpi diffuse`.
 */
#ifndef OKRA_CLI_NETWORK_OPTIONS_H
#define OKRA_CLI_NETWORK_OPTIONS_H

#include <okra/lab.h>
#include <okra/network.h>
#include <okra/okra.h>

#include "../common/options.h"

/* The options of a network: the first member of its commands' settings. */
typedef struct network_settings {
    uint64_t nodes;                                       /* 0: not given */
    const char *topology, *edges, *rule, *signal, *files; /* names, and files; NULL: not given */
    double probability, radius;                           /* 0: chosen by the number of nodes */
    uint64_t every, samples;
} network_settings;

/* clang-format off */
#define NETWORK_OPTIONS                                                                                                \
    {"nodes", "N", "learners", TO_COUNT(network_settings, nodes, 1, OKRA_SIGNAL_BRANCHES), .absent = "20"},            \
    {"topology", "ring|grid|random|geometric|complete", "shape of the graph",                                      \
     TO_TEXT(network_settings, topology), .absent = "random"},                                                         \
    {"probability", "P", "of an edge in a random graph", TO_REAL(network_settings, probability),                       \
     .absent = "2 ln N / N"},                                                                                          \
    {"radius", "R", "of neighbourhood in a geometric graph, nodes in the unit square",                                 \
     TO_REAL(network_settings, radius), .absent = "sqrt(2 ln N / (pi N))"},                                            \
    {"edges", "FILE", "the graph instead: two columns, the nodes that each edge joins, from 0",                        \
     TO_TEXT(network_settings, edges)},                                                                                \
    {"rule", "cta|atc", "combine, then adapt, or the reverse: the same predictions", TO_TEXT(network_settings, rule),  \
     .fallback = "cta"},                                                                                               \
    {"every", "K", "combine at every K-th sample", TO_COUNT(network_settings, every, 1, UINT32_MAX), .fallback = "1"}, \
    {"signal", "SIGNAL", "what the nodes learn: the same system, with inputs and noise of their own",            \
     TO_TEXT(network_settings, signal), .absent = "ex2"},                                                              \
    {"in", "PATTERN", "files instead, one per node, with %d for its number from 0: inputs, the target last",         \
     TO_TEXT(network_settings, files)},                                                                                \
    {"samples", "N", "that each node learns", TO_COUNT(network_settings, samples, 1, UINT32_MAX), .fallback = "5000"}
/* clang-format on */

typedef struct network_plan {
    okra_graph *graph;
    const char *topology; /* its name, or that of the file of edges */
    okra_signal_spec signal;
    const char *files;             /* a pattern, or NULL */
    okra_diffusion_spec diffusion; /* with the recipe parameters */
    size_t samples;
} network_plan;

/* Returns EXIT_DONE, or another exit status after an error message. Free it in either case. The recipe is rff-klms,
 * with sigma 5, mu 1 and 200 features unless given. */
int network_plan_read(network_plan *plan, const arguments *options, const network_settings *set);
void network_plan_free(network_plan *plan);

/* What they learn from: the name of the signal, or the pattern of the files. */
const char *network_source(const network_plan *plan);

/* Mean number of neighbours of a node. */
double network_degree(const network_plan *plan);

/* The seed of the features in realisation `run`: another key than the data's. */
uint64_t network_feature_seed(const network_plan *plan, uint32_t run);

#endif
