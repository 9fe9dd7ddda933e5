/*
 * Everything before the first row, in an order that tells mistakes early: options, model, input, outputs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interval.h"
#include "../common/model_input.h"
#include "../common/params.h"
#include "../common/refusal.h"
#include "session.h"
#include "../common/talk.h"

/* ---- the model file, and the options --------------------------------------------------------------------------- */

/* The file that a run begins from. One that was to be resumed, but never came to save a model, begins anew. */
static int load_model(session *s)
{
    const char *load = arguments_value(&s->options, "load"), *save = arguments_value(&s->options, "save");
    bool resume = arguments_value(&s->options, "resume");
    const char *path = load ? load : resume ? save : NULL;
    if (!path)
        return EXIT_DONE;
    if (is_standard(path) && is_standard(s->options.operand))
        return talk_fail(EXIT_USAGE, "--load: standard input is already the stream: name a FILE for one of them");
    size_t limit;
    int status = model_limit(&s->options, &limit);
    if (!status)
        status = saved_load(&s->saved, path, limit, resume && !load);
    if (status || !s->saved.model)
        return status;
    if (resume)
        status = saved_recall_options(&s->saved, &s->options);
    return status ? status : saved_check_options(&s->saved, &s->options);
}

static int settle(session *s)
{
    if (!s->saved.model)
        return settings_read_model(&s->set, &s->options);
    s->set.spec = *okra_get_spec(s->saved.model);
    return s->set.percent ? interval_settle(s->set.percent, &s->set.spec, &s->set.q) : EXIT_DONE;
}

/* ---- the input ------------------------------------------------------------------------------------------------- */

