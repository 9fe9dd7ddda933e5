/* The one handle: blocks, twins, memory of the caller, freezing, restarting, doubles for float32, missing values.
 */
#include "typed.h"

enum { ROWS = 260, INPUTS = 2 };

#define step_row    OKRA_PUBLIC(okra_step)
#define run_rows    OKRA_PUBLIC(okra_run)
#define predict_row OKRA_PUBLIC(okra_predict)
#define begin_row   OKRA_PUBLIC(okra_begin)
#define commit_row  OKRA_PUBLIC(okra_commit)

static real *U, *Y;

static int make_rows(void **state)
{
    (void)state;
    U = make_normals(11, ROWS * INPUTS), Y = make_normals(12, ROWS);
    for (size_t t = 0; t < ROWS; t++)
        Y[t] = U[INPUTS * t] - U[INPUTS * t + 1] * U[INPUTS * t + 1] + Y[t] / 10;
    return 0;
}

static int free_rows(void **state)
{
    (void)state;
    free(U), free(Y);
    return 0;
}

/* ---- shapes ------------------------------------------------------------------------------------------------- */

enum { BARE, LAGS, LATE, SCALED, ALL, FOUND, SHAPES };

/* Whether the recipe can find a width for each input. */
static bool finds_widths(const okra_recipe *recipe)
{
    for (size_t i = 0; i < recipe->n_params; i++)
        if (strcmp(recipe->params[i].param->name, "widths") == 0)
            return true;
    return false;
}

static okra_spec spec_of(const char *recipe, int shape)
{
    okra_spec spec = make_spec(recipe, INPUTS, 1);
    spec.warmup = 100;
    if (shape == FOUND)
        spec.widths[0] = finds_widths(okra_recipe_find(recipe)) ? OKRA_WIDTHS_AUTO : 0;
    if (shape == LAGS || shape == ALL)
        spec.lags = 3, spec.lag_from = 1, spec.target_lags = 2;
    if (shape == LATE || shape == ALL)
        spec.horizon = 3;
    if (shape == SCALED || shape == ALL) {
        spec.scale = OKRA_SCALE_AUTO;
        spec.sigma = spec.sigma > 0 ? OKRA_SIGMA_AUTO : spec.sigma;
    }
    return spec;
}

static bool warms_up(const okra_spec *spec)
{
    return spec->scale == OKRA_SCALE_AUTO || spec->widths[0] == OKRA_WIDTHS_AUTO;
}

static void for_every_shape(void (*promise)(const okra_spec *spec))
{
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (int shape = 0; shape < SHAPES; shape++) {
            okra_spec spec = spec_of(okra_recipe_at(r)->name, shape);
            promise(&spec);
        }
}

/* Rows from..to, each one a step. */
static void take(okra_filter *filter, size_t from, size_t to, real *yhat)
{
    for (size_t t = from; t < to; t++)
        assert_ok(step_row(filter, U + t * INPUTS, Y + t, 1, yhat ? yhat + t : NULL, NULL));
}

static okra_filter *taught(const okra_spec *spec, size_t rows)
{
    okra_filter *filter = make_filter(spec);
    take(filter, 0, rows, NULL);
    return filter;
}

static okra_stats stats_of(const okra_filter *filter)
{
    okra_stats stats;
    assert_ok(okra_get_stats(filter, &stats));
    return stats;
}

/* ---- promises ----------------------------------------------------------------------------------------------- */

