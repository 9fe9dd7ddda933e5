/* Models: what they predict from, when labels are learnt, how they warm up; against the filter driven by hand. */
#include "typed.h"

#define model_ask OKRA_PUBLIC(okra_predict)

static okra_status model_step(okra_filter *model, const real *u, const real *y, real weight, real *yhat)
{
    return OKRA_PUBLIC(okra_step)(model, u, y, weight, yhat, NULL);
}

/* A row that is predicted and becomes the past, and of which nothing is learnt. */
static okra_status model_predict(okra_filter *model, const real *u, const real *y, real *yhat, real *variance)
{
    okra_freeze(model, true);
    okra_status status = OKRA_PUBLIC(okra_step)(model, u, y, 1, yhat, variance);
    okra_freeze(model, false);
    return status;
}

enum { ROWS = 700 };

static okra_spec make_model_spec(const char *recipe, size_t inputs, size_t targets)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, recipe, inputs, targets));
    spec.precision = OKRA_PRECISION;
    if (spec.features)
        spec.features = strcmp(recipe, "auto") == 0 ? 38 : 37;
    if (spec.sigma < 0)
        spec.sigma = 2, spec.scale = OKRA_SCALE_NONE; /* as plain as the others */
    if (spec.capacity)
        spec.capacity = 70, spec.sigma = 2;
    return spec;
}

static okra_filter *make_model(const okra_spec *spec)
{
    okra_filter *model;
    okra_message why = {""};
    if (okra_spec_check(spec, &why))
        fail_msg("%s", why.text);
    assert_ok(okra_create(spec, &model));
    return model;
}

/* The width in force. */
static double width_of(const okra_filter *model)
{
    okra_spec bare;
    assert_ok(okra_bare_spec(model, &bare));
    return bare.sigma;
}

/* A stream with memory, so that lags matter: columns u1 u2, targets y1 y2. */
typedef struct bed {
    real *U, *Y;
    size_t inputs, targets;
} bed;

static bed make_bed(size_t inputs, size_t targets)
{
    return (bed){make_normals(1, ROWS * (inputs + 1)), make_normals(2, ROWS * targets), inputs, targets};
}

static void free_bed(bed *b) { free(b->U), free(b->Y); }

/* Plain rows are the filter, bit for bit. */
static void plain_model_is_its_filter(void **state)
{
    (void)state;
    for (size_t r = 0; okra_recipe_at(r); r++) {
        okra_spec spec = make_model_spec(okra_recipe_at(r)->name, 2, 2);
        okra_spec inner = without_stream(&spec, 2);
        okra_filter *model = make_model(&spec);
        okra_filter *filter = make_filter(&inner);
        bed b = make_bed(2, 2);
        for (size_t t = 0; t < ROWS; t++) {
            real got[2], wanted[2];
            assert_ok(model_step(model, b.U + 2 * t, b.Y + 2 * t, 1, got));
            assert_ok(step(filter, b.U + 2 * t, b.Y + 2 * t, wanted));
            assert_memory_equal(got, wanted, sizeof got);
        }
        free_bed(&b);
        okra_free(filter);
        okra_free(model);
    }
}

/*
 * The contract of model.h by hand: regressors from whole arrays, y[s] learnt after row s + H - 1 was predicted, the
 * issued prediction from the filter as it was then.
 */
static void follow_by_hand(size_t inputs, size_t targets, size_t lags, size_t from, size_t target_lags, size_t horizon)
{
    okra_spec spec = make_model_spec("rff-krls", inputs, targets);
    spec.lags = lags, spec.lag_from = from, spec.target_lags = target_lags, spec.horizon = horizon;
    okra_spec inner = without_stream(&spec, inputs * lags + targets * target_lags);
    okra_filter *model = make_model(&spec);
    okra_filter *filter = make_filter(&inner);
    bed b = make_bed(inputs, targets);
    real *X = calloc(ROWS * inner.inputs, sizeof *X), got[2], wanted[2];
    size_t first = inputs ? from + lags - 1 : 0, first_target = target_lags ? horizon + target_lags - 1 : 0;
    first = first > first_target ? first : first_target;
    for (size_t t = 0; t < ROWS; t++) {
        assert_ok(model_step(model, b.U + t * inputs, b.Y + t * targets, 1, got));
        if (t < first) {
            for (size_t c = 0; c < targets; c++)
                assert_true(isnan(got[c]));
        } else {
            real *x = X + t * inner.inputs;
            for (size_t c = 0; c < inputs; c++)
                for (size_t l = 0; l < lags; l++)
                    *x++ = b.U[(t - from - l) * inputs + c];
            for (size_t c = 0; c < targets; c++)
                for (size_t l = 0; l < target_lags; l++)
                    *x++ = b.Y[(t - horizon - l) * targets + c];
            assert_ok(predict(filter, 1, X + t * inner.inputs, wanted));
            assert_memory_equal(got, wanted, targets * sizeof *got);
        }
        if (t + 1 >= first + horizon) {
            size_t s = t + 1 - horizon;
            assert_ok(step(filter, X + s * inner.inputs, b.Y + s * targets, NULL));
        }
    }
    free(X), free_bed(&b);
    okra_free(filter);
    okra_free(model);
}