/* Of standard input, only what has not been read from before. */
static bool is_countable(const char *path)
{
    struct stat info;
    if (!path || is_standard(path))
        return fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static okra_status open_table(const session *s, const char *path, okra_table **table, okra_message *why)
{
    okra_table_options how = {
        .format = s->set.format, .header = s->set.header, .columns = s->set.columns, .mic = s->set.mic};
    return okra_table_open(path, &how, table, why);
}

static int open_input(session *s)
{
    okra_message why;
    if (!s->set.in && isatty(STDIN_FILENO) && !s->set.quiet)
        talk_note("reading rows from the terminal: end with Ctrl-D, or give a FILE");
    s->countable = is_countable(s->set.in);
    okra_status status = open_table(s, s->set.in, &s->table, &why);
    if (status)
        return talk_fail(status == OKRA_E_PARAMETER ? EXIT_USAGE : EXIT_IO, "%s", why.text);
    if (okra_table_get(s->table)->note && !s->set.quiet)
        talk_note("%s", okra_table_get(s->table)->note);
    return session_choose_columns(s);
}

static int count_rows(const session *s, uint64_t *rows)
{
    okra_table *table;
    okra_message why;
    okra_status status = open_table(s, is_standard(s->set.in) ? "/dev/stdin" : s->set.in, &table, &why);
    if (!status)
        status = okra_table_skip(table, UINT64_MAX, &why);
    *rows = okra_table_get(table)->rows;
    okra_table_close(table);
    /* OKRA_E_FORMAT: there were fewer, as they always are */
    return status == OKRA_OK || status == OKRA_E_FORMAT ? EXIT_DONE : talk_fail(EXIT_IO, "%s", why.text);
}

static int settle_score(session *s)
{
    uint64_t rows;
    s->score_from = s->set.score_from;
    if (!(s->set.score_percent > 0) || (s->set.resume && s->saved.model))
        return EXIT_DONE; /* a run that goes on knows it already */
    if (!s->countable)
        return talk_fail(EXIT_USAGE,
                         "--score-from %g%%: %s is no regular file, so nobody knows how many rows it has: "
                         "give a number of rows",
                         s->set.score_percent, okra_table_get(s->table)->path);
    int status = count_rows(s, &rows);
    if (!status)
        s->score_from = (uint64_t)floor(s->set.score_percent / 100 * (double)rows);
    return status;
}

/* ---- the model ------------------------------------------------------------------------------------------------- */

/* The features of --omega take the place of drawn ones. */
static int use_omega(session *s)
{
    okra_spec *spec = &s->set.spec;
    const char *path = s->set.omega;
    if (!path)
        return EXIT_DONE;
    if (!recipe_param(okra_recipe_find(spec->recipe), "features"))
        return talk_fail(EXIT_USAGE, "--omega: recipe %s has no random features: use one whose name begins with rff",
                         spec->recipe);
    if (is_standard(path) && is_standard(s->set.in))
        return talk_fail(EXIT_USAGE, "--omega: standard input is already the stream: name a FILE for one of them");
    int status =
        omega_load(&s->omega, path, s->set.spec.inputs * s->set.spec.lags + spec->outputs * s->set.spec.target_lags);
    if (status)
        return status;
    if (arguments_value(&s->options, "features") && spec->features != s->omega.features)
        return talk_fail(EXIT_USAGE, "--features %zu: %s has %zu rows, one per feature: leave --features out",
                         spec->features, path, s->omega.features);
    spec->features = s->omega.features;
    spec->omega = s->omega.omega;
    spec->phase = s->omega.phase;
    return EXIT_DONE;
}

void session_fit(const session *s, okra_spec *spec)
{
    spec->inputs = s->columns.n_inputs;
    spec->outputs = s->columns.n_targets;
    if (spec->inputs == 0 && !arguments_value(&s->options, "target-lags"))
        spec->target_lags = SERIES_TARGET_LAGS;
}

static int make_model(session *s)
{
    okra_spec *spec = &s->set.spec;
    okra_message why;
    session_fit(s, spec);
    int status = use_omega(s);
    if (status)
        return status;
    if (okra_spec_check(spec, &why))
        return talk_fail(EXIT_USAGE, "%s", why.text);
    okra_status made = learner_start(&s->learner, spec);
    return made ? refuse_model(spec, made) : EXIT_DONE;
}

static int adopt_model(session *s)
{
    okra_filter *model = s->saved.model;
    learner_adopt(&s->learner, model);
    okra_freeze(model, !s->learns);
    s->tally.before = learner_learnt(&s->learner);
    s->restarts = learner_restarts(&s->learner);
    return EXIT_DONE;
}

/* Room for the numbers of a row, in one piece. */
static int make_room(session *s)
{
    size_t inputs = s->columns.n_inputs, outputs = s->columns.n_targets;
    s->numbers = calloc(inputs + 6 * outputs, sizeof(double));
    s->missing = calloc(inputs + outputs, sizeof *s->missing);
    if (!score_start(&s->score, outputs) || !s->numbers || !s->missing)
        return talk_fail(EXIT_IO, "out of memory for %zu inputs and %zu targets", inputs, outputs);
    sample *r = &s->row;
    double **parts[] = {&r->y, &r->yhat, &r->error, &r->variance, &r->lo, &r->hi};
    r->u = s->numbers;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = r->u + inputs + i * outputs;
    return EXIT_DONE;
}

/* Errors of a model that was loaded are what they were. */
static int start_watch(session *s)
{
    if (!s->set.watches_drift)
        return EXIT_DONE;
    if (!drift_start(&s->drift, s->columns.n_targets))
        return talk_fail(EXIT_IO, "out of memory");
    if (s->saved.model)
        saved_recall_drift(&s->saved, &s->drift);
    return EXIT_DONE;
}

int session_open_input(session *s)
{
    int status = open_input(s);
    if (!status)
        status = settle_score(s);
    return status ? status : make_room(s);
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

int session_prepare(session *s)
{
    int status = load_model(s);
    if (!status)
        status = settings_read(&s->set, &s->options);
    if (!status)
        status = settle(s);
    if (!status)
        status = session_open_input(s);
    if (!status)
        status = s->saved.model ? adopt_model(s) : make_model(s);
    if (!status)
        status = start_watch(s);
    if (!status && s->set.resume && s->saved.model)
        status = session_recall(s);
    return status ? status : session_open_outputs(s);
}
