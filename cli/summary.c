/*
 * The summary, made once as a JSON object, so that the text and the file cannot drift apart.
 */
#include "summary.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "talk.h"

/* JSON has no NaN and no infinity. */
static json_t *real(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *count(uint64_t n) { return n <= INT64_MAX ? json_integer((json_int_t)n) : json_real((double)n); }

static json_t *parameter(const okra_spec *spec, const okra_param *param)
{
    char text[64];
    if (okra_spec_get(spec, param->name, text, sizeof text))
        return json_null();
    if (param->kind == OKRA_PARAM_CHOICE)
        return json_string(text);
    return param->kind == OKRA_PARAM_REAL ? real(strtod(text, NULL)) : count(strtoull(text, NULL, 10));
}

static json_t *make(const summary *s)
{
    json_t *all = json_object();
    json_object_set_new(all, "rows", count(s->rows));
    json_object_set_new(all, "learnt", count(s->learnt));
    json_object_set_new(all, "skipped", count(s->skipped));
    json_object_set_new(all, "mse", real(score_mse(s->score)));
    json_object_set_new(all, "mse_db", real(score_mse_db(s->score)));
    json_object_set_new(all, "nmse", real(score_nmse(s->score)));
    json_object_set_new(all, "seconds", real(s->seconds));
    json_object_set_new(all, "rows_per_second", real((double)s->rows / s->seconds));
    json_object_set_new(all, "recipe", json_string(s->spec->recipe));
    const okra_recipe *recipe = okra_recipe_find(s->spec->recipe);
    for (size_t i = 0; recipe && i < recipe->n_params; i++) {
        const okra_param *param = recipe->params[i].param;
        json_object_set_new(all, param->name, parameter(s->spec, param));
    }
    return all;
}

static void print_value(const json_t *value)
{
    if (json_is_string(value))
        fprintf(stderr, "%s\n", json_string_value(value));
    else if (json_is_integer(value))
        fprintf(stderr, "%lld\n", (long long)json_integer_value(value));
    else if (json_is_real(value))
        fprintf(stderr, "%.6g\n", json_real_value(value));
    else
        fputs("-\n", stderr);
}

void summary_print(const summary *s)
{
    json_t *all = make(s), *value;
    const char *key;
    json_object_foreach(all, key, value)
    {
        fprintf(stderr, "%-16s ", key);
        print_value(value);
    }
    json_decref(all);
}

int summary_write(const summary *s, output *out)
{
    json_t *all = make(s);
    char *text = json_dumps(all, JSON_INDENT(2));
    json_decref(all);
    if (!text)
        return talk_fail(EXIT_IO, "%s: out of memory", out->name);
    output_text(out, text);
    free(text);
    return output_row(out);
}
