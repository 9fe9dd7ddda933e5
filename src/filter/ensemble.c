/*
 * An ensemble of least-squares filters on the same inputs, which needs no choices (ensemble.h). Each member learns
 * every sample. The prediction is their mean, weighted by recent errors (mixture.h).
 *
 * Predictions of members are clipped to the range of the targets learnt, plus half of it on either side. This bounds
 * the error of a member that extrapolates. Targets are clipped to the range, plus all of it on either side. So a single
 * outlier can neither spoil the weights nor the range. After a lasting change of level, the range doubles with every
 * sample until it reaches the level.
 */
#include "ensemble.h"

#include <string.h>

#include "../spec/check.h"
#include "levels.h"

enum { RANGE_FROM = 16 /* samples before the range of the targets is used */ };

/* A trial: samples left, samples seen, and the sum and the sum of squares of what the member lost over the best. */
enum { TRIAL_LEFT, TRIAL_SEEN, TRIAL_SUM, TRIAL_SQUARES, TRIAL_NUMBERS };
enum { TRIAL_LEAST = 16, TRIAL_MOST = 64, TRIAL_SHARE = 32 };

#define LEVEL_MAX  (REAL_MAX / 1024)
#define WEIGHT_MAX ((real)1e6)

/* Cyclic regularisation costs as much as half a sample. A slot forgets so slowly that P hardly triples in between. */
enum { SLOT_CYCLIC = 16 };

enum { SLEEP_AFTER = 256, LOOK_EVERY = 8 };
#define SLEEP_WEIGHT ((real)0.05)

/* The parts of the scratch for one sample. */
typedef struct scratch_view {
    real *z, *work, *yhat, *variance; /* yhat, variance: [MEMBERS][outputs] */
    real *mean;                       /* [outputs]: of their predictions */
    real *target;                     /* [outputs]: clipped */
    bool known;                       /* whether the range of the targets was known before this sample */
} scratch_view;

static size_t work_size(const struct ensemble *c) { return 2 * c->width + c->scratch + (2 * MEMBERS + 2) * c->outputs; }

static scratch_view scratch_at(const struct ensemble *c, real *work)
{
    scratch_view d = {.z = work, .known = c->parts->ring.count >= RANGE_FROM};
    d.work = d.z + c->width;
    d.yhat = d.work + c->scratch + c->width; /* RLS needs the length of a z */
    d.variance = d.yhat + MEMBERS * c->outputs;
    d.target = d.variance + MEMBERS * c->outputs;
    d.mean = d.target + c->outputs;
    return d;
}

/* ---- building ------------------------------------------------------------------------------------------------- */

static okra_spec base_spec(const okra_spec *spec)
{
    okra_spec part = *spec;
    part.map = OKRA_MAP_ORF;
    part.kernel = OKRA_GAUSSIAN;
    part.sigma = 1;
    memset(part.sigma_more, 0, sizeof part.sigma_more);
    memset(part.widths, 0, sizeof part.widths);
    part.features = 2 * member_pairs(spec, KIND_SLOT);
    return part;
}

