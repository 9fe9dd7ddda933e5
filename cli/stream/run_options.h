/*
 * The options of `run` and `predict`. They are read before any file is opened, so that a mistake is reported at once.
 */
#ifndef OKRA_CLI_RUN_OPTIONS_H
#define OKRA_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "columns.h"
#include "../common/model_input.h"
#include "../common/options.h"

enum { SERIES_TARGET_LAGS = 10 }; /* past targets if there are no inputs */

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
    bool headers;                                                /* see okra_table_options */
    double metrics_every;                                        /* seconds */
    const char *out, *metrics, *save, *load, *omega, *relevance; /* paths; NULL: not given */
    const char *missing;                                         /* see okra_table_options */

    /* What follows from them. */
    okra_spec spec;       /* recipe, parameters, lags; inputs and targets are yet to be counted */
    double q;             /* the quantile of the interval, once the recipe is known */
    const char *in, *mic; /* the file or standard input; the second one of a pair */
} settings;

/*
 * The rows of these settings, for the tables of the commands over a stream. `settings` is the first member of the
 * settings of each of them, so that the places are the same.
 */
/* clang-format off */
#define PART_OPTIONS                                                                                                   \
    {"target", "COL[,COL]", "what to predict: columns by name or number from 1", TO_TEXT(settings, parts[TARGET]),     \
     .absent = "the last column"},                                                                                     \
    {"inputs", "COL,..", "what to predict it from", TO_TEXT(settings, parts[INPUT]), .absent = "all other columns"},   \
    {"without", "COL,..", "columns that are neither; they may hold anything: times, labels",                           \
     TO_TEXT(settings, parts[LEFT_OUT]), .absent = "none"}

#define KEEP_OPTION                                                                                                    \
    {"keep", "COL,..", "columns to copy unchanged to the end of each output line; they are inputs only if --inputs "   \
                       "names them",                                                                                   \
     TO_TEXT(settings, parts[KEPT]), .absent = "none"}

#define WEIGHT_OPTION                                                                                                  \
    {"weight", "COL", "weight of each row in learning, 0 or more", TO_TEXT(settings, parts[WEIGHT]),                   \
     .absent = "all 1"}

/* What the program has of its own, for cli_command.defaults. */
#define TARGET_LAGS_DEFAULT {"target-lags", "0; 10 if there are no inputs"}

#define FORMAT_OPTIONS                                                                                                 \
    {"format", "FORMAT", "of FILE", TO_TEXT(settings, format), .absent = "from its name and content"},                 \
    {"header", "yes|no", "whether the first line names the columns", TO_CHOICE(settings, header),                      \
     .absent = "yes if it holds more than numbers"},                                                                   \
    {"columns", "N", "numbers in a row, for a format that does not store it, such as raw",                             \
     TO_COUNT(settings, columns, 1, 1 << 24), .absent = "1"},                                                          \
    {"missing", "LIST", "words and numbers that stand for a missing value, besides an empty field and nan, as in "     \
                        "'?,-9999'",                                                                                   \
     TO_TEXT(settings, missing), .absent = OKRA_MISSING_WORDS}

#define BAD_ROWS_OPTION                                                                                                \
    {"bad-rows", "stop|skip", "what to do with a row that does not parse; a skipped row is a gap, and is counted",     \
     TO_CHOICE(settings, bad_rows), .fallback = "stop"}

#define INPUT_OPTIONS                                                                                                  \
    {"in", "FILE", "instead of FILE: the audio that was played; --target is then the FILE that a microphone recorded", \
     TO_TEXT(settings, far)},                                                                                          \
    FORMAT_OPTIONS,                                                                                                    \
    BAD_ROWS_OPTION

#define FOLLOW_OPTION                                                                                                  \
    {"follow", NULL, "wait for more rows at the end of FILE, and follow it through rotation, as tail -F does; "        \
                     "repeated headers are skipped",                                                                   \
     TO_FLAG(settings, follow)}

