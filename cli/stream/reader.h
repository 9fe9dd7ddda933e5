/*
 * Reads ahead: a thread reads and parses rows while the main thread learns. Blocks of a file are full. A block of a
 * pipe holds the rows that have arrived: a row is passed on before waiting for the next.
 */
#ifndef OKRA_CLI_READER_H
#define OKRA_CLI_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "queue.h"

typedef struct reader reader;

/*
 * Starts reading. `rows` have been read before. A block ends after every multiple of `every` rows, unless 0. The reader
 * owns the input until reader_stop(). NULL if there is no memory or no thread.
 */
reader *reader_start(input *in, uint64_t rows, uint64_t every);

/* Waits for the next block. NULL if a signal came first, or after so many seconds, unless 0. A block whose state is
 * not BLOCK_GOOD is the last. */
block *reader_next(reader *r, unsigned seconds);

/* Reports how long so many rows took to learn. Blocks are then sized to a twentieth of a second, so that a slow
 * model still answers rows and signals soon. */
void reader_pace(reader *r, size_t rows, double seconds);

/* Takes a block back, from any thread. */
void reader_return(reader *r, block *b);

/*
 * Stops and frees; NULL is allowed. False if the input has not ended: the thread may wait for a row that never comes,
 * so it keeps the input until the program ends.
 */
bool reader_stop(reader *r);

#endif
