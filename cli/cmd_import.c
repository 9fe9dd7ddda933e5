/*
 * okra import: JSON from okra export, edited perhaps, back to a model file.
 */
#include <stdlib.h>

#include <okra/model_file.h>

#include "commands.h"
#include "common/model_input.h"
#include "common/message.h"

static int write_model(const model_input *input, const char *path)
{
    unsigned char *bytes;
    size_t size;
    okra_message why;
    if (okra_import((const char *)input->bytes, input->size, input->limit, &bytes, &size, &why))
        return message_fail(EXIT_IO, "%s: %s", input->name, why.text);
    okra_status status = okra_file_save(path, bytes, size, &why);
    free(bytes);
    return status ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

static int cmd_import(const arguments *options)
{
    model_input input;
    model_settings set;
    if (!arguments_value(options, "out"))
        return message_fail(EXIT_USAGE,
                            "okra import needs --out FILE: where the model file goes, or - for standard output");
    int status = model_input_open(&input, options, &set, "out");
    if (!status)
        status = write_model(&input, set.out);
    model_input_free(&input);
    return status;
}

static const cli_option options[] = {
    {"out", "FILE", "where the model file goes", TO_TEXT(model_settings, out), .absent = "needed"},
    MEMORY_OPTION(model_settings),
    HELP_OPTION,
};

const cli_command import_command = {
    .name = "import",
    .operand = "FILE.json",
    .help = "a model file from the JSON of export",
    .more = "Turns the JSON of 'okra export' back into the same model file, bit for bit. The JSON may be edited. If it "
            "is no valid model, it is refused with the reason, and an existing file stays as it was.",
    .examples = "  okra import --out model.okra model.json\n",
    .options = options,
    .run = cmd_import,
};
