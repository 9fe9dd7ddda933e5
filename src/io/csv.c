/*
 * Rows of numbers from separated text (RFC 4180): commas, tabs or semicolons, fields perhaps in quotes, a header
 * perhaps.
 *
 * The records come from record.c; here they are cut into fields, and the fields become column names or numbers. Files
 * made by people are meant to pass (blanks around numbers, CRLF, blank lines, comments, missing values), and what does
 * not pass is named so that it can be found: file, line, column, value.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "number.h"
#include "reader.h"
#include "record.h"

typedef struct csv_reader {
    okra_reader base;
    okra_scan scan;     /* knows the separator */
    okra_record record; /* the last one taken */
    bool pending;       /* it is the first line, found to be data: still to be delivered */
    int64_t stop;       /* rows that begin there or later are another part's */
} csv_reader;

/* ---- fields -------------------------------------------------------------------------------------------------- */

/* The text of a field, without the blanks around it and without its quotes. */
typedef struct field {
    const char *begin, *end;
    bool quoted; /* quotes inside are still doubled */
    bool broken; /* text after the closing quote: the field is as it stands, quotes and all */
} field;

static const char *find_separator(const char *p, const char *end, char separator)
{
    const char *found = memchr(p, separator, (size_t)(end - p));
    return found ? found : end;
}

/* From just past an opening quote to its closing one; a doubled quote stands for itself. */
static const char *find_closing(const char *p, const char *end)
{
    while (p < end && !(*p == '"' && (p + 1 == end || p[1] != '"')))
        p += *p == '"' ? 2 : 1;
    return p < end ? p : end;
}

static field plain_field(const char *begin, const char *end, char separator)
{
    while (end > begin && okra_is_blank(end[-1], separator))
        end--;
    return (field){.begin = begin, .end = end};
}

