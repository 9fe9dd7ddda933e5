/*
 * A spec describes the filter to build. Start from a recipe, change parameters, pass the spec to okra_create().
 *
 * A *map* turns an input x into features z. A *filter* learns y from z. A *recipe* is a named pair of the two, with
 * default parameters. The command line, `okra list` and the bindings read the recipe table below.
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

/* Precision of the arithmetic. Float32 filters take float samples (the _f32 calls) and never compute in double. */
enum { OKRA_F64 = 64, OKRA_F32 = 32 };

/* A count that the library chooses. */
#define OKRA_AUTO SIZE_MAX

/* What a full dictionary does. */
enum {
    OKRA_FULL_STOP = 0,   /* adds no centre, adapts the nearest: memory is bounded, learning continues */
    OKRA_FULL_OLDEST = 1, /* replaces the oldest centre */
    OKRA_FULL_ERROR = 2   /* rejects the sample with OKRA_E_FULL */
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
 * Feature maps: z(x).z(y) approximates the kernel. The values are bits: OKRA_MAP_LINEAR + any map of cosines is a sum
 * of maps, z = (x, 1, cosines), D = inputs + 1 + features.
 *
 * All but rff have a cosine and a sine for each of features / 2 frequencies: first all cosines, then all sines. So
 * `features` must be even. |z| = 1.
 */
enum {
    OKRA_MAP_LINEAR = 1,      /* z = (x, 1): the inputs and a bias; D = inputs + 1                              */
    OKRA_MAP_RFF = 2,         /* random frequencies: z_i = sqrt(2/D) cos(omega_i . x + b_i)                      */
    OKRA_MAP_IDENTITY = 4,    /* z = x: used by the dictionary filters                                           */
    OKRA_MAP_PAIR = 8,        /* random frequencies                                                              */
    OKRA_MAP_ORF = 16,        /* random frequencies, orthogonal in blocks of `inputs`; radial kernels            */
    OKRA_MAP_SORF = 32,       /* the same by Hadamard transforms: O(D log d) instead of O(D d); radial kernels   */
    OKRA_MAP_QMC = 64,        /* frequencies of a scrambled Halton sequence; up to OKRA_QMC_INPUTS_MAX inputs    */
    OKRA_MAP_QUADRATURE = 128 /* frequencies and weights of a quadrature rule, no random numbers: gaussian, and
                                 cauchy up to OKRA_PRODUCT_INPUTS_MAX inputs                                     */
};

enum { OKRA_QMC_INPUTS_MAX = 1000, OKRA_PRODUCT_INPUTS_MAX = 4 };

/* Room in a spec for widths of inputs. If memory is short, define a smaller one, at least 8, for all sources. */
#ifndef OKRA_INPUT_WIDTHS
#define OKRA_INPUT_WIDTHS 64
#endif

/* The largest number of values of sigma, and of inputs that can have a width each. */
enum { OKRA_WIDTHS_MAX = 8, OKRA_INPUT_WIDTHS_MAX = OKRA_INPUT_WIDTHS };

/* sigma: estimated, as the median distance between inputs in the warm-up. */
#define OKRA_SIGMA_AUTO (-1.0)

/* widths[0]: found in the warm-up, those under which its targets are most probable (the evidence). sigma multiplies
 * them; an automatic sigma is then 1. */
#define OKRA_WIDTHS_AUTO (-1.0)

/* mu: adapted while the filter learns. */
#define OKRA_MU_AUTO (-1.0)

/* loss_scale: tracked from the errors. */
#define OKRA_LOSS_SCALE_AUTO (-1.0)

/* The loss of an error e = y - yhat, with scale c. All but the square learn little from an outlier. */
enum {
    OKRA_LOSS_SQUARE = 0,  /* e^2 / 2: the error counts in full                                */
    OKRA_LOSS_HUBER = 1,   /* the error is clipped at c                                        */
    OKRA_LOSS_MCC = 2,     /* the error is multiplied by exp(-e^2 / 2 c^2): max. correntropy   */
    OKRA_LOSS_CAUCHY = 3,  /* the error is multiplied by 1 / (1 + e^2 / c^2)                   */
    OKRA_LOSS_QUANTILE = 4 /* only the sign counts: the filter learns a quantile, not the mean */
};

/* How least squares forgets. */
enum {
    OKRA_FORGET_EXPONENTIAL = 0, /* older samples count less: P grows by 1 / beta                   */
    OKRA_FORGET_PRIOR = 1        /* P and the weights decay towards the prior: P -> I / lambda      */
};

enum {
    OKRA_SCALE_NONE = 0, /* no scaling */
    OKRA_SCALE_AUTO = 1  /* inputs and targets standardised by the rows of the warm-up. Outliers are left out: up to one
                            value, or one in fifty, at 20 deviations or more from the median */
};

/*
 * The spec, with the unit and range of every field. okra_spec_init() fills in the recipe's defaults.
 * Fields that the recipe does not use are ignored.
 */
typedef struct okra_spec {
    size_t size;        /* of this struct in the calling program; set by okra_spec_init              */
    const char *recipe; /* a name of the recipe table; set by okra_spec_init                         */
    size_t inputs;      /* columns of a row's inputs; may be 0 if there are target lags              */
    size_t outputs;     /* >= 1: numbers in a target y; all share one map                            */
    int precision;      /* OKRA_F64 or OKRA_F32                                                      */

    int map;      /* OKRA_MAP_..: how z is computed from x                                           */
    int kernel;   /* OKRA_GAUSSIAN ..: what z(x).z(y) approximates                                   */
    double sigma; /* > 0: kernel width, in units of the inputs; or OKRA_SIGMA_AUTO                   */
    double sigma_more[OKRA_WIDTHS_MAX - 1]; /* further widths, ended by a 0. Frequencies use the widths in turn; the
                                               kernel is the mean of the kernels of those widths     */
    double widths[OKRA_INPUT_WIDTHS_MAX];   /* > 0, of maps of cosines: the kernel's width along input j, after lags,
                                               is sigma times widths[j]. One for each input, in the order of
                                               okra_embed(), ended by a 0; all 0: equal, sigma alone; or
                                               OKRA_WIDTHS_AUTO and zeros                             */
    size_t features;     /* D >= 1: number of features; the work per sample is O(D d)                */
    uint64_t seed;       /* of the random features; feature i depends on (seed, i) only, not on D    */
    const double *omega; /* NULL, or D x d frequencies in radians, row by row, used instead of drawn
                            ones; read by okra_create only. sigma, widths, kernel and seed are then
                            ignored                                                                  */
    const double *phase; /* with omega: D phases in radians                                          */

    double mu;        /* > 0: step size. LMS on random features converges in practice for mu < 2; or
                         OKRA_MU_AUTO, for LMS and NLMS                                              */
    double reg;       /* > 0: added to |z|^2 if a step is normalised                                 */
    size_t order;     /* 1 to 64: rows that affine projection learns from at once                    */
    double tolerance; /* >= 0: APSM ignores errors up to this                                        */
    double leak;      /* >= 0: weights or coefficients shrink by 1 - mu leak with every sample learnt */

    int loss;          /* OKRA_LOSS_..: the loss of an error                                         */
    int forget;        /* OKRA_FORGET_..: how RLS forgets                                            */
    double loss_scale; /* > 0: c, in units of the target after scaling; or OKRA_LOSS_SCALE_AUTO      */
    double quantile;   /* 0 to 1: which one OKRA_LOSS_QUANTILE learns                                */

    double lambda; /* > 0: RLS regularisation: P starts at I / lambda                                */
    double beta;   /* 0 < beta <= 1: RLS forgetting; 1 forgets nothing                               */
    size_t cyclic; /* RLS with beta < 1: one direction is regularised again every `cyclic` samples, against
                      wind-up of P; OKRA_AUTO chooses, 0 never                                        */

    size_t capacity;         /* >= 1: maximum number of centres; memory is allocated for all          */
    int when_full;           /* OKRA_FULL_..: what a full dictionary does with a centre it would add  */
    double epsilon;          /* >= 0: quantisation: squared distance within which a centre is reused  */
    double novelty_distance; /* >= 0: a new centre is further than this from all others ..            */
    double novelty_error;    /* >= 0: .. and was predicted with a larger error than this              */
    double coherence;        /* 0 to 1: a new centre has no larger kernel value with any other        */
    double surprise;         /* a new centre's surprise, in nats, is at least this ..                 */
    double surprise_max;     /* .. and at most this: a sample above it is abnormal                    */
    double nu;               /* >= 1e-7, in float32 >= 5e-4: a new centre's squared distance from the span of
                                the others is above this; smaller values are lost in rounding         */

    /* Parameters of the stream (see okra/filter.h). A bare filter has the values in brackets. */
    size_t lags;        /* >= 1: taps of each input (1)                                              */
    size_t lag_from;    /* >= 0: the first tap (0: the row's own)                                    */
    size_t target_lags; /* >= 0: past targets as inputs (0)                                          */
    size_t horizon;     /* >= 1: a row's target is known this many rows later (1)                    */
    int scale;          /* OKRA_SCALE_.. (NONE)                                                      */
    size_t warmup;      /* >= 2: rows that an automatic scale or width is estimated from             */

    size_t delay; /* internal: rows from a prediction to its label; leave it 0 */

    double reserved[26]; /* for later parameters without a new ABI; leave it zero                    */
} okra_spec;

/* How a parameter is written, and the type of its field. */
typedef enum okra_param_kind {
    OKRA_PARAM_REAL,  /* double; or a word of `choices`, for a value outside its range */
    OKRA_PARAM_REALS, /* up to okra_param.values doubles, ended by a 0 if they are fewer: "0.5,1,2" */
    OKRA_PARAM_COUNT, /* size_t   */
    OKRA_PARAM_SEED,  /* uint64_t */
    OKRA_PARAM_CHOICE /* int: one of `choices` */
} okra_param_kind;

/* What a parameter belongs to. */
typedef enum okra_scope {
    OKRA_SCOPE_MAP,    /* the features and their precision: all parameters of a map by itself */
    OKRA_SCOPE_FILTER, /* the learning algorithm                                              */
    OKRA_SCOPE_STREAM  /* the stream: lags, horizon, scale                                    */
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
    bool quiet;                 /* printed only if it differs from the recipe's default */
    size_t values;              /* of OKRA_PARAM_REALS: the most numbers; else 0 */
} okra_param;

/* A parameter of a recipe, with its default. */
typedef struct okra_recipe_param {
    const okra_param *param;
    double value; /* of a choice: its okra_choice.value */
} okra_recipe_param;

/* A row of the recipe table. */
typedef struct okra_recipe {
    const char *name;
    const char *help;   /* one line */
    const char *filter; /* the algorithm's name */
    int map;            /* the map, if the recipe has no `map` parameter; else 0 */
    const okra_recipe_param *params;
    size_t n_params;
    bool variance;  /* okra_predict() gives a variance */
    bool relevance; /* okra_get_relevance() says which inputs matter */
} okra_recipe;

/* The recipes, in the order of the documentation: i = 0, 1, .. until NULL. */
OKRA_API const okra_recipe *okra_recipe_at(size_t i);

/* The recipe of that name, or NULL. */
OKRA_API const okra_recipe *okra_recipe_find(const char *name);

/* The parameters of all recipes: i = 0, 1, .. until NULL. */
OKRA_API const okra_param *okra_param_at(size_t i);

/*
 * Fills *spec with the recipe's defaults, in double precision. OKRA_E_RECIPE if there is no such recipe.
 */
OKRA_API okra_status okra_spec_init(okra_spec *spec, const char *recipe, size_t inputs, size_t outputs);

/*
 * Sets a parameter by name from text ("0.5", "laplacian", "f32"), as the command line does. OKRA_E_PARAMETER if the
 * value cannot be read or is out of range, or if the recipe lacks the parameter: `why` (may be NULL) then holds the
 * reason, and *spec is unchanged.
 */
OKRA_API okra_status okra_spec_set(okra_spec *spec, const char *name, const char *text, okra_message *why);

/*
 * Writes the value of a parameter as text; okra_spec_set() reads it back to the same value. `text` holds `size`
 * characters. OKRA_E_BUFFER if that is too few (OKRA_VALUE_TEXT is always enough), OKRA_E_PARAMETER if the recipe has
 * no such parameter.
 */
enum { OKRA_VALUE_TEXT = 2048 };
OKRA_API okra_status okra_spec_get(const okra_spec *spec, const char *name, char *text, size_t size);

/* OKRA_OK if okra_create() would accept the spec, memory permitting. Else the status, and the reason in `why` (may be
 * NULL). */
OKRA_API okra_status okra_spec_check(const okra_spec *spec, okra_message *why);

#ifdef __cplusplus
}
#endif
#endif
