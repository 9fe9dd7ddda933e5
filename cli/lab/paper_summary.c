/*
 * What the experiments come to, in numbers: floors, dictionary sizes, times, and what the paper printed beside them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "paper.h"

static double db(double mse) { return 10 * log10(mse); }

/* The mean over runs of floor_k - floor_0 in dB, and its standard error: paired, because realisations differ more than
 * filters. */
static void add_pairing(json_t *entry, const paper_outcome *outcomes, size_t k, size_t runs)
{
    double sum = 0, square = 0, n = (double)runs;
    for (size_t r = 0; r < runs; r++) {
        double difference = db(outcomes[k].result.floor[r]) - db(outcomes[0].result.floor[r]);
        sum += difference, square += difference * difference;
    }
    json_object_set_new(entry, "paired_difference_db", json_real(sum / n));
    if (runs > 1)
        json_object_set_new(entry, "paired_standard_error_db",
                            json_real(sqrt(fmax(0, square - sum * sum / n) / (n - 1) / n)));
}

static json_t *summarise_curve(const paper_experiment *e, const paper_outcome *outcomes, size_t k, size_t runs)
{
    const paper_outcome *o = &outcomes[k];
    const paper_curve *curve = &e->curves[k];
    json_t *entry = json_object();
    json_object_set_new(entry, "floor_db", json_real(paper_floor_db(o, runs)));
    json_object_set_new(entry, "seconds", json_real(o->result.seconds));
    if (o->result.centres > 0)
        json_object_set_new(entry, "dictionary", json_real(o->result.centres));
    if (curve->paper_dictionary > 0)
        json_object_set_new(entry, "dictionary_paper", json_real(curve->paper_dictionary));
    if (curve->paper_seconds > 0)
        json_object_set_new(entry, "seconds_paper", json_real(curve->paper_seconds));
    if (k > 0 && e->together)
        add_pairing(entry, outcomes, k, runs);
    if (o->has_theory) {
        json_object_set_new(entry, "theory_db", json_real(db(o->theory.mse)));
        json_object_set_new(entry, "theory_paper_db", json_real(db(o->theory.mse_paper)));
        json_object_set_new(entry, "mu_max", json_real(o->theory.mu_max));
    }
    return entry;
}

json_t *paper_summary(const paper_experiment *e, const paper_outcome *outcomes, size_t runs)
{
    json_t *entry = json_object(), *curves = json_object();
    json_object_set_new(entry, "runs", json_integer((json_int_t)runs));
    json_object_set_new(entry, "samples", json_integer((json_int_t)e->samples));
    for (size_t k = 0; k < e->n_curves; k++)
        json_object_set_new(curves, e->curves[k].name, summarise_curve(e, outcomes, k, runs));
    json_object_set_new(entry, "curves", curves);
    return entry;
}

/* ---- times -------------------------------------------------------------------------------------------------- */

/* A row of Table 1: the two filters of an experiment, one core. */
static json_t *time_experiment(const paper_experiment *e, const paper_request *request)
{
    paper_outcome outcomes[PAPER_CURVES];
    paper_request one_core = *request;
    size_t runs = 0;
    one_core.threads = 1;
    one_core.runs = request->runs ? request->runs : e->samples > 5000 ? 20 : 200;
    if (paper_run(e, &one_core, outcomes, &runs))
        return NULL;
    json_t *row = paper_summary(e, outcomes, runs);
    const paper_curve *a = &e->curves[0], *b = &e->curves[1];
    double ratio = outcomes[0].result.seconds / outcomes[1].result.seconds;
    json_object_set_new(row, "ratio", json_real(ratio));
    printf("%-10s %-10s %12.6f s   %-10s %12.6f s   ratio %6.2f", e->signal, a->name, outcomes[0].result.seconds,
           b->name, outcomes[1].result.seconds, ratio);
    if (a->paper_seconds > 0) {
        json_object_set_new(row, "ratio_paper", json_real(a->paper_seconds / b->paper_seconds));
        printf("   paper %6.3f s %6.3f s, ratio %5.2f", a->paper_seconds, b->paper_seconds,
               a->paper_seconds / b->paper_seconds);
    }
    printf("   dictionary %.1f", outcomes[0].result.centres);
    if (a->paper_dictionary > 0)
        printf(" (paper %.0f)", a->paper_dictionary);
    putchar('\n');
    paper_free(e, outcomes);
    return row;
}

json_t *paper_times(const paper_request *request, bool krls)
{
    json_t *table = json_object();
    const paper_experiment *e;
    for (size_t i = 0; (e = paper_experiment_at(i)); i++) {
        bool is_krls = strcmp(e->curves[0].name, "krls") == 0;
        if (!e->together || is_krls != krls)
            continue;
        json_t *row = time_experiment(e, request);
        if (!row) {
            json_decref(table);
            return NULL;
        }
        json_object_set_new(table, e->signal, row);
    }
    return table;
}