static void lags_and_horizons(void **state)
{
    (void)state;
    follow_by_hand(1, 1, 1, 0, 0, 1);
    follow_by_hand(1, 1, 4, 0, 4, 1);
    follow_by_hand(2, 1, 3, 2, 0, 1);
    follow_by_hand(1, 1, 8, 1, 4, 5);
    follow_by_hand(0, 1, 1, 0, 10, 1);
    follow_by_hand(0, 2, 1, 0, 3, 6);
    follow_by_hand(2, 2, 1, 0, 0, 3);
}

/* A missing input makes a gap that lasts until the lags are filled again; a missing target only keeps its row from
 * being learnt. */
static void gaps_and_missing_targets(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("nlms", 1, 1);
    spec.lags = 3;
    okra_filter *model = make_model(&spec);
    bed b = make_bed(1, 1);
    okra_stats stats;
    for (size_t t = 0; t < 30; t++) {
        real u = t == 10 ? (real)NAN : b.U[t], y = t == 20 ? (real)NAN : b.Y[t], yhat;
        assert_ok(t == 25 ? okra_skip(model) : model_step(model, &u, &y, 1, &yhat));
        bool gap = t < 2 || (t >= 10 && t <= 12) || (t >= 26 && t <= 27);
        if (t != 25)
            assert_true(isnan(yhat) ? gap : !gap);
    }
    assert_ok(okra_get_stats(model, &stats));
    assert_int_equal(stats.learnt, 30 - 2 - 3 - 3 - 1); /* the start, the gap, the skipped row and two after it, the
                                                           missing target */
    free_bed(&b);
    okra_free(model);
}

static void predicting_learns_nothing(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("rff-klms", 1, 1);
    spec.lags = 2, spec.horizon = 2;
    okra_filter *model = make_model(&spec);
    bed b = make_bed(1, 1);
    real theta[2][37], yhat;
    for (size_t t = 0; t < 50; t++)
        assert_ok(model_step(model, b.U + t, b.Y + t, 1, &yhat));
    for (size_t t = 50; t < 52; t++) /* the last labels of learnt rows come due here, and that is all */
        assert_ok(model_predict(model, b.U + t, b.Y + t, &yhat, NULL));
    assert_ok(okra_array_read(model, "theta", theta[0]));
    for (size_t t = 52; t < 100; t++) {
        assert_ok(model_predict(model, b.U + t, b.Y + t, &yhat, NULL));
        assert_true(yhat == yhat);
    }
    assert_ok(okra_array_read(model, "theta", theta[1]));
    assert_memory_equal(theta[0], theta[1], sizeof theta[0]);
    free_bed(&b);
    okra_free(model);
}

/* Nor are scale and width, where the model is still warming up. */
static void predicting_estimates_nothing(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("rff-krls", 1, 1);
    spec.scale = OKRA_SCALE_AUTO, spec.sigma = OKRA_SIGMA_AUTO;
    okra_filter *model = make_model(&spec);
    bed b = make_bed(1, 1);
    real yhat, before[2], after[2];
    for (size_t t = 0; t < 40; t++)
        assert_ok(model_step(model, b.U + t, b.Y + t, 1, &yhat));
    assert_ok(okra_array_read(model, "scale.mean", before));
    double sigma = okra_get_spec(model)->sigma;
    for (size_t t = 40; t < 600; t++) {
        real u = b.U[t] * 1000, y = b.Y[t] * 1000;
        assert_ok(model_predict(model, &u, &y, &yhat, NULL));
    }
    assert_ok(okra_array_read(model, "scale.mean", after));
    assert_memory_equal(before, after, sizeof before);
    assert_true(okra_get_spec(model)->sigma == sigma);
    free_bed(&b);
    okra_free(model);
}

/* ---- warming up --------------------------------------------------------------------------------------------- */

/* No prediction may depend on its own row's target or on anything later: change the future, and the past stays. */
static void nothing_uses_the_future(void **state)
{
    (void)state;
    bed b = make_bed(2, 1), other = make_bed(2, 1);
    static const size_t changes[] = {0, 5, 15, 16, 17, 63, 64, 255, 256, 300, 512, 600};
    for (size_t k = 0; k < COUNT_OF(changes); k++) {
        okra_spec spec = make_model_spec("rff-krls", 2, 1);
        spec.scale = OKRA_SCALE_AUTO, spec.sigma = OKRA_SIGMA_AUTO, spec.lags = 2, spec.target_lags = 1;
        okra_filter *one = make_model(&spec), *two = make_model(&spec);
        for (size_t t = 0; t <= changes[k]; t++) {
            bool changed = t == changes[k];
            real yhat[2], y = changed ? b.Y[t] * 50 + 100 : b.Y[t];
            assert_ok(model_step(one, b.U + 2 * t, b.Y + t, 1, &yhat[0]));
            assert_ok(model_step(two, b.U + 2 * t, &y, 1, &yhat[1]));
            assert_memory_equal(&yhat[0], &yhat[1], sizeof yhat[0]);
        }
        okra_free(one), okra_free(two);
    }
    free_bed(&b), free_bed(&other);
}

