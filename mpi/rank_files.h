/*
 * What every rank keeps of a network on the disk, so that a job that was stopped goes on: PREFIX-RANK-SAMPLES.okra, an
 * rff-klms model with an output for each of its nodes, and PREFIX-RANK-SAMPLES.f64 beside it, the errors so far. The
 * last two may be there at once, because ranks may be stopped between two of them.
 */
#ifndef OKRA_MPI_RANK_FILES_H
#define OKRA_MPI_RANK_FILES_H

#include <stddef.h>
#include <stdint.h>

#include <okra/network.h>

typedef struct rank_files {
    const char *prefix;
    okra_diffusion_spec spec; /* of this rank's nodes */
    const char *plan;         /* what all ranks have agreed on: it must be the same when the job goes on */
    size_t n_errors;          /* numbers beside theta */
    uint64_t last;            /* samples of the latest files; 0: none */
} rank_files;

/* Collective. Writes the state at so many samples, each file whole or not at all; once all ranks have theirs, removes
 * the one before. EXIT_DONE, or EXIT_IO for all when it has said why. */
int rank_files_write(rank_files *f, okra_diffusion *nodes, const double *errors);

/* Collective. Finds the latest state that all ranks have, and takes it; *samples is 0 where there is none. */
int rank_files_read(rank_files *f, okra_diffusion *nodes, double *errors, uint64_t *samples);

#endif
