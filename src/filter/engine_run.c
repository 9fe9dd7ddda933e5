/* Runs map and algorithm, in one precision. src/stream has checked pointers and precision. */
#include "engine_run.h"

#include <string.h>

#include "../spec/check.h"
#include "filter.h"
#include "loss.h"

struct core {
    feature_map map;
    const vec_table *vec;
    const filter_class *klass;
    void *state;
    loss_state loss;
    bool fused;  /* the algorithm learns blocks together with this map */
    real *z;     /* [map_buffer()] */
    real *work;  /* scratch for predict */
    real *yhat;  /* [outputs]: a prediction until its step succeeds */
    bool z_is_x; /* of the begun sample: the map does not change x */
};

static const filter_class *find_class(const char *name)
{
    static const filter_class *const classes[] = {
#define FILTER_ROW(row) &OKRA_TYPED(filter_##row),
        FILTER_LIST(FILTER_ROW)
#undef FILTER_ROW
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i]->name, name) == 0)
            return classes[i];
    return NULL; /* a recipe without an algorithm: a test checks all recipes */
}

static const filter_class *class_of(const okra_spec *spec)
{
    const filter_class *klass = find_class(okra_recipe_find(spec->recipe)->filter);
    const filter_class *other = klass->variant ? klass->variant(spec) : NULL;
    return other ? other : klass;
}

static okra_status check(const okra_spec *spec, okra_message *why)
{
    const filter_class *klass = class_of(spec);
    bool found = spec->mu == OKRA_MU_AUTO;
    if (found && !klass->finds_mu)
        return okra_refuse(OKRA_E_PARAMETER, why, "mu = auto is for LMS and NLMS: %s needs a number", spec->recipe);
    if ((found ? 1 : spec->mu) * spec->leak > 1)
        return okra_refuse(OKRA_E_PARAMETER, why, "leak = %g is too large for this mu: their product must be at most 1",
                           spec->leak);
    return klass->check ? klass->check(spec, why) : OKRA_OK;
}

/* ---- building -------------------------------------------------------------------------------------------- */

static void lay_out(okra_engine *engine, okra_block *block)
{
    struct core core_spare, *core = okra_block_take_struct(block, sizeof *core, &core_spare);
    state_spare spare;
    core->vec = vec_of(engine->isa);
    core->klass = class_of(&engine->spec);
    map_lay_out(&core->map, &engine->spec, core->vec, block);
    filter_shape shape = {.spec = &engine->spec,
                          .vec = core->vec,
                          .features = core->map.outputs,
                          .width = core->map.width,
                          .fused = core->map.fused,
                          .halves = core->map.halves,
                          .outputs = engine->spec.outputs};
    loss_lay_out(&core->loss, &engine->spec, 1, block);
    shape.loss = &core->loss;
    void *state = okra_block_take_struct(block, core->klass->state_bytes, &spare);
    core->klass->lay_out(state, &shape, block);
    core->z = okra_block_take(block, map_buffer(&core->map), sizeof(real));
    core->work = okra_block_take(block, core->klass->scratch ? core->klass->scratch(state) : 0, sizeof(real));
    core->yhat = okra_block_take(block, engine->spec.outputs, sizeof(real));
    if (block->base) {
        core->state = state;
        core->fused = core->klass->run && core->klass->can_run(state, &core->map);
        engine->core = core;
    }
}

static okra_status init_params(okra_engine *engine, const okra_spec *spec)
{
    struct core *core = engine->core;
    okra_status status = core->map.klass->init_params(core->map.state, spec);
    return status || !core->klass->init_params ? status : core->klass->init_params(core->state, spec);
}

static void init_empty(okra_engine *engine)
{
    const struct core *core = engine->core;
    map_init_empty(&core->map);
    if (core->klass->init_empty)
        core->klass->init_empty(core->state);
}

static void reset(okra_engine *engine)
{
    struct core *core = engine->core;
    core->klass->reset(core->state);
    loss_reset(&core->loss);
}

static size_t features(const okra_engine *engine) { return ((const struct core *)engine->core)->map.outputs; }

/* Scales that were tracked separately cannot be merged. */
static okra_merging merging(const okra_engine *engine)
{
    const struct core *core = engine->core;
    array_view view;
    return loss_array(&core->loss, &view) ? OKRA_MERGE_NONE : core->klass->merging;
}

/* For z, then for the algorithm's predict. */
static size_t scratch(const okra_engine *engine)
{
    const struct core *core = engine->core;
    return (map_buffer(&core->map) + (core->klass->scratch ? core->klass->scratch(core->state) : 0)) * sizeof(real);
}

