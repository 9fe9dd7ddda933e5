/*
 * JSON files.
 */
#include "metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_input.h"
#include "talk.h"

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

int metrics_write(output *out, json_t *all)
{
    char *text = json_dumps(all, JSON_INDENT(2));
    json_decref(all);
    if (!text)
        return talk_fail(EXIT_IO, "%s: out of memory", out->name);
    output_text(out, text);
    free(text);
    return output_row(out);
}

json_t *metrics_real(double x) { return isfinite(x) ? json_real(x) : json_null(); }
