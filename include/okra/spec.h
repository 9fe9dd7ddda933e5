/*
 * What to build: a spec. Start it from a recipe, change what you like, hand it to okra_create().
 *
 * A *map* turns an input x into features z, a *filter* learns y from z, and a *recipe* is a named pair of them with
 * defaults for its parameters. The recipe table below is what the command line, `okra list` and the bindings read.
 */
#ifndef OKRA_SPEC_H
#define OKRA_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <okra/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arithmetic of every step: float32 filters take float samples (the _f32 calls) and never compute in double. */
enum { OKRA_F64 = 64, OKRA_F32 = 32 };

/* A count that the library is to choose. */
#define OKRA_AUTO SIZE_MAX

/* What a full dictionary does. */
enum {
    OKRA_FULL_STOP = 0,   /* adds no centre and adapts the nearest: memory is bounded, learning goes on */
    OKRA_FULL_OLDEST = 1, /* replaces the oldest centre */
    OKRA_FULL_ERROR = 2   /* refuses the sample with OKRA_E_FULL */
};

/* Positive-definite kernels of width s, r = x - y. */
enum {
    OKRA_GAUSSIAN = 1,  /* exp(-|r|^2 / 2 s^2)                                    */
    OKRA_LAPLACIAN = 2, /* exp(-|r|_1 / s)                                        */
    OKRA_CAUCHY = 3,    /* product over the inputs j of 1 / (1 + r_j^2 / s^2)     */
    OKRA_MATERN32 = 4,  /* (1 + a) exp(-a), a = sqrt(3) |r| / s                   */
    OKRA_MATERN52 = 5   /* (1 + a + a^2 / 3) exp(-a), a = sqrt(5) |r| / s         */
};

/*
 * Feature maps: z(x).z(y) is about the kernel. The values are bits: OKRA_MAP_LINEAR + any map of cosines is a sum of
 * maps, z = (x, 1, cosines), D = inputs + 1 + features.
 *
 * All but rff have a cosine and a sine for each of features / 2 frequencies, so `features` must be even: first all
 * cosines, then all sines. |z| = 1.
 */
enum {
    OKRA_MAP_LINEAR = 1,      /* z = (x, 1): the inputs and a bias; D = inputs + 1                              */
    OKRA_MAP_RFF = 2,         /* random frequencies: z_i = sqrt(2/D) cos(omega_i . x + b_i)                      */
    OKRA_MAP_IDENTITY = 4,    /* z = x: what the dictionary filters work on                                      */
    OKRA_MAP_PAIR = 8,        /* random frequencies                                                              */
    OKRA_MAP_ORF = 16,        /* random frequencies, orthogonal in blocks of `inputs`; radial kernels            */
    OKRA_MAP_SORF = 32,       /* the same by Hadamard transforms: O(D log d) instead of O(D d); radial kernels   */
    OKRA_MAP_QMC = 64,        /* frequencies of a scrambled Halton sequence; up to OKRA_QMC_INPUTS_MAX inputs    */
    OKRA_MAP_QUADRATURE = 128 /* frequencies and weights of a quadrature rule, no random numbers: gaussian, and
                                 cauchy up to OKRA_PRODUCT_INPUTS_MAX inputs                                     */
};

enum { OKRA_QMC_INPUTS_MAX = 1000, OKRA_PRODUCT_INPUTS_MAX = 4 };

/* Widths that a map may have at once. */
enum { OKRA_WIDTHS_MAX = 8 };

/* sigma: to be found, as the median distance of inputs in the warm-up. */
#define OKRA_SIGMA_AUTO (-1.0)

/* mu: to be found as the filter goes on. */
#define OKRA_MU_AUTO (-1.0)

/* loss_scale: to be tracked. */
#define OKRA_LOSS_SCALE_AUTO (-1.0)

/* What an error e = y - yhat costs, c being the scale. All but the square learn little from a wild target. */
enum {
    OKRA_LOSS_SQUARE = 0,  /* e^2 / 2: every error counts in full                              */
    OKRA_LOSS_HUBER = 1,   /* counts as c if it is larger than c                               */
    OKRA_LOSS_MCC = 2,     /* counts exp(-e^2 / 2 c^2) of itself: maximum correntropy          */
    OKRA_LOSS_CAUCHY = 3,  /* counts 1 / (1 + e^2 / c^2) of itself                             */
    OKRA_LOSS_QUANTILE = 4 /* counts by its sign: the filter learns a quantile, not the mean   */
};

