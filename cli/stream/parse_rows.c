/*
 * Parses rows of the table into blocks, as numbers that the model takes.
 */
#include "input.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../common/refusal.h"

/* Finite numbers that fit the precision, or NaN; the column of the first that does not, else NO_COLUMN. */
static size_t take_values(const input *in, size_t n, const size_t *from, double *to)
{
    size_t wrong = NO_COLUMN;
    for (size_t i = 0; i < n; i++) {
        double given = from[i] == NO_COLUMN ? (double)NAN : in->values[from[i]];
        to[i] = in->f32 ? (double)(float)given : given;
        if (fabs(given) > (in->f32 ? (double)FLT_MAX : DBL_MAX) && wrong == NO_COLUMN)
            wrong = from[i];
    }
    return wrong;
}

/* Makes the row a bad one. */
static bool refuse_value(const input *in, size_t column, const char *what, okra_message *why)
{
    char label[COLUMN_LABEL];
    const okra_table_info *info = okra_table_get(in->table);
    snprintf(why->text, sizeof why->text, "%s:%llu: %s %s", info->path, (unsigned long long)info->line,
             column_label(in->table, column, label), what);
    return false;
}

static bool take_numbers(const input *in, block *b, okra_message *why)
{
    const columns *c = &in->columns;
    double *weight = b->weight + b->n;
    size_t wrong = take_values(in, c->n_inputs, c->inputs, b->u + b->n * c->n_inputs);
    if (wrong == NO_COLUMN)
        wrong = take_values(in, c->n_targets, c->targets, b->y + b->n * c->n_targets);
    *weight = 1;
    bool weighed = in->learns && c->weight != NO_COLUMN;
    if (wrong == NO_COLUMN && weighed)
        wrong = take_values(in, 1, &c->weight, weight);
    if (wrong != NO_COLUMN)
        return refuse_value(in, wrong, "is too large for float32: scale it, or use --precision f64", why);
    if (!(*weight >= 0))
        return refuse_value(in, c->weight, "is not a weight: give 0 or more", why);
    return true;
}

/* The columns that are copied to the output; false if there is no memory. */
static bool take_kept(const input *in, block *b)
{
    const columns *c = &in->columns;
    b->text[b->n] = b->length;
    for (size_t k = 0; k < c->n_kept; k++) {
        if (!c->kept_as_text) {
            b->kept[b->n * c->n_kept + k] = in->values[c->kept[k]];
            continue;
        }
        size_t space = b->texts_capacity - b->length,
               length = 1 + okra_table_text(in->table, c->kept[k], b->texts ? b->texts + b->length : NULL, space);
        if (length > space && !block_reserve_text(b, length))
            return false;
        if (length > space)
            okra_table_text(in->table, c->kept[k], b->texts + b->length, length);
        b->length += length;
    }
    return true;
}

static void fail(block *b, block_state state, const okra_message *why)
{
    b->state = state;
    b->why = *why;
}

/* A skipped row becomes one of missing values. */
static void take_bad_row(const input *in, block *b, okra_message *why)
{
    if (!in->skips_bad_rows) {
        fail(b, BLOCK_STOPPED, why);
        return;
    }
    if (!b->why.text[0])
        b->why = *why;
    for (size_t i = 0; i < in->columns.n_inputs; i++)
        b->u[b->n * in->columns.n_inputs + i] = (double)NAN;
    for (size_t j = 0; j < in->columns.n_targets; j++)
        b->y[b->n * in->columns.n_targets + j] = (double)NAN;
    b->text[b->n] = b->length;
    b->weight[b->n++] = -1;
}

/* The sum of the numbers' bits, each times an odd number of its own; NaN counts as 0. */
static uint64_t digest(size_t n, const double *numbers)
{
    uint64_t sum = 0, odd = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < n; i++, odd += 0x3c6ef372fe94f82a) {
        uint64_t bits = 0;
        if (!isnan(numbers[i]))
            memcpy(&bits, &numbers[i], sizeof bits);
        sum += (bits + i + 1) * odd;
    }
    return sum;
}

/* Mixed row by row: the order counts, and one changed bit changes them all. */
static void take_print(input *in, const block *b)
{
    const columns *c = &in->columns;
    size_t i = b->n - 1;
    uint64_t row = digest(c->n_inputs, b->u + i * c->n_inputs) ^ digest(c->n_targets, b->y + i * c->n_targets) << 1 ^
                   digest(1, b->weight + i) << 2;
    in->fingerprint = (in->fingerprint ^ row ^ in->fingerprint >> 29) * 0xbf58476d1ce4e5b9 + 1;
}

void input_next(input *in, block **place)
{
    okra_message why; /* not initialised: clearing half a kilobyte for every row would cost time */
    bool more = true;
    okra_status status = okra_table_next(in->table, in->values, &more, &why);
    block *b = *place;
    size_t before = b->n;
    b->line[b->n] = okra_table_get(in->table)->line;
    if (status && status != OKRA_E_FORMAT) {
        fail(b, BLOCK_FAILED, &why);
    } else if (!more) {
        b->state = BLOCK_ENDED;
    } else if (status) {
        name_option(&why);
        take_bad_row(in, b, &why);
    } else if (!take_numbers(in, b, &why)) {
        take_bad_row(in, b, &why);
    } else if (!take_kept(in, b)) {
        snprintf(why.text, sizeof why.text, "%s", okra_strerror(OKRA_E_MEMORY));
        fail(b, BLOCK_FAILED, &why);
    } else {
        b->n++;
    }
    if (b->n > before)
        take_print(in, b);
    b->fingerprint = in->fingerprint;
}
