/*
 * okra run: predict-then-learn over a stream, a row at a time.
 */
#include "commands.h"
#include "common/model_input.h"
#include "stream/session.h"
#include "stream/stream_options.h"

static int cmd_run(const arguments *options) { return session_run(options, true); }

static const cli_option options[] = {
    {"recipe", "RECIPE", "what to learn with: one of 'okra list'", TO_TEXT(settings, recipe),
     .fallback = DEFAULT_RECIPE},
    PART_OPTIONS,
    KEEP_OPTION,
    WEIGHT_OPTION,
    {"on-drift", "report|reset", "where the error rises for good: say so, or also learn anew from there",
     TO_CHOICE(settings, on_drift), .absent = "neither"},
    {"omega", "FILE", "features from a CSV file with the columns omega1,..,b in radians", TO_TEXT(settings, omega),
     .absent = "drawn from --seed"},
    {"save", "FILE", "the model, at the end; also where SIGTERM, SIGINT, SIGQUIT, SIGHUP or a bad row ends the run",
     TO_TEXT(settings, save)},
    {"checkpoint", "N|Ns", "save it every N rows too, or every N seconds, as in 30s",
     TO_AMOUNT(settings, checkpoint, 1, UINT64_MAX, 's')},
    {"load", "FILE", "go on from a model; the rows given are new ones", TO_TEXT(settings, load)},
    {"resume", NULL, "go on with the FILE, --out and --save of a run that stopped, from its last checkpoint",
     TO_FLAG(settings, resume)},
    MEMORY_OPTION(settings),
    INPUT_OPTIONS,
    FOLLOW_OPTION,
    OUTPUT_OPTIONS,
};

static const cli_default defaults[] = {TARGET_LAGS_DEFAULT, {NULL, NULL}};

const cli_command run_command = {
    .name = "run",
    .operand = "FILE",
    .help = "predict, then learn, a stream of rows, one at a time",
    .more =
        "Reads a stream of rows from FILE, or from standard input, and predicts the target of every row before "
        "learning it. Writes n,y,yhat,error for each row as soon as it has come, and a summary to standard "
        "error at the end. A row whose target is empty is predicted and not learnt. A row that lacks an input, or a "
        "lag, has no prediction: yhat and error are empty. n counts the rows of the input, skipped ones too. SIGTERM, "
        "SIGINT, SIGQUIT and SIGHUP, which a terminal sends that is closed, end a run as the end of its input "
        "does, and it then dies of the signal; SIGUSR1 prints the summary so far.",
    .examples = "  okra run --target temperature --lags 8 stream.csv > predictions.csv\n"
                "  okra run --recipe rff-krls --sigma auto --scale auto --interval 90 stream.csv\n"
                "  okra run --save model.okra --checkpoint 1000 --out predictions.csv stream.csv\n",
    .options = options,
    .parameters = ALL_PARAMETERS,
    .defaults = defaults,
    .run = cmd_run,
};
