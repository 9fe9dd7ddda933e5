/* The rows of a filter, in one precision: lags, delayed labels, scale, and the calls of the engine. */
#include "stream.h"

#include <string.h>

#include "../vec/isa.h"
#include "narrow.h"

/* ---- building ----------------------------------------------------------------------------------------------- */

static void *take(okra_block *block, size_t rows, size_t columns)
{
    size_t bytes = SIZE_MAX;
    okra_multiply(columns, sizeof(real), &bytes);
    return okra_block_take(block, rows, bytes);
}

static void take_arrays(stream *s, const okra_filter *filter, okra_block *block)
{
    const okra_spec *spec = &filter->spec;
    s->u = take(block, s->input_rows, s->inputs);
    s->y = take(block, s->target_rows, s->targets);
    s->pending_x = take(block, spec->horizon, s->dimension);
    s->pending_weight = take(block, spec->horizon, 1);
    s->sigma = take(block, filter->sigma_auto, 1);
    s->widths = take(block, filter->widths_auto, s->dimension);
    s->relevance = take(block, filter->widths_auto, s->dimension);
    s->mean = take(block, 1, s->columns);
    s->deviation = take(block, 1, s->columns);
    s->warm = take(block, filter->warms_up ? spec->warmup : 0, s->columns + 1);
    s->column = take(block, filter->warms_up ? spec->warmup : 0, 1);
    s->range = take(block, filter->warms_up ? s->targets : 0, 2);
    s->x = take(block, 1, s->dimension);
    s->target = take(block, 1, s->targets);
    s->yhat = take(block, 1, s->targets);
    s->missing = take(block, 1, s->columns);
    s->sample = take(block, filter->sigma_auto ? WIDTH_ROWS : 0, s->dimension);
    s->distance = take(block, filter->sigma_auto ? WIDTH_PAIRS : 0, 1);
}

static void take_finder(stream *s, const okra_spec *spec, okra_block *block)
{
    width_finder spare;
    okra_spec samples = *spec;
    samples.inputs = s->dimension;
    s->finder = okra_block_take_struct(block, sizeof *s->finder, &spare);
    finder_lay_out(s->finder, &samples, s->vec, block);
}

static void lay_out(okra_filter *filter, okra_block *block)
{
    const okra_spec *spec = &filter->spec;
    stream spare, *s = okra_block_take_struct(block, sizeof *s, &spare);
    okra_isa_id isa = okra_isa_chosen();
    *s = (stream){.vec = vec_of(isa), .inputs = spec->inputs, .targets = spec->outputs};
    s->columns = s->inputs + s->targets;
    s->dimension = stream_dimension(spec);
    s->input_rows = spec->lag_from + spec->lags;
    s->target_rows = spec->horizon + spec->target_lags;
    take_arrays(s, filter, block);
    if (filter->widths_auto)
        take_finder(s, spec, block);
    filter->core = block->base ? s : NULL;
}

static void fill(real *a, size_t n, real value)
{
    for (size_t i = 0; i < n; i++)
        a[i] = value;
}

void stream_forget(stream *s, const okra_spec *spec)
{
    fill(s->u, s->input_rows * s->inputs, (real)NAN);
    fill(s->y, s->target_rows * s->targets, (real)NAN);
    fill(s->pending_x, spec->horizon * s->dimension, (real)NAN);
    fill(s->pending_weight, spec->horizon, -1);
}

static void reset(okra_filter *filter)
{
    stream *s = filter->core;
    stream_forget(s, &filter->spec);
    fill(s->mean, s->columns, 0);
    fill(s->deviation, s->columns, 1);
    fill(s->missing, s->columns, (real)NAN);
}

/* ---- embedding ---------------------------------------------------------------------------------------------- */

static real scaled(const stream *s, size_t column, real value)
{
    return (value - s->mean[column]) / s->deviation[column];
}

