/*
 * Figures as files: the curves as CSV, a gnuplot script beside them to edit, and the pictures it draws.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <okra/io.h>

#include "paper.h"

static FILE *create(const paper_request *request, const char *name, const char *ending, char *path, size_t size)
{
    if ((size_t)snprintf(path, size, "%s/%s%s", request->directory, name, ending) >= size)
        return NULL;
    return fopen(path, "w");
}

static int cannot_write(const char *path)
{
    return talk_fail(EXIT_IO, "'%s' cannot be written: name another --out DIR", path);
}

static int write_csv(const paper_experiment *e, const paper_request *request, const paper_outcome *outcomes)
{
    char path[4096];
    FILE *csv = create(request, e->name, ".csv", path, sizeof path);
    if (!csv)
        return cannot_write(path);
    fputs("n", csv);
    for (size_t k = 0; k < e->n_curves; k++)
        fprintf(csv, ",%s", e->curves[k].name);
    for (size_t n = 0; n < e->samples; n++) {
        fprintf(csv, "\n%zu", n + 1);
        for (size_t k = 0; k < e->n_curves; k++) {
            char text[OKRA_REAL_TEXT];
            okra_format_real(outcomes[k].result.mse[n], text);
            fprintf(csv, ",%s", text);
        }
    }
    fputs("\n", csv);
    bool good = !ferror(csv);
    return fclose(csv) == 0 && good ? EXIT_DONE : cannot_write(path);
}

/* ---- scripts ------------------------------------------------------------------------------------------------ */

static const char *const colours[PAPER_CURVES] = {"#b5542b", "#1f5f8b", "#1f6f3f", "#6b4a8b"};

/* A curve is an average of squares, and noisy: what is drawn is its mean over some 150 stretches. */
static size_t stretch(const paper_experiment *e) { return e->samples / 150 ? e->samples / 150 : 1; }

static void write_style(FILE *gp, const paper_experiment *e)
{
    fprintf(gp,
            "# gnuplot %s.gp draws %s.png and %s.svg from %s.csv\n"
            "set datafile separator ','\n"
            "set border 3 lc rgb '#444444'\nset tics nomirror out textcolor rgb '#222222'\n"
            "set grid lt 1 lw 0.6 lc rgb '#e2e2e2'\n"
            "set xlabel 'n'\nset ylabel 'mean squared error (dB)'\n"
            "set xrange [0:%zu]\nset yrange [%g:%g]\n"
            "set key top right samplen 2 spacing 1.15\n"
            "dB(x) = 10 * log10(x)\n",
            e->name, e->name, e->name, e->name, e->samples, e->bottom, e->top);
}

/* The CSV's column of curve k, averaged over stretches. */
static void write_plot(FILE *gp, const paper_experiment *e, size_t k)
{
    size_t width = stretch(e);
    fprintf(gp,
            "'%s.csv' every ::1 using (floor(($1 - 1) / %zu) * %zu + %zu):(dB($%zu)) smooth unique with lines lw 1.8 "
            "lc rgb '%s' "
            "title '%s'",
            e->name, width, width, width / 2, k + 2, colours[k], e->curves[k].title);
}

static void write_together(FILE *gp, const paper_experiment *e, size_t runs)
{
    fprintf(gp, "set title '%s (%zu runs)' font ',11'\nplot ", e->title, runs);
    for (size_t k = 0; k < e->n_curves; k++) {
        write_plot(gp, e, k);
        fputs(k + 1 < e->n_curves ? ", \\\n     " : "\n", gp);
    }
}

/* A panel a curve, with the theory's two lines. */
static void write_panels(FILE *gp, const paper_experiment *e, const paper_outcome *outcomes, size_t runs)
{
    fprintf(gp, "set multiplot layout 2,2 title '%s, %zu runs'\n", e->title, runs);
    for (size_t k = 0; k < e->n_curves; k++) {
        fprintf(gp, "set title '(%c) %s' font ',11'\nplot ", (int)('a' + k), e->curves[k].title);
        write_plot(gp, e, k);
        fprintf(gp,
                " , %.4f with lines dt 2 lw 1.4 lc rgb '#222222' title 'theory, refined', \\\n"
                "     %.4f with lines dt 3 lw 1.4 lc rgb '#888888' title 'theory, as printed'\n",
                10 * log10(outcomes[k].theory.mse), 10 * log10(outcomes[k].theory.mse_paper));
    }
    fputs("unset multiplot\n", gp);
}

static void write_picture(FILE *gp, const paper_experiment *e, const paper_outcome *outcomes, size_t runs,
                          const char *terminal, const char *ending)
{
    fprintf(gp, "\nset terminal %s\nset output '%s%s'\n", terminal, e->name, ending);
    if (e->together)
        write_together(gp, e, runs);
    else
        write_panels(gp, e, outcomes, runs);
    fputs("unset output\n", gp);
}

static int write_script(const paper_experiment *e, const paper_request *request, const paper_outcome *outcomes,
                        size_t runs)
{
    char path[4096];
    FILE *gp = create(request, e->name, ".gp", path, sizeof path);
    if (!gp)
        return cannot_write(path);
    bool wide = !e->together;
    write_style(gp, e);
    write_picture(
        gp, e, outcomes, runs,
        wide ? "pngcairo size 1500,1100 font 'sans,14' fontscale 1.0" : "pngcairo size 900,620 font 'sans,14'", ".png");
    write_picture(gp, e, outcomes, runs, wide ? "svg size 1000,730 font 'sans,12'" : "svg size 600,413 font 'sans,12'",
                  ".svg");
    bool good = !ferror(gp);
    return fclose(gp) == 0 && good ? EXIT_DONE : cannot_write(path);
}

/* ---- pictures ----------------------------------------------------------------------------------------------- */

static void draw(const paper_experiment *e, const paper_request *request)
{
    char command[8192];
    snprintf(command, sizeof command, "cd '%s' && gnuplot %s.gp 2> /dev/null", request->directory, e->name);
    if (system(command) != 0)
        talk_note("%s/%s.gp was not drawn: install gnuplot, then run it there", request->directory, e->name);
}

int paper_draw(const paper_experiment *e, const paper_request *request, const paper_outcome *outcomes, size_t runs)
{
    int status = write_csv(e, request, outcomes);
    if (!status)
        status = write_script(e, request, outcomes, runs);
    if (!status)
        draw(e, request);
    return status;
}