/* In blocks of any size, with variances where there are any. */
static void a_block_is_its_steps(const okra_spec *spec)
{
    bool knows = okra_recipe_find(spec->recipe)->variance;
    okra_filter *steps = make_filter(spec), *blocks = make_filter(spec);
    real said[2][ROWS], spread[2][ROWS] = {{0}}, weights[ROWS];
    for (size_t t = 0; t < ROWS; t++)
        weights[t] = (real)(t % 3) / 2;
    for (size_t t = 0; t < ROWS; t++)
        assert_ok(step_row(steps, U + t * INPUTS, Y + t, weights[t], said[0] + t, knows ? spread[0] + t : NULL));
    for (size_t t = 0, n; t < ROWS; t += n) {
        size_t done;
        n = t % 17 + 1 < ROWS - t ? t % 17 + 1 : ROWS - t;
        assert_ok(
            run_rows(blocks, n, U + t * INPUTS, Y + t, weights + t, said[1] + t, knows ? spread[1] + t : NULL, &done));
        assert_int_equal(done, n);
    }
    assert_memory_equal(said[0], said[1], sizeof said[0]);
    assert_memory_equal(spread[0], spread[1], sizeof spread[0]);
    assert_true(fingerprint(steps) == fingerprint(blocks));
    okra_free(steps), okra_free(blocks);
}

/* Weights that are known only from the error: a step, told them, is its two halves. */
static void two_halves_are_a_step(const okra_spec *spec)
{
    bool knows = okra_recipe_find(spec->recipe)->variance;
    okra_filter *steps = make_filter(spec), *halves = make_filter(spec);
    void *scratch = malloc(okra_scratch_size(halves));
    for (size_t t = 0; t < ROWS; t++) {
        real said[3], spread[3] = {0};
        const real *u = U + t * INPUTS, *y = t % 7 == 3 ? NULL : Y + t;
        if (t % 5 == 1) /* replaced by the next */
            assert_ok(begin_row(halves, U, said, NULL));
        assert_ok(begin_row(halves, u, said, knows ? spread : NULL));
        assert_ok(predict_row(halves, scratch, 1, u, said + 1, knows ? spread + 1 : NULL));
        real weight = isnan(said[0]) ? 1 : 1 / (1 + real_abs(Y[t] - said[0]));
        assert_status(commit_row(halves, y, -1), OKRA_E_SAMPLE);
        assert_ok(commit_row(halves, y, weight));
        assert_ok(step_row(steps, u, y, weight, said + 2, knows ? spread + 2 : NULL));
        for (int k = 0; k < 2; k++) {
            assert_memory_equal(said + k, said + 2, sizeof *said);
            assert_memory_equal(spread + k, spread + 2, sizeof *spread);
        }
        assert_true(t % 10 || fingerprint(steps) == fingerprint(halves));
    }
    assert_int_equal(stats_of(halves).rows, ROWS);
    free(scratch);
    okra_free(steps), okra_free(halves);
}

/* A row that was begun: what drops it, what does not, and a twin's is its own. */
static void a_row_is_begun_once(const okra_spec *spec)
{
    okra_filter *filter = taught(spec, 150), *twin;
    const real *u = U + 150 * INPUTS, *y = Y + 150;
    assert_status(commit_row(filter, y, 1), OKRA_E_ORDER);
    assert_ok(begin_row(filter, u, NULL, NULL));
    assert_ok(okra_clone(filter, &twin));
    assert_ok(okra_freeze(filter, true));
    assert_ok(okra_freeze(filter, false));
    assert_ok(commit_row(filter, y, 1));
    assert_status(commit_row(filter, y, 1), OKRA_E_ORDER);
    assert_ok(commit_row(twin, y, 1));
    assert_true(fingerprint(filter) == fingerprint(twin));
    for (int k = 0; k < 5; k++) {
        okra_stats before = stats_of(filter);
        assert_ok(begin_row(filter, u, NULL, NULL));
        assert_int_equal(stats_of(filter).rows, before.rows);
        if (k == 0)
            assert_ok(okra_skip(filter));
        else if (k == 1)
            assert_ok(okra_counter_write(filter, "learnt", before.learnt));
        else if (k == 2)
            take(filter, 151, 152, NULL);
        else
            assert_ok(k == 3 ? okra_restart(filter) : okra_reset(filter));
        assert_status(commit_row(filter, y, 1), OKRA_E_ORDER);
    }
    const real infinite = (real)INFINITY, bad[INPUTS] = {infinite, infinite};
    assert_ok(begin_row(twin, u, NULL, NULL));
    assert_status(begin_row(twin, bad, NULL, NULL), OKRA_E_SAMPLE);
    assert_status(commit_row(twin, y, 1), OKRA_E_ORDER);
    assert_ok(begin_row(twin, u, NULL, NULL));
    assert_status(commit_row(twin, &infinite, 1), OKRA_E_SAMPLE);
    assert_ok(okra_freeze(twin, true)); /* what is not learnt is not taken unseen either */
    assert_status(commit_row(twin, &infinite, 1), OKRA_E_SAMPLE);
    uint64_t learnt = stats_of(twin).learnt;
    assert_ok(commit_row(twin, y, 1));
    assert_int_equal(stats_of(twin).learnt, learnt);
    okra_free(filter), okra_free(twin);
}

