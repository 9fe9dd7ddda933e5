/* When members of the ensemble are fitted again, and how: to the samples in the ring, all at once, in parts. */
#include "ensemble.h"

#include <string.h>

#include "levels.h"
#include "scale.h"

#define BIT(k) ((uint64_t)1 << (k))

static const uint64_t equal_roles = BIT(HALF) | BIT(EQUAL) | BIT(DOUBLE) | BIT(STIFF) | BIT(TRACK_HALF);
static const uint64_t linear_roles = BIT(PLAIN) | BIT(LINEAR);
static const uint64_t slot_roles = BIT(SLOT_A) | BIT(SLOT_B);
static const uint64_t found_roles = BIT(SLOT_A) | BIT(TRACK); /* one bit for both slots */

/* clang-format off */
const member_plan member_plans[MEMBERS] = {
    [PLAIN]      = {KIND_LINEAR, 1, 1e-2, 1, false},
    [LINEAR]     = {KIND_LINEAR, 1, 1e-2, 0, false},
    [HALF]       = {KIND_EQUAL, 0.5, 1e-2, 0, false},
    [EQUAL]      = {KIND_EQUAL, 1, 1e-2, 0, false},
    [DOUBLE]     = {KIND_EQUAL, 2, 1e-2, 0, false},
    [STIFF]      = {KIND_EQUAL, 1, 1, 1, false},
    [TRACK_HALF] = {KIND_TRACK, 0.5, 0.05, 0.995, true},
    [TRACK]      = {KIND_TRACK, 0, 0.05, 0.99, true},
    [SLOT_A]     = {KIND_SLOT, 0, 0, 0.9997, false},
    [SLOT_B]     = {KIND_SLOT, 0, 0, 0.9997, false},
};
/* clang-format on */

enum {
    FIRST_FIT = 16,          /* samples */
    KNOWN_FROM = 32,         /* .. before the loss knows outliers */
    RECENT = 512,            /* age of a scale until which equal widths are fitted again at each search */
    RACE_LEAST = 128,        /* samples that slots race at least, .. */
    RACE_MOST = 512,         /* .. and at most: losses remember no more */
    WORK_A_SAMPLE = 2000000, /* multiply-adds, and what takes as long; no part is more */
    FIT_BLOCK = 16,          /* samples added at a time */
    SORT_COST = 2048,        /* of a sample of a column that is sorted */

    /* Widths are searched after so many samples, then after twice as many, .. */
    FIRST_REFRESH = 64,
    SLOW_REFRESH = 2048,   /* .. from here on four times as many, .. */
    REFRESH_EVERY = 16384, /* .. and at least after so many more. */

    /* Samples held, fewer if there are many inputs, so that they are about as many numbers. */
    WINDOW = 4096,
    WINDOW_NUMBERS = 1 << 17,
    WINDOW_LEAST = 1024,

    /* The watch over the scale, in samples. */
    WATCH_MEMORY = 256,
    WATCH_REST = 512, /* that a scale holds at least */
    WATCH_BACK = 16,  /* of a new scale before it is noticed */
    WATCH_WAIT = 48,  /* to wait for until there are enough to be fitted to */
};

/* The z of a slot has as many numbers as the recipe has features, unless most of them would be inputs. */
size_t member_pairs(const okra_spec *spec, int kind)
{
    const size_t parts[KINDS] = {[KIND_EQUAL] = 6, [KIND_TRACK] = 8, [KIND_SLOT] = 2}, linear = spec->inputs + 1;
    if (kind == KIND_LINEAR)
        return 0;
    size_t shared = kind == KIND_SLOT && spec->features > 4 * linear ? linear : 0;
    size_t pairs = (spec->features - shared) / parts[kind];
    return pairs > 0 ? pairs : 1;
}

static size_t window_of(const okra_spec *spec)
{
    size_t rows = WINDOW_NUMBERS / (spec->inputs + spec->outputs);
    return rows > WINDOW ? WINDOW : rows < WINDOW_LEAST ? WINDOW_LEAST : rows;
}

