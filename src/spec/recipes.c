/*
 * The table of recipes and parameters. The command line, `okra list`, the bindings and the documentation read it. A
 * parameter has one row with its range and help. A recipe lists its parameters, with its own defaults.
 */
#include "recipes.h"

#include <string.h>

#include "../core/compiler.h"
#include "../kernel/kernel.h"

const okra_choice okra_map_choices[] = {
    {"rff", OKRA_MAP_RFF, HELP("random Fourier features: sqrt(2/D) cos(omega.x + b)")},
    {"pair", OKRA_MAP_PAIR, HELP("cosine and sine of each of D/2 random frequencies")},
    {"orf", OKRA_MAP_ORF, HELP("pairs of orthogonal random frequencies; radial kernels")},
    {"sorf", OKRA_MAP_SORF, HELP("the same by Hadamard transforms, for many inputs; radial kernels")},
    {"qmc", OKRA_MAP_QMC, HELP("pairs of quasi-random frequencies (scrambled Halton)")},
    {"quadrature", OKRA_MAP_QUADRATURE, HELP("pairs of frequencies from a quadrature rule; gaussian, cauchy")},
    {"linear", OKRA_MAP_LINEAR, HELP("the inputs themselves and a bias")},
    {"linear+rff", OKRA_MAP_LINEAR + OKRA_MAP_RFF, HELP("the inputs, a bias, and rff")},
    {"linear+pair", OKRA_MAP_LINEAR + OKRA_MAP_PAIR, HELP("the inputs, a bias, and pair")},
    {"linear+orf", OKRA_MAP_LINEAR + OKRA_MAP_ORF, HELP("the inputs, a bias, and orf")},
    {"linear+sorf", OKRA_MAP_LINEAR + OKRA_MAP_SORF, HELP("the inputs, a bias, and sorf")},
    {"linear+qmc", OKRA_MAP_LINEAR + OKRA_MAP_QMC, HELP("the inputs, a bias, and qmc")},
    {"linear+quadrature", OKRA_MAP_LINEAR + OKRA_MAP_QUADRATURE, HELP("the inputs, a bias, and quadrature")},
    {NULL, 0, NULL},
};

static const okra_choice full_choices[] = {
    {"stop", OKRA_FULL_STOP, HELP("add no more centres, adapt the nearest")},
    {"oldest", OKRA_FULL_OLDEST, HELP("replace the oldest centre")},
    {"error", OKRA_FULL_ERROR, HELP("refuse the sample")},
    {NULL, 0, NULL},
};

static const okra_choice sigma_words[] = {
    {"auto", -1, HELP("the median distance of inputs, found in the warm-up")},
    {NULL, 0, NULL},
};

static const okra_choice widths_words[] = {
    {"auto", -1, HELP("found in the warm-up, by the evidence")},
    {"equal", 0, HELP("sigma for every input")},
    {NULL, 0, NULL},
};

static const okra_choice mu_words[] = {
    {"auto", -1, HELP("follows the errors; for LMS and NLMS")},
    {NULL, 0, NULL},
};

static const okra_choice loss_choices[] = {
    {"square", OKRA_LOSS_SQUARE, HELP("every error counts in full")},
    {"huber", OKRA_LOSS_HUBER, HELP("an error beyond the scale counts as one of the scale")},
    {"mcc", OKRA_LOSS_MCC, HELP("maximum correntropy: an error e counts exp(-e^2/2c^2) of itself")},
    {"cauchy", OKRA_LOSS_CAUCHY, HELP("an error e counts 1/(1 + e^2/c^2) of itself")},
    {"quantile", OKRA_LOSS_QUANTILE, HELP("learns a quantile of the target in place of its mean")},
    {NULL, 0, NULL},
};

static const okra_choice loss_scale_words[] = {
    {"auto", -1, HELP("tracked: seven deviations of ordinary errors, more if they have long tails")},
    {NULL, 0, NULL},
};

static const okra_choice forget_choices[] = {
    {"exponential", OKRA_FORGET_EXPONENTIAL, HELP("older samples count less")},
    {"prior", OKRA_FORGET_PRIOR, HELP("what was learnt fades to what was known at the start")},
    {NULL, 0, NULL},
};

static const okra_choice cyclic_words[] = {
    {"auto", -1, HELP("as often as the forgetting needs")},
    {NULL, 0, NULL},
};