/* At each estimate the model is what a filter would be that knew that scale and width from the first row. */
static void estimates_replay_what_was_seen(void **state)
{
    (void)state;
    static const size_t checks[] = {16, 64, 100, 256, 512, 600};
    bed b = make_bed(2, 1);
    for (size_t i = 0; i < ROWS; i++)
        b.U[2 * i] = b.U[2 * i] * 40 + 1000, b.Y[i] = b.Y[i] / 100 - 5;
    okra_spec spec = make_model_spec("rff-krls", 2, 1);
    spec.scale = OKRA_SCALE_AUTO, spec.sigma = OKRA_SIGMA_AUTO;
    okra_filter *model = make_model(&spec);
    size_t check = 0;
    for (size_t t = 1; t <= 600; t++) {
        real yhat;
        assert_ok(model_step(model, b.U + 2 * (t - 1), b.Y + t - 1, 1, &yhat));
        if (t < 16)
            assert_true(yhat == yhat);
        if (check == COUNT_OF(checks) || t != checks[check])
            continue;
        check++;
        real mean[3], deviation[3], theta[37], wanted[37];
        assert_ok(okra_array_read(model, "scale.mean", mean));
        assert_ok(okra_array_read(model, "scale.deviation", deviation));
        assert_ok(okra_array_read(model, "theta", theta));
        okra_spec inner = without_stream(&spec, 2);
        inner.sigma = width_of(model);
        assert_true(inner.sigma > 1 && inner.sigma < 3); /* two standard normals are sqrt(2 ln 4) = 1.67 apart in the
                                                            median */
        okra_filter *filter = make_filter(&inner);
        for (size_t i = 0; i < t; i++) {
            real x[2], y;
            for (size_t c = 0; c < 2; c++)
                x[c] = (b.U[2 * i + c] - mean[c]) / deviation[c];
            y = (b.Y[i] - mean[2]) / deviation[2];
            assert_ok(step(filter, x, &y, NULL));
        }
        assert_ok(okra_array_read(filter, "theta", wanted));
        assert_memory_equal(theta, wanted, sizeof theta);
        okra_free(filter);
        /* the estimate itself: mean 1000 and deviation 40, to 5 standard errors of that many rows */
        double rows = t <= 16 ? 16 : t <= 255 ? 64 : t <= 511 ? 256 : 512;
        assert_near(mean[0], 1000, 5 * 40 / sqrt(rows));
        assert_near(deviation[0], 40, 5 * 40 / sqrt(2 * rows));
    }
    assert_int_equal(check, COUNT_OF(checks));
    free_bed(&b);
    okra_free(model);
}

static void cold_start_is_the_mean(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("rls", 1, 1);
    spec.scale = OKRA_SCALE_AUTO;
    okra_filter *model = make_model(&spec);
    bed b = make_bed(1, 1);
    double sum = 0;
    for (size_t t = 0; t < 16; t++) {
        real yhat;
        assert_ok(model_step(model, b.U + t, b.Y + t, 1, &yhat));
        assert_near(yhat, t ? sum / (double)t : 0, 16 * REAL_EPS);
        sum += (double)b.Y[t];
    }
    free_bed(&b);
    okra_free(model);
}

/* What is only predicted teaches nothing, not even the mean; and without its input a row has no prediction. */
static void a_cold_model_learns_from_no_question(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("rls", 1, 1);
    spec.scale = OKRA_SCALE_AUTO;
    okra_filter *model = make_model(&spec);
    real one = 1, three = 3, thousand = 1000, none = (real)NAN, yhat;
    void *scratch = malloc(okra_scratch_size(model));
    assert_ok(model_step(model, &one, &one, 1, &yhat));
    assert_ok(model_step(model, &one, &three, 1, &yhat));
    for (int i = 0; i < 3; i++) {
        assert_ok(model_predict(model, &one, &thousand, &yhat, NULL));
        assert_near(yhat, 2, 0);
    }
    assert_ok(model_predict(model, &none, &thousand, &yhat, NULL));
    assert_true(isnan(yhat));
    assert_ok(model_ask(model, scratch, 1, &none, &yhat, NULL));
    assert_true(isnan(yhat));
    assert_ok(model_step(model, &none, &three, 1, &yhat));
    assert_true(isnan(yhat));
    free(scratch);
    okra_free(model);
}

/* A new model may be asked for longer than its warm-up lasts: it goes on knowing nothing, whatever targets it is shown,
 * and once it is taught it warms up as ever. There is room for one warm-up, which the sanitizers watch. */