#define RUN_OPTIONS                                                                                                    \
    {"recipe", "RECIPE", "what to learn with: see 'okra list'", TO_TEXT(settings, recipe),                             \
     .fallback = DEFAULT_RECIPE},                                                                                      \
    PART_OPTIONS,                                                                                                      \
    KEEP_OPTION,                                                                                                       \
    WEIGHT_OPTION,                                                                                                     \
    {"on-drift", "report|reset", "if the error rises for good: report it, or also learn again from there",             \
     TO_CHOICE(settings, on_drift), .absent = "neither"},                                                              \
    {"omega", "FILE", "features from a CSV file with the columns omega1,..,b in radians", TO_TEXT(settings, omega),    \
     .absent = "drawn from --seed"},                                                                                   \
    {"save", "FILE", "save the model at the end; also if SIGTERM, SIGINT, SIGQUIT, SIGHUP or a bad row ends the run",  \
     TO_TEXT(settings, save)},                                                                                         \
    {"checkpoint", "N|Ns", "save it also every N rows, or every N seconds, as in 30s",                                 \
     TO_AMOUNT(settings, checkpoint, 1, UINT64_MAX, 's')},                                                             \
    {"load", "FILE", "continue a model; the rows are new ones", TO_TEXT(settings, load)},                              \
    {"resume", NULL, "continue a run that stopped from its last checkpoint, with the same FILE, --out and --save",     \
     TO_FLAG(settings, resume)},                                                                                       \
    {"relevance", "FILE", "which inputs matter: input,relevance as CSV, or as JSON if the name ends in .json; of "     \
                          "recipe auto, or with --widths auto",                                                                         \
     TO_TEXT(settings, relevance)},                                                                                    \
    MEMORY_OPTION(settings)

#define OUTPUT_OPTIONS                                                                                                 \
    {"interval", "P", "adds lo,hi to each prediction: a P% predictive interval, from auto and the RLS recipes",        \
     TO_TEXT(settings, percent), .absent = "none"},                                                                    \
    {"score-from", "N|P%", "score only rows after the first N, or after P% of a regular file",                         \
     TO_AMOUNT(settings, score_from, 0, UINT64_MAX, '%'), .fallback = "0"},                                            \
    {"window", "N", "rows that the recent_ figures of the summary cover", TO_COUNT(settings, window, 1, 1 << 24),      \
     .fallback = "1000"},                                                                                              \
    {"digits", "N", "digits of a number in the output, 1 to 17", TO_COUNT(settings, digits, 1, 17),                    \
     .absent = "enough to read back the same number"},                                                                 \
    {"out", "FILE", "predictions; the name's ending chooses the format: see 'okra list' (standard output); an audio "  \
                    "file gets the residual y - yhat",                                                                 \
     TO_TEXT(settings, out)},                                                                                          \
    {"line-buffered", NULL, "write each line at once to a regular file too", TO_FLAG(settings, line_buffered)},        \
    {"metrics", "FILE", "the summary as JSON; a name ending in .prom is for Prometheus, .jsonl adds a line each "      \
                        "time; the file is replaced as a whole, so that others can watch it",                          \
     TO_TEXT(settings, metrics)},                                                                                      \
    {"metrics-every", "SECONDS", "how often, besides the end and SIGUSR1", TO_REAL(settings, metrics_every),           \
     .fallback = "10"},                                                                                                \
    {"quiet", NULL, "no summary and no progress bar", TO_FLAG(settings, quiet)},                                       \
    HELP_OPTION
/* clang-format on */

/* Whether the model is saved before the end too. */
static inline bool saves_on_the_way(const settings *s) { return s->checkpoint.count > 0 || s->checkpoint.in_unit; }

/* All but the model. Returns EXIT_DONE, or EXIT_USAGE after an error message. */
int settings_read(settings *s, const arguments *options);

/* Refuses options that exclude each other. settings_read() calls it; a command with more settings must call it
 * itself. */
int settings_check(settings *s, const arguments *options);

/* The model: recipe, parameters and lags. Returns EXIT_DONE, or EXIT_USAGE after an error message. */
int settings_read_model(settings *s, const arguments *options);

#endif
