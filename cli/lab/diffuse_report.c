/*
 * What came of a network: a table, JSON, and the curves as a picture.
 */
#include <math.h>
#include <stdio.h>

#include <okra/io.h>

#include "diffuse.h"
#include "../draw/figure.h"
#include "../common/json_file.h"
#include "../common/message.h"

double diffuse_floor_db(const diffuse_request *request, const diffuse_outcome *outcome, size_t curve)
{
    size_t tail = request->samples / 20 ? request->samples / 20 : 1;
    double sum = 0;
    for (size_t n = request->samples - tail; n < request->samples; n++)
        sum += outcome->mse[curve][n];
    return 10 * log10(sum / (double)tail);
}

const char *diffuse_name(const diffuse_request *request, size_t curve)
{
    return curve == COOPERATIVE ? okra_diffusion_rule_name(request->plan.diffusion.rule)
                                : okra_diffusion_rule_name(curve == ISOLATED ? OKRA_ISOLATED : OKRA_AVERAGED);
}

/* ---- what it costs ------------------------------------------------------------------------------------------ */

/* Bytes that a node sends for every sample: theta, to each neighbour, at every K-th. */
static double bytes_of_theta(const diffuse_request *request, const diffuse_outcome *outcome)
{
    return network_degree(&request->plan) * (double)(outcome->features * sizeof(double)) /
           (double)request->plan.diffusion.every;
}

/* The same for a dictionary of QKLMS: centres and coefficients. */
static double bytes_of_dictionary(const diffuse_request *request, const diffuse_outcome *outcome)
{
    const okra_diffusion_spec *spec = &request->plan.diffusion;
    return network_degree(&request->plan) * (double)(outcome->centres * (spec->filter.inputs + 1) * sizeof(double)) /
           (double)spec->every;
}

/* ---- table and JSON ----------------------------------------------------------------------------------------- */

void diffuse_print(const diffuse_request *request, const diffuse_outcome *outcome)
{
    static const char *const help[] = {
        [COOPERATIVE] = "neighbours mix theta",
        [ISOLATED] = "every node alone",
        [AVERAGED] = "one theta for all, updated by the mean step",
    };
    const okra_graph *graph = request->plan.graph;
    const okra_spec *filter = &request->plan.diffusion.filter;
    printf("%zu nodes, %zu edges (%s), %.1f neighbours each; %zu runs of %zu samples of %s; D = %zu, mu = %g\n\n",
           graph->nodes, graph->edges, request->plan.topology, network_degree(&request->plan), outcome->runs,
           request->samples, network_source(&request->plan), outcome->features, filter->mu);
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        printf("%-10s %7.2f dB   %s\n", diffuse_name(request, c), diffuse_floor_db(request, outcome, c), help[c]);
    printf("\nbytes that a node sends per sample: %.0f (theta); %.0f for a QKLMS dictionary of %zu centres\ntime per "
           "node and sample: %.0f ns\n",
           bytes_of_theta(request, outcome), bytes_of_dictionary(request, outcome), outcome->centres,
           1e9 * outcome->seconds);
}

int diffuse_write(const diffuse_request *request, const diffuse_outcome *outcome, output *out)
{
    const okra_graph *graph = request->plan.graph;
    okra_json_writer made = {.indent = 2}, *w = &made;
    okra_json_open(w, NULL, '{');
    okra_json_put_count(w, "nodes", graph->nodes);
    okra_json_put_count(w, "edges", graph->edges);
    okra_json_put_text(w, "topology", request->plan.topology);
    okra_json_put_text(w, "source", network_source(&request->plan));
    okra_json_put_count(w, "samples", request->samples);
    okra_json_put_count(w, "runs", outcome->runs);
    okra_json_put_count(w, "features", outcome->features);
    okra_json_put_real(w, "mu", request->plan.diffusion.filter.mu);
    okra_json_put_count(w, "every", request->plan.diffusion.every);
    okra_json_open(w, "floor_db", '{');
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        okra_json_put_real(w, diffuse_name(request, c), diffuse_floor_db(request, outcome, c));
    okra_json_close(w);
    okra_json_put_real(w, "bytes_per_sample", bytes_of_theta(request, outcome));
    okra_json_put_count(w, "qklms_centres", outcome->centres);
    okra_json_put_real(w, "qklms_bytes_per_sample", bytes_of_dictionary(request, outcome));
    okra_json_put_real(w, "seconds_per_node_and_sample", outcome->seconds);
    okra_json_close(w);
    return json_file_write(out, w);
}

/* ---- curves ------------------------------------------------------------------------------------------------- */

typedef struct view {
    const diffuse_request *request;
    const diffuse_outcome *outcome;
} view;

static int write_csv(const view *v, const figure *of)
{
    figure_file csv;
    int status = figure_create(&csv, of, ".csv");
    if (status)
        return status;
    fputs("n", csv.file);
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        fprintf(csv.file, ",%s", diffuse_name(v->request, c));
    for (size_t n = 0; n < v->request->samples; n++) {
        fprintf(csv.file, "\n%zu", n + 1);
        for (size_t c = 0; c < DIFFUSE_CURVES; c++) {
            char text[OKRA_REAL_TEXT];
            okra_format_real(v->outcome->mse[c][n], text);
            fprintf(csv.file, ",%s", text);
        }
    }
    putc('\n', csv.file);
    return figure_close(&csv);
}

/* Curves are means of squares, and noisy: what is drawn is their mean over some 150 intervals. */
static void write_plots(FILE *gp, const void *context)
{
    const view *v = context;
    size_t width = v->request->samples / 150 ? v->request->samples / 150 : 1;
    fprintf(gp, "set title '%zu nodes, %.1f neighbours each, %zu runs' font ',11'\n", v->request->plan.graph->nodes,
            network_degree(&v->request->plan), v->outcome->runs);
    for (size_t c = 0; c < DIFFUSE_CURVES; c++)
        fprintf(
            gp,
            "%s'diffuse.csv' every ::1 using (floor(($1 - 1) / %zu) * %zu + %zu):(dB($%zu)) smooth unique with lines "
            "lw 1.8 lc rgb '%s' title '%s'",
            c ? ", \\\n     " : "plot ", width, width, width / 2, c + 2, figure_colour(c), diffuse_name(v->request, c));
    putc('\n', gp);
}

static int write_script(const view *v, const figure *of)
{
    figure_file gp;
    int status = figure_create(&gp, of, ".gp");
    if (status)
        return status;
    figure_style(gp.file, of);
    fprintf(gp.file,
            "set xlabel 'samples of each node'\nset ylabel 'mean squared error of the network (dB)'\n"
            "set xrange [0:%zu]\nset key top right samplen 2 spacing 1.15\n",
            v->request->samples);
    figure_pictures(gp.file, of, 600, 413, write_plots, v);
    return figure_close(&gp);
}

int diffuse_draw(const diffuse_request *request, const diffuse_outcome *outcome, const char *directory)
{
    figure of = {.directory = directory, .name = "diffuse"};
    view v = {.request = request, .outcome = outcome};
    int status = write_csv(&v, &of);
    if (!status)
        status = write_script(&v, &of);
    if (!status)
        figure_draw(&of);
    return status;
}
