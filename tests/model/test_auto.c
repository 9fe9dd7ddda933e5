/* What the recipe `auto` promises: never much worse than linear RLS with scaling, better where there is something to
 * gain, and neither heavy tails nor a change of scale lead it astray. Streams are generated; scores are prequential. */
#include "check.h"

enum { INPUTS = 3 };

typedef double target(const double *x);

/* How a stream's inputs are made of standard normals, and its targets of the inputs. */
typedef struct stream {
    target *function;
    double noise;
    size_t heavy;    /* degrees of freedom of Student's t, for inputs and noise; 0: normal */
    size_t grows_at; /* the row from which on everything is a hundred times larger; 0: never */
    target *later;   /* the function from row `later_at` on .. */
    size_t later_at; /* .. or NULL */
    double louder;   /* the noise from that row on; 0: the same */
    size_t wild_at;  /* the row whose target is -9999; 0: none */
    bool clock;      /* the last input is the number of the row */
} stream;

/* Student's t with n degrees of freedom, from n + 1 normals. */
static uint64_t restarts_of(const okra_filter *model)
{
    okra_stats stats;
    assert_ok(okra_get_stats(model, &stats));
    return stats.restarts;
}

static double student(okra_random *random, size_t n)
{
    double z[16], square = 0;
    okra_random_normal(random, n + 1, z);
    for (size_t i = 1; i <= n; i++)
        square += z[i] * z[i] / (double)n;
    return z[0] / sqrt(square);
}

static double draw(okra_random *random, size_t heavy)
{
    double z;
    if (heavy)
        return student(random, heavy);
    okra_random_normal(random, 1, &z);
    return z;
}

static void next_row(const stream *s, okra_random *random, size_t t, double *x, double *y)
{
    double size = s->grows_at && t >= s->grows_at ? 100 : 1;
    for (size_t j = 0; j < INPUTS; j++)
        x[j] = draw(random, s->heavy);
    bool later = s->later_at && t >= s->later_at;
    target *function = later && s->later ? s->later : s->function;
    *y = size * (function(x) + (later && s->louder > 0 ? s->louder : s->noise) * draw(random, s->heavy));
    for (size_t j = 0; j < INPUTS; j++)
        x[j] *= size;
    if (s->wild_at && t == s->wild_at)
        *y = -9999;
    if (s->clock)
        x[INPUTS] = (double)t;
}

static okra_filter *make_model(const char *recipe, const stream *s, size_t horizon)
{
    okra_spec spec;
    okra_filter *model;
    assert_ok(okra_spec_init(&spec, recipe, INPUTS + s->clock, 1));
    spec.scale = OKRA_SCALE_AUTO;
    spec.horizon = horizon;
    if (spec.features)
        spec.features = 100;
    assert_ok(okra_create(&spec, &model));
    return model;
}

/* The mean squared a-priori error of a recipe, over the variance of the targets, from row `from` on; and how often it
 * started again. */
static double score_and_restarts(const char *recipe, const stream *s, size_t rows, size_t from, size_t horizon,
                                 uint64_t *restarts)
{
    okra_filter *model = make_model(recipe, s, horizon);
    okra_random random = {.seed = 31};
    double error = 0, sum = 0, square = 0, n = (double)(rows - from);
    for (size_t t = 0; t < rows; t++) {
        double x[INPUTS + 1], y, yhat;
        next_row(s, &random, t, x, &y);
        assert_ok(okra_step(model, x, &y, 1, &yhat, NULL));
        assert_true(isfinite(yhat));
        if (t >= from)
            error += (y - yhat) * (y - yhat), sum += y, square += y * y;
    }
    *restarts = restarts_of(model);
    okra_free(model);
    return error / (square - sum * sum / n);
}

static double score(const char *recipe, const stream *s, size_t rows, size_t from, size_t horizon)
{
    uint64_t restarts;
    return score_and_restarts(recipe, s, rows, from, horizon, &restarts);
}

static double linear(const double *x) { return x[0] - 0.5 * x[1] + 0.3 * x[2]; }

static double wave(const double *x) { return sin(2 * x[0]) + cos(1.5 * x[1]) * x[2] + 0.3 * x[2]; }

static double bent(const double *x) { return linear(x) + tanh(x[0] * x[1]); }