void stream_embed(const stream *s, const okra_spec *spec, uint64_t t, const real *u, real *x)
{
    for (size_t c = 0; c < s->inputs; c++)
        for (size_t l = 0; l < spec->lags; l++) {
            size_t back = spec->lag_from + l;
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): u is NULL only if there are no inputs */
            real value = back == 0 ? u[c] : back <= t ? s->u[(t - back) % s->input_rows * s->inputs + c] : (real)NAN;
            *x++ = scaled(s, c, value);
        }
    for (size_t c = 0; c < s->targets; c++)
        for (size_t l = 0; l < spec->target_lags; l++) {
            size_t back = spec->horizon + l;
            real value = back <= t ? s->y[(t - back) % s->target_rows * s->targets + c] : (real)NAN;
            *x++ = scaled(s, s->inputs + c, value);
        }
}

void stream_push(stream *s, uint64_t t, const real *u, const real *y)
{
    if (s->inputs)
        memcpy(s->u + t % s->input_rows * s->inputs, u, s->inputs * sizeof *u);
    memcpy(s->y + t % s->target_rows * s->targets, y, s->targets * sizeof *y);
}

static bool all_finite(const stream *s, size_t n, const real *a) { return s->vec->finite(n, a) == n; }

/* ---- learning ----------------------------------------------------------------------------------------------- */

static void scale_target(stream *s, const real *y)
{
    for (size_t c = 0; c < s->targets; c++)
        s->target[c] = scaled(s, s->inputs + c, y[c]);
}

/* Learns the label that is due at row t: that of row t + 1 - horizon. */
static okra_status learn_delayed(okra_filter *filter, uint64_t t)
{
    stream *s = filter->core;
    size_t horizon = filter->spec.horizon;
    if (t + 1 < horizon || filter->frozen)
        return OKRA_OK;
    uint64_t due = t + 1 - horizon;
    size_t slot = due % horizon;
    const real *x = s->pending_x + slot * s->dimension, *y = s->y + due % s->target_rows * s->targets;
    if (s->pending_weight[slot] < 0 || !all_finite(s, s->dimension, x) || !all_finite(s, s->targets, y))
        return OKRA_OK; /* missing, or not to be learnt: no error */
    scale_target(s, y);
    return engine_learn_delayed(filter->engine, slot, x, s->target, s->pending_weight[slot]);
}

/* Predicts row t, unless okra_begin() has, then learns the label that is due. With a horizon of 1 that is the row's
 * own, and one step does both. */
static okra_status predict_and_learn(okra_filter *filter, const stream_row *row, bool ready, real *variance)
{
    stream *s = filter->core;
    bool at_once = filter->spec.horizon == 1 && row->weight >= 0 && all_finite(s, s->targets, row->y);
    size_t slot = filter->rows % filter->spec.horizon;
    okra_status status = OKRA_OK;
    if (ready && filter->spec.horizon != 1 && (!filter->begun || engine_keeps_pending(filter->engine)))
        status = engine_predict_pending(filter->engine, slot, s->x, s->yhat, variance);
    else if (ready && (variance || !at_once) && !filter->begun)
        status = engine_predict_next(filter->engine, s->x, s->yhat, variance);
    if (status || !ready)
        return status;
    if (at_once) {
        scale_target(s, row->y);
        return filter->begun ? engine_commit(filter->engine, s->x, s->target, row->weight)
                             : engine_step(filter->engine, s->x, s->target, row->weight, s->yhat);
    }
    if (filter->spec.horizon > 1 && (status = learn_delayed(filter, filter->rows)))
        engine_cancel_pending(filter->engine, slot);
    return status;
}

/* Adds row t to the rings, and keeps its regressor until its label is known. */
static void commit(okra_filter *filter, const stream_row *row)
{
    stream *s = filter->core;
    uint64_t t = filter->rows++;
    size_t slot = t % filter->spec.horizon;
    stream_push(s, t, row->u, row->y);
    memcpy(s->pending_x + slot * s->dimension, s->x, s->dimension * sizeof(real));
    s->pending_weight[slot] = row->weight;
}