static okra_spec member_spec(const okra_spec *spec, size_t k)
{
    okra_spec part = *spec;
    part.lambda = member_plans[k].lambda > 0 ? member_plans[k].lambda : 1;
    part.beta = member_plans[k].beta > 0 ? member_plans[k].beta : spec->beta;
    part.forget = member_plans[k].tracks ? OKRA_FORGET_PRIOR : OKRA_FORGET_EXPONENTIAL;
    part.cyclic = member_plans[k].kind == KIND_SLOT ? SLOT_CYCLIC : OKRA_AUTO;
    return part;
}

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct ensemble *c = self;
    ensemble_parts spare;
    const okra_spec *spec = shape->spec;
    okra_spec base = base_spec(spec);
    c->vec = shape->vec;
    c->spec = spec;
    c->inputs = spec->inputs;
    c->outputs = shape->outputs;
    c->parts = okra_block_take_struct(block, sizeof *c->parts, &spare);
    map_lay_out(&c->parts->base, &base, shape->vec, block);
    loss_lay_out(&c->parts->errors, spec, MEMBERS, block);
    c->width = c->scratch = 0;
    for (size_t k = 0; k < MEMBERS; k++) {
        okra_spec own = member_spec(spec, k);
        loss_state loss = loss_part(&c->parts->errors, k, c->outputs);
        member *m = &c->parts->member[k];
        member_lay_out(m, &own, member_pairs(spec, member_plans[k].kind), shape->vec, &loss, block);
        size_t width = padded(m->f.features), scratch = member_scratch(&m->f);
        c->width = width > c->width ? width : c->width;
        c->scratch = scratch > c->scratch ? scratch : c->scratch;
    }
    fit_lay_out(c, shape, block);
    c->mixture = shape->loss;
    c->loss = okra_block_take(block, MEMBERS, sizeof(real));
    c->level = okra_block_take(block, c->outputs + 1, sizeof(real));
    c->trial = okra_block_take(block, MEMBERS, TRIAL_NUMBERS * sizeof(real));
    c->quiet = okra_block_take(block, MEMBERS, sizeof(real));
    c->range = okra_block_take(block, c->outputs, 2 * sizeof(real));
    size_t slot_bytes = SIZE_MAX;
    okra_multiply(c->outputs, MEMBERS * sizeof(real), &slot_bytes);
    c->delay = spec->delay;
    c->pending = okra_block_take(block, c->delay, slot_bytes);
    c->pending_before = okra_block_take(block, c->delay > 0, slot_bytes);
    c->work = okra_block_take(block, work_size(c), sizeof(real));
    if (!block->base)
        c->parts = NULL; /* it pointed into the spare */
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    struct ensemble *c = self;
    okra_spec base = base_spec(spec);
    return c->parts->base.klass->init_params(c->parts->base.state, &base);
}

static void init_empty(void *self) { map_init_empty(&((struct ensemble *)self)->parts->base); }

static void reset(void *self)
{
    struct ensemble *c = self;
    for (size_t k = 0; k < MEMBERS; k++) {
        okra_spec own = member_spec(c->spec, k);
        member_reset(&c->parts->member[k], &own);
    }
    fit_reset(c);
    loss_reset(&c->parts->errors);
    memset(c->loss, 0, MEMBERS * sizeof *c->loss);
    memset(c->level, 0, (c->outputs + 1) * sizeof *c->level);
    memset(c->trial, 0, MEMBERS * TRIAL_NUMBERS * sizeof *c->trial);
    memset(c->quiet, 0, MEMBERS * sizeof *c->quiet);
    memset(c->range, 0, 2 * c->outputs * sizeof *c->range);
    memset(c->pending, 0, c->delay * MEMBERS * c->outputs * sizeof *c->pending);
}

/* ---- the range of the targets --------------------------------------------------------------------------------- */

/* Clips a value of output o to the range, plus `margin` times its width on either side. */
static real within_range(const struct ensemble *c, size_t o, real value, real margin)
{
    real low = c->range[2 * o], high = c->range[2 * o + 1], beyond = margin * (high - low);
    return value < low - beyond ? low - beyond : value > high + beyond ? high + beyond : value;
}

/* Clips the target. If it was constant so far, the range has no width, and it is not clipped. */
static void limit_target(const struct ensemble *c, const scratch_view *d, const real *y)
{
    for (size_t o = 0; o < c->outputs; o++) {
        bool varies = c->range[2 * o] < c->range[2 * o + 1];
        d->target[o] = d->known && varies ? within_range(c, o, y[o], 1) : y[o];
    }
}

/* Clips the predictions of the members. */
static void limit_members(const struct ensemble *c, const scratch_view *d)
{
    for (size_t k = 0; k < MEMBERS && d->known; k++)
        for (size_t o = 0; o < c->outputs; o++) {
            real *yhat = &d->yhat[k * c->outputs + o];
            *yhat = within_range(c, o, *yhat, (real)0.5);
        }
}

/* Extends the range to a target that was learnt. */
static void widen_range(struct ensemble *c, const real *target)
{
    bool first = c->parts->ring.count == 0;
    for (size_t o = 0; o < c->outputs; o++) {
        real *range = c->range + 2 * o;
        range[0] = first || target[o] < range[0] ? target[o] : range[0];
        range[1] = first || target[o] > range[1] ? target[o] : range[1];
    }
}

