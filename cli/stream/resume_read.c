/*
 * Reads the model file that a run starts from, and compares its metadata and spec with the command line.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/params.h"
#include "resume_state.h"
#include "resume_keys.h"
#include "run_options.h"
#include "../common/message.h"

/* ---- the file ------------------------------------------------------------------------------------------------ */

int resume_load(resume_state *m, const char *path, size_t limit, bool may_be_absent)
{
    okra_message why;
    *m = (resume_state){.path = path};
    if (may_be_absent && access(path, F_OK) != 0)
        return EXIT_DONE;
    return okra_load(path, limit, &m->model, &m->metadata, &why) ? message_fail(EXIT_IO, "%s", why.text) : EXIT_DONE;
}

void resume_free(resume_state *m)
{
    okra_metadata_free(m->metadata);
    m->metadata = NULL;
}

/* ---- options ------------------------------------------------------------------------------------------------- */

/* 0.50 is 0.5. */
static bool same_value(const char *a, const char *b)
{
    char *a_end, *b_end;
    double x = strtod(a, &a_end), y = strtod(b, &b_end);
    if (*a && *b && !*a_end && !*b_end)
        return !(x < y || x > y);
    return strcmp(a, b) == 0;
}

static int refuse_other(const resume_state *m, const char *name, const char *given, const char *was)
{
    return message_fail(EXIT_USAGE, "--%s %s: the model in %s was made with %s: leave --%s out", name, given, m->path,
                        was ? was : "none", name);
}

int resume_read_options(const resume_state *m, arguments *options)
{
    for (size_t i = 0; resume_options[i]; i++) {
        char key[RESUME_KEY];
        const char *name = resume_options[i], *given = arguments_value(options, name);
        const char *was = okra_metadata_get(m->metadata, resume_option_key(key, name));
        bool of_model = i < RESUME_MODEL_OPTIONS; /* which resume_check_options() compares */
        if (given && !of_model && !(was && same_value(given, was)))
            return refuse_other(m, name, given, was);
        if (!of_model)
            arguments_set(options, name, was);
    }
    return EXIT_DONE;
}

/* If the metadata say that the model was made with `auto`, that is compared, not the width it found. */
static bool is_what_it_was(const resume_state *m, const char *name, const char *given)
{
    char key[RESUME_KEY];
    const char *was = okra_metadata_get(m->metadata, resume_option_key(key, name));
    return was && same_value(given, was);
}

/* Moves the state to another spec; *model is unchanged if its arrays do not fit. */
static okra_status change_spec(okra_filter **model, const okra_spec *spec)
{
    okra_filter *made;
    okra_counter counter;
    okra_array array;
    okra_status status = okra_create_empty(spec, &made);
    for (size_t i = 0; !status && !okra_counter_at(*model, i, &counter); i++)
        status = okra_counter_write(made, counter.name, counter.value);
    for (size_t i = 0; !status && !okra_array_at(*model, i, &array); i++) {
        void *numbers = calloc(array.rows * array.cols + 1, sizeof(double)); /* enough for floats too */
        status = numbers ? okra_array_read(*model, array.name, numbers) : OKRA_E_MEMORY;
        if (!status)
            status = okra_array_write(made, array.name, numbers);
        free(numbers);
    }
    okra_free(status ? made : *model);
    if (!status)
        *model = made;
    return status;
}

/* Gives `spec` the value if it is another one, and may be: *changed then. */
static int take_parameter(const resume_state *m, okra_spec *spec, const okra_param *param, const char *given,
                          bool fixed, bool *changed)
{
    okra_spec other = *spec;
    okra_message why;
    char was[OKRA_VALUE_TEXT], is[OKRA_VALUE_TEXT];
    if (!recipe_param(okra_recipe_find(spec->recipe), param->name))
        return message_fail(EXIT_USAGE, "--%s: the model in %s uses %s, which has no such parameter: leave it out",
                            param->name, m->path, spec->recipe);
    if (is_what_it_was(m, param->name, given))
        return EXIT_DONE;
    if (okra_spec_set(&other, param->name, given, &why))
        return message_fail(EXIT_USAGE, "--%s", why.text);
    if (okra_spec_get(spec, param->name, was, sizeof was) || okra_spec_get(&other, param->name, is, sizeof is) ||
        strcmp(was, is) == 0)
        return EXIT_DONE;
    if (fixed || param->scope != OKRA_SCOPE_FILTER)
        return refuse_other(m, param->name, given, was);
    *spec = other;
    *changed = true;
    return EXIT_DONE;
}

