/*
 * The summary as a file. All formats are made from its JSON, so they always agree.
 */
#include "metrics_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <okra/model_file.h>

#include "../common/json_file.h"
#include "../common/output.h"
#include "../common/message.h"

bool metrics_file_is_due(const metrics_file *m) { return m->path && message_clock() >= m->due; }

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* ---- Prometheus ------------------------------------------------------------------------------------------------ */

/* okra_NAME, in the letters that names may have there. */
static void put_name(okra_text *to, const char *key)
{
    char name[128];
    snprintf(name, sizeof name, "okra_%s", key);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    okra_text_add(to, name);
}

static void put_gauge(okra_text *to, const char *key, const char *value)
{
    okra_text_add(to, "# TYPE ");
    put_name(to, key);
    okra_text_add(to, " gauge\n");
    put_name(to, key);
    okra_text_add(to, " ");
    okra_text_add(to, value);
    okra_text_add(to, "\n");
}

/* Every number is a gauge, and what is not known NaN; the recipe is a label. */
static char *make_prometheus(const char *json)
{
    okra_text text = {0};
    okra_json_reader reader;
    okra_json_event event;
    char key[128] = "";
    size_t depth = 0;
    json_file_read(&reader, json);
    while ((event = okra_json_next(&reader)) < OKRA_JSON_END) {
        depth += event == OKRA_JSON_ARRAY;
        depth -= event == OKRA_JSON_ARRAY_END;
        if (event == OKRA_JSON_KEY)
            snprintf(key, sizeof key, "%s", reader.text);
        else if (depth == 0 && event == OKRA_JSON_NUMBER)
            put_gauge(&text, key, reader.text);
        else if (depth == 0 && event == OKRA_JSON_NULL)
            put_gauge(&text, key, "NaN");
        else if (event == OKRA_JSON_STRING && strcmp(key, "recipe") == 0) {
            okra_text_add(&text, "# TYPE okra_run_info gauge\nokra_run_info{recipe=\"");
            okra_text_add(&text, reader.text);
            okra_text_add(&text, "\"} 1\n");
        }
    }
    okra_json_stop(&reader);
    return okra_text_take(&text);
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static int to_standard_output(const char *text)
{
    output out = {0};
    int status = output_open(&out, "-");
    if (status)
        return status;
    output_text(&out, text);
    status = output_row(&out);
    int closed = output_close(&out);
    return status ? status : closed;
}

static int append_line(const char *path, const char *line)
{
    FILE *file = fopen(path, "ae");
    bool done = file && fprintf(file, "%s\n", line) >= 0;
    done = file && fclose(file) == 0 && done;
    return done ? EXIT_DONE : message_fail(EXIT_IO, "%s: cannot be written: check the folder and the disk", path);
}

static int replace(const char *path, const char *text, bool line_end)
{
    okra_message why;
    okra_text whole = {0};
    okra_text_add(&whole, text);
    okra_text_add(&whole, line_end ? "\n" : "");
    char *all = okra_text_take(&whole);
    if (!all)
        return message_fail(EXIT_IO, "%s: out of memory", path);
    okra_status status = okra_file_save(path, all, strlen(all), &why);
    free(all);
    return status ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

/* A pipe, a device: who reads it wants one summary. */
static bool is_regular(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

int metrics_file_write(metrics_file *m, const summary *s, bool at_end)
{
    bool standard = m->path && strcmp(m->path, "-") == 0;
    m->due = message_clock() + m->every;
    if (!m->path || (!at_end && !is_regular(m->path)))
        return EXIT_DONE;
    bool lines = ends_in(m->path, ".jsonl"), prometheus = ends_in(m->path, ".prom");
    char *json = summary_json(s, lines ? 0 : 2), *text = json && prometheus ? make_prometheus(json) : json;
    int status = !text      ? message_fail(EXIT_IO, "%s: out of memory", standard ? "standard output" : m->path)
                 : standard ? to_standard_output(text)
                 : lines    ? append_line(m->path, text)
                            : replace(m->path, text, !prometheus);
    if (text != json)
        free(text);
    free(json);
    return status;
}