/* ---- the mean of the members ---------------------------------------------------------------------------------- */

/*
 * A member with features that has not been heard for long sleeps: it predicts, but does not learn, until its weight is
 * more than next to nothing again. Those that track never sleep: they must be there when the system changes.
 */
static bool sleeps(const struct ensemble *c, size_t k)
{
    bool lost =
        member_plans[k].kind == KIND_SLOT && c->parts->ring.count >= c->parts->state.race && k != fit_champion(c);
    return lost || c->quiet[k] >= SLEEP_AFTER;
}

/* Of the samples that a member sleeps through because it is not heard, it predicts every eighth, to be seen if it has
 * become better. With late labels it predicts them all. */
static bool rests(const struct ensemble *c, size_t k) { return c->delay == 0 && c->quiet[k] >= SLEEP_AFTER; }

static bool predicts(const struct ensemble *c, size_t k)
{
    return member_is_live(c, k) && !(rests(c, k) && c->parts->ring.count % LOOK_EVERY != 0);
}

/* A bit for each member that is heard: live, awake enough to predict, and not on trial. */
static uint64_t heard(const struct ensemble *c)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < MEMBERS; k++)
        bits |= (uint64_t)(predicts(c, k) && !(c->trial[k * TRIAL_NUMBERS + TRIAL_LEFT] > 0)) << k;
    return bits;
}

/* Errors of predictions several rows ahead are alike from row to row, and count less. */
static real sharpness(const struct ensemble *c) { return LEVEL_SHARPNESS * (real)(c->delay > 1 ? c->delay : 1); }

/* yhat and, if not NULL, the variance of the mixture: the members' variances and their spread about the mean. */
static void combine(const struct ensemble *c, const scratch_view *d, real *yhat, real *variance)
{
    real weights[MEMBERS];
    level_weights(MEMBERS, c->loss, heard(c), sharpness(c), weights);
    for (size_t o = 0; o < c->outputs; o++) {
        real mean = 0, spread = 0;
        for (size_t k = 0; k < MEMBERS; k++)
            if (weights[k] > 0)
                mean += weights[k] * d->yhat[k * c->outputs + o];
        mean = mean > REAL_MAX    ? REAL_MAX
               : mean < -REAL_MAX ? -REAL_MAX
                                  : mean; /* weights add up to 1 but for rounding */
        yhat[o] = mean;
        if (!variance)
            continue;
        for (size_t k = 0; k < MEMBERS; k++) {
            real off = d->yhat[k * c->outputs + o] - mean;
            if (weights[k] > 0)
                spread += weights[k] * (d->variance[k * c->outputs + o] + off * off);
        }
        variance[o] = spread;
    }
}

/* Before the first fit: the mean of the targets so far, and their variance; that of one is taken for its square. */
static void predict_mean(const struct ensemble *c, real *yhat, real *variance)
{
    const sample_ring *ring = &c->parts->ring;
    for (size_t o = 0; o < c->outputs; o++) {
        real mean = 0, square = 0, n = (real)ring->count;
        for (uint64_t t = 0; t < ring->count; t++)
            mean += ring_y(ring, t)[o] / (real)(t + 1) - mean / (real)(t + 1); /* their difference may overflow */
        for (uint64_t t = 0; t < ring->count; t++) {
            real off = ring_y(ring, t)[o] - (n > 1 ? mean : 0);
            square += off * off;
        }
        yhat[o] = mean;
        if (variance)
            variance[o] = n == 0 ? (real)INFINITY : square <= LEVEL_MAX ? square / (n > 1 ? n - 1 : 1) : LEVEL_MAX;
    }
}

static void watch_quiet(struct ensemble *c, const real *weights)
{
    for (size_t k = 0; k < MEMBERS; k++) {
        bool may = member_plans[k].kind == KIND_EQUAL || member_plans[k].kind == KIND_SLOT;
        bool silent = may && !(c->trial[k * TRIAL_NUMBERS + TRIAL_LEFT] > 0) && weights[k] < SLEEP_WEIGHT;
        c->quiet[k] = !silent ? 0 : c->quiet[k] < SLEEP_AFTER ? c->quiet[k] + 1 : SLEEP_AFTER;
    }
}