/* Linear targets: nothing to gain, and no more than 2% to lose. */
static void costs_little_where_linear_is_right(void **state)
{
    (void)state;
    for (size_t horizon = 1; horizon <= 5; horizon += 4) {
        const stream s = {.function = linear, .noise = 0.5};
        assert_true(score("auto", &s, 3000, 300, horizon) < 1.02 * score("rls", &s, 3000, 300, horizon));
    }
}

static void gains_where_there_is_something_to_gain(void **state)
{
    (void)state;
    const stream s = {.function = wave, .noise = 0.1};
    assert_true(score("auto", &s, 3000, 300, 1) < 0.25 * score("rls", &s, 3000, 300, 1));
}

/* A leverage point, learnt with forgetting, must not spoil what follows. */
static void survives_heavy_tails(void **state)
{
    (void)state;
    const stream s = {.function = bent, .noise = 1, .heavy = 2};
    double ours = score("auto", &s, 6000, 600, 1), theirs = score("rls", &s, 6000, 600, 1);
    assert_true(theirs < 1);
    assert_true(ours < 1.02 * theirs);
}

/* Scale and widths were chosen for amplitudes a hundred times smaller: they have to be chosen again. */
static void follows_a_change_of_scale(void **state)
{
    (void)state;
    const stream s = {.function = wave, .noise = 0.1, .grows_at = 2000};
    uint64_t restarts;
    assert_true(score_and_restarts("auto", &s, 8000, 2000, 1, &restarts) < 0.4 * score("rls", &s, 8000, 2000, 1));
    assert_int_equal(restarts, 1);
}

/*
 * Long after the start the system becomes another. 500 rows later the error is at most twice that of a model which
 * never saw the old one, at that age: with 64 rows for it to be noticed, the model is that much younger. More noise is
 * no change of the system.
 */
static void learns_another_system_soon(void **state)
{
    (void)state;
    enum { CHANGE = 8000, AGE = 500, ROWS = CHANGE + 4 * AGE };
    const stream changed = {.function = bent, .noise = 0.05, .later = wave, .later_at = CHANGE};
    const stream new = {.function = wave, .noise = 0.05};
    const stream louder = {.function = wave, .noise = 0.05, .louder = 0.5, .later_at = CHANGE};
    uint64_t restarts;
    double after = score_and_restarts("auto", &changed, ROWS, CHANGE + AGE, 1, &restarts);
    assert_true(after < 2 * score("auto", &new, ROWS - CHANGE, AGE, 1));
    assert_int_equal(restarts, 1);
    score_and_restarts("auto", &louder, ROWS, CHANGE, 1, &restarts);
    assert_int_equal(restarts, 0);
}

/* A clock beside the inputs leaves every range, for ever: that is no reason to forget what they have taught. With it
 * the error is what an input more that says nothing costs. */
static void one_column_that_wanders_restarts_nothing(void **state)
{
    (void)state;
    const stream with = {.function = wave, .noise = 0.1, .clock = true}, without = {.function = wave, .noise = 0.1};
    uint64_t restarts;
    assert_true(score_and_restarts("auto", &with, 6000, 2500, 1, &restarts) <
                2 * score("auto", &without, 6000, 2500, 1));
    assert_int_equal(restarts, 0);
}

/* One target of -9999 among those of a few units: the next 250 rows are predicted within 6 dB of what they would be. */
static void survives_a_wild_target(void **state)
{
    (void)state;
    enum { AT = 2000, NEXT = 250 };
    const stream wild = {.function = wave, .noise = 0.1, .wild_at = AT}, tame = {.function = wave, .noise = 0.1};
    for (size_t horizon = 1; horizon <= 5; horizon += 4)
        assert_true(score("auto", &wild, AT + 1 + NEXT, AT + 1, horizon) <
                    2 * score("auto", &tame, AT + 1 + NEXT, AT + 1, horizon)); /* 3 dB */
}

