#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- spreads ------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value at a share of the way through sorted ones, between two of them by interpolation. */
static double quantile(const double *sorted, size_t n, double share)
{
    double place = share * (double)(n - 1);
    size_t low = (size_t)place, high = low + 1 < n ? low + 1 : low;
    return sorted[low] + (place - (double)low) * (sorted[high] - sorted[low]);
}

spread spread_make(double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(values[i]))
            return (spread){NAN, NAN, NAN};
    qsort(values, n, sizeof *values, ascending);
    return (spread){quantile(values, n, 0.5), quantile(values, n, 0.1), quantile(values, n, 0.9)};
}

/* ---- tables -------------------------------------------------------------------------------------------------- */

void report_section(report *r, okra_json_writer *json) { *r = (report){.json = json}; }

void report_table(report *r, const char *name, const char *format, ...)
{
    va_list arguments;
    r->table = name;
    r->printed[0] = '\0';
    putchar('\n');
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

void report_note(report *r, const char *format, ...)
{
    va_list arguments;
    (void)r;
    fputs("  ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

void report_row(report *r)
{
    if (strcmp(r->head, r->printed) != 0)
        printf("%s\n", r->head);
    memcpy(r->printed, r->head, sizeof r->printed);
    printf("%s\n", r->line);
    fflush(stdout);
    if (r->table)
        okra_json_put_text(r->json, "table", r->table);
    okra_json_close(r->json);
    r->in_row = false;
    r->head[0] = r->line[0] = '\0';
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

static void append(char *line, size_t size, int width, const char *text)
{
    size_t used = strlen(line);
    snprintf(line + used, size - used, " %*s", width, text);
}

/* A negative width aligns to the left. The value is the caller's to add. */
static void column(report *r, const char *key, int width, const char *text)
{
    if (!r->in_row)
        okra_json_open(r->json, NULL, '{');
    r->in_row = true;
    append(r->head, sizeof r->head, width, key);
    append(r->line, sizeof r->line, width, text);
}

static int wide_enough(const char *key, int width) { return (int)strlen(key) > width ? (int)strlen(key) : width; }

/* Three digits, or all there are before the point. */
static const char *number_text(double value, char text[32])
{
    if (isnan(value))
        return "-";
    snprintf(text, 32, fabs(value) >= 100 ? "%.0f" : fabs(value) >= 10 ? "%.1f" : "%.2f", value);
    return text;
}

void report_text(report *r, const char *key, int width, const char *value)
{
    column(r, key, -wide_enough(key, width), value);
    okra_json_put_text(r->json, key, value);
}

void report_count(report *r, const char *key, size_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    column(r, key, wide_enough(key, 5), text);
    okra_json_put_count(r->json, key, value);
}

void report_real(report *r, const char *key, double value)
{
    char text[32];
    column(r, key, wide_enough(key, 8), number_text(value, text));
    okra_json_put_real(r->json, key, value);
}

void report_spread(report *r, const char *key, spread value)
{
    char number[32], text[64];
    snprintf(text, sizeof text, "%s", number_text(value.median, number));
    if (isfinite(value.median))
        snprintf(text, sizeof text, "%s ~%.0f%%", number_text(value.median, number),
                 50 * (value.p90 - value.p10) / value.median);
    column(r, key, wide_enough(key, 10), text);
    okra_json_open(r->json, key, '{');
    okra_json_put_real(r->json, "median", value.median);
    okra_json_put_real(r->json, "p10", value.p10);
    okra_json_put_real(r->json, "p90", value.p90);
    okra_json_close(r->json);
}
