/*
 * Opens the input: its table and columns, and how many rows are not scored.
 */
#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/message.h"
#include "resume_keys.h"

/* Of standard input, only what has not been read from before. */
static bool is_countable(const char *path)
{
    struct stat info;
    if (!path || is_standard(path))
        return fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void before_wait(void *context)
{
    input *in = context;
    if (in->waits)
        in->waits(in->context);
}

/* What the model's rows had, unless another is given. */
static const char *missing_of(const input *in)
{
    char key[RESUME_KEY];
    bool saved = !in->set->missing && in->resume && in->resume->metadata;
    return saved ? okra_metadata_get(in->resume->metadata, resume_option_key(key, "missing")) : in->set->missing;
}

static okra_status open_table(input *in, const char *path, bool follow, okra_table **table, okra_message *why)
{
    okra_table_options how = {.format = in->set->format,
                              .header = (okra_header)in->set->header,
                              .columns = in->set->columns,
                              .mic = in->set->mic,
                              .follow = follow,
                              .headers = in->set->headers,
                              .missing = missing_of(in),
                              .waits = before_wait,
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
    if (!(in->set->score_from.value > 0) || (in->set->resume && in->resume->model))
        return EXIT_DONE; /* a resumed run has it from the model */
    if (!in->countable)
        return message_fail(
            EXIT_USAGE,
            "--score-from %g%%: %s is not a regular file, so its number of rows is unknown: give a number of rows",
            in->set->score_from.value, okra_table_get(in->table)->path);
    int status = count_rows(in, &rows);
    if (!status)
        in->score_from = (uint64_t)floor(in->set->score_from.value / 100 * (double)rows);
    return status;
}

int input_open(input **opened, const arguments *options, const settings *set, const resume_state *fits, bool learns)
{
    input *in = *opened = calloc(1, sizeof *in);
    if (!in)
        return message_fail(EXIT_IO, "out of memory");
    *in = (input){.options = options, .set = set, .resume = fits, .learns = learns};
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
