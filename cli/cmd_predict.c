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
     .absent = "those of the model, if present"},
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
    .help = "predict the rows of a stream with a saved model, without learning",
    .more = "Reads rows from FILE, or from standard input, and predicts each with the model of --load, which does not "
            "change. Columns are matched by name with those of the model. The target may be absent if the model has no "
            "target lags. The rows follow those that the model has learnt: lags continue from there. Writes "
            "n,y,yhat,error as 'okra run' does.",
    .examples = "  okra predict --load model.okra rows.csv > predictions.csv\n",
    .options = options,
    .run = cmd_predict,
};
