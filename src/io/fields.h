/*
 * Fields of a record of text, inside libokra-io (RFC 4180): between separators, perhaps in quotes. Inline, because a
 * row has many.
 */
#ifndef OKRA_IO_FIELDS_H
#define OKRA_IO_FIELDS_H

#include <math.h>
#include <string.h>

#include "number.h"
#include "record.h"

/* The text of a field, without the blanks around it and without its quotes. */
typedef struct okra_field {
    const char *begin, *end;
    bool quoted; /* quotes inside are still doubled */
    bool broken; /* text after the closing quote: the field is as it stands, quotes and all */
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

static inline okra_number okra_read_field(const okra_field *f, double *x)
{
    if (f->broken) {
        *x = (double)NAN;
        return OKRA_NUMBER_TEXT;
    }
    return okra_parse_real(f->begin, f->end, x);
}

#endif
