/*
 * Files that the program writes. The first failure (a full disk, a closed pipe) is reported, once.
 */
#ifndef OKRA_CLI_OUTPUT_H
#define OKRA_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output {
    FILE *file;       /* NULL: not open */
    const char *name; /* what messages call it */
    bool live;        /* not a regular file: a reader may be waiting for each row */
    int error;        /* errno of the first failure; 0: none yet */
} output;

/* Opens path for writing, or standard output if it is NULL or "-". Returns EXIT_DONE, or EXIT_IO after an error
 * message. */
int output_open(output *out, const char *path);

/* These remember a failure; output_row() and output_close() report it. */
void output_text(output *out, const char *text);
void output_real(output *out, double x);

/* Reports why an output failed. EXIT_IO. */
int output_failed(const char *name, int error);

/* Ends a line. Flushes it if a reader may be waiting. Returns EXIT_DONE, or EXIT_IO after an error message. */
int output_row(output *out);

/* Writes what is left and closes; nothing if it is not open. Returns EXIT_DONE, or EXIT_IO after an error message. */
int output_close(output *out);

#endif