static void a_cold_model_may_be_asked_for_long(void **state)
{
    (void)state;
    enum { ASKED = 3000, TAUGHT = 200 };
    okra_spec spec = make_model_spec("rls", 1, 1);
    spec.scale = OKRA_SCALE_AUTO, spec.warmup = 100;
    okra_filter *model = make_model(&spec);
    for (size_t t = 0; t < ASKED; t++) {
        real u = (real)t, y = 1000, yhat;
        assert_ok(model_predict(model, &u, &y, &yhat, NULL));
        assert_true(yhat == 0);
    }
    for (size_t t = 0; t < TAUGHT; t++) {
        real u = (real)(t % 10), y = 3 * u + 1, yhat;
        assert_ok(model_step(model, &u, &y, 1, &yhat));
        if (t >= 100)
            assert_near(yhat, y, 1e-2);
    }
    okra_free(model);
}

/* The counter of a model, by name. */
static uint64_t counter_of(const okra_filter *model, const char *name)
{
    okra_counter counter;
    for (size_t i = 0; okra_counter_at(model, i, &counter) == OKRA_OK; i++)
        if (strcmp(counter.name, name) == 0)
            return counter.value;
    fail_msg("no counter %s", name);
    return 0;
}

/* Where the row that ends it is predicted only, nothing is estimated: the next warm-up does it, and until then a
 * prediction is the mean of its own rows. */
static void a_warm_up_without_an_estimate_begins_anew(void **state)
{
    (void)state;
    enum { WARMUP = 20 };
    okra_spec spec = make_model_spec("rff-krls", 1, 1);
    spec.sigma = OKRA_SIGMA_AUTO, spec.warmup = WARMUP;
    okra_filter *model = make_model(&spec);
    bed b = make_bed(1, 1);
    real yhat;
    for (size_t t = 0; t < WARMUP; t++)
        assert_ok(model_predict(model, b.U + t, b.Y + t, &yhat, NULL));
    assert_true(width_of(model) == OKRA_SIGMA_AUTO);
    real sum = 0;
    for (size_t t = WARMUP; t < WARMUP + 16; t++) {
        assert_ok(model_step(model, b.U + t, b.Y + t, 1, &yhat));
        assert_true(yhat == (t > WARMUP ? sum / (real)(t - WARMUP) : 0));
        sum += b.Y[t];
    }
    assert_true(width_of(model) > 0);
    assert_int_equal(counter_of(model, "learnt"), 16);
    free_bed(&b);
    okra_free(model);
}

/* A model put together from its state may have passed its warm-up without an estimate. The next row that is given a
 * weight, be it 0, begins another; one that is only predicted does not, and no row before it counts. */
static void a_weighted_row_begins_the_warm_up(void **state)
{
    (void)state;
    static const real weights[] = {0, (real)0.5, 1};
    for (size_t i = 0; i < COUNT_OF(weights); i++) {
        okra_spec spec = make_model_spec("rls", 1, 1);
        spec.scale = OKRA_SCALE_AUTO, spec.warmup = 20;
        okra_filter *model = make_model(&spec);
        real u = 1, y = 2;
        assert_ok(okra_counter_write(model, "rows", 100));
        assert_ok(model_step(model, &u, &y, weights[i], NULL));
        assert_int_equal(counter_of(model, "since"), 100);
        okra_free(model);
    }
}

/* The row that a model notices a change of scale at, everything being a thousand times larger from row 1200 on; 0 if
 * it does not. */
static uint64_t notices_at(real weight)
{
    enum { CHANGE = 1200, LAST = 2000 };
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "auto", 2, 1));
    spec.precision = OKRA_PRECISION, spec.features = 8, spec.warmup = 64;
    okra_filter *model = make_model(&spec);
    real *U = make_normals(1, 2 * LAST), *Y = make_normals(2, LAST);
    uint64_t since = 0;
    for (size_t t = 0; t < LAST; t++) {
        real size = t < CHANGE ? 1 : 1000, u[] = {size * U[2 * t], size * U[2 * t + 1]}, y = size * Y[t];
        assert_ok(model_step(model, u, &y, weight, NULL));
        since = counter_of(model, "regime");
        assert_true(since == 0 || since > CHANGE - 512); /* the last 512 samples may be on the new scale */
    }
    free(U), free(Y);
    okra_free(model);
    return since;
}

/* Scale is about the values of a row, not about what it is worth to the filter; but rows of no weight are not learnt.
 */
static void weights_do_not_hide_a_change_of_scale(void **state)
{
    (void)state;
    uint64_t wanted = notices_at(1);
    assert_true(wanted > 0);
    assert_int_equal(notices_at((real)0.5), wanted);
    assert_int_equal(notices_at(0), 0);
}

/* An estimate makes a new filter learn the old rows. Those that it refuses have been taken already: they are passed
 * over, and the model is where it was. */