/* Takes a row with the current scale and width. If `*ready`, s->yhat and variance hold the prediction. */
static okra_status take_row(okra_filter *filter, const stream_row *row, bool *ready, real *variance)
{
    stream *s = filter->core;
    stream_embed(s, &filter->spec, filter->rows, row->u, s->x);
    bool estimated = !filter->warms_up || filter->estimated > 0;
    *ready = estimated && all_finite(s, s->dimension, s->x);
    okra_status status = predict_and_learn(filter, row, *ready, variance);
    /* a gap: this row cannot be predicted, but an older label may be due */
    if (!status && !*ready && estimated && filter->spec.horizon != 1)
        status = learn_delayed(filter, filter->rows);
    if (!status)
        commit(filter, row);
    return status;
}

/* ---- warming up --------------------------------------------------------------------------------------------- */

static void keep_row(okra_filter *filter, const stream_row *row)
{
    stream *s = filter->core;
    real *kept = s->warm + warmup_rows(filter) * (s->columns + 1);
    if (s->inputs)
        memcpy(kept, row->u, s->inputs * sizeof(real));
    memcpy(kept + s->inputs, row->y, s->targets * sizeof(real));
    kept[s->columns] = row->weight;
}

/*
 * Takes an earlier row again, with the new scale and width. If the filter rejects it now, it is not learnt: the current
 * row is not the cause, and the old filter is gone.
 */
static void replay_row(okra_filter *filter, const stream_row *row)
{
    stream *s = filter->core;
    size_t horizon = filter->spec.horizon;
    bool ready;
    if (take_row(filter, row, &ready, NULL) == OKRA_OK)
        return;
    if (horizon > 1) { /* the label that is due may be the cause, and not this row */
        s->pending_weight[(filter->rows + 1) % horizon] = -1;
        if (take_row(filter, row, &ready, NULL) == OKRA_OK)
            return;
    }
    stream_row unlearnt = {.u = row->u, .y = row->y, .weight = -1};
    commit(filter, &unlearnt);
}

/* Estimates scale and width, resets the engine and learns the rows so far again. `learnt` never decreases, although the
 * first rows of a later warm-up then lack their lags and are not learnt. */
static okra_status estimate_and_replay(okra_filter *filter)
{
    stream *s = filter->core;
    size_t rows = (size_t)warmup_rows(filter);
    uint64_t before = filter->engine->learnt;
    okra_status status = warmup_estimate(s, filter, rows);
    if (!status && filter->sigma_auto)
        status = okra_engine_set_sigma(filter->engine, (double)*s->sigma, false);
    if (!status && filter->widths_auto)
        status = stream_use_widths(filter, s->widths);
    if (status)
        return status;
    okra_engine_reset(filter->engine);
    stream_forget(s, &filter->spec);
    filter->estimated = rows;
    filter->rows = filter->since;
    for (size_t i = 0; i < rows; i++) {
        stream_row row = stream_warm_row(s, i);
        if (warmup_is_wild(s, filter, &row))
            row.weight = -1;
        replay_row(filter, &row);
    }
    filter->engine->learnt += filter->learnt_before;
    if (filter->engine->learnt < before)
        filter->engine->learnt = before;
    return OKRA_OK;
}

/* Clips to finite numbers: when a prediction turns out too large, its row has already been taken. */
static real within_range(real value) { return value > REAL_MAX ? REAL_MAX : value < -REAL_MAX ? -REAL_MAX : value; }

/* A target of the warm-up; NaN if it is missing or not to be learnt. */
static real warm_target(const stream *s, size_t i, size_t c)
{
    stream_row row = stream_warm_row(s, i);
    return row.weight >= 0 ? row.y[c] : (real)NAN;
}

/* The mean of a target over the first rows of the warm-up; 0 if there are none. If the sum overflows, y / count is
 * summed. */
static real mean_target(const stream *s, size_t rows, size_t c)
{
    real sum = 0, count = 0, mean = 0;
    for (size_t i = 0; i < rows; i++) {
        real y = warm_target(s, i, c);
        sum += isnan(y) ? 0 : y;
        count += isnan(y) ? 0 : 1;
    }
    if (real_abs(sum) <= REAL_MAX)
        return count > 0 ? sum / count : 0;
    for (size_t i = 0; i < rows; i++) {
        real y = warm_target(s, i, c);
        mean += isnan(y) ? 0 : y / count;
    }
    return within_range(mean); /* rounding may exceed it */
}

