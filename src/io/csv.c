/*
 * Rows of numbers from CSV text (RFC 4180): comma-separated, fields perhaps in quotes, a header perhaps.
 *
 * The records come from source.c; here they are cut into fields, and the fields become column names or numbers. Files
 * made by people are meant to pass (blanks around numbers, CRLF, blank lines, missing values), and what does not pass
 * is named so that it can be found: file, line, column, value.
 */
#include <okra/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "source.h"

struct okra_reader {
    okra_source source;
    okra_record record; /* the last one taken */
    bool pending;       /* it is the first line, found to be data: still to be delivered */
    size_t columns;
    char **names;  /* of the columns; NULL where there is no header */
    bool *ignored; /* columns that may hold anything; NULL: none */
};

/* ---- fields -------------------------------------------------------------------------------------------------- */

/* The text of a field, without the blanks around it and without its quotes. */
typedef struct field {
    const char *begin, *end;
    bool quoted; /* quotes inside are still doubled */
    bool broken; /* text after the closing quote: the field is as it stands, quotes and all */
} field;

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

static const char *trim_blanks(const char *begin, const char *end)
{
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return end;
}

static const char *find_comma(const char *p, const char *end)
{
    const char *comma = memchr(p, ',', (size_t)(end - p));
    return comma ? comma : end;
}

/* From just past an opening quote to its closing one; a doubled quote stands for itself. */
static const char *find_closing(const char *p, const char *end)
{
    while (p < end && !(*p == '"' && (p + 1 == end || p[1] != '"')))
        p += *p == '"' ? 2 : 1;
    return p < end ? p : end;
}

static field plain_field(const char *begin, const char *end)
{
    return (field){.begin = begin, .end = trim_blanks(begin, end)};
}

/* The field that begins at p; *next is the comma after it, or the end of the record. */
static field take_field(const char *p, const char *end, const char **next)
{
    p = skip_blanks(p, end);
    if (p == end || *p != '"') {
        *next = find_comma(p, end);
        return plain_field(p, *next);
    }
    const char *closing = find_closing(p + 1, end);
    const char *rest = closing < end ? closing + 1 : end;
    *next = find_comma(rest, end);
    field inside = plain_field(skip_blanks(p + 1, closing), closing);
    inside.quoted = true;
    if (skip_blanks(rest, *next) != *next) {
        inside = plain_field(p, *next);
        inside.broken = true;
    }
    return inside;
}

static okra_number read_number(const field *f, double *x)
{
    if (f->broken) {
        *x = (double)NAN;
        return OKRA_NUMBER_TEXT;
    }
    return okra_parse_real(f->begin, f->end, x);
}

/* A copy of the field's text, to be freed. */
static char *copy_text(const field *f)
{
    char *text = malloc((size_t)(f->end - f->begin) + 1), *to = text;
    if (!text)
        return NULL;
    for (const char *p = f->begin; p < f->end; p++) {
        *to++ = *p;
        if (f->quoted && *p == '"')
            p++; /* the second of a pair */
    }
    *to = '\0';
    return text;
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

/* Counts the fields of the first record, and tells whether one of them is not a number: then it is a header. */
static size_t survey(const okra_record *record, bool *header)
{
    const char *end = record->text + record->length, *p = record->text;
    size_t count = 0;
    double x;
    *header = false;
    for (;; p++) {
        field f = take_field(p, end, &p);
        *header |= read_number(&f, &x) == OKRA_NUMBER_TEXT;
        count++;
        if (p == end)
            return count;
    }
}

static okra_status take_names(okra_reader *reader)
{
    const char *end = reader->record.text + reader->record.length, *p = reader->record.text;
    reader->names = calloc(reader->columns, sizeof *reader->names);
    if (!reader->names)
        return OKRA_E_MEMORY;
    for (size_t c = 0; c < reader->columns; c++, p++) {
        field f = take_field(p, end, &p);
        reader->names[c] = copy_text(&f);
        if (!reader->names[c])
            return OKRA_E_MEMORY;
    }
    return OKRA_OK;
}

/* Reads the first record and learns the columns from it. */
static okra_status read_columns(okra_reader *reader, okra_message *why)
{
    bool more, header;
    okra_status status = okra_source_next(&reader->source, &reader->record, &more, why);
    if (status)
        return status;
    if (!more) {
        okra_say(why, "%s: is empty: it needs rows of numbers, a header above them if you like", reader->source.path);
        return OKRA_E_FORMAT;
    }
    if (memchr(reader->record.text, '\0', reader->record.length)) {
        okra_say(why, "%s:%llu: holds a zero byte, so it is not CSV text: if it is UTF-16, save it as UTF-8",
                 reader->source.path, (unsigned long long)reader->record.line);
        return OKRA_E_FORMAT;
    }
    reader->columns = survey(&reader->record, &header);
    reader->pending = !header;
    status = header ? take_names(reader) : OKRA_OK;
    if (status)
        okra_say(why, "%s: out of memory for %zu columns", reader->source.path, reader->columns);
    return status;
}

okra_status okra_reader_open(const char *path, okra_reader **opened, okra_message *why)
{
    if (!opened)
        return OKRA_E_NULL;
    *opened = NULL;
    okra_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        okra_say(why, "%s", okra_strerror(OKRA_E_MEMORY));
        return OKRA_E_MEMORY;
    }
    okra_status status = okra_source_open(&reader->source, path, why);
    if (status) {
        free(reader);
        return status;
    }
    status = read_columns(reader, why);
    if (status)
        okra_reader_close(reader);
    else
        *opened = reader;
    return status;
}

