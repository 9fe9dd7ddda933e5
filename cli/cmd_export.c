/*
 * okra export: a model file as JSON, for people and for programs that read nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include <okra/model_file.h>

#include "commands.h"
#include "common/model_input.h"
#include "common/message.h"

static int write_json(const model_input *input, const char *path)
{
    char *json;
    okra_message why;
    if (okra_export(input->bytes, input->size, input->limit, &json, &why))
        return message_fail(EXIT_IO, "%s: %s", input->name, why.text);
    okra_status status = okra_file_save(path ? path : "-", json, strlen(json), &why);
    free(json);
    return status ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

static int cmd_export(const arguments *options)
{
    model_input input;
    model_settings set;
    int status = model_input_open(&input, options, &set, "out");
    if (!status)
        status = write_json(&input, set.out);
    model_input_free(&input);
    return status;
}

static const cli_option options[] = {
    {"out", "FILE", "where the JSON goes", TO_TEXT(model_settings, out), .absent = "standard output"},
    MEMORY_OPTION(model_settings),
    HELP_OPTION,
};

const cli_command export_command = {
    .name = "export",
    .operand = "FILE",
    .help = "a model file as readable JSON",
    .more = "Writes a model file as JSON: its header under \"metadata\", its arrays under \"arrays\". Numbers have "
            "enough digits to read back to the same bits; numbers that JSON lacks are \"nan\", \"inf\" and \"-inf\". "
            "'okra import' turns it back into the same file.",
    .examples = "  okra export model.okra | jq .metadata\n",
    .options = options,
    .run = cmd_export,
};