/* .. and neither moves the other. */
static void a_clone_goes_on_alike(const okra_spec *spec)
{
    static const size_t places[] = {0, 20, 150};
    for (size_t k = 0; k < COUNT_OF(places); k++) {
        okra_filter *filter = taught(spec, places[k]), *twin;
        real said[2][ROWS];
        assert_ok(okra_clone(filter, &twin));
        uint64_t before = fingerprint(twin);
        assert_true(before == fingerprint(filter));
        take(filter, places[k], ROWS, said[0]);
        assert_true(before == fingerprint(twin));
        okra_reset(filter);
        take(twin, places[k], ROWS, said[1]);
        assert_memory_equal(said[0] + places[k], said[1] + places[k], (ROWS - places[k]) * sizeof(real));
        okra_free(filter), okra_free(twin);
    }
}

static void memory_may_be_the_callers(const okra_spec *spec)
{
    size_t bytes = okra_size(spec);
    unsigned char *memory = malloc(bytes + 1);
    okra_filter *filter, *usual = taught(spec, ROWS);
    assert_true(bytes > 0);
    memset(memory, 0xa5, bytes + 1);
    assert_status(okra_init(memory + 1, stats_of(usual).bytes - 1, spec, &filter), OKRA_E_BUFFER);
    assert_null(filter);
    assert_ok(okra_init(memory + 1, bytes, spec, &filter));
    take(filter, 0, ROWS, NULL);
    assert_true(fingerprint(filter) == fingerprint(usual));
    okra_free(filter); /* which is the caller's to free */
    okra_free(usual);
    free(memory);
}

/* A frozen filter predicts what it would, and what it has learnt stays: its arrays but for the past. */
static void frozen_learns_nothing(const okra_spec *spec)
{
    okra_filter *filter = taught(spec, 200);
    okra_array array;
    real first, second, before[2000] = {0}, after[2000] = {0};
    const char *learnt = NULL;
    for (size_t i = 0; !okra_array_at(filter, i, &array); i++)
        if (strcmp(array.name, "theta") == 0 || strcmp(array.name, "alpha") == 0 || strcmp(array.name, "0.theta") == 0)
            learnt = array.name;
    if (learnt)
        assert_ok(okra_array_read(filter, learnt, before));
    okra_stats was = stats_of(filter);
    okra_filter *twin;
    assert_ok(okra_clone(filter, &twin));
    assert_ok(okra_freeze(filter, true));
    assert_ok(step_row(filter, U, Y, 1, &first, NULL));
    assert_ok(step_row(twin, U, Y, 1, &second, NULL));
    assert_memory_equal(&first, &second, sizeof first);
    take(filter, 1, 50, NULL);
    assert_int_equal(stats_of(filter).learnt, was.learnt);
    assert_int_equal(stats_of(filter).rows, was.rows + 50);
    if (learnt)
        assert_ok(okra_array_read(filter, learnt, after));
    assert_memory_equal(before, after, sizeof before);
    assert_ok(okra_freeze(filter, false));
    take(filter, 50, 60, NULL);
    assert_true(stats_of(filter).learnt > was.learnt);
    okra_free(filter), okra_free(twin);
}