static int change_model(resume_state *m, const okra_spec *spec, bool quiet)
{
    okra_message why;
    if (okra_spec_check(spec, &why))
        return message_fail(EXIT_USAGE, "%s", why.text);
    okra_status status = change_spec(&m->model, spec);
    if (status == OKRA_E_MEMORY)
        return message_fail(EXIT_IO, "%s: out of memory", m->path);
    if (status)
        return message_fail(EXIT_USAGE,
                            "%s: its state does not fit these parameters: leave them out, or start without --load",
                            m->path);
    if (!quiet)
        message_note("%s: continues with the given parameters instead of its own", m->path);
    return EXIT_DONE;
}

static int take_parameters(resume_state *m, const arguments *options, bool fixed, bool quiet)
{
    okra_spec spec = *okra_get_spec(m->model);
    const okra_param *param;
    bool changed = false;
    int status = EXIT_DONE;
    for (size_t i = 0; !status && (param = okra_param_at(i)); i++) {
        const char *given = arguments_value(options, param->name);
        if (given)
            status = take_parameter(m, &spec, param, given, fixed, &changed);
    }
    return status || !changed ? status : change_model(m, &spec, quiet);
}

int resume_check_options(resume_state *m, const arguments *options, bool resume, bool quiet)
{
    const okra_spec *spec = okra_get_spec(m->model);
    const char *recipe = arguments_value(options, "recipe"), *omega = arguments_value(options, "omega");
    if (recipe && strcmp(recipe, spec->recipe) != 0)
        return refuse_other(m, "recipe", recipe, spec->recipe);
    if (omega && !is_what_it_was(m, "omega", omega))
        return message_fail(EXIT_USAGE, "--omega: the model in %s already has its features: leave it out", m->path);
    return take_parameters(m, options, resume, quiet);
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

/* Whether a column has that name, and another one too. */
static bool is_one_of_two(const okra_table *table, const char *name, size_t column)
{
    size_t of_that_name = 0;
    for (size_t c = 0; c < okra_table_get(table)->columns; c++)
        of_that_name += strcmp(okra_table_column_name(table, c), name) == 0;
    return of_that_name > 1 && column < okra_table_get(table)->columns &&
           strcmp(okra_table_column_name(table, column), name) == 0;
}

/* By name if the file has names and the column had one of its own, by number otherwise. */
static bool read_column(const resume_state *m, const okra_table *table, const char *kind, size_t i, column_list *list)
{
    char key[RESUME_KEY];
    const char *number = okra_metadata_get(m->metadata, resume_key(key, kind, i, "column"));
    const char *name = okra_metadata_get(m->metadata, resume_key(key, kind, i, "name"));
    bool named = okra_table_column_name(table, 0) && name;
    if (!number)
        return false;
    named = named && !is_one_of_two(table, name, (size_t)strtoull(number, NULL, 10) - 1);
    return column_list_add(list, named ? name : number, !named);
}

int resume_read_columns(const resume_state *m, const okra_table *table, resume_columns *lists)
{
    const okra_spec *spec = okra_get_spec(m->model);
    char key[RESUME_KEY];
    bool had_names = okra_metadata_get(m->metadata, resume_key(key, "target", 0, "name"));
    *lists = (resume_columns){.has = true, .unnamed = had_names != (okra_table_column_name(table, 0) != NULL)};
    for (size_t j = 0; lists->has && j < spec->outputs; j++)
        lists->has = read_column(m, table, "target", j, &lists->targets);
    for (size_t i = 0; lists->has && i < spec->inputs; i++)
        lists->has = read_column(m, table, "input", i, &lists->inputs);
    if (lists->has)
        read_column(m, table, "weight", 0, &lists->weight);
    return EXIT_DONE;
}

void resume_columns_free(resume_columns *lists)
{
    column_list_free(&lists->targets);
    column_list_free(&lists->inputs);
    column_list_free(&lists->weight);
}

/* ---- progress ------------------------------------------------------------------------------------------------ */

static bool read_count(const resume_state *m, const char *key, uint64_t *value)
{
    const char *text = okra_metadata_get(m->metadata, key);
    if (text)
        *value = strtoull(text, NULL, 10);
    return text;
}

static bool read_real(const resume_state *m, const char *key, double *value)
{
    const char *text = okra_metadata_get(m->metadata, key);
    if (text)
        *value = strtod(text, NULL);
    return text;
}

static bool read_recent(const resume_state *m, score *s)
{
    const char *text = okra_metadata_get(m->metadata, "score.recent");
    bool good = text;
    for (s->kept = 0; good && *text; s->kept++)
        for (size_t j = 0; good && j < s->outputs; j++) {
            double numbers[RESUME_ITEM];
            char *end = (char *)text;
            for (size_t k = 0; good && k < RESUME_ITEM; k++, text = end + (*end == ' ')) {
                numbers[k] = strtod(text, &end);
                good = end != text && s->kept < s->window;
            }
            if (good)
                s->recent[s->kept * s->outputs + j] = (score_item){numbers[0], numbers[1], numbers[2], numbers[3]};
        }
    return good && s->kept == (s->rows < s->window ? s->rows : s->window); /* or the recent figures would differ */
}

static bool read_score(const resume_state *m, score *s)
{
    char key[RESUME_KEY];
    bool has = read_count(m, "score.rows", &s->rows);
    for (size_t i = 0; has && score_metrics[i].name; i++)
        if (score_metrics[i].add)
            has = read_real(m, resume_metric_key(key, score_metrics[i].name, "sum"), &s->sums[i].sum) &&
                  read_count(m, resume_metric_key(key, score_metrics[i].name, "n"), &s->sums[i].n);
    for (size_t j = 0; has && j < s->outputs; j++) {
        has = read_real(m, resume_key(key, "score", j, "mean"), &s->mean[j]) &&
              read_real(m, resume_key(key, "score", j, "spread"), &s->spread[j]);
    }
    return has && read_recent(m, s);
}

static bool read_test(const resume_state *m, size_t output, okra_drift *test)
{
    bool has = true;
    for (size_t i = 0; has && i < RESUME_DRIFT; i++) {
        char key[RESUME_KEY], *place = (char *)test + resume_drift[i].offset;
        resume_key(key, "drift", output, resume_drift[i].name);
        has = resume_drift[i].is_count ? read_count(m, key, (uint64_t *)place) : read_real(m, key, (double *)place);
    }
    return has;
}

void resume_read_drift(const resume_state *m, drift_watch *w)
{
    bool has = w->outputs > 0 && read_count(m, "drift.waited", &w->waited);
    for (size_t j = 0; has && j < w->outputs; j++)
        has = read_test(m, j, &w->tests[j]);
    if (!has)
        drift_restart(w);
}

/* The drifts detected so far. */
static bool read_drifts(const resume_state *m, drift_watch *w)
{
    if (w->outputs == 0)
        return true;
    bool has = read_count(m, "drift.drifts", &w->drifts);
    for (size_t i = 0; has && i < w->drifts && i < DRIFT_ROWS; i++) {
        char key[RESUME_KEY];
        has = read_count(m, resume_key(key, "drift", i, "row"), &w->rows[i]);
    }
    return has;
}

int resume_read_progress(const resume_state *m, progress *p, score *s, drift_watch *drift, uint64_t *score_from,
                         uint64_t *bytes)
{
    bool has = read_count(m, "run.consumed", &p->consumed) && read_count(m, "run.rows", &p->rows) &&
               read_count(m, "run.skipped", &p->skipped) && read_count(m, "run.gaps", &p->gaps) &&
               read_count(m, "run.before", &p->before) && read_real(m, "run.seconds", &p->seconds) &&
               read_count(m, "run.bytes", bytes) && read_count(m, "run.fingerprint", &p->fingerprint) &&
               read_count(m, "run.score_from", score_from) && read_score(m, s) && read_drifts(m, drift);
    if (has)
        return EXIT_DONE;
    return message_fail(EXIT_IO, "%s: does not hold a run to resume: use --load for new rows", m->path);
}