/* Before there is a scale, or a loss that knows what is wild: the first rows, and those of the warm-up. */
static void survives_a_wild_target_in_the_warm_up(void **state)
{
    (void)state;
    enum { ROWS = 1500, FROM = 600 };
    static const size_t places[] = {1, 4, 15, 16, 50, 99, 100, 101, 200, 511};
    const stream tame = {.function = wave, .noise = 0.1};
    double clean = score("auto", &tame, ROWS, FROM, 1), sum = 0;
    for (size_t k = 0; k < COUNT_OF(places); k++) {
        const stream wild = {.function = wave, .noise = 0.1, .wild_at = places[k]};
        double error = score("auto", &wild, ROWS, FROM, 1);
        assert_true(error < 4 * clean); /* which widths are found is a matter of the samples: not each time the best */
        sum += error;
    }
    const size_t n = COUNT_OF(places);
    assert_true(sum < 1.5 * (double)n * clean);
}

/* Beyond what it has seen a member may say anything; what is predicted stays within the targets' range and half of it
 * to either side. A level that is there to stay is reached all the same. */
static void predicts_within_the_range_of_targets(void **state)
{
    (void)state;
    enum { ROWS = 600 };
    const stream s = {.function = linear, .noise = 0.1};
    okra_filter *model = make_model("auto", &s, 1);
    okra_random random = {.seed = 4};
    double x[INPUTS], far[INPUTS] = {1e6, -1e6, 1e6}, y, yhat, low = 0, high = 0;
    for (size_t t = 0; t < ROWS; t++) {
        next_row(&s, &random, t, x, &y);
        low = t == 0 || y < low ? y : low, high = t == 0 || y > high ? y : high;
        assert_ok(okra_step(model, x, &y, 1, NULL, NULL));
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t j = 0; j < INPUTS; j++)
            far[j] = -far[j];
        assert_ok(okra_step(model, far, NULL, 1, &yhat, NULL));
        double edge = sign < 0 ? low - (high - low) / 2 : high + (high - low) / 2;
        assert_near(yhat, edge, 1e-9 * (high - low)); /* rounding of the scale and back */
    }
    for (size_t t = 0; t < 100; t++) { /* some ten rows until the range has grown a thousandfold */
        next_row(&s, &random, t, x, &y);
        y += 1000 * (high - low);
        assert_ok(okra_step(model, x, &y, 1, &yhat, NULL));
    }
    assert_true(yhat > 100 * (high - low)); /* least squares over 600 rows here and 100 there: a seventh of the way */
    okra_free(model);
}

/* Rows learnt again after a restart count once, and those that lack their past by then have been learnt before. */
static void count_goes_on_after_a_restart(void **state)
{
    (void)state;
    enum { LAGS = 4, HORIZON = 3, ROWS = 4000 };
    const stream s = {.function = wave, .noise = 0.1, .grows_at = 1700};
    okra_spec spec;
    okra_filter *model;
    okra_random random = {.seed = 8};
    okra_stats stats;
    double x[INPUTS], y;
    assert_ok(okra_spec_init(&spec, "auto", INPUTS, 1));
    spec.features = 20, spec.lags = LAGS, spec.target_lags = LAGS, spec.horizon = HORIZON;
    assert_ok(okra_create(&spec, &model));
    for (size_t t = 0; t < ROWS; t++) {
        next_row(&s, &random, t, x, &y);
        assert_ok(okra_step(model, x, &y, 1, NULL, NULL));
    }
    assert_int_equal(restarts_of(model), 1);
    assert_ok(okra_get_stats(model, &stats));
    /* the first LAGS + HORIZON - 1 rows have no past, the last HORIZON - 1 no label yet */
    assert_int_equal(stats.learnt, ROWS - (LAGS + HORIZON - 1) - (HORIZON - 1));
    okra_free(model);
}

/* Writes the state of a model into a new one. */
static okra_filter *twin_of(const okra_filter *model)
{
    okra_filter *twin;
    okra_counter counter;
    okra_array array;
    assert_ok(okra_create(okra_get_spec(model), &twin));
    for (size_t i = 0; okra_counter_at(model, i, &counter) == OKRA_OK; i++)
        assert_ok(okra_counter_write(twin, counter.name, counter.value));
    for (size_t i = 0; okra_array_at(model, i, &array) == OKRA_OK; i++) {
        double *copy = malloc((array.rows * array.cols + 1) * sizeof *copy);
        assert_ok(okra_array_read(model, array.name, copy));
        assert_ok(okra_array_write(twin, array.name, copy));
        free(copy);
    }
    return twin;
}

