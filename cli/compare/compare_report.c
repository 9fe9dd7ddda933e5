/*
 * The comparison as a table, and the same numbers as JSON.
 */
#include <math.h>
#include <string.h>

#include "compare.h"
#include "../common/metrics.h"
#include "../common/params.h"
#include "../common/talk.h"

/* ---- what came out ------------------------------------------------------------------------------------------- */

typedef struct figures {
    double nmse, mse, ns;
    size_t bytes;
    okra_stats stats;
    bool has_dictionary;
} figures;

static figures measure(const contender *k)
{
    const okra_spec *spec = okra_get_spec(k->entrant.learner.model);
    bool stopped = k->entrant.status != OKRA_OK;
    figures f = {.nmse = stopped ? (double)INFINITY : score_nmse(&k->score),
                 .mse = stopped ? (double)INFINITY : score_mse(&k->score),
                 .ns = 1e9 * k->seconds / (double)k->entrant.rows,
                 .has_dictionary = recipe_param(okra_recipe_find(spec->recipe), "capacity")};
    okra_get_stats(k->entrant.learner.model, &f.stats);
    f.bytes = f.stats.bytes;
    return f;
}

static double decibel(double x) { return 10 * log10(x); }

static const char *verdict(const contender *k)
{
    return k->entrant.status == OKRA_E_DIVERGED ? "diverged" : k->entrant.status ? "refused a row" : "";
}

/* ---- as text ------------------------------------------------------------------------------------------------- */

static int label_width(const comparison *c)
{
    size_t width = strlen("recipe");
    for (size_t k = 0; k < c->n; k++) {
        size_t length = strlen(c->contenders[k].entry->label);
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

static void print_row(const contender *k, char mark, int width)
{
    figures f = measure(k);
    printf("%c  %-*s ", mark, width, k->entry->label);
    print_number(10, "%.4g", f.nmse);
    print_number(8, "%.2f", decibel(f.nmse));
    print_number(9, "%.0f", f.ns);
    print_number(11, "%.0f", (double)f.bytes);
    print_number(8, "%.0f", f.has_dictionary ? (double)f.stats.centres : (double)NAN);
    if (k->entrant.status)
        printf("  %s after row %llu", verdict(k), (unsigned long long)k->entrant.rows);
    putchar('\n');
}

void compare_print(const comparison *c)
{
    int width = label_width(c);
    printf("   %-*s  %10s %8s %9s %11s %8s\n", width, "recipe", "NMSE", "dB", "ns/row", "bytes", "centres");
    for (size_t k = 0; k < c->n; k++)
        print_row(&c->contenders[k], compare_mark(k), width);
}

/* Why there are dashes though nothing went wrong. */
void compare_tell(const comparison *c)
{
    const score *unknown = NULL;
    for (size_t k = 0; k < c->n; k++)
        if (!c->contenders[k].entrant.status && isnan(score_nmse(&c->contenders[k].score)))
            unknown = &c->contenders[k].score;
    if (unknown && unknown->rows == 0)
        talk_note("there is no NMSE: no row was scored: each lacks its target or what it is predicted from, or comes "
                  "before --score-from");
    else if (unknown)
        talk_note("there is no NMSE: the target is the same in every row scored, and there is nothing to learn: name "
                  "another --target");
}

/* ---- as JSON ------------------------------------------------------------------------------------------------- */

static json_t *describe(const contender *k)
{
    figures f = measure(k);
    json_t *all = json_object();
    json_object_set_new(all, "label", json_string(k->entry->label));
    json_object_set_new(all, "recipe", json_string(k->entry->spec.recipe));
    json_object_set_new(all, "nmse", metrics_real(f.nmse));
    json_object_set_new(all, "nmse_db", metrics_real(decibel(f.nmse)));
    json_object_set_new(all, "mse", metrics_real(f.mse));
    json_object_set_new(all, "mse_db", metrics_real(decibel(f.mse)));
    json_object_set_new(all, "rows", json_integer((json_int_t)k->entrant.rows));
    json_object_set_new(all, "seconds", metrics_real(k->seconds));
    json_object_set_new(all, "ns_per_row", metrics_real(f.ns));
    json_object_set_new(all, "bytes", json_integer((json_int_t)f.bytes));
    if (f.has_dictionary)
        json_object_set_new(all, "centres", json_integer((json_int_t)f.stats.centres));
    if (k->entrant.status)
        json_object_set_new(all, "stopped", json_string(verdict(k)));
    return all;
}

int compare_write(const comparison *c, output *out)
{
    json_t *all = json_object(), *list = json_array();
    json_object_set_new(all, "rows", json_integer((json_int_t)c->rows->before + (json_int_t)c->rows->n));
    json_object_set_new(all, "skipped", json_integer((json_int_t)c->rows->skipped));
    for (size_t k = 0; k < c->n; k++)
        json_array_append_new(list, describe(&c->contenders[k]));
    json_object_set_new(all, "contenders", list);
    return metrics_write(out, all);
}
