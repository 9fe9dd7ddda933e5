/*
 * Rows of numbers from separated text (RFC 4180): commas, tabs or semicolons, fields perhaps in quotes, a header
 * perhaps.
 *
 * The records come from record.c; here they are split into fields, and the fields become column names or numbers. Files
 * made by people are accepted (blanks around numbers, CRLF, blank lines, comments, missing values). Errors name file,
 * line, column and value.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "table.h"

typedef struct csv_table {
    okra_table base;
    okra_scan scan;               /* knows the separator */
    okra_record record;           /* the last one read */
    bool pending;                 /* it is still to be delivered: a first line of data, or a record after blank lines */
    bool blank;                   /* the last row delivered is a blank line before the record */
    uint64_t blanks, first_blank; /* blank lines still to be delivered, and the line of the first */
    okra_status refused;          /* the status of the record after them, returned then */
    okra_message refusal;
    int64_t stop;    /* rows that begin there or later belong to the next part */
    size_t nameless; /* unnamed columns at the end of the header: their fields must be empty */
    char *header;    /* its first line, which may come again; NULL: it has no names */
    bool repeats;    /* a line that repeats the header is no row, wherever it is */
    bool foreign;    /* in a table with other columns than the first */
    bool tables;     /* the file begins with annotations, so it may hold several tables */
} csv_table;

/* ---- fields -------------------------------------------------------------------------------------------------- */

