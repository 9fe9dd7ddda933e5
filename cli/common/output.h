/*
 * Files that the program writes. The first failure (a full disk, a closed pipe) is remembered, and told once.
 */
#ifndef OKRA_CLI_OUTPUT_H
#define OKRA_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output {
    FILE *file;       /* NULL: not open */
    const char *name; /* what messages call it */
    bool live;        /* no regular file: somebody may be waiting for each row */
    int error;        /* errno of the first failure; 0: none yet */
} output;

/* Opens path for writing, or standard output where it is NULL or "-". EXIT_DONE, or EXIT_IO after an error message. */
int output_open(output *out, const char *path);

/* These remember a failure; output_row() and output_close() tell it. */
void output_text(output *out, const char *text);
void output_real(output *out, double x);

/* Says what an output died of. EXIT_IO. */
int output_failed(const char *name, int error);

/* Ends a line, and sends it off where somebody may be waiting. EXIT_DONE, or EXIT_IO after an error message. */
int output_row(output *out);

/* Writes what is left and closes; nothing if it is not open. EXIT_DONE, or EXIT_IO after an error message. */
int output_close(output *out);

#endif
