/*
 * An ensemble of RLS filters on the same inputs, which needs no choices. Members are linear, or work on (x, 1,
 * orthogonal random features of x) at half, one and two times the given width, with less and with more regularisation.
 * Each learns every sample. The prediction is their mean, weighted by recent errors (mixture.h). The first member is
 * plain linear RLS, the baseline.
 *
 * Inputs of the random features are clipped: far outside the range of the widths, features are noise, and a single such
 * sample would move every weight. The linear part is not clipped.
 *
 * Predictions of members are clipped to the range of the targets learnt, plus half of it on either side. This bounds
 * the error of a member that extrapolates. Targets are clipped to the range, plus all of it on either side. So a single
 * outlier can neither spoil the weights nor the range. After a lasting change of level, the range doubles with every
 * sample until it reaches the level.
 */
#include <string.h>

#include "../spec/check.h"
#include "filter.h"
#include "mixture.h"

enum { WIDTHS = 3, MEMBERS = 9, MEMBER_ARRAYS = 4, LINEAR = -1 };
enum { RANGE_FROM = 16 /* samples before the range of the targets is used */ };

/* The parameters of a member: the width of its features, as an index, and its regularisation. Forgetting: the recipe's,
 * or none. */
static const struct member_plan {
    int width;
    double lambda;
    bool forgets;
} plans[MEMBERS] = {
    {LINEAR, 1e-2, false}, {LINEAR, 1e-2, true}, {0, 1e-2, true}, {1, 1e-2, true},  {2, 1e-2, true},
    {0, 1, true},          {1, 1, true},         {2, 1, true},    {1, 1e-2, false},
};

static const double width_factors[WIDTHS] = {0.5, 1, 2};

/* Names of the members' arrays, with the member's number. */
#define NAMES_OF(k)                                                \
    {                                                              \
        "m" #k ".theta", "m" #k ".d", "m" #k ".u", "m" #k ".noise" \
    }
static const char *const array_names[MEMBERS][MEMBER_ARRAYS] = {
    NAMES_OF(0), NAMES_OF(1), NAMES_OF(2), NAMES_OF(3), NAMES_OF(4), NAMES_OF(5), NAMES_OF(6), NAMES_OF(7), NAMES_OF(8),
};
static const char *const map_names[WIDTHS] = {"omega0", "omega1", "omega2"};
#define CYCLE_OF(k) "m" #k ".cycle"
static const char *const counter_names[MEMBERS] = {
    CYCLE_OF(0), CYCLE_OF(1), CYCLE_OF(2), CYCLE_OF(3), CYCLE_OF(4), CYCLE_OF(5), CYCLE_OF(6), CYCLE_OF(7), CYCLE_OF(8),
};

/* The members and their maps, too large for a state struct. */
typedef struct member_set {
    void *member[MEMBERS];    /* states of RLS filters, and .. */
    loss_state loss[MEMBERS]; /* .. their losses */
    feature_map map[WIDTHS];
} member_set;

struct ensemble {
    const vec_table *vec;
    size_t inputs, features, outputs;
    size_t width;  /* of the longest z */
    size_t buffer; /* for a map's features */
    real clip;     /* no |x_j| is larger, for the features */
    member_set *members;
    loss_state errors;   /* of all members */
    loss_state *mixture; /* of the mean: weights the errors of members */
    size_t delay;
    real *pending;        /* [delay][MEMBERS][outputs]: members' predictions of rows with pending labels .. */
    real *pending_before; /* [MEMBERS][outputs]: .. and those that the last of them replaced */
    real *loss;           /* [MEMBERS] sums of squared errors, discounted, then the sum of the discounts */
    real *range;          /* [outputs][2]: the smallest and the largest target, after clipping */
    real *work;           /* scratch of a step; predict has its own */
};

static const filter_class *const rls = &OKRA_TYPED(filter_rls);