/* The field's text with its quotes undoubled, as far as it fits, and a NUL; returns its length. */
static size_t write_text(const okra_field *f, char *text, size_t size)
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
static char *copy_text(const okra_field *f)
{
    size_t size = (size_t)(f->end - f->begin) + 1;
    char *text = malloc(size);
    if (text)
        write_text(f, text, size);
    return text;
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

static okra_status take_names(csv_table *csv)
{
    okra_table *table = &csv->base;
    const char *end = csv->record.text + csv->record.length, *p = csv->record.text;
    table->names = calloc(table->columns, sizeof *table->names);
    if (!table->names)
        return OKRA_E_MEMORY;
    for (size_t c = 0; c < table->columns; c++, p++) {
        okra_field f = okra_take_field(p, end, csv->scan.separator, &p);
        table->names[c] = copy_text(&f);
        if (!table->names[c])
            return OKRA_E_MEMORY;
    }
    return OKRA_OK;
}

static okra_status refuse_line(const csv_table *csv, const char *what, okra_message *why)
{
    return okra_refuse(why, "%s:%llu: %s", csv->base.source.path, (unsigned long long)csv->record.line, what);
}

static const char *explain_decimal_comma(const csv_table *csv)
{
    return csv->scan.separator == ';' ? "has a decimal comma: write decimals with a point, as in tr ',;' '.,'"
                                      : "has a decimal comma: write decimals with a point, as in tr ',' '.'";
}

/* What is wrong with a first line that can be split into fields; NULL: nothing. */
static const char *find_fault(const csv_table *csv, const okra_first_line *first, okra_header header)
{
    const char *text = csv->record.text;
    if (first->fields == 1 && first->texts == 1)
        return okra_foreign_separator(text, text + csv->record.length);
    /* names or a row: it cannot be decided, and the rows below would be refused */
    if (header == OKRA_HEADER_AUTO && first->decimal_commas)
        return explain_decimal_comma(csv);
    return NULL;
}

/* Years may name columns, and a label may end a row, so the guess is reported. */
static okra_status note_header(csv_table *csv, const okra_first_line *first)
{
    okra_message note;
    okra_message_set(&note,
                     "%s:%llu: is taken for the names of the columns, though %zu of %zu %s: if it is a row, say so "
                     "(header no)",
                     csv->base.source.path, (unsigned long long)csv->record.line, first->numbers, csv->base.columns,
                     first->numbers == 1 ? "is a number" : "are numbers");
    csv->base.note = strdup(note.text);
    return csv->base.note ? OKRA_OK : OKRA_E_MEMORY;
}

/* An extra separator at the end of each line makes unnamed columns. They do not count, and must stay empty. This needs
 * no look at the rows, which may arrive much later. */
static okra_status take_header(csv_table *csv, const okra_first_line *first, okra_header header)
{
    csv->nameless = first->empty_at_end < first->fields ? first->empty_at_end : 0;
    csv->base.columns = first->fields - csv->nameless;
    okra_status status = take_names(csv);
    bool doubtful = header == OKRA_HEADER_AUTO && first->numbers > 0;
    return status || !doubtful ? status : note_header(csv, first);
}

static okra_status learn_columns(csv_table *csv, const okra_table_options *options, okra_message *why)
{
    okra_table *table = &csv->base;
    if (!csv->scan.separator) /* a file named .csv may have tabs */
        csv->scan.separator = okra_guess_separator(&csv->record, !options->format);
    okra_first_line first = okra_survey(&csv->record, csv->scan.separator, &csv->base.missing);
    if (first.fields > OKRA_MAX_COLUMNS)
        return okra_refuse(why, "%s:%llu: has %zu columns, and at most %d can be read: is it a table?",
                           table->source.path, (unsigned long long)csv->record.line, first.fields, OKRA_MAX_COLUMNS);
    const char *fault = find_fault(csv, &first, options->header);
    if (fault)
        return refuse_line(csv, fault, why);
    bool header = options->header == OKRA_HEADER_AUTO ? first.texts > 0 : options->header == OKRA_HEADER_YES;
    csv->pending = !header;
    table->columns = first.fields;
    okra_status status = header ? take_header(csv, &first, options->header) : OKRA_OK;
    if (header && !(csv->header = strndup(csv->record.text, csv->record.length)))
        status = OKRA_E_MEMORY;
    csv->tables = csv->scan.annotated;
    csv->scan.annotated = false;
    csv->repeats = header && (options->follow || options->headers || csv->tables);
    csv->scan.blank_too = table->columns == 1 && csv->nameless == 0;
    if (status)
        okra_message_set(why, "%s: out of memory for %zu columns", table->source.path, table->columns);
    return status;
}

static okra_status csv_open(okra_table *table, const okra_table_options *options, okra_message *why)
{
    csv_table *csv = (csv_table *)table;
    bool more = false;
    csv->scan.separator = (char)table->format->variant; /* 0: to be guessed */
    csv->stop = INT64_MAX;
    okra_status status = okra_source_skip_mark(&table->source, why);
    if (!status)
        status = okra_record_next(&table->source, &csv->scan, &csv->record, &more, why);
    if (status)
        return status;
    if (!more)
        return okra_refuse(why, "%s: is empty: it needs rows of numbers, a header above them if you like",
                           table->source.path);
    const char *fault = okra_no_table(&csv->record);
    return fault ? refuse_line(csv, fault, why) : learn_columns(csv, options, why);
}

static void csv_close(okra_table *table) { free(((csv_table *)table)->header); }

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static bool fits(const csv_table *csv, size_t count)
{
    return count >= csv->base.columns && count - csv->base.columns <= csv->nameless;
}

/* A field that cannot be used. */
typedef struct field_error {
    okra_field f;
    size_t column;
    okra_number kind; /* OKRA_NUMBER_REAL: no bad field */
} field_error;

/* Whether only the first line came before this row: that line may not belong to the table. */
static bool follows_first_line(const csv_table *csv) { return csv->base.info.rows == (csv->base.names ? 0 : 1); }

/* Whether a field holds separators other than the file's, of which the header has none. */
static bool is_split_otherwise(const csv_table *csv, const char *begin, const char *end)
{
    const char *name = csv->base.names ? csv->base.names[0] : "";
    for (const char *s = OKRA_SEPARATORS; *s; s++)
        if (*s != csv->scan.separator && memchr(begin, *s, (size_t)(end - begin)) && !strchr(name, *s))
            return true;
    return false;
}

/* What to say about a field that should hold a number, but holds text. */
static const char *explain_text(const csv_table *csv, const field_error *t)
{
    const char separator = csv->scan.separator, *begin = t->f.begin, *end = t->f.end;
    const bool alone = csv->base.columns == 1;
    if (t->column >= csv->base.columns)
        return "is in a column without a name: name it in the header, or remove it";
    const char *foreign = alone ? okra_foreign_separator(begin, end) : NULL;
    if (foreign)
        return foreign;
    if (separator != ',' && okra_has_decimal_comma(begin, end))
        return explain_decimal_comma(csv);
    if (alone && follows_first_line(csv) && is_split_otherwise(csv, begin, end))
        return "is not a number: remove the lines above the header, or begin them with '#'";
    if (memchr(begin, separator == ',' ? ';' : ',', (size_t)(end - begin)))
        return "is not a number: write decimals with a point, and the same separator in every line";
    return "is not a number: correct it, leave it empty if there is no value, or leave its column out";
}

static const char *complaint(const csv_table *csv, const field_error *t)
{
    switch (t->kind) {
    case OKRA_NUMBER_INFINITE:
        return "is not finite: correct it, or leave it empty if there is no value";
    case OKRA_NUMBER_LARGE:
        return "is too large for a double: scale the column";
    default:
        return explain_text(csv, t);
    }
}

static okra_status refuse_field(const csv_table *csv, const field_error *t, okra_message *why)
{
    enum { SHOWN = 40 };
    size_t length = (size_t)(t->f.end - t->f.begin), shown = length;
    if (length > SHOWN)
        for (shown = SHOWN; shown > 0 && (t->f.begin[shown] & 0xC0) == 0x80;)
            shown--; /* not in the middle of a UTF-8 character */
    const char *name = okra_table_column_name(&csv->base, t->column);
    return okra_refuse(why, "%s:%llu: column %zu%s%.60s%s: '%.*s%s' %s", csv->base.source.path,
                       (unsigned long long)csv->record.line, t->column + 1, name ? " (" : "", name ? name : "",
                       name ? ")" : "", (int)shown, t->f.begin, shown < length ? "..." : "", complaint(csv, t));
}

/* A remedy for a row with a wrong number of fields. */
static const char *count_remedy(const csv_table *csv, size_t count)
{
    const okra_table *table = &csv->base;
    if (count < table->columns)
        return "complete the row (a missing value is an empty field)";
    if (count == table->columns + 1 && csv->record.text[csv->record.length - 1] == csv->scan.separator)
        return "remove the separator at the end of the line";
    if (follows_first_line(csv) && table->columns == 1)
        return count > 2 ? "remove the lines above the header, or begin them with '#'"
                         : "remove the lines above the header, or begin them with '#'; or write decimals with a point";
    if (follows_first_line(csv) && table->names && count == table->columns + 1)
        return "remove what is too much, put a field with commas in quotes, or name the first column in the header, if "
               "it names the rows";
    return "remove what is too much, or put a field with commas in quotes";
}

static okra_status refuse_count(const csv_table *csv, size_t count, okra_message *why)
{
    const okra_table *table = &csv->base;
    return okra_refuse(why, "%s:%llu: %zu field%s where %s %zu: %s", table->source.path,
                       (unsigned long long)csv->record.line, count, count == 1 ? "" : "s",
                       table->names ? "the header has" : "the first row has", table->columns, count_remedy(csv, count));
}

/* A wrong count is reported first: it is the likelier cause of a bad field. */
static okra_status refuse_row(const csv_table *csv, size_t count, const field_error *t, okra_message *why)
{
    if (memchr(csv->record.text, '\0', csv->record.length)) /* which cannot be shown */
        return refuse_line(csv, "holds a zero byte: the file is damaged here: remove the line", why);
    return fits(csv, count) ? refuse_field(csv, t, why) : refuse_count(csv, count, why);
}

/* Nearly every field is a bare number: it ends where the number ends, which saves a search. */
static const char *take_bare(const char *p, const char *end, char separator, double *x)
{
    double value;
    const char *stop = okra_scan_real(p, end, &value);
    if (!stop || (stop != end && *stop != separator) || !isfinite(value))
        return NULL;
    *x = value;
    return stop;
}

/* Any field. The first error of a row is kept. */
static const char *take_any_field(const csv_table *csv, const char *p, const char *end, size_t c, double *row,
                                  field_error *t)
{
    okra_field f = okra_take_field(p, end, csv->scan.separator, &p);
    okra_number kind = OKRA_NUMBER_MISSING;
    if (c >= csv->base.columns)
        kind = f.begin < f.end ? OKRA_NUMBER_TEXT : OKRA_NUMBER_MISSING;
    else if (okra_table_ignores(&csv->base, c))
        row[c] = (double)NAN;
    else
        kind = okra_read_field(&f, &csv->base.missing, &row[c]);
    if (kind > OKRA_NUMBER_MISSING && t->kind == OKRA_NUMBER_REAL)
        *t = (field_error){f, c, kind};
    return p;
}

static okra_status parse_row(const csv_table *csv, double *row, okra_message *why)
{
    const okra_table *table = &csv->base;
    const char *end = csv->record.text + csv->record.length, *p = csv->record.text, *stop;
    const char separator = csv->scan.separator;
    field_error t = {.kind = OKRA_NUMBER_REAL};
    size_t count = 0;
    for (;; p++) {
        size_t c = count++;
        bool wanted = c < table->columns && !okra_table_ignores(table, c);
        stop = wanted ? take_bare(p, end, separator, &row[c]) : NULL;
        p = stop ? stop : take_any_field(csv, p, end, c, row, &t);
        if (p == end)
            break;
    }
    return fits(csv, count) && t.kind == OKRA_NUMBER_REAL ? OKRA_OK : refuse_row(csv, count, &t, why);
}

/* The offset in the file of a byte of the buffer. */
static int64_t place_of(const okra_source *source, const char *byte)
{
    return source->position - (int64_t)(source->buffer + source->end - byte);
}

static bool is_another_parts(const csv_table *csv)
{
    return csv->stop < INT64_MAX && place_of(&csv->base.source, csv->record.text) >= csv->stop;
}

static bool is_header(const csv_table *csv)
{
    const char *text = csv->record.text;
    size_t mark = strncmp(text, OKRA_BYTE_ORDER_MARK, 3) == 0 ? 3 : 0; /* each file may begin with it */
    return csv->record.length - mark == strlen(csv->header) && strcmp(text + mark, csv->header) == 0;
}

/* Whether a record only repeats the header. If it comes after annotations and names other columns, it and the rows
 * below it are refused: their numbers would be taken for those of the first table. */
static bool repeats_header(csv_table *csv)
{
    bool repeated = csv->header && is_header(csv);
    if (csv->header && csv->scan.annotated)
        csv->foreign = !repeated;
    csv->scan.annotated = false;
    return repeated;
}

/*
 * Reads the next record that is not blank, and counts the blank lines before it. If there is only one column, they are
 * rows without a value. Only a record after them shows that: a file may end with any number of blank lines, and a file
 * that is still being written may continue.
 */
static okra_status take_record(csv_table *csv, okra_message *why)
{
    bool more;
    for (;;) {
        okra_status status = okra_record_next(&csv->base.source, &csv->scan, &csv->record, &more, why);
        if ((csv->repeats || csv->scan.annotated) && more && !status && repeats_header(csv))
            continue;
        csv->pending = more && !status;
        if (status || !more || !csv->scan.blank_too || !okra_record_is_blank(&csv->record, csv->scan.separator)) {
            csv->blanks = more || status ? csv->blanks : 0;
            return status;
        }
        if (!is_another_parts(csv) && csv->blanks++ == 0)
            csv->first_blank = csv->record.line;
    }
}

/* The next row: a record (the first line too, if it is data) or a blank line. *more is true if it is refused. */
static okra_status next_row(csv_table *csv, bool *more, okra_message *why)
{
    if (!csv->pending && csv->blanks == 0 && !csv->refused)
        csv->refused = take_record(csv, &csv->refusal);
    okra_status status = OKRA_OK;
    csv->blank = csv->blanks > 0;
    *more = true;
    if (csv->blank) {
        csv->base.info.line = csv->first_blank++; /* comments between them are not counted */
        csv->blanks--;
    } else if (csv->refused) {
        status = csv->refused;
        csv->refused = OKRA_OK;
        if (why)
            *why = csv->refusal;
        csv->base.info.line = csv->record.line;
    } else {
        *more = csv->pending && !is_another_parts(csv);
        csv->pending = false;
        csv->base.info.line = *more ? csv->record.line : csv->base.info.line;
    }
    return status;
}

static okra_status csv_next(okra_table *table, double *row, bool *more, okra_message *why)
{
    csv_table *csv = (csv_table *)table;
    okra_status status = next_row(csv, more, why);
    if (status || !*more)
        return status;
    if (csv->foreign)
        return refuse_line(csv, "is in a table with other columns than the first: put it into a file of its own", why);
    if (!csv->blank)
        return parse_row(csv, row, why);
    row[0] = (double)NAN;
    return OKRA_OK;
}

static okra_status csv_skip(okra_table *table, uint64_t rows, uint64_t *skipped, okra_message *why)
{
    csv_table *csv = (csv_table *)table;
    for (*skipped = 0; *skipped < rows; ++*skipped) {
        bool more;
        okra_status status = next_row(csv, &more, why);
        if (status && status != OKRA_E_FORMAT) /* a refused row counts */
            return status;
        if (!more)
            break;
    }
    return OKRA_OK;
}

/* ---- parts --------------------------------------------------------------------------------------------------- */

/* Lines are counted from here, and messages say so. */
static okra_status begin_at(csv_table *csv, int64_t line, okra_message *why)
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
    csv->scan = okra_scan_restart(&csv->scan);
    csv->pending = false;
    return OKRA_OK;
}

