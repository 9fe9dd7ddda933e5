/*
 * Rows read ahead: a thread reads and parses while the main one learns. Every row is there as soon as its last byte is,
 * and the memory is fixed.
 */
#ifndef OKRA_CLI_FEED_H
#define OKRA_CLI_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

typedef struct feed feed;

typedef enum feed_kind {
    FEED_ROW,   /* a row */
    FEED_BAD,   /* a row that does not parse */
    FEED_END,   /* no more rows */
    FEED_FAILED /* the input cannot be read any further */
} feed_kind;

typedef struct feed_row {
    feed_kind kind;
    uint64_t line;  /* in the input */
    double *values; /* [columns] */
    char *texts;    /* of the columns that are wanted as text, one after the other, each ended by a NUL .. */
    size_t length;  /* .. so many characters in all */
    size_t room;
} feed_row;

/* Begins to read; columns texts[n_texts] come as text too. The table is the feed's until feed_stop(). NULL where there
 * is no memory or no thread. */
feed *feed_start(okra_table *table, const size_t *texts, size_t n_texts);

/*
 * Stops and frees; NULL is allowed. False where the input has not ended: its thread may be waiting for a row that never
 * comes, so that it keeps the table, and ends with the program.
 */
bool feed_stop(feed *f);

/* Whether the next row is there; without it, feed_next() would wait. */
bool feed_has_row(feed *f);

/* The next row, valid until the next call; NULL where a signal came before it. After FEED_END and FEED_FAILED there is
 * nothing more to ask for. */
const feed_row *feed_next(feed *f);

/* What was wrong with the first bad row, and why the input failed; once the row that says so has come. */
const char *feed_first_bad(const feed *f);
const char *feed_failure(const feed *f);

/* How much of the input has been read, 0 to 1; negative where nobody knows. */
double feed_progress(const feed *f);

#endif