static size_t centres(const okra_engine *engine, uint64_t *full)
{
    const struct core *core = engine->core;
    *full = 0;
    return core->klass->centres ? core->klass->centres(core->state, full) : 0;
}

static uint64_t updates(const okra_engine *engine)
{
    const struct core *core = engine->core;
    return core->klass->updates ? core->klass->updates(core->state) : engine->learnt;
}

static uint64_t restarts(const okra_engine *engine)
{
    const struct core *core = engine->core;
    return core->klass->restarts ? core->klass->restarts(core->state) : 0;
}

static bool relevance(const okra_engine *engine, double *shares)
{
    const struct core *core = engine->core;
    return core->klass->relevance && core->klass->relevance(core->state, shares);
}

static uint64_t *counter(const okra_engine *engine, size_t i, const char **name, uint64_t *max)
{
    const struct core *core = engine->core;
    return core->klass->counter ? core->klass->counter(core->state, i, name, max) : NULL;
}

static void after_load(okra_engine *engine)
{
    struct core *core = engine->core;
    core->klass->after_load(core->state);
    loss_after_load(&core->loss);
}

/* ---- learning -------------------------------------------------------------------------------------------- */

/* Samples are checked and learnt this many at a time, so that checked samples are still in the cache. */
enum { CHUNK = 256 };

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* The number of samples before the first with a number that is not finite or a weight below 0. */
static size_t good_samples(const struct core *core, size_t outputs, const sample_block *samples)
{
    size_t inputs = core->map.inputs, n = samples->n;
    n = smaller(n, core->vec->finite(n * inputs, samples->X) / inputs);
    n = smaller(n, core->vec->finite(n * outputs, samples->Y) / outputs);
    for (size_t i = 0; samples->weights && i < n; i++)
        if (!(samples->weights[i] >= 0 && samples->weights[i] <= REAL_MAX))
            return i;
    return n;
}

static void settle(struct core *core)
{
    if (core->klass->settle)
        core->klass->settle(core->state);
}

/* For algorithms that do not take blocks: a sample at a time. */
static okra_status learn_each(struct core *core, size_t outputs, const sample_block *samples, size_t *done)
{
    okra_status status = OKRA_OK;
    for (*done = 0; *done < samples->n && !status; *done += !status) {
        size_t i = *done;
        const real *z = map_apply(&core->map, samples->X + i * core->map.inputs, core->z);
        status = core->klass->step(core->state, z, samples->Y + i * outputs, sample_weight(samples, i), core->yhat);
        if (!status && samples->Yhat)
            memcpy(samples->Yhat + i * outputs, core->yhat, outputs * sizeof(real));
    }
    settle(core);
    return status;
}

/* Whether the loss is not the square, and the engine, not the algorithm, applies it. */
static bool engine_applies_loss(const struct core *core)
{
    return core->loss.kind != OKRA_LOSS_SQUARE && !core->klass->applies_loss;
}

/* For a loss other than the square: predicts each sample first, because its weight depends on its error. */
static okra_status learn_by_loss(okra_engine *engine, const sample_block *samples, size_t *done)
{
    size_t inputs = engine->spec.inputs, outputs = engine->spec.outputs;
    for (*done = 0; *done < samples->n; ++*done) {
        size_t i = *done;
        const real *x = samples->X + i * inputs;
        okra_status status = engine_begin(engine, x, NULL, NULL);
        if (!status)
            status = engine_commit(engine, x, samples->Y + i * outputs, sample_weight(samples, i));
        if (status)
            return status;
        if (samples->Yhat)
            memcpy(samples->Yhat + i * outputs, ((struct core *)engine->core)->yhat, outputs * sizeof(real));
    }
    return OKRA_OK;
}

static okra_status learn_chunk(okra_engine *engine, const sample_block *samples, size_t *done)
{
    struct core *core = engine->core;
    size_t outputs = engine->spec.outputs;
    sample_block good = *samples;
    good.n = good_samples(core, outputs, samples);
    okra_status status;
    if (engine_applies_loss(core)) {
        status = learn_by_loss(engine, &good, done); /* counts `learnt` itself */
    } else {
        status = core->fused ? core->klass->run(core->state, &core->map, &good, core->z, done)
                             : learn_each(core, outputs, &good, done);
        engine->learnt += *done;
    }
    return !status && good.n < samples->n ? OKRA_E_SAMPLE : status;
}