/* The parts of the scratch for one sample. */
typedef struct scratch_view {
    real *z, *buffer, *clipped, *rls, *yhat, *variance; /* yhat, variance: [MEMBERS][outputs] */
    real *mean;                                         /* [outputs]: of their predictions */
    real *target;                                       /* [outputs]: clipped */
    bool known; /* whether the range of the targets was known before this sample */
} scratch_view;

/* Samples learnt. */
static uint64_t learnt(const struct ensemble *c)
{
    const char *name;
    uint64_t max;
    return *rls->counter(c->members->member[0], 0, &name, &max);
}

static size_t work_size(const struct ensemble *c)
{
    return 2 * c->width + c->buffer + padded(c->inputs) + (2 * MEMBERS + 2) * c->outputs;
}

static scratch_view scratch_at(const struct ensemble *c, real *work)
{
    scratch_view d = {.z = work, .known = learnt(c) >= RANGE_FROM};
    d.rls = d.z + c->width; /* RLS needs the length of a z */
    d.buffer = d.rls + c->width;
    d.clipped = d.buffer + c->buffer;
    d.yhat = d.clipped + padded(c->inputs);
    d.variance = d.yhat + MEMBERS * c->outputs;
    d.target = d.variance + MEMBERS * c->outputs;
    d.mean = d.target + c->outputs;
    return d;
}

/* ---- building ------------------------------------------------------------------------------------------------- */

static okra_spec map_spec(const okra_spec *spec, size_t w)
{
    okra_spec part = *spec;
    part.map = OKRA_MAP_ORF;
    part.kernel = OKRA_GAUSSIAN;
    part.sigma = spec->sigma * width_factors[w];
    part.seed = spec->seed + w;
    return part;
}

static void lay_out_member(struct ensemble *c, size_t k, const filter_shape *shape, okra_block *block)
{
    state_spare spare;
    okra_spec spec = *shape->spec;
    spec.lambda = plans[k].lambda;
    spec.cyclic = OKRA_AUTO;
    if (!plans[k].forgets)
        spec.beta = 1;
    filter_shape own = {.spec = &spec, .vec = shape->vec, .outputs = shape->outputs};
    c->members->loss[k] = loss_part(&c->errors, k, c->outputs);
    own.loss = &c->members->loss[k];
    own.features = c->inputs + 1 + (plans[k].width == LINEAR ? 0 : shape->spec->features);
    own.width = padded(own.features);
    void *state = okra_block_take_struct(block, rls->state_bytes, &spare);
    rls->lay_out(state, &own, block);
    c->members->member[k] = block->base ? state : NULL;
}

static void lay_out(void *self, const filter_shape *shape, okra_block *block)
{
    struct ensemble *c = self;
    member_set spare;
    c->vec = shape->vec;
    c->inputs = shape->spec->inputs;
    c->features = shape->spec->features;
    c->outputs = shape->outputs;
    c->width = padded(c->inputs + 1 + c->features);
    /* The width is the typical distance, sqrt(2 d) for d standardised inputs. So this is 4 deviations. */
    c->clip = (real)(4 * shape->spec->sigma / sqrt(2 * (double)c->inputs));
    c->members = okra_block_take_struct(block, sizeof *c->members, &spare);
    for (size_t w = 0; w < WIDTHS; w++) {
        okra_spec part = map_spec(shape->spec, w);
        map_lay_out(&c->members->map[w], &part, shape->vec, block);
    }
    c->buffer = map_buffer(&c->members->map[0]);
    loss_lay_out(&c->errors, shape->spec, MEMBERS, block);
    c->mixture = shape->loss;
    for (size_t k = 0; k < MEMBERS; k++)
        lay_out_member(c, k, shape, block);
    c->loss = okra_block_take(block, MEMBERS + 1, sizeof(real));
    c->range = okra_block_take(block, c->outputs, 2 * sizeof(real));
    size_t slot_bytes = SIZE_MAX;
    okra_multiply(c->outputs, MEMBERS * sizeof(real), &slot_bytes);
    c->delay = shape->spec->delay;
    c->pending = okra_block_take(block, c->delay, slot_bytes);
    c->pending_before = okra_block_take(block, c->delay > 0, slot_bytes);
    c->work = okra_block_take(block, work_size(c), sizeof(real));
    if (!block->base)
        c->members = NULL; /* it pointed into the spare */
}

