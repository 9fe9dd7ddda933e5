/*
 * Rows read ahead: a thread reads and parses while the main one learns. Blocks are full where the input is a file, and
 * of a pipe hold what has come: a row is handed over before the next one is waited for.
 */
#ifndef OKRA_CLI_READER_H
#define OKRA_CLI_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "queue.h"

typedef struct reader reader;

/*
 * Begins to read. A block ends where the count of rows, `rows` so far, is a multiple of `every`, unless that is 0. The
 * input is the reader's until reader_stop(). NULL if there is no memory or no thread.
 */
reader *reader_start(input *in, uint64_t rows, uint64_t every);

/* The next block, or NULL where a signal came before it, or so many seconds passed, unless they are 0. After a block
 * whose state is not BLOCK_GOOD there is none. */
block *reader_next(reader *r, unsigned seconds);

/* How long so many rows took to learn: blocks are then as long as a twentieth of a second takes, so that a slow model
 * still predicts row by row, and hears signals. */
void reader_pace(reader *r, size_t rows, double seconds);

/* Takes a block back, from any thread. */
void reader_return(reader *r, block *b);

/*
 * Stops and frees; NULL is allowed. False if the input has not ended: its thread may be waiting for a row that never
 * comes, so that it keeps the input, and ends with the program.
 */
bool reader_stop(reader *r);

#endif
