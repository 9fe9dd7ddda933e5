/*
 * Where records end. Most lines hold no quote, and are found by two calls of memchr.
 */
#include "csv.h"

/*
 * A quote that nobody closes would take the rest of an endless stream for one field. So a field that runs over line
 * ends may be this long after the first of them, and is otherwise reported.
 */
enum { LONGEST_BROKEN_FIELD = 1 << 16 };

static bool is_separator(char c, char separator)
{
    return separator ? c == separator : c && strchr(OKRA_SEPARATORS, c) != NULL;
}

/* What spreadsheets write where there is no value: a field, though it begins with '#'. */
static bool is_spreadsheet_error(const char *text, const char *end, char separator)
{
    static const char *const words[] = {"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - text) < length || memcmp(text, words[i], length) != 0)
            continue;
        const char *next = text + length;
        return next == end || *next == '\r' || okra_is_blank(*next, separator) || is_separator(*next, separator);
    }
    return false;
}

bool okra_is_comment(const char *text, const char *end, char separator)
{
    return text < end && *text == '#' && !is_spreadsheet_error(text, end, separator);
}

/* A quote opens a field only as its first character; right after a closing one it stands for itself, still inside. What
 * the record begins with is looked at once: a line of blanks and quotes would otherwise take the square of its length.
 */
static bool opens_field(okra_scan *scan, const char *record, size_t quote)
{
    const char *seen = record + quote + 1; /* with the quote: no word ends there */
    if (!scan->judged)
        scan->comment = okra_is_comment(okra_skip_blanks(record, seen, scan->separator), seen, scan->separator);
    scan->judged = true;
    if (scan->comment)
        return false;
    if (scan->closed > 0 && scan->closed == quote)
        return true;
    while (quote > 0 && okra_is_blank(record[quote - 1], scan->separator) &&
           !is_separator(record[quote - 1], scan->separator))
        quote--;
    return quote == 0 || is_separator(record[quote - 1], scan->separator);
}

static void scan_quoted(okra_scan *scan, const char *record, size_t length)
{
    while (scan->at < length && scan->quoted) {
        char c = record[scan->at];
        if (c == '\n' && scan->breaks++ == 0)
            scan->break_at = scan->at;
        scan->at++;
        scan->quoted = c != '"';
    }
    if (!scan->quoted)
        scan->closed = scan->at;
}

/* True when scan.at has come to the line end that ends the record; false when it has come to the end of the buffer. */
static bool scan_record(okra_scan *scan, const char *record, size_t length)
{
    size_t line_end = 0; /* of the line that scan.at is on, or `length`; looked for once a line */
    while (scan->at < length) {
        if (scan->quoted) {
            scan_quoted(scan, record, length);
            continue;
        }
        const char *at = record + scan->at, *found;
        if (line_end <= scan->at) {
            found = memchr(at, '\n', length - scan->at);
            line_end = found ? (size_t)(found - record) : length;
        }
        found = memchr(at, '"', line_end - scan->at);
        if (!found) {
            scan->at = line_end;
            return line_end < length;
        }
        scan->quoted = opens_field(scan, record, (size_t)(found - record));
        scan->at = (size_t)(found - record) + 1;
    }
    return false;
}

static bool quote_runs_away(const okra_scan *scan)
{
    return scan->quoted && scan->breaks > 0 && scan->at - scan->break_at > LONGEST_BROKEN_FIELD;
}

/* Reads until the record at `start` is whole: its length is then scan.at. */
static okra_status complete_record(okra_source *source, okra_scan *scan, okra_message *why)
{
    while (!scan_record(scan, source->buffer + source->start, okra_source_held(source)) && !source->finished &&
           !quote_runs_away(scan)) {
        okra_status status = okra_source_fill(source, why);
        if (status)
            return status;
    }
    return OKRA_OK;
}

/* Hands out the first `length` bytes and moves past them and their line end. */
static void take_record(okra_source *source, okra_scan *scan, size_t length, uint64_t lines, okra_record *record)
{
    size_t held = okra_source_held(source);
    *record = (okra_record){source->buffer + source->start, length, source->line};
    source->start += length < held ? length + 1 : length;
    source->line += lines;
    *scan = okra_scan_anew(scan);
    while (record->length > 0 && record->text[record->length - 1] == '\r')
        record->length--;
    record->text[record->length] = '\0';
}

static okra_status refuse_quote(okra_source *source, okra_scan *scan, okra_record *record, okra_message *why)
{
    take_record(source, scan, scan->breaks > 0 ? scan->break_at : scan->at, 1, record);
    return okra_refuse(why, "%s:%llu: a quote (\") is opened and never closed: close it or remove it", source->path,
                       (unsigned long long)record->line);
}

bool okra_record_is_blank(const okra_record *record, char separator)
{
    const char *end = record->text + record->length;
    return okra_skip_blanks(record->text, end, separator) == end;
}

static bool is_passed_over(const okra_record *record, const okra_scan *scan)
{
    const char *end = record->text + record->length, *text = okra_skip_blanks(record->text, end, scan->separator);
    return text == end ? !scan->blank_too : okra_is_comment(text, end, scan->separator);
}

okra_status okra_record_next(okra_source *source, okra_scan *scan, okra_record *record, bool *more, okra_message *why)
{
    do {
        okra_status status = complete_record(source, scan, why);
        *more = !status && source->end > source->start;
        if (status || !*more)
            return status;
        if (scan->quoted)
            return refuse_quote(source, scan, record, why);
        take_record(source, scan, scan->at, scan->breaks + 1, record);
    } while (is_passed_over(record, scan));
    return OKRA_OK;
}
