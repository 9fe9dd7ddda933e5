/* What stands for a missing value, besides an empty field and nan. */
#ifndef OKRA_IO_MISSING_H
#define OKRA_IO_MISSING_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/io.h>

enum { OKRA_MISSING_MAX = 32 };

typedef struct okra_missing {
    char *text; /* the words */
    const char *words[OKRA_MISSING_MAX];
    size_t lengths[OKRA_MISSING_MAX], n_words;
    double numbers[OKRA_MISSING_MAX];
    size_t n_numbers;
} okra_missing;

/* Reads a list as in okra_table_options.missing. Free it in either case. */
okra_status okra_missing_read(okra_missing *m, const char *list, const char *path, okra_message *why);
void okra_missing_free(okra_missing *m);

/* Whether the text in [begin, end) is one of the words, in any case. */
bool okra_missing_says(const okra_missing *m, const char *begin, const char *end);

/* NaN in place of the numbers. */
void okra_missing_blank(const okra_missing *m, double *row, size_t n);

#endif
