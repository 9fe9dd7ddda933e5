/*
 * Learning curves: as CSV, as a picture of two panels, error against rows and against time, and in the terminal.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

#include "../draw/ascii_plot.h"
#include "compare.h"
#include "../common/message.h"

/* A curve that starts high, or diverges, must not press the others flat. */
static const double top_db = 10;

/* ---- CSV ----------------------------------------------------------------------------------------------------- */

static void write_real(FILE *csv, double x)
{
    char text[OKRA_REAL_TEXT];
    okra_format_real(x, text);
    fprintf(csv, ",%s", isfinite(x) ? text : "");
}

/* Labels are words and numbers; a list of widths has commas. */
static void write_header(FILE *csv, const comparison *c)
{
    fputs("n", csv);
    for (size_t k = 0; k < c->n; k++)
        fprintf(csv, ",\"mse %s\",\"seconds %s\"", c->runners[k].entry->label, c->runners[k].entry->label);
    putc('\n', csv);
}

static int write_csv(const comparison *c, const figure *of)
{
    figure_file csv;
    const curve *first = &c->runners[0].curve;
    int status = figure_create(&csv, of, ".csv");
    if (status)
        return status;
    write_header(csv.file, c);
    for (size_t i = 0; i < first->n; i++) {
        fprintf(csv.file, "%llu", (unsigned long long)first->points[i].rows);
        for (size_t k = 0; k < c->n; k++) {
            write_real(csv.file, curve_mse(&c->runners[k].curve, i));
            write_real(csv.file, c->runners[k].curve.points[i].seconds);
        }
        putc('\n', csv.file);
    }
    return figure_close(&csv);
}

/* ---- script -------------------------------------------------------------------------------------------------- */

/* Column 1 is the row; compared k has its error in column 2k + 2 and its seconds in the next. */
static void write_plots(FILE *gp, const comparison *c, bool against_time)
{
    for (size_t k = 0; k < c->n; k++) {
        fprintf(gp, "%s'compare.csv' every ::1 using %zu:(dB($%zu / variance)) with lines lw 1.8 lc rgb '%s' title ",
                k ? ", \\\n     " : "plot ", against_time ? 2 * k + 3 : 1, 2 * k + 2, figure_colour(k));
        figure_string(gp, c->runners[k].entry->label);
    }
    putc('\n', gp);
}

/* The share of the picture's width that the longest name takes in the key. */
static double key_width(const comparison *c)
{
    const double letter = 0.0056, line = 0.05, max_width = 0.35;
    size_t longest = 0;
    for (size_t k = 0; k < c->n; k++) {
        size_t length = strlen(c->runners[k].entry->label);
        longest = length > longest ? length : longest;
    }
    double width = line + letter * (double)longest;
    return width < max_width ? width : max_width;
}

static void write_panels(FILE *gp, const void *context)
{
    const comparison *c = context;
    double right = 1 - key_width(c);
    fprintf(
        gp,
        "set multiplot layout 1,2 margins 0.065,%.3f,0.14,0.95 spacing 0.085\n"
        "set key at screen %.3f,0.95 left top vertical Left reverse samplen 1.5 spacing 1.2 font ',11' noenhanced\n",
        right, right + 0.005);
    fputs("unset logscale x\nset xtics font ',11'\nset xlabel 'rows'\n", gp);
    write_plots(gp, c, false);
    fputs("set logscale x\nset format x '10^{%L}'\nset xlabel 'seconds of one core'\nunset key\n", gp);
    write_plots(gp, c, true);
    fputs("unset multiplot\nunset logscale x\nset format x '%h'\n", gp);
}

static int write_script(const comparison *c, const figure *of)
{
    figure_file gp;
    int status = figure_create(&gp, of, ".gp");
    if (status)
        return status;
    figure_style(gp.file, of);
    fprintf(gp.file,
            "variance = %.9g # of the targets\n"
            "set ylabel 'squared error over variance (dB)'\nset yrange [*:*<%g]\n",
            compare_variance(c), top_db);
    figure_pictures(gp.file, of, 1000, 413, write_panels, c);
    return figure_close(&gp);
}

int compare_draw(const comparison *c, const char *directory)
{
    figure of = {.directory = directory, .name = "compare"};
    int status = write_csv(c, &of);
    if (!status)
        status = write_script(c, &of);
    if (!status)
        figure_draw(&of);
    return status;
}

/* ---- terminal ------------------------------------------------------------------------------------------------ */

/* The curves of all runners as numbers: for each, its rows, its seconds and its decibels. */
static double *tabulate(const comparison *c)
{
    double *numbers = calloc(3 * CURVE_POINTS * c->n, sizeof *numbers), variance = compare_variance(c);
    for (size_t k = 0; numbers && k < c->n; k++) {
        const curve *own = &c->runners[k].curve;
        double *rows = numbers + 3 * CURVE_POINTS * k, *seconds = rows + CURVE_POINTS, *db = seconds + CURVE_POINTS;
        for (size_t i = 0; i < own->n; i++) {
            rows[i] = (double)own->points[i].rows;
            seconds[i] = own->points[i].seconds;
            db[i] = 10 * log10(curve_mse(own, i) / variance);
        }
    }
    return numbers;
}

static void plot_against(const comparison *c, const double *numbers, bool time)
{
    ascii_curve curves[RECIPES_MAX];
    for (size_t k = 0; k < c->n; k++) {
        const double *own = numbers + 3 * CURVE_POINTS * k;
        curves[k] = (ascii_curve){.mark = compare_mark(k),
                                  .n = c->runners[k].curve.n,
                                  .x = time ? own + CURVE_POINTS : own,
                                  .y = own + 2 * CURVE_POINTS};
    }
    putchar('\n');
    ascii_plot(stdout, time ? "seconds of one core" : "rows", time, top_db, c->n, curves);
}

void compare_plot(const comparison *c)
{
    double *numbers = tabulate(c);
    if (!numbers)
        return;
    plot_against(c, numbers, false);
    plot_against(c, numbers, true);
    free(numbers);
}