/* What was saved goes on with the same bits, at every stage of a fit: in the first rows, in a search of widths, while
 * sums are made, factored and inverted, and after the data has left its scale. */
static void carries_over_in_the_middle_of_a_fit(void **state)
{
    (void)state;
    enum { ROWS = 1400, AHEAD = 40, STAGES = 9 };
    const stream s = {.function = wave, .noise = 0.1, .grows_at = 700};
    double X[ROWS + AHEAD][INPUTS], Y[ROWS + AHEAD], yhat[2];
    size_t seen[STAGES] = {0};
    okra_random random = {.seed = 8};
    for (size_t horizon = 1; horizon <= 3; horizon += 2) {
        okra_spec spec;
        okra_filter *model;
        assert_ok(okra_spec_init(&spec, "auto", INPUTS, 1));
        spec.features = 100, spec.horizon = horizon, spec.warmup = 64;
        assert_ok(okra_create(&spec, &model));
        for (size_t t = 0; t < ROWS + AHEAD; t++)
            next_row(&s, &random, t, X[t], &Y[t]);
        for (size_t t = 0; t < ROWS; t++) {
            okra_counter counter = {.name = ""};
            assert_ok(okra_step(model, X[t], &Y[t], 1, yhat, NULL));
            for (size_t i = 0; strcmp(counter.name, "stage") != 0; i++)
                assert_ok(okra_counter_at(model, i, &counter));
            assert_true(counter.value < STAGES);
            if (++seen[counter.value] > 12 && t % 97 != 0)
                continue;
            okra_filter *twin = twin_of(model), *witness;
            assert_ok(okra_clone(model, &witness));
            for (size_t k = t + 1; k <= t + AHEAD; k++) {
                assert_ok(okra_step(witness, X[k], &Y[k], 1, &yhat[0], NULL));
                assert_ok(okra_step(twin, X[k], &Y[k], 1, &yhat[1], NULL));
                assert_memory_equal(&yhat[0], &yhat[1], sizeof yhat[0]);
            }
            okra_free(twin), okra_free(witness);
        }
        assert_true(restarts_of(model) >= 1);
        okra_free(model);
    }
    assert_true(seen[0] && seen[3] && seen[4]); /* idle, a search, sums: the stages that take longest */
}

/* The variance that the ensemble gives is that of its errors: about 95% of them within two deviations. */
static void variance_is_that_of_the_errors(void **state)
{
    (void)state;
    enum { ROWS = 4000, FROM = 1000 };
    const stream s = {.function = wave, .noise = 0.3};
    okra_spec spec;
    okra_filter *model;
    okra_random random = {.seed = 9};
    size_t inside = 0;
    assert_ok(okra_spec_init(&spec, "auto", INPUTS, 1));
    spec.features = 100;
    assert_ok(okra_create(&spec, &model));
    for (size_t t = 0; t < ROWS; t++) {
        double x[INPUTS], y, yhat, variance;
        next_row(&s, &random, t, x, &y);
        assert_ok(okra_step(model, x, &y, 1, &yhat, &variance));
        inside += t >= FROM && (y - yhat) * (y - yhat) < 4 * variance;
    }
    okra_free(model);
    double share = (double)inside / (ROWS - FROM); /* of 3000, 0.4% is a standard error; the errors are not quite normal
                                                    */
    assert_near(share, 0.955, 0.025);
}

/* ---- the watch over the scale, written out ---------------------------------------------------------------------- */

enum { WATCHED = 3, WARMUP = 64 };

/* A mean of the last 256 sizes or so, each 20 at most; all begin at 1. */
static void watch_by_hand(const double *row, const double *scale, double *watch)
{
    for (size_t c = 0; c < WATCHED; c++) {
        double size = fmin(fabs(row[c] - scale[c]) / scale[WATCHED + c], 20);
        watch[c] += (size - watch[c]) / 256;
    }
}

/* If more than half of the columns that move are above 4, or none moves. */
static bool left_by_hand(const double *watch)
{
    size_t above = 0, moving = 0;
    for (size_t c = 0; c < WATCHED; c++)
        above += watch[c] > 4, moving += watch[c] >= 0.1;
    return moving == 0 || 2 * above > moving;
}

