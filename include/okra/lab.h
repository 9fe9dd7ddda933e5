/*
 * libokra-lab: what a researcher needs around the filters. Synthetic streams (signals), and what theory expects of
 * RFF-KLMS before it is run. Not part of okra.h: it links LAPACK.
 *
 * A signal belongs to one thread at a time; different ones are independent. A theory does not change once it is made:
 * any number of threads may ask it.
 */
#ifndef OKRA_LAB_H
#define OKRA_LAB_H

#include <stddef.h>
#include <stdint.h>

#include <okra/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- signals ------------------------------------------------------------------------------------------------ */

/* A constant of a signal, with its default. */
typedef struct okra_signal_param {
    const char *name;
    double value, low, high;
    const char *help;
    bool whole; /* a count: it has no fraction */
} okra_signal_param;

/* A row of the table of signals. */
typedef struct okra_signal_kind {
    const char *name;
    const char *help;
    const okra_signal_param *params; /* ended by a NULL name */
} okra_signal_kind;

/* The signals: i = 0, 1, .. until NULL. */
OKRA_API const okra_signal_kind *okra_signal_at(size_t i);

enum { OKRA_SIGNAL_PARAMS = 12, OKRA_SIGNAL_BRANCHES = 1 << 26 };

/* What to generate: a realisation is a function of (seed, run, branch) and the constants alone. */
typedef struct okra_signal_spec {
    const okra_signal_kind *kind;
    uint64_t seed;
    uint32_t run;
    uint32_t branch; /* another one has inputs and noise of its own, of the same system: up to OKRA_SIGNAL_BRANCHES */
    double values[OKRA_SIGNAL_PARAMS]; /* in the order of kind->params */
} okra_signal_spec;

/* The signal's defaults, seed 1, run 0, branch 0. OKRA_E_PARAMETER where there is no such signal. */
OKRA_API okra_status okra_signal_spec_init(okra_signal_spec *spec, const char *name);

/* Sets a constant by name; OKRA_E_PARAMETER, with the reason in `why` (may be NULL), where it has none of that name or
 * it is out of range. */
OKRA_API okra_status okra_signal_spec_set(okra_signal_spec *spec, const char *name, double value, okra_message *why);

typedef struct okra_signal okra_signal;

/* A stream at its beginning; to be freed. On failure *signal is NULL. */
OKRA_API okra_status okra_signal_create(const okra_signal_spec *spec, okra_signal **signal);
OKRA_API void okra_signal_free(okra_signal *signal);

/* Numbers in an input; 0 for a plain time series. */
OKRA_API size_t okra_signal_inputs(const okra_signal *signal);

/* The next n samples: X is n x inputs (NULL where there are none), y is n. How the calls are cut changes nothing. */
OKRA_API void okra_signal_next(okra_signal *signal, size_t n, double *X, double *y);

/* ---- Monte Carlo -------------------------------------------------------------------------------------------- */

/*
 * The same realisations of a signal through several filters, many times. Realisation r is keyed by (seed, r): its data,
 * and the features that each filter draws. Results are added up in the order of the realisations, so that they are the
 * same bits for any number of threads and processes.
 */
typedef struct okra_trial {
    okra_signal_spec signal;  /* its seed and run are set by the library */
    const okra_spec *filters; /* [n_filters], of one input dimension, double precision; a random map's seed is set by
                                 the library */
    size_t n_filters;
    size_t samples; /* in a realisation */
    size_t runs;
    uint64_t seed;
    int threads; /* 0: as many as there are cores */
    /* Called now and then from one thread at a time with the runs done; answering 0 ends the trial early. May be NULL.
     */
    int (*progress)(void *context, size_t done, size_t runs);
    /* Where processes share the runs, all with the same trial: this one is `rank` of `ranks`, and gather() brings what
       each has found to all: numbers[ranks][n], of which row `rank` is there. ranks 0 or 1: it is alone. */
    okra_status (*gather)(void *context, size_t n, double *numbers);
    size_t rank, ranks;
    void *context;
} okra_trial;