void fit_lay_out(struct ensemble *c, const filter_shape *shape, okra_block *block)
{
    ensemble_parts *p = c->parts;
    const okra_spec *spec = shape->spec;
    size_t bytes = SIZE_MAX;
    ring_lay_out(&p->ring, spec->inputs, spec->outputs, window_of(spec), block);
    for (int kind = 0; kind < KINDS; kind++)
        member_lay_out_features(&p->fit[kind], spec, member_pairs(spec, kind), shape->vec, block);
    search_lay_out(&p->search, spec, shape->vec, p->base.state, block);
    size_t stride = padded(p->fit[KIND_SLOT].features + spec->outputs);
    p->space.stride = stride > search_stride(spec) ? stride : search_stride(spec);
    okra_multiply(p->space.stride, p->space.stride * sizeof(real), &bytes);
    p->space.z = okra_block_take(block, SEARCH_BLOCK, p->space.stride * sizeof(real));
    p->space.a = okra_block_take(block, 1, bytes);
    p->space.inverse = okra_block_take(block, 1, bytes);
    p->space.work = okra_block_take(block, c->scratch, sizeof(real));
    p->column = okra_block_take(block, SEARCH_ROWS, sizeof(real));
    p->watch = okra_block_take(block, spec->inputs + spec->outputs, sizeof(real));
    p->found = okra_block_take(block, spec->inputs + 1, sizeof(real));
}

void fit_reset(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    p->state = (fit_state){.refresh = FIRST_REFRESH};
    p->loaded = false;
    p->ring.count = 0;
    search_reset(&p->search);
    for (size_t column = 0; column < c->inputs + c->outputs; column++)
        p->watch[column] = 1;
    for (size_t j = 0; j <= c->inputs; j++)
        p->found[j] = 1;
}

static uint64_t age(const ensemble_parts *p) { return p->ring.count - p->state.since; }

static uint64_t race_length(uint64_t age)
{
    return age / 8 < RACE_LEAST ? RACE_LEAST : age / 8 < RACE_MOST ? age / 8 : RACE_MOST;
}

/* ---- when ----------------------------------------------------------------------------------------------------- */

static bool warmup_due(const struct ensemble *c)
{
    uint64_t n = c->parts->ring.count, last = c->spec->warmup;
    last = last > c->parts->ring.capacity ? c->parts->ring.capacity : last;
    if (n == FIRST_FIT || n == last)
        return true;
    for (uint64_t due = 4 * FIRST_FIT; due <= n && due < last; due *= 4)
        if (due == n)
            return true;
    return false;
}

static void look_what_is_due(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    if (warmup_due(c))
        p->state.due |= linear_roles | equal_roles;
    if (p->ring.count < p->state.refresh)
        return;
    uint64_t wait = age(p) < FIRST_REFRESH ? FIRST_REFRESH : age(p) < SLOW_REFRESH ? age(p) : 3 * age(p);
    p->state.due |= found_roles | (p->state.since > 0 && age(p) < RECENT ? equal_roles : 0);
    p->state.refresh = p->ring.count + (wait < REFRESH_EVERY ? wait : REFRESH_EVERY);
}

/*
 * A standardised column has a mean absolute value of about 0.8. Far above, features are noise; far below, they are all
 * alike. Then members are fitted again to the samples since. Values are clipped, so that a few outliers do not count as
 * a new scale. More than half of the columns that still move must have left their scale: one that wanders by itself,
 * such as a clock, is no new scale.
 */
static bool has_left_its_scale(const struct ensemble *c)
{
    const real high = 4, low = (real)0.1;
    size_t above = 0, moving = 0;
    for (size_t column = 0; column < c->inputs + c->outputs; column++) {
        above += c->parts->watch[column] > high;
        moving += c->parts->watch[column] >= low;
    }
    return moving == 0 || 2 * above > moving;
}