static const okra_choice scale_choices[] = {
    {"none", OKRA_SCALE_NONE, HELP("numbers as they come")},
    {"auto", OKRA_SCALE_AUTO, HELP("mean 0 and deviation 1")},
    {NULL, 0, NULL},
};

static const okra_choice precision_choices[] = {
#ifndef OKRA_NO_F64
    {"f64", OKRA_F64, HELP("double")},
#endif
#ifndef OKRA_NO_F32
    {"f32", OKRA_F32, HELP("single, in every operation of a step")},
#endif
    {NULL, 0, NULL},
};

/* clang-format off */
#define FIELD(field) offsetof(okra_spec, field)
#define OF_MAP       OKRA_SCOPE_MAP
#define OF_FILTER    OKRA_SCOPE_FILTER
#define OF_STREAM    OKRA_SCOPE_STREAM
#define SHOW         false, 0 /* in every summary .. */
#define QUIET        true, 0  /* .. or only if it is not the recipe's default */
#define SHOW_LIST(most)  false, most /* as SHOW, of a list */
#define QUIET_LIST(most) true, most
#define ROWS_MAX     0x1p24 /* maximum of a lag, a horizon or a warm-up: more is a mistake */

enum {
    MAP, KERNEL, SIGMA, WIDTHS, FEATURES, MAP_SEED, MU, REG, LAMBDA, BETA, CYCLIC, EPSILON, NOVELTY_DISTANCE, NOVELTY_ERROR,
    COHERENCE, SURPRISE, SURPRISE_MAX, NU, CAPACITY, WHEN_FULL, LEAK, ORDER, TOLERANCE, FORGET, LOSS, LOSS_SCALE, QUANTILE, PRECISION,
    LAGS, LAG_FROM, TARGET_LAGS, HORIZON, SCALE, WARMUP
};

