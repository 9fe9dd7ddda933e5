/* Separated text (RFC 4180), inside libokra-io: records, fields and the first line, for csv.c. */
#ifndef OKRA_IO_CSV_H
#define OKRA_IO_CSV_H

#include <math.h>
#include <string.h>

#include "missing.h"
#include "number.h"
#include "source.h"

/* ---- records ------------------------------------------------------------------------------------------------- */

/*
 * A line, or several if a quoted field holds line ends; not a comment, and usually not blank. It may be of any length,
 * and is returned as soon as its last byte has arrived. Valid until the next okra_record_next(). text[length] is a NUL
 * in place of the line end.
 */
typedef struct okra_record {
    char *text;
    size_t length;
    uint64_t line; /* its first line, from 1 */
} okra_record;

/* The search for the end of a record, kept between reads so that no byte is looked at twice. Offsets are from the
 * record's start. */
typedef struct okra_scan {
    char separator;  /* of fields; 0: not known yet, any of OKRA_SEPARATORS */
    size_t at;       /* the next byte to look at */
    size_t closed;   /* just past the last closing quote; 0: none yet */
    size_t break_at; /* the first line end inside quotes, if `breaks` > 0 */
    uint64_t breaks; /* line ends inside quotes */
    bool quoted;
    bool comment_known, comment; /* whether the record is a comment; known from its first quote on */
    bool blank_too;              /* blank lines are records; in a table of one column they may be rows */
    bool annotated; /* the record follows annotations of InfluxDB, so it names columns; the reader clears it */
} okra_scan;

/* A new search in the same kind of text. */
static inline okra_scan okra_scan_restart(const okra_scan *scan)
{
    return (okra_scan){.separator = scan->separator, .blank_too = scan->blank_too, .annotated = scan->annotated};
}

#define OKRA_SEPARATORS ",;\t"

/* Blanks around fields are skipped; a tab is not blank if it separates them. */
static inline bool okra_is_blank(char c, char separator) { return c == ' ' || (c == '\t' && separator != '\t'); }

static inline const char *okra_skip_blanks(const char *p, const char *end, char separator)
{
    while (p < end && okra_is_blank(*p, separator))
        p++;
    return p;
}

/* Whether a line that is [text, end) after its leading blanks is a comment: it begins with '#', but not with a
 * spreadsheet's error value (#N/A), which is a field. */
bool okra_is_comment(const char *text, const char *end, char separator);

/* Whether the record is a blank line. */
bool okra_record_is_blank(const okra_record *record, char separator);

/*
 * The next record that is not a comment, nor blank unless scan.blank_too. *more is false at the end. OKRA_E_FORMAT if a
 * quote is never closed: `record` then has its line, and the next call continues with the line after it.
 */
okra_status okra_record_next(okra_source *source, okra_scan *scan, okra_record *record, bool *more, okra_message *why);

/* ---- fields -------------------------------------------------------------------------------------------------- */

/* The text of a field, without the blanks around it and without its quotes. */
typedef struct okra_field {
    const char *begin, *end;
    bool quoted; /* quotes inside are still doubled */
    bool broken; /* text after the closing quote: the field is kept unchanged, with its quotes */
} okra_field;

static inline const char *okra_find_separator(const char *p, const char *end, char separator)
{
    const char *found = memchr(p, separator, (size_t)(end - p));
    return found ? found : end;
}

/* From just past an opening quote to its closing one; a doubled quote stands for itself. */
static inline const char *okra_find_closing(const char *p, const char *end)
{
    while (p < end && !(*p == '"' && (p + 1 == end || p[1] != '"')))
        p += *p == '"' ? 2 : 1;
    return p < end ? p : end;
}

static inline okra_field okra_plain_field(const char *begin, const char *end, char separator)
{
    while (end > begin && okra_is_blank(end[-1], separator))
        end--;
    return (okra_field){.begin = begin, .end = end};
}

/* The field that begins at p; *next is the separator after it, or the end of the record. */
static inline okra_field okra_take_field(const char *p, const char *end, char separator, const char **next)
{
    p = okra_skip_blanks(p, end, separator);
    if (p == end || *p != '"') {
        *next = okra_find_separator(p, end, separator);
        return okra_plain_field(p, *next, separator);
    }
    const char *closing = okra_find_closing(p + 1, end);
    const char *rest = closing < end ? closing + 1 : end;
    *next = okra_find_separator(rest, end, separator);
    okra_field inside = okra_plain_field(okra_skip_blanks(p + 1, closing, separator), closing, separator);
    inside.quoted = true;
    if (okra_skip_blanks(rest, *next, separator) != *next) {
        inside = okra_plain_field(p, *next, separator);
        inside.broken = true;
    }
    return inside;
}

static inline okra_number okra_read_field(const okra_field *f, const okra_missing *missing, double *x)
{
    if (f->broken) {
        *x = (double)NAN;
        return OKRA_NUMBER_TEXT;
    }
    okra_number kind = okra_parse_real(f->begin, f->end, x);
    return kind == OKRA_NUMBER_TEXT && okra_missing_says(missing, f->begin, f->end) ? OKRA_NUMBER_MISSING : kind;
}

/* ---- the first line ------------------------------------------------------------------------------------------ */

/*
 * The first line of a text shows how fields are separated, whether it names them, and if the text is not a table at
 * all. Only the first line is used, because the second may arrive much later.
 */

/*
 * The comma if there is one; else the tab, if `tabs` allows it; else the semicolon. If there is a comma and also one of
 * the others, the other one is taken if every comma would then be an ordinary part of a field: between the digits of a
 * decimal (1,5;2,5), or before a blank (temp, C;hum, %).
 */
char okra_guess_separator(const okra_record *first, bool tabs);

typedef struct okra_first_line {
    size_t fields;
    size_t numbers, texts; /* among them; a field that is empty or nan is neither */
    size_t empty_at_end;   /* how many of the last fields are empty */
    bool decimal_commas;   /* a field is a number except for its comma */
} okra_first_line;

okra_first_line okra_survey(const okra_record *first, char separator, const okra_missing *missing);

/* What to say about a text that is not a table; NULL if it may be one. */
const char *okra_no_table(const okra_record *first);

/* Whether [begin, end) would be a number if its comma were a point. */
bool okra_has_decimal_comma(const char *begin, const char *end);

/* What to say about [begin, end) if it holds several numbers separated by blanks or '|'; NULL if it does not. */
const char *okra_foreign_separator(const char *begin, const char *end);

/* ---- lines in the middle of a file --------------------------------------------------------------------------- */

/* The source's own position in the file is unchanged. */

/* The beginning of the first line that begins at byte `at` > 0 or later; the size of the file if there is none. */
okra_status okra_lines_find(const okra_source *source, int64_t at, int64_t *line, okra_message *why);

/*
 * Moves *line, the beginning of a line, back over `wanted` rows: lines that are not comments, nor blank unless
 * scan.blank_too. *ahead is how many there are; `first` is where the first line of the file begins.
 */
okra_status okra_lines_back(const okra_source *source, const okra_scan *scan, int64_t first, size_t wanted,
                            int64_t *line, size_t *ahead, okra_message *why);

/* Reports the failure of a system call, from errno. */
okra_status okra_lines_refuse(const okra_source *source, okra_message *why);

#endif