void fit_watch(struct ensemble *c, const real *x, const real *y)
{
    ensemble_parts *p = c->parts;
    const member_features *f = &p->member[EQUAL].f;
    const real most = 20;
    if (p->ring.count < c->spec->warmup || c->spec->scale == OKRA_SCALE_NONE)
        return;
    for (size_t column = 0; column < c->inputs + c->outputs; column++) {
        real size = real_abs(member_scaled(f, column, column < c->inputs ? x[column] : y[column - c->inputs]));
        p->watch[column] += ((size < most ? size : most) - p->watch[column]) / WATCH_MEMORY;
    }
    if (p->state.left == 0 && age(p) >= WATCH_REST && has_left_its_scale(c))
        p->state.left = p->ring.count;
    if (p->state.left == 0 || p->ring.count - p->state.left < WATCH_WAIT || p->state.stage != FIT_IDLE || p->state.due)
        return;
    p->state.since = p->state.left - WATCH_BACK;
    p->state.left = 0;
    p->state.due |= equal_roles;
    p->state.refresh = p->ring.count;
    p->state.restarts++;
    for (size_t column = 0; column < c->inputs + c->outputs; column++)
        p->watch[column] = 1;
}

/*
 * The better slot is usually far ahead of the members that track. If one of these is as far ahead of it, the system has
 * changed since the slot was last so far ahead. Then widths are searched again, and members fitted to the samples
 * since. The better slot stays as it is: if nothing has changed, it is soon ahead again.
 */
void fit_compare(struct ensemble *c, real far)
{
    ensemble_parts *p = c->parts;
    fit_state *s = &p->state;
    size_t slot = fit_champion(c), track = c->loss[TRACK] < c->loss[TRACK_HALF] ? TRACK : TRACK_HALF;
    if (!member_is_live(c, slot) || !member_is_live(c, track))
        return;
    real lead = c->loss[track] - c->loss[slot];
    if (lead >= far / 2)
        s->ahead = p->ring.count;
    bool overtaken = s->ahead > 0 && lead < -far / 2, enough = p->ring.count - s->ahead >= FIRST_REFRESH;
    if (!overtaken || !enough || s->stage != FIT_IDLE || s->due)
        return;
    s->since = s->ahead;
    s->ahead = 0;
    s->due |= equal_roles;
    s->refresh = p->ring.count;
    s->restarts++;
}

/* ---- scale ---------------------------------------------------------------------------------------------------- */

static uint64_t first_sample(const ensemble_parts *p)
{
    uint64_t held = ring_first(&p->ring);
    return held > p->state.since ? held : p->state.since;
}

/* Under a robust loss, outliers among the first targets are not fitted to: when they came, the loss could not know. */
static void leave_out(struct ensemble *c, size_t o, const real *range)
{
    sample_ring *ring = &c->parts->ring;
    for (uint64_t t = ring_first(ring); t < ring->count && t < KNOWN_FROM; t++) {
        real y = ring_y(ring, t)[o];
        if (y < range[0] || y > range[1])
            ring->weight[t % ring->capacity] = 0;
    }
}

/* Of a column, from as many samples as a search takes. */
static size_t scale_column(struct ensemble *c, size_t column)
{
    ensemble_parts *p = c->parts;
    member_features *f = &p->fit[KIND_LINEAR];
    uint64_t first = first_sample(p), held = p->state.next - first;
    size_t n = held < SEARCH_ROWS ? (size_t)held : SEARCH_ROWS;
    real range[2];
    for (size_t i = 0; i < n; i++) {
        uint64_t t = p->state.next - 1 - i * held / n;
        p->column[i] = column < c->inputs ? ring_x(&p->ring, t)[column] : ring_y(&p->ring, t)[column - c->inputs];
    }
    real *deviation = &f->scale[c->inputs + c->outputs + column];
    scale_estimate(p->column, n, &f->scale[column], deviation, range);
    if (column >= c->inputs && c->spec->loss != OKRA_LOSS_SQUARE)
        leave_out(c, column - c->inputs, range);
    if (c->spec->scale == OKRA_SCALE_NONE)
        f->scale[column] = 0, *deviation = 1;
    return n * SORT_COST;
}

/* ---- search --------------------------------------------------------------------------------------------------- */

static real typical_width(const struct ensemble *c) { return (real)c->spec->sigma; }