/* ---- learning and predicting ---------------------------------------------------------------------------------- */

/* If a member's prediction is not finite, the first member's replaces it, in learning and in predicting. */
static void fall_back(const struct ensemble *c, const scratch_view *d, size_t k, bool varies)
{
    size_t n = c->outputs;
    if (k == 0 || c->vec->finite(n, d->yhat + k * n) == n)
        return;
    memcpy(d->yhat + k * n, d->yhat, n * sizeof *d->yhat);
    if (varies)
        memcpy(d->variance + k * n, d->variance, n * sizeof *d->variance);
}

/*
 * Linear RLS learns first. If it rejects the sample, the ensemble does, and nothing has changed. A later member that
 * rejects the sample skips it.
 */
static okra_status learn(struct ensemble *c, const scratch_view *d, const real *x, const real *y, real weight)
{
    limit_target(c, d, y);
    for (size_t k = 0; k < MEMBERS; k++) {
        member *m = &c->parts->member[k];
        real *yhat = d->yhat + k * c->outputs;
        okra_status status = OKRA_OK;
        if (!predicts(c, k))
            continue;
        if (member_catches_up(c, k) || sleeps(c, k))
            member_predict(m, x, yhat, NULL, d->z, d->work);
        else
            status = member_learn(m, x, d->target, weight, yhat, d->z, d->work);
        if (status && k == 0)
            return status;
        fall_back(c, d, k, false);
    }
    limit_members(c, d);
    return OKRA_OK;
}

/* The member with the smallest loss of those that are heard. */
static size_t best_member(const struct ensemble *c)
{
    size_t best = 0;
    uint64_t all = heard(c);
    for (size_t k = 0; k < MEMBERS; k++)
        if (all >> k & 1 && c->loss[k] < c->loss[best])
            best = k;
    return best;
}

void ensemble_begin_trial(struct ensemble *c, size_t k)
{
    real *trial = c->trial + k * TRIAL_NUMBERS;
    uint64_t n = c->parts->ring.count / TRIAL_SHARE;
    memset(trial, 0, TRIAL_NUMBERS * sizeof *trial);
    trial[TRIAL_LEFT] = (real)(n < TRIAL_LEAST ? TRIAL_LEAST : n > TRIAL_MOST ? TRIAL_MOST : n);
}

/* A trial ends: the member's loss is what it would be if it had lost as much over the best for as long as that one, and
 * a standard error more. */
static void judge(struct ensemble *c, size_t k, size_t best, real excess, real excess_best)
{
    real *trial = c->trial + k * TRIAL_NUMBERS, over = excess - excess_best;
    if (!(trial[TRIAL_LEFT] > 0) || member_catches_up(c, k))
        return;
    trial[TRIAL_LEFT]--, trial[TRIAL_SEEN]++;
    trial[TRIAL_SUM] += over;
    trial[TRIAL_SQUARES] += over * over;
    if (trial[TRIAL_LEFT] > 0)
        return;
    real n = trial[TRIAL_SEEN], mean = trial[TRIAL_SUM] / n;
    real variance = trial[TRIAL_SQUARES] / n - mean * mean;
    real memory = (real)(c->parts->ring.count < LEVEL_MEMORY ? c->parts->ring.count : LEVEL_MEMORY);
    real loss = c->loss[best] + memory * (mean + real_sqrt((variance > 0 ? variance : 0) / n));
    c->loss[k] = loss > 0 ? loss : 0;
}

/* The level of the errors of the mean, from the first fit on; `share` is small for outliers. */
static void update_level(struct ensemble *c, const real *target, const real *yhat, real share)
{
    real *count = &c->level[c->outputs], n = *count + share < LEVEL_MEMORY_SHORT ? *count + share : LEVEL_MEMORY_SHORT;
    for (size_t o = 0; o < c->outputs && n > 0; o++) {
        real e = target[o] - yhat[o], square = e * e < LEVEL_MAX ? e * e : LEVEL_MAX, level = c->level[o];
        bool capped = *count >= LEVEL_KNOWN && square > LEVEL_CAP * level;
        c->level[o] += share * ((capped ? LEVEL_CAP * level : square) - level) / n;
    }
    *count = n;
}

