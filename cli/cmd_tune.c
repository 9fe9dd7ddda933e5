/*
 * okra tune: finds the options for a stream on its first rows, and prints them as a command line.
 */
#include <stdlib.h>

#include "commands.h"
#include "common/json_file.h"
#include "common/refusal.h"
#include "stream/learner.h"
#include "stream/run_options.h"
#include "common/message.h"
#include "compare/tune.h"

#define TUNED_RECIPE "rff-krls"

typedef struct request {
    settings stream;
    uint64_t rows, budget, threads; /* 0 threads: one a core */
} request;

static int read_request(const arguments *options, request *r)
{
    *r = (request){0};
    int status = arguments_read(options, r);
    return status ? status : settings_check(&r->stream, options);
}

static int read_recipes(const arguments *options, const request *r, recipe_list *recipes)
{
    int status = recipe_list_add_names(recipes, options, r->stream.recipe, "--recipe");
    return status ? status : recipe_list_check(recipes, options);
}

static int read_rows(const arguments *options, const request *r, recipe_list *recipes, row_table *rows)
{
    enum { FEWEST = 64 }; /* half of them are scored */
    int status = row_table_open(rows, options, &r->stream, recipe_list_loaded(recipes));
    if (!status)
        status = recipe_list_fit(recipes, rows->from);
    if (status)
        return status;
    if (recipes->entries[0].spec.precision == OKRA_F32)
        rows->from->f32 = true;
    status = row_table_fill(rows, (size_t)r->rows);
    if (!status && rows->rows.n < FEWEST)
        status = message_fail(EXIT_IO, "%s: %zu rows are too few to tune on: %d are needed",
                              okra_table_get(rows->from->table)->path, rows->rows.n, FEWEST);
    return status ? status : row_table_check_varies(rows);
}

/* A model that is too large for the machine is not one that loses. */
static int try_model(const okra_spec *spec)
{
    learner probe;
    okra_status status = learner_start(&probe, spec);
    learner_free(&probe);
    return status ? refuse_model(spec, status) : EXIT_DONE;
}

static int make_spaces(const arguments *options, const recipe_list *recipes, tuning *t)
{
    size_t axes = 0;
    t->spaces = calloc(2 * recipes->n, sizeof *t->spaces);
    if (!t->spaces)
        return message_fail(EXIT_IO, "out of memory");
    for (size_t i = 0; i < 2 * recipes->n; i++) {
        const recipe_entry *recipe = &recipes->entries[i / 2];
        int status = try_model(&recipe->spec);
        if (status)
            return status;
        if (tune_space_make(&t->spaces[t->n_spaces], recipe, i % 2, options, t->rows))
            axes += t->spaces[t->n_spaces++].n_axes;
    }
    return axes > 0 ? EXIT_DONE
                    : message_fail(EXIT_USAGE, "every parameter that tune could search is given: leave one out");
}

static int report(const tuning *t, const arguments *options, output *metrics)
{
    if (!t->quiet)
        tune_note(t);
    int status = tune_print(t, options);
    if (!status && metrics->file)
        status = tune_write(t, options, metrics);
    int closed = output_close(metrics);
    return status ? status : closed;
}

static int tune(const arguments *options, const request *r, const recipe_list *recipes, const row_table *rows)
{
    output metrics = {0};
    atomic_bool lacks_memory = false;
    tuning t = {.rows = rows,
                .lacks_memory = &lacks_memory,
                .budget = (size_t)r->budget,
                .threads = (int)r->threads,
                .quiet = r->stream.quiet};
    int status = make_spaces(options, recipes, &t);
    if (!status)
        status = json_file_open(&metrics, options, "command line");
    if (!status)
        status = tune_search(&t);
    if (!status)
        status = report(&t, options, &metrics);
    output_close(&metrics);
    tune_free(&t);
    return status;
}

static int cmd_tune(const arguments *options)
{
    request r;
    recipe_list recipes = {0};
    row_table rows = {0};
    int status = read_request(options, &r);
    if (!status)
        status = read_recipes(options, &r, &recipes);
    if (!status)
        status = read_rows(options, &r, &recipes, &rows);
    if (!status)
        status = tune(options, &r, &recipes, &rows);
    row_table_close(&rows);
    recipe_list_free(&recipes);
    return status;
}

static const cli_option options[] = {
    {"recipe", "RECIPE[,RECIPE..]", "what to tune; of several, the best is chosen", TO_TEXT(request, stream.recipe),
     .fallback = TUNED_RECIPE},
    {"rows", "N", "rows to tune on, from the beginning of the stream", TO_COUNT(request, rows, 64, 1 << 28),
     .fallback = "20000"},
    {"budget", "N", "candidates to try", TO_COUNT(request, budget, 2, 1 << 16), .fallback = "64"},
    {"threads", "T", "threads; the result does not depend on it", TO_COUNT(request, threads, 1, 1024),
     .absent = "all cores"},
    {"metrics", "FILE", "winner, default and all finalists as JSON", TO_TEXT(request, stream.metrics)},
    PART_OPTIONS,
    WEIGHT_OPTION,
    INPUT_OPTIONS,
    {"quiet", NULL, "no table and no progress bar", TO_FLAG(request, stream.quiet)},
    HELP_OPTION,
};

static const cli_default defaults[] = {{"scale", "auto"}, {"sigma", "auto"}, TARGET_LAGS_DEFAULT, {NULL, NULL}};

const cli_command tune_command = {
    .name = "tune",
    .operand = "FILE",
    .help = "find the options for a stream on its first rows",
    .more = "Tries widths, one for all inputs and one for each, maps, kernels, numbers of features, step sizes, "
            "regularisation and forgetting on the first rows of FILE, or of standard input, and prints the best as a "
            "command line to paste. Every row is predicted before "
            "it is learnt, as in 'okra run'. Candidates are ranked by their error after the first quarter of the rows. "
            "The recipe's defaults with --sigma auto win unless clearly beaten. Given parameters are not searched.",
    .examples = "  okra tune --recipe rff-klms,rff-krls --rows 5000 stream.csv\n",
    .options = options,
    .parameters = ALL_PARAMETERS,
    .defaults = defaults,
    .run = cmd_tune,
};