/* The mean of a target over the history, as far as it is known at row t. */
static real mean_history(const stream *s, const okra_spec *spec, uint64_t t, size_t c)
{
    real mean = 0, count = 0;
    for (size_t back = spec->horizon; back <= t && back <= s->target_rows; back++) {
        real y = s->y[(t - back) % s->target_rows * s->targets + c];
        count += isnan(y) ? 0 : 1;
        mean += isnan(y) ? 0 : y / count - mean / count; /* their difference may overflow */
    }
    return mean;
}

/* The prediction before anything is known: the mean of the targets so far; NaN if an input of the row is missing. */
static void predict_mean(const okra_filter *filter, const real *u, real *yhat)
{
    const stream *s = filter->core;
    size_t rows = warming_up(filter) ? (size_t)warmup_rows(filter) : 0;
    bool lacks = filter->spec.lag_from == 0 && !all_finite(s, s->inputs, u);
    for (size_t c = 0; c < s->targets; c++)
        yhat[c] = lacks              ? (real)NAN
                  : filter->warms_up ? mean_target(s, rows, c)
                                     : mean_history(s, &filter->spec, filter->rows, c);
}

/* Whether nothing can be predicted but a mean: there is no estimate yet or, if the algorithm finds its scale itself, no
 * row so far has all its lags. x is scratch for a regressor. */
static bool is_cold(const okra_filter *filter, const real *u, real *x)
{
    const stream *s = filter->core;
    if (filter->warms_up)
        return filter->estimated == 0;
    if (!filter->scales_itself || filter->engine->learnt > 0)
        return false;
    stream_embed(s, &filter->spec, filter->rows, u, x);
    return !all_finite(s, s->dimension, x);
}

/* A warm-up ends without an estimate if its last row is not to be learnt. If there is no earlier estimate either,
 * another warm-up begins. */
static void warm_up_again_if_cold(okra_filter *filter)
{
    if (filter->warms_up && filter->estimated == 0 && !warming_up(filter))
        warmup_begin(filter, 0);
}

/* A call in double on a float32 filter. The reverse is an error. */
#if OKRA_PRECISION == 64 && !defined(OKRA_NO_F32)
#define NARROW(call) call
#else
#define NARROW(call) OKRA_E_PRECISION
#endif

/* ---- public calls ------------------------------------------------------------------------------------------- */

bool stream_any_infinite(const real *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isinf(a[i]))
            return true;
    return false;
}

static okra_status check(const okra_filter *filter, const real *u, const real *y, const real *variance)
{
    if (stream_any_infinite(u, filter->spec.inputs) || (y && stream_any_infinite(y, filter->spec.outputs)))
        return OKRA_E_SAMPLE;
    return variance && !engine_is_probabilistic(filter->engine) ? OKRA_E_UNSUPPORTED : OKRA_OK;
}

/* Converts the prediction to the units of the targets. */
static void report(const okra_filter *filter, bool ready, bool cold, const real *predicted, real *yhat, real *variance)
{
    const stream *s = filter->core;
    for (size_t c = 0; c < s->targets; c++) {
        real mean = s->mean[s->inputs + c], deviation = s->deviation[s->inputs + c];
        if (yhat && !cold)
            yhat[c] = ready ? within_range(predicted[c] * deviation + mean) : (real)NAN;
        if (variance)
            variance[c] = cold ? (real)INFINITY : ready ? variance[c] * deviation * deviation : (real)NAN;
    }
}

