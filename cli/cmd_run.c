/*
 * okra run: predict-then-learn over a stream, a row at a time.
 */
#include "commands.h"
#include "common/model_input.h"
#include "stream/session.h"
#include "stream/run_options.h"

static int cmd_run(const arguments *options) { return session_run(options, true); }

static const cli_option options[] = {
    RUN_OPTIONS,
    INPUT_OPTIONS,
    FOLLOW_OPTION,
    OUTPUT_OPTIONS,
};

static const cli_default defaults[] = {TARGET_LAGS_DEFAULT, {NULL, NULL}};

const cli_command run_command = {
    .name = "run",
    .operand = "FILE",
    .help = "predict, then learn, each row of a stream",
    .more = "Reads a stream of rows from FILE, or from standard input, and predicts the target of every row before "
            "learning it. Writes n,y,yhat,error for each row as soon as it arrives, and a summary to standard error at "
            "the end. A row with an empty target is predicted but not learnt. A row that lacks an input, or a lag, has "
            "no prediction: yhat and error are empty. n counts the rows of the input, skipped ones too. SIGTERM, "
            "SIGINT, SIGQUIT and SIGHUP (a closed terminal) end a run as the end of the input does; it then dies of "
            "the signal. SIGUSR1 prints the summary so far.",
    .examples = "  okra run --target temperature --lags 8 stream.csv > predictions.csv\n"
                "  okra run --recipe rff-krls --sigma auto --scale auto --interval 90 stream.csv\n"
                "  okra run --save model.okra --checkpoint 1000 --out predictions.csv stream.csv\n",
    .options = options,
    .parameters = ALL_PARAMETERS,
    .defaults = defaults,
    .run = cmd_run,
};
