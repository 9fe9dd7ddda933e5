/*
 * The front door of the readers: opens the source, has its format found (format.c), and passes on what is asked.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_status check_options(const okra_reader_options *o, const char *name, okra_message *why)
{
    char list[OKRA_FORMAT_LIST];
    if (o->format && !okra_format_named(o->format)) {
        okra_say(why, "%s: no format '%s': use one of %s", name, o->format, okra_format_names(okra_format_reads, list));
        return OKRA_E_PARAMETER;
    }
    if ((unsigned)o->header > OKRA_HEADER_NO) {
        okra_say(why, "%s: no such header choice: use the names in okra/io.h", name);
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

static okra_status find_format(okra_source *source, const char *path, const okra_reader_options *o,
                               const okra_format_row **format, okra_message *why)
{
    *format = o->format ? okra_format_named(o->format) : NULL;
    okra_status status = *format ? OKRA_OK : okra_format_guess(source, path ? path : "-", format, why);
    if (status || (*format)->reader)
        return status;
    okra_say(why, "%s: %s cannot be read: %s", source->path, (*format)->format.name, okra_format_lack(*format));
    return OKRA_E_FORMAT;
}

/* Takes the source over: it is closed with the reader, or on failure. */
static okra_status make_reader(okra_source *source, const okra_format_row *format, const okra_reader_options *o,
                               okra_reader **made, okra_message *why)
{
    const okra_reader_class *class = format->reader;
    okra_reader *reader = calloc(1, class->size);
    if (!reader) {
        okra_say(why, "%s: out of memory", source->path);
        okra_source_close(source);
        return OKRA_E_MEMORY;
    }
    reader->class = class;
    reader->format = format;
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
    const okra_format_row *format;
    okra_status status = check_options(&settled, path ? path : "standard input", why);
    if (!status)
        status = okra_source_open(&source, path, why);
    if (status)
        return status;
    status = find_format(&source, path, &settled, &format, why);
    if (status) {
        okra_source_close(&source);
        return status;
    }
    return make_reader(&source, format, &settled, opened, why);
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
    char list[OKRA_FORMAT_LIST];
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
    if (reader->format && reader->format->format.parts && reader->source.size >= 0)
        return reader->class->part(reader, part, parts, before, ahead, why);
    okra_say(why, "%s: cannot be read in parts: give a regular file of one of %s", reader->source.path,
             okra_format_names(okra_format_has_parts, list));
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

bool okra_reader_has_text(const okra_reader *reader) { return reader && reader->format && reader->format->format.text; }

size_t okra_reader_text(const okra_reader *reader, size_t column, char *text, size_t size)
{
    if (size > 0)
        text[0] = '\0';
    return okra_reader_has_text(reader) && column < reader->columns ? reader->class->text(reader, column, text, size)
                                                                    : 0;
}
