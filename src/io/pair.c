/*
 * Two audio files read in step, as one stream.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader.h"

enum { FAR, MIC, FILES };

typedef struct pair_reader {
    okra_reader base;
    okra_reader *files[FILES];
    double *row; /* of both: the caller's stays as it is where one has ended */
} pair_reader;

/* ---- the class ----------------------------------------------------------------------------------------------- */

/* Columns that nobody wants may hold anything in the files too. */
static void lend_ignored(const pair_reader *pair)
{
    bool *ignored = pair->base.ignored;
    for (int f = 0; f < FILES; f++) {
        pair->files[f]->ignored = ignored;
        ignored = ignored ? ignored + pair->files[f]->columns : NULL;
    }
}

/* Both are read whatever happens, so that they stay in step. */
static okra_status pair_next(okra_reader *reader, double *row, bool *more, okra_message *why)
{
    const pair_reader *pair = (pair_reader *)reader;
    bool more_far, more_mic;
    lend_ignored(pair);
    okra_status far = okra_reader_next(pair->files[FAR], pair->row, &more_far, why);
    okra_status mic =
        okra_reader_next(pair->files[MIC], pair->row + pair->files[FAR]->columns, &more_mic, far ? NULL : why);
    *more = more_far && more_mic;
    reader->line = pair->files[FAR]->line;
    if (!*more || far || mic)
        return !*more ? OKRA_OK : far ? far : mic;
    memcpy(row, pair->row, reader->columns * sizeof *row);
    return OKRA_OK;
}

static okra_status pair_skip(okra_reader *reader, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    const pair_reader *pair = (pair_reader *)reader;
    for (int f = 0; f < FILES; f++) {
        uint64_t before = pair->files[f]->position;
        okra_status status = okra_reader_skip(pair->files[f], rows, why);
        if (status && status != OKRA_E_FORMAT) /* which says that there were fewer */
            return status;
        rows = pair->files[f]->position - before;
    }
    *skipped = rows;
    reader->line = pair->files[MIC]->line;
    return OKRA_OK;
}

static double pair_progress(const okra_reader *reader)
{
    const pair_reader *pair = (const pair_reader *)reader;
    double far = okra_reader_progress(pair->files[FAR]), mic = okra_reader_progress(pair->files[MIC]);
    return far > mic ? far : mic;
}

static void pair_close(okra_reader *reader)
{
    pair_reader *pair = (pair_reader *)reader;
    free(pair->row);
    for (int f = 0; f < FILES; f++) {
        if (pair->files[f])
            pair->files[f]->ignored = NULL; /* which is lent */
        okra_reader_close(pair->files[f]);
    }
}

static const okra_reader_class pair_class = {
    .size = sizeof(pair_reader),
    .next = pair_next,
    .skip = pair_skip,
    .progress = pair_progress,
    .close = pair_close,
};

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_status open_file(pair_reader *pair, int f, const char *path, const okra_reader_options *options,
                             okra_message *why)
{
    okra_audio audio;
    okra_status status = okra_reader_open_as(path, options, &pair->files[f], why);
    if (status || okra_reader_audio(pair->files[f], &audio))
        return status;
    okra_say(why, "%s: is no audio: a table has inputs and target in one file", okra_reader_path(pair->files[f]));
    return OKRA_E_FORMAT;
}

static okra_status check_rates(const pair_reader *pair, okra_message *why)
{
    const okra_reader *far = pair->files[FAR], *mic = pair->files[MIC];
    if (far->audio.rate == mic->audio.rate)
        return OKRA_OK;
    okra_say(why, "%s: has %u frames a second, and %s has %u: convert one of them, with sox -r %u", far->source.path,
             far->audio.rate, mic->source.path, mic->audio.rate, mic->audio.rate);
    return OKRA_E_FORMAT;
}

/* The pair has no bytes of its own: nothing to close, and both names. */
static void name_source(pair_reader *pair)
{
    char both[2 * OKRA_NAME + 8];
    snprintf(both, sizeof both, "%s and %s", pair->files[FAR]->source.path, pair->files[MIC]->source.path);
    pair->base.source = (okra_source){.fd = STDIN_FILENO, .size = -1, .line = 1};
    okra_name_file(pair->base.source.path, both);
}

static bool name_columns(pair_reader *pair)
{
    okra_reader *base = &pair->base;
    size_t far = pair->files[FAR]->columns, mic = pair->files[MIC]->columns;
    base->columns = far + mic;
    base->names = calloc(base->columns, sizeof *base->names);
    pair->row = calloc(base->columns, sizeof *pair->row);
    return base->names && pair->row && okra_reader_number_columns(base, 0, far, "far", far > 1) &&
           okra_reader_number_columns(base, far, mic, "mic", mic > 1);
}

/* One more thing that a user should know, on the same line; NULL: none. False where there is no memory. */
static bool add_note(pair_reader *pair, const char *note)
{
    char *before = pair->base.note, *both = NULL;
    if (!note)
        return true;
    int length = asprintf(&both, "%s%s%s", before ? before : "", before ? "; " : "", note);
    free(before);
    pair->base.note = length > 0 ? both : NULL;
    return length > 0;
}

static bool note_lengths(pair_reader *pair)
{
    const okra_reader *far = pair->files[FAR], *mic = pair->files[MIC];
    okra_message note;
    if (far->audio.frames == mic->audio.frames || far->audio.frames == 0 || mic->audio.frames == 0)
        return true; /* equal, or one of them does not tell */
    okra_say(&note, "%s has %llu frames and %s has %llu: the stream ends with the shorter one", far->source.path,
             (unsigned long long)far->audio.frames, mic->source.path, (unsigned long long)mic->audio.frames);
    return add_note(pair, note.text);
}

static bool note_all(pair_reader *pair)
{
    return add_note(pair, pair->files[FAR]->note) && add_note(pair, pair->files[MIC]->note) && note_lengths(pair);
}

static okra_status join(pair_reader *pair, okra_message *why)
{
    okra_status status = check_rates(pair, why);
    if (status)
        return status;
    name_source(pair);
    pair->base.audio = pair->files[MIC]->audio;
    if (name_columns(pair) && note_all(pair))
        return OKRA_OK;
    okra_say(why, "%s: out of memory", pair->base.source.path);
    return OKRA_E_MEMORY;
}

okra_status okra_reader_open_pair(const char *far, const char *mic, const okra_reader_options *options,
                                  okra_reader **opened, okra_message *why)
{
    if (!opened || !far || !mic)
        return okra_say_status(OKRA_E_NULL, why);
    *opened = NULL;
    pair_reader *pair = calloc(1, sizeof *pair);
    if (!pair) {
        okra_say(why, "%s: out of memory", far);
        return OKRA_E_MEMORY;
    }
    pair->base.class = &pair_class;
    okra_status status = open_file(pair, FAR, far, options, why);
    if (!status)
        status = open_file(pair, MIC, mic, options, why);
    if (!status)
        status = join(pair, why);
    if (status)
        okra_reader_close(&pair->base);
    else
        *opened = &pair->base;
    return status;
}
