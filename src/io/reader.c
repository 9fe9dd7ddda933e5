/*
 * The front door of the readers: finds the format from the name and the first bytes, and passes on what is asked.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- formats ------------------------------------------------------------------------------------------------- */

const char *okra_file_format_name(okra_file_format format)
{
    static const char *const names[] = {"auto", "csv", "tsv", "npy", "f64", "f32", "wav", "flac"};
    return (size_t)format < sizeof names / sizeof *names ? names[format] : NULL;
}

static const char *name_ending(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *point = strrchr(name, '.');
    return point ? point + 1 : "";
}

okra_file_format okra_file_format_of(const char *path)
{
    const char *ending = name_ending(path);
    if (strcasecmp(ending, "tab") == 0)
        return OKRA_FILE_TSV;
    for (okra_file_format f = OKRA_FILE_CSV; okra_file_format_name(f); f++)
        if (strcasecmp(ending, okra_file_format_name(f)) == 0)
            return f;
    return OKRA_FILE_AUTO;
}

bool okra_is_audio_name(const char *path)
{
    static const char *const endings[] = {"wav", "flac", "aif",  "aiff", "aifc", "au",   "snd",
                                          "caf", "w64",  "rf64", "ogg",  "oga",  "opus", "mp3"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(name_ending(path), endings[i]) == 0)
            return true;
    return false;
}

/* Audio under any name, by its first bytes. */
static okra_status begins_as_audio(okra_source *source, bool *it_is, okra_message *why)
{
    static const char *const beginnings[] = {"RIFF", "RF64", "fLaC", "OggS"};
    okra_status status = OKRA_OK;
    *it_is = false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings && !status && !*it_is; i++)
        status = okra_source_begins(source, beginnings[i], strlen(beginnings[i]), it_is, why);
    return status;
}

/* Files that people do give, and that would otherwise be told to be bad text. Each by so many bytes that no table
 * begins with them: a column may well be called PAR1. */
static const struct stranger {
    size_t at; /* where its bytes are */
    const char *bytes, *what;
} strangers[] = {
    {0, "\x1f\x8b", "is compressed: decompress it first, with gunzip or through a pipe from zcat"},
    {4, "1AY&SY", "is compressed: decompress it first, with bunzip2 or through a pipe from bzcat"},
    {0, "\3757zXZ", "is compressed: decompress it first, with unxz or through a pipe from xzcat"},
    {0, "\x28\xB5\x2F\xFD", "is compressed: decompress it first, with unzstd or through a pipe from zstdcat"},
    {0, "PK\x03\x04", "is a zip archive (.npz, .xlsx): save the table as CSV or as a plain .npy"},
    {0, "\xD0\xCF\x11\xE0", "is an old Excel file: save the table as CSV"},
    {0, "\x89HDF", "is an HDF5 file: save the table as CSV or with numpy.save()"},
    {0, "PAR1\x15", "is a Parquet file: save the table as CSV or with numpy.save()"},
    {0, "MATLAB 5.0 MAT-file", "is a MATLAB file: save the table as CSV, with writematrix()"},
    {0, "MATLAB 7.3 MAT-file", "is a MATLAB file: save the table as CSV, with writematrix()"},
    {8, "{\"__metadata__\":", "is a model, and rows of numbers are needed: load it as a model"},
};

/* Whether the input is one of them. What does not begin with its bytes is not waited for: it may be a short line. */
static okra_status is_stranger(okra_source *source, const struct stranger *s, bool *it_is, okra_message *why)
{
    size_t count = strlen(s->bytes);
    if (s->at == 0)
        return okra_source_begins(source, s->bytes, count, it_is, why);
    *it_is = okra_source_held(source) >= s->at + count &&
             memcmp(source->buffer + source->start + s->at, s->bytes, count) == 0;
    return OKRA_OK;
}

static okra_status refuse_strangers(okra_source *source, okra_message *why)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        bool it_is;
        okra_status status = is_stranger(source, &strangers[i], &it_is, why);
        if (!status && it_is) {
            okra_say(why, "%s: %s", source->path, strangers[i].what);
            return OKRA_E_FORMAT;
        }
        if (status)
            return status;
    }
    return OKRA_OK;
}

static okra_status refuse_raw(const okra_source *source, okra_message *why)
{
    okra_say(why, "%s: its name does not tell what numbers it holds: give the format, f64 or f32", source->path);
    return OKRA_E_FORMAT;
}

