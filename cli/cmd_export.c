/*
 * okra export: a model file as JSON, for people and for programs that read nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include <okra/model_file.h>

#include "commands.h"
#include "common/model_input.h"
#include "common/talk.h"

static int write_json(const model_input *input, const char *path)
{
    char *json;
    okra_message why;
    if (okra_export(input->bytes, input->size, input->limit, &json, &why))
        return talk_fail(EXIT_IO, "%s: %s", input->name, why.text);
    okra_status status = okra_file_save(path ? path : "-", json, strlen(json), &why);
    free(json);
    return status ? talk_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

static int cmd_export(const arguments *options)
{
    model_input input = {0};
    int status = model_input_spare(options, "out");
    if (!status)
        status = model_input_read(&input, options);
    if (!status)
        status = write_json(&input, arguments_value(options, "out"));
    model_input_free(&input);
    return status;
}

static const cli_option options[] = {
    {"out", "FILE", "where the JSON goes (standard output)"},
    MEMORY_OPTION,
    {"help", NULL, "this text"},
    {NULL, NULL, NULL},
};

const cli_command export_command = {
    .name = "export",
    .operand = "FILE",
    .help = "a model file as readable JSON",
    .more = "Writes a model file as JSON: what its header says under \"metadata\", and every array with all its "
            "numbers under \"arrays\". Numbers have as many digits as it takes to read the same bits back; "
            "what JSON has no number for is \"nan\", \"inf\" or \"-inf\". 'okra import' makes the same file of it.",
    .examples = "  okra export model.okra | jq .metadata\n",
    .options = options,
    .run = cmd_export,
};
