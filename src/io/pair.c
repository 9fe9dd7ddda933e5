/* Two audio files read in step, as one stream. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table.h"

enum { FAR, MIC, FILES };

typedef struct pair_table {
    okra_table base;
    okra_table *files[FILES];
    double *row; /* of both files, so that the caller's row is unchanged if one has ended */
} pair_table;

/* ---- the class ----------------------------------------------------------------------------------------------- */

/* Columns that are not used may hold anything in the files too. */
static void lend_ignored(const pair_table *pair)
{
    bool *ignored = pair->base.ignored;
    for (int f = 0; f < FILES; f++) {
        pair->files[f]->ignored = ignored;
        ignored = ignored ? ignored + pair->files[f]->columns : NULL;
    }
}

/* Both are always read, so that they stay in step. */
static okra_status pair_next(okra_table *table, double *row, bool *more, okra_message *why)
{
    const pair_table *pair = (pair_table *)table;
    bool more_far, more_mic;
    lend_ignored(pair);
    okra_status far = okra_table_next(pair->files[FAR], pair->row, &more_far, why);
    okra_status mic =
        okra_table_next(pair->files[MIC], pair->row + pair->files[FAR]->columns, &more_mic, far ? NULL : why);
    *more = more_far && more_mic;
    table->info.line = pair->files[FAR]->info.line;
    if (!*more || far || mic)
        return !*more ? OKRA_OK : far ? far : mic;
    memcpy(row, pair->row, table->columns * sizeof *row);
    return OKRA_OK;
}

static okra_status pair_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    const pair_table *pair = (pair_table *)table;
    for (int f = 0; f < FILES; f++) {
        uint64_t before = pair->files[f]->info.rows;
        okra_status status = okra_table_skip(pair->files[f], rows, why);
        if (status && status != OKRA_E_FORMAT) /* which means that there were fewer */
            return status;
        rows = pair->files[f]->info.rows - before;
    }
    *skipped = rows;
    table->info.line = pair->files[MIC]->info.line;
    return OKRA_OK;
}

static double pair_progress(const okra_table *table)
{
    const pair_table *pair = (const pair_table *)table;
    double far = okra_table_progress(pair->files[FAR]), mic = okra_table_progress(pair->files[MIC]);
    return far > mic ? far : mic;
}

static void pair_close(okra_table *table)
{
    pair_table *pair = (pair_table *)table;
    free(pair->row);
    for (int f = 0; f < FILES; f++) {
        if (pair->files[f])
            pair->files[f]->ignored = NULL; /* which belongs to the pair */
        okra_table_close(pair->files[f]);
    }
}

static const okra_table_class pair_class = {
    .size = sizeof(pair_table),
    .next = pair_next,
    .skip = pair_skip,
    .progress = pair_progress,
    .close = pair_close,
};

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_status open_file(pair_table *pair, int f, const char *path, const okra_table_options *options,
                             okra_message *why)
{
    okra_status status = okra_table_open(path, options, &pair->files[f], why);
    if (status || pair->files[f]->audio.rate > 0)
        return status;
    return okra_refuse(why, "%s: is no audio: a table has inputs and target in one file", pair->files[f]->source.path);
}

static okra_status check_rates(const pair_table *pair, okra_message *why)
{
    const okra_table *far = pair->files[FAR], *mic = pair->files[MIC];
    if (far->audio.rate == mic->audio.rate)
        return OKRA_OK;
    return okra_refuse(why, "%s: has %u frames a second, and %s has %u: convert one of them, with sox -r %u",
                       far->source.path, far->audio.rate, mic->source.path, mic->audio.rate, mic->audio.rate);
}

/* The pair has no descriptor of its own to close. Its name is both names. */
static void name_source(pair_table *pair)
{
    char both[2 * OKRA_NAME + 8];
    snprintf(both, sizeof both, "%s and %s", pair->files[FAR]->source.path, pair->files[MIC]->source.path);
    pair->base.source = (okra_source){.fd = STDIN_FILENO, .size = -1, .line = 1};
    okra_name_file(pair->base.source.path, both);
}

static bool name_columns(pair_table *pair)
{
    okra_table *base = &pair->base;
    size_t far = pair->files[FAR]->columns, mic = pair->files[MIC]->columns;
    base->columns = far + mic;
    base->names = calloc(base->columns, sizeof *base->names);
    pair->row = calloc(base->columns, sizeof *pair->row);
    return base->names && pair->row && okra_table_number_columns(base, 0, far, "far", far > 1) &&
           okra_table_number_columns(base, far, mic, "mic", mic > 1);
}

/* Appends a remark to the note, on the same line; NULL: none. False if memory runs out. */
static bool add_note(pair_table *pair, const char *note)
{
    char *before = pair->base.note, *both = NULL;
    if (!note)
        return true;
    int length = asprintf(&both, "%s%s%s", before ? before : "", before ? "; " : "", note);
    free(before);
    pair->base.note = length > 0 ? both : NULL;
    return length > 0;
}

static bool note_lengths(pair_table *pair)
{
    const okra_table *far = pair->files[FAR], *mic = pair->files[MIC];
    okra_message note;
    if (far->audio.frames == mic->audio.frames || far->audio.frames == 0 || mic->audio.frames == 0)
        return true; /* equal, or one is not known */
    okra_message_set(&note, "%s has %llu frames and %s has %llu: the stream ends with the shorter one",
                     far->source.path, (unsigned long long)far->audio.frames, mic->source.path,
                     (unsigned long long)mic->audio.frames);
    return add_note(pair, note.text);
}

static okra_status join(pair_table *pair, okra_message *why)
{
    okra_status status = check_rates(pair, why);
    if (status)
        return status;
    name_source(pair);
    pair->base.audio = pair->files[MIC]->audio;
    pair->base.format = pair->files[MIC]->format;
    if (!name_columns(pair) || !add_note(pair, pair->files[FAR]->note) || !add_note(pair, pair->files[MIC]->note) ||
        !note_lengths(pair))
        return okra_error(OKRA_E_MEMORY, why, "%s: out of memory", pair->base.source.path);
    okra_table_describe(&pair->base);
    return OKRA_OK;
}

okra_status okra_pair_open(const char *path, const okra_table_options *options, okra_table **opened, okra_message *why)
{
    okra_table_options alone = *options;
    pair_table *pair = calloc(1, sizeof *pair);
    if (!pair)
        return okra_error(OKRA_E_MEMORY, why, "%s: out of memory", options->mic);
    alone.mic = NULL;
    pair->base.class = &pair_class;
    okra_status status = open_file(pair, FAR, path, &alone, why);
    if (!status)
        status = open_file(pair, MIC, options->mic, &alone, why);
    if (!status)
        status = join(pair, why);
    if (status)
        okra_table_close(&pair->base);
    else
        *opened = &pair->base;
    return status;
}
