/*
 * The experiments of the paper as a table, and their Monte Carlo runs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper.h"
#include "../common/signals.h"

/* clang-format off */
static const paper_experiment experiments[] = {
    {"fig1", "Example 1: a kernel expansion", "ex1", 5000, 100, 5, 1, 0, false,
     {{"D100", "D = 100", "rff-klms", 100, 0, 0}, {"D500", "D = 500", "rff-klms", 500, 0, 0},
      {"D1000", "D = 1000", "rff-klms", 1000, 0, 0}, {"D5000", "D = 5000", "rff-klms", 5000, 0, 0}}, 4, 5, -20},
    {"fig2a", "Example 2: QKLMS and RFF-KLMS", "ex2", 15000, 1000, 5, 1, 5, true,
     {{"qklms", "QKLMS, epsilon = 5", "qklms", 0, 0.891, 100}, {"rff-klms", "RFF-KLMS, D = 300", "rff-klms", 300, 0.226, 0}}, 2, 10, -20},
    {"fig2b", "Example 2: KRLS and RFF-KRLS", "ex2", 15000, 1000, 5, 1, 0, true,
     {{"krls", "KRLS, nu = 0.0005", "krls", 0, 0, 0}, {"rff-krls", "RFF-KRLS, D = 300", "rff-krls", 300, 0, 0}}, 2, -5, -30},
    {"fig3a", "Example 3: QKLMS and RFF-KLMS", "ex3", 500, 1000, 0.05, 1, 0.01, true,
     {{"qklms", "QKLMS, epsilon = 0.01", "qklms", 0, 0.036, 7}, {"rff-klms", "RFF-KLMS, D = 100", "rff-klms", 100, 0.006, 0}}, 2, -10, -32},
    {"fig3b", "Example 4: QKLMS and RFF-KLMS", "ex4", 1000, 1000, 0.05, 1, 0.01, true,
     {{"qklms", "QKLMS, epsilon = 0.01", "qklms", 0, 0.057, 32}, {"rff-klms", "RFF-KLMS, D = 100", "rff-klms", 100, 0.021, 0}}, 2, -15, -26},
};
/* clang-format on */

const paper_experiment *paper_experiment_at(size_t i)
{
    return i < sizeof experiments / sizeof *experiments ? &experiments[i] : NULL;
}

okra_spec paper_filter(const paper_experiment *e, size_t k)
{
    const paper_curve *curve = &e->curves[k];
    okra_signal_spec signal;
    okra_signal *probe;
    okra_spec spec;
    okra_signal_spec_init(&signal, e->signal);
    size_t inputs = okra_signal_create(&signal, &probe) ? 1 : okra_signal_inputs(probe);
    okra_signal_free(probe);
    okra_spec_init(&spec, curve->recipe, inputs, 1);
    spec.sigma = e->sigma, spec.mu = e->mu, spec.epsilon = e->epsilon;
    spec.lambda = 1e-4, spec.beta = 0.9995, spec.nu = 5e-4; /* of the two KRLS; the others do not look */
    spec.capacity = 1000;
    if (curve->features)
        spec.features = curve->features;
    return spec;
}

/* ---- running ------------------------------------------------------------------------------------------------ */

typedef struct watch {
    progress_bar bar;
    size_t before, total; /* runs of earlier trials of this experiment, and of all */
} watch;

static int show(void *context, size_t done, size_t runs)
{
    watch *w = context;
    (void)runs;
    progress_bar_show(&w->bar, w->before + done, (double)(w->before + done) / (double)w->total);
    return signals_end() == 0;
}

/* One trial of curves [first, first + n). */
static int run_trial(const paper_experiment *e, const paper_request *request, size_t first, size_t n, watch *w,
                     paper_outcome *outcomes, size_t *done)
{
    okra_spec filters[PAPER_CURVES];
    okra_trial_result results[PAPER_CURVES];
    okra_trial trial = {.filters = filters,
                        .n_filters = n,
                        .samples = e->samples,
                        .runs = request->runs ? request->runs : e->runs,
                        .seed = request->seed,
                        .threads = (int)request->threads,
                        .progress = show,
                        .rank = request->share.rank,
                        .ranks = request->share.ranks,
                        .gather = request->share.gather,
                        .context = w};
    okra_signal_spec_init(&trial.signal, e->signal);
    for (size_t k = 0; k < n; k++)
        filters[k] = paper_filter(e, first + k);
    okra_status status = okra_trial_run(&trial, results, done);
    if (status)
        return message_fail(status == OKRA_E_DIVERGED ? EXIT_DIVERGED : EXIT_IO, "paper %s: %s", e->name,
                            okra_strerror(status));
    for (size_t k = 0; k < n; k++)
        outcomes[first + k].result = results[k];
    w->before += trial.runs;
    return EXIT_DONE;
}

static int add_theory(const paper_experiment *e, paper_outcome *outcomes)
{
    for (size_t k = 0; k < e->n_curves; k++) {
        okra_theory_spec spec;
        okra_theory *theory;
        okra_theory_spec_init(&spec);
        spec.features = e->curves[k].features;
        okra_status status = okra_theory_create(&spec, &theory);
        if (status)
            return message_fail(EXIT_IO, "paper %s: theory: %s", e->name, okra_strerror(status));
        outcomes[k].theory = *okra_theory_get(theory);
        outcomes[k].has_theory = true;
        okra_theory_free(theory);
    }
    return EXIT_DONE;
}

int paper_run(const paper_experiment *e, const paper_request *request, paper_outcome *outcomes, size_t *runs)
{
    size_t full = request->runs ? request->runs : e->runs;
    watch w = {.bar = progress_bar_start(!request->quiet), .total = e->together ? full : full * e->n_curves};
    int status = EXIT_DONE;
    memset(outcomes, 0, e->n_curves * sizeof *outcomes);
    for (size_t k = 0; k < e->n_curves && !status && !signals_end(); k += e->together ? e->n_curves : 1)
        status = run_trial(e, request, k, e->together ? e->n_curves : 1, &w, outcomes, runs);
    progress_bar_end(&w.bar);
    if (!status && signals_end())
        status = message_fail(EXIT_IO, "paper %s: stopped after %zu runs: nothing is written of it", e->name, *runs);
    if (!status && request->share.rank == 0 && strcmp(e->signal, "ex1") == 0)
        status = add_theory(e, outcomes);
    if (status)
        paper_free(e, outcomes);
    return status;
}

void paper_free(const paper_experiment *e, paper_outcome *outcomes)
{
    for (size_t k = 0; k < e->n_curves; k++)
        okra_trial_free(&outcomes[k].result, 1);
}

double paper_floor_db(const paper_outcome *outcome, size_t runs)
{
    double sum = 0;
    for (size_t r = 0; r < runs; r++)
        sum += outcome->result.floor[r] / (double)runs;
    return 10 * log10(sum);
}