static void what_a_replay_refuses_is_passed_over(void **state)
{
    (void)state;
    enum { CENTRES = 4 };
    for (size_t horizon = 1; horizon <= 3; horizon++) {
        okra_spec spec = make_model_spec("klms", 1, 1);
        spec.sigma = OKRA_SIGMA_AUTO, spec.horizon = horizon;
        spec.capacity = CENTRES, spec.when_full = OKRA_FULL_ERROR;
        okra_filter *model = make_model(&spec);
        bed b = make_bed(1, 1);
        okra_stats stats;
        for (size_t t = 0; t < 16; t++)
            assert_ok(model_step(model, b.U + t, b.Y + t, 1, NULL));
        assert_int_equal(counter_of(model, "rows"), 16);
        assert_ok(okra_get_stats(model, &stats));
        assert_int_equal(stats.centres, CENTRES);
        assert_status(model_step(model, b.U + 16, b.Y + 16, 1, NULL), OKRA_E_FULL);
        assert_int_equal(counter_of(model, "rows"), 16);
        free_bed(&b);
        okra_free(model);
    }
}

/* A label that the filter will not learn is refused with every row that it is due at, until that row is given up. */
static void skipping_gets_past_a_refused_label(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("lms", 1, 1);
    spec.mu = 10, spec.horizon = 2;
    okra_filter *model = make_model(&spec);
    real u = 1, y = 1, wild = REAL_MAX / 2;
    assert_ok(model_step(model, &u, &wild, 1, NULL));
    for (int again = 0; again < 2; again++)
        assert_status(model_step(model, &u, &y, 1, NULL), OKRA_E_DIVERGED);
    assert_ok(okra_skip(model));
    for (int t = 0; t < 5; t++)
        assert_ok(model_step(model, &u, &y, 1, NULL));
    assert_int_equal(counter_of(model, "learnt"), 4);
    okra_free(model);
}

/* What the members said of the row is taken back with it: they are judged later by what they said of rows that were
 * taken. */
static void a_refused_label_leaves_no_trace_in_an_ensemble(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("auto", 2, 1);
    spec.sigma = 2, spec.features = 8, spec.horizon = 3, spec.loss = OKRA_LOSS_SQUARE; /* which refuses no target less
                                                                                        */
    okra_filter *model = make_model(&spec);
    bed b = make_bed(2, 1);
    for (size_t t = 0; t < 40; t++) /* from one to the next is more than the format holds: no outliers */
        b.Y[t] = t % 2 ? -REAL_MAX : REAL_MAX;
    size_t first = 0;
    uint64_t before = fingerprint(model);
    while (first < 40 && model_step(model, b.U + 2 * first, b.Y + first, 1, NULL) == OKRA_OK) {
        first++;
        before = fingerprint(model);
    }
    assert_true(first > 16 && first < 30); /* there are members from the 16th sample on */
    for (size_t t = first; t < first + 3; t++) {
        assert_int_not_equal(model_step(model, b.U + 2 * t, b.Y + t, 1, NULL), OKRA_OK);
        assert_true(fingerprint(model) == before);
    }
    free_bed(&b);
    okra_free(model);
}

/* A mean is finite where its targets are, even where their sum is not. */
static void cold_means_do_not_overflow(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("nlms", 1, 1);
    spec.scale = OKRA_SCALE_AUTO;
    okra_filter *model = make_model(&spec);
    real u = 1, y = REAL_MAX, yhat;
    for (int t = 0; t < 3; t++)
        assert_ok(model_step(model, &u, &y, 1, &yhat));
    assert_near(yhat / REAL_MAX, 1, 4 * REAL_EPS);
    okra_free(model);
}

/* Constants have no scale, and no distance to take a width from. */
static void constants_warm_up_too(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("rff-krls", 1, 1);
    spec.scale = OKRA_SCALE_AUTO, spec.sigma = OKRA_SIGMA_AUTO;
    okra_filter *model = make_model(&spec);
    for (size_t t = 0; t < 600; t++) {
        real u = 3, y = 7, yhat;
        assert_ok(model_step(model, &u, &y, 1, &yhat));
        if (t > 16)
            assert_near(yhat, 7, 1e-3);
    }
    okra_free(model);
}

/* ---- state -------------------------------------------------------------------------------------------------- */

static okra_filter *twin_of(const okra_filter *from, const okra_spec *spec)
{
    okra_filter *to = make_model(spec);
    okra_counter counter;
    okra_array array;
    for (size_t i = 0; okra_counter_at(from, i, &counter) == OKRA_OK; i++)
        assert_ok(okra_counter_write(to, counter.name, counter.value));
    for (size_t i = 0; okra_array_at(from, i, &array) == OKRA_OK; i++) {
        real *copy = malloc((array.rows * array.cols + 1) * sizeof *copy);
        assert_ok(okra_array_read(from, array.name, copy));
        assert_ok(okra_array_write(to, array.name, copy));
        free(copy);
    }
    return to;
}

