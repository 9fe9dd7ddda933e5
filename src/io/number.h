/* Numbers as text, inside libokra-io: one reader for every text format, independent of the locale. */
#ifndef OKRA_IO_NUMBER_H
#define OKRA_IO_NUMBER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/io.h>

/* What a piece of text is. */
typedef enum okra_number {
    OKRA_NUMBER_REAL,     /* a finite number                                   */
    OKRA_NUMBER_MISSING,  /* empty, or nan: reads as NaN */
    OKRA_NUMBER_INFINITE, /* inf, in any of its spellings                      */
    OKRA_NUMBER_LARGE,    /* written as a number, but beyond the largest double */
    OKRA_NUMBER_TEXT      /* anything else, hexadecimal floats too             */
} okra_number;

/*
 * Reads the longest decimal number that [begin, end) begins with into *x, correctly rounded, and returns where it ends;
 * infinity if it is too large. NULL, with *x unchanged, if there is none: blanks, words and hexadecimal are not
 * accepted. *end must be readable, and not a character that could continue a number: a comma, a blank, a quote, a NUL.
 */
const char *okra_scan_real(const char *begin, const char *end, double *x);

/*
 * Reads the text in [begin, end), which has no blanks around it, into *x; NaN if it is not OKRA_NUMBER_REAL. *end is as
 * for okra_scan_real().
 */
okra_number okra_parse_real(const char *begin, const char *end, double *x);

/* Reads an integer as written by %llu: digits only, no sign, no leading zero. */
bool okra_parse_count(const char *text, uint64_t *value);

/* Writes x with 1 to 17 significant digits, trailing zeros left out, as printf's %g does in the C locale. */
size_t okra_format_digits(double x, int digits, char text[OKRA_REAL_TEXT]);

/* The C locale, made once and never freed; 0 if memory runs out. */
locale_t okra_c_locale(void);

#endif
