/* Map and algorithm at work, in one precision: the learning and predicting half of the front door. */
#include "engine.h"

#include <string.h>

#include "filter.h"

struct core {
    feature_map map;
    const vec_table *vec;
    const filter_class *klass;
    void *state;
    bool fused; /* the algorithm learns blocks together with this map */
    real *z;    /* [map_buffer()] */
    real *work; /* what predict needs, in the filter's own scratch */
    real *yhat; /* [outputs]: a prediction until its step is known to be good */
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
    return NULL; /* a recipe without an algorithm: a test goes through them all */
}

/* ---- building -------------------------------------------------------------------------------------------- */

static void lay_out(okra_filter *filter, okra_block *block)
{
    struct core core_spare, *core = okra_block_take_struct(block, sizeof *core, &core_spare);
    state_spare spare;
    core->vec = vec_of(filter->isa);
    core->klass = find_class(okra_recipe_find(filter->spec.recipe)->filter);
    map_lay_out(&core->map, &filter->spec, core->vec, block);
    filter_shape shape = {.spec = &filter->spec,
                          .vec = core->vec,
                          .features = core->map.outputs,
                          .width = core->map.width,
                          .fused = core->map.fused,
                          .halves = core->map.halves,
                          .outputs = filter->spec.outputs};
    void *state = okra_block_take_struct(block, core->klass->state_bytes, &spare);
    core->klass->lay_out(state, &shape, block);
    core->z = okra_block_take(block, map_buffer(&core->map), sizeof(real));
    core->work = okra_block_take(block, core->klass->scratch ? core->klass->scratch(state) : 0, sizeof(real));
    core->yhat = okra_block_take(block, filter->spec.outputs, sizeof(real));
    if (block->base) {
        core->state = state;
        core->fused = core->klass->run && core->klass->can_run(state, &core->map);
        filter->core = core;
    }
}

static okra_status draw(okra_filter *filter, const okra_spec *spec)
{
    struct core *core = filter->core;
    okra_status status = core->map.klass->draw(core->map.state, spec);
    return status || !core->klass->draw ? status : core->klass->draw(core->state, spec);
}

static void blank(okra_filter *filter)
{
    const struct core *core = filter->core;
    map_blank(&core->map);
    if (core->klass->blank)
        core->klass->blank(core->state);
}

static void reset(okra_filter *filter)
{
    struct core *core = filter->core;
    core->klass->reset(core->state);
}

static size_t features(const okra_filter *filter) { return ((const struct core *)filter->core)->map.outputs; }

/* z, then what the algorithm's predict needs. */
static size_t scratch(const okra_filter *filter)
{
    const struct core *core = filter->core;
    return (map_buffer(&core->map) + (core->klass->scratch ? core->klass->scratch(core->state) : 0)) * sizeof(real);
}

static size_t centres(const okra_filter *filter, uint64_t *full)
{
    const struct core *core = filter->core;
    *full = 0;
    return core->klass->centres ? core->klass->centres(core->state, full) : 0;
}

static uint64_t *counter(const okra_filter *filter, size_t i, const char **name, uint64_t *most)
{
    const struct core *core = filter->core;
    return core->klass->counter ? core->klass->counter(core->state, i, name, most) : NULL;
}

static void restored(okra_filter *filter)
{
    struct core *core = filter->core;
    core->klass->restored(core->state);
}

/* ---- learning -------------------------------------------------------------------------------------------- */

/* Samples are checked and learnt this many at a time, so that they are still in the cache when they are learnt. */
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

/* For algorithms that do not take blocks: a sample at a time. */
static okra_status learn_each(struct core *core, size_t outputs, const sample_block *samples, size_t *done)
{
    for (*done = 0; *done < samples->n; ++*done) {
        size_t i = *done;
        const real *z = map_apply(&core->map, samples->X + i * core->map.inputs, core->z);
        okra_status status =
            core->klass->step(core->state, z, samples->Y + i * outputs, sample_weight(samples, i), core->yhat);
        if (status)
            return status;
        if (samples->Yhat)
            memcpy(samples->Yhat + i * outputs, core->yhat, outputs * sizeof(real));
    }
    return OKRA_OK;
}

