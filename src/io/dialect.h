/*
 * What the first line of a text tells, inside libokra-io: how fields are separated, whether it names them, and what is
 * wrong with texts that are no table at all. The first line alone, because the second may be long in coming.
 */
#ifndef OKRA_IO_DIALECT_H
#define OKRA_IO_DIALECT_H

#include "fields.h"

/*
 * The comma, where there is one; else, where `tabs` may be it, the tab; else the semicolon. Where there is a comma and
 * one of the others too, the other is it if every comma then stands inside a field as people write it: between the
 * digits of a decimal (1,5;2,5), or before a blank (temp, C;hum, %).
 */
char okra_guess_separator(const okra_record *first, bool tabs);

typedef struct okra_first_line {
    size_t fields;
    size_t numbers, texts; /* of them; a field that is empty or nan is neither */
    size_t empty_at_end;   /* how many of the last fields are empty */
    bool decimal_commas;   /* a field is a number but for its comma */
} okra_first_line;

okra_first_line okra_survey(const okra_record *first, char separator);

/* What to say of a text that is no table; NULL where it may be one. */
const char *okra_no_table(const okra_record *first);

/* Whether [begin, end) would be a number if its comma were a point. */
bool okra_has_decimal_comma(const char *begin, const char *end);

/* What to say of [begin, end) that holds several numbers, separated by blanks or '|'; NULL: it holds something else. */
const char *okra_foreign_separator(const char *begin, const char *end);

#endif
