/*
 * The options of `run` and `predict` as values: read before any file is opened, so that a slip in an option is told at
 * once and not when the pipe has filled.
 */
#ifndef OKRA_CLI_SETTINGS_H
#define OKRA_CLI_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "../common/options.h"

enum { SERIES_TARGET_LAGS = 10 }; /* past targets where there are no inputs */

typedef struct settings {
    okra_spec spec;      /* recipe, parameters, lags; inputs and targets are yet to be counted */
    const char *percent; /* of the interval; NULL: none is wanted */
    double q;            /* its quantile, once the recipe is known */
    const char *format;  /* NULL: guess */
    okra_header header;
    size_t columns; /* of a raw file; 0: not given */
    bool skips_bad_rows;
    bool watches_drift, resets_on_drift;
    uint64_t score_from;  /* rows that are not scored .. */
    double score_percent; /* .. or this share of the file's; 0: no share */
    uint64_t checkpoint;  /* rows from one to the next; 0: none */
    size_t digits;        /* of a number in the output; 0: as many as it takes */
    bool resume, line_buffered, quiet;
    const char *in, *mic, *out, *metrics, *save, *load, *omega; /* paths; NULL: not given; mic: see --in */
} settings;

/* All but the model. EXIT_DONE, or EXIT_USAGE when it has said why. */
int settings_read(settings *s, const arguments *options);

/* The model: recipe, parameters and lags. EXIT_DONE, or EXIT_USAGE when it has said why. */
int settings_read_model(settings *s, const arguments *options);

#endif
