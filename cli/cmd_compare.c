/*
 * okra compare: recipes side by side on a stream.
 */
#include <string.h>

#include "commands.h"
#include "compare/compare.h"
#include "common/metrics.h"
#include "stream/stream_options.h"
#include "common/talk.h"

#define COMPARED_RECIPES "rls,rff-klms,qklms,rff-krls"

/* ---- options ------------------------------------------------------------------------------------------------- */

static int read_recipes(const arguments *options, roster *recipes)
{
    const char *names = arguments_value(options, "recipes"), *text;
    size_t at = 0;
    int status = EXIT_DONE;
    if (names || !arguments_value(options, "with"))
        status = roster_add_names(recipes, options, names ? names : COMPARED_RECIPES, "--recipes");
    while (!status && (text = arguments_next(options, "with", &at)))
        status = roster_add(recipes, options, text, "--with");
    if (!status && recipes->n > COMPARE_MOST)
        status =
            talk_fail(EXIT_USAGE, "%zu recipes are too many for one table: give %d or fewer", recipes->n, COMPARE_MOST);
    return status ? status : roster_check(recipes, options);
}

static int read_plot(const arguments *options, bool *ascii)
{
    const char *plot = arguments_value(options, "plot");
    *ascii = plot && strcmp(plot, "ascii") == 0;
    return *ascii || !plot || strcmp(plot, "none") == 0
               ? EXIT_DONE
               : talk_fail(EXIT_USAGE, "--plot: '%s' is neither ascii nor none", plot);
}

/* ---- doing it ------------------------------------------------------------------------------------------------ */

static int open_rows(const arguments *options, roster *recipes, stock *rows)
{
    bool narrow = true;
    int status = stock_open(rows, options);
    if (!status)
        status = roster_fit(recipes, rows->from);
    for (size_t k = 0; k < recipes->n; k++)
        narrow = narrow && recipes->entries[k].spec.precision == OKRA_F32;
    if (narrow)
        rows->from->f32 = true;
    return status;
}

static int report(const comparison *c, const arguments *options, bool ascii, output *metrics)
{
    const char *directory = arguments_value(options, "out");
    compare_print(c);
    if (!arguments_value(options, "quiet"))
        compare_tell(c);
    if (ascii)
        compare_plot(c);
    int status = directory ? compare_draw(c, directory) : EXIT_DONE;
    if (!status && metrics->file)
        status = compare_write(c, metrics);
    return status;
}

static int compare(const arguments *options, const roster *recipes, stock *rows, bool ascii)
{
    const char *directory = arguments_value(options, "out");
    uint64_t most = UINT64_MAX;
    output metrics = {0};
    comparison c = {0};
    int status = arguments_count(options, "rows", 1, UINT64_MAX, &most);
    if (!status && directory)
        status = figure_make_directory(directory);
    if (!status)
        status = metrics_open(&metrics, options, "table");
    if (!status)
        status = compare_run(&c, recipes, rows, most, arguments_value(options, "quiet"));
    if (!status)
        status = report(&c, options, ascii, &metrics);
    int closed = output_close(&metrics);
    compare_free(&c);
    return status ? status : closed;
}

static int cmd_compare(const arguments *options)
{
    bool ascii;
    roster recipes = {0};
    stock rows = {0};
    int status = read_plot(options, &ascii);
    if (!status)
        status = read_recipes(options, &recipes);
    if (!status)
        status = open_rows(options, &recipes, &rows);
    if (!status)
        status = compare(options, &recipes, &rows, ascii);
    stock_close(&rows);
    roster_free(&recipes);
    return status;
}

static const cli_option options[] = {
    {"recipes", "RECIPE[,RECIPE..]", "what to compare (" COMPARED_RECIPES ")"},
    {"with", "\"RECIPE --OPTION VALUE ..\"", "a recipe with parameters of its own; may be given several times"},
    {"rows", "N", "stop after so many (at the end of the stream)"},
    {"out", "DIR", "learning curves as compare.csv, a gnuplot script, PNG and SVG (none)"},
    {"plot", "ascii|none", "learning curves in the terminal (none)"},
    {"metrics", "FILE", "the table as JSON"},
    PART_OPTIONS,
    WEIGHT_OPTION,
    {"score-from", "N|P%", "the errors cover the rows after the first N, or after P% of a regular file's (0)"},
    INPUT_OPTIONS,
    {"quiet", NULL, "no progress bar and no notes"},
    {"help", NULL, "this text"},
    {NULL, NULL, NULL},
};

static const cli_default defaults[] = {{"scale", "auto"}, {"sigma", "auto"}, TARGET_LAGS_DEFAULT, {NULL, NULL}};

const cli_command compare_command = {
    .name = "compare",
    .operand = "FILE",
    .help = "several recipes side by side on a stream: error, time, memory",
    .more =
        "Reads a stream as 'okra run' does and shows it to several recipes, each of which predicts every row before "
        "learning it. Prints their errors (NMSE is the squared error over the variance of the target, dB is 10 log10 "
        "of "
        "it), nanoseconds per row, bytes, and centres where there is a dictionary. Widths and scales are automatic "
        "unless given; a parameter goes to every recipe that has it. Recipes take turns on chunks of rows, on one "
        "core, "
        "so their times compare.",
    .examples = "  okra compare --plot ascii stream.csv\n"
                "  okra compare --recipes rls --with 'rff-krls --features 100' --out curves stream.csv\n",
    .options = options,
    .parameters = ALL_PARAMETERS,
    .defaults = defaults,
    .run = cmd_compare,
};
