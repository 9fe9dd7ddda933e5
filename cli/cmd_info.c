/*
 * okra info: what a model file holds. Made once as a JSON object, so that the text and --metrics cannot drift apart.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#include <okra/model_file.h>

#include "commands.h"
#include "common/metrics.h"
#include "common/model_input.h"
#include "common/output.h"
#include "common/talk.h"
#include "common/text.h"

enum { VALUE_COLUMN = 22 };

#define COUNTER "counter."
#define NOTE    "note."

/* ---- as JSON ------------------------------------------------------------------------------------------------- */

/* A number where the text is one: a whole one that fits, or a real. */
static json_t *value_of(const char *text)
{
    char *end;
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (*text && !*end && !errno)
        return json_integer(whole);
    double real = strtod(text, &end);
    return *text && !*end && isfinite(real) ? json_real(real) : json_string(text);
}

/* The metadata whose keys begin with `group`, as an object without it. Notes are texts, whatever they look like. */
static json_t *group_of(const okra_metadata *metadata, const char *group)
{
    json_t *all = json_object();
    const char *key, *text;
    for (size_t i = 0; okra_metadata_at(metadata, i, &key, &text); i++)
        if (strncmp(key, group, strlen(group)) == 0)
            json_object_set_new(all, key + strlen(group),
                                strcmp(group, NOTE) == 0 ? json_string(text) : value_of(text));
    return all;
}

static void add_plain(json_t *all, const okra_metadata *metadata)
{
    const char *key, *text;
    for (size_t i = 0; okra_metadata_at(metadata, i, &key, &text); i++)
        if (strncmp(key, COUNTER, strlen(COUNTER)) != 0 && strncmp(key, NOTE, strlen(NOTE)) != 0)
            json_object_set_new(
                all, key, strstr(key, "version") || strcmp(key, "checksum") == 0 ? json_string(text) : value_of(text));
}

static json_t *arrays_of(const okra_filter *model)
{
    json_t *all = json_object();
    okra_array array;
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++)
        json_object_set_new(all, array.name, json_pack("[I,I]", (json_int_t)array.rows, (json_int_t)array.cols));
    return all;
}

static json_t *describe(const model_input *input, const okra_filter *model, const okra_metadata *metadata)
{
    okra_stats stats = {0};
    okra_spec bare;
    json_t *all = json_pack("{s:s, s:I}", "file", input->name, "bytes", (json_int_t)input->size);
    if (!all) /* a name that is not UTF-8 */
        all = json_pack("{s:I}", "bytes", (json_int_t)input->size);
    okra_get_stats(model, &stats);
    add_plain(all, metadata);
    if (!okra_bare_spec(model, &bare)) {
        json_object_set_new(all, "filter_inputs", json_integer((json_int_t)bare.inputs));
        if (okra_get_spec(model)->sigma == OKRA_SIGMA_AUTO && bare.sigma > 0)
            json_object_set_new(all, "sigma_found", json_real(bare.sigma));
    }
    json_object_set_new(all, "filter_bytes", json_integer((json_int_t)stats.bytes));
    json_object_set_new(all, "counters", group_of(metadata, COUNTER));
    json_object_set_new(all, "arrays", arrays_of(model));
    json_object_set_new(all, "notes", group_of(metadata, NOTE));
    return all;
}

/* ---- as text ------------------------------------------------------------------------------------------------- */

/* Names and notes come from outside, and a terminal takes some characters for commands. */
static void print_value(const json_t *value)
{
    char text[OKRA_REAL_TEXT];
    if (json_is_string(value))
        print_plain(stdout, json_string_value(value));
    else if (json_is_integer(value))
        printf("%lld", (long long)json_integer_value(value));
    else if (json_is_array(value))
        printf("%lld x %lld", (long long)json_integer_value(json_array_get(value, 0)),
               (long long)json_integer_value(json_array_get(value, 1)));
    else if (okra_format_real(json_real_value(value), text))
        fputs(text, stdout);
    putchar('\n');
}

static void print_pair(int indent, const char *name, const json_t *value)
{
    int room = VALUE_COLUMN - indent - (int)strlen(name);
    printf("%*s", indent, "");
    print_plain(stdout, name);
    printf("%*s", room > 1 ? room : 1, "");
    print_value(value);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as what describe() makes, which is not what a file holds */
static void print_object(int indent, json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (!json_is_object(value)) {
            print_pair(indent, name, value);
        } else if (json_object_size(value) > 0) {
            printf("%s\n", name);
            print_object(indent + 2, value);
        }
    }
}

/* ---- the command --------------------------------------------------------------------------------------------- */

static int write_metrics(json_t *all, const char *path)
{
    output out;
    int status = output_open(&out, path);
    if (status)
        return status;
    status = metrics_write(&out, json_incref(all));
    int closed = output_close(&out);
    return status ? status : closed;
}

static int show(const arguments *options, const model_input *input, const okra_filter *model,
                const okra_metadata *metadata)
{
    const char *metrics = arguments_value(options, "metrics");
    json_t *all = describe(input, model, metadata);
    int status = metrics_lack_memory() ? talk_fail(EXIT_IO, "%s: out of memory", input->name)
                 : metrics             ? write_metrics(all, metrics)
                                       : EXIT_DONE;
    if (!status && !(metrics && strcmp(metrics, "-") == 0))
        print_object(0, all);
    json_decref(all);
    return status;
}

static int look(const arguments *options, const model_input *input)
{
    okra_filter *model = NULL;
    okra_metadata *metadata = NULL;
    okra_message why;
    int status = EXIT_DONE;
    if (okra_unpack(input->bytes, input->size, input->limit, &model, NULL, &why) ||
        okra_read_header(input->bytes, input->size, &metadata, &why))
        status = talk_fail(EXIT_IO, "%s: %s", input->name, why.text);
    else
        status = show(options, input, model, metadata);
    okra_free(model);
    okra_metadata_free(metadata);
    return status;
}

static int cmd_info(const arguments *options)
{
    model_input input = {0};
    int status = model_input_spare(options, "metrics");
    if (!status)
        status = model_input_read(&input, options);
    if (!status)
        status = look(options, &input);
    model_input_free(&input);
    return status;
}

static const cli_option options[] = {
    {"metrics", "FILE", "the same as JSON; - writes it to standard output, instead of the text"},
    MEMORY_OPTION,
    {"help", NULL, "this text"},
    {NULL, NULL, NULL},
};

const cli_command info_command = {
    .name = "info",
    .operand = "FILE",
    .help = "what a model file holds",
    .more =
        "Shows the recipe of a model file with its parameters, the lags and the scale, how many rows it has seen and "
        "learnt, its arrays with their sizes (rows x columns), and the notes of the run that saved it. A file that is "
        "truncated, altered or no model is refused with the reason.",
    .examples = "  okra info model.okra\n",
    .options = options,
    .run = cmd_info,
};