/* A twin made from counters and arrays goes on with the same bits, from any row, for every recipe. */
static void state_can_be_carried_over(void **state)
{
    (void)state;
    static const size_t places[] = {0, 1, 10, 16, 40, 300, 513};
    bed b = make_bed(1, 1);
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (int automatic = 0; automatic < 2; automatic++)
            for (size_t k = 0; k < COUNT_OF(places); k++) {
                okra_spec spec = make_model_spec(okra_recipe_at(r)->name, 1, 1);
                spec.lags = 3, spec.target_lags = 2, spec.horizon = 3;
                if (automatic) {
                    spec.scale = OKRA_SCALE_AUTO;
                    spec.sigma = spec.sigma > 0 ? OKRA_SIGMA_AUTO : 0;
                }
                okra_filter *model = make_model(&spec), *twin;
                real yhat[2];
                for (size_t t = 0; t < places[k]; t++)
                    assert_ok(model_step(model, b.U + t, b.Y + t, 1, yhat));
                twin = twin_of(model, &spec);
                for (size_t t = places[k]; t < ROWS; t++) {
                    assert_ok(model_step(model, b.U + t, b.Y + t, 1, &yhat[0]));
                    assert_ok(model_step(twin, b.U + t, b.Y + t, 1, &yhat[1]));
                    assert_memory_equal(&yhat[0], &yhat[1], sizeof yhat[0]);
                }
                okra_free(model), okra_free(twin);
            }
    free_bed(&b);
}

static void reset_equals_fresh(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("rff-krls", 1, 1);
    spec.scale = OKRA_SCALE_AUTO, spec.sigma = OKRA_SIGMA_AUTO, spec.lags = 2;
    okra_filter *used = make_model(&spec), *fresh = make_model(&spec);
    bed b = make_bed(1, 1);
    real yhat[2];
    for (size_t t = 0; t < 300; t++)
        assert_ok(model_step(used, b.Y + t, b.U + t, 1, yhat));
    assert_ok(okra_reset(used));
    for (size_t t = 0; t < ROWS; t++) {
        assert_ok(model_step(used, b.U + t, b.Y + t, 1, &yhat[0]));
        assert_ok(model_step(fresh, b.U + t, b.Y + t, 1, &yhat[1]));
        assert_memory_equal(&yhat[0], &yhat[1], sizeof yhat[0]);
    }
    free_bed(&b);
    okra_free(used), okra_free(fresh);
}

/* ---- refusals ----------------------------------------------------------------------------------------------- */

static void bad_rows_leave_no_trace(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("rff-krls", 1, 1);
    spec.lags = 2, spec.target_lags = 1;
    okra_filter *model = make_model(&spec), *witness = make_model(&spec);
    bed b = make_bed(1, 1);
    real yhat[2], infinite = (real)INFINITY, variance;
    for (size_t t = 0; t < 100; t++) {
        assert_status(model_step(model, &infinite, b.Y + t, 1, yhat), OKRA_E_SAMPLE);
        assert_status(model_step(model, b.U + t, &infinite, 1, yhat), OKRA_E_SAMPLE);
        assert_status(model_step(model, b.U + t, b.Y + t, -1, yhat), OKRA_E_SAMPLE);
        assert_status(model_step(model, b.U + t, b.Y + t, (real)NAN, yhat), OKRA_E_SAMPLE);
        assert_status(model_step(model, NULL, b.Y + t, 1, yhat), OKRA_E_NULL);
        assert_ok(model_step(model, b.U + t, b.Y + t, 1, &yhat[0]));
        assert_ok(model_step(witness, b.U + t, b.Y + t, 1, &yhat[1]));
        assert_memory_equal(&yhat[0], &yhat[1], sizeof yhat[0]);
    }
    okra_free(model), okra_free(witness);
    spec = make_model_spec("lms", 1, 1);
    model = make_model(&spec);
    assert_status(OKRA_PUBLIC(okra_step)(model, b.U, b.Y, 1, yhat, &variance), OKRA_E_UNSUPPORTED);
    okra_free(model);
    free_bed(&b);
}

/* Of two alternatives, the one that comes true is what the step says; a witness that nobody asks goes the same way. */
static void ask_all_the_way(okra_spec spec, bool with_variance)
{
    okra_filter *model = make_model(&spec), *witness = make_model(&spec);
    bed b = make_bed(spec.inputs, 1);
    char *scratch = malloc(okra_scratch_size(model) + 1);
    for (size_t t = 0; t + 1 < ROWS; t++) {
        const real *u = b.U + t * spec.inputs; /* this row's inputs, and the next one's as the alternative */
        real asked[2], variance[2] = {0}, said, its_variance, witnessed;
        assert_ok(model_ask(model, scratch + 1, 2, u, asked, with_variance ? variance : NULL));
        if (with_variance)
            assert_ok(OKRA_PUBLIC(okra_step)(model, u, b.Y + t, 1, &said, &its_variance));
        else
            assert_ok(model_step(model, u, b.Y + t, 1, &said));
        assert_ok(model_step(witness, u, b.Y + t, 1, &witnessed));
        if (isnan(said)) {
            assert_true(isnan(asked[0]) && isnan(witnessed));
            continue;
        }
        assert_memory_equal(&asked[0], &said, sizeof said);
        assert_memory_equal(&witnessed, &said, sizeof said);
        if (with_variance)
            assert_memory_equal(&variance[0], &its_variance, sizeof said);
    }
    free(scratch), free_bed(&b);
    okra_free(model), okra_free(witness);
}