/* A row whose weight is below 0 is not learnt. */
static okra_status step(okra_filter *filter, const real *u, const real *y, real weight, real *yhat, real *variance)
{
    okra_status status = check(filter, u, y, variance);
    if (status)
        return status;
    stream *s = filter->core;
    bool ready, cold = is_cold(filter, u, s->x);
    if (cold && filter->warms_up && !warming_up(filter) && weight >= 0)
        warmup_begin(filter, 0); /* its rows were only predicted: begin with the first to be learnt */
    bool warming = warming_up(filter);
    stream_row row = {.u = u, .y = y ? y : s->missing, .weight = weight};
    if (cold && yhat)
        predict_mean(filter, u, yhat);
    if (warming)
        keep_row(filter, &row);
    status = take_row(filter, &row, &ready, cold ? NULL : variance);
    if (status)
        return status;
    filter->begun = false;
    report(filter, ready, cold, s->yhat, yhat, variance);
    if (warming && weight >= 0 && warmup_due(filter)) /* not after a row that is only predicted */
        return estimate_and_replay(filter);
    warm_up_again_if_cold(filter);
    return OKRA_OK;
}

/* A row of a bare filter is a sample. */
static okra_status step_bare(okra_filter *filter, const real *u, const real *y, real weight, real *yhat, real *variance)
{
    okra_engine *engine = filter->engine;
    bool learns = y && !filter->frozen;
    okra_status status = OKRA_OK;
    if (variance && !engine_is_probabilistic(engine))
        return OKRA_E_UNSUPPORTED;
    if (y && !learns && !engine_takes(engine, y))
        return OKRA_E_SAMPLE;
    if (variance || !learns)
        status = engine_predict_next(engine, u, yhat, variance);
    if (!status && learns)
        status = engine_step(engine, u, y, weight, yhat);
    filter->rows += !status;
    return status;
}

okra_status OKRA_PUBLIC(okra_step)(okra_filter *filter, const real *u, const real *y, real weight, real *yhat,
                                   real *variance)
{
    if (!filter || (filter->spec.inputs > 0 && !u))
        return OKRA_E_NULL;
    filter->begun = false;
    if (filter->spec.precision != OKRA_PRECISION)
        return NARROW(okra_narrow_step(filter, u, y, weight, yhat, variance));
    if (!(weight >= 0 && weight <= REAL_MAX))
        return OKRA_E_SAMPLE;
    if (filter->bare)
        return step_bare(filter, u, y, weight, yhat, variance);
    return step(filter, u, y, filter->frozen ? -1 : weight, yhat, variance);
}

okra_status OKRA_PUBLIC(okra_run)(okra_filter *filter, size_t n, const real *U, const real *Y, const real *weights,
                                  real *Yhat, real *variance, size_t *done)
{
    size_t ignored = 0, *total = done ? done : &ignored;
    *total = 0;
    if (!filter || (n > 0 && filter->spec.inputs > 0 && !U))
        return OKRA_E_NULL;
    filter->begun = false;
    if (filter->spec.precision != OKRA_PRECISION)
        return NARROW(okra_narrow_run(filter, n, U, Y, weights, Yhat, variance, total));
    size_t inputs = filter->spec.inputs, outputs = filter->spec.outputs;
    okra_status status = OKRA_OK;
    if (filter->bare && Y && !variance && !filter->frozen) {
        status = engine_run(filter->engine, n, U, Y, weights, Yhat, total);
        filter->rows += *total;
        return status;
    }
    for (size_t i = 0; i < n && !status; i++) {
        status = OKRA_PUBLIC(okra_step)(filter, U ? U + i * inputs : NULL, Y ? Y + i * outputs : NULL,
                                        weights ? weights[i] : 1, Yhat ? Yhat + i * outputs : NULL,
                                        variance ? variance + i * outputs : NULL);
        *total += !status;
    }
    return status;
}

/* ---- in two halves ------------------------------------------------------------------------------------------ */

static okra_status begin(okra_filter *filter, const real *u, real *yhat, real *variance)
{
    stream *s = filter->core;
    okra_status status = check(filter, u, NULL, variance);
    if (status)
        return status;
    bool cold = is_cold(filter, u, s->x);
    stream_embed(s, &filter->spec, filter->rows, u, s->x);
    bool ready = !cold && all_finite(s, s->dimension, s->x);
    if (cold && yhat)
        predict_mean(filter, u, yhat);
    if (ready)
        status = engine_begin(filter->engine, s->x, s->yhat, variance);
    if (!status)
        report(filter, ready, cold, s->yhat, yhat, variance);
    return status;
}