/* Columns off 0, which after a while grow, fall still, or jump far: two of three, or all, at a time; or one alone. */
static double column_at(int kind, size_t c, size_t t, double normal)
{
    bool later = t >= 1500, touched = kind == 0 ? c < 2 : kind == 1 ? c != 1 : kind == 4 ? c == 0 : true;
    double factor = !later || !touched ? 1 : kind == 0 ? 7 : kind == 1 ? 1e-3 : kind == 2 ? 1e-3 : 1e6;
    return 1000 * ((double)c + 1) + factor * normal;
}

static uint64_t counter_of(const okra_filter *model, const char *name)
{
    okra_counter counter;
    for (size_t i = 0; okra_counter_at(model, i, &counter) == OKRA_OK; i++)
        if (strcmp(counter.name, name) == 0)
            return counter.value;
    fail_msg("no counter %s", name);
    return 0;
}

/* Noticed at once, and fitted again 48 samples later, to those since 16 before. */
static void the_watch_is_as_written_out(void **state)
{
    (void)state;
    size_t restarts_seen[5] = {0};
    for (int kind = 0; kind < 5; kind++) {
        okra_spec spec;
        okra_filter *model;
        okra_random random = {.seed = 40};
        double watch[WATCHED] = {1, 1, 1}, scale[2 * WATCHED], found[WATCHED];
        uint64_t noticed = 0;
        assert_ok(okra_spec_init(&spec, "auto", WATCHED - 1, 1));
        spec.features = 4, spec.warmup = WARMUP;
        assert_ok(okra_create(&spec, &model));
        for (size_t t = 0; t < 2600; t++) {
            double row[WATCHED];
            okra_random_normal(&random, WATCHED, row);
            for (size_t c = 0; c < WATCHED; c++)
                row[c] = column_at(kind, c, t, row[c]);
            uint64_t before = restarts_of(model);
            if (t >= WARMUP)
                assert_ok(okra_array_read(model, "m3.scale", scale)); /* of the member with equal widths */
            assert_ok(okra_step(model, row, row + WATCHED - 1, 1, NULL, NULL));
            if (t + 1 >= WARMUP && t >= WARMUP)
                watch_by_hand(row, scale, watch);
            else if (t + 1 >= WARMUP)
                assert_ok(okra_array_read(model, "watch", watch)); /* the last row of the warm-up */
            if (restarts_of(model) > before && noticed > 0) {      /* another system is not looked at here */
                assert_int_equal(t + 1, noticed + 48);
                assert_int_equal(counter_of(model, "regime"), noticed - 16);
                watch[0] = watch[1] = watch[2] = 1, noticed = 0, restarts_seen[kind]++;
            } else if (noticed == 0 && t + 1 - counter_of(model, "regime") >= 512 && left_by_hand(watch)) {
                noticed = t + 1;
            }
            assert_int_equal(counter_of(model, "left"), noticed);
            assert_ok(okra_array_read(model, "watch", found));
            /* targets far off are clipped, at first */
            for (size_t c = 0; c < WATCHED - 1; c++)
                assert_near(found[c], watch[c], 1e-12 * (1 + watch[c]));
            watch[WATCHED - 1] = found[WATCHED - 1];
        }
        okra_free(model);
    }
    assert_true(restarts_seen[0] == 1 && restarts_seen[3] == 1 && restarts_seen[4] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_watch_is_as_written_out),
        cmocka_unit_test(costs_little_where_linear_is_right),
        cmocka_unit_test(gains_where_there_is_something_to_gain),
        cmocka_unit_test(survives_heavy_tails),
        cmocka_unit_test(follows_a_change_of_scale),
        cmocka_unit_test(learns_another_system_soon),
        cmocka_unit_test(one_column_that_wanders_restarts_nothing),
        cmocka_unit_test(survives_a_wild_target),
        cmocka_unit_test(survives_a_wild_target_in_the_warm_up),
        cmocka_unit_test(predicts_within_the_range_of_targets),
        cmocka_unit_test(count_goes_on_after_a_restart),
        cmocka_unit_test(carries_over_in_the_middle_of_a_fit),
        cmocka_unit_test(variance_is_that_of_the_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
