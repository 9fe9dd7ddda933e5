/*
 * okra predict: the rows of a stream through a saved model, learning nothing.
 */
#include "commands.h"
#include "common/model_input.h"
#include "stream/session.h"
#include "stream/run_options.h"
#include "common/message.h"

static int cmd_predict(const arguments *options)
{
    if (!arguments_value(options, "load"))
        return message_fail(EXIT_USAGE,
                            "--load FILE is needed: the model to predict with, from 'okra run --save FILE'");
    return session_run(options, false);
}

static const cli_option options[] = {
    {"load", "FILE", "the model", TO_TEXT(settings, load), .absent = "needed"},
    {"target", "COL[,COL]", "what it predicts: columns by name or number from 1", TO_TEXT(settings, parts[TARGET]),
     .absent = "those of the model, where they are there"},
    {"inputs", "COL,..", "what it predicts from", TO_TEXT(settings, parts[INPUT]), .absent = "those of the model"},
    KEEP_OPTION,
    MEMORY_OPTION(settings),
    INPUT_OPTIONS,
    FOLLOW_OPTION,
    OUTPUT_OPTIONS,
};

const cli_command predict_command = {
    .name = "predict",
    .operand = "FILE",
    .help = "predict the rows of a stream with a saved model, learning nothing",
    .more =
        "Reads rows from FILE, or from standard input, and predicts each with the model of --load, which stays as it "
        "is. The columns are those that the model was made with, by name; the target may be absent where the model "
        "does not predict from its past. The rows come after those that the model has learnt: their lags begin "
        "there. Writes n,y,yhat,error as 'okra run' does.",
    .examples = "  okra predict --load model.okra rows.csv > predictions.csv\n",
    .options = options,
    .run = cmd_predict,
};