static const okra_param params[] = {
    [MAP]              = {"map", OKRA_PARAM_CHOICE, OF_MAP, FIELD(map), 0, 0, okra_map_choices, HELP("how features are made from inputs"), SHOW},
    [KERNEL]           = {"kernel", OKRA_PARAM_CHOICE, OF_MAP, FIELD(kernel), 0, 0, okra_kernel_choices, HELP("similarity of two inputs"), SHOW},
    [SIGMA]            = {"sigma", OKRA_PARAM_REALS, OF_MAP, FIELD(sigma), 1e-30, 1e30, sigma_words,
                          HELP("kernel width, in units of the inputs; several, as in 0.5,1,2, share the features"), SHOW_LIST(OKRA_WIDTHS_MAX)},
    [WIDTHS]           = {"widths", OKRA_PARAM_REALS, OF_MAP, FIELD(widths), 1e-30, 1e30, widths_words,
                          HELP("a width for each input, after lags: what sigma is multiplied by along it"), QUIET_LIST(OKRA_INPUT_WIDTHS_MAX)},
    [FEATURES]         = {"features", OKRA_PARAM_COUNT, OF_MAP, FIELD(features), 1, 0x1p30, NULL, HELP("number of features D"), SHOW},
    [MAP_SEED]         = {"seed", OKRA_PARAM_SEED, OF_MAP, FIELD(seed), 0, 0x1p64, NULL, HELP("seed of the random features"), SHOW},
    [MU]               = {"mu", OKRA_PARAM_REAL, OF_FILTER, FIELD(mu), 1e-30, 1e30, mu_words, HELP("step size"), SHOW},
    [REG]              = {"reg", OKRA_PARAM_REAL, OF_FILTER, FIELD(reg), 1e-30, 1e30, NULL, HELP("regularisation of the step"), SHOW},
    [LAMBDA]           = {"lambda", OKRA_PARAM_REAL, OF_FILTER, FIELD(lambda), 1e-30, 1e30, NULL, HELP("regularisation: P starts at I/lambda"), SHOW},
    [BETA]             = {"beta", OKRA_PARAM_REAL, OF_FILTER, FIELD(beta), 0.01, 1, NULL, HELP("forgetting factor; 1 forgets nothing"), SHOW},
    [CYCLIC]           = {"cyclic", OKRA_PARAM_COUNT, OF_FILTER, FIELD(cyclic), 0, 0x1p30, cyclic_words,
                          HELP("samples from one cyclic regularisation to the next; 0 is never"), SHOW},
    [EPSILON]          = {"epsilon", OKRA_PARAM_REAL, OF_FILTER, FIELD(epsilon), 0, 1e30, NULL,
                          HELP("squared distance within which a centre is used again"), SHOW},
    [NOVELTY_DISTANCE] = {"novelty-distance", OKRA_PARAM_REAL, OF_FILTER, FIELD(novelty_distance), 0, 1e30, NULL,
                          HELP("least distance of a new centre from the others"), SHOW},
    [NOVELTY_ERROR]    = {"novelty-error", OKRA_PARAM_REAL, OF_FILTER, FIELD(novelty_error), 0, 1e30, NULL, HELP("least error at a new centre"), SHOW},
    [COHERENCE]        = {"coherence", OKRA_PARAM_REAL, OF_FILTER, FIELD(coherence), 0, 1, NULL,
                          HELP("largest kernel value of a new centre with the others"), SHOW},
    [SURPRISE]         = {"surprise", OKRA_PARAM_REAL, OF_FILTER, FIELD(surprise), -1e30, 1e30, NULL, HELP("least surprise of a new centre"), SHOW},
    [SURPRISE_MAX]     = {"surprise-max", OKRA_PARAM_REAL, OF_FILTER, FIELD(surprise_max), -1e30, 1e30, NULL,
                          HELP("surprise beyond which a sample is abnormal and not learnt"), SHOW},
    [NU]               = {"nu", OKRA_PARAM_REAL, OF_FILTER, FIELD(nu), 1e-7, 1, NULL,
                          HELP("approximate linear dependence: least squared distance of a new centre from the span of the others"), SHOW},
    [CAPACITY]         = {"capacity", OKRA_PARAM_COUNT, OF_FILTER, FIELD(capacity), 1, 0x1p30, NULL, HELP("most centres; memory is taken for all"), SHOW},
    [WHEN_FULL]        = {"when-full", OKRA_PARAM_CHOICE, OF_FILTER, FIELD(when_full), 0, 0, full_choices, HELP("what a full dictionary does"), SHOW},
    [LEAK]             = {"leak", OKRA_PARAM_REAL, OF_FILTER, FIELD(leak), 0, 1e30, NULL, HELP("what was learnt shrinks by 1 - mu leak a sample"), QUIET},
    [ORDER]            = {"order", OKRA_PARAM_COUNT, OF_FILTER, FIELD(order), 1, 64, NULL, HELP("rows that a step learns from at once: the last ones"), SHOW},
    [TOLERANCE]        = {"tolerance", OKRA_PARAM_REAL, OF_FILTER, FIELD(tolerance), 0, 1e30, NULL, HELP("errors up to this are not learnt"), SHOW},
    [FORGET]           = {"forget", OKRA_PARAM_CHOICE, OF_FILTER, FIELD(forget), 0, 0, forget_choices, HELP("how beta forgets"), QUIET},
    [LOSS]             = {"loss", OKRA_PARAM_CHOICE, OF_FILTER, FIELD(loss), 0, 0, loss_choices, HELP("what an error costs"), QUIET},
    [LOSS_SCALE]       = {"loss-scale", OKRA_PARAM_REAL, OF_FILTER, FIELD(loss_scale), 1e-30, 1e30, loss_scale_words,
                          HELP("c: from which size on errors count less, in units of the target, scaled if it is"), QUIET},
    [QUANTILE]         = {"quantile", OKRA_PARAM_REAL, OF_FILTER, FIELD(quantile), 1e-4, 0.9999, NULL,
                          HELP("the quantile that the loss of that name learns"), QUIET},
    [PRECISION]        = {"precision", OKRA_PARAM_CHOICE, OF_MAP, FIELD(precision), 0, 0, precision_choices, HELP("arithmetic of every step"), SHOW},
    [LAGS]             = {"lags", OKRA_PARAM_COUNT, OF_STREAM, FIELD(lags), 1, ROWS_MAX, NULL,
                          HELP("values of each input to predict from: the row's own and those of the rows before"), SHOW},
    [LAG_FROM]         = {"lag-from", OKRA_PARAM_COUNT, OF_STREAM, FIELD(lag_from), 0, ROWS_MAX, NULL,
                          HELP("rows from the one predicted back to the first of those values"), SHOW},
    [TARGET_LAGS]      = {"target-lags", OKRA_PARAM_COUNT, OF_STREAM, FIELD(target_lags), 0, ROWS_MAX, NULL,
                          HELP("past targets to predict from"), SHOW},
    [HORIZON]          = {"horizon", OKRA_PARAM_COUNT, OF_STREAM, FIELD(horizon), 1, ROWS_MAX, NULL,
                          HELP("rows from the one predicted back to the last target that is known"), SHOW},
    [SCALE]            = {"scale", OKRA_PARAM_CHOICE, OF_STREAM, FIELD(scale), 0, 0, scale_choices,
                          HELP("standardise inputs and targets, by what the warm-up has seen"), SHOW},
    [WARMUP]           = {"warmup", OKRA_PARAM_COUNT, OF_STREAM, FIELD(warmup), 2, ROWS_MAX, NULL,
                          HELP("rows that an automatic scale or sigma is estimated from, again at rows 16, 64, 256, .."), SHOW},
};

