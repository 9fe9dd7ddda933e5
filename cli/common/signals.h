/*
 * Unix signals: SIGTERM, SIGINT, SIGQUIT and SIGHUP end a stream cleanly, SIGUSR1 requests the summary so far. Handlers
 * only set flags, which the loop over the rows checks.
 */
#ifndef OKRA_CLI_SIGNALS_H
#define OKRA_CLI_SIGNALS_H

#include <semaphore.h>
#include <stdbool.h>

/* A SIGUSR1 that comes before the first row is answered later, and does not kill. */
void signals_expect_report(void);

/*
 * From here on signals are noted, and post `wake`, on which the calling thread may be waiting. The first that
 * asks for the end is noted, a second one of its kind kills, but for SIGHUP. One that the parent had ignored (nohup)
 * stays so.
 */
void signals_watch(sem_t *semaphore);

/* Stops posting. */
void signals_unwatch(void);

/* Whether a signal has come. Cheap enough for every row. */
bool signals_noted(void);

/* The signal that asked for the end; 0: none. */
int signals_end(void);

/* Whether a SIGUSR1 has come since the last call. */
bool signals_report(void);

/* Dies of the signal that asked for the end, now that the work is done, so that parents see why: a shell's loop
 * stops at a Ctrl-C, and `okra run .. && next` does not go on. Returns if there was none. */
void signals_die(void);

#endif
