/*
 * The comparison as a table, and the same numbers as JSON.
 */
#include <math.h>
#include <string.h>

#include "compare.h"
#include "../common/json_file.h"
#include "../common/params.h"
#include "../common/message.h"

/* ---- what came out ------------------------------------------------------------------------------------------- */

typedef struct figures {
    double nmse, mse, ns;
    size_t bytes;
    okra_stats stats;
    bool has_dictionary;
} figures;

static figures measure(const compared *k)
{
    const okra_spec *spec = okra_get_spec(k->runner.learner.model);
    bool stopped = k->runner.status != OKRA_OK;
    figures f = {.nmse = stopped ? (double)INFINITY : score_value(&k->score, "nmse"),
                 .mse = stopped ? (double)INFINITY : score_value(&k->score, "mse"),
                 .ns = 1e9 * k->seconds / (double)k->runner.rows,
                 .has_dictionary = recipe_param(okra_recipe_find(spec->recipe), "capacity")};
    okra_get_stats(k->runner.learner.model, &f.stats);
    f.bytes = f.stats.bytes;
    return f;
}

static double decibel(double x) { return 10 * log10(x); }

static const char *verdict(const compared *k)
{
    return k->runner.status == OKRA_E_DIVERGED ? "diverged" : k->runner.status ? "refused a row" : "";
}

/* ---- as text ------------------------------------------------------------------------------------------------- */

static int label_width(const comparison *c)
{
    size_t width = strlen("recipe");
    for (size_t k = 0; k < c->n; k++) {
        size_t length = strlen(c->runners[k].entry->label);
        width = length > width ? length : width;
    }
    return width < 60 ? (int)width : 60;
}

/* A number in its column, or a dash. */
static void print_number(int width, const char *format, double x)
{
    char text[64];
    snprintf(text, sizeof text, isfinite(x) ? format : "-", x);
    printf(" %*s", width, text);
}

static void print_row(const compared *k, char mark, int width)
{
    figures f = measure(k);
    printf("%c  %-*s ", mark, width, k->entry->label);
    print_number(10, "%.4g", f.nmse);
    print_number(8, "%.2f", decibel(f.nmse));
    print_number(9, "%.0f", f.ns);
    print_number(11, "%.0f", (double)f.bytes);
    print_number(8, "%.0f", f.has_dictionary ? (double)f.stats.centres : (double)NAN);
    if (k->runner.status)
        printf("  %s after row %llu", verdict(k), (unsigned long long)k->runner.rows);
    putchar('\n');
}

void compare_print(const comparison *c)
{
    int width = label_width(c);
    printf("   %-*s  %10s %8s %9s %11s %8s\n", width, "recipe", "NMSE", "dB", "ns/row", "bytes", "centres");
    for (size_t k = 0; k < c->n; k++)
        print_row(&c->runners[k], compare_mark(k), width);
}

/* Why there are dashes though nothing went wrong. */
void compare_note(const comparison *c)
{
    const score *unknown = NULL;
    for (size_t k = 0; k < c->n; k++)
        if (!c->runners[k].runner.status && isnan(score_value(&c->runners[k].score, "nmse")))
            unknown = &c->runners[k].score;
    if (unknown && unknown->rows == 0)
        message_note(
            "no NMSE: no row was scored: every row lacks its target or an input, or comes before --score-from");
    else if (unknown)
        message_note("no NMSE: the target is the same in every scored row: name another --target");
}

/* ---- as JSON ------------------------------------------------------------------------------------------------- */

static void describe(okra_json_writer *w, const compared *k)
{
    figures f = measure(k);
    okra_json_open(w, NULL, '{');
    okra_json_put_text(w, "label", k->entry->label);
    okra_json_put_text(w, "recipe", k->entry->spec.recipe);
    okra_json_put_real(w, "nmse", f.nmse);
    okra_json_put_real(w, "nmse_db", decibel(f.nmse));
    okra_json_put_real(w, "mse", f.mse);
    okra_json_put_real(w, "mse_db", decibel(f.mse));
    okra_json_put_count(w, "rows", k->runner.rows);
    okra_json_put_real(w, "seconds", k->seconds);
    okra_json_put_real(w, "ns_per_row", f.ns);
    okra_json_put_count(w, "bytes", f.bytes);
    if (f.has_dictionary)
        okra_json_put_count(w, "centres", f.stats.centres);
    if (k->runner.status)
        okra_json_put_text(w, "stopped", verdict(k));
    okra_json_close(w);
}

int compare_write(const comparison *c, output *out)
{
    okra_json_writer made = {.indent = 2}, *w = &made;
    okra_json_open(w, NULL, '{');
    okra_json_put_count(w, "rows", c->rows->before + c->rows->rows.n);
    okra_json_put_count(w, "skipped", c->rows->skipped);
    okra_json_open(w, "runners", '[');
    for (size_t k = 0; k < c->n; k++)
        describe(w, &c->runners[k]);
    okra_json_close(w), okra_json_close(w);
    return json_file_write(out, w);
}
