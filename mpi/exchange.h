/*
 * theta on its way between processes: a neighbourhood collective on the graph of processes that have nodes with
 * neighbours on each other's.
 */
#ifndef OKRA_MPI_EXCHANGE_H
#define OKRA_MPI_EXCHANGE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/network.h>

typedef struct exchange {
    MPI_Comm comm; /* the graph of processes */
    MPI_Request request;
    okra_diffusion *nodes; /* of this process; set before the first step */
    size_t features;
    int n_neighbours;
    int *neighbours;                  /* ranks */
    int *send_counts, *send_at;       /* numbers for each of them, and where they begin in `packed` */
    int *receive_counts, *receive_at; /* and in the ghosts */
    size_t *sent_nodes, n_sent;       /* numbered from this process's first; those for the first neighbour first */
    double *packed;                   /* [n_sent][features] */
    uint64_t times;                   /* exchanges so far */
    double seconds;                   /* spent in them */
} exchange;

/* The nodes of a rank are first .. first of the next - 1. */
size_t exchange_first_node(size_t nodes, size_t rank, size_t ranks);

/* Collective. EXIT_DONE, or another exit status when it has said why; to be closed in either case. */
int exchange_open(exchange *x, const okra_graph *graph, size_t features);
void exchange_close(exchange *x);

/* For okra_diffusion_spec; the context is the exchange. */
okra_status exchange_theta(void *context, okra_exchange part);

#endif
