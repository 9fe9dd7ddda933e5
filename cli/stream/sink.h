/*
 * Rows written behind: a thread turns numbers into text and writes it while the main one learns. A failure is
 * remembered, and told once, by the call that comes upon it.
 */
#ifndef OKRA_CLI_SINK_H
#define OKRA_CLI_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

typedef struct sink sink;

/* Takes the writer over. `eager`: somebody may be waiting for each row. NULL where there is no memory or no thread: the
 * writer is then still the caller's. */
sink *sink_start(okra_writer *writer, size_t columns, bool eager);

/* Room for the numbers of the next row, the texts after them where there are any, and their sending off. EXIT_DONE, or
 * EXIT_IO when it has said why. */
double *sink_room(sink *s);
int sink_texts(sink *s, const char *texts, size_t length);
int sink_row(sink *s);

/* Nothing more comes for a while: what is there is to be written now. */
void sink_nudge(sink *s);

/* Waits until everything is on the disk, or wherever it goes; *bytes is how much there is of it. */
int sink_sync(sink *s, uint64_t *bytes);

/* How many values have been clipped so far, of every row sent off. */
uint64_t sink_clipped(sink *s);

/* Writes what is left, closes and frees; NULL is allowed. */
int sink_close(sink *s);

#endif