okra_status OKRA_PUBLIC(okra_begin)(okra_filter *filter, const real *u, real *yhat, real *variance)
{
    if (!filter || (filter->spec.inputs > 0 && !u))
        return OKRA_E_NULL;
    filter->begun = false;
    if (filter->spec.precision != OKRA_PRECISION)
        return NARROW(okra_narrow_begin(filter, u, yhat, variance));
    if (variance && !engine_is_probabilistic(filter->engine))
        return OKRA_E_UNSUPPORTED;
    okra_status status =
        filter->bare ? engine_begin(filter->engine, u, yhat, variance) : begin(filter, u, yhat, variance);
    if (status)
        return status;
    filter->begun = true;
    if (filter->spec.inputs > 0)
        memcpy(filter->row, u, filter->spec.inputs * sizeof *u);
    return OKRA_OK;
}

static okra_status commit_bare(okra_filter *filter, const real *y, real weight)
{
    okra_status status = OKRA_OK;
    if (y && !filter->frozen)
        status = engine_commit(filter->engine, filter->row, y, weight);
    else if (y && !engine_takes(filter->engine, y))
        status = OKRA_E_SAMPLE;
    filter->rows += !status;
    filter->begun = status != OKRA_OK;
    return status;
}

okra_status OKRA_PUBLIC(okra_commit)(okra_filter *filter, const real *y, real weight)
{
    if (!filter)
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return NARROW(okra_narrow_commit(filter, y, weight));
    if (!filter->begun)
        return OKRA_E_ORDER;
    if (!(weight >= 0 && weight <= REAL_MAX))
        return OKRA_E_SAMPLE;
    return filter->bare ? commit_bare(filter, y, weight)
                        : step(filter, filter->row, y, filter->frozen ? -1 : weight, NULL, NULL);
}

#if OKRA_PRECISION == 64
okra_status okra_embed(okra_filter *filter, const double *u, const double *y, double *x, double *target)
{
    if (!filter || !x || !target || (filter->spec.inputs > 0 && !u))
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return OKRA_E_PRECISION;
    okra_status status = check(filter, u, y, NULL);
    if (status)
        return status;
    filter->begun = false;
    if (filter->bare) {
        memcpy(x, u, filter->spec.inputs * sizeof *x);
        for (size_t c = 0; c < filter->spec.outputs; c++)
            target[c] = y ? y[c] : (double)NAN;
        return okra_skip(filter);
    }
    if (warming_up(filter))
        return OKRA_E_UNSUPPORTED;
    stream *s = filter->core;
    stream_row row = {.u = u, .y = y ? y : s->missing, .weight = -1};
    stream_embed(s, &filter->spec, filter->rows, u, s->x);
    scale_target(s, row.y);
    memcpy(x, s->x, s->dimension * sizeof *x);
    memcpy(target, s->target, s->targets * sizeof *target);
    commit(filter, &row);
    return OKRA_OK;
}
#endif

/* Always advances. If the filter rejects a delayed label, that label is dropped. */
static void skip(okra_filter *filter)
{
    const stream *s = filter->core;
    stream_row row = {.u = s->missing, .y = s->missing, .weight = -1};
    bool ready;
    if (warming_up(filter))
        keep_row(filter, &row);
    if (take_row(filter, &row, &ready, NULL))
        commit(filter, &row);
    warm_up_again_if_cold(filter);
}

/* ---- restarting --------------------------------------------------------------------------------------------- */