#define P(param, value)   {&params[param], value}
#define RANDOM_MAP        P(MAP, OKRA_MAP_RFF), P(KERNEL, OKRA_GAUSSIAN), P(SIGMA, 1), P(WIDTHS, 0), P(FEATURES, 300), P(MAP_SEED, 1)
#define DICTIONARY        P(KERNEL, OKRA_GAUSSIAN), P(SIGMA, 1)
#define BOUNDED(capacity) P(CAPACITY, capacity), P(WHEN_FULL, OKRA_FULL_STOP)
#ifndef OKRA_NO_F64
#define EITHER_PRECISION  P(PRECISION, OKRA_F64)
#else
#define EITHER_PRECISION  P(PRECISION, OKRA_F32)
#endif
#define STREAM(scale)     P(LAGS, 1), P(LAG_FROM, 0), P(TARGET_LAGS, 0), P(HORIZON, 1), P(SCALE, scale), P(WARMUP, 512)
#define LOSSES(loss)      P(LOSS, loss), P(LOSS_SCALE, -1), P(QUANTILE, 0.5)
#define COMMON            LOSSES(OKRA_LOSS_SQUARE), EITHER_PRECISION, STREAM(OKRA_SCALE_NONE)

static const okra_recipe_param automatic[] = {P(SIGMA, -1), P(FEATURES, 300), P(MAP_SEED, 1), P(BETA, 0.9995), LOSSES(OKRA_LOSS_HUBER), EITHER_PRECISION,
                                              STREAM(OKRA_SCALE_AUTO)};
static const okra_recipe_param rff_klms[] = {RANDOM_MAP, P(MU, 0.5), P(LEAK, 0), COMMON};
static const okra_recipe_param rff_nlms[] = {RANDOM_MAP, P(MU, 0.5), P(REG, 1e-6), P(LEAK, 0), COMMON};
static const okra_recipe_param rff_apa[] = {RANDOM_MAP, P(MU, 0.5), P(ORDER, 4), P(REG, 1e-2), COMMON};
static const okra_recipe_param rff_apsm[] = {RANDOM_MAP, P(MU, 0.5), P(ORDER, 4), P(TOLERANCE, 0), COMMON};
static const okra_recipe_param rff_krls[] = {RANDOM_MAP, P(LAMBDA, 1e-2), P(BETA, 1), P(FORGET, OKRA_FORGET_EXPONENTIAL), P(CYCLIC, -1),
                                             COMMON};
static const okra_recipe_param klms[] = {DICTIONARY, P(MU, 0.5), P(LEAK, 0), BOUNDED(10000), COMMON};
static const okra_recipe_param qklms[] = {DICTIONARY, P(MU, 0.5), P(LEAK, 0), P(EPSILON, 0.1), BOUNDED(10000), COMMON};
static const okra_recipe_param nc_klms[] = {DICTIONARY, P(MU, 0.5), P(LEAK, 0), P(NOVELTY_DISTANCE, 0.1), P(NOVELTY_ERROR, 0.05),
                                            BOUNDED(10000), COMMON};
static const okra_recipe_param knlms[] = {DICTIONARY, P(MU, 0.5), P(LEAK, 0), P(COHERENCE, 0.95), P(REG, 1e-2), BOUNDED(10000),
                                          COMMON};