okra_status engine_run(okra_engine *engine, size_t n, const real *X, const real *Y, const real *weights, real *Yhat,
                       size_t *done)
{
    size_t inputs = engine->spec.inputs, outputs = engine->spec.outputs, learnt = 0;
    *done = 0;
    for (size_t i = 0; i < n; i += CHUNK) {
        sample_block chunk = {.n = smaller(n - i, CHUNK),
                              .X = X + i * inputs,
                              .Y = Y + i * outputs,
                              .weights = weights ? weights + i : NULL,
                              .Yhat = Yhat ? Yhat + i * outputs : NULL};
        okra_status status = learn_chunk(engine, &chunk, &learnt);
        *done += learnt;
        if (status)
            return status;
    }
    return OKRA_OK;
}

okra_status engine_step(okra_engine *engine, const real *x, const real *y, real weight, real *yhat)
{
    size_t done;
    sample_block one = {.n = 1, .X = x, .Y = y, .weights = &weight, .Yhat = yhat};
    return learn_chunk(engine, &one, &done);
}

/* ---- predicting ------------------------------------------------------------------------------------------ */

/* For algorithms that predict blocks with their map, of one output. */
static okra_status predict_blocks(const struct core *core, real *z, size_t n, const real *X, real *Yhat)
{
    size_t inputs = core->map.inputs, chunk;
    for (size_t i = 0; i < n; i += chunk) {
        chunk = smaller(n - i, CHUNK);
        size_t good = core->vec->finite(chunk * inputs, X + i * inputs) / inputs;
        core->klass->predict_block(core->state, &core->map, good, X + i * inputs, z, Yhat + i);
        if (core->vec->finite(good, Yhat + i) < good)
            return OKRA_E_RANGE;
        if (good < chunk)
            return OKRA_E_SAMPLE;
    }
    return OKRA_OK;
}

static okra_status predict(const okra_engine *engine, real *z, real *work, size_t n, const real *X, real *Yhat,
                           real *variance)
{
    const struct core *core = engine->core;
    size_t inputs = core->map.inputs, outputs = engine->spec.outputs;
    if (core->fused && core->klass->predict_block)
        return predict_blocks(core, z, n, X, Yhat);
    for (size_t i = 0; i < n; i++, X += inputs, Yhat += outputs) {
        if (core->vec->finite(inputs, X) < inputs)
            return OKRA_E_SAMPLE;
        core->klass->predict(core->state, map_apply(&core->map, X, z), work, Yhat, variance);
        if (core->vec->finite(outputs, Yhat) < outputs)
            return OKRA_E_RANGE;
        if (variance)
            variance += outputs;
    }
    return OKRA_OK;
}

okra_status engine_predict(const okra_engine *engine, void *memory, size_t n, const real *X, real *Yhat, real *variance)
{
    real *z = okra_align(memory);
    return predict(engine, z, z + map_buffer(&((const struct core *)engine->core)->map), n, X, Yhat, variance);
}

okra_status engine_predict_next(okra_engine *engine, const real *x, real *yhat, real *variance)
{
    const struct core *core = engine->core;
    return predict(engine, core->z, core->work, 1, x, yhat ? yhat : core->yhat, variance);
}

/* Whether z has the algorithm's fused layout, and the algorithm has a step in two halves. */
static bool halves(const struct core *core) { return core->fused && core->klass->begin; }

okra_status engine_begin(okra_engine *engine, const real *x, real *yhat, real *variance)
{
    struct core *core = engine->core;
    size_t outputs = engine->spec.outputs;
    if (core->vec->finite(core->map.inputs, x) < core->map.inputs)
        return OKRA_E_SAMPLE;
    if (halves(core)) {
        *core->yhat = core->klass->begin(core->state, &core->map, x, core->z);
    } else {
        const real *z = map_apply(&core->map, x, core->z);
        core->z_is_x = z == x;
        core->klass->predict(core->state, z, core->work, core->yhat, variance);
    }
    if (core->vec->finite(outputs, core->yhat) < outputs)
        return OKRA_E_RANGE;
    if (yhat)
        memcpy(yhat, core->yhat, outputs * sizeof *yhat);
    return OKRA_OK;
}

/* The weight, under the loss, of a sample with prediction core->yhat. */
static real weight_by_loss(const struct core *core, const real *y, real weight)
{
    return engine_applies_loss(core) ? weight * loss_weight(&core->loss, y, core->yhat, 1) : weight;
}

/* Counts a sample that was learnt. */
static void note_learnt(okra_engine *engine, const real *y, real weight)
{
    struct core *core = engine->core;
    engine->learnt++;
    if (engine_applies_loss(core) && weight > 0)
        loss_learn(&core->loss, y, core->yhat, 1);
}