/* As a new filter to which the last rows were shown while it was frozen. */
static void a_restart_keeps_the_lags(const okra_spec *spec)
{
    okra_filter *filter = taught(spec, 150), *witness = make_filter(spec);
    real said[2][ROWS];
    uint64_t learnt = stats_of(filter).learnt;
    assert_ok(okra_restart(filter));
    assert_int_equal(stats_of(filter).rows, 150);
    assert_true(stats_of(filter).learnt == learnt);
    if (!warms_up(spec)) {
        assert_ok(okra_freeze(witness, true));
        take(witness, 140, 150, NULL);
        assert_ok(okra_freeze(witness, false));
        take(filter, 150, ROWS, said[0]), take(witness, 150, ROWS, said[1]);
        assert_memory_equal(said[0] + 150, said[1] + 150, (ROWS - 150) * sizeof(real));
    } else {
        take(filter, 150, ROWS, said[0]);
        for (size_t t = 150; t < ROWS; t++)
            assert_true(said[0][t] == said[0][t]); /* a mean first, then predictions: no row lacks one */
        /* each row counts once, though the warm-up learns some again; labels that waited are given up */
        assert_in_range(stats_of(filter).learnt, learnt + ROWS - 150 - (spec->horizon - 1), learnt + ROWS - 150u);
    }
    okra_free(filter), okra_free(witness);
}

/* A target that is not there: predicted, time goes on, nothing is learnt. */
static void without_a_target_nothing_is_learnt(const okra_spec *spec)
{
    okra_filter *filter = taught(spec, 150), *twin;
    real said[2];
    uint64_t waiting = spec->horizon - 1;
    assert_ok(okra_clone(filter, &twin));
    okra_stats was = stats_of(filter);
    assert_ok(step_row(filter, U, NULL, 1, &said[0], NULL));
    assert_ok(step_row(twin, U, Y, 1, &said[1], NULL));
    assert_memory_equal(&said[0], &said[1], sizeof said[0]);
    assert_int_equal(stats_of(filter).rows, was.rows + 1u);
    assert_in_range(stats_of(filter).learnt, was.learnt, was.learnt + (uint64_t)(waiting > 0));
    okra_free(filter), okra_free(twin);
}

/* A bare filter refuses what is missing; any other has a row without a prediction. */
static void missing_values_are_for_streams(const okra_spec *spec)
{
    bool bare = spec->lags == 1 && spec->horizon == 1 && !warms_up(spec);
    okra_filter *filter = taught(spec, 150);
    uint64_t before = fingerprint(filter);
    real u[INPUTS] = {1, (real)NAN}, y = (real)NAN, yhat = 0, fine[INPUTS] = {1, 2};
    assert_status(step_row(filter, u, Y, 1, &yhat, NULL), bare ? OKRA_E_SAMPLE : OKRA_OK);
    assert_true(bare || spec->lag_from > 0 || isnan(yhat));
    assert_status(step_row(filter, fine, &y, 1, &yhat, NULL), bare ? OKRA_E_SAMPLE : OKRA_OK);
    assert_true((fingerprint(filter) == before) == bare);
    assert_ok(okra_freeze(filter, true));
    assert_status(step_row(filter, fine, &y, 1, &yhat, NULL), bare ? OKRA_E_SAMPLE : OKRA_OK);
    okra_free(filter);
}

