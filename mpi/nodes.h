/*
 * The nodes of this process: how theta is exchanged between processes, and what is saved on disk.
 */
#ifndef OKRA_MPI_NODES_H
#define OKRA_MPI_NODES_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/network.h>

/* A neighbourhood collective on the graph of processes that have nodes with neighbours on each other's. */
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

/* Collective. Returns EXIT_DONE, or another exit status after an error message. Close it in either case. */
int exchange_open(exchange *x, const okra_graph *graph, size_t features);
void exchange_close(exchange *x);

/* For okra_diffusion_spec; the context is the exchange. */
okra_status exchange_theta(void *context, okra_exchange part);

/*
 * What every rank saves, so that a stopped job can resume: PREFIX-RANK-SAMPLES.okra, an rff-klms model with an output
 * for each of its nodes, and PREFIX-RANK-SAMPLES.f64 beside it, the errors so far. The last two may exist together,
 * because a job may be stopped between two checkpoints.
 */
typedef struct rank_files {
    const char *prefix;
    okra_diffusion_spec spec; /* of this rank's nodes */
    const char *plan;         /* what all ranks agreed on: it must be the same when the job resumes */
    size_t n_errors;          /* numbers beside theta */
    uint64_t last;            /* samples of the latest files; 0: none */
} rank_files;

/* Collective. Writes the state at so many samples, each file whole or not at all; once all ranks have theirs, removes
 * the one before. Returns EXIT_DONE, or EXIT_IO for all after an error message. */
int rank_files_write(rank_files *f, okra_diffusion *nodes, const double *errors);

/* Collective. Finds the latest state that all ranks have, and takes it; *samples is 0 if there is none. */
int rank_files_read(rank_files *f, okra_diffusion *nodes, double *errors, uint64_t *samples);

#endif