/* How least squares forgets. */
enum {
    OKRA_FORGET_EXPONENTIAL = 0, /* older samples count less: P grows by 1 / beta                   */
    OKRA_FORGET_PRIOR = 1        /* what is known fades to what was known at the start: P -> I / lambda */
};

enum {
    OKRA_SCALE_NONE = 0, /* numbers as they come */
    OKRA_SCALE_AUTO = 1  /* inputs and targets standardised, by what the warm-up has seen, but for wild values: one, or
                            one in fifty, that are 20 deviations and more from the median */
};

/*
 * The spec. Every field has its unit and range here; okra_spec_init() fills in the recipe's defaults.
 * Fields that the recipe does not use are ignored.
 */
typedef struct okra_spec {
    size_t size;        /* of this struct, as the program knows it; set by okra_spec_init            */
    const char *recipe; /* a name of the recipe table; set by okra_spec_init                         */
    size_t inputs;      /* columns of a row's inputs; 0 where there are target lags                  */
    size_t outputs;     /* >= 1: numbers in a target y; all share one map                            */
    int precision;      /* OKRA_F64 or OKRA_F32                                                      */

    int map;      /* OKRA_MAP_..: how z is made from x                                               */
    int kernel;   /* OKRA_GAUSSIAN ..: what z(x).z(y) approximates                                   */
    double sigma; /* > 0: kernel width, in units of the inputs; or OKRA_SIGMA_AUTO                   */
    double sigma_more[OKRA_WIDTHS_MAX - 1]; /* further widths, ended by a 0: frequencies take turns, and the kernel
                                               is the mean of the kernels of those widths            */
    size_t features;     /* D >= 1: number of features; the work per sample is O(D d)                */
    uint64_t seed;       /* of the random features; feature i depends on (seed, i) only, not on D    */
    const double *omega; /* NULL, or D x d frequencies in radians, row by row, used instead of drawn
                            ones; read by okra_create only. sigma, kernel and seed then mean nothing  */
    const double *phase; /* with omega: D phases in radians                                          */

    double mu;        /* > 0: step size. LMS on random features converges in practice for mu < 2; or
                         OKRA_MU_AUTO, for LMS and NLMS                                                  */
    double reg;       /* > 0: added to |z|^2 where a step is normalised                                   */
    size_t order;     /* 1 to 64: rows that affine projection learns from at once                    */
    double tolerance; /* >= 0: APSM learns from no error up to this                                  */
    double leak;      /* >= 0: weights or coefficients shrink by 1 - mu leak with every sample learnt     */

    int loss;          /* OKRA_LOSS_..: what an error costs                                          */
    int forget;        /* OKRA_FORGET_..: how RLS forgets                                            */
    double loss_scale; /* > 0: c, in units of the target after scaling; or OKRA_LOSS_SCALE_AUTO      */
    double quantile;   /* 0 to 1: which one OKRA_LOSS_QUANTILE learns                                */

    double lambda; /* > 0: RLS regularisation: P starts at I / lambda                                */
    double beta;   /* 0 < beta <= 1: RLS forgetting; 1 forgets nothing                               */
    size_t cyclic; /* RLS with beta < 1: every so many samples one direction is regularised anew, so
                      that forgetting cannot wind up; OKRA_AUTO chooses, 0 never                      */

    size_t capacity;         /* >= 1: the most centres a dictionary may hold; memory is taken for all */
    int when_full;           /* OKRA_FULL_..: what a full dictionary does with a centre it would add  */
    double epsilon;          /* >= 0: quantisation: squared distance within which a centre is reused  */
    double novelty_distance; /* >= 0: a new centre is further than this from all others ..            */
    double novelty_error;    /* >= 0: .. and was predicted with a larger error than this              */
    double coherence;        /* 0 to 1: a new centre has no larger kernel value with any other        */
    double surprise;         /* a new centre's surprise, in nats, is at least this ..                 */
    double surprise_max;     /* .. and at most this: beyond, a sample counts as abnormal              */
    double nu;               /* >= 1e-7, in float32 >= 5e-4: a new centre's squared distance from the span of
                                the others is above this; rounding would decide below                 */

    /* The rows around map and algorithm (okra/filter.h says what each does). A bare filter has the values in brackets.
     */
    size_t lags;        /* >= 1: taps of each input (1)                                              */
    size_t lag_from;    /* >= 0: the first tap (0: the row's own)                                    */
    size_t target_lags; /* >= 0: past targets as inputs (0)                                          */
    size_t horizon;     /* >= 1: a row's target is known this many rows later (1)                    */
    int scale;          /* OKRA_SCALE_.. (NONE)                                                      */
    size_t warmup;      /* >= 2: rows that an automatic scale or width is found from                 */

    size_t delay; /* for the inside: rows from a prediction to its label; leave it 0 */

    double reserved[26]; /* room for later parameters without a new ABI; leave it zero               */
} okra_spec;