static const okra_recipe_param sc_klms[] = {DICTIONARY, P(MU, 0.5), P(LEAK, 0), P(SURPRISE, -1), P(SURPRISE_MAX, 200), P(REG, 1e-2),
                                            BOUNDED(10000), COMMON};
static const okra_recipe_param krls[] = {DICTIONARY, P(NU, 5e-4), BOUNDED(1000), COMMON};
static const okra_recipe_param lms[] = {P(MU, 0.01), P(LEAK, 0), COMMON};
static const okra_recipe_param nlms[] = {P(MU, 0.5), P(REG, 1e-6), P(LEAK, 0), COMMON};
static const okra_recipe_param rls[] = {P(LAMBDA, 1e-2), P(BETA, 1), P(FORGET, OKRA_FORGET_EXPONENTIAL), P(CYCLIC, -1), COMMON};

#define RECIPE_FULL(name, filter, map, params, variance, relevance, help)                                              \
    {name, help, filter, map, params, sizeof(params) / sizeof *(params), variance, relevance}
#define RECIPE(name, filter, map, params, variance, help) RECIPE_FULL(name, filter, map, params, variance, false, help)

static const okra_recipe recipes[] = {
    RECIPE_FULL("auto", "ensemble", OKRA_MAP_IDENTITY, automatic, true, true, HELP("an ensemble of linear and kernel RLS filters: nothing to choose")),
    RECIPE("rff-klms", "lms", 0, rff_klms, false, HELP("kernel LMS on random Fourier features: theta += mu e z")),
    RECIPE("rff-nlms", "nlms", 0, rff_nlms, false, HELP("normalised kernel LMS: theta += mu e z / (reg + |z|^2)")),
    RECIPE("rff-apa", "apa", 0, rff_apa, false, HELP("affine projection: a normalised step that sets the last rows right at once")),
    RECIPE("rff-apsm", "apsm", 0, rff_apsm, false, HELP("adaptive projected subgradients: learns from errors beyond a tolerance only")),
    RECIPE("rff-krls", "rls", 0, rff_krls, true, HELP("kernel RLS on random Fourier features, with forgetting and error bars")),
    RECIPE("klms", "klms", OKRA_MAP_IDENTITY, klms, false, HELP("kernel LMS, every sample a centre")),
    RECIPE("qklms", "qklms", OKRA_MAP_IDENTITY, qklms, false, HELP("kernel LMS, quantised: near samples share a centre")),
    RECIPE("nc-klms", "nc-klms", OKRA_MAP_IDENTITY, nc_klms, false, HELP("kernel LMS, novelty criterion: learns what is far and badly predicted")),
    RECIPE("knlms", "knlms", OKRA_MAP_IDENTITY, knlms, false, HELP("normalised kernel LMS, coherence criterion")),
    RECIPE("sc-klms", "sc-klms", OKRA_MAP_IDENTITY, sc_klms, false, HELP("kernel LMS, surprise criterion")),
    RECIPE("krls", "krls", OKRA_MAP_IDENTITY, krls, true, HELP("Engel's kernel RLS, sparse by approximate linear dependence")),
    RECIPE("lms", "lms", OKRA_MAP_LINEAR, lms, false, HELP("linear LMS on the inputs and a bias")),
    RECIPE("nlms", "nlms", OKRA_MAP_LINEAR, nlms, false, HELP("linear normalised LMS on the inputs and a bias")),
    RECIPE("rls", "rls", OKRA_MAP_LINEAR, rls, true, HELP("linear RLS on the inputs and a bias")),
};
/* clang-format on */

const okra_recipe *okra_recipe_at(size_t i) { return i < sizeof recipes / sizeof *recipes ? &recipes[i] : NULL; }

const okra_recipe *okra_recipe_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof recipes / sizeof *recipes; i++)
        if (strcmp(recipes[i].name, name) == 0)
            return &recipes[i];
    return NULL;
}

const okra_param *okra_param_at(size_t i) { return i < sizeof params / sizeof *params ? &params[i] : NULL; }

const okra_recipe_param *okra_recipe_param_find(const okra_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->n_params; i++)
        if (strcmp(recipe->params[i].param->name, name) == 0)
            return &recipe->params[i];
    return NULL;
}
