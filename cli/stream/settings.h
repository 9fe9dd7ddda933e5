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

#include "columns.h"
#include "../common/model_input.h"
#include "../common/options.h"

enum { SERIES_TARGET_LAGS = 10 }; /* past targets where there are no inputs */

/* Words of --bad-rows and --on-drift, in the order of their rows; those of --header are in the order of okra_header. */
enum { BAD_ROWS_STOP = 1, BAD_ROWS_SKIP };
enum { DRIFT_REPORT = 1, DRIFT_RESET };

typedef struct settings {
    const char *recipe;             /* NULL: the default */
    const char *parts[N_PARTS];     /* columns, as they were asked for; NULL: not */
    const char *far, *format;       /* --in; NULL: guess */
    int header, bad_rows, on_drift; /* 0: not given */
    uint64_t columns;               /* of a raw file; 0: not given */
    const char *percent;            /* of the interval; NULL: none is wanted */
    amount score_from;              /* rows that are not scored, or the share of the file's in % */
    uint64_t window;                /* rows of the recent metrics */
    uint64_t digits;                /* of a number in the output; 0: as many as it takes */
    amount checkpoint;              /* rows from one to the next, or seconds; 0: none */
    uint64_t max_memory;            /* MB; 0: the library's limit */
    bool follow, resume, line_buffered, quiet;
    double metrics_every;                            /* seconds */
    const char *out, *metrics, *save, *load, *omega; /* paths; NULL: not given */

    /* What follows from them. */
    okra_spec spec;       /* recipe, parameters, lags; inputs and targets are yet to be counted */
    double q;             /* the quantile of the interval, once the recipe is known */
    const char *in, *mic; /* the file or standard input; the second one of a pair */
} settings;

/* Whether the model is saved before the end too. */
static inline bool saves_on_the_way(const settings *s) { return s->checkpoint.count > 0 || s->checkpoint.in_unit; }

/* All but the model. EXIT_DONE, or EXIT_USAGE when it has said why. */
int settings_read(settings *s, const arguments *options);

/* What does not go together. settings_read() has looked at it, but for a command whose settings are more than these. */
int settings_check(settings *s, const arguments *options);

/* The model: recipe, parameters and lags. EXIT_DONE, or EXIT_USAGE when it has said why. */
int settings_read_model(settings *s, const arguments *options);

#endif