#if OKRA_PRECISION == 32
/* Doubles are rounded on their way in, and that is all. */
static void doubles_suit_a_float32_filter(const okra_spec *spec)
{
    bool knows = okra_recipe_find(spec->recipe)->variance;
    okra_filter *narrow = make_filter(spec), *wide = make_filter(spec), *blocks = make_filter(spec);
    double V[ROWS * INPUTS], T[ROWS], said[ROWS] = {0}, spread[ROWS] = {0}, again[ROWS] = {0};
    for (size_t i = 0; i < ROWS * INPUTS; i++)
        V[i] = (double)U[i] * (1 + 1e-12);
    for (size_t t = 0; t < ROWS; t++) {
        float yhat = 0, variance = 0;
        T[t] = (double)Y[t] * (1 + 1e-12);
        assert_ok(okra_step_f32(narrow, U + t * INPUTS, Y + t, 0.5f, &yhat, knows ? &variance : NULL));
        if (t % 2) {
            assert_ok(okra_step(wide, V + t * INPUTS, T + t, 0.5, said + t, knows ? spread + t : NULL));
        } else {
            assert_ok(okra_begin(wide, V + t * INPUTS, said + t, knows ? spread + t : NULL));
            assert_ok(okra_commit(wide, T + t, 0.5));
        }
        assert_true((double)yhat == said[t] || (isnan(yhat) && isnan(said[t])));
        assert_true(!knows || (double)variance == spread[t] || isnan(variance));
    }
    double weights[ROWS];
    for (size_t t = 0; t < ROWS; t++)
        weights[t] = 0.5;
    size_t done;
    assert_ok(okra_run(blocks, ROWS, V, T, weights, again, NULL, &done));
    assert_int_equal(done, ROWS);
    assert_memory_equal(said, again, sizeof said);
    assert_true(fingerprint(narrow) == fingerprint(wide) && fingerprint(wide) == fingerprint(blocks));
    char *scratch = malloc(okra_scratch_size(wide) + 1);
    float asked[10];
    assert_ok(okra_predict_f32(narrow, scratch + 1, 10, U, asked, NULL));
    assert_ok(okra_predict(wide, scratch + 1, 10, V, again, knows ? spread : NULL));
    for (size_t i = 0; i < 10; i++)
        assert_true((double)asked[i] == again[i]);
    double huge[INPUTS] = {1e300, 0};
    assert_status(okra_step(wide, huge, T, 1, NULL, NULL), OKRA_E_SAMPLE);
    free(scratch);
    okra_free(narrow), okra_free(wide), okra_free(blocks);
}
#endif

/* A new warm-up begins with the rows that the lags still hold, each value for as long as it is held. */
static void a_restart_remembers_what_the_lags_hold(void **state)
{
    (void)state;
    enum { AT = 150, COLUMNS = INPUTS + 2, PAST = 5 }; /* 5 targets are held: the horizon's and the lags'; 4 inputs */
    okra_spec spec = spec_of("rff-krls", ALL);
    okra_filter *filter = taught(&spec, AT);
    real rows[PAST][COLUMNS];
    assert_ok(okra_restart(filter));
    okra_array array = {0};
    for (size_t i = 0; array.name == NULL || strcmp(array.name, "warmup") != 0; i++)
        assert_ok(okra_array_at(filter, i, &array));
    assert_true(array.rows == PAST && array.cols == COLUMNS);
    assert_ok(okra_array_read(filter, "warmup", rows));
    for (size_t i = 0; i < PAST; i++) {
        size_t t = AT - PAST + i;
        for (size_t c = 0; c < INPUTS; c++)
            assert_true(i == 0 ? isnan(rows[i][c]) : rows[i][c] == U[t * INPUTS + c]);
        assert_true(rows[i][INPUTS] == Y[t]);
        assert_true(rows[i][INPUTS + 1] == (i + 1 < PAST ? 1 : -1));
    }
    okra_free(filter);
}

