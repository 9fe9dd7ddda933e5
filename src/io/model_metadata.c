/* Specs, counters and the caller's metadata, as texts. Numbers have a decimal point in any locale. */
#include "model_metadata.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"

#define COUNTER "counter."
#define OWN     "metadata." /* of the caller's metadata */

enum { VALUE_TEXT = 64 };

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool has_parameter(const okra_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->n_params; i++)
        if (strcmp(recipe->params[i].param->name, name) == 0)
            return true;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

static bool put(okra_metadata **metadata, const char *key, const char *value)
{
    return okra_metadata_set(metadata, key, value) == OKRA_OK;
}

static bool put_count(okra_metadata **metadata, const char *key, uint64_t value)
{
    char text[VALUE_TEXT];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return put(metadata, key, text);
}

/* With `group` before the key. */
static bool put_in_group(okra_metadata **metadata, const char *group, const char *key, const char *value)
{
    size_t bytes = strlen(group) + strlen(key) + 1;
    char *whole = malloc(bytes);
    if (!whole)
        return false;
    snprintf(whole, bytes, "%s%s", group, key);
    bool done = put(metadata, whole, value);
    free(whole);
    return done;
}

static bool put_recipe(okra_metadata **metadata, const okra_spec *spec)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    bool done = put(metadata, "recipe", recipe->name);
    for (size_t i = 0; i < recipe->n_params && done; i++) {
        char text[OKRA_VALUE_TEXT];
        const char *name = recipe->params[i].param->name;
        done = !okra_spec_get(spec, name, text, sizeof text) && put(metadata, name, text);
    }
    return done;
}

static bool put_counters(okra_metadata **metadata, const okra_filter *model)
{
    okra_counter counter;
    bool done = true;
    for (size_t i = 0; done && okra_counter_at(model, i, &counter) == OKRA_OK; i++) {
        char text[VALUE_TEXT];
        snprintf(text, sizeof text, "%llu", (unsigned long long)counter.value);
        done = put_in_group(metadata, COUNTER, counter.name, text);
    }
    return done;
}

static bool put_own(okra_metadata **metadata, const okra_metadata *own)
{
    const char *key, *value;
    bool done = true;
    for (size_t i = 0; done && okra_metadata_at(own, i, &key, &value); i++)
        done = put_in_group(metadata, OWN, key, value);
    return done;
}

static bool put_all(okra_metadata **metadata, const okra_filter *model, const okra_metadata *own)
{
    const okra_spec *spec = okra_get_spec(model);
    return put(metadata, "format", "okra model") && put_count(metadata, "format_version", OKRA_MODEL_FORMAT) &&
           put(metadata, "okra_version", okra_version()) && put_recipe(metadata, spec) &&
           put_count(metadata, "inputs", spec->inputs) && put_count(metadata, "targets", spec->outputs) &&
           put_counters(metadata, model) && put_own(metadata, own);
}

