/*
 * Reads frequencies and phases of random features from a file (--omega).
 */
#ifndef OKRA_CLI_OMEGA_FILE_H
#define OKRA_CLI_OMEGA_FILE_H

#include <stddef.h>

typedef struct omega {
    size_t features; /* D: rows of the file */
    double *omega;   /* D x inputs, in radians */
    double *phase;   /* D, in radians */
} omega;

/*
 * Reads a CSV file with the columns omega1, .., omega<inputs>, b. Returns EXIT_DONE, or EXIT_IO after an error message.
 * Free it in either case.
 */
int omega_load(omega *o, const char *path, size_t inputs);

void omega_free(omega *o);

#endif
