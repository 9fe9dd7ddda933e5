/*
 * The experiments' results: error floors, dictionary sizes, times, and the paper's own figures.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "paper.h"

static double db(double mse) { return 10 * log10(mse); }

/* The mean over runs of floor_k - floor_0 in dB, and its standard error: paired, because realisations differ more than
 * filters. */
static void add_pairing(okra_json_writer *w, const paper_outcome *outcomes, size_t k, size_t runs)
{
    double sum = 0, square = 0, n = (double)runs;
    for (size_t r = 0; r < runs; r++) {
        double difference = db(outcomes[k].result.floor[r]) - db(outcomes[0].result.floor[r]);
        sum += difference, square += difference * difference;
    }
    okra_json_put_real(w, "paired_difference_db", sum / n);
    if (runs > 1)
        okra_json_put_real(w, "paired_standard_error_db", sqrt(fmax(0, square - sum * sum / n) / (n - 1) / n));
}

static void summarise_curve(okra_json_writer *w, const paper_experiment *e, const paper_outcome *outcomes, size_t k,
                            size_t runs)
{
    const paper_outcome *o = &outcomes[k];
    const paper_curve *curve = &e->curves[k];
    okra_json_open(w, curve->name, '{');
    okra_json_put_real(w, "floor_db", paper_floor_db(o, runs));
    okra_json_put_real(w, "seconds", o->result.seconds);
    if (o->result.centres > 0)
        okra_json_put_real(w, "dictionary", o->result.centres);
    if (curve->paper_dictionary > 0)
        okra_json_put_real(w, "dictionary_paper", curve->paper_dictionary);
    if (curve->paper_seconds > 0)
        okra_json_put_real(w, "seconds_paper", curve->paper_seconds);
    if (k > 0 && e->together)
        add_pairing(w, outcomes, k, runs);
    if (o->has_theory) {
        okra_json_put_real(w, "theory_db", db(o->theory.mse));
        okra_json_put_real(w, "theory_paper_db", db(o->theory.mse_paper));
        okra_json_put_real(w, "mu_max", o->theory.mu_max);
    }
    okra_json_close(w);
}

void paper_summary(okra_json_writer *w, const paper_experiment *e, const paper_outcome *outcomes, size_t runs)
{
    okra_json_put_count(w, "runs", runs);
    okra_json_put_count(w, "samples", e->samples);
    okra_json_open(w, "curves", '{');
    for (size_t k = 0; k < e->n_curves; k++)
        summarise_curve(w, e, outcomes, k, runs);
    okra_json_close(w);
}

/* ---- times -------------------------------------------------------------------------------------------------- */

/* A row of Table 1: the two filters of an experiment, one core. */
static int time_experiment(okra_json_writer *w, const paper_experiment *e, const paper_request *request)
{
    paper_outcome outcomes[PAPER_CURVES];
    paper_request one_core = *request;
    size_t runs = 0;
    one_core.threads = 1;
    one_core.runs = request->runs ? request->runs : e->samples > 5000 ? 20 : 200;
    int status = paper_run(e, &one_core, outcomes, &runs);
    if (status)
        return status;
    okra_json_open(w, e->signal, '{');
    paper_summary(w, e, outcomes, runs);
    const paper_curve *a = &e->curves[0], *b = &e->curves[1];
    double ratio = outcomes[0].result.seconds / outcomes[1].result.seconds;
    okra_json_put_real(w, "ratio", ratio);
    printf("%-10s %-10s %12.6f s   %-10s %12.6f s   ratio %6.2f", e->signal, a->name, outcomes[0].result.seconds,
           b->name, outcomes[1].result.seconds, ratio);
    if (a->paper_seconds > 0) {
        okra_json_put_real(w, "ratio_paper", a->paper_seconds / b->paper_seconds);
        printf("   paper %6.3f s %6.3f s, ratio %5.2f", a->paper_seconds, b->paper_seconds,
               a->paper_seconds / b->paper_seconds);
    }
    printf("   dictionary %.1f", outcomes[0].result.centres);
    if (a->paper_dictionary > 0)
        printf(" (paper %.0f)", a->paper_dictionary);
    putchar('\n');
    okra_json_close(w);
    paper_free(e, outcomes);
    return EXIT_DONE;
}

int paper_times(okra_json_writer *w, const paper_request *request, bool krls)
{
    const paper_experiment *e;
    int status = EXIT_DONE;
    for (size_t i = 0; (e = paper_experiment_at(i)) && !status; i++) {
        bool is_krls = strcmp(e->curves[0].name, "krls") == 0;
        if (e->together && is_krls == krls)
            status = time_experiment(w, e, request);
    }
    return status;
}