/* Nobody is so far behind that he is not heard soon after a change. */
static void limit_losses(struct ensemble *c)
{
    real most = c->loss[best_member(c)] + LEVEL_FAR * sharpness(c);
    for (size_t k = 0; k < MEMBERS; k++)
        c->loss[k] = c->loss[k] < most ? c->loss[k] : most;
}

/* The errors of a member, as they count. */
static real excess_of(const struct ensemble *c, size_t k, const real *predicted, const real *target, real weight)
{
    real excess = 0;
    for (size_t o = 0; o < c->outputs; o++) {
        real e = target[o] - predicted[k * c->outputs + o];
        excess += weight * level_excess(e * e, c->level[o] > REAL_MIN ? c->level[o] : REAL_MIN) / (real)c->outputs;
    }
    return excess;
}

/* Adds the members' errors to their losses. What a member that rests is off by over the best stands for that of the
 * samples until it predicts again. */
static void update_losses(struct ensemble *c, const real *predicted, const real *target, real weight)
{
    real excess[MEMBERS] = {0};
    size_t best = best_member(c);
    for (size_t k = 0; k < MEMBERS; k++)
        if (predicts(c, k))
            excess[k] = excess_of(c, k, predicted, target, weight);
    for (size_t k = 0; k < MEMBERS; k++) {
        real rest = !rests(c, k) ? 1 : predicts(c, k) ? (real)LOOK_EVERY : 0;
        real counted = excess[best] + rest * (excess[k] - excess[best]);
        if (member_is_live(c, k))
            c->loss[k] += counted - c->loss[k] / LEVEL_MEMORY;
    }
    for (size_t k = 0; k < MEMBERS; k++)
        judge(c, k, best, excess[k], excess[best]);
    limit_losses(c);
    fit_compare(c, LEVEL_FAR * sharpness(c));
    real weights[MEMBERS];
    level_weights(MEMBERS, c->loss, heard(c), sharpness(c), weights);
    watch_quiet(c, weights);
}

/* What there is to do after the members have learnt a sample. */
static void finish(struct ensemble *c, const real *x, const real *predicted, const real *target, real weight,
                   const real *yhat)
{
    if (!(weight > 0)) /* learns nothing */
        return;
    widen_range(c, target);
    weight = weight < WEIGHT_MAX ? weight : WEIGHT_MAX; /* sums of them stay finite */
    real share = loss_weight(c->mixture, target, yhat, 1);
    loss_learn(c->mixture, target, yhat, 1);
    if (c->parts->state.live) {
        if (c->level[c->outputs] >= LEVEL_KNOWN)
            update_losses(c, predicted, target, weight * share);
        update_level(c, target, yhat, share);
    }
    ring_push(&c->parts->ring, x, target, weight * (c->parts->state.live ? share : 1));
    fit_watch(c, x, target);
    fit_work(c);
}

static void mean_of(const struct ensemble *c, const scratch_view *d, real *yhat, real *variance)
{
    if (c->parts->state.live)
        combine(c, d, yhat, variance);
    else
        predict_mean(c, yhat, variance);
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct ensemble *c = self;
    scratch_view d = scratch_at(c, c->work);
    okra_status status = learn(c, &d, x, y, weight);
    if (status)
        return status;
    mean_of(c, &d, yhat, NULL);
    finish(c, x, d.yhat, d.target, weight, yhat);
    return OKRA_OK;
}

/* With delayed labels, a member's loss uses its prediction at the time of the row, not what it would predict now. */
static okra_status learn_delayed(void *self, size_t slot, const real *x, const real *y, real weight)
{
    struct ensemble *c = self;
    scratch_view d = scratch_at(c, c->work);
    okra_status status = learn(c, &d, x, y, weight);
    if (status)
        return status;
    memcpy(d.yhat, c->pending + slot * MEMBERS * c->outputs, MEMBERS * c->outputs * sizeof *d.yhat);
    mean_of(c, &d, d.mean, NULL);
    finish(c, x, d.yhat, d.target, weight, d.mean);
    return OKRA_OK;
}

