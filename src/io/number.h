/*
 * Numbers as text, inside libokra-io: one reader of numbers for every text format, deaf to the user's locale.
 */
#ifndef OKRA_IO_NUMBER_H
#define OKRA_IO_NUMBER_H

#include <locale.h>

/* What a piece of text turned out to be. */
typedef enum okra_number {
    OKRA_NUMBER_REAL,     /* a finite number                                   */
    OKRA_NUMBER_MISSING,  /* nothing, or nan: reads as NaN                     */
    OKRA_NUMBER_INFINITE, /* inf, in any of its spellings                      */
    OKRA_NUMBER_LARGE,    /* written as a number, but beyond the largest double */
    OKRA_NUMBER_TEXT      /* anything else, hexadecimal floats too             */
} okra_number;

/*
 * Reads the text in [begin, end), which has no blanks around it, into *x; NaN where it is not OKRA_NUMBER_REAL.
 * *end must be readable, and no character that could go on a number: a comma, a blank, a quote, a NUL.
 */
okra_number okra_parse_real(const char *begin, const char *end, double *x);

/* The C locale, made once and never freed; 0 where there is no memory for it. */
locale_t okra_c_locale(void);

#endif