/* What came of one filter. */
typedef struct okra_trial_result {
    double *mse;    /* [samples]: the mean over runs of the squared a-priori error at each n */
    double *floor;  /* [runs]: each run's mean squared error over its last 5%, for paired comparisons */
    double centres; /* mean number of centres at the end; 0 without a dictionary */
    double seconds; /* mean time of a pass over the samples */
} okra_trial_result;

/*
 * Runs a trial; results[n_filters] are the caller's, to be given to okra_trial_free(). *done is the number of runs that
 * count: fewer than asked for where progress() ended it. The first refusal of a filter ends it too, with that status.
 */
OKRA_API okra_status okra_trial_run(const okra_trial *trial, okra_trial_result *results, size_t *done);
OKRA_API void okra_trial_free(okra_trial_result *results, size_t n_filters);

/* ---- theory ------------------------------------------------------------------------------------------------- */

/*
 * The setting of the paper's section 4: inputs x ~ N(0, sigma_x^2 I_d), RFF-KLMS with D features of a gaussian kernel
 * of width sigma and step mu, and targets y = sum_m a_m kappa(c_m, x) + noise, with `centres` centres c_m ~ N(0,
 * centre_sigma^2 I) and a_m ~ N(0, weight_sigma^2).
 */
typedef struct okra_theory_spec {
    size_t dim;          /* d >= 1 */
    double sigma;        /* > 0 */
    size_t features;     /* D >= 1 */
    uint64_t seed;       /* of the features, as in okra_spec */
    const double *omega; /* NULL, or D x d frequencies in radians, used instead of drawn ones .. */
    const double *phase; /* .. with D phases */
    int paired;     /* not 0: D/2 drawn frequencies, each with cosine and sine, no phases; D is even, omega is NULL */
    double mu;      /* > 0 */
    double noise;   /* >= 0: its deviation */
    double sigma_x; /* > 0 */
    size_t centres; /* 0: no expansion model: no curve, and the optimum is the noise */
    double centre_sigma, weight_sigma;
    double tolerance; /* of the spectrum, relative to the trace (1e-6) */
} okra_theory_spec;

/* The paper's Example 1 with D = 1000. */
OKRA_API void okra_theory_spec_init(okra_theory_spec *spec);

/* Whether theory has an answer for a spec: OKRA_OK, or OKRA_E_PARAMETER with the reason in `why` (may be NULL). */
OKRA_API okra_status okra_theory_spec_check(const okra_theory_spec *spec, okra_message *why);

typedef struct okra_theory okra_theory;

/* What follows from R = E[z z'] and the model. Mean squared errors are plain numbers, not dB. */
typedef struct okra_theory_figures {
    double lambda_max;      /* largest eigenvalue of R */
    double trace;           /* of R, about 1 */
    size_t rank;            /* eigenvalues above the tolerance .. */
    const double *spectrum; /* .. and these, largest first: [rank], valid until the theory is freed */
    double mu_max;          /* 2 / trace: the bound that works in practice: use this one */
    double mu_max_mean;     /* 2 / lambda_max: bounds the mean recursion only */
    double mu_max_mse;      /* 1 / lambda_max: the paper's condition for its error recursion */
    double mse_optimal;     /* J_opt: noise, and what D features cannot represent of the model */
    double mse;             /* steady state, second order term kept; infinite beyond mu_max */
    double mse_paper;       /* steady state as printed, without it */
} okra_theory_figures;

OKRA_API okra_status okra_theory_create(const okra_theory_spec *spec, okra_theory **theory);
OKRA_API void okra_theory_free(okra_theory *theory);
OKRA_API const okra_theory_figures *okra_theory_get(const okra_theory *theory);

/*
 * The predicted learning curve, E[e_n^2] before sample n = 0 .. n-1 is learnt, averaged over centres and weights; by
 * the refined recursion, or as printed in the paper. OKRA_E_UNSUPPORTED without an expansion model.
 */
OKRA_API okra_status okra_theory_curve(const okra_theory *theory, int as_printed, size_t n, double *mse);

#ifdef __cplusplus
}
#endif
#endif
