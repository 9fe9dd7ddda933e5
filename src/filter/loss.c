#include "loss.h"

/*
 * Tracked of |e|, for each output: its median and its 95% quantile. The logarithm of each takes a step up for an error
 * above it and a step down for one below, in the ratio that balances at that quantile. Also tracked: the number of
 * errors in a row above the quantile, and the number of errors so far, up to FIRST. During those FIRST errors the
 * median takes large steps, and the quantile is the largest error, at most FIRST_RATIO times the median. Before
 * WEIGH_FROM errors every sample counts in full.
 *
 * One error in twenty is above the quantile. RUN of them in a row mean that the system has changed, and must not count
 * as outliers for long: from then on the step doubles with each error, up to STEP_MAX. No step goes beyond |e|.
 */
enum { QUANTILE, MEDIAN, RUN_LENGTH, SEEN, LOSS_NUMBERS };
enum { FIRST = 16, WEIGH_FROM = 5, RUN = 4, RUN_MAX = 24 };
#define ABOVE       ((real)0.05) /* share of errors above the quantile */
#define RATE        ((real)0.1)
#define STEP_MAX    ((real)3)
#define FIRST_RATIO ((real)10)
#define FIRST_RATE  ((real)0.5)

/*
 * c = FACTOR q (q / median)^(3/4). That is 7 deviations of Gaussian errors, and more for long tails, whose large errors
 * must be learnt. An error above WILD c is an outlier and counts as the median.
 */
#define FACTOR    ((real)1.6)
#define WILD      ((real)3)
#define RATIO_MAX ((real)1000)

/* The quantile loss is a square within this share of its scale, so that its weight stays finite. */
#define FLAT ((real)0.05)

static bool tracks(const loss_state *l) { return l->kind != OKRA_LOSS_SQUARE && !(l->scale > 0); }

void loss_lay_out(loss_state *l, const okra_spec *spec, size_t times, okra_block *block)
{
    size_t outputs = SIZE_MAX;
    okra_multiply(spec->outputs, times, &outputs);
    l->kind = spec->loss;
    l->outputs = outputs;
    l->scale = spec->loss_scale > 0 ? (real)spec->loss_scale : 0;
    l->quantile = (real)spec->quantile;
    l->track = okra_block_take(block, tracks(l) ? l->outputs : 0, LOSS_NUMBERS * sizeof(real));
}

loss_state loss_part(const loss_state *all, size_t k, size_t outputs)
{
    loss_state part = *all;
    part.outputs = outputs;
    part.track = all->track ? all->track + k * outputs * LOSS_NUMBERS : NULL;
    return part;
}

void loss_reset(loss_state *l)
{
    for (size_t i = 0; tracks(l) && i < l->outputs * LOSS_NUMBERS; i++)
        l->track[i] = 0;
}

/* ---- the weight of a sample ----------------------------------------------------------------------------------- */

/* c of an output with tracked |e|. For the quantile loss it is the median. */
static real tracked_scale(const loss_state *l, const real *t)
{
    if (l->kind == OKRA_LOSS_QUANTILE)
        return t[MEDIAN];
    real ratio = t[MEDIAN] > 0 ? t[QUANTILE] / t[MEDIAN] : RATIO_MAX;
    ratio = ratio < 1 ? 1 : ratio > RATIO_MAX ? RATIO_MAX : ratio;
    return FACTOR * t[QUANTILE] * real_sqrt(ratio) * real_sqrt(real_sqrt(ratio));
}

static real share_of(const loss_state *l, real r, bool below)
{
    switch (l->kind) {
    case OKRA_LOSS_HUBER:
        return r > 1 ? 1 / r : 1;
    case OKRA_LOSS_MCC:
        return real_exp(-r * r / 2);
    case OKRA_LOSS_CAUCHY:
        return 1 / (1 + r * r);
    case OKRA_LOSS_QUANTILE:
        return 2 * (below ? 1 - l->quantile : l->quantile) / (r > FLAT ? r : FLAT);
    default:
        return 1;
    }
}

/* |e| / c. If c is 0, because all predictions so far were exact, any error is large. */
static real relative(real e, real c)
{
    real r = e > 0 ? e / (c > REAL_MIN ? c : REAL_MIN) : 0;
    return r <= REAL_MAX ? r : REAL_MAX;
}

/* Outputs share one weight: that of the largest relative error. */
real loss_weight(const loss_state *l, const real *y, const real *yhat, real spread)
{
    real worst = 0, wild = 1;
    for (size_t o = 0; o < l->outputs; o++) {
        const real *t = l->track + o * LOSS_NUMBERS;
        if (tracks(l) && t[SEEN] < WEIGH_FROM)
            return 1;
        real e = real_abs(y[o] - yhat[o]) / real_sqrt(spread), c = tracks(l) ? tracked_scale(l, t) : l->scale;
        real r = relative(e, c);
        if (r > worst) {
            worst = r;
            wild = tracks(l) && r > WILD ? t[MEDIAN] / e : 1;
        }
    }
    real share = share_of(l, worst, y[0] < yhat[0]);
    return l->kind == OKRA_LOSS_HUBER && wild < share ? wild : share;
}

/* ---- the scale of the errors ---------------------------------------------------------------------------------- */

/* The quantile's step up after a run of errors above it. */
static real step_up(real run)
{
    real step = RATE * (1 - ABOVE);
    for (real k = RUN; k <= run; k++)
        step *= 2;
    return step < STEP_MAX ? step : STEP_MAX;
}

/* level exp(step), at most e. */
static real raised(real level, real step, real e)
{
    real next = level * real_exp(step);
    return next >= REAL_MIN && next < e ? next : e;
}

static void track_error(real *t, real e)
{
    if (t[SEEN] < FIRST) {
        bool first = !(t[SEEN]++ > 0);
        t[MEDIAN] = first ? e : e > t[MEDIAN] ? raised(t[MEDIAN], FIRST_RATE, e) : t[MEDIAN] * (1 - FIRST_RATE);
        real max = e > t[QUANTILE] ? e : t[QUANTILE];
        t[QUANTILE] = max < FIRST_RATIO * t[MEDIAN] ? max : FIRST_RATIO * t[MEDIAN];
        return;
    }
    bool above = e > t[QUANTILE];
    t[RUN_LENGTH] = !above ? 0 : t[RUN_LENGTH] < RUN_MAX ? t[RUN_LENGTH] + 1 : RUN_MAX;
    t[QUANTILE] = above ? raised(t[QUANTILE], step_up(t[RUN_LENGTH]), e) : t[QUANTILE] * (1 - RATE * ABOVE);
    t[MEDIAN] = e > t[MEDIAN] ? raised(t[MEDIAN], RATE / 2, e) : t[MEDIAN] * (1 - RATE / 2);
}

void loss_learn(loss_state *l, const real *y, const real *yhat, real spread)
{
    for (size_t o = 0; tracks(l) && o < l->outputs; o++) {
        real e = real_abs(y[o] - yhat[o]) / real_sqrt(spread);
        if (e <= REAL_MAX)
            track_error(l->track + o * LOSS_NUMBERS, e);
    }
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

bool loss_array(const loss_state *l, array_view *view)
{
    *view = (array_view){"errors", l->outputs, LOSS_NUMBERS, l->track, ARRAY_ROWS, LOSS_NUMBERS, false};
    return tracks(l);
}

void loss_after_load(loss_state *l)
{
    for (size_t i = 0; tracks(l) && i < l->outputs * LOSS_NUMBERS; i++)
        l->track[i] = l->track[i] > 0 ? l->track[i] : 0;
}
