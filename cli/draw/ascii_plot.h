/*
 * Curves in a terminal.
 */
#ifndef OKRA_CLI_ASCII_PLOT_H
#define OKRA_CLI_ASCII_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A curve: points with increasing x; points that are not finite are not drawn. */
typedef struct ascii_curve {
    char mark;
    size_t n;
    const double *x, *y;
} ascii_curve;

/* Draws them over each other, y up to `top` at most. `name` is what x is called. */
void ascii_plot(FILE *out, const char *name, bool log_x, double top, size_t n, const ascii_curve *curves);

#endif
