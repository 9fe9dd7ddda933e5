/*
 * Figures as files: DIR/NAME.csv, a gnuplot script NAME.gp beside it to edit, and the pictures that it draws.
 */
#ifndef OKRA_CLI_FIGURE_H
#define OKRA_CLI_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct figure {
    const char *directory, *name;
} figure;

/* A file of a figure that is being written. */
typedef struct figure_file {
    FILE *file;
    char path[4096];
} figure_file;

/* Makes the directory unless it is there. Returns EXIT_DONE, or EXIT_IO after an error message. */
int figure_make_directory(const char *directory);

/* Opens DIR/NAME with an ending; closes it and reports what failed since. Returns EXIT_DONE, or EXIT_IO after an
 * error message. */
int figure_create(figure_file *f, const figure *of, const char *ending);
int figure_close(figure_file *f);

/* The head of a script: what it is, that it reads CSV, and the look that all pictures share. */
void figure_style(FILE *gp, const figure *of);

/* The same picture as PNG and as SVG, of a size in pixels of the SVG: draw() writes its commands for each. */
void figure_pictures(FILE *gp, const figure *of, int width, int height, void (*draw)(FILE *gp, const void *context),
                     const void *context);

/* A text as a string of the script. */
void figure_string(FILE *gp, const char *text);

/* Of curve k. */
const char *figure_colour(size_t k);

/* Runs the script; prints a note if there is no gnuplot. */
void figure_draw(const figure *of);

#endif
