/*
 * Records of text, inside libokra-io: what is between line ends, comments and mostly blank lines left out.
 *
 * A record is a line, or several where a quoted field holds line ends (RFC 4180). It may be of any length, and is
 * there as soon as its last byte is.
 */
#ifndef OKRA_IO_RECORD_H
#define OKRA_IO_RECORD_H

#include "source.h"

/* Valid until the next okra_record_next(). text[length] is a NUL in place of the line end. */
typedef struct okra_record {
    char *text;
    size_t length;
    uint64_t line; /* its first line, from 1 */
} okra_record;

/* The search for the end of a record, kept between reads so that no byte is looked at twice. Offsets from its start. */
typedef struct okra_scan {
    char separator;  /* of fields; 0: not known yet, may be any of OKRA_SEPARATORS */
    size_t at;       /* the next byte to look at */
    size_t closed;   /* just past the last closing quote; 0: none yet */
    size_t break_at; /* the first line end inside quotes, where `breaks` > 0 */
    uint64_t breaks; /* line ends inside quotes */
    bool quoted;
    bool judged, comment; /* whether the record is a comment; known from its first quote on */
    bool blank_too;       /* blank lines are records; in a table of one column they may be rows */
} okra_scan;

/* A search from the beginning, in the same kind of text. */
static inline okra_scan okra_scan_anew(const okra_scan *scan)
{
    return (okra_scan){.separator = scan->separator, .blank_too = scan->blank_too};
}

#define OKRA_SEPARATORS ",;\t"

/* A blank is skipped around fields; a tab is none where it separates them. */
static inline bool okra_is_blank(char c, char separator) { return c == ' ' || (c == '\t' && separator != '\t'); }

static inline const char *okra_skip_blanks(const char *p, const char *end, char separator)
{
    while (p < end && okra_is_blank(*p, separator))
        p++;
    return p;
}

/* Whether a line that says [text, end) behind its blanks is a comment: it begins with '#', and not with a spreadsheet's
 * word for an error (#N/A), which stands for a number and must not be passed over. */
bool okra_is_comment(const char *text, const char *end, char separator);

/* Whether the record is a blank line. */
bool okra_record_is_blank(const okra_record *record, char separator);

/*
 * The next record that is no comment, nor blank unless scan.blank_too. *more is false at the end.
 * OKRA_E_FORMAT where a quote is never closed: `record` then has its line, and the next call goes on with the line
 * after it.
 */
okra_status okra_record_next(okra_source *source, okra_scan *scan, okra_record *record, bool *more, okra_message *why);

#endif