static size_t scratch(const void *self) { return work_size(self); }

static void predict(const void *self, const real *x, real *work, real *yhat, real *variance)
{
    const struct ensemble *c = self;
    scratch_view d = scratch_at(c, work);
    if (!c->parts->state.live)
        predict_mean(c, d.yhat, variance ? d.variance : NULL);
    for (size_t k = 0; k < MEMBERS; k++) {
        real *own = d.yhat + k * c->outputs;
        if (predicts(c, k))
            member_predict(&c->parts->member[k], x, own, variance ? d.variance + k * c->outputs : NULL, d.z, d.work);
        else /* predictions of a member that is not there, or rests, are the first one's */
            memcpy(own, d.yhat, c->outputs * sizeof *own);
        fall_back(c, &d, k, variance != NULL);
    }
    if (c->vec->finite(c->outputs, d.yhat) < c->outputs) {
        yhat[0] = (real)NAN; /* the first member's prediction is required: the caller returns OKRA_E_RANGE */
        return;
    }
    limit_members(c, &d);
    mean_of(c, &d, yhat, variance);
}

static void predict_pending(void *self, size_t slot, const real *x, real *yhat, real *variance)
{
    struct ensemble *c = self;
    real *predicted = c->pending + slot * MEMBERS * c->outputs;
    predict(c, x, c->work, yhat, variance);
    memcpy(c->pending_before, predicted, MEMBERS * c->outputs * sizeof *predicted);
    memcpy(predicted, scratch_at(c, c->work).yhat, MEMBERS * c->outputs * sizeof *predicted);
}