size_t fit_champion(const struct ensemble *c)
{
    bool a = member_is_live(c, SLOT_A), b = member_is_live(c, SLOT_B);
    return a && b ? (c->loss[SLOT_B] < c->loss[SLOT_A] ? SLOT_B : SLOT_A) : b ? SLOT_B : SLOT_A;
}

/* Widths of the champion, in units of the new scale. */
static void begin_search(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    size_t best = fit_champion(c), n = c->inputs + c->outputs;
    const member_features *now = &p->fit[KIND_LINEAR], *used = &p->member[best].f;
    bool warm = member_is_live(c, best);
    for (size_t j = 0; warm && j < c->inputs; j++)
        p->found[j] = used->widths[j] * used->scale[n + j] / now->scale[n + j];
    search_begin(&p->search, &p->ring, first_sample(p), now, warm ? p->found : NULL, *p->member[best].lambda);
    p->state.stage = FIT_SEARCH;
}

static size_t advance_search(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    size_t cost = search_advance(&p->search, &p->space);
    if (search_is_done(&p->search)) {
        p->found[c->inputs] = search_lambda(&p->search, p->found);
        p->state.searched = 1;
        p->state.stage = FIT_NEXT;
    }
    return cost;
}

/* ---- fit ------------------------------------------------------------------------------------------------------ */

static member_features *fit_of(const struct ensemble *c)
{
    return &c->parts->fit[member_plans[c->parts->state.role].kind];
}

static real beta_of(const struct ensemble *c, size_t k)
{
    return (real)(member_plans[k].beta > 0 ? member_plans[k].beta : c->spec->beta);
}

static real lambda_of(const struct ensemble *c, size_t k)
{
    return member_plans[k].lambda > 0 ? (real)member_plans[k].lambda : c->parts->found[c->inputs];
}

/* Samples of weights that matter. */
static uint64_t memory_of(const struct ensemble *c, size_t k)
{
    real beta = beta_of(c, k);
    return beta < 1 ? (uint64_t)((real)(member_plans[k].tracks ? 4 : 14) / (1 - beta)) : UINT64_MAX;
}

/* A member that tracks forgets what it knew, and learns the last samples one by one. */
static void learn_again(struct ensemble *c, size_t k)
{
    ensemble_parts *p = c->parts;
    member *m = &p->member[k];
    m->klass->reset(m->state);
    member_copy(&m->f, fit_of(c), p->base.state);
    p->state.live |= BIT(k);
    p->state.stage = FIT_CATCH_UP;
    ensemble_begin_trial(c, k);
}

/* Scale and widths of the member being fitted. */
static void set_fit(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    const member_plan *plan = &member_plans[p->state.role];
    member_features *f = fit_of(c), *scale = &p->fit[KIND_LINEAR];
    if (f != scale)
        memcpy(f->scale, scale->scale, 2 * (c->inputs + c->outputs) * sizeof(real));
    for (size_t j = 0; j < c->inputs; j++)
        f->widths[j] = plan->width > 0 ? (real)plan->width * typical_width(c) : p->found[j];
    member_set_widths(f, p->base.state);
}

static void begin_fit(struct ensemble *c, size_t k)
{
    ensemble_parts *p = c->parts;
    uint64_t first = first_sample(p), memory = memory_of(c, k);
    p->state.role = k;
    p->state.stage = FIT_ROWS;
    p->state.first = p->ring.count - first > memory ? p->ring.count - memory : first;
    p->state.next = p->state.first;
    set_fit(c);
    if (!member_can_start(&p->member[k]))
        learn_again(c, k);
    memset(p->space.a, 0, p->space.stride * p->space.stride * sizeof(real));
}

/* The next member of the batch; slots share one bit, for the worse of them. */
static void choose_next(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    fit_state *s = &p->state;
    for (size_t k = 0; k < MEMBERS; k++) {
        if (k == TRACK && s->batch & slot_roles) /* after the slot, whose widths it takes */
            continue;
        if (!(s->batch & BIT(k)))
            continue;
        bool slot = BIT(k) & slot_roles;
        if (slot && !s->searched) {
            begin_search(c);
            return;
        }
        s->batch &= ~BIT(k);
        if (slot)
            k = member_is_live(c, SLOT_A) ? SLOT_A + SLOT_B - fit_champion(c) : SLOT_A;
        begin_fit(c, k);
        return;
    }
    s->stage = FIT_IDLE;
}

