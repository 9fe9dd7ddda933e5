/*
 * JSON files.
 */
#include "json_file.h"

#include <stdlib.h>
#include <string.h>

#include "model_input.h"
#include "message.h"

int json_file_open(output *out, const arguments *options, const char *result)
{
    const char *path = arguments_value(options, "metrics");
    *out = (output){0};
    if (!path)
        return EXIT_DONE;
    if (strcmp(path, "-") == 0)
        return message_fail(EXIT_USAGE, "--metrics: '-' is where the %s goes: name another file", result);
    int status = model_input_spare(options, "metrics");
    return status ? status : output_open(out, path);
}

int json_file_write(output *out, okra_json_writer *made)
{
    char *text = okra_text_take(&made->out);
    if (!text)
        return message_fail(EXIT_IO, "%s: out of memory", out->name);
    output_text(out, text);
    free(text);
    return output_row(out);
}

void json_file_read(okra_json_reader *reader, const char *text)
{
    size_t length = strlen(text);
    okra_json_start(reader, (okra_json_limits){.depth = 8, .text = length});
    okra_json_feed(reader, text, length);
    okra_json_finish(reader);
}