/* How a parameter is written and where its value lives. */
typedef enum okra_param_kind {
    OKRA_PARAM_REAL,  /* double; or a word of `choices`, for a value out of its range */
    OKRA_PARAM_REALS, /* up to OKRA_WIDTHS_MAX doubles, ended by a 0: "0.5,1,2" */
    OKRA_PARAM_COUNT, /* size_t   */
    OKRA_PARAM_SEED,  /* uint64_t */
    OKRA_PARAM_CHOICE /* int: one of `choices` */
} okra_param_kind;

/* What a parameter belongs to. */
typedef enum okra_scope {
    OKRA_SCOPE_MAP,    /* how features are made, and in which arithmetic: all that a map by itself has */
    OKRA_SCOPE_FILTER, /* how they are learnt                                                         */
    OKRA_SCOPE_STREAM  /* the rows around the filter: lags, horizon, scale                            */
} okra_scope;

typedef struct okra_choice {
    const char *name; /* NULL ends a list */
    int value;
    const char *help;
} okra_choice;

/* A row of the parameter table. */
typedef struct okra_param {
    const char *name; /* as in `--name` */
    okra_param_kind kind;
    okra_scope scope;
    size_t offset;              /* of the field in okra_spec */
    double low, high;           /* the range, ends included; for numbers */
    const okra_choice *choices; /* of a number: words for special values, -1 meaning OKRA_AUTO; else NULL */
    const char *help;           /* one line */
    bool quiet;                 /* said only if it is not the recipe's default: most filters do without it */
} okra_param;

/* A parameter of a recipe, with the default that it has there. */
typedef struct okra_recipe_param {
    const okra_param *param;
    double value; /* of a choice: its okra_choice.value */
} okra_recipe_param;

/* A row of the recipe table. */
typedef struct okra_recipe {
    const char *name;
    const char *help;   /* one line */
    const char *filter; /* the algorithm's name */
    int map;            /* where the recipe has no `map` parameter: the map it always uses; else 0 */
    const okra_recipe_param *params;
    size_t n_params;
    bool variance; /* whether it knows one: okra_predict() */
} okra_recipe;

/* The recipes, in the order of the documentation: i = 0, 1, .. until NULL. */
OKRA_API const okra_recipe *okra_recipe_at(size_t i);

/* The recipe of that name, or NULL. */
OKRA_API const okra_recipe *okra_recipe_find(const char *name);

/* Every parameter that some recipe has: i = 0, 1, .. until NULL. */
OKRA_API const okra_param *okra_param_at(size_t i);

/*
 * Fills *spec with the recipe's defaults, in double precision. OKRA_E_RECIPE where there is no such recipe.
 */
OKRA_API okra_status okra_spec_init(okra_spec *spec, const char *recipe, size_t inputs, size_t outputs);

/*
 * Sets a parameter by name from text ("0.5", "laplacian", "f32"), as the command line does. The value must be
 * readable and in range, and the recipe must have the parameter: else OKRA_E_PARAMETER, `why` says what is wrong, and
 * *spec is unchanged. `why` may be NULL.
 */
OKRA_API okra_status okra_spec_set(okra_spec *spec, const char *name, const char *text, okra_message *why);

/*
 * Writes the value of a parameter as text that okra_spec_set() reads back to the same value. `text` holds `size`
 * characters; OKRA_E_BUFFER where that is too few (OKRA_VALUE_TEXT is always enough), OKRA_E_PARAMETER where the recipe
 * has no such parameter.
 */
enum { OKRA_VALUE_TEXT = 256 };
OKRA_API okra_status okra_spec_get(const okra_spec *spec, const char *name, char *text, size_t size);

/* OKRA_OK where okra_create() would accept the spec, memory permitting; else the reason, in words in `why` (may be
 * NULL). */
OKRA_API okra_status okra_spec_check(const okra_spec *spec, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
