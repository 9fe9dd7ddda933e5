/*
 * The processes of a job and their agreement: if one fails before learning starts, all stop, and rank 0 reports it
 * once.
 */
#ifndef OKRA_MPI_WORLD_H
#define OKRA_MPI_WORLD_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/okra.h>

/* Starts MPI, and ends it with the exit status that all agreed on. Meanwhile messages are held (see message_hold()),
 * and only rank 0 has a standard output. */
void world_begin(int *argc, char ***argv);
int world_end(int status);

size_t world_rank(void);
size_t world_ranks(void);

/*
 * Every process calls it with its own exit status. If one has failed, rank 0 prints the first one's error, and all get
 * its status, to return it.
 */
int world_agree(int status);

/* Agrees, and refuses if the texts differ between processes: `what` must be the same for all. */
int world_agree_on(int status, const char *what, const char *text);

/* What makes up such a text: a number that others hardly have, of a list of them; and every parameter of a spec, after
 * what `text` holds already. */
uint64_t world_digest(uint64_t sum, const size_t *numbers, size_t n);
void world_describe(const okra_spec *spec, char *text, size_t size);

/* Prints an error and ends the job at once, without the other processes. */
_Noreturn void world_abort(int status);

/* For okra_trial: numbers[ranks][n], of which row `rank` is there. */
okra_status world_gather(void *context, size_t n, double *numbers);

#endif
