/*
 * libokra-lab: research tools around the filters. Synthetic streams (signals), Monte Carlo trials, and the theory of
 * RFF-KLMS. Not part of okra.h, because it links LAPACK.
 *
 * A signal belongs to one thread at a time; different ones are independent. A theory does not change once it is made:
 * any number of threads may read it.
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
    bool whole; /* must be an integer */
} okra_signal_param;

/* An entry of the registry of signals. */
typedef struct okra_signal_kind {
    const char *name;
    const char *help;
    const okra_signal_param *params; /* ended by a NULL name */
} okra_signal_kind;

/* The signals: i = 0, 1, .. until NULL. */
OKRA_API const okra_signal_kind *okra_signal_at(size_t i);

enum { OKRA_SIGNAL_PARAMS = 12, OKRA_SIGNAL_BRANCHES = 1 << 26 };

/* What to generate. A realisation depends on (seed, run, branch) and the constants alone. */
typedef struct okra_signal_spec {
    const okra_signal_kind *kind;
    uint64_t seed;
    uint32_t run;
    uint32_t branch; /* branches of one system differ in inputs and noise; below OKRA_SIGNAL_BRANCHES */
    double values[OKRA_SIGNAL_PARAMS]; /* in the order of kind->params */
} okra_signal_spec;

/* The signal's defaults, seed 1, run 0, branch 0. OKRA_E_PARAMETER if there is no such signal. */
OKRA_API okra_status okra_signal_spec_init(okra_signal_spec *spec, const char *name);

/* Sets a constant by name. OKRA_E_PARAMETER, with the reason in `why` (may be NULL), if the signal has none of that
 * name or the value is out of range. */
OKRA_API okra_status okra_signal_spec_set(okra_signal_spec *spec, const char *name, double value, okra_message *why);

typedef struct okra_signal okra_signal;

/* Makes a stream, at its beginning; the caller frees it. On failure *signal is NULL. */
OKRA_API okra_status okra_signal_create(const okra_signal_spec *spec, okra_signal **signal);
OKRA_API void okra_signal_free(okra_signal *signal);

/* Numbers in an input; 0 for a plain time series. */
OKRA_API size_t okra_signal_inputs(const okra_signal *signal);

/* Writes the next n samples: X is n x inputs (NULL if there are none), y is n. The samples do not depend on n: two
 * calls of n give the same as one of 2n. */
OKRA_API void okra_signal_next(okra_signal *signal, size_t n, double *X, double *y);

/* ---- Monte Carlo -------------------------------------------------------------------------------------------- */

/*
 * Many realisations of a signal, each seen by several filters. Realisation r is keyed by (seed, r): its data, and the
 * features that each filter draws. Results are added in the order of the realisations, so they are the same bits for
 * any number of threads and processes.
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
    /* Called from time to time, from one thread at a time, with the runs done. Return 0 to end the trial early. May be
       NULL. */
    int (*progress)(void *context, size_t done, size_t runs);
    /* For several processes that share the runs of one trial: this one is `rank` of `ranks`. gather() is given
     * numbers[ranks][n] with row `rank` filled in, and fills in the rows of the others. ranks 0 or 1: one process. */
    okra_status (*gather)(void *context, size_t n, double *numbers);
    size_t rank, ranks;
    void *context;
} okra_trial;

/* The results of one filter. */
typedef struct okra_trial_result {
    double *mse;    /* [samples]: the mean over runs of the squared a-priori error at each n */
    double *floor;  /* [runs]: each run's mean squared error over its last 5%, for paired comparisons */
    double centres; /* mean number of centres at the end; 0 without a dictionary */
    double seconds; /* mean time of a pass over the samples */
} okra_trial_result;

/*
 * Runs a trial; the caller frees results[n_filters] with okra_trial_free(). *done is the number of runs in the results:
 * fewer than asked for if progress() ended it. If a filter rejects a sample, the trial ends with that status.
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
    int paired;     /* not 0: D/2 drawn frequencies, a cosine and a sine of each, no phases; D is even, omega NULL */
    double mu;      /* > 0 */
    double noise;   /* >= 0: its deviation */
    double sigma_x; /* > 0 */
    size_t centres; /* 0: no expansion model, so no curve, and the optimum is the noise */
    double centre_sigma, weight_sigma;
    double tolerance; /* of the spectrum, relative to the trace (1e-6) */
} okra_theory_spec;

/* The paper's Example 1 with D = 1000. */
OKRA_API void okra_theory_spec_init(okra_theory_spec *spec);

/* Whether the theory covers a spec: OKRA_OK, or OKRA_E_PARAMETER with the reason in `why` (may be NULL). */
OKRA_API okra_status okra_theory_spec_check(const okra_theory_spec *spec, okra_message *why);

typedef struct okra_theory okra_theory;

/* Results from R = E[z z'] and the model. Mean squared errors are plain numbers, not dB. */
typedef struct okra_theory_figures {
    double lambda_max;      /* largest eigenvalue of R */
    double trace;           /* of R, about 1 */
    size_t rank;            /* eigenvalues above the tolerance .. */
    const double *spectrum; /* .. and these, largest first: [rank], valid until the theory is freed */
    double mu_max;          /* 2 / trace: the bound that holds in practice; use this one */
    double mu_max_mean;     /* 2 / lambda_max: bounds the mean recursion only */
    double mu_max_mse;      /* 1 / lambda_max: the paper's condition for its error recursion */
    double mse_optimal;     /* J_opt: the noise, and the part of the model that D features cannot represent */
    double mse;             /* steady state, with the second order term; infinite beyond mu_max */
    double mse_paper;       /* steady state as printed in the paper, without it */
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