static okra_status init_params(void *self, const okra_spec *spec)
{
    struct ensemble *c = self;
    okra_status status = OKRA_OK;
    for (size_t w = 0; w < WIDTHS && !status; w++) {
        okra_spec part = map_spec(spec, w);
        status = c->members->map[w].klass->init_params(c->members->map[w].state, &part);
    }
    return status;
}

static void init_empty(void *self)
{
    struct ensemble *c = self;
    for (size_t w = 0; w < WIDTHS; w++)
        map_init_empty(&c->members->map[w]);
}

static void reset(void *self)
{
    struct ensemble *c = self;
    for (size_t k = 0; k < MEMBERS; k++)
        rls->reset(c->members->member[k]);
    loss_reset(&c->errors);
    for (size_t k = 0; k <= MEMBERS; k++)
        c->loss[k] = 0;
    memset(c->range, 0, 2 * c->outputs * sizeof *c->range);
    memset(c->pending, 0, c->delay * MEMBERS * c->outputs * sizeof *c->pending);
}

/* ---- features of the members ---------------------------------------------------------------------------------- */

/* z = (x, 1) and, for a width, the features of clipped x. */
static void make_z(const struct ensemble *c, int w, const real *x, const scratch_view *d)
{
    size_t n = c->inputs;
    memcpy(d->z, x, n * sizeof *x);
    d->z[n] = 1;
    size_t end = n + 1;
    if (w != LINEAR) {
        for (size_t j = 0; j < n; j++)
            d->clipped[j] = x[j] > c->clip ? c->clip : x[j] < -c->clip ? -c->clip : x[j];
        memcpy(d->z + end, map_apply(&c->members->map[w], d->clipped, d->buffer), c->features * sizeof *x);
        end += c->features;
    }
    memset(d->z + end, 0, (padded(end) - end) * sizeof *x);
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
    bool first = learnt(c) == 1;
    for (size_t o = 0; o < c->outputs; o++) {
        real *range = c->range + 2 * o;
        range[0] = first || target[o] < range[0] ? target[o] : range[0];
        range[1] = first || target[o] > range[1] ? target[o] : range[1];
    }
}

/* ---- the mean of the members ---------------------------------------------------------------------------------- */

