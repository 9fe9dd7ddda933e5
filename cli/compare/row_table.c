/*
 * Rows in memory, read as `run` reads them, with the same columns and errors.
 */
#include "row_table.h"

#include <math.h>

#include "../common/message.h"

int row_table_open(row_table *s, const arguments *options, const settings *set, const resume_state *fits)
{
    *s = (row_table){0};
    int status = input_open(&s->from, options, set, fits, true);
    if (status)
        return status;
    s->inputs = s->from->columns.n_inputs;
    s->targets = s->from->columns.n_targets;
    return EXIT_DONE;
}

static int take_next(row_table *s, size_t max_rows)
{
    enum { FIRST_CAPACITY = 1024 };
    block *b = &s->rows;
    size_t capacity = b->n < b->capacity ? b->capacity : b->capacity ? 2 * b->capacity : FIRST_CAPACITY;
    capacity = capacity < max_rows ? capacity : max_rows;
    if (!block_reserve(b, capacity, &s->from->columns))
        return message_fail(EXIT_IO, "out of memory for %zu rows: lower --rows", capacity);
    size_t before = b->n;
    input_next(s->from, &b);
    s->skipped += b->n > before && b->weight[before] < 0;
    return b->state == BLOCK_STOPPED || b->state == BLOCK_FAILED ? message_fail(EXIT_IO, "%s", b->why.text) : EXIT_DONE;
}

int row_table_fill(row_table *s, size_t max_rows)
{
    int status = EXIT_DONE;
    s->before += s->rows.n;
    s->rows.n = 0;
    while (!status && s->rows.n < max_rows && s->rows.state == BLOCK_GOOD)
        status = take_next(s, max_rows);
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

static int refuse_column(const row_table *s, size_t column, const char *what)
{
    char label[COLUMN_LABEL];
    return message_fail(EXIT_IO, "%s: %s %s", okra_table_get(s->from->table)->path,
                        column_label(s->from->table, column, label), what);
}

int row_table_check_varies(const row_table *s)
{
    int values_max = 0;
    for (size_t i = 0; i < s->inputs; i++)
        if (values_of(s->rows.n, s->inputs, i, s->rows.u) == 0)
            return refuse_column(s, s->from->columns.inputs[i],
                                 "has no value in any row, so no row can be predicted: leave it out (--without)");
    for (size_t c = 0; c < s->targets && values_max < 2; c++) {
        int values = values_of(s->rows.n, s->targets, c, s->rows.y);
        values_max = values > values_max ? values : values_max;
    }
    return values_max == 2
               ? EXIT_DONE
               : refuse_column(s, s->from->columns.targets[0],
                               values_max ? "is the same in every row: nothing to learn: name another --target"
                                          : "has no value in any row: name another --target");
}

void row_table_close(row_table *s)
{
    input_close(s->from);
    block_free(&s->rows);
    *s = (row_table){0};
}
