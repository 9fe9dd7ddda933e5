/* What the first line of a text shows: see csv.h. */
#include "csv.h"

/* Finds c in a record, outside of quotes and of blanks at the end; NULL: not there. */
static const char *find_outside(const okra_record *record, char c)
{
    const char *end = okra_plain_field(record->text, record->text + record->length, 0).end;
    bool quoted = false, opens = true; /* opens: a quote here would open a field; it is not an inch mark */
    for (const char *p = okra_skip_blanks(record->text, end, 0); p < end; p++) {
        if (*p == c && !quoted)
            return p;
        if (*p == '"' && (quoted || opens))
            quoted = !quoted, opens = true;
        else
            opens = strchr(OKRA_SEPARATORS, *p) || (opens && okra_is_blank(*p, 0));
    }
    return NULL;
}

bool okra_has_decimal_comma(const char *begin, const char *end)
{
    char text[64];
    size_t length = (size_t)(end - begin);
    const char *comma = memchr(begin, ',', length);
    double x;
    if (!comma || length >= sizeof text)
        return false;
    memcpy(text, begin, length);
    text[length] = '\0';
    text[comma - begin] = '.';
    return okra_parse_real(text, text + length, &x) == OKRA_NUMBER_REAL;
}

/* Whether all commas are ordinary parts of fields: each before a blank, or the decimal comma of a number. */
static bool may_hold_its_commas(const okra_field *f)
{
    if (f->quoted || okra_has_decimal_comma(f->begin, f->end))
        return true;
    for (const char *p = f->begin; (p = memchr(p, ',', (size_t)(f->end - p))); p++)
        if (p == f->begin || p + 1 == f->end || p[1] != ' ')
            return false;
    return true;
}

static bool commas_are_inside(const okra_record *first, char separator)
{
    const char *end = first->text + first->length, *p = first->text;
    for (;; p++) {
        okra_field f = okra_take_field(p, end, separator, &p);
        if (!may_hold_its_commas(&f))
            return false;
        if (p == end)
            return true;
    }
}

char okra_guess_separator(const okra_record *first, bool tabs)
{
    char other = ';';
    if (tabs && find_outside(first, '\t'))
        other = '\t';
    if (!find_outside(first, other) || (find_outside(first, ',') && !commas_are_inside(first, other)))
        return ',';
    return other;
}

const char *okra_foreign_separator(const char *begin, const char *end)
{
    size_t count = 0;
    bool bars = false;
    double x;
    for (const char *p = begin; p < end;) {
        const char *stop = p;
        while (stop < end && *stop != '|' && !okra_is_blank(*stop, 0))
            stop++;
        if (stop > p && okra_parse_real(p, stop, &x) != OKRA_NUMBER_REAL)
            return NULL;
        count += stop > p;
        bars |= stop < end && *stop == '|';
        p = stop + 1;
    }
    if (count < 2)
        return NULL;
    return bars ? "holds numbers separated by '|': separate them by commas or tabs, as in tr '|' ','"
                : "holds numbers separated by blanks: separate them by commas or tabs, as in awk '{$1=$1}1' OFS=,";
}

okra_first_line okra_survey(const okra_record *first, char separator, const okra_missing *missing)
{
    const char *end = first->text + first->length, *p = first->text;
    okra_first_line line = {0};
    double x;
    for (;; p++) {
        okra_field f = okra_take_field(p, end, separator, &p);
        okra_number kind = okra_read_field(&f, missing, &x);
        line.fields++;
        line.texts += kind == OKRA_NUMBER_TEXT;
        line.numbers += kind != OKRA_NUMBER_TEXT && kind != OKRA_NUMBER_MISSING;
        line.empty_at_end = f.begin == f.end ? line.empty_at_end + 1 : 0;
        line.decimal_commas |= kind == OKRA_NUMBER_TEXT && separator != ',' && okra_has_decimal_comma(f.begin, f.end);
        if (p == end)
            return line;
    }
}

/* A record does not end in a carriage return, so any one found is inside it. */
static bool holds_bare_cr(const okra_record *first)
{
    return memchr(first->text, '\r', first->length) && find_outside(first, '\r');
}

/* Whether it begins like JSON: with this brace or bracket, but not as in a name, [m/s] or {x}. */
static bool begins_as_json(const okra_record *first, char opening, const char *inside)
{
    const char *end = first->text + first->length, *p = okra_skip_blanks(first->text, end, 0);
    if (p == end || *p != opening)
        return false;
    p = okra_skip_blanks(p + 1, end, 0);
    return p == end || strchr(inside, *p);
}

const char *okra_no_table(const okra_record *first)
{
    if (memchr(first->text, '\0', first->length))
        return "holds a zero byte, so it is not CSV text: if it is UTF-16, save it as UTF-8";
    if (holds_bare_cr(first))
        return "lines end in CR alone: convert them, as in tr '\\r' '\\n'";
    if (begins_as_json(first, '{', "\"}"))
        return "is JSON, of which an object a line can be read: make that, as in jq -c .";
    if (begins_as_json(first, '[', "[{\"]-0123456789"))
        return "is JSON, of which an object a line can be read: make that, as in jq -c '.[]'";
    return NULL;
}
