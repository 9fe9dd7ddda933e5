/*
 * The paper's experiments: what each figure runs, and the files it writes.
 */
#ifndef OKRA_CLI_PAPER_H
#define OKRA_CLI_PAPER_H

#include <stdbool.h>
#include <stddef.h>

#include <okra/lab.h>
#include <okra/okra.h>

#include "../common/json_file.h"
#include "../common/options.h"
#include "../common/message.h"

enum { PAPER_CURVES = 4 };

/* A curve of a figure: a filter, and what the paper printed of it. */
typedef struct paper_curve {
    const char *name; /* of its column: "qklms", "D100" */
    const char *title;
    const char *recipe;
    size_t features;         /* of a random map */
    double paper_seconds;    /* Table 1; 0: not printed */
    double paper_dictionary; /* average size; 0: not printed */
} paper_curve;

/* A figure, or a part of a table: a signal, and the filters that learn it side by side. */
typedef struct paper_experiment {
    const char *name; /* what is asked for: "fig2a" */
    const char *title;
    const char *signal;
    size_t samples, runs;
    double sigma, mu, epsilon;
    bool together; /* the curves see the same realisations; else each has its own trial (fig1) */
    paper_curve curves[PAPER_CURVES];
    size_t n_curves;
    double top, bottom; /* of the picture, in dB */
} paper_experiment;

/* Processes that share the runs: see okra_trial. Rank 0 writes. */
typedef struct paper_share {
    size_t rank, ranks;
    okra_status (*gather)(void *context, size_t n, double *numbers);
    int (*agree)(int status); /* called by all before the runs: if one fails, all fail */
} paper_share;

/* What the command line asked for. */
typedef struct paper_request {
    uint64_t runs; /* 0: full size */
    uint64_t seed;
    uint64_t threads; /* 0: all */
    const char *directory;
    bool quiet;
    paper_share share; /* ranks 0: alone */
} paper_request;

/* The whole command. Alone, it watches for signals that end it early. */
int paper_command_run(const arguments *options, const paper_share *share);
extern const cli_option paper_options[];

/* The names of the figures, in the paper's order, until NULL. */
const char *paper_figure_at(size_t i);

/* The result of a curve. */
typedef struct paper_outcome {
    okra_trial_result result;
    okra_theory_figures theory; /* fig1 */
    bool has_theory;
} paper_outcome;

/* The experiments with learning curves, in the paper's order, until NULL. */
const paper_experiment *paper_experiment_at(size_t i);

/* The spec of curve k. */
okra_spec paper_filter(const paper_experiment *e, size_t k);

/* Runs an experiment; outcomes[n_curves] are to be freed. *runs is how many were done. Returns EXIT_DONE, or another
 * exit status after an error message. */
int paper_run(const paper_experiment *e, const paper_request *request, paper_outcome *outcomes, size_t *runs);
void paper_free(const paper_experiment *e, paper_outcome *outcomes);

/* WHAT.csv, WHAT.gp, WHAT.png and WHAT.svg. */
int paper_draw(const paper_experiment *e, const paper_request *request, const paper_outcome *outcomes, size_t runs);

/* What the summary says of an experiment: members of its object. */
void paper_summary(okra_json_writer *w, const paper_experiment *e, const paper_outcome *outcomes, size_t runs);

/* table1 and krls-time: training times, ours and the paper's, on one core, as members of an object. EXIT_DONE, or
 * another exit status after an error message. */
int paper_times(okra_json_writer *w, const paper_request *request, bool krls);

/* The mean over runs of the last 5%, in dB. */
double paper_floor_db(const paper_outcome *outcome, size_t runs);

#endif