static okra_status csv_part(okra_table *table, size_t part, size_t parts, size_t before, size_t *ahead,
                            okra_message *why)
{
    csv_table *csv = (csv_table *)table;
    const okra_source *source = &table->source;
    if (csv->tables)
        return okra_refuse(why, "%s: cannot be read in parts, because it may hold several tables, each with its header",
                           source->path);
    int64_t first =
        csv->pending ? place_of(source, csv->record.text) : source->position - (int64_t)okra_source_held(source);
    uint64_t bytes = (uint64_t)(source->size - first);
    int64_t line = first + (int64_t)okra_part_begin(bytes, part, parts);
    csv->stop = first + (int64_t)okra_part_begin(bytes, part + 1, parts);
    if (part == 0)
        return OKRA_OK;
    /* more parts than bytes: this one begins with the first row, which may have no line end before it */
    okra_status status = line > first ? okra_lines_find(source, line, &line, why) : OKRA_OK;
    if (!status)
        status = okra_lines_back(source, &csv->scan, first, before, &line, ahead, why);
    return status ? status : begin_at(csv, line, why);
}

/* ---- the class ----------------------------------------------------------------------------------------------- */

static size_t csv_text(const okra_table *table, size_t column, char *text, size_t size)
{
    const csv_table *csv = (const csv_table *)table;
    const char *end = csv->record.text + csv->record.length, *p = csv->record.text;
    if (csv->blank)
        end = p; /* the record is the next row */
    okra_field f = okra_take_field(p, end, csv->scan.separator, &p);
    for (size_t c = 0; c < column; c++) {
        if (p == end)
            return 0; /* of a row that was too short */
        f = okra_take_field(p + 1, end, csv->scan.separator, &p);
    }
    return write_text(&f, text, size);
}

const okra_table_class okra_csv_class = {
    .size = sizeof(csv_table),
    .open = csv_open,
    .close = csv_close,
    .text = csv_text,
    .next = csv_next,
    .skip = csv_skip,
    .part = csv_part,
};