/* From the name where it says what no content can, and then from the content. OKRA_FILE_AUTO: some text. */
static okra_status guess_format(okra_source *source, const char *path, okra_file_format *format, okra_message *why)
{
    bool npy, audio;
    okra_file_format named = okra_file_format_of(path);
    *format = named == OKRA_FILE_CSV ? OKRA_FILE_AUTO : named; /* of CSV, the separator is still to be guessed */
    if (named == OKRA_FILE_F64 || named == OKRA_FILE_F32)
        return OKRA_OK;
    okra_status status = okra_source_begins(source, "\x93NUMPY", 6, &npy, why);
    if (!status && npy)
        *format = OKRA_FILE_NPY;
    if (status || npy || named == OKRA_FILE_NPY)
        return status;
    status = begins_as_audio(source, &audio, why);
    if (!status && (audio || okra_is_audio_name(path)))
        *format = OKRA_FILE_WAV;
    if (status || *format == OKRA_FILE_WAV)
        return status;
    if (strcasecmp(name_ending(path), "raw") == 0 || strcasecmp(name_ending(path), "bin") == 0)
        return refuse_raw(source, why);
    return refuse_strangers(source, why);
}

static const okra_reader_class *class_of(okra_file_format format)
{
    switch (format) {
    case OKRA_FILE_NPY:
        return &okra_npy_class;
    case OKRA_FILE_F64:
    case OKRA_FILE_F32:
        return &okra_raw_class;
    case OKRA_FILE_WAV:
    case OKRA_FILE_FLAC:
        return &okra_audio_class;
    default:
        return &okra_csv_class;
    }
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_status check_options(const okra_reader_options *o, const char *name, okra_message *why)
{
    if (!okra_file_format_name(o->format) || (unsigned)o->header > OKRA_HEADER_NO) {
        okra_say(why, "%s: no such format or header choice: use the names in okra/io.h", name);
        return OKRA_E_PARAMETER;
    }
    if (o->columns > OKRA_MOST_COLUMNS) {
        okra_say(why, "%s: %zu columns are too many: at most %d", name, o->columns, OKRA_MOST_COLUMNS);
        return OKRA_E_PARAMETER;
    }
    return OKRA_OK;
}

static okra_status check_columns(const okra_reader *reader, const okra_reader_options *o, okra_message *why)
{
    if (o->columns == 0 || o->columns == reader->columns)
        return OKRA_OK;
    okra_say(why, "%s: has %zu column%s, not %zu: check the number that is asked for", reader->source.path,
             reader->columns, reader->columns == 1 ? "" : "s", o->columns);
    return OKRA_E_FORMAT;
}

/* Takes the source over: it is closed with the reader, or on failure. */
static okra_status make_reader(okra_source *source, const okra_reader_options *o, okra_reader **made, okra_message *why)
{
    const okra_reader_class *class = class_of(o->format);
    okra_reader *reader = calloc(1, class->size);
    if (!reader) {
        okra_say(why, "%s: out of memory", source->path);
        okra_source_close(source);
        return OKRA_E_MEMORY;
    }
    reader->class = class;
    reader->source = *source;
    okra_status status = class->open(reader, o, why);
    if (!status)
        status = check_columns(reader, o, why);
    if (status)
        okra_reader_close(reader);
    else
        *made = reader;
    return status;
}

okra_status okra_reader_open_as(const char *path, const okra_reader_options *options, okra_reader **opened,
                                okra_message *why)
{
    if (!opened)
        return okra_say_status(OKRA_E_NULL, why);
    *opened = NULL;
    okra_reader_options settled = options ? *options : (okra_reader_options){0};
    okra_source source;
    okra_status status = check_options(&settled, path ? path : "standard input", why);
    if (!status)
        status = okra_source_open(&source, path, why);
    if (status)
        return status;
    if (settled.format == OKRA_FILE_AUTO)
        status = guess_format(&source, path ? path : "-", &settled.format, why);
    if (status) {
        okra_source_close(&source);
        return status;
    }
    return make_reader(&source, &settled, opened, why);
}

okra_status okra_reader_open(const char *path, okra_reader **opened, okra_message *why)
{
    return okra_reader_open_as(path, NULL, opened, why);
}

void okra_reader_close(okra_reader *reader)
{
    if (!reader)
        return;
    if (reader->class->close)
        reader->class->close(reader);
    for (size_t c = 0; reader->names && c < reader->columns; c++)
        free(reader->names[c]);
    free(reader->names);
    free(reader->ignored);
    free(reader->note);
    okra_source_close(&reader->source);
    free(reader);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

okra_status okra_reader_use(okra_reader *reader, const bool *used)
{
    if (!reader || !used)
        return OKRA_E_NULL;
    if (!reader->ignored && !(reader->ignored = calloc(reader->columns, sizeof *reader->ignored)))
        return OKRA_E_MEMORY;
    for (size_t c = 0; c < reader->columns; c++)
        reader->ignored[c] = !used[c];
    return OKRA_OK;
}

okra_status okra_reader_next(okra_reader *reader, double *row, bool *more, okra_message *why)
{
    if (!reader || !row || !more)
        return okra_say_status(OKRA_E_NULL, why);
    *more = true;
    okra_status status = reader->class->next(reader, row, more, why);
    reader->position += status == OKRA_E_FORMAT || (!status && *more);
    return status;
}

okra_status okra_reader_skip(okra_reader *reader, uint64_t rows, okra_message *why)
{
    if (!reader)
        return okra_say_status(OKRA_E_NULL, why);
    uint64_t skipped = 0;
    okra_status status = reader->class->skip(reader, rows, &skipped, why);
    reader->position += skipped;
    if (status || skipped == rows)
        return status;
    okra_say(why, "%s: ends after %llu rows, and %llu more were to be skipped: is it the same input?",
             reader->source.path, (unsigned long long)reader->position, (unsigned long long)(rows - skipped));
    return OKRA_E_FORMAT;
}

okra_status okra_reader_part(okra_reader *reader, size_t part, size_t parts, size_t before, size_t *ahead,
                             okra_message *why)
{
    if (!reader || !ahead)
        return okra_say_status(OKRA_E_NULL, why);
    *ahead = 0;
    if (part >= parts || parts > UINT32_MAX || reader->position > 0) {
        okra_say(why, "%s: part %zu of %zu cannot be read: parts count from 0, and are chosen before the first row",
                 reader->source.path, part, parts);
        return OKRA_E_PARAMETER;
    }
    if (parts == 1)
        return OKRA_OK;
    if (reader->class->part && reader->source.size >= 0)
        return reader->class->part(reader, part, parts, before, ahead, why);
    okra_say(why, "%s: cannot be read in parts: give a regular file of text, raw numbers or NPY", reader->source.path);
    return OKRA_E_FORMAT;
}

uint64_t okra_reader_position(const okra_reader *reader) { return reader ? reader->position : 0; }

size_t okra_reader_columns(const okra_reader *reader) { return reader ? reader->columns : 0; }

const char *okra_reader_column_name(const okra_reader *reader, size_t c)
{
    return reader && reader->names && c < reader->columns ? reader->names[c] : NULL;
}

bool okra_reader_number_columns(okra_reader *reader, size_t first, size_t n, const char *kind, bool numbered)
{
    enum { LONGEST = 32 };
    bool done = true;
    for (size_t i = 0; i < n && done; i++) {
        char *name = reader->names[first + i] = malloc(LONGEST);
        done = name && snprintf(name, LONGEST, numbered ? "%s%zu" : "%s", kind, i + 1) > 0;
    }
    return done;
}

bool okra_reader_audio(const okra_reader *reader, okra_audio *audio)
{
    if (!reader || !audio || reader->audio.rate == 0)
        return false;
    *audio = reader->audio;
    return true;
}

const char *okra_reader_note(const okra_reader *reader) { return reader ? reader->note : NULL; }

const char *okra_reader_path(const okra_reader *reader) { return reader ? reader->source.path : ""; }

uint64_t okra_reader_line(const okra_reader *reader) { return reader ? reader->line : 0; }

double okra_reader_progress(const okra_reader *reader) { return reader ? reader->class->progress(reader) : -1; }

bool okra_reader_has_text(const okra_reader *reader) { return reader && reader->class->text; }

size_t okra_reader_text(const okra_reader *reader, size_t column, char *text, size_t size)
{
    if (size > 0)
        text[0] = '\0';
    return okra_reader_has_text(reader) && column < reader->columns ? reader->class->text(reader, column, text, size)
                                                                    : 0;
}