/* yhat and, if not NULL, the variance of the mixture: the members' variances and their spread about the mean. */
static void combine(const struct ensemble *c, const scratch_view *d, real *yhat, real *variance)
{
    real weights[MEMBERS];
    mixture_weights(MEMBERS, c->loss, weights);
    for (size_t o = 0; o < c->outputs; o++) {
        real mean = 0, spread = 0;
        for (size_t k = 0; k < MEMBERS; k++)
            if (weights[k] > 0)
                mean += weights[k] * d->yhat[k * c->outputs + o];
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
    uint64_t before = learnt(c);
    limit_target(c, d, y);
    for (int w = LINEAR; w < WIDTHS; w++) {
        make_z(c, w, x, d);
        for (size_t k = 0; k < MEMBERS; k++) {
            if (plans[k].width != w)
                continue;
            okra_status status = rls->step(c->members->member[k], d->z, d->target, weight, d->yhat + k * c->outputs);
            rls->settle(c->members->member[k]);
            if (status && k == 0)
                return status;
            fall_back(c, d, k, false);
        }
    }
    limit_members(c, d);
    if (learnt(c) > before) /* a weight of 0 learns nothing */
        widen_range(c, d->target);
    return OKRA_OK;
}

/* Adds the members' errors to their losses. The loss of the mean gives outliers a small weight. */
static void update_losses(struct ensemble *c, const real *predicted, const real *target, real weight, const real *yhat)
{
    real share = loss_weight(c->mixture, target, yhat, 1);
    mixture_learn(MEMBERS, c->outputs, predicted, target, weight * share, c->loss);
    if (weight > 0)
        loss_learn(c->mixture, target, yhat, 1);
}

static okra_status step(void *self, const real *x, const real *y, real weight, real *yhat)
{
    struct ensemble *c = self;
    scratch_view d = scratch_at(c, c->work);
    okra_status status = learn(c, &d, x, y, weight);
    if (status)
        return status;
    combine(c, &d, yhat, NULL);
    update_losses(c, d.yhat, d.target, weight, yhat);
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
    combine(c, &d, d.mean, NULL);
    update_losses(c, d.yhat, d.target, weight, d.mean);
    return OKRA_OK;
}

static size_t scratch(const void *self) { return work_size(self); }

static void predict(const void *self, const real *x, real *work, real *yhat, real *variance)
{
    const struct ensemble *c = self;
    scratch_view d = scratch_at(c, work);
    for (int w = LINEAR; w < WIDTHS; w++) {
        make_z(c, w, x, &d);
        for (size_t k = 0; k < MEMBERS; k++) {
            if (plans[k].width != w)
                continue;
            rls->predict(c->members->member[k], d.z, d.rls, d.yhat + k * c->outputs,
                         variance ? d.variance + k * c->outputs : NULL);
            fall_back(c, &d, k, variance != NULL);
        }
    }
    if (c->vec->finite(c->outputs, d.yhat) < c->outputs) {
        yhat[0] = (real)NAN; /* the first member's prediction is required: the caller returns OKRA_E_RANGE */
        return;
    }
    limit_members(c, &d);
    combine(c, &d, yhat, variance);
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

/* The loss, the range, the members' arrays, the maps' frequencies. */
static bool array(const void *self, size_t i, array_view *view)
{
    const struct ensemble *c = self;
    if (i < 2) {
        *view = i == 0 ? (array_view){"loss", 1, MEMBERS + 1, c->loss, ARRAY_ROWS, MEMBERS + 1, false}
                       : (array_view){"range", c->outputs, 2, c->range, ARRAY_ROWS, 2, false};
        return true;
    }
    i -= 2;
    if (i < MEMBERS * MEMBER_ARRAYS) {
        rls->array(c->members->member[i / MEMBER_ARRAYS], i % MEMBER_ARRAYS, view);
        view->name = array_names[i / MEMBER_ARRAYS][i % MEMBER_ARRAYS];
        return true;
    }
    i -= MEMBERS * MEMBER_ARRAYS;
    if (i == WIDTHS && c->delay > 0) {
        *view = (array_view){"pending.yhat",       c->delay, MEMBERS * c->outputs, c->pending, ARRAY_ROWS,
                             MEMBERS * c->outputs, false};
        return true;
    }
    size_t last = c->delay > 0 ? WIDTHS + 1 : WIDTHS;
    if (i == last && loss_array(&c->errors, view)) {
        view->name = "m.errors";
        return true;
    }
    if (i >= WIDTHS)
        return false;
    c->members->map[i].klass->array(c->members->map[i].state, 0, view);
    view->name = map_names[i];
    return true;
}

static uint64_t *counter(void *self, size_t i, const char **name, uint64_t *max)
{
    struct ensemble *c = self;
    if (i >= MEMBERS)
        return NULL;
    uint64_t *value = rls->counter(c->members->member[i], 0, name, max);
    *name = counter_names[i];
    return value;
}

static void after_load(void *self)
{
    struct ensemble *c = self;
    for (size_t k = 0; k < MEMBERS; k++)
        rls->after_load(c->members->member[k]);
    loss_after_load(&c->errors);
    for (size_t k = 0; k <= MEMBERS; k++) /* sums of squares: a file may hold negative numbers */
        c->loss[k] = c->loss[k] > 0 ? c->loss[k] : 0;
    for (size_t o = 0; o < c->outputs; o++) /* the range must be ordered */
        if (!(c->range[2 * o] <= c->range[2 * o + 1]))
            c->range[2 * o + 1] = c->range[2 * o];
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
};
