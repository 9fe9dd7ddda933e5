/*
 * Options that the commands over a stream share, for their tables.
 */
#ifndef OKRA_CLI_STREAM_OPTIONS_H
#define OKRA_CLI_STREAM_OPTIONS_H

/* clang-format off */
#define PART_OPTIONS                                                                                                   \
    {"target", "COL[,COL]", "what to predict: columns by name or number from 1 (the last column)"},                    \
    {"inputs", "COL,..", "what to predict it from (all other columns)"},                                               \
    {"without", "COL,..", "columns that are neither, and may hold anything: times, labels (none)"}

#define KEEP_OPTION                                                                                                    \
    {"keep", "COL,..", "columns to copy, as they are written, to the end of each line of the output; they are inputs " \
                       "only where --inputs names them (none)"}

#define WEIGHT_OPTION                                                                                                  \
    {"weight", "COL", "weights of the rows, 0 or more, on what is learnt from them (all 1)"}

/* What the program has of its own, for cli_command.defaults. */
#define TARGET_LAGS_DEFAULT {"target-lags", "0; 10 where there are no inputs"}

#define FORMAT_OPTIONS                                                                                                 \
    {"format", "FORMAT", "of FILE (from its name and content)"},                                                       \
    {"header", "yes|no", "whether the first line names the columns (where it holds more than numbers)"},               \
    {"columns", "N", "numbers in a row, of a file that does not tell it, as raw ones do not (1)"}

#define INPUT_OPTIONS                                                                                                  \
    {"in", "FILE", "in place of FILE, audio that was played; --target is then the FILE that a microphone recorded"},   \
    FORMAT_OPTIONS,                                                                                                    \
    {"bad-rows", "stop|skip", "what a row that does not parse gets; a skipped one is a gap, and is counted (stop)"}

#define OUTPUT_OPTIONS                                                                                                 \
    {"interval", "P", "adds lo,hi to each prediction: a P% predictive interval, from auto and the RLS recipes (none)"}, \
    {"score-from", "N|P%", "the summary's errors cover the rows after the first N, or after P% of a regular file's (0)"}, \
    {"digits", "N", "digits of a number in the output, 1 to 17 (the fewest that read back to the same number)"},       \
    {"out", "FILE", "where the predictions go, in the format that its name ends in: 'okra list' has them (standard "   \
                    "output); to an audio file goes the residual y - yhat"},                                           \
    {"line-buffered", NULL, "write each line at once to a regular file too"},                                          \
    {"metrics", "FILE", "the summary as JSON"},                                                                        \
    {"quiet", NULL, "no summary and no progress bar"},                                                                 \
    {"help", NULL, "this text"},                                                                                       \
    {NULL, NULL, NULL}
/* clang-format on */

#endif