static size_t stride_of(const struct ensemble *c) { return padded(fit_of(c)->features + c->outputs); }

#define SQUARE_MAX                                                                                    \
    real_sqrt(real_sqrt(REAL_MAX)) /* sums of squares of these are finite; larger values are left out \
                                    */

/* Weights grow by 1 / beta a sample, and are divided by the last one in the end. */
static size_t add_rows(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    const member_features *f = fit_of(c);
    size_t stride = stride_of(c), n = 0;
    real rate = -real_log(beta_of(c, p->state.role)) / 2;
    for (; n < FIT_BLOCK && p->state.next < p->ring.count; n++, p->state.next++) {
        uint64_t t = p->state.next;
        real *z = p->space.z + n * stride;
        real root = real_sqrt(ring_weight(&p->ring, t)) * real_exp((real)(t - p->state.first) * rate);
        memset(z, 0, stride * sizeof *z);
        member_z(f, ring_x(&p->ring, t), z, p->space.work);
        for (size_t o = 0; o < c->outputs; o++)
            z[f->features + o] = member_scaled(f, c->inputs + o, ring_y(&p->ring, t)[o]);
        if (c->vec->finite(stride, z) < stride || root * c->vec->amax(stride, z) > SQUARE_MAX)
            root = 0, memset(z, 0, stride * sizeof *z);
        if (root != 1)
            c->vec->axpby(stride, 0, z, root, z);
    }
    matrix_gram(c->vec, n, p->space.z, p->space.a, stride);
    if (p->state.next == p->ring.count) {
        p->state.stage = FIT_FACTOR;
        p->state.at = 0;
    }
    return n * stride * stride / 2;
}

#define ROUNDING ((real)(OKRA_PRECISION == 64 ? DBL_EPSILON : (double)FLT_EPSILON))

static void add_prior(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    size_t n = fit_of(c)->features, stride = stride_of(c), k = p->state.role;
    bool found = member_plans[k].lambda == 0;
    real last = real_exp((real)(p->state.next - 1 - p->state.first) * real_log(beta_of(c, k))), trace = 0;
    if (last < 1)
        c->vec->axpby(stride * stride, 0, p->space.a, last, p->space.a);
    for (size_t i = 0; i < n; i++)
        trace += p->space.a[i * stride + i];
    for (size_t i = 0; i < n; i++)
        p->space.a[i * stride + i] +=
            (found && i <= c->inputs ? SEARCH_LINEAR_PRIOR : lambda_of(c, k)) + ROUNDING * trace;
}

/* If the sums cannot be factored, the member stays as it is. */
static size_t factor(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    size_t n = fit_of(c)->features, stride = stride_of(c), at = (size_t)p->state.at;
    if (at == 0)
        add_prior(c);
    bool positive = matrix_factor(c->vec, n, p->space.a, stride, &at);
    p->state.at = at;
    if (!positive)
        p->state.stage = FIT_NEXT;
    else if (at == n)
        p->state.stage = FIT_INVERT;
    return MATRIX_PANEL * (n - at / 2) * (n - at / 2) + n;
}

static size_t invert(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    size_t n = fit_of(c)->features, at = (size_t)p->state.at;
    matrix_invert(c->vec, n, p->space.a, p->space.inverse, stride_of(c), &at);
    p->state.at = at;
    if (at == 0)
        p->state.stage = FIT_START;
    return at == 0 ? WORK_A_SAMPLE : MATRIX_PANEL * (n - at) * (n - at) + n; /* a start is a sample's work */
}

/* The trace of what the prior adds to the degrees of freedom is left out: samples - features, but not too few. */
static real noise_samples(const struct ensemble *c)
{
    real rows = (real)(c->parts->state.next - c->parts->state.first), features = (real)fit_of(c)->features;
    return rows > 2 * features ? rows - features : rows / 2;
}