static void asking_foretells_and_changes_nothing(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("auto", 2, 1);
    spec.sigma = OKRA_SIGMA_AUTO, spec.scale = OKRA_SCALE_AUTO, spec.warmup = 100;
    ask_all_the_way(spec, true);
    spec.lags = 2, spec.horizon = 3;
    ask_all_the_way(spec, true);
    spec = make_model_spec("rff-krls", 1, 1);
    spec.lags = 3, spec.target_lags = 2;
    ask_all_the_way(spec, true);
    ask_all_the_way(make_model_spec("rff-klms", 2, 1), false);
    spec = make_model_spec("qklms", 0, 1);
    spec.target_lags = 4, spec.scale = OKRA_SCALE_AUTO;
    ask_all_the_way(spec, false);
}

static void bad_questions_are_refused(void **state)
{
    (void)state;
    okra_spec spec = make_model_spec("lms", 1, 1);
    spec.scale = OKRA_SCALE_AUTO; /* a bare filter has no missing values */
    okra_filter *model = make_model(&spec);
    void *scratch = malloc(okra_scratch_size(model));
    real u[3] = {1, (real)NAN, (real)INFINITY}, yhat[3] = {7, 7, 7}, variance[3];
    assert_status(model_ask(model, scratch, 3, u, yhat, NULL), OKRA_E_SAMPLE);
    assert_true(yhat[0] == 0 && isnan(yhat[1]) && yhat[2] == 7);
    assert_status(model_ask(model, scratch, 1, u, yhat, variance), OKRA_E_UNSUPPORTED);
    assert_status(model_ask(model, scratch, 1, NULL, yhat, NULL), OKRA_E_NULL);
    assert_status(model_ask(model, NULL, 1, u, yhat, NULL), OKRA_E_NULL);
    assert_status(model_ask(NULL, scratch, 1, u, yhat, NULL), OKRA_E_NULL);
    assert_int_equal(okra_scratch_size(NULL), 0);
    free(scratch);
    okra_free(model);
}

/* Widths of the inputs and an automatic sigma: the model of inputs divided by their widths, to rounding. Powers of two
 * divide without any. */
static void an_automatic_width_is_that_of_scaled_inputs(void **state)
{
    (void)state;
    static const double widths[] = {0.25, 8};
    bed b = make_bed(2, 1), c = make_bed(2, 1);
    okra_spec spec = make_model_spec("rff-krls", 2, 1);
    spec.sigma = OKRA_SIGMA_AUTO;
    okra_filter *plain = make_model(&spec);
    memcpy(spec.widths, widths, sizeof widths);
    okra_filter *model = make_model(&spec);
    for (size_t t = 0; t < 600; t++) {
        real got, wanted;
        for (size_t j = 0; j < 2; j++)
            c.U[2 * t + j] = b.U[2 * t + j] / (real)widths[j];
        assert_ok(model_step(model, b.U + 2 * t, b.Y + t, 1, &got));
        assert_ok(model_step(plain, c.U + 2 * t, c.Y + t, 1, &wanted));
        assert_near(got, wanted, 0);
    }
    assert_near(width_of(model), width_of(plain), 0);
    okra_free(model), okra_free(plain);
    free_bed(&b), free_bed(&c);
}

static void bad_specs_are_refused(void **state)
{
    (void)state;
    okra_spec good = make_model_spec("rff-klms", 1, 1);
    okra_spec bad[6];
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        bad[i] = good;
    bad[0].lags = 0, bad[1].horizon = 0, bad[2].warmup = 1, bad[3].inputs = 0, bad[4].scale = 7;
    bad[5].horizon = (size_t)1 << 40;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        okra_filter *model = (okra_filter *)1;
        okra_message why = {""};
        assert_status(okra_spec_check(&bad[i], &why), OKRA_E_PARAMETER);
        assert_true(strlen(why.text) > 10);
        assert_status(okra_create(&bad[i], &model), OKRA_E_PARAMETER);
        assert_null(model);
    }
    okra_message why = {""};
    good.sigma = OKRA_SIGMA_AUTO; /* one automatic width, and no other beside it */
    assert_ok(okra_spec_check(&good, &why));
    good.sigma_more[0] = 2;
    assert_status(okra_spec_check(&good, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "sigma_more"));
    assert_status(okra_spec_init(&good, "none", 1, 1), OKRA_E_RECIPE);
    assert_status(okra_create(NULL, NULL), OKRA_E_NULL);
    okra_free(NULL);
}

