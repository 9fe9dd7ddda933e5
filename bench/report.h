/*
 * Results of a section: rows of named values, printed as a table while it runs and stored as JSON.
 */
#ifndef OKRA_BENCH_REPORT_H
#define OKRA_BENCH_REPORT_H

#include <stddef.h>

#include "json/write.h"

/* A number over the rounds of a race. In the table: the median, and half the way from the 10th to the 90th percentile
 * in percent of it. */
typedef struct spread {
    double median, p10, p90;
} spread;

/* Of n numbers, which it sorts; NaN if there is one among them. */
spread spread_make(double *values, size_t n);

typedef struct report {
    okra_json_writer *json;    /* where the rows go */
    bool in_row;               /* one is being filled */
    const char *table;         /* NULL, or what every row says that it belongs to */
    char head[512], line[512]; /* of the row being filled */
    char printed[512];         /* the last heading printed */
} report;

/* Begins a section: its rows are items of the array that is open there. */
void report_section(report *r, okra_json_writer *json);

/* Starts a table: a title and, if a section has several, the name of its rows in the JSON. */
void report_table(report *r, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A line of its own, for what could not be measured. */
void report_note(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The row's columns, from left to right. Numbers that are NaN (a baseline that is not installed) are `-` and null. */
void report_text(report *r, const char *key, int width, const char *value);
void report_count(report *r, const char *key, size_t value);
void report_real(report *r, const char *key, double value);
void report_spread(report *r, const char *key, spread value);

/* Prints the row, under a heading if its columns differ from those of the row before. */
void report_row(report *r);

#endif