/* Copies row t from the rings; NaN if it is no longer there. */
static void recall_row(const stream *s, uint64_t t, uint64_t next, real *kept)
{
    for (size_t c = 0; c < s->inputs; c++)
        kept[c] = next - t > s->input_rows ? (real)NAN : s->u[t % s->input_rows * s->inputs + c];
    for (size_t c = 0; c < s->targets; c++)
        kept[s->inputs + c] = next - t > s->target_rows ? (real)NAN : s->y[t % s->target_rows * s->targets + c];
    kept[s->columns] = t + 1 < next ? 1 : -1; /* the last row has all its lags: it was learnt already */
}

/* Copies the rows in the rings to the start of a new warm-up; returns their number. Copies none if they do not fit. */
static size_t warm_with_past(okra_filter *filter)
{
    stream *s = filter->core;
    uint64_t longest = s->input_rows > s->target_rows ? s->input_rows : s->target_rows;
    uint64_t rows = longest < filter->rows ? longest : filter->rows;
    if (rows > filter->spec.warmup)
        return 0;
    for (uint64_t i = 0; i < rows; i++)
        recall_row(s, filter->rows - rows + i, filter->rows, s->warm + i * (s->columns + 1));
    return (size_t)rows;
}

static okra_status restart(okra_filter *filter)
{
    stream *s = filter->core;
    fill(s->pending_weight, filter->spec.horizon, -1); /* these labels precede the change */
    if (!filter->warms_up)
        return OKRA_OK;
    fill(s->mean, s->columns, 0);
    fill(s->deviation, s->columns, 1);
    filter->estimated = 0;
    warmup_begin(filter, warm_with_past(filter));
    return warmup_due(filter) ? estimate_and_replay(filter) : OKRA_OK;
}

/* ---- predicting --------------------------------------------------------------------------------------------- */

/* Predicts the next row for inputs u. Scratch: x for the regressor, `memory` for the engine. */
static okra_status predict_next(const okra_filter *filter, const real *u, real *x, void *memory, real *yhat,
                                real *variance)
{
    const stream *s = filter->core;
    okra_status status = check(filter, u, NULL, variance);
    if (status)
        return status;
    bool cold = is_cold(filter, u, x);
    stream_embed(s, &filter->spec, filter->rows, u, x);
    bool ready = !cold && all_finite(s, s->dimension, x);
    if (cold)
        predict_mean(filter, u, yhat);
    else if (ready)
        status = engine_predict(filter->engine, memory, 1, x, yhat, variance);
    if (!status)
        report(filter, ready, cold, yhat, yhat, variance);
    return status;
}

okra_status OKRA_PUBLIC(okra_predict)(const okra_filter *filter, void *scratch, size_t n, const real *U, real *Yhat,
                                      real *variance)
{
    if (!filter || !scratch || (n > 0 && (!Yhat || (filter->spec.inputs > 0 && !U))))
        return OKRA_E_NULL;
    if (filter->spec.precision != OKRA_PRECISION)
        return NARROW(okra_narrow_predict(filter, scratch, n, U, Yhat, variance));
    if (variance && !engine_is_probabilistic(filter->engine))
        return OKRA_E_UNSUPPORTED;
    if (filter->bare)
        return engine_predict(filter->engine, scratch, n, U, Yhat, variance);
    size_t inputs = filter->spec.inputs, targets = filter->spec.outputs;
    real *x = okra_align(scratch);
    void *memory = x + ((const stream *)filter->core)->dimension;
    okra_status status = OKRA_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = predict_next(filter, inputs ? U + i * inputs : NULL, x, memory, Yhat + i * targets,
                              variance ? variance + i * targets : NULL);
    return status;
}

static bool relevance(const okra_filter *filter, double *shares)
{
    const stream *s = filter->core;
    if (filter->estimated == 0 || !(s->vec->amax(s->dimension, s->relevance) > 0))
        return false;
    for (size_t j = 0; j < s->dimension; j++)
        shares[j] = (double)s->relevance[j];
    return true;
}

const okra_stream_ops OKRA_TYPED(stream_ops) = {
    .lay_out = lay_out,
    .reset = reset,
    .restart = restart,
    .skip = skip,
    .relevance = relevance,
    .array_at = stream_array_at,
    .array_read = stream_array_read,
    .array_write = stream_array_write,
};

#undef NARROW