static okra_status learn_chunk(okra_filter *filter, const sample_block *samples, size_t *done)
{
    struct core *core = filter->core;
    size_t outputs = filter->spec.outputs;
    sample_block good = *samples;
    good.n = good_samples(core, outputs, samples);
    okra_status status = core->fused ? core->klass->run(core->state, &core->map, &good, core->z, done)
                                     : learn_each(core, outputs, &good, done);
    filter->learnt += *done;
    return !status && good.n < samples->n ? OKRA_E_SAMPLE : status;
}

okra_status OKRA_PUBLIC(okra_run)(okra_filter *filter, size_t n, const real *X, const real *Y, const real *weights,
                                  real *Yhat, size_t *done)
{
    size_t ignored = 0, learnt = 0, *total = done ? done : &ignored;
    *total = 0;
    if (!filter || (n > 0 && (!X || !Y)))
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return OKRA_E_PRECISION;
    size_t inputs = filter->spec.inputs, outputs = filter->spec.outputs;
    for (size_t i = 0; i < n; i += CHUNK) {
        sample_block chunk = {.n = smaller(n - i, CHUNK),
                              .X = X + i * inputs,
                              .Y = Y + i * outputs,
                              .weights = weights ? weights + i : NULL,
                              .Yhat = Yhat ? Yhat + i * outputs : NULL};
        okra_status status = learn_chunk(filter, &chunk, &learnt);
        *total += learnt;
        if (status)
            return status;
    }
    return OKRA_OK;
}

okra_status OKRA_PUBLIC(okra_step_weighted)(okra_filter *filter, const real *x, const real *y, real weight, real *yhat)
{
    size_t done;
    if (!filter || !x || !y)
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return OKRA_E_PRECISION;
    sample_block one = {.n = 1, .X = x, .Y = y, .weights = &weight, .Yhat = yhat};
    return learn_chunk(filter, &one, &done);
}

okra_status OKRA_PUBLIC(okra_step)(okra_filter *filter, const real *x, const real *y, real *yhat)
{
    return OKRA_PUBLIC(okra_step_weighted)(filter, x, y, 1, yhat);
}

/* ---- predicting ------------------------------------------------------------------------------------------ */

/* For algorithms that predict blocks with their map, of one output. */
static okra_status ask_blocks(const struct core *core, real *z, size_t n, const real *X, real *Yhat)
{
    size_t inputs = core->map.inputs, chunk;
    for (size_t i = 0; i < n; i += chunk) {
        chunk = smaller(n - i, CHUNK);
        size_t good = core->vec->finite(chunk * inputs, X + i * inputs) / inputs;
        core->klass->ask(core->state, &core->map, good, X + i * inputs, z, Yhat + i);
        if (core->vec->finite(good, Yhat + i) < good)
            return OKRA_E_RANGE;
        if (good < chunk)
            return OKRA_E_SAMPLE;
    }
    return OKRA_OK;
}

