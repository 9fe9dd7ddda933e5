/* What the network's files share. */
#ifndef OKRA_GRAPH_INTERNAL_H
#define OKRA_GRAPH_INTERNAL_H

#include <okra/network.h>
#include <okra/okra.h>

/* Of the random numbers that draw a graph. */
enum { GRAPH_STREAM = 41 };

/* Writes a message, unless nobody wants it, and answers the status. */
__attribute__((format(printf, 3, 4))) okra_status network_refuse(okra_message *why, okra_status status,
                                                                 const char *format, ...);

#endif