/* The field that begins at p; *next is the separator after it, or the end of the record. */
static field take_field(const char *p, const char *end, char separator, const char **next)
{
    p = okra_skip_blanks(p, end, separator);
    if (p == end || *p != '"') {
        *next = find_separator(p, end, separator);
        return plain_field(p, *next, separator);
    }
    const char *closing = find_closing(p + 1, end);
    const char *rest = closing < end ? closing + 1 : end;
    *next = find_separator(rest, end, separator);
    field inside = plain_field(okra_skip_blanks(p + 1, closing, separator), closing, separator);
    inside.quoted = true;
    if (okra_skip_blanks(rest, *next, separator) != *next) {
        inside = plain_field(p, *next, separator);
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

/* The field's text with its quotes undoubled, as far as it fits, and a NUL; returns its length. */
static size_t write_text(const field *f, char *text, size_t size)
{
    size_t length = 0;
    for (const char *p = f->begin; p < f->end; p++, length++) {
        if (length + 1 < size)
            text[length] = *p;
        if (f->quoted && *p == '"')
            p++; /* the second of a pair */
    }
    if (size > 0)
        text[length < size ? length : size - 1] = '\0';
    return length;
}

/* A copy of the field's text, to be freed. */
static char *copy_text(const field *f)
{
    size_t size = (size_t)(f->end - f->begin) + 1;
    char *text = malloc(size);
    if (text)
        write_text(f, text, size);
    return text;
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

/* Where c is in a record, quoted parts and blanks at the end left out; NULL: nowhere. */
static const char *find_outside(const okra_record *record, char c)
{
    const char *end = plain_field(record->text, record->text + record->length, 0).end;
    bool quoted = false;
    for (const char *p = okra_skip_blanks(record->text, end, 0); p < end; p++) {
        if (*p == c && !quoted)
            return p;
        quoted ^= *p == '"';
    }
    return NULL;
}

/* Spreadsheets write semicolons where the comma is the decimal point. */
static char guess_separator(const okra_record *record, okra_file_format format)
{
    if (format == OKRA_FILE_TSV)
        return '\t';
    if (find_outside(record, ','))
        return ',';
    if (format == OKRA_FILE_AUTO && find_outside(record, '\t'))
        return '\t';
    return find_outside(record, ';') ? ';' : ',';
}

/* Counts the fields of the first record, and tells whether one of them is not a number. */
static size_t survey(const csv_reader *csv, bool *numbers)
{
    const char *end = csv->record.text + csv->record.length, *p = csv->record.text;
    size_t count = 0;
    double x;
    *numbers = true;
    for (;; p++) {
        field f = take_field(p, end, csv->scan.separator, &p);
        *numbers &= read_number(&f, &x) != OKRA_NUMBER_TEXT;
        count++;
        if (p == end)
            return count;
    }
}

static okra_status take_names(csv_reader *csv)
{
    okra_reader *reader = &csv->base;
    const char *end = csv->record.text + csv->record.length, *p = csv->record.text;
    reader->names = calloc(reader->columns, sizeof *reader->names);
    if (!reader->names)
        return OKRA_E_MEMORY;
    for (size_t c = 0; c < reader->columns; c++, p++) {
        field f = take_field(p, end, csv->scan.separator, &p);
        reader->names[c] = copy_text(&f);
        if (!reader->names[c])
            return OKRA_E_MEMORY;
    }
    return OKRA_OK;
}

/* `1 2 3`: would pass for the header of one column. */
static bool is_blank_separated(const okra_record *record)
{
    const char *end = record->text + record->length, *p = record->text;
    size_t count = 0;
    double x;
    while ((p = okra_skip_blanks(p, end, 0)) < end) {
        const char *stop = p;
        while (stop < end && !okra_is_blank(*stop, 0))
            stop++;
        if (okra_parse_real(p, stop, &x) != OKRA_NUMBER_REAL)
            return false;
        count++;
        p = stop;
    }
    return count > 1;
}

static okra_status refuse_first(const csv_reader *csv, const char *what, okra_message *why)
{
    okra_say(why, "%s:%llu: %s", csv->base.source.path, (unsigned long long)csv->record.line, what);
    return OKRA_E_FORMAT;
}

static okra_status learn_columns(csv_reader *csv, const okra_reader_options *options, okra_message *why)
{
    okra_reader *reader = &csv->base;
    bool numbers;
    csv->scan.separator = guess_separator(&csv->record, options->format);
    reader->columns = survey(csv, &numbers);
    if (reader->columns > OKRA_MOST_COLUMNS) {
        okra_say(why, "%s:%llu: has %zu columns, and at most %d can be read: is it a table?", reader->source.path,
                 (unsigned long long)csv->record.line, reader->columns, OKRA_MOST_COLUMNS);
        return OKRA_E_FORMAT;
    }
    if (reader->columns == 1 && !numbers && is_blank_separated(&csv->record))
        return refuse_first(csv, "numbers are separated by blanks: separate them by commas or tabs", why);
    bool header = options->header == OKRA_HEADER_AUTO ? !numbers : options->header == OKRA_HEADER_YES;
    csv->pending = !header;
    okra_status status = header ? take_names(csv) : OKRA_OK;
    if (status)
        okra_say(why, "%s: out of memory for %zu columns", reader->source.path, reader->columns);
    return status;
}

/* Windows programs begin UTF-8 files with a byte order mark. */
static okra_status skip_mark(okra_source *source, okra_message *why)
{
    bool marked = false;
    okra_status status = okra_source_begins(source, "\xEF\xBB\xBF", 3, &marked, why);
    source->start += marked ? 3 : 0;
    return status;
}

static okra_status csv_open(okra_reader *reader, const okra_reader_options *options, okra_message *why)
{
    csv_reader *csv = (csv_reader *)reader;
    bool more = false;
    csv->scan.separator = options->format == OKRA_FILE_TSV ? '\t' : 0;
    csv->stop = INT64_MAX;
    okra_status status = skip_mark(&reader->source, why);
    if (!status)
        status = okra_record_next(&reader->source, &csv->scan, &csv->record, &more, why);
    if (status)
        return status;
    if (!more) {
        okra_say(why, "%s: is empty: it needs rows of numbers, a header above them if you like", reader->source.path);
        return OKRA_E_FORMAT;
    }
    if (memchr(csv->record.text, '\0', csv->record.length))
        return refuse_first(csv, "holds a zero byte, so it is not CSV text: if it is UTF-16, save it as UTF-8", why);
    return learn_columns(csv, options, why);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

/* What to say of a field that holds no number a double can have. */
static const char *complaint(okra_number kind, const field *f, char separator)
{
    size_t length = (size_t)(f->end - f->begin);
    switch (kind) {
    case OKRA_NUMBER_INFINITE:
        return "is not finite: correct it, or leave it empty where there is no value";
    case OKRA_NUMBER_LARGE:
        return "is too large for a double: scale the column";
    default:
        if (memchr(f->begin, separator == ',' ? ';' : ',', length))
            return "is not a number: write decimals with a point, and the same separator in every line";
        return "is not a number: correct it, leave it empty where there is no value, or leave its column out (--without)";
    }
}

/* A field that cannot be used. */
typedef struct trouble {
    field f;
    size_t column;
    okra_number kind; /* OKRA_NUMBER_REAL: there is none */
} trouble;

static okra_status refuse_field(const csv_reader *csv, const trouble *t, okra_message *why)
{
    enum { SHOWN = 40 };
    size_t length = (size_t)(t->f.end - t->f.begin), shown = length;
    if (length > SHOWN)
        for (shown = SHOWN; shown > 0 && (t->f.begin[shown] & 0xC0) == 0x80;)
            shown--; /* not in the middle of a UTF-8 character */
    const char *name = okra_reader_column_name(&csv->base, t->column);
    okra_say(why, "%s:%llu: column %zu%s%.60s%s: '%.*s%s' %s", csv->base.source.path,
             (unsigned long long)csv->record.line, t->column + 1, name ? " (" : "", name ? name : "", name ? ")" : "",
             (int)shown, t->f.begin, shown < length ? "..." : "", complaint(t->kind, &t->f, csv->scan.separator));
    return OKRA_E_FORMAT;
}

static okra_status refuse_count(const csv_reader *csv, size_t count, okra_message *why)
{
    const okra_reader *reader = &csv->base;
    okra_say(why, "%s:%llu: %zu field%s where %s %zu: %s", reader->source.path, (unsigned long long)csv->record.line,
             count, count == 1 ? "" : "s", reader->names ? "the header has" : "the first row has", reader->columns,
             count < reader->columns ? "complete the row (a missing value is an empty field)"
                                     : "remove what is too much, or put a field with commas in quotes");
    return OKRA_E_FORMAT;
}

/* Nearly every field is a bare number: it ends where the number does, and needs no search for its end. */
static const char *take_bare(const char *p, const char *end, char separator, double *x)
{
    double value;
    const char *stop = okra_scan_real(p, end, &value);
    if (!stop || (stop != end && *stop != separator) || !isfinite(value))
        return NULL;
    *x = value;
    return stop;
}

/* Any field. The first trouble of a row is kept. */
static const char *take_cell(const csv_reader *csv, const char *p, const char *end, size_t c, double *row, trouble *t)
{
    field f = take_field(p, end, csv->scan.separator, &p);
    okra_number kind = OKRA_NUMBER_MISSING;
    if (c >= csv->base.columns)
        return p;
    if (okra_reader_ignores(&csv->base, c))
        row[c] = (double)NAN;
    else
        kind = read_number(&f, &row[c]);
    if (kind > OKRA_NUMBER_MISSING && t->kind == OKRA_NUMBER_REAL)
        *t = (trouble){f, c, kind};
    return p;
}

static okra_status parse_row(const csv_reader *csv, double *row, okra_message *why)
{
    const okra_reader *reader = &csv->base;
    const char *end = csv->record.text + csv->record.length, *p = csv->record.text, *stop;
    const char separator = csv->scan.separator;
    trouble t = {.kind = OKRA_NUMBER_REAL};
    size_t count = 0;
    for (;; p++) {
        size_t c = count++;
        bool wanted = c < reader->columns && !okra_reader_ignores(reader, c);
        stop = wanted ? take_bare(p, end, separator, &row[c]) : NULL;
        p = stop ? stop : take_cell(csv, p, end, c, row, &t);
        if (p == end)
            break;
    }
    /* A wrong count is told first: it is the likelier cause of a field that makes no sense. */
    if (count != reader->columns)
        return refuse_count(csv, count, why);
    return t.kind == OKRA_NUMBER_REAL ? OKRA_OK : refuse_field(csv, &t, why);
}

/* Where a byte of the buffer is in the file. */
static int64_t place_of(const okra_source *source, const char *byte)
{
    return source->position - (int64_t)(source->buffer + source->end - byte);
}

/* The next record, be it the first line once more. */
static okra_status next_record(csv_reader *csv, bool *more, okra_message *why)
{
    okra_status status = OKRA_OK;
    *more = true;
    if (!csv->pending)
        status = okra_record_next(&csv->base.source, &csv->scan, &csv->record, more, why);
    csv->pending = false;
    if (*more && csv->stop < INT64_MAX && place_of(&csv->base.source, csv->record.text) >= csv->stop)
        *more = false;
    if (*more)
        csv->base.line = csv->record.line;
    return status;
}

static okra_status csv_next(okra_reader *reader, double *row, bool *more, okra_message *why)
{
    csv_reader *csv = (csv_reader *)reader;
    okra_status status = next_record(csv, more, why);
    return status || !*more ? status : parse_row(csv, row, why);
}

static okra_status csv_skip(okra_reader *reader, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    csv_reader *csv = (csv_reader *)reader;
    for (*skipped = 0; *skipped < rows; ++*skipped) {
        bool more;
        okra_status status = next_record(csv, &more, why);
        if (status && status != OKRA_E_FORMAT) /* a row that was refused counts as one */
            return status;
        if (!more)
            break;
    }
    return OKRA_OK;
}

/* ---- parts --------------------------------------------------------------------------------------------------- */

/* Lines are counted from the new beginning, and messages say so. */
static okra_status begin_at(csv_reader *csv, int64_t line, okra_message *why)
{
    okra_source *source = &csv->base.source;
    char name[sizeof source->path];
    if (lseek(source->fd, (off_t)line, SEEK_SET) < 0)
        return okra_lines_refuse(source, why);
    memcpy(name, source->path, sizeof name);
    snprintf(source->path, sizeof source->path, "%.*s (from byte %lld)", (int)sizeof name - 40, name, (long long)line);
    source->position = line;
    source->start = source->end = 0;
    source->finished = false;
    source->line = 1;
    csv->scan = (okra_scan){.separator = csv->scan.separator};
    csv->pending = false;
    return OKRA_OK;
}

static okra_status csv_part(okra_reader *reader, size_t part, size_t parts, size_t before, size_t *ahead,
                            okra_message *why)
{
    csv_reader *csv = (csv_reader *)reader;
    const okra_source *source = &reader->source;
    int64_t first =
        csv->pending ? place_of(source, csv->record.text) : source->position - (int64_t)okra_source_held(source);
    uint64_t bytes = (uint64_t)(source->size - first);
    int64_t line = first + (int64_t)okra_part_begin(bytes, part, parts);
    csv->stop = first + (int64_t)okra_part_begin(bytes, part + 1, parts);
    if (part == 0)
        return OKRA_OK;
    /* more parts than bytes: this one begins with the first row, before which there need be no line end */
    okra_status status = line > first ? okra_lines_find(source, line, &line, why) : OKRA_OK;
    if (!status)
        status = okra_lines_back(source, csv->scan.separator, first, before, &line, ahead, why);
    return status ? status : begin_at(csv, line, why);
}

/* ---- the class ----------------------------------------------------------------------------------------------- */

static double csv_progress(const okra_reader *reader) { return okra_source_progress(&reader->source); }

static size_t csv_text(const okra_reader *reader, size_t column, char *text, size_t size)
{
    const csv_reader *csv = (const csv_reader *)reader;
    const char *end = csv->record.text + csv->record.length, *p = csv->record.text;
    field f = take_field(p, end, csv->scan.separator, &p);
    for (size_t c = 0; c < column; c++) {
        if (p == end)
            return 0; /* of a row that was too short */
        f = take_field(p + 1, end, csv->scan.separator, &p);
    }
    return write_text(&f, text, size);
}

const okra_reader_class okra_csv_class = {
    .size = sizeof(csv_reader),
    .open = csv_open,
    .text = csv_text,
    .next = csv_next,
    .skip = csv_skip,
    .part = csv_part,
    .progress = csv_progress,
};
