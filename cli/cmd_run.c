/*
 * okra run: predict-then-learn over a stream, a row at a time.
 *
 * Every row is predicted before its target is learnt, written, and sent off before the next one is read, so that the
 * stream may never end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <okra/io.h>
#include <okra/okra.h>

#include "columns.h"
#include "commands.h"
#include "learner.h"
#include "omega.h"
#include "output.h"
#include "params.h"
#include "score.h"
#include "summary.h"
#include "talk.h"
#include "text.h"

#define DEFAULT_RECIPE "rff-klms"

typedef struct run {
    const arguments *options;
    okra_spec spec;
    okra_reader *reader;
    columns columns;
    omega omega;
    learner learner;
    output out, metrics;
    score score;
    uint64_t rows, learnt;
    double started, seconds;
    double *row;                  /* all columns */
    double *x, *y, *yhat, *error; /* of this row */
    double weight;
    bool known; /* every target of this row has a value */
} run;

static bool is_standard(const char *path) { return !path || strcmp(path, "-") == 0; }

/* ---- before the first row ------------------------------------------------------------------------------------ */

/* Before the input is opened, so that a slip in an option is told at once and not when the pipe has filled. */
static int settle_spec(run *r)
{
    const char *name = arguments_value(r->options, "recipe");
    const okra_recipe *recipe;
    if (!okra_spec_init(&r->spec, name ? name : DEFAULT_RECIPE, 1))
        return arguments_apply(r->options, &r->spec);
    char hint[HINT_TEXT];
    nearest search = nearest_to(name ? name : DEFAULT_RECIPE);
    for (size_t i = 0; (recipe = okra_recipe_at(i)); i++)
        nearest_offer(&search, recipe->name);
    return talk_fail(EXIT_USAGE, "no recipe '%s': %s", search.word,
                     nearest_hint(&search, "", "'okra list' shows them", hint));
}

static int open_input(run *r)
{
    const arguments *o = r->options;
    okra_message why;
    if (!o->operand && isatty(STDIN_FILENO) && !arguments_value(o, "quiet"))
        talk_note("reading rows from the terminal: end with Ctrl-D, or give a FILE");
    if (okra_reader_open(o->operand, &r->reader, &why))
        return talk_fail(EXIT_IO, "%s", why.text);
    int status = columns_choose(&r->columns, r->reader, arguments_value(o, "target"), arguments_value(o, "inputs"),
                                arguments_value(o, "weight"));
    r->spec.inputs = r->columns.n_inputs;
    r->spec.outputs = r->columns.n_targets;
    return status;
}

/* The features of --omega take the place of drawn ones. */
static int use_omega(run *r)
{
    const char *path = arguments_value(r->options, "omega");
    if (!path)
        return EXIT_DONE;
    if (!recipe_param(okra_recipe_find(r->spec.recipe), "features"))
        return talk_fail(EXIT_USAGE, "--omega: recipe %s has no random features: use one whose name begins with rff",
                         r->spec.recipe);
    if (is_standard(path) && is_standard(r->options->operand))
        return talk_fail(EXIT_USAGE, "--omega: standard input is already the stream: name a FILE for one of them");
    int status = omega_load(&r->omega, path, r->spec.inputs);
    if (status)
        return status;
    if (arguments_value(r->options, "features") && r->spec.features != r->omega.features)
        return talk_fail(EXIT_USAGE, "--features %zu: %s has %zu rows, one per feature: leave --features out",
                         r->spec.features, path, r->omega.features);
    r->spec.features = r->omega.features;
    r->spec.omega = r->omega.omega;
    r->spec.phase = r->omega.phase;
    return EXIT_DONE;
}

static int make_learner(run *r)
{
    size_t inputs = r->spec.inputs, outputs = r->spec.outputs;
    okra_message why;
    if (okra_spec_check(&r->spec, &why))
        return talk_fail(EXIT_USAGE, "%s", why.text);
    okra_status status = learner_start(&r->learner, &r->spec);
    if (status)
        return talk_fail(EXIT_USAGE, "%s", okra_strerror(status));
    r->row = calloc(okra_reader_columns(r->reader), sizeof(double));
    r->x = calloc(inputs, sizeof(double));
    r->y = calloc(outputs, sizeof(double));
    r->yhat = calloc(outputs, sizeof(double));
    r->error = calloc(outputs, sizeof(double));
    if (!score_start(&r->score, outputs) || !r->row || !r->x || !r->y || !r->yhat || !r->error)
        return talk_fail(EXIT_IO, "out of memory for %zu inputs and %zu targets", inputs, outputs);
    return EXIT_DONE;
}

/* ---- output -------------------------------------------------------------------------------------------------- */