/* What was found is state: an array that is there once there is something in it, and the spec stays as it was. */
static void a_width_that_was_found_is_an_array(void **state)
{
    (void)state;
    okra_spec spec = spec_of("rff-krls", SCALED), bare;
    okra_filter *filter = make_filter(&spec);
    real width;
    assert_status(okra_array_read(filter, "sigma", &width), OKRA_E_ARRAY);
    assert_ok(okra_bare_spec(filter, &bare));
    assert_true(bare.sigma == OKRA_SIGMA_AUTO && bare.inputs == INPUTS && bare.scale == OKRA_SCALE_NONE);
    take(filter, 0, 20, NULL);
    assert_ok(okra_array_read(filter, "sigma", &width));
    assert_ok(okra_bare_spec(filter, &bare));
    assert_true(width > 0 && bare.sigma == (double)width);
    assert_true(okra_get_spec(filter)->sigma == OKRA_SIGMA_AUTO);
    uint64_t before = fingerprint(filter);
    const real bad[] = {0, -1, (real)NAN, (real)INFINITY, (real)1e-31};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_status(okra_array_write(filter, "sigma", bad + i), OKRA_E_SAMPLE);
    assert_true(fingerprint(filter) == before);
    width = 3;
    assert_ok(okra_array_write(filter, "sigma", &width));
    assert_ok(okra_bare_spec(filter, &bare));
    assert_near(bare.sigma, 3, 0);
    assert_status(okra_bare_spec(NULL, &bare), OKRA_E_NULL);
    assert_status(okra_bare_spec(filter, NULL), OKRA_E_NULL);
    okra_free(filter);
}

/* The target depends on the second input. Its width is found to be the least, and a filter that is given the widths is
 * the same from the end of the warm-up on. */
static void widths_that_were_found_can_be_given(void **state)
{
    (void)state;
    enum { WARMUP = 200, LATER = 60 };
    okra_spec spec = spec_of("rff-krls", FOUND), bare;
    real *y = malloc((WARMUP + LATER) * sizeof *y), widths[INPUTS];
    double relevance[INPUTS];
    spec.warmup = WARMUP, spec.scale = OKRA_SCALE_AUTO;
    for (size_t t = 0; t < WARMUP + LATER; t++)
        y[t] = (real)sin(2 * (double)U[t * INPUTS + 1]);
    okra_filter *finder = make_filter(&spec);
    assert_status(okra_get_relevance(finder, relevance), OKRA_E_UNSUPPORTED);
    assert_status(okra_array_read(finder, "widths", widths), OKRA_E_ARRAY);
    assert_ok(okra_bare_spec(finder, &bare));
    assert_true(bare.widths[0] == OKRA_WIDTHS_AUTO);
    for (size_t t = 0; t < WARMUP; t++)
        assert_ok(step_row(finder, U + t * INPUTS, y + t, 1, NULL, NULL));
    assert_ok(okra_get_relevance(finder, relevance));
    assert_ok(okra_array_read(finder, "widths", widths));
    assert_ok(okra_bare_spec(finder, &bare));
    double sum = 0;
    for (size_t j = 0; j < INPUTS; j++) {
        spec.widths[j] = (double)widths[j];
        assert_true(bare.widths[j] == spec.widths[j]);
        assert_true(j == 1 || (widths[1] < widths[j] / 2 && relevance[1] > 4 * relevance[j]));
        sum += relevance[j];
    }
    assert_near(sum, 1, 1e-6);
    okra_filter *given = make_filter(&spec);
    for (size_t t = 0; t < WARMUP + LATER; t++) {
        real a = 0, b = 0;
        assert_ok(step_row(given, U + t * INPUTS, y + t, 1, &a, NULL));
        if (t < WARMUP)
            continue;
        assert_ok(step_row(finder, U + t * INPUTS, y + t, 1, &b, NULL));
        assert_true(a == b);
    }
    const real bad[INPUTS] = {1, -1};
    uint64_t before = fingerprint(finder);
    assert_status(okra_array_write(finder, "widths", bad), OKRA_E_SAMPLE);
    assert_status(okra_array_write(finder, "relevance", bad), OKRA_E_SAMPLE);
    assert_true(fingerprint(finder) == before);
    okra_free(given), okra_free(finder);
    free(y);
}

