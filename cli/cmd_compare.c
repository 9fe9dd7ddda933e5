/*
 * okra compare: recipes side by side on a stream.
 */
#include "commands.h"
#include "compare/compare.h"
#include "common/json_file.h"
#include "stream/run_options.h"
#include "common/message.h"

#define COMPARED_RECIPES "rls,rff-klms,qklms,rff-krls"

enum { PLOT_ASCII = 1, PLOT_NONE };

typedef struct request {
    settings stream;
    const char *recipes; /* NULL: the usual ones, unless there are some of --with or --load */
    uint64_t rows;
    int plot;
} request;

/* ---- options ------------------------------------------------------------------------------------------------- */

static int read_request(const arguments *options, request *r)
{
    *r = (request){.rows = UINT64_MAX};
    int status = arguments_read(options, r);
    return status ? status : settings_check(&r->stream, options);
}

static int read_recipes(const arguments *options, const request *r, recipe_list *recipes)
{
    const char *text;
    size_t at = 0;
    int status = EXIT_DONE;
    if (r->recipes || (!arguments_value(options, "with") && !arguments_value(options, "load")))
        status = recipe_list_add_names(recipes, options, r->recipes ? r->recipes : COMPARED_RECIPES, "--recipes");
    while (!status && (text = arguments_next(options, "with", &at)))
        status = recipe_list_add(recipes, options, text, "--with");
    at = 0;
    while (!status && (text = arguments_next(options, "load", &at)))
        status = recipe_list_load(recipes, text, (size_t)r->stream.max_memory * MEGABYTE);
    if (!status && recipes->n > RECIPES_MAX)
        status = message_fail(EXIT_USAGE, "%zu recipes are too many for one table: give %d or fewer", recipes->n,
                              RECIPES_MAX);
    return status ? status : recipe_list_check(recipes, options);
}

/* ---- doing it ------------------------------------------------------------------------------------------------ */

static int open_rows(const arguments *options, const request *r, recipe_list *recipes, row_table *rows)
{
    bool narrow = true;
    int status = row_table_open(rows, options, &r->stream, recipe_list_loaded(recipes));
    if (!status)
        status = recipe_list_fit(recipes, rows->from);
    for (size_t k = 0; k < recipes->n; k++)
        narrow = narrow && recipes->entries[k].spec.precision == OKRA_F32;
    if (!status)
        rows->from->f32 = narrow;
    return status;
}

static int report(const comparison *c, const request *r, output *metrics)
{
    compare_print(c);
    if (!r->stream.quiet)
        compare_note(c);
    if (r->plot == PLOT_ASCII)
        compare_plot(c);
    int status = r->stream.out ? compare_draw(c, r->stream.out) : EXIT_DONE;
    if (!status && metrics->file)
        status = compare_write(c, metrics);
    return status;
}

static int compare(const arguments *options, const request *r, const recipe_list *recipes, row_table *rows)
{
    output metrics = {0};
    comparison c = {0};
    int status = r->stream.out ? figure_make_directory(r->stream.out) : EXIT_DONE;
    if (!status)
        status = json_file_open(&metrics, options, "table");
    if (!status)
        status = compare_run(&c, recipes, rows, r->rows, r->stream.quiet);
    if (!status)
        status = report(&c, r, &metrics);
    int closed = output_close(&metrics);
    compare_free(&c);
    return status ? status : closed;
}

static int cmd_compare(const arguments *options)
{
    request r;
    recipe_list recipes = {0};
    row_table rows = {0};
    int status = read_request(options, &r);
    if (!status)
        status = read_recipes(options, &r, &recipes);
    if (!status)
        status = open_rows(options, &r, &recipes, &rows);
    if (!status)
        status = compare(options, &r, &recipes, &rows);
    row_table_close(&rows);
    recipe_list_free(&recipes);
    return status;
}

static const cli_option options[] = {
    {"recipes", "RECIPE[,RECIPE..]", "what to compare", TO_TEXT(request, recipes), .absent = COMPARED_RECIPES},
    {"with", "\"RECIPE --OPTION VALUE ..\"", "a recipe with parameters of its own; may be given several times",
     TO_NOTHING, .repeats = true},
    {"load", "FILE", "a saved model, which continues to learn; may be given several times", TO_NOTHING,
     .repeats = true},
    MEMORY_OPTION(settings),
    {"rows", "N", "stop after so many", TO_COUNT(request, rows, 1, UINT64_MAX), .absent = "at the end of the stream"},
    {"out", "DIR", "learning curves as compare.csv, a gnuplot script, PNG and SVG", TO_TEXT(request, stream.out),
     .absent = "none"},
    {"plot", "ascii|none", "learning curves in the terminal", TO_CHOICE(request, plot), .fallback = "none"},
    {"metrics", "FILE", "the table as JSON", TO_TEXT(request, stream.metrics)},
    PART_OPTIONS,
    WEIGHT_OPTION,
    {"score-from", "N|P%", "score only rows after the first N, or after P% of a regular file",
     TO_AMOUNT(request, stream.score_from, 0, UINT64_MAX, '%'), .fallback = "0"},
    INPUT_OPTIONS,
    {"quiet", NULL, "no progress bar and no notes", TO_FLAG(request, stream.quiet)},
    HELP_OPTION,
};

static const cli_default defaults[] = {{"scale", "auto"}, {"sigma", "auto"}, TARGET_LAGS_DEFAULT, {NULL, NULL}};

const cli_command compare_command = {
    .name = "compare",
    .operand = "FILE",
    .help = "several recipes side by side on a stream: error, time, memory",
    .more = "Reads a stream as 'okra run' does and runs several recipes on it. Each predicts every row before learning "
            "it (prequential). Prints their errors (NMSE is the squared error over the variance of the target, dB is "
            "10 log10 of it), nanoseconds per row, bytes, and the centres of dictionaries. Widths and scales are "
            "automatic unless given; a parameter applies to every recipe that has it. Recipes take turns on chunks of "
            "rows, on one core, so that their times can be compared.",
    .examples = "  okra compare --plot ascii stream.csv\n"
                "  okra compare --recipes rls --with 'rff-krls --features 100' --out curves stream.csv\n"
                "  okra compare --load champion.okra --load challenger.okra today.csv\n",
    .options = options,
    .parameters = ALL_PARAMETERS,
    .defaults = defaults,
    .run = cmd_compare,
};
