/*
 * okra info: what a model file holds. Made once as JSON, so that text and --metrics always agree.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#include <okra/model_file.h>

#include "commands.h"
#include "common/json_file.h"
#include "common/model_input.h"
#include "common/output.h"
#include "common/message.h"
#include "common/text.h"
#include "stream/relevance.h"

enum { VALUE_COLUMN = 22 };

#define COUNTER "counter."
#define NOTE    "metadata."

/* ---- as JSON ------------------------------------------------------------------------------------------------- */

/* A number if the text is one: a whole one that fits, or a real. */
static void put_value(okra_json_writer *w, const char *key, const char *text)
{
    char *end, number[32];
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (*text && !*end && !errno) {
        okra_json_put_json(w, key, number, (size_t)snprintf(number, sizeof number, "%lld", whole));
        return;
    }
    double real = strtod(text, &end);
    if (*text && !*end && isfinite(real))
        okra_json_put_real(w, key, real);
    else
        okra_json_put_text(w, key, text);
}

/* The metadata whose keys begin with `group`, as an object without it. All values are texts. */
static void put_group(okra_json_writer *w, const char *name, const okra_metadata *metadata, const char *group)
{
    const char *key, *text;
    okra_json_open(w, name, '{');
    for (size_t i = 0; okra_metadata_at(metadata, i, &key, &text); i++)
        if (strncmp(key, group, strlen(group)) == 0)
            (strcmp(group, NOTE) == 0 ? okra_json_put_text : put_value)(w, key + strlen(group), text);
    okra_json_close(w);
}

static void put_plain(okra_json_writer *w, const okra_metadata *metadata)
{
    const char *key, *text;
    for (size_t i = 0; okra_metadata_at(metadata, i, &key, &text); i++) {
        bool is_text = strstr(key, "version") || strcmp(key, "checksum") == 0;
        if (strncmp(key, COUNTER, strlen(COUNTER)) != 0 && strncmp(key, NOTE, strlen(NOTE)) != 0)
            (is_text ? okra_json_put_text : put_value)(w, key, text);
    }
}

static void put_arrays(okra_json_writer *w, const okra_filter *model)
{
    okra_array array;
    okra_json_open(w, "arrays", '{');
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++) {
        okra_json_open(w, array.name, '[');
        okra_json_put_count(w, NULL, array.rows);
        okra_json_put_count(w, NULL, array.cols);
        okra_json_close(w);
    }
    okra_json_close(w);
}

/* As in the file that the model has learnt from, if that was kept: else u1, u2, .. and y1, .. */
typedef struct kept_names {
    const okra_metadata *metadata;
    size_t inputs;
} kept_names;

static const char *kept_name(const void *of, size_t i, char number[COLUMN_NUMBER])
{
    const kept_names *kept = of;
    bool target = i >= kept->inputs;
    size_t n = 1 + (target ? i - kept->inputs : i);
    char key[80];
    snprintf(key, sizeof key, NOTE "%s.%zu.name", target ? "target" : "input", n);
    const char *name = okra_metadata_get(kept->metadata, key);
    snprintf(key, sizeof key, NOTE "%s.%zu.column", target ? "target" : "input", n);
    if (!name || !*name)
        name = okra_metadata_get(kept->metadata, key);
    snprintf(number, COLUMN_NUMBER, "%c%zu", target ? 'y' : 'u', n);
    return name && *name ? name : number;
}

static void put_relevance(okra_json_writer *w, const okra_filter *model, const okra_metadata *metadata)
{
    kept_names kept = {metadata, okra_get_spec(model)->inputs};
    column_names names = {kept_name, &kept};
    relevance_put(w, model, &names);
}

static void describe(okra_json_writer *w, const model_input *input, const okra_filter *model,
                     const okra_metadata *metadata)
{
    okra_stats stats = {0};
    okra_spec bare;
    okra_get_stats(model, &stats);
    okra_json_open(w, NULL, '{');
    if (okra_is_utf8(input->name))
        okra_json_put_text(w, "file", input->name);
    okra_json_put_count(w, "bytes", input->size);
    put_plain(w, metadata);
    if (!okra_bare_spec(model, &bare)) {
        okra_json_put_count(w, "filter_inputs", bare.inputs);
        if (okra_get_spec(model)->sigma == OKRA_SIGMA_AUTO && bare.sigma > 0)
            okra_json_put_real(w, "sigma_found", bare.sigma);
    }
    okra_json_put_count(w, "filter_bytes", stats.bytes);
    put_relevance(w, model, metadata);
    put_group(w, "counters", metadata, COUNTER);
    put_arrays(w, model);
    put_group(w, "metadata", metadata, NOTE);
    okra_json_close(w);
}

/* ---- as text ------------------------------------------------------------------------------------------------- */

