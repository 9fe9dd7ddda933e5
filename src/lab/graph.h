/* The inside of a graph, and what the network's files share. */
#ifndef OKRA_GRAPH_INTERNAL_H
#define OKRA_GRAPH_INTERNAL_H

#include <okra/network.h>
#include <okra/okra.h>

/* Of the random numbers that draw a graph. */
enum { GRAPH_STREAM = 41 };

struct okra_graph {
    size_t nodes, edges;
    size_t *start;  /* [nodes + 1]: row k is node[start[k] .. start[k + 1]) */
    size_t *node;   /* ascending, k itself among them */
    double *weight; /* of each */
};

/* Writes a message, unless nobody wants it, and answers the status. */
__attribute__((format(printf, 3, 4))) okra_status network_refuse(okra_message *why, okra_status status,
                                                                 const char *format, ...);

#endif
