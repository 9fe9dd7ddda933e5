/*
 * Opening the input, and its rows as the model takes them.
 */
#include "input.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/refusal.h"
#include "../common/message.h"

/* ---- opening --------------------------------------------------------------------------------------------------- */

/* Of standard input, only what has not been read from before. */
static bool is_countable(const char *path)
{
    struct stat info;
    if (!path || is_standard(path))
        return fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void tell_wait(void *context)
{
    input *in = context;
    if (in->waits)
        in->waits(in->context);
}

static okra_status open_table(input *in, const char *path, bool follow, okra_table **table, okra_message *why)
{
    okra_table_options how = {.format = in->set->format,
                              .header = (okra_header)in->set->header,
                              .columns = in->set->columns,
                              .mic = in->set->mic,
                              .follow = follow,
                              .headers = in->set->headers,
                              .waits = tell_wait,
                              .context = in};
    return okra_table_open(path, &how, table, why);
}

static int open_input(input *in)
{
    okra_message why;
    if (!in->set->in && isatty(STDIN_FILENO) && !in->set->quiet)
        message_note("reading rows from the terminal: end with Ctrl-D, or give a FILE");
    in->countable = is_countable(in->set->in);
    okra_status status = open_table(in, in->set->in, in->set->follow, &in->table, &why);
    if (status)
        return message_fail(status == OKRA_E_PARAMETER ? EXIT_USAGE : EXIT_IO, "%s", why.text);
    if (okra_table_get(in->table)->note && !in->set->quiet)
        message_note("%s", okra_table_get(in->table)->note);
    return input_choose_columns(in);
}

static int count_rows(input *in, uint64_t *rows)
{
    okra_table *table;
    okra_message why;
    okra_status status = open_table(in, is_standard(in->set->in) ? "/dev/stdin" : in->set->in, false, &table, &why);
    if (!status)
        status = okra_table_skip(table, UINT64_MAX, &why);
    *rows = okra_table_get(table)->rows;
    okra_table_close(table);
    /* OKRA_E_FORMAT: there were fewer, as they always are */
    return status == OKRA_OK || status == OKRA_E_FORMAT ? EXIT_DONE : message_fail(EXIT_IO, "%s", why.text);
}

static int settle_score(input *in)
{
    uint64_t rows;
    in->score_from = in->set->score_from.count;
    if (!(in->set->score_from.value > 0) || (in->set->resume && in->saved->model))
        return EXIT_DONE; /* a run that goes on knows it already */
    if (!in->countable)
        return message_fail(EXIT_USAGE,
                            "--score-from %g%%: %s is no regular file, so the number of its rows is not known: "
                            "give a number of rows",
                            in->set->score_from.value, okra_table_get(in->table)->path);
    int status = count_rows(in, &rows);
    if (!status)
        in->score_from = (uint64_t)floor(in->set->score_from.value / 100 * (double)rows);
    return status;
}

int input_open(input **opened, const arguments *options, const settings *set, const saved *fits, bool learns)
{
    input *in = *opened = calloc(1, sizeof *in);
    if (!in)
        return message_fail(EXIT_IO, "out of memory");
    *in = (input){.options = options, .set = set, .saved = fits, .learns = learns};
    in->skips_bad_rows = set->bad_rows == BAD_ROWS_SKIP;
    int status = open_input(in);
    if (!status)
        status = settle_score(in);
    if (status)
        return status;
    in->values = calloc(okra_table_get(in->table)->columns, sizeof *in->values);
    return in->values ? EXIT_DONE : message_fail(EXIT_IO, "out of memory");
}

void input_close(input *in)
{
    if (!in)
        return;
    okra_table_close(in->table);
    columns_free(&in->columns);
    free(in->values);
    free(in);
}

void input_fit(const input *in, okra_spec *spec)
{
    spec->inputs = in->columns.n_inputs;
    spec->outputs = in->columns.n_targets;
    if (spec->inputs == 0 && !arguments_value(in->options, "target-lags"))
        spec->target_lags = SERIES_TARGET_LAGS;
}

/* ---- a row ----------------------------------------------------------------------------------------------------- */

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

/* A value that cannot be used makes the row a bad one. */
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
        return refuse_value(in, c->weight, "is no weight: give 0 or more", why);
    return true;
}

/* The columns that are copied to the output; false where there is no memory. */
static bool take_kept(const input *in, block *b)
{
    const columns *c = &in->columns;
    b->text[b->n] = b->length;
    for (size_t k = 0; k < c->n_kept; k++) {
        if (!c->kept_as_text) {
            b->kept[b->n * c->n_kept + k] = in->values[c->kept[k]];
            continue;
        }
        size_t room = b->texts_capacity - b->length,
               length = 1 + okra_table_text(in->table, c->kept[k], b->texts ? b->texts + b->length : NULL, room);
        if (length > room && !block_reserve_text(b, length))
            return false;
        if (length > room)
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

/* Skipped, it takes the place of a row that says nothing. */
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
    okra_message why; /* filled where it is needed: half a kilobyte is not to be cleared for every row */
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