static size_t start(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    size_t k = (size_t)p->state.role;
    member *m = &p->member[k];
    *m->lambda = lambda_of(c, k);
    rls_set_lambda(m->state, *m->lambda);
    p->state.stage = FIT_NEXT;
    if (!rls_start(m->state, p->space.a, p->space.inverse, stride_of(c), noise_samples(c)))
        return WORK_A_SAMPLE;
    member_copy(&m->f, fit_of(c), p->base.state);
    p->state.live |= BIT(k);
    p->state.stage = FIT_CATCH_UP;
    c->quiet[k] = 0;
    if (BIT(k) & slot_roles) {
        p->state.race = p->ring.count + race_length(age(p));
        ensemble_begin_trial(c, k);
    }
    return WORK_A_SAMPLE;
}

/* Learns what came while the member was fitted. */
static size_t catch_up(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    member *m = &p->member[p->state.role];
    real *z = p->space.z, *yhat = p->space.z + p->space.stride;
    size_t learnt = 0, cost = 4 * m->f.features * m->f.features, most = 1 + WORK_A_SAMPLE / cost;
    for (; learnt < most && p->state.next < p->ring.count; learnt++, p->state.next++) {
        uint64_t t = p->state.next;
        member_learn(m, ring_x(&p->ring, t), ring_y(&p->ring, t), ring_weight(&p->ring, t), yhat, z, p->space.work);
    }
    if (p->state.next == p->ring.count)
        p->state.stage = FIT_NEXT;
    return p->state.stage == FIT_NEXT ? learnt * cost : WORK_A_SAMPLE;
}

/* ---- work ----------------------------------------------------------------------------------------------------- */

