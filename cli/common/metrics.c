/*
 * JSON files.
 */
#include "metrics.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model_input.h"
#include "talk.h"
#include "text.h"

int metrics_open(output *out, const arguments *options, const char *result)
{
    const char *path = arguments_value(options, "metrics");
    *out = (output){0};
    if (!path)
        return EXIT_DONE;
    if (strcmp(path, "-") == 0)
        return talk_fail(EXIT_USAGE, "--metrics: '-' is where the %s goes: name another file", result);
    int status = model_input_spare(options, "metrics");
    return status ? status : output_open(out, path);
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static atomic_bool lacking;

static void *watched_malloc(size_t size)
{
    void *p = malloc(size);
    if (!p)
        atomic_store(&lacking, true);
    return p;
}

void metrics_watch_memory(void) { json_set_alloc_funcs(watched_malloc, free); }

bool metrics_lack_memory(void) { return atomic_load(&lacking); }

/* ---- writing --------------------------------------------------------------------------------------------------- */

int metrics_write(output *out, json_t *all)
{
    char *text = json_in_plain_text(json_dumps(all, JSON_INDENT(2)));
    json_decref(all);
    bool whole = text && !metrics_lack_memory();
    if (whole)
        output_text(out, text);
    free(text);
    return whole ? output_row(out) : talk_fail(EXIT_IO, "%s: out of memory", out->name);
}

json_t *metrics_real(double x) { return isfinite(x) ? json_real(x) : json_null(); }
