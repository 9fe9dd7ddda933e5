/* The public calls of tables: opens the source, has its format found (format.c), and calls its class. */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------------------------- */

static okra_status check_options(const okra_table_options *o, const char *name, okra_message *why)
{
    char list[OKRA_FORMAT_LIST];
    if (o->format && !okra_format_named(o->format))
        return okra_error(OKRA_E_PARAMETER, why, "%s: no format '%s': use one of %s", name, o->format,
                          okra_format_names((okra_format){.reads = true}, list));
    if ((unsigned)o->header > OKRA_HEADER_NO)
        return okra_error(OKRA_E_PARAMETER, why, "%s: no such header choice: use the names in okra/io.h", name);
    if (o->columns > OKRA_MAX_COLUMNS)
        return okra_error(OKRA_E_PARAMETER, why, "%s: %zu columns are too many: at most %d", name, o->columns,
                          OKRA_MAX_COLUMNS);
    return OKRA_OK;
}

static okra_status check_columns(const okra_table *table, const okra_table_options *o, okra_message *why)
{
    if (o->columns == 0 || o->columns == table->columns)
        return OKRA_OK;
    return okra_refuse(why, "%s: has %zu column%s, not %zu: check the number that is asked for", table->source.path,
                       table->columns, table->columns == 1 ? "" : "s", o->columns);
}

static okra_status find_format(okra_source *source, const char *path, const okra_table_options *o,
                               const okra_format_row **format, okra_message *why)
{
    *format = o->format ? okra_format_named(o->format) : NULL;
    okra_status status = *format ? OKRA_OK : okra_format_guess(source, path ? path : "-", format, why);
    if (status || (*format)->reader)
        return status;
    return okra_refuse(why, "%s: %s cannot be read: %s", source->path, (*format)->format.name,
                       okra_format_lack(*format));
}

void okra_table_describe(okra_table *table)
{
    table->info = (okra_table_info){.path = table->source.path,
                                    .format = &table->format->format,
                                    .columns = table->columns,
                                    .audio = table->audio,
                                    .note = table->note};
}

/* Takes ownership of the source: it is closed with the table, or on failure. */
static okra_status make_table(okra_source *source, const char *path, const okra_format_row *format,
                              const okra_table_options *o, okra_table **made, okra_message *why)
{
    const okra_table_class *class = format->reader;
    okra_table *table = calloc(1, class->size);
    if (!table) {
        okra_message_set(why, "%s: out of memory", source->path);
        okra_source_close(source);
        return OKRA_E_MEMORY;
    }
    table->class = class;
    table->format = format;
    table->source = *source;
    okra_status status = OKRA_OK;
    if (o->follow && (okra_is_standard(path) || !format->format.text || source->unpacker))
        status = okra_error(OKRA_E_PARAMETER, why, "%s: %scannot be followed: name a file of text that grows",
                            source->path, source->unpacker ? "is compressed and " : "");
    else if (o->follow && okra_source_follow(&table->source, path))
        status = okra_error(OKRA_E_MEMORY, why, "%s: out of memory", source->path);
    if (!status)
        status = okra_missing_read(&table->missing, o->missing, source->path, why);
    if (!status)
        status = class->open(table, o, why);
    if (!status)
        status = check_columns(table, o, why);
    if (status) {
        okra_table_close(table);
        return status;
    }
    table->source.waits = o->waits;
    table->source.context = o->context;
    okra_table_describe(table);
    *made = table;
    return OKRA_OK;
}

okra_status okra_table_open(const char *path, const okra_table_options *options, okra_table **opened, okra_message *why)
{
    if (!opened)
        return okra_status_error(OKRA_E_NULL, why);
    *opened = NULL;
    okra_table_options chosen = options ? *options : (okra_table_options){0};
    okra_source source;
    const okra_format_row *format;
    okra_status status = check_options(&chosen, path ? path : "standard input", why);
    if (!status && chosen.mic)
        return okra_pair_open(path, &chosen, opened, why);
    if (!status)
        status = okra_source_open(&source, path, why);
    if (status)
        return status;
    status = okra_source_unpack(&source, why);
    if (!status)
        status = find_format(&source, path, &chosen, &format, why);
    if (status) {
        okra_source_close(&source);
        return status;
    }
    return make_table(&source, path, format, &chosen, opened, why);
}