static size_t do_part(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    fit_state *s = &p->state;
    size_t cost;
    switch (s->stage) {
    case FIT_IDLE:
        s->batch = s->due;
        s->due = s->at = s->searched = 0;
        s->next = p->ring.count; /* all columns are scaled by the samples so far */
        s->stage = FIT_SCALE;
        return 0;
    case FIT_SCALE:
        cost = scale_column(c, (size_t)s->at++);
        if (s->at == c->inputs + c->outputs) {
            member_mend_scale(&p->fit[KIND_LINEAR]);
            s->at = 0;
            s->stage = FIT_NEXT;
        }
        return cost;
    case FIT_NEXT:
        choose_next(c);
        return 4 * p->space.stride * p->space.stride;
    case FIT_SEARCH:
        return advance_search(c);
    case FIT_ROWS:
        return add_rows(c);
    case FIT_FACTOR:
        return factor(c);
    case FIT_INVERT:
        return invert(c);
    case FIT_START:
        return start(c);
    default:
        return catch_up(c);
    }
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

uint64_t *fit_counter(struct ensemble *c, size_t i, const char **name, uint64_t *max)
{
    ensemble_parts *p = c->parts;
    fit_state *s = &p->state;
    const uint64_t roles = BIT(MEMBERS) - 1, any = UINT64_MAX;
    const struct {
        const char *name;
        uint64_t *value, max;
    } counters[] = {
        {"samples", &p->ring.count, any},
        {"live", &s->live, roles},
        {"due", &s->due, roles},
        {"batch", &s->batch, roles},
        {"stage", &s->stage, FIT_CATCH_UP},
        {"role", &s->role, MEMBERS - 1},
        {"searched", &s->searched, 1},
        {"at", &s->at, any},
        {"first", &s->first, any},
        {"next", &s->next, any},
        {"regime", &s->since, any},
        {"refresh", &s->refresh, any},
        {"race", &s->race, any},
        {"left", &s->left, any},
        {"ahead", &s->ahead, any},
        {"restarts", &s->restarts, any},
    };
    if (i >= sizeof counters / sizeof *counters)
        return NULL;
    *name = counters[i].name;
    *max = counters[i].max;
    return counters[i].value;
}

/* The matrices that the stage works on. */
bool fit_array(const struct ensemble *c, size_t i, array_view *view)
{
    const ensemble_parts *p = c->parts;
    size_t columns = c->inputs + c->outputs, stage = (size_t)p->state.stage;
    size_t stride = stage == FIT_SEARCH ? p->search.stride : stride_of(c);
    bool sums = stage >= FIT_SEARCH && stage <= FIT_START;
    bool both = stage == FIT_SEARCH || stage == FIT_INVERT || stage == FIT_START;
    const array_view views[] = {
        {"watch", 1, columns, p->watch, ARRAY_ROWS, columns, false},
        {"found", 1, c->inputs + 1, p->found, ARRAY_ROWS, c->inputs + 1, false},
        {"fit.scale", stage == FIT_IDLE ? 0 : 2, columns, p->fit[KIND_LINEAR].scale, ARRAY_ROWS, columns, false},
        {"fit.sums", sums ? stride : 0, stride, p->space.a, ARRAY_ROWS, stride, false},
        {"fit.inverse", both ? stride : 0, stride, p->space.inverse, ARRAY_ROWS, stride, false},
    };
    for (size_t k = 0; k < sizeof views / sizeof *views; k++)
        if (views[k].rows > 0 && i-- == 0) {
            *view = views[k];
            return true;
        }
    if (i < 3)
        return ring_array(&p->ring, i, view) && p->ring.count > 0;
    return stage == FIT_SEARCH && search_array(&p->search, i - 3, view);
}

/* Whether the counters of a stage make sense. */
static bool stage_is_sound(const struct ensemble *c)
{
    const ensemble_parts *p = c->parts;
    const fit_state *s = &p->state;
    size_t n = fit_of(c)->features;
    bool starts = member_can_start(&p->member[s->role]), samples = s->first >= ring_first(&p->ring) &&
                                                                   s->first <= s->next && s->next <= p->ring.count &&
                                                                   s->first < p->ring.count;
    switch (s->stage) {
    case FIT_SCALE:
        return s->at < c->inputs + c->outputs && s->next > first_sample(p) && s->next <= p->ring.count;
    case FIT_ROWS:
        return starts && samples && s->next < p->ring.count;
    case FIT_FACTOR:
        return starts && samples && s->at < n && s->at % MATRIX_PANEL == 0;
    case FIT_INVERT:
        return starts && samples && s->at > 0 && (s->at == n || (s->at < n && s->at % MATRIX_PANEL == 0));
    case FIT_START:
        return starts && samples;
    case FIT_CATCH_UP:
        return samples && s->next < p->ring.count && member_is_live(c, (size_t)s->role);
    default:
        return true;
    }
}

/* A fit that was loaded goes on, or is dropped. */
static void check_loaded(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    fit_state *s = &p->state;
    p->loaded = false;
    if (!stage_is_sound(c) || (s->stage == FIT_SEARCH && !search_after_load(&p->search)))
        s->stage = FIT_IDLE;
    if (s->stage == FIT_IDLE)
        s->batch = 0;
    if (s->stage >= FIT_ROWS)
        set_fit(c);
}

/* Counters and arrays are written one by one: whether the fit makes sense is seen when it goes on. */
void fit_after_load(struct ensemble *c)
{
    ensemble_parts *p = c->parts;
    fit_state *s = &p->state;
    p->loaded = true;
    if (p->ring.count == 0 || !(s->live & BIT(PLAIN)))
        s->live = 0;
    s->since = s->since < p->ring.count ? s->since : p->ring.count;
    s->left = s->left <= p->ring.count && s->left >= WATCH_BACK ? s->left : 0;
    s->ahead = s->ahead <= p->ring.count ? s->ahead : 0;
    for (size_t i = 0; i < ring_held(&p->ring); i++)
        p->ring.weight[i] = p->ring.weight[i] > 0 ? p->ring.weight[i] : 0;
    for (size_t j = 0; j <= c->inputs; j++)
        p->found[j] = p->found[j] > REAL_MIN ? p->found[j] : 1;
    member_mend_scale(&p->fit[KIND_LINEAR]);
}

void fit_work(struct ensemble *c)
{
    const fit_state *s = &c->parts->state;
    if (c->parts->loaded)
        check_loaded(c);
    look_what_is_due(c);
    for (size_t done = 0; done < WORK_A_SAMPLE && (s->stage != FIT_IDLE || s->due);)
        done += do_part(c);
}