okra_status engine_commit(okra_engine *engine, const real *x, const real *y, real weight)
{
    struct core *core = engine->core;
    if (!engine_takes(engine, y))
        return OKRA_E_SAMPLE;
    real counts = weight_by_loss(core, y, weight);
    okra_status status = halves(core)
                             ? core->klass->commit(core->state, core->z, *core->yhat, y, counts)
                             : core->klass->step(core->state, core->z_is_x ? x : core->z, y, counts, core->yhat);
    settle(core);
    if (!status)
        note_learnt(engine, y, weight);
    return status;
}

bool engine_takes(const okra_engine *engine, const real *y)
{
    const struct core *core = engine->core;
    return core->vec->finite(engine->spec.outputs, y) == engine->spec.outputs;
}

okra_status engine_predict_pending(okra_engine *engine, size_t slot, const real *x, real *yhat, real *variance)
{
    struct core *core = engine->core;
    if (!core->klass->predict_pending)
        return engine_predict_next(engine, x, yhat, variance);
    core->klass->predict_pending(core->state, slot, map_apply(&core->map, x, core->z), yhat, variance);
    if (core->vec->finite(engine->spec.outputs, yhat) == engine->spec.outputs)
        return OKRA_OK;
    engine_cancel_pending(engine, slot);
    return OKRA_E_RANGE;
}

bool engine_keeps_pending(const okra_engine *engine)
{
    return ((const struct core *)engine->core)->klass->predict_pending;
}

void engine_cancel_pending(okra_engine *engine, size_t slot)
{
    struct core *core = engine->core;
    if (core->klass->cancel_pending)
        core->klass->cancel_pending(core->state, slot);
}

okra_status engine_learn_delayed(okra_engine *engine, size_t slot, const real *x, const real *y, real weight)
{
    struct core *core = engine->core;
    if (!core->klass->learn_delayed)
        return engine_step(engine, x, y, weight, NULL);
    const real *z = map_apply(&core->map, x, core->z);
    if (engine_applies_loss(core))
        core->klass->predict(core->state, z, core->work, core->yhat, NULL);
    okra_status status = core->klass->learn_delayed(core->state, slot, z, y, weight_by_loss(core, y, weight));
    if (!status)
        note_learnt(engine, y, weight);
    return status;
}

bool engine_is_probabilistic(const okra_engine *engine)
{
    return ((const struct core *)engine->core)->klass->probabilistic;
}

/* ---- inspecting ------------------------------------------------------------------------------------------ */

/* The algorithm's arrays, then the loss's, then the map's. */
static bool find_view(const struct core *core, size_t i, array_view *view)
{
    size_t before = 0;
    if (core->klass->array(core->state, i, view))
        return true;
    while (core->klass->array(core->state, before, view))
        before++;
    if (loss_array(&core->loss, view) && i == before++)
        return true;
    return core->map.klass->array && core->map.klass->array(core->map.state, i - before, view);
}

static okra_status array_at(const okra_engine *engine, size_t i, okra_array *array)
{
    array_view view;
    if (!find_view(engine->core, i, &view))
        return OKRA_E_ARRAY;
    *array = (okra_array){view.name, view.rows, view.cols};
    return OKRA_OK;
}

static okra_status array_read(const okra_engine *engine, size_t i, void *out)
{
    array_view view;
    real *to = out;
    if (!find_view(engine->core, i, &view))
        return OKRA_E_ARRAY;
    for (size_t r = 0; r < view.rows; r++)
        for (size_t c = 0; c < view.cols; c++)
            *to++ = view.data[array_place(&view, r, c)];
    return OKRA_OK;
}

static okra_status array_write(okra_engine *engine, size_t i, const void *in)
{
    struct core *core = engine->core;
    array_view view;
    const real *from = in;
    if (!find_view(core, i, &view))
        return OKRA_E_ARRAY;
    if (core->vec->finite(view.rows * view.cols, from) < view.rows * view.cols)
        return OKRA_E_SAMPLE;
    for (size_t k = 0; view.positive && k < view.rows * view.cols; k++)
        if (!(from[k] > 0))
            return OKRA_E_SAMPLE;
    for (size_t r = 0; r < view.rows; r++)
        for (size_t c = 0; c < view.cols; c++)
            view.data[array_place(&view, r, c)] = *from++;
    return OKRA_OK;
}

const okra_engine_ops OKRA_TYPED(engine_ops) = {
    .check = check,
    .lay_out = lay_out,
    .init_params = init_params,
    .init_empty = init_empty,
    .reset = reset,
    .features = features,
    .merging = merging,
    .scratch = scratch,
    .centres = centres,
    .updates = updates,
    .restarts = restarts,
    .relevance = relevance,
    .counter = counter,
    .after_load = after_load,
    .array_at = array_at,
    .array_read = array_read,
    .array_write = array_write,
};