static okra_status predict(const okra_filter *filter, real *z, real *work, size_t n, const real *X, real *Yhat,
                           real *variance)
{
    const struct core *core = filter->core;
    size_t inputs = core->map.inputs, outputs = filter->spec.outputs;
    if (core->fused && core->klass->ask)
        return ask_blocks(core, z, n, X, Yhat);
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

okra_status OKRA_PUBLIC(okra_predict_with)(const okra_filter *filter, void *memory, size_t n, const real *X, real *Yhat)
{
    if (!filter || !memory || (n > 0 && (!X || !Yhat)))
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return OKRA_E_PRECISION;
    real *z = okra_align(memory);
    return predict(filter, z, z + map_buffer(&((const struct core *)filter->core)->map), n, X, Yhat, NULL);
}

okra_status OKRA_PUBLIC(okra_predict_variance)(const okra_filter *filter, void *memory, size_t n, const real *X,
                                               real *Yhat, real *variance)
{
    if (!filter || !memory || (n > 0 && (!X || !Yhat || !variance)))
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return OKRA_E_PRECISION;
    const struct core *core = filter->core;
    if (!core->klass->probabilistic)
        return OKRA_E_UNSUPPORTED;
    real *z = okra_align(memory);
    return predict(filter, z, z + map_buffer(&core->map), n, X, Yhat, variance);
}

okra_status filter_ask(okra_filter *filter, const real *x, real *yhat, real *variance)
{
    const struct core *core = filter->core;
    return predict(filter, core->z, core->work, 1, x, yhat, variance);
}

okra_status filter_issue(okra_filter *filter, size_t slot, const real *x, real *yhat, real *variance)
{
    struct core *core = filter->core;
    if (!core->klass->issue)
        return filter_ask(filter, x, yhat, variance);
    core->klass->issue(core->state, slot, map_apply(&core->map, x, core->z), yhat, variance);
    if (core->vec->finite(filter->spec.outputs, yhat) == filter->spec.outputs)
        return OKRA_OK;
    filter_withdraw(filter, slot);
    return OKRA_E_RANGE;
}

void filter_withdraw(okra_filter *filter, size_t slot)
{
    struct core *core = filter->core;
    if (core->klass->withdraw)
        core->klass->withdraw(core->state, slot);
}

okra_status filter_settle(okra_filter *filter, size_t slot, const real *x, const real *y, real weight)
{
    struct core *core = filter->core;
    if (!core->klass->settle)
        return OKRA_PUBLIC(okra_step_weighted)(filter, x, y, weight, NULL);
    okra_status status = core->klass->settle(core->state, slot, map_apply(&core->map, x, core->z), y, weight);
    filter->learnt += !status;
    return status;
}

bool filter_is_probabilistic(const okra_filter *filter)
{
    return ((const struct core *)filter->core)->klass->probabilistic;
}

okra_status OKRA_PUBLIC(okra_predict)(okra_filter *filter, size_t n, const real *X, real *Yhat)
{
    if (!filter || (n > 0 && (!X || !Yhat)))
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return OKRA_E_PRECISION;
    const struct core *core = filter->core;
    return predict(filter, core->z, core->work, n, X, Yhat, NULL);
}

/* ---- looking inside -------------------------------------------------------------------------------------- */

/* The algorithm's arrays, then the map's. */
static bool find_view(const struct core *core, size_t i, array_view *view)
{
    size_t own = 0;
    if (core->klass->array(core->state, i, view))
        return true;
    while (core->klass->array(core->state, own, view))
        own++;
    return core->map.klass->array && core->map.klass->array(core->map.state, i - own, view);
}

static okra_status array_at(const okra_filter *filter, size_t i, okra_array *array)
{
    array_view view;
    if (!find_view(filter->core, i, &view))
        return OKRA_E_ARRAY;
    *array = (okra_array){view.name, view.rows, view.cols};
    return OKRA_OK;
}

static okra_status array_read(const okra_filter *filter, size_t i, void *out)
{
    array_view view;
    real *to = out;
    if (!find_view(filter->core, i, &view))
        return OKRA_E_ARRAY;
    for (size_t r = 0; r < view.rows; r++)
        for (size_t c = 0; c < view.cols; c++)
            *to++ = view.data[array_place(&view, r, c)];
    return OKRA_OK;
}

static okra_status array_write(okra_filter *filter, size_t i, const void *in)
{
    struct core *core = filter->core;
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
    restored(filter);
    return OKRA_OK;
}

const okra_engine OKRA_TYPED(engine) = {
    .lay_out = lay_out,
    .draw = draw,
    .blank = blank,
    .reset = reset,
    .features = features,
    .scratch = scratch,
    .centres = centres,
    .counter = counter,
    .restored = restored,
    .array_at = array_at,
    .array_read = array_read,
    .array_write = array_write,
};
