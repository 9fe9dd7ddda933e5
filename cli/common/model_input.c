/* A file as a whole, for the commands that look at model files. */
#include "model_input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <okra/model_file.h>

#include "message.h"

int model_input_open(model_input *input, const arguments *options, model_settings *set, const char *writes)
{
    const char *path = options->operand;
    okra_message why;
    *input = (model_input){.name = is_standard(path) ? "standard input" : path};
    *set = (model_settings){0};
    int status = arguments_read(options, set);
    if (!status)
        status = model_input_spare(options, writes);
    if (status)
        return status;
    if (!path && isatty(STDIN_FILENO))
        return message_fail(EXIT_USAGE, "okra %s needs a %s: name one, or - for standard input", options->command->name,
                            options->command->operand);
    input->limit = (size_t)set->max_memory * MEGABYTE;
    if (okra_file_load(path ? path : "-", &input->bytes, &input->size, &why))
        return message_fail(EXIT_IO, "%s", why.text);
    return EXIT_DONE;
}

void model_input_free(model_input *input)
{
    free(input->bytes);
    input->bytes = NULL;
}

/* Whether the path is that of a file which is read, "-" and NULL for standard input. */
static bool is_read(const char *path, const char *read)
{
    struct stat a, b;
    return stat(path, &a) == 0 && S_ISREG(a.st_mode) &&
           (is_standard(read) ? fstat(STDIN_FILENO, &b) : stat(read, &b)) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

int model_input_spare(const arguments *options, const char *option)
{
    const char *path = arguments_value(options, option), *in = arguments_value(options, "in");
    bool same =
        path && !is_standard(path) &&
        (is_read(path, in ? in : options->operand) || (in && is_read(path, arguments_value(options, "target"))));
    return same ? message_fail(EXIT_USAGE, "--%s: '%s' is an input of this run: name another file", option, path)
                : EXIT_DONE;
}