void okra_reader_close(okra_reader *reader)
{
    if (!reader)
        return;
    for (size_t c = 0; reader->names && c < reader->columns; c++)
        free(reader->names[c]);
    free(reader->names);
    free(reader->ignored);
    okra_source_close(&reader->source);
    free(reader);
}

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

size_t okra_reader_columns(const okra_reader *reader) { return reader ? reader->columns : 0; }

const char *okra_reader_column_name(const okra_reader *reader, size_t c)
{
    return reader && reader->names && c < reader->columns ? reader->names[c] : NULL;
}

const char *okra_reader_path(const okra_reader *reader) { return reader ? reader->source.path : ""; }

uint64_t okra_reader_line(const okra_reader *reader) { return reader ? reader->record.line : 0; }

double okra_reader_progress(const okra_reader *reader) { return reader ? okra_source_progress(&reader->source) : -1; }

/* ---- rows ---------------------------------------------------------------------------------------------------- */

/* What to say of a field that holds no number a double can have. */
static const char *complaint(okra_number kind)
{
    switch (kind) {
    case OKRA_NUMBER_INFINITE:
        return "is not finite: correct it, or leave it empty where there is no value";
    case OKRA_NUMBER_LARGE:
        return "is too large for a double: scale the column";
    default:
        return "is not a number: correct it, or leave it empty where there is no value";
    }
}

static okra_status refuse_field(const okra_reader *reader, size_t c, const field *f, okra_number kind,
                                okra_message *why)
{
    enum { SHOWN = 40 };
    size_t length = (size_t)(f->end - f->begin), shown = length;
    if (length > SHOWN)
        for (shown = SHOWN; shown > 0 && (f->begin[shown] & 0xC0) == 0x80;)
            shown--; /* not in the middle of a UTF-8 character */
    const char *name = okra_reader_column_name(reader, c);
    okra_say(why, "%s:%llu: column %zu%s%.60s%s: '%.*s%s' %s", reader->source.path,
             (unsigned long long)reader->record.line, c + 1, name ? " (" : "", name ? name : "", name ? ")" : "",
             (int)shown, f->begin, shown < length ? "..." : "", complaint(kind));
    return OKRA_E_FORMAT;
}

static okra_status refuse_count(const okra_reader *reader, size_t count, okra_message *why)
{
    okra_say(why, "%s:%llu: %zu field%s where %s %zu: %s", reader->source.path, (unsigned long long)reader->record.line,
             count, count == 1 ? "" : "s", reader->names ? "the header has" : "the first row has", reader->columns,
             count < reader->columns ? "complete the row (a missing value is an empty field)"
                                     : "remove what is too much, or put a field with commas in quotes");
    return OKRA_E_FORMAT;
}

static okra_number read_cell(const okra_reader *reader, size_t c, const field *f, double *x)
{
    if (!reader->ignored || !reader->ignored[c])
        return read_number(f, x);
    *x = (double)NAN;
    return OKRA_NUMBER_MISSING;
}

static okra_status parse_row(const okra_reader *reader, double *row, okra_message *why)
{
    const char *end = reader->record.text + reader->record.length, *p = reader->record.text;
    field bad = {0};
    size_t bad_column = 0, count = 0;
    okra_number bad_kind = OKRA_NUMBER_REAL;
    for (;; p++) {
        size_t c = count++;
        field f = take_field(p, end, &p);
        if (c < reader->columns) {
            okra_number kind = read_cell(reader, c, &f, &row[c]);
            if (kind > OKRA_NUMBER_MISSING && bad_kind == OKRA_NUMBER_REAL)
                bad = f, bad_column = c, bad_kind = kind;
        }
        if (p == end)
            break;
    }
    /* A wrong count is told first: it is the likelier cause of a field that makes no sense. */
    if (count != reader->columns)
        return refuse_count(reader, count, why);
    return bad_kind == OKRA_NUMBER_REAL ? OKRA_OK : refuse_field(reader, bad_column, &bad, bad_kind, why);
}

okra_status okra_reader_next(okra_reader *reader, double *row, bool *more, okra_message *why)
{
    if (!reader || !row || !more)
        return OKRA_E_NULL;
    *more = true;
    if (!reader->pending) {
        okra_status status = okra_source_next(&reader->source, &reader->record, more, why);
        if (status || !*more)
            return status;
    }
    reader->pending = false;
    return parse_row(reader, row, why);
}