/* Opening a file to write empties it: not the input's, and not one that has another use in this run. */
static bool same_file(const char *path, const char *input)
{
    struct stat a, b;
    return path && stat(path, &a) == 0 && S_ISREG(a.st_mode) &&
           (is_standard(input) ? fstat(STDIN_FILENO, &b) : stat(input, &b)) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static int check_outputs(const run *r)
{
    static const char *const writes[] = {"out", "metrics"};
    const char *omega_path = arguments_value(r->options, "omega");
    const char *out = arguments_value(r->options, "out"), *metrics = arguments_value(r->options, "metrics");
    for (size_t i = 0; i < 2; i++) {
        const char *path = arguments_value(r->options, writes[i]);
        if (same_file(path, r->options->operand) || (omega_path && same_file(path, omega_path)))
            return talk_fail(EXIT_USAGE, "--%s: '%s' is read by this very run: name another file", writes[i], path);
    }
    if (metrics && (out && !is_standard(out) ? strcmp(out, metrics) == 0 : is_standard(out) && is_standard(metrics)))
        return talk_fail(EXIT_USAGE, "--metrics: '%s' is where the predictions go: name another file", metrics);
    return EXIT_DONE;
}

/* y,yhat,error; with the target's name, or number, where there are several. */
static int write_header(run *r)
{
    static const char *const kinds[] = {"y", "yhat", "error"};
    output_text(&r->out, "n");
    for (size_t j = 0; j < r->columns.n_targets; j++) {
        size_t column = r->columns.targets[j];
        const char *name = okra_reader_column_name(r->reader, column);
        for (size_t k = 0; k < 3; k++) {
            char title[512];
            if (r->columns.n_targets == 1)
                snprintf(title, sizeof title, "%s", kinds[k]);
            else if (name)
                snprintf(title, sizeof title, "%s_%s", kinds[k], name);
            else
                snprintf(title, sizeof title, "%s_%zu", kinds[k], column + 1);
            output_text(&r->out, ",");
            output_field(&r->out, title);
        }
    }
    return output_row(&r->out);
}

/* Last of all preparations: a run that cannot start leaves earlier results as they are. */
static int open_outputs(run *r)
{
    int status = check_outputs(r);
    const char *metrics = arguments_value(r->options, "metrics");
    if (!status && metrics)
        status = output_open(&r->metrics, metrics);
    if (!status)
        status = output_open(&r->out, arguments_value(r->options, "out"));
    return status ? status : write_header(r);
}

static int write_row(run *r)
{
    bool f32 = r->learner.f32;
    char n[32];
    snprintf(n, sizeof n, "%llu", (unsigned long long)r->rows);
    output_text(&r->out, n);
    for (size_t j = 0; j < r->columns.n_targets; j++) {
        output_text(&r->out, ",");
        if (!isnan(r->y[j]))
            output_real(&r->out, r->y[j], f32);
        output_text(&r->out, ",");
        output_real(&r->out, r->yhat[j], f32);
        output_text(&r->out, ",");
        output_real(&r->out, r->error[j], f32);
    }
    return output_row(&r->out);
}

/* ---- a row --------------------------------------------------------------------------------------------------- */

/* A place in the input, as errors begin: "stream.csv:12: column 3 (x3)". */
static int refuse_value(const run *r, size_t column, const char *what)
{
    char label[COLUMN_LABEL];
    return talk_fail(EXIT_IO, "%s:%llu: %s %s", okra_reader_path(r->reader),
                     (unsigned long long)okra_reader_line(r->reader), column_label(r->reader, column, label), what);
}

static int take_value(const run *r, size_t column, double *value)
{
    *value = r->row[column];
    if (isnan(*value) || learner_fits(&r->learner, *value))
        return EXIT_DONE;
    return refuse_value(r, column, "is too large for float32: scale it, or use --precision f64");
}

static int take_inputs(run *r)
{
    for (size_t i = 0; i < r->columns.n_inputs; i++) {
        size_t column = r->columns.inputs[i];
        int status = take_value(r, column, &r->x[i]);
        if (status)
            return status;
        if (isnan(r->x[i]))
            return refuse_value(r, column, "has no value: every input needs one; fill it in or remove the row");
    }
    return EXIT_DONE;
}

static int take_targets(run *r)
{
    r->known = true;
    for (size_t j = 0; j < r->columns.n_targets; j++) {
        int status = take_value(r, r->columns.targets[j], &r->y[j]);
        if (status)
            return status;
        r->known = r->known && !isnan(r->y[j]);
    }
    return EXIT_DONE;
}

static int take_weight(run *r)
{
    size_t column = r->columns.weight;
    r->weight = 1;
    if (column == NO_COLUMN)
        return EXIT_DONE;
    int status = take_value(r, column, &r->weight);
    if (!status && !(r->weight >= 0))
        status = refuse_value(r, column, "is no weight: give 0 or more");
    return status;
}

/* Why the filter refused a row, and what would help. */
static int refuse_row(const run *r, okra_status status)
{
    const char *path = okra_reader_path(r->reader), *recipe = r->spec.recipe;
    unsigned long long line = okra_reader_line(r->reader);
    char value[64] = "";
    if (status == OKRA_E_DIVERGED && !okra_spec_get(&r->spec, "mu", value, sizeof value))
        return talk_fail(EXIT_DIVERGED,
                         "%s:%llu: %s diverged: the step size --mu %s is too large for this stream: lower it", path,
                         line, recipe, value);
    if (status == OKRA_E_DIVERGED)
        return talk_fail(EXIT_DIVERGED, "%s:%llu: %s diverged: %s", path, line, recipe, okra_strerror(status));
    if (status == OKRA_E_RANGE && !okra_spec_get(&r->spec, "sigma", value, sizeof value))
        return talk_fail(EXIT_IO, "%s:%llu: an input is too large for --sigma %s: scale the inputs or raise --sigma",
                         path, line, value);
    return talk_fail(EXIT_IO, "%s:%llu: %s", path, line, okra_strerror(status));
}

static int take_row(run *r)
{
    int status = take_inputs(r);
    if (!status)
        status = take_targets(r);
    if (!status)
        status = take_weight(r);
    if (status)
        return status;
    okra_status learnt = learner_step(&r->learner, r->x, r->known ? r->y : NULL, r->weight, r->yhat);
    if (learnt)
        return refuse_row(r, learnt);
    learner_error(&r->learner, r->y, r->yhat, r->error);
    r->rows++;
    if (r->known) {
        r->learnt++;
        score_add(&r->score, r->y, r->error);
    }
    return write_row(r);
}

/* ---- the stream ---------------------------------------------------------------------------------------------- */

static int take_rows(run *r, progress *bar)
{
    for (;;) {
        bool more;
        okra_message why;
        if (okra_reader_next(r->reader, r->row, &more, &why))
            return talk_fail(EXIT_IO, "%s", why.text);
        if (!more)
            return EXIT_DONE;
        int status = take_row(r);
        if (status)
            return status;
        progress_show(bar, r->rows, okra_reader_progress(r->reader));
    }
}

/* A bar among predictions on the same terminal would spoil both. */
static bool wants_bar(const run *r) { return !arguments_value(r->options, "quiet") && !isatty(fileno(r->out.file)); }

static int prepare(run *r)
{
    int status = settle_spec(r);
    if (!status)
        status = open_input(r);
    if (!status)
        status = use_omega(r);
    if (!status)
        status = make_learner(r);
    return status ? status : open_outputs(r);
}

/* The first failure decides the exit status, and later ones do not hide it. */
static int report(run *r, int status)
{
    summary s = {.rows = r->rows, .learnt = r->learnt, .seconds = r->seconds, .score = &r->score, .spec = &r->spec};
    int closed = output_close(&r->out);
    status = status ? status : closed;
    if (r->metrics.file) {
        int written = summary_write(&s, &r->metrics);
        int done = output_close(&r->metrics);
        status = status ? status : written ? written : done;
    }
    if (!status && !arguments_value(r->options, "quiet"))
        summary_print(&s);
    return status;
}

static void release(run *r)
{
    okra_reader_close(r->reader);
    columns_free(&r->columns);
    omega_free(&r->omega);
    learner_free(&r->learner);
    score_free(&r->score);
    free(r->row);
    free(r->x);
    free(r->y);
    free(r->yhat);
    free(r->error);
}

static int cmd_run(const arguments *options)
{
    run r = {.options = options, .started = talk_clock()};
    int status = prepare(&r);
    if (!status) {
        progress bar = progress_start(wants_bar(&r));
        status = take_rows(&r, &bar);
        progress_end(&bar);
        r.seconds = talk_clock() - r.started;
        status = report(&r, status);
    }
    release(&r);
    return status;
}

static const cli_option options[] = {
    {"recipe", "NAME", "what to learn with: one of 'okra list' (" DEFAULT_RECIPE ")"},
    {"target", "COL[,COL]", "what to predict: columns by name or number from 1 (the last column)"},
    {"inputs", "COL,..", "what to predict it from (all other columns)"},
    {"weight", "COL", "weights of the rows, 0 or more, on what is learnt from them (all 1)"},
    {"omega", "FILE", "features from a CSV file with the columns omega1,..,b in radians (drawn from --seed)"},
    {"out", "FILE", "where the predictions go (standard output)"},
    {"metrics", "FILE", "the summary as JSON"},
    {"quiet", NULL, "no summary and no progress bar"},
    {"help", NULL, "this text"},
    {NULL, NULL, NULL},
};

const cli_command run_command = {
    .name = "run",
    .operand = "FILE",
    .help = "predict, then learn, a stream of rows, one at a time",
    .more = "Reads a CSV stream from FILE, or from standard input, and predicts the target of every row before "
            "learning it. Writes n,y,yhat,error for each row as soon as it has come, and a summary to standard "
            "error at the end. A row whose target is empty is predicted and not learnt.",
    .options = options,
    .takes_parameters = true,
    .run = cmd_run,
};