static void cancel_pending(void *self, size_t slot)
{
    struct ensemble *c = self;
    memcpy(c->pending + slot * MEMBERS * c->outputs, c->pending_before, MEMBERS * c->outputs * sizeof *c->pending);
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

/* Names of the members' arrays, with the member's number. */
enum { MEMBER_ARRAYS = 7, P_ARRAYS = 4 /* the first that differs with the class */ };
#define NAMES_OF(k)                                                                                     \
    {                                                                                                   \
        "m" #k ".scale", "m" #k ".widths", "m" #k ".lambda", "m" #k ".theta", "m" #k ".d", "m" #k ".u", \
            "m" #k ".noise", "m" #k ".p", "m" #k ".p_scale", "m" #k ".cycle"                            \
    }
enum { NAME_P = MEMBER_ARRAYS, NAME_P_SCALE, NAME_CYCLE, MEMBER_NAMES };
static const char *const names[MEMBERS][MEMBER_NAMES] = {
    NAMES_OF(0), NAMES_OF(1), NAMES_OF(2), NAMES_OF(3), NAMES_OF(4),
    NAMES_OF(5), NAMES_OF(6), NAMES_OF(7), NAMES_OF(8), NAMES_OF(9),
};

static const char *name_of(const struct ensemble *c, size_t k, size_t i)
{
    bool p = !member_can_start(&c->parts->member[k]) && i >= P_ARRAYS && i < P_ARRAYS + 2;
    return names[k][p ? NAME_P + i - P_ARRAYS : i];
}

/* The ensemble's own, those of the fit, those of live members. */
static bool array(const void *self, size_t i, array_view *view)
{
    const struct ensemble *c = self;
    size_t pending = MEMBERS * c->outputs;
    enum { OMEGA = 5, ERRORS, VIEWS = 8 };
    array_view views[VIEWS] = {
        {"loss", 1, MEMBERS, c->loss, ARRAY_ROWS, MEMBERS, false},
        {"level", 1, c->outputs + 1, c->level, ARRAY_ROWS, c->outputs + 1, false},
        {"trial", MEMBERS, TRIAL_NUMBERS, c->trial, ARRAY_ROWS, TRIAL_NUMBERS, false},
        {"quiet", 1, MEMBERS, c->quiet, ARRAY_ROWS, MEMBERS, false},
        {"range", c->outputs, 2, c->range, ARRAY_ROWS, 2, false},
        [VIEWS - 1] = {"pending.yhat", c->delay, pending, c->pending, ARRAY_ROWS, pending, false},
    };
    c->parts->base.klass->array(c->parts->base.state, 0, &views[OMEGA]);
    if (loss_array(&c->parts->errors, &views[ERRORS]))
        views[ERRORS].name = "m.errors";
    else
        views[ERRORS].rows = 0;
    for (size_t k = 0; k < VIEWS; k++)
        if (views[k].rows > 0 && i-- == 0) {
            *view = views[k];
            return true;
        }
    for (size_t k = 0; k < MEMBERS; k++) {
        if (!member_is_live(c, k))
            continue;
        if (i < MEMBER_ARRAYS) {
            member_array(&c->parts->member[k], i, view);
            view->name = name_of(c, k, i);
            return true;
        }
        i -= MEMBER_ARRAYS;
    }
    return fit_array(c, i, view);
}

/* Those of the fit, then those of the members. */
static uint64_t *counter(void *self, size_t i, const char **name, uint64_t *max)
{
    struct ensemble *c = self;
    uint64_t *value = fit_counter(c, i, name, max);
    size_t own = 0;
    if (value)
        return value;
    for (const char *unused; fit_counter(c, own, &unused, max);)
        own++;
    for (size_t k = 0; k < MEMBERS; k++) {
        const member *m = &c->parts->member[k];
        value = m->klass->counter ? m->klass->counter(m->state, 0, name, max) : NULL;
        *name = names[k][NAME_CYCLE];
        if (value && i-- == own)
            return value;
    }
    return NULL;
}

static real at_least(real value, real min) { return value > min ? value : min; }

static void after_load(void *self)
{
    struct ensemble *c = self;
    fit_after_load(c);
    for (size_t k = 0; k < MEMBERS; k++) {
        real *trial = c->trial + k * TRIAL_NUMBERS;
        bool heard_at_once = member_plans[k].kind == KIND_LINEAR;
        member_after_load(&c->parts->member[k], c->parts->base.state);
        c->loss[k] = at_least(c->loss[k], 0);
        c->quiet[k] = at_least(c->quiet[k], 0);
        trial[TRIAL_LEFT] = heard_at_once || trial[TRIAL_LEFT] > TRIAL_MOST ? 0 : at_least(trial[TRIAL_LEFT], 0);
        trial[TRIAL_SEEN] = at_least(trial[TRIAL_SEEN], 0);
    }
    loss_after_load(&c->parts->errors);
    for (size_t o = 0; o <= c->outputs; o++)
        c->level[o] = c->level[o] < LEVEL_MAX ? at_least(c->level[o], 0) : LEVEL_MAX;
    for (size_t o = 0; o < c->outputs; o++) /* the range must be ordered */
        if (!(c->range[2 * o] <= c->range[2 * o + 1]))
            c->range[2 * o + 1] = c->range[2 * o];
}

static uint64_t restarts(const void *self) { return ((const struct ensemble *)self)->parts->state.restarts; }

/* Of the better slot. */
static bool relevance(const void *self, double *shares)
{
    const struct ensemble *c = self;
    size_t slot = fit_champion(c);
    if (!member_is_live(c, slot))
        return false;
    search_shares(c->parts->member[slot].f.widths, c->inputs, shares);
    return true;
}

static okra_status check(const okra_spec *spec, okra_message *why)
{
    if (spec->features % 2 == 0)
        return OKRA_OK;
    return okra_refuse(OKRA_E_PARAMETER, why, "features = %zu is odd: %s has a cosine and a sine of each frequency",
                       spec->features, spec->recipe);
}

const filter_class OKRA_TYPED(filter_ensemble) = {
    .name = "ensemble",
    .check = check,
    .applies_loss = true,
    .state_bytes = STATE_BYTES(struct ensemble),
    .lay_out = lay_out,
    .init_params = init_params,
    .init_empty = init_empty,
    .reset = reset,
    .step = step,
    .predict = predict,
    .probabilistic = true,
    .scratch = scratch,
    .predict_pending = predict_pending,
    .cancel_pending = cancel_pending,
    .learn_delayed = learn_delayed,
    .array = array,
    .counter = counter,
    .after_load = after_load,
    .restarts = restarts,
    .relevance = relevance,
};
