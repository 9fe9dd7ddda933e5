/*
 * The paper's figures: the curves as CSV, and what their scripts plot.
 */
#include <math.h>
#include <stdio.h>

#include <okra/io.h>

#include "../draw/figure.h"
#include "paper.h"

static int write_csv(const paper_experiment *e, const figure *of, const paper_outcome *outcomes)
{
    figure_file csv;
    int status = figure_create(&csv, of, ".csv");
    if (status)
        return status;
    fputs("n", csv.file);
    for (size_t k = 0; k < e->n_curves; k++)
        fprintf(csv.file, ",%s", e->curves[k].name);
    for (size_t n = 0; n < e->samples; n++) {
        fprintf(csv.file, "\n%zu", n + 1);
        for (size_t k = 0; k < e->n_curves; k++) {
            char text[OKRA_REAL_TEXT];
            okra_format_real(outcomes[k].result.mse[n], text);
            fprintf(csv.file, ",%s", text);
        }
    }
    fputs("\n", csv.file);
    return figure_close(&csv);
}

/* ---- scripts ------------------------------------------------------------------------------------------------ */

/* What a picture shows. */
typedef struct view {
    const paper_experiment *e;
    const paper_outcome *outcomes;
    size_t runs;
} view;

/* A curve is an average of squares, and noisy: what is drawn is its mean over some 150 intervals. */
static size_t interval(const paper_experiment *e) { return e->samples / 150 ? e->samples / 150 : 1; }

/* The CSV's column of curve k, averaged over intervals. */
static void write_plot(FILE *gp, const paper_experiment *e, size_t k)
{
    size_t width = interval(e);
    fprintf(gp,
            "'%s.csv' every ::1 using (floor(($1 - 1) / %zu) * %zu + %zu):(dB($%zu)) smooth unique with lines lw 1.8 "
            "lc rgb '%s' "
            "title '%s'",
            e->name, width, width, width / 2, k + 2, figure_colour(k), e->curves[k].title);
}

static void write_together(FILE *gp, const void *context)
{
    const view *v = context;
    fprintf(gp, "set title '%s (%zu runs)' font ',11'\nplot ", v->e->title, v->runs);
    for (size_t k = 0; k < v->e->n_curves; k++) {
        write_plot(gp, v->e, k);
        fputs(k + 1 < v->e->n_curves ? ", \\\n     " : "\n", gp);
    }
}

/* A panel a curve, with the theory's two lines. */
static void write_panels(FILE *gp, const void *context)
{
    const view *v = context;
    fprintf(gp, "set multiplot layout 2,2 title '%s, %zu runs'\n", v->e->title, v->runs);
    for (size_t k = 0; k < v->e->n_curves; k++) {
        fprintf(gp, "set title '(%c) %s' font ',11'\nplot ", (int)('a' + k), v->e->curves[k].title);
        write_plot(gp, v->e, k);
        fprintf(gp,
                " , %.4f with lines dt 2 lw 1.4 lc rgb '#222222' title 'theory, refined', \\\n"
                "     %.4f with lines dt 3 lw 1.4 lc rgb '#888888' title 'theory, as printed'\n",
                10 * log10(v->outcomes[k].theory.mse), 10 * log10(v->outcomes[k].theory.mse_paper));
    }
    fputs("unset multiplot\n", gp);
}

static int write_script(const view *v, const figure *of)
{
    const paper_experiment *e = v->e;
    figure_file gp;
    int status = figure_create(&gp, of, ".gp");
    if (status)
        return status;
    figure_style(gp.file, of);
    fprintf(gp.file,
            "set xlabel 'n'\nset ylabel 'mean squared error (dB)'\n"
            "set xrange [0:%zu]\nset yrange [%g:%g]\n"
            "set key top right samplen 2 spacing 1.15\n",
            e->samples, e->bottom, e->top);
    if (e->together)
        figure_pictures(gp.file, of, 600, 413, write_together, v);
    else
        figure_pictures(gp.file, of, 1000, 733, write_panels, v);
    return figure_close(&gp);
}

int paper_draw(const paper_experiment *e, const paper_request *request, const paper_outcome *outcomes, size_t runs)
{
    figure of = {.directory = request->directory, .name = e->name};
    view v = {.e = e, .outcomes = outcomes, .runs = runs};
    int status = write_csv(e, &of, outcomes);
    if (!status)
        status = write_script(&v, &of);
    if (!status)
        figure_draw(&of);
    return status;
}
