/*
 * Signals: SIGTERM, SIGINT, SIGQUIT and SIGHUP end a stream cleanly, SIGUSR1 asks for the summary so far. Handlers only
 * take note; the loop over the rows looks.
 */
#ifndef OKRA_CLI_SIGNALS_H
#define OKRA_CLI_SIGNALS_H

#include <semaphore.h>
#include <stdbool.h>

/* A SIGUSR1 that comes early, while the input is still awaited, is answered later and does not kill. */
void signals_expect_report(void);

/*
 * From here on signals are noted, and post `wake`, on which the calling thread may be waiting. The first that
 * asks for the end is noted, a second one of its kind kills, but for SIGHUP. One that the parent had ignored (nohup)
 * stays so.
 */
void signals_watch(sem_t *semaphore);

/* Nobody waits any more. */
void signals_unwatch(void);

/* Whether anything was noted that has not been asked for. Cheap enough for every row. */
bool signals_noted(void);

/* The signal that asked for the end; 0: none. */
int signals_end(void);

/* Whether a SIGUSR1 has come since this was last asked. */
bool signals_report(void);

/* Dies of the signal that asked for the end, now that the work is done, so that parents see why: a shell's loop stops
 * at a Ctrl-C, and `okra run .. && next` does not go on. Returns where there was none. */
void signals_die(void);

#endif
