/*
 * Options that the commands over a stream share, for their tables. They go to `settings`, which is the first member of
 * the settings of each of these commands.
 */
#ifndef OKRA_CLI_STREAM_OPTIONS_H
#define OKRA_CLI_STREAM_OPTIONS_H

#include "settings.h"

/* clang-format off */
#define PART_OPTIONS                                                                                                   \
    {"target", "COL[,COL]", "what to predict: columns by name or number from 1", TO_TEXT(settings, parts[TARGET]),     \
     .absent = "the last column"},                                                                                     \
    {"inputs", "COL,..", "what to predict it from", TO_TEXT(settings, parts[INPUT]), .absent = "all other columns"},   \
    {"without", "COL,..", "columns that are neither, and may hold anything: times, labels",                            \
     TO_TEXT(settings, parts[LEFT_OUT]), .absent = "none"}

#define KEEP_OPTION                                                                                                    \
    {"keep", "COL,..", "columns to copy, as they are written, to the end of each line of the output; they are inputs " \
                       "only where --inputs names them", TO_TEXT(settings, parts[KEPT]), .absent = "none"}

#define WEIGHT_OPTION                                                                                                  \
    {"weight", "COL", "weights of the rows, 0 or more, on what is learnt from them", TO_TEXT(settings, parts[WEIGHT]), \
     .absent = "all 1"}

/* What the program has of its own, for cli_command.defaults. */
#define TARGET_LAGS_DEFAULT {"target-lags", "0; 10 where there are no inputs"}

#define FORMAT_OPTIONS                                                                                                 \
    {"format", "FORMAT", "of FILE", TO_TEXT(settings, format), .absent = "from its name and content"},                 \
    {"header", "yes|no", "whether the first line names the columns", TO_CHOICE(settings, header),                      \
     .absent = "where it holds more than numbers"},                                                                    \
    {"columns", "N", "numbers in a row, of a file that does not tell it, as raw ones do not",                          \
     TO_COUNT(settings, columns, 1, 1 << 24), .absent = "1"}

#define BAD_ROWS_OPTION                                                                                                \
    {"bad-rows", "stop|skip", "what a row that does not parse gets; a skipped one is a gap, and is counted",           \
     TO_CHOICE(settings, bad_rows), .fallback = "stop"}

#define INPUT_OPTIONS                                                                                                  \
    {"in", "FILE", "in place of FILE, audio that was played; --target is then the FILE that a microphone recorded",    \
     TO_TEXT(settings, far)},                                                                                          \
    FORMAT_OPTIONS,                                                                                                    \
    BAD_ROWS_OPTION

#define FOLLOW_OPTION                                                                                                  \
    {"follow", NULL, "wait for more at the end of FILE, and go on with its successor where it is rotated, as tail -F " \
                     "does; a header that comes again is skipped", TO_FLAG(settings, follow)}

#define OUTPUT_OPTIONS                                                                                                 \
    {"interval", "P", "adds lo,hi to each prediction: a P% predictive interval, from auto and the RLS recipes",        \
     TO_TEXT(settings, percent), .absent = "none"},                                                                    \
    {"score-from", "N|P%", "the summary's errors cover the rows after the first N, or after P% of a regular file's",   \
     TO_AMOUNT(settings, score_from, 0, UINT64_MAX, '%'), .fallback = "0"},                                               \
    {"window", "N", "the recent_ figures of the summary cover the last N rows", TO_COUNT(settings, window, 1, 1 << 24),\
     .fallback = "1000"},                                                                                              \
    {"digits", "N", "digits of a number in the output, 1 to 17", TO_COUNT(settings, digits, 1, 17),                    \
     .absent = "the fewest that read back to the same number"},                                                        \
    {"out", "FILE", "where the predictions go, in the format that its name ends in: 'okra list' has them (standard "   \
                    "output); to an audio file goes the residual y - yhat", TO_TEXT(settings, out)},                   \
    {"line-buffered", NULL, "write each line at once to a regular file too", TO_FLAG(settings, line_buffered)},        \
    {"metrics", "FILE", "the summary as JSON, or by the name's ending .prom for Prometheus, .jsonl a line each time; " \
                        "the file is replaced as a whole, so that it can be watched", TO_TEXT(settings, metrics)},      \
    {"metrics-every", "SECONDS", "how often, besides at the end and at SIGUSR1", TO_REAL(settings, metrics_every),     \
     .fallback = "10"},                                                                                                \
    {"quiet", NULL, "no summary and no progress bar", TO_FLAG(settings, quiet)},                                       \
    HELP_OPTION
/* clang-format on */

#endif