/* As much as is good to read; JSON has all of it. */
static void print_start(const char *text)
{
    enum { SHOWN = 120 };
    char start[SHOWN + 1];
    size_t length = strlen(text);
    snprintf(start, sizeof start, "%s", text);
    print_plain(stdout, start);
    if (length > SHOWN)
        printf(".. (%zu bytes)", length);
}

/* Names and metadata come from files, and may hold control characters. */
static void print_value(okra_json_reader *value, okra_json_event event)
{
    char text[OKRA_REAL_TEXT];
    if (event == OKRA_JSON_STRING)
        print_start(value->text);
    else if (event == OKRA_JSON_NUMBER && value->whole)
        fputs(value->text, stdout);
    else if (event == OKRA_JSON_NUMBER && okra_format_real(strtod(value->text, NULL), text))
        fputs(text, stdout);
    for (size_t n = 0; event == OKRA_JSON_ARRAY && okra_json_next(value) == OKRA_JSON_NUMBER; n++)
        printf("%s%s", n > 0 ? " x " : "", value->text);
    putchar('\n');
}

static void print_name(int indent, const char *name)
{
    int left = VALUE_COLUMN - indent - (int)strlen(name);
    printf("%*s", indent, "");
    print_plain(stdout, name);
    printf("%*s", left > 1 ? left : 1, "");
}

/* A group without members is left out, so its name waits for the first of them. */
static bool print_text(const char *text)
{
    okra_json_reader reader;
    okra_json_event event;
    okra_text name = {0};
    int indent = 0;
    json_file_read(&reader, text);
    okra_json_next(&reader);
    while ((event = okra_json_next(&reader)) < OKRA_JSON_END && !name.lacks_memory) {
        if (event == OKRA_JSON_KEY) {
            if (indent && name.length > 0)
                printf("%s\n", name.bytes);
            name.length = 0;
            okra_text_add(&name, reader.text);
        } else if (event == OKRA_JSON_ARRAY && indent == 0) {
            print_name(indent, RELEVANCE_KEY);
            relevance_print(stdout, VALUE_COLUMN, &reader);
            name.length = 0;
        } else if (event == OKRA_JSON_OBJECT || event == OKRA_JSON_OBJECT_END) {
            indent = event == OKRA_JSON_OBJECT ? 2 : 0;
        } else {
            print_name(indent, name.bytes ? name.bytes : "");
            print_value(&reader, event);
            name.length = 0;
        }
    }
    bool whole = event == OKRA_JSON_END;
    okra_json_stop(&reader);
    free(name.bytes);
    return whole;
}

/* ---- the command --------------------------------------------------------------------------------------------- */

static int write_text(const char *text, const char *path)
{
    output out;
    int status = output_open(&out, path);
    if (status)
        return status;
    output_text(&out, text);
    status = output_row(&out);
    int closed = output_close(&out);
    return status ? status : closed;
}

static int show(const char *metrics, const model_input *input, const okra_filter *model, const okra_metadata *metadata)
{
    okra_json_writer made = {.indent = 2};
    describe(&made, input, model, metadata);
    char *text = okra_text_take(&made.out);
    int status = text && metrics ? write_text(text, metrics) : EXIT_DONE;
    if (!text || (!status && !(metrics && strcmp(metrics, "-") == 0) && !print_text(text)))
        status = message_fail(EXIT_IO, "%s: out of memory", input->name);
    free(text);
    return status;
}

static int look(const char *metrics, const model_input *input)
{
    okra_filter *model = NULL;
    okra_metadata *metadata = NULL;
    okra_message why;
    int status = EXIT_DONE;
    if (okra_unpack(input->bytes, input->size, input->limit, &model, NULL, &why) ||
        okra_read_header(input->bytes, input->size, &metadata, &why))
        status = message_fail(EXIT_IO, "%s: %s", input->name, why.text);
    else
        status = show(metrics, input, model, metadata);
    okra_free(model);
    okra_metadata_free(metadata);
    return status;
}

static int cmd_info(const arguments *options)
{
    model_input input;
    model_settings set;
    int status = model_input_open(&input, options, &set, "metrics");
    if (!status)
        status = look(set.metrics, &input);
    model_input_free(&input);
    return status;
}

static const cli_option options[] = {
    {"metrics", "FILE", "the same as JSON; - writes it to standard output, instead of the text",
     TO_TEXT(model_settings, metrics)},
    MEMORY_OPTION(model_settings),
    HELP_OPTION,
};

const cli_command info_command = {
    .name = "info",
    .operand = "FILE",
    .help = "what a model file holds",
    .more = "Shows a model's recipe, parameters, lags and scale, the rows it has seen and learnt, its arrays with "
            "their sizes (rows x columns), and the metadata of the run that saved it. A file that is truncated, "
            "altered or no model is refused with the reason.",
    .examples = "  okra info model.okra\n",
    .options = options,
    .run = cmd_info,
};