#if OKRA_PRECISION == 64
/* A filter that is given what a model embeds learns what the model's own does. */
static void embedded_rows_teach_a_filter(void **state)
{
    (void)state;
    enum { LAGS = 3, TARGET_LAGS = 2, DIMENSION = 2 * LAGS + TARGET_LAGS };
    okra_spec spec = make_model_spec("rff-krls", 2, 1);
    spec.lags = LAGS, spec.target_lags = TARGET_LAGS;
    okra_spec inner = without_stream(&spec, DIMENSION);
    okra_filter *model = make_model(&spec), *embedder = make_model(&spec);
    okra_filter *filter = make_filter(&inner);
    bed b = make_bed(2, 1);
    for (size_t t = 0; t < ROWS; t++) {
        real x[DIMENSION], target, got, wanted;
        b.U[2 * t] = t == 100 ? (real)NAN : b.U[2 * t];
        assert_ok(model_step(model, b.U + 2 * t, b.Y + t, 1, &wanted));
        assert_ok(okra_embed(embedder, b.U + 2 * t, b.Y + t, x, &target));
        okra_status status = step(filter, x, &target, &got);
        assert_int_equal(status == OKRA_OK, !isnan(wanted));
        assert_true(status || (got >= wanted && got <= wanted));
    }
    free_bed(&b);
    b = make_bed(2, 1);
    spec.scale = OKRA_SCALE_AUTO;
    spec.warmup = 40; /* with an estimate after row 16 that is not the last */
    okra_filter *cold = make_model(&spec);
    real x[DIMENSION], target;
    for (size_t t = 0; t < spec.warmup; t++) {
        assert_status(okra_embed(cold, b.U + 2 * t, b.Y + t, x, &target), OKRA_E_UNSUPPORTED);
        assert_ok(model_step(cold, b.U + 2 * t, b.Y + t, 1, NULL));
    }
    assert_ok(okra_embed(cold, b.U + 2 * spec.warmup, b.Y + spec.warmup, x, &target));
    for (size_t j = 0; j < DIMENSION; j++)
        assert_true(isfinite(x[j])); /* no row was taken where it was refused, and none is missing */
    free_bed(&b);
    okra_free(filter);
    okra_free(model), okra_free(embedder), okra_free(cold);
}
#endif

/* Rows that are passed over may end a warm-up too: without one to learn there is no estimate, and another begins. */
static void a_warm_up_that_is_skipped_begins_anew(void **state)
{
    (void)state;
    enum { WARMUP = 20 };
    for (size_t skipped = 1; skipped <= 3 * WARMUP; skipped += WARMUP / 4) {
        okra_spec spec = make_model_spec("rff-krls", 1, 1);
        spec.sigma = OKRA_SIGMA_AUTO, spec.warmup = WARMUP;
        okra_filter *model = make_model(&spec);
        bed b = make_bed(1, 1);
        real yhat;
        for (size_t t = 0; t < skipped; t++)
            assert_ok(okra_skip(model));
        assert_int_equal(counter_of(model, "rows"), skipped);
        assert_int_equal(counter_of(model, "since"), skipped / WARMUP * WARMUP);
        for (size_t t = 0; t < WARMUP; t++)
            assert_ok(model_step(model, b.U + t, b.Y + t, 1, &yhat));
        assert_true(width_of(model) > 0);
        free_bed(&b);
        okra_free(model);
    }
}

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warm_up_that_is_skipped_begins_anew),
#if OKRA_PRECISION == 64
        cmocka_unit_test(embedded_rows_teach_a_filter),
#endif
        cmocka_unit_test(plain_model_is_its_filter),
        cmocka_unit_test(lags_and_horizons),
        cmocka_unit_test(gaps_and_missing_targets),
        cmocka_unit_test(predicting_learns_nothing),
        cmocka_unit_test(predicting_estimates_nothing),
        cmocka_unit_test(nothing_uses_the_future),
        cmocka_unit_test(estimates_replay_what_was_seen),
        cmocka_unit_test(cold_start_is_the_mean),
        cmocka_unit_test(a_cold_model_learns_from_no_question),
        cmocka_unit_test(a_cold_model_may_be_asked_for_long),
        cmocka_unit_test(a_warm_up_without_an_estimate_begins_anew),
        cmocka_unit_test(a_weighted_row_begins_the_warm_up),
        cmocka_unit_test(weights_do_not_hide_a_change_of_scale),
        cmocka_unit_test(what_a_replay_refuses_is_passed_over),
        cmocka_unit_test(skipping_gets_past_a_refused_label),
        cmocka_unit_test(a_refused_label_leaves_no_trace_in_an_ensemble),
        cmocka_unit_test(cold_means_do_not_overflow),
        cmocka_unit_test(constants_warm_up_too),
        cmocka_unit_test(state_can_be_carried_over),
        cmocka_unit_test(reset_equals_fresh),
        cmocka_unit_test(bad_rows_leave_no_trace),
        cmocka_unit_test(asking_foretells_and_changes_nothing),
        cmocka_unit_test(bad_questions_are_refused),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(an_automatic_width_is_that_of_scaled_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