/* Without a scale, widths are in units of the inputs: those of inputs times four are four times as wide, to the bit. */
static void widths_are_in_units_of_the_inputs(void **state)
{
    (void)state;
    enum { WARMUP = 200 };
    okra_spec spec = spec_of("rff-krls", FOUND);
    real widths[2][INPUTS];
    spec.warmup = WARMUP;
    for (size_t k = 0; k < 2; k++) {
        okra_filter *filter = make_filter(&spec);
        for (size_t t = 0; t < WARMUP; t++) {
            real u[INPUTS], y = U[t * INPUTS + 1] * U[t * INPUTS + 1];
            for (size_t j = 0; j < INPUTS; j++)
                u[j] = (real)(k ? 4 : 1) * U[t * INPUTS + j];
            assert_ok(step_row(filter, u, &y, 1, NULL, NULL));
        }
        assert_ok(okra_array_read(filter, "widths", widths[k]));
        okra_free(filter);
    }
    for (size_t j = 0; j < INPUTS; j++)
        assert_true(widths[1][j] == 4 * widths[0][j]);
}

/* More inputs than a spec has room for. */
static void widths_are_found_for_so_many_inputs(void **state)
{
    (void)state;
    okra_message why;
    okra_spec spec = make_spec("rff-klms", OKRA_INPUT_WIDTHS_MAX, 1);
    spec.widths[0] = OKRA_WIDTHS_AUTO;
    assert_ok(okra_spec_check(&spec, &why));
    spec.inputs++;
    assert_status(okra_spec_check(&spec, &why), OKRA_E_PARAMETER);
    assert_non_null(strstr(why.text, "64 inputs, and there are 65"));
}

static void nothing_is_made_of_nothing(void **state)
{
    (void)state;
    assert_status(okra_restart(NULL), OKRA_E_NULL);
    assert_status(okra_freeze(NULL, true), OKRA_E_NULL);
    assert_status(okra_skip(NULL), OKRA_E_NULL);
    assert_status(okra_create_empty(NULL, NULL), OKRA_E_NULL);
}

/* A skipped row of a bare filter is a row. */
static void a_skip_is_a_row(void **state)
{
    (void)state;
    okra_spec spec = spec_of("lms", BARE);
    okra_filter *filter = taught(&spec, 10);
    assert_ok(okra_skip(filter));
    assert_int_equal(stats_of(filter).rows, 11);
    assert_int_equal(stats_of(filter).learnt, 10);
    okra_free(filter);
}

#define PROMISE(name)                     \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        for_every_shape(name);            \
    }
PROMISE(a_block_is_its_steps)
PROMISE(two_halves_are_a_step)
PROMISE(a_row_is_begun_once)
PROMISE(a_clone_goes_on_alike)
PROMISE(memory_may_be_the_callers)
PROMISE(frozen_learns_nothing)
PROMISE(a_restart_keeps_the_lags)
PROMISE(without_a_target_nothing_is_learnt)
PROMISE(missing_values_are_for_streams)
#if OKRA_PRECISION == 32
PROMISE(doubles_suit_a_float32_filter)
#endif

int main(void)
{
    SKIP_WITHOUT_ISA();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_is_its_steps),
        cmocka_unit_test(test_two_halves_are_a_step),
        cmocka_unit_test(test_a_row_is_begun_once),
        cmocka_unit_test(test_a_clone_goes_on_alike),
        cmocka_unit_test(test_memory_may_be_the_callers),
        cmocka_unit_test(test_frozen_learns_nothing),
        cmocka_unit_test(test_a_restart_keeps_the_lags),
        cmocka_unit_test(test_without_a_target_nothing_is_learnt),
        cmocka_unit_test(test_missing_values_are_for_streams),
#if OKRA_PRECISION == 32
        cmocka_unit_test(test_doubles_suit_a_float32_filter),
#endif
        cmocka_unit_test(a_restart_remembers_what_the_lags_hold),
        cmocka_unit_test(widths_that_were_found_can_be_given),
        cmocka_unit_test(widths_are_in_units_of_the_inputs),
        cmocka_unit_test(widths_are_found_for_so_many_inputs),
        cmocka_unit_test(a_width_that_was_found_is_an_array),
        cmocka_unit_test(nothing_is_made_of_nothing),
        cmocka_unit_test(a_skip_is_a_row),
    };
    return cmocka_run_group_tests(tests, make_rows, free_rows);
}