void okra_table_close(okra_table *table)
{
    if (!table)
        return;
    if (table->class->close)
        table->class->close(table);
    for (size_t c = 0; table->names && c < table->columns; c++)
        free(table->names[c]);
    free(table->names);
    free(table->ignored);
    free(table->note);
    okra_missing_free(&table->missing);
    okra_source_close(&table->source);
    free(table);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

okra_status okra_table_use(okra_table *table, const bool *used)
{
    if (!table || !used)
        return OKRA_E_NULL;
    if (!table->ignored && !(table->ignored = calloc(table->columns, sizeof *table->ignored)))
        return OKRA_E_MEMORY;
    for (size_t c = 0; c < table->columns; c++)
        table->ignored[c] = !used[c];
    return OKRA_OK;
}

okra_status okra_table_next(okra_table *table, double *row, bool *more, okra_message *why)
{
    if (!table || !row || !more)
        return okra_status_error(OKRA_E_NULL, why);
    *more = true;
    okra_status status = table->class->next(table, row, more, why);
    table->info.rows += status == OKRA_E_FORMAT || (!status && *more);
    if (table->missing.n_numbers > 0 && !status && *more)
        okra_missing_blank(&table->missing, row, table->columns);
    return status;
}

okra_status okra_table_skip(okra_table *table, uint64_t rows, okra_message *why)
{
    if (!table)
        return okra_status_error(OKRA_E_NULL, why);
    uint64_t skipped = 0;
    okra_status status = table->class->skip(table, rows, &skipped, why);
    table->info.rows += skipped;
    if (status || skipped == rows)
        return status;
    return okra_refuse(why, "%s: ends after %llu rows, and %llu more were to be skipped: is it the same input?",
                       table->source.path, (unsigned long long)table->info.rows, (unsigned long long)(rows - skipped));
}

okra_status okra_table_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead,
                            okra_message *why)
{
    char list[OKRA_FORMAT_LIST];
    if (!table || !ahead)
        return okra_status_error(OKRA_E_NULL, why);
    *ahead = 0;
    if (part >= parts || parts > UINT32_MAX || table->info.rows > 0)
        return okra_error(OKRA_E_PARAMETER, why,
                          "%s: part %zu of %zu cannot be read: parts count from 0, and are chosen before the first row",
                          table->source.path, part, parts);
    if (parts == 1)
        return OKRA_OK;
    if (table->source.unpacker)
        return okra_refuse_compressed(&table->source, "cannot be read in parts", why);
    if (table->format->format.parts && table->source.size >= 0)
        return table->class->part(table, part, parts, before, ahead, why);
    return okra_refuse(why, "%s: cannot be read in parts: give a regular file of one of %s", table->source.path,
                       okra_format_names((okra_format){.parts = true}, list));
}

const char *okra_table_column_name(const okra_table *table, size_t c)
{
    return table && table->names && c < table->columns ? table->names[c] : NULL;
}

bool okra_table_number_columns(okra_table *table, size_t first, size_t n, const char *kind, bool numbered)
{
    enum { LONGEST = 32 };
    bool done = true;
    for (size_t i = 0; i < n && done; i++) {
        char *name = table->names[first + i] = malloc(LONGEST);
        done = name && snprintf(name, LONGEST, numbered ? "%s%zu" : "%s", kind, i + 1) > 0;
    }
    return done;
}

const okra_table_info *okra_table_get(const okra_table *table)
{
    static const okra_table_info none = {.path = ""};
    return table ? &table->info : &none;
}

double okra_table_progress(const okra_table *table)
{
    if (!table)
        return -1;
    return table->class->progress ? table->class->progress(table) : okra_source_progress(&table->source);
}

size_t okra_table_text(const okra_table *table, size_t column, char *text, size_t size)
{
    if (size > 0)
        text[0] = '\0';
    bool known = table && table->format->format.text && column < table->columns;
    return known ? table->class->text(table, column, text, size) : 0;
}
