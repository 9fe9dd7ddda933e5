/*
 * Rows in memory, read as `run` reads them: the same columns, the same refusals.
 */
#include "stock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/refusal.h"
#include "../common/talk.h"

int stock_open(stock *s, const arguments *options)
{
    *s = (stock){.from.learns = true};
    int status = arguments_copy(&s->from.options, options) ? EXIT_DONE : talk_fail(EXIT_IO, "out of memory");
    if (!status)
        status = settings_read(&s->from.set, options);
    if (!status)
        status = session_open_input(&s->from);
    if (status)
        return status;
    s->inputs = s->from.columns.n_inputs;
    s->targets = s->from.columns.n_targets;
    s->values = calloc(okra_table_get(s->from.table)->columns, sizeof *s->values);
    return s->values ? EXIT_DONE : talk_fail(EXIT_IO, "out of memory");
}

void stock_narrow(stock *s) { s->from.learner.f32 = true; }

static bool resize(double **array, size_t numbers)
{
    double *grown = realloc(*array, (numbers + 1) * sizeof **array); /* a time series has no inputs */
    if (grown)
        *array = grown;
    return grown;
}

static int make_room(stock *s, size_t rows)
{
    if (rows <= s->room)
        return EXIT_DONE;
    if (!resize(&s->u, rows * s->inputs) || !resize(&s->y, rows * s->targets) || !resize(&s->weight, rows))
        return talk_fail(EXIT_IO, "out of memory for %zu rows: lower --rows", rows);
    s->room = rows;
    return EXIT_DONE;
}

static void keep(stock *s, bool good)
{
    const sample *row = &s->from.row;
    if (s->inputs)
        memcpy(s->u + s->n * s->inputs, row->u, s->inputs * sizeof(double));
    memcpy(s->y + s->n * s->targets, row->y, s->targets * sizeof(double));
    s->weight[s->n++] = good ? row->weight : -1;
    s->skipped += !good;
}

static int take_next(stock *s)
{
    okra_message why;
    bool more = true;
    feed_row row = {.values = s->values};
    okra_status status = okra_table_next(s->from.table, s->values, &more, &why);
    if (status && status != OKRA_E_FORMAT)
        return talk_fail(EXIT_IO, "%s", why.text);
    s->ended = !more;
    if (s->ended)
        return EXIT_DONE;
    row.line = okra_table_get(s->from.table)->line;
    if (status)
        name_option(&why);
    bool good = !status && session_take_numbers(&s->from, &row, &why);
    if (!good && !s->from.set.skips_bad_rows)
        return talk_fail(EXIT_IO, "%s", why.text);
    keep(s, good);
    return EXIT_DONE;
}

int stock_fill(stock *s, size_t most)
{
    enum { FIRST_ROOM = 1024 };
    int status = EXIT_DONE;
    s->before += s->n;
    s->n = 0;
    while (!status && s->n < most && !s->ended) {
        size_t room = s->n < s->room ? s->room : s->room ? 2 * s->room : FIRST_ROOM;
        status = make_room(s, room < most ? room : most);
        if (!status)
            status = take_next(s);
    }
    return status;
}

/* How many values a column of a table has, up to two that differ; NaN is none. */
static int values_of(size_t rows, size_t width, size_t column, const double *table)
{
    double first = (double)NAN;
    for (size_t i = 0; i < rows; i++) {
        double x = table[i * width + column];
        if (isnan(first))
            first = x;
        else if (!isnan(x) && x != first)
            return 2;
    }
    return !isnan(first);
}

static int refuse_column(const stock *s, size_t column, const char *what)
{
    char label[COLUMN_LABEL];
    return talk_fail(EXIT_IO, "%s: %s %s", okra_table_get(s->from.table)->path,
                     column_label(s->from.table, column, label), what);
}

int stock_check_varies(const stock *s)
{
    int most = 0;
    for (size_t i = 0; i < s->inputs; i++)
        if (values_of(s->n, s->inputs, i, s->u) == 0)
            return refuse_column(s, s->from.columns.inputs[i],
                                 "has no value in any row, so that no row can be predicted: leave it out (--without)");
    for (size_t c = 0; c < s->targets && most < 2; c++) {
        int values = values_of(s->n, s->targets, c, s->y);
        most = values > most ? values : most;
    }
    return most == 2
               ? EXIT_DONE
               : refuse_column(s, s->from.columns.targets[0],
                               most ? "is the same in every row, and there is nothing to learn: name another --target"
                                    : "has no value in any row: name another --target");
}

void stock_close(stock *s)
{
    session_free(&s->from);
    free(s->u);
    free(s->y);
    free(s->weight);
    free(s->values);
    *s = (stock){0};
}
