/*
 * Rows of a stream in memory, a stretch at a time, for the commands that show the same rows to several learners.
 */
#ifndef OKRA_CLI_STOCK_H
#define OKRA_CLI_STOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../stream/session.h"

typedef struct stock {
    session from; /* the stream, opened as `run` opens it; it has no model and no outputs */
    size_t inputs, targets;
    size_t n, room;  /* rows of this stretch */
    uint64_t before; /* rows of the stretches before */
    double *u;       /* n x inputs; NaN stands for what is missing */
    double *y;       /* n x targets */
    double *weight;  /* below 0: a row that did not parse and was skipped */
    double *values;  /* the row being read */
    uint64_t skipped;
    bool ended;
} stock;

/* Opens the stream that the options name. EXIT_DONE, or another exit status when it has said why; to be closed in
 * either case. */
int stock_open(stock *s, const arguments *options);

/* Rows must fit float32 from here on, and are rounded to it. */
void stock_narrow(stock *s);

/* Reads the next stretch, up to `most` rows, in place of the last: s->n of them, fewer at the end of the stream only.
 * EXIT_DONE, or EXIT_IO when it has said why. */
int stock_fill(stock *s, size_t most);

/* Whether these rows can show who predicts better: each input has a value somewhere, and a target has two. EXIT_DONE,
 * or EXIT_IO when it has said what is wrong. */
int stock_check_varies(const stock *s);

void stock_close(stock *s);

#endif