okra_metadata *okra_metadata_make(const okra_filter *model, const okra_metadata *own)
{
    okra_metadata *metadata = NULL;
    if (put_all(&metadata, model, own))
        return metadata;
    okra_metadata_free(metadata);
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

okra_status okra_refuse_unsupported(const okra_metadata *metadata, okra_message *why, const char *format, ...)
{
    char what[sizeof why->text / 2];
    const char *writer = okra_metadata_get(metadata, "okra_version");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (writer && strcmp(writer, okra_version()) == 0)
        return okra_refuse(why, "%s: use another copy", what);
    return okra_refuse(why, "%s; okra %.40s wrote it, and this is okra %s: use that one, or a newer", what,
                       writer ? writer : "?", okra_version());
}

static okra_status read_count(const okra_metadata *metadata, const char *name, uint64_t max, uint64_t *value,
                              okra_message *why)
{
    const char *text = okra_metadata_get(metadata, name);
    if (!text)
        return okra_refuse(why, "its header does not say %s: use another copy", name);
    if (!okra_parse_count(text, value) || *value > max)
        return okra_refuse(why, "%s is '%.40s', not a count: use another copy", name, text);
    return OKRA_OK;
}

static okra_status read_recipe(const okra_metadata *metadata, okra_spec *spec, okra_message *why)
{
    const char *name = okra_metadata_get(metadata, "recipe");
    if (!name)
        return okra_refuse(why, "its header does not say recipe: use another copy");
    if (okra_spec_init(spec, name, 1, 1))
        return okra_refuse_unsupported(metadata, why, "there is no recipe '%.40s'", name);
    return OKRA_OK;
}

/* A parameter that is newer than the file has its default. */
static okra_status read_parameters(const okra_metadata *metadata, okra_spec *spec, okra_message *why)
{
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    for (size_t i = 0; i < recipe->n_params; i++) {
        const char *name = recipe->params[i].param->name, *text = okra_metadata_get(metadata, name);
        okra_message cause = {""};
        if (text && okra_spec_set(spec, name, text, &cause))
            return okra_refuse(why, "%.200s: use another copy", cause.text);
    }
    return OKRA_OK;
}

static bool is_known(const okra_recipe *recipe, const char *key)
{
    static const char *const fixed[] = {"checksum", "format", "format_version", "okra_version",
                                        "recipe",   "inputs", "targets"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(key, fixed[i]) == 0)
            return true;
    return has_parameter(recipe, key) || begins(key, COUNTER) || begins(key, OWN);
}

static okra_status refuse_unknown(const okra_metadata *metadata, const okra_recipe *recipe, okra_message *why)
{
    const char *key;
    for (size_t i = 0; okra_metadata_at(metadata, i, &key, NULL); i++)
        if (!is_known(recipe, key))
            return okra_refuse_unsupported(metadata, why, "recipe %s has no parameter '%.80s'", recipe->name, key);
    return OKRA_OK;
}

okra_status okra_metadata_spec(const okra_metadata *metadata, okra_spec *spec, okra_message *why)
{
    uint64_t inputs = 0, targets = 0;
    okra_message cause = {""};
    okra_status status = read_recipe(metadata, spec, why);
    if (!status)
        status = refuse_unknown(metadata, okra_recipe_find(spec->recipe), why);
    if (!status)
        status = read_parameters(metadata, spec, why);
    if (!status)
        status = read_count(metadata, "inputs", SIZE_MAX, &inputs, why);
    if (!status)
        status = read_count(metadata, "targets", SIZE_MAX, &targets, why);
    spec->inputs = (size_t)inputs;
    spec->outputs = (size_t)targets;
    if (!status && okra_spec_check(spec, &cause))
        status = okra_refuse(why, "%.300s: use another copy", cause.text);
    return status;
}

static okra_status set_counter(const okra_metadata *metadata, okra_filter *model, const okra_counter *counter,
                               okra_message *why)
{
    char key[VALUE_TEXT];
    uint64_t value;
    snprintf(key, sizeof key, COUNTER "%s", counter->name);
    okra_status status = read_count(metadata, key, UINT64_MAX, &value, why);
    if (status || !okra_counter_write(model, counter->name, value))
        return status;
    return okra_refuse(why, "%s is %.40s, and %llu is the most it can be: use another copy", key,
                       okra_metadata_get(metadata, key), (unsigned long long)counter->max);
}

okra_status okra_metadata_counters(const okra_metadata *metadata, okra_filter *model, okra_message *why)
{
    okra_counter counter;
    size_t known = 0, there = 0;
    for (; okra_counter_at(model, known, &counter) == OKRA_OK; known++) {
        okra_status status = set_counter(metadata, model, &counter, why);
        if (status)
            return status;
    }
    const char *key;
    for (size_t i = 0; okra_metadata_at(metadata, i, &key, NULL); i++)
        there += begins(key, COUNTER);
    return there == known ? OKRA_OK
                          : okra_refuse_unsupported(metadata, why, "it has counters that this recipe has not");
}

okra_status okra_metadata_own(const okra_metadata *header, okra_metadata **own)
{
    const char *key, *value;
    okra_status status = OKRA_OK;
    *own = NULL;
    for (size_t i = 0; !status && okra_metadata_at(header, i, &key, &value); i++)
        if (begins(key, OWN))
            status = okra_metadata_set(own, key + strlen(OWN), value);
    if (!status)
        return OKRA_OK;
    okra_metadata_free(*own);
    *own = NULL;
    return status;
}
