/*
 * Extreme values: every recipe, every map that it may have, parameters at both ends of their ranges, and streams
 * from zeros to the ends of the format. After every step one of two things holds:
 *
 *   it was taken    prediction and state are finite, and the filter can be asked;
 *   it was refused  with one of the documented statuses, the state is what it was, bit for bit, and so is yhat.
 *
 * Streams of ordinary size may not be refused where parameters are ordinary too. Compiled once per precision; without
 * arguments a short form, `full` is for `make trust`.
 */
#include "typed.h"

enum { INPUTS = 3, OUTPUTS = 2, ROWS = 120, FEATURES = 14, CAPACITY = 19 };

#if OKRA_PRECISION == 64
#define FORMAT_LEAST 0x1p-1074
#else
#define FORMAT_LEAST 0x1p-149f
#endif
/* Decades from 1 to just inside either end of the format. */
#define DECADES (OKRA_PRECISION == 64 ? 300.0 : 36.0)

/* ---- streams ------------------------------------------------------------------------------------------------ */

typedef struct sample {
    real x[INPUTS], y[OUTPUTS], weight;
} sample;

/* Row i, given as an ordinary one with u in (0, 1), is bent into what the stream is about. */
typedef void bend(size_t i, double u, sample *s);

static void scale_x(sample *s, double by)
{
    for (size_t j = 0; j < INPUTS; j++)
        s->x[j] = (real)((double)s->x[j] * by);
}

static void scale_y(sample *s, double by)
{
    for (size_t o = 0; o < OUTPUTS; o++)
        s->y[o] = (real)((double)s->y[o] * by);
}

static void set_x(sample *s, real value)
{
    for (size_t j = 0; j < INPUTS; j++)
        s->x[j] = value;
}

static void set_y(sample *s, real value)
{
    for (size_t o = 0; o < OUTPUTS; o++)
        s->y[o] = value;
}

/* The same size of number in another place of the format. */
static double decade(double at) { return pow(10, DECADES * at); }

#define STREAM(name) static void name(size_t i, double u, sample *s)
#define UNUSED       (void)i, (void)u, (void)s

STREAM(ordinary) { UNUSED; }
STREAM(zeros) { UNUSED, set_x(s, 0), set_y(s, 0); }
STREAM(constant) { UNUSED, set_x(s, 1), set_y(s, 1); }
STREAM(silent_inputs) { UNUSED, set_x(s, 0); }
STREAM(silent_targets) { UNUSED, set_y(s, 0); }
STREAM(silence_then_signal)
{
    UNUSED;
    if (i < ROWS * 3 / 4)
        set_x(s, 0), set_y(s, 0);
}
STREAM(collinear)
{
    UNUSED;
    s->x[1] = 2 * s->x[0], s->x[2] = -s->x[0];
}
STREAM(square_wave)
{
    UNUSED;
    set_x(s, i % 2 ? 1 : -1), set_y(s, i % 2 ? -1 : 1);
}
STREAM(tiny_inputs) { UNUSED, scale_x(s, decade(-1)); }
STREAM(small_inputs) { UNUSED, scale_x(s, decade(-0.5)); }
STREAM(large_inputs) { UNUSED, scale_x(s, decade(0.49)); }
STREAM(huge_inputs) { UNUSED, scale_x(s, decade(1)); }
STREAM(tiny_targets) { UNUSED, scale_y(s, decade(-1)); }
STREAM(small_targets) { UNUSED, scale_y(s, decade(-0.5)); }
STREAM(large_targets) { UNUSED, scale_y(s, decade(0.49)); }
STREAM(huge_targets) { UNUSED, scale_y(s, decade(1)); }
STREAM(all_tiny) { UNUSED, scale_x(s, decade(-1)), scale_y(s, decade(-1)); }
STREAM(all_large) { UNUSED, scale_x(s, decade(0.49)), scale_y(s, decade(0.49)); }
STREAM(all_huge) { UNUSED, scale_x(s, decade(1)), scale_y(s, decade(1)); }
STREAM(any_size) { UNUSED, scale_x(s, decade(2 * u - 1)), scale_y(s, decade(1 - 2 * fmod(7 * u, 1))); }
STREAM(growing) { UNUSED, scale_x(s, decade(2 * (double)i / ROWS - 1)), scale_y(s, decade(2 * (double)i / ROWS - 1)); }
STREAM(shrinking)
{
    UNUSED, scale_x(s, decade(1 - 2 * (double)i / ROWS)), scale_y(s, decade(1 - 2 * (double)i / ROWS));
}
STREAM(denormal_inputs) { UNUSED, set_x(s, (real)FORMAT_LEAST * (real)(i % 7)); }
STREAM(denormal_targets) { UNUSED, set_y(s, (real)FORMAT_LEAST * (real)(i % 7)); }
STREAM(end_of_format_inputs) { UNUSED, set_x(s, i % 2 ? REAL_MAX : -REAL_MAX); }
STREAM(end_of_format_targets) { UNUSED, set_y(s, i % 2 ? REAL_MAX : -REAL_MAX); }
STREAM(same_end_of_format_targets) { UNUSED, set_y(s, REAL_MAX); }
STREAM(one_input_is_huge) { UNUSED, s->x[1] = (real)((double)s->x[1] * decade(1)); }
STREAM(alternating_outliers)
{
    UNUSED;
    if (i % 2)
        scale_y(s, i % 4 == 1 ? 1e12 : -1e12);
}
STREAM(alternating_leverage)
{
    UNUSED;
    if (i % 2)
        scale_x(s, 1e12);
}
STREAM(spikes)
{
    UNUSED;
    if (i % 37 == 20)
        set_x(s, REAL_MAX), set_y(s, -REAL_MAX);
}
STREAM(tiny_weights) { UNUSED, s->weight = (real)((double)REAL_MIN * pow(10, 4 * u)); }
STREAM(denormal_weights) { UNUSED, s->weight = (real)FORMAT_LEAST * (real)(i % 5); }
STREAM(huge_weights) { UNUSED, s->weight = REAL_MAX; }
STREAM(any_weight) { UNUSED, s->weight = (real)decade(2 * u - 1); }
STREAM(not_finite)
{
    UNUSED;
    const real bad[] = {(real)NAN, (real)INFINITY, -(real)INFINITY};
    if (i % 3 == 1)
        *(i % 2 ? &s->x[i % INPUTS] : &s->y[i % OUTPUTS]) = bad[i % COUNT_OF(bad)];
    if (i % 11 == 9)
        s->weight = bad[i % COUNT_OF(bad)];
}

enum { MILD = 1 /* of a size that is never refused */, EVEN = 2 /* targets and errors stay of ordinary size */ };

static const struct stream {
    const char *name;
    bend *bend;
    int what;
} streams[] = {
#define ROW(name, what)   \
    {                     \
#name, name, what \
    }
    ROW(ordinary, MILD | EVEN),
    ROW(zeros, MILD | EVEN),
    ROW(constant, MILD | EVEN),
    ROW(silent_inputs, MILD | EVEN),
    ROW(silent_targets, MILD | EVEN),
    ROW(silence_then_signal, MILD | EVEN),
    ROW(collinear, MILD | EVEN),
    ROW(square_wave, MILD | EVEN),
    ROW(tiny_inputs, MILD | EVEN),
    ROW(small_inputs, MILD | EVEN),
    ROW(large_inputs, 0),
    ROW(huge_inputs, 0),
    ROW(tiny_targets, MILD),
    ROW(small_targets, MILD),
    ROW(large_targets, MILD),
    ROW(huge_targets, 0),
    ROW(all_tiny, MILD),
    ROW(all_large, 0),
    ROW(all_huge, 0),
    ROW(any_size, 0),
    ROW(growing, 0),
    ROW(shrinking, 0),
    ROW(denormal_inputs, MILD | EVEN),
    ROW(denormal_targets, MILD),
    ROW(end_of_format_inputs, 0),
    ROW(end_of_format_targets, 0),
    ROW(same_end_of_format_targets, 0),
    ROW(one_input_is_huge, 0),
    ROW(alternating_outliers, MILD),
    ROW(alternating_leverage, 0),
    ROW(spikes, 0),
    ROW(tiny_weights, 0),
    ROW(denormal_weights, 0),
    ROW(huge_weights, 0),
    ROW(any_weight, 0),
    ROW(not_finite, 0),
};

/* Rows of normals to start from, and a uniform number each. */
static double normals[ROWS][INPUTS + 1], uniforms[ROWS];

static void draw_rows(void)
{
    okra_random random = {.seed = 17, .stream = 1}, other = {.seed = 17, .stream = 2};
    okra_random_normal(&random, ROWS * (INPUTS + 1), normals[0]);
    okra_random_uniform(&other, ROWS, uniforms);
}

static sample ordinary_row(size_t i)
{
    sample s = {.weight = 1};
    const double *g = normals[i % ROWS];
    for (size_t j = 0; j < INPUTS; j++)
        s.x[j] = (real)g[j];
    s.y[0] = (real)(g[0] - 0.5 * g[1] + 0.25);
    s.y[1] = (real)(sin(g[1]) + 0.5 * g[2] + 0.01 * g[3]);
    return s;
}

/* ---- parameters --------------------------------------------------------------------------------------------- */

static const struct variation {
    const char *text[3][2]; /* name, value */
    bool ordinary;          /* such that mild streams are always taken */
} variations[] = {
    {.ordinary = true},
    {{{"mu", "1"}}, false},
    {{{"mu", "1.999"}}, false},
    {{{"mu", "2"}}, false},
    {{{"mu", "50"}}, false},
    {{{"mu", "1e30"}}, false},
    {{{"mu", "1e-30"}}, true},
    {{{"reg", "1e-30"}}, false},
    {{{"reg", "1e30"}}, true},
    {{{"lambda", "1e-30"}}, false},
    {{{"lambda", "1e-10"}}, true},
    {{{"lambda", "1e10"}}, true},
    {{{"lambda", "1e30"}}, false},
    {{{"beta", "0.999"}}, true},
    {{{"beta", "0.99"}}, true},
    {{{"beta", "0.95"}}, true},
    {{{"beta", "0.9"}}, true},
    {{{"beta", "0.01"}}, false},
    {{{"beta", "0.999"}, {"cyclic", "0"}}, true},
    {{{"beta", "0.99"}, {"cyclic", "0"}}, true},
    {{{"beta", "0.95"}, {"cyclic", "0"}}, true},
    {{{"beta", "0.9"}, {"cyclic", "0"}}, true},
    {{{"beta", "0.9"}, {"cyclic", "1"}}, true},
    {{{"beta", "0.9"}, {"lambda", "1e-30"}}, false},
    {{{"beta", "0.9"}, {"lambda", "1e30"}}, false},
    {{{"beta", "0.9"}, {"lambda", "1e-30"}, {"cyclic", "0"}}, false},
    {{{"beta", "0.01"}, {"lambda", "1e30"}, {"cyclic", "0"}}, false},
    {{{"sigma", "1e-30"}}, false},
    {{{"sigma", "1e-6"}}, false},
    {{{"sigma", "1e6"}}, true},
    {{{"sigma", "1e30"}}, true},
    {{{"kernel", "laplacian"}}, true},
    {{{"kernel", "cauchy"}}, true},
    {{{"kernel", "matern32"}}, true},
    {{{"kernel", "matern52"}, {"sigma", "1e-6"}}, false},
    {{{"epsilon", "0"}}, true},
    {{{"epsilon", "1e30"}}, true},
    {{{"novelty-distance", "0"}, {"novelty-error", "0"}}, true},
    {{{"coherence", "1"}}, true},
    {{{"coherence", "0"}}, true},
    {{{"surprise", "-1e30"}, {"surprise-max", "1e30"}}, true},
    {{{"surprise", "-1e30"}, {"surprise-max", "1e30"}, {"reg", "1e-30"}}, false},
    {{{"nu", "1"}}, true},
    {{{"nu", "5e-4"}, {"sigma", "1e6"}}, true},
    {{{"nu", "1e-7"}}, true},
    {{{"when-full", "oldest"}}, true},
    {{{"when-full", "error"}}, false},
    {{{"capacity", "1"}}, true},
    {{{"capacity", "1"}, {"when-full", "oldest"}}, true},
    {{{"mu", "auto"}}, true},
    {{{"mu", "auto"}, {"leak", "1"}}, true},
    {{{"leak", "1e-3"}}, true},
    {{{"mu", "1"}, {"leak", "1"}}, false},
    {{{"mu", "1e-30"}, {"leak", "1e30"}}, true},
    {{{"order", "64"}}, true},
    {{{"order", "64"}, {"reg", "1e-30"}}, false},
    {{{"order", "1"}}, true},
    {{{"tolerance", "1e30"}}, true},
    {{{"tolerance", "0.1"}, {"mu", "2"}}, false},
    {{{"forget", "prior"}, {"beta", "0.999"}}, true},
    {{{"forget", "prior"}, {"beta", "0.9"}, {"lambda", "1e-10"}}, false},
    {{{"forget", "prior"}, {"beta", "0.9"}, {"lambda", "1e-30"}}, false},
    {{{"forget", "prior"}, {"beta", "0.9"}, {"lambda", "1e30"}}, false},
    {{{"forget", "prior"}, {"beta", "0.01"}}, false},
    {{{"forget", "prior"}, {"beta", "0.999999999"}}, false},
    {{{"loss", "huber"}}, true},
    {{{"loss", "huber"}, {"loss-scale", "1e-30"}}, true},
    {{{"loss", "huber"}, {"loss-scale", "1e30"}}, true},
    {{{"loss", "mcc"}}, true},
    {{{"loss", "mcc"}, {"loss-scale", "1e-30"}}, false}, /* learns nothing: no variance is known */
    {{{"loss", "cauchy"}}, true},
    {{{"loss", "cauchy"}, {"loss-scale", "1e-30"}}, false},
    {{{"loss", "quantile"}, {"quantile", "0.9999"}}, false},
    {{{"loss", "quantile"}, {"loss-scale", "1e30"}}, false},
    {{{"loss", "huber"}, {"forget", "prior"}, {"beta", "0.99"}}, true},
    {{{"loss", "huber"}, {"mu", "auto"}}, true},
};

/* False if the recipe has no such parameters, or refuses them. */
static bool apply_variation(const struct variation *v, okra_spec *spec)
{
    for (size_t i = 0; i < COUNT_OF(v->text) && v->text[i][0]; i++)
        if (okra_spec_set(spec, v->text[i][0], v->text[i][1], NULL))
            return false;
    return okra_spec_check(spec, NULL) == OKRA_OK;
}

/* ---- a filter under test ----------------------------------------------------------------------------------- */

typedef struct subject {
    const okra_spec *spec;
    const struct variation *variation;
    const struct stream *stream;
    okra_filter *filter;
    void *scratch;
    bool probabilistic;
    real *state, *before; /* [capacity] all arrays, one after the other */
    size_t count, capacity;
    okra_counter counters[32];
    size_t row, refused, learnt;
} subject;

static bool full;
static int failures;
static size_t filters, taken, refused; /* what was tried, and what became of the samples */

static const char *map_name(const okra_spec *spec)
{
    const okra_choice *map = maps_of(okra_recipe_find(spec->recipe));
    while (map && map->name && map->value != spec->map)
        map++;
    return map ? map->name : "-";
}

/* A wrong row is said once for each filter and stream; the first hundred are enough to see what is wrong. */
static void complain(subject *v, const char *what, double value)
{
    if (failures++ < 100) {
        print_error("%s, map %s", v->spec->recipe, map_name(v->spec));
        for (size_t i = 0; v->variation && i < COUNT_OF(v->variation->text) && v->variation->text[i][0]; i++)
            print_error(", %s %s", v->variation->text[i][0], v->variation->text[i][1]);
        print_error(", %zu outputs, %s, row %zu: %s: %g\n", v->spec->outputs, v->stream ? v->stream->name : "recovery",
                    v->row, what, value);
    }
}

/* All that the filter has learnt, through the public calls. */
static size_t read_state(const subject *v, real *to)
{
    okra_array array;
    size_t n = 0;
    for (size_t i = 0; okra_array_at(v->filter, i, &array) == OKRA_OK; i++) {
        if (n + array.rows * array.cols > v->capacity)
            fail_msg("%zu numbers are not enough", v->capacity);
        assert_ok(okra_array_read(v->filter, array.name, to + n));
        n += array.rows * array.cols;
    }
    return n;
}

static void read_counters(subject *v)
{
    for (size_t i = 0; okra_counter_at(v->filter, i, &v->counters[i]) == OKRA_OK; i++)
        assert_true(i + 1 < COUNT_OF(v->counters));
}

static bool same_counters(const subject *v)
{
    okra_counter counter;
    for (size_t i = 0; okra_counter_at(v->filter, i, &counter) == OKRA_OK; i++)
        if (counter.value != v->counters[i].value)
            return false;
    return true;
}

static bool start(subject *v, const okra_spec *spec)
{
    v->spec = spec;
    okra_status status = okra_create(spec, &v->filter);
    if (status) { /* frequencies that float32 cannot hold */
        if (status != OKRA_E_RANGE)
            complain(v, okra_strerror(status), status);
        return false;
    }
    v->capacity = okra_size(spec) / sizeof(real);
    v->state = malloc(v->capacity * sizeof *v->state), v->before = malloc(v->capacity * sizeof *v->before);
    v->scratch = malloc(okra_scratch_size(v->filter));
    real x[INPUTS] = {0}, yhat[OUTPUTS], variance[OUTPUTS];
    v->probabilistic = predict_variance(v->filter, v->scratch, 1, x, yhat, variance) != OKRA_E_UNSUPPORTED;
    v->count = read_state(v, v->state);
    read_counters(v);
    return true;
}

static void stop(subject *v)
{
    okra_free(v->filter);
    free(v->state), free(v->before), free(v->scratch);
}

static real largest(size_t n, const real *a)
{
    real max = 0;
    for (size_t i = 0; i < n; i++)
        if (!(real_abs(a[i]) <= max)) /* NaN stays */
            max = real_abs(a[i]);
    return max;
}

static bool near_the_end(const subject *v) { return !(largest(v->count, v->state) < REAL_MAX / 1024); }

/*
 * The filter is asked at an ordinary input. While no number of its state is near the end of the format, nothing in a
 * prediction can overflow. A variance may be infinite: before there was an error to learn from, and where it does not
 * fit the format.
 */
static void ask(subject *v)
{
    real x[INPUTS] = {(real)0.5, -1, (real)0.25}, yhat[OUTPUTS], variance[OUTPUTS] = {-1, -1};
    okra_status status = predict(v->filter, 1, x, yhat);
    if (status != OKRA_OK && (status != OKRA_E_RANGE || !near_the_end(v)))
        complain(v, okra_strerror(status), status);
    for (size_t o = 0; o < v->spec->outputs && !status; o++)
        if (!(real_abs(yhat[o]) <= REAL_MAX))
            complain(v, "a prediction is not finite", (double)yhat[o]);
    if (!v->probabilistic || status)
        return;
    if (predict_variance(v->filter, v->scratch, 1, x, yhat, variance))
        complain(v, "it can be asked for a prediction, and not for its variance", 0);
    bool finite = v->learnt > 1 && v->stream && v->stream->what & EVEN && v->variation->ordinary;
    for (size_t o = 0; o < v->spec->outputs; o++)
        if (!(variance[o] >= 0) || (finite && !(variance[o] <= REAL_MAX) && strcmp(v->spec->recipe, "krls") != 0))
            complain(v, "variance", (double)variance[o]);
}

static void check_taken(subject *v, const real *yhat)
{
    v->count = read_state(v, v->state);
    read_counters(v);
    v->learnt++;
    for (size_t o = 0; o < v->spec->outputs; o++)
        if (!(real_abs(yhat[o]) <= REAL_MAX))
            complain(v, "taken, with a prediction that is not finite", (double)yhat[o]);
    real max = largest(v->count, v->state);
    if (!(max <= REAL_MAX))
        complain(v, "taken, and the state is not finite", (double)max);
}

static void check_refused(subject *v, okra_status status, bool finite, const real *yhat)
{
    v->refused++;
    if (status != OKRA_E_DIVERGED && status != OKRA_E_RANGE && !(status == OKRA_E_SAMPLE && !finite) &&
        !(status == OKRA_E_FULL && v->spec->when_full == OKRA_FULL_ERROR))
        complain(v, okra_strerror(status), status);
    if (v->stream && v->stream->what & MILD && v->variation->ordinary && status != OKRA_E_FULL)
        complain(v, "refused, and should not be", status);
    if (read_state(v, v->before) != v->count || memcmp(v->before, v->state, v->count * sizeof(real)) != 0 ||
        !same_counters(v))
        complain(v, "refused, and left a trace", status);
    for (size_t o = 0; o < v->spec->outputs; o++)
        if (yhat[o] != 7)
            complain(v, "refused, and wrote a prediction", (double)yhat[o]);
}

static void take_extreme_step(subject *v, const sample *s)
{
    real yhat[OUTPUTS] = {7, 7};
    bool finite = largest(INPUTS, s->x) <= REAL_MAX && largest(v->spec->outputs, s->y) <= REAL_MAX && s->weight >= 0 &&
                  s->weight <= REAL_MAX;
    okra_status status = step_weighted(v->filter, s->x, s->y, s->weight, yhat);
    if (!status && !finite)
        complain(v, "a sample that is not finite was taken", 0);
    if (status)
        check_refused(v, status, finite, yhat);
    else
        check_taken(v, yhat);
    ask(v);
}

/* However it was treated, a filter takes ordinary samples again, unless its state is at the end of the format. */
static void check_not_stuck(subject *v)
{
    bool moves = false;
    for (size_t i = 0; i < 40; i++) {
        sample s = ordinary_row(i);
        moves = step_weighted(v->filter, s.x, s.y, s.weight, NULL) != OKRA_E_DIVERGED || moves;
    }
    if (!moves && !near_the_end(v))
        complain(v, "takes no ordinary samples any more", 0);
}

static void try_stream(const okra_spec *spec, const struct variation *variation, const struct stream *stream)
{
    subject v = {.variation = variation, .stream = stream};
    if (!start(&v, spec))
        return;
    int before = failures;
    for (v.row = 0; v.row < ROWS && failures == before; v.row++) {
        sample s = ordinary_row(v.row);
        stream->bend(v.row, uniforms[v.row], &s);
        take_extreme_step(&v, &s);
    }
    filters++, taken += v.learnt, refused += v.refused;
    if (variation->ordinary && failures == before)
        check_not_stuck(&v);
    stop(&v);
}

/* ---- every recipe, every map -------------------------------------------------------------------------------- */

static okra_spec spec_of(const char *recipe, int map, size_t outputs)
{
    okra_spec spec = make_spec(recipe, INPUTS, outputs);
    if (map)
        spec.map = map;
    if (spec.features)
        spec.features = FEATURES;
    if (spec.capacity)
        spec.capacity = CAPACITY;
    if (map & OKRA_MAP_LINEAR || strcmp(recipe, "lms") == 0)
        spec.mu = 0.02; /* below 2 / (2 + |x|^2) for all rows */
    return spec;
}

/* The short form takes every stream with the recipe's own parameters, and some of them with others, in turns. */
static void try_streams_with_map(const okra_recipe *recipe, int map)
{
    for (size_t v = 0; v < COUNT_OF(variations); v++)
        for (size_t outputs = 1; outputs <= OUTPUTS; outputs++) {
            okra_spec spec = spec_of(recipe->name, map, outputs);
            if (!apply_variation(&variations[v], &spec))
                continue;
            for (size_t s = 0; s < COUNT_OF(streams); s++)
                if (full || (v + s + outputs) % (v == 0 ? 2 : 12) == 0)
                    try_stream(&spec, &variations[v], &streams[s]);
        }
}

static void steps_are_taken_whole_or_refused(void **state)
{
    (void)state;
    failures = 0;
    for (size_t r = 0; okra_recipe_at(r); r++) {
        const okra_choice *map = maps_of(okra_recipe_at(r));
        if (!map)
            try_streams_with_map(okra_recipe_at(r), 0);
        for (; map && map->name; map++)
            try_streams_with_map(okra_recipe_at(r), map->value);
    }
    print_message("%zu filters, %zu samples taken, %zu refused\n", filters, taken, refused);
    assert_int_equal(failures, 0);
}

/* Where a number that is not finite once got through; in the short form too. */
static void what_once_broke_holds(void **state)
{
    (void)state;
    static const struct {
        const char *recipe;
        struct variation variation;
        struct stream stream;
    } cases[] = {
        {"auto", {.ordinary = true}, ROW(huge_weights, 0)},    /* the sum of the weights */
        {"krls", {{{"sigma", "1e30"}}, true}, ROW(spikes, 0)}, /* a variance of infinity times nothing */
        {"rls", {{{"beta", "0.01"}, {"lambda", "1e30"}, {"cyclic", "0"}}, false}, ROW(one_input_is_huge, 0)}, /* U */
    };
    failures = 0;
    for (size_t c = 0; c < COUNT_OF(cases); c++)
        for (size_t outputs = 1; outputs <= OUTPUTS; outputs++) {
            okra_spec spec = spec_of(cases[c].recipe, 0, outputs);
            assert_true(apply_variation(&cases[c].variation, &spec));
            try_stream(&spec, &cases[c].variation, &cases[c].stream);
        }
    assert_int_equal(failures, 0);
}

/* ---- afterwards --------------------------------------------------------------------------------------------- */

/*
 * What theory says is learnt again. NLMS: on n inputs the squared error of the weights falls by mu (2 - mu) / n a
 * sample on average, whatever they were. RLS with forgetting: what was seen weighs beta^n. From one end of the format
 * to noise that is ln(REAL_MAX^2 / eps^2) memories, 2 ln(REAL_MAX) + 72 at most; twice that is given.
 *
 * What huge targets have left in directions of little energy LMS forgets slowly, and so does RLS with cyclic
 * regularisation, which anchors what the data does not say (docs/rls.md): random features get streams with targets of
 * ordinary size there.
 */
static const struct recovery {
    const char *recipe;
    int map;
    struct variation variation;
    int what;      /* of the streams */
    double memory; /* in samples */
    double limit;  /* of the mean squared error in y[0], whose variance is 1.25 */
} recoveries[] = {
    {"nlms", 0, {.ordinary = true}, 0, 2 * 4 / (0.5 * 1.5), 1e-6},
    {"rls", 0, {{{"beta", "0.9"}}, true}, 0, 10, 1e-6},
    {"rls", 0, {{{"beta", "0.95"}}, true}, 0, 20, 1e-6},
    {"rls", 0, {{{"beta", "0.99"}}, true}, 0, 100, 1e-6},
    {"rls", 0, {{{"beta", "0.999"}}, true}, EVEN, 100, 1e-6},
    {"rls", 0, {{{"beta", "0.9"}, {"cyclic", "0"}}, true}, 0, 10, 1e-6},
    {"rls", 0, {{{"beta", "0.99"}, {"cyclic", "0"}}, true}, 0, 100, 1e-6},
    {"rff-krls", OKRA_MAP_ORF, {{{"beta", "0.99"}, {"sigma", "4"}, {"features", "40"}}, true}, EVEN, 20, 0.05},
    {"rff-krls", OKRA_MAP_ORF, {{{"beta", "0.99"}, {"cyclic", "0"}, {"sigma", "4"}}, true}, 0, 100, 0.1},
    {"rff-krls", OKRA_MAP_RFF, {{{"beta", "0.999"}, {"sigma", "4"}, {"features", "40"}}, true}, EVEN, 20, 0.05},
    {"rff-krls", OKRA_MAP_LINEAR + OKRA_MAP_ORF, {{{"beta", "0.99"}}, true}, 0, 100, 1e-3},
    {"rff-nlms", OKRA_MAP_ORF, {{{"features", "40"}, {"sigma", "4"}}, true}, EVEN, 20, 0.1},
    {"rff-klms", OKRA_MAP_ORF, {{{"features", "40"}, {"sigma", "4"}}, true}, EVEN, 20, 0.1},
    {"auto", 0, {.ordinary = true}, EVEN, 6, 1e-2},
};

/* y[0] of n fresh rows: the mean squared error over the last 500. */
static double learn_again(subject *v, size_t n)
{
    okra_random random = {.seed = 23};
    double error = 0;
    for (size_t i = 0; i < n; i++) {
        double g[INPUTS];
        real x[INPUTS], y, yhat = 0;
        okra_random_normal(&random, INPUTS, g);
        for (size_t j = 0; j < INPUTS; j++)
            x[j] = (real)g[j];
        y = (real)(g[0] - 0.5 * g[1] + 0.25);
        okra_status status = step(v->filter, x, &y, &yhat);
        if (i + 500 >= n)
            error += status ? (double)INFINITY : ((double)y - (double)yhat) * ((double)y - (double)yhat) / 500;
    }
    return error;
}

static void recover(const struct recovery *r, const struct stream *stream)
{
    okra_spec spec = spec_of(r->recipe, r->map, 1);
    subject v = {.variation = &r->variation, .stream = stream};
    assert_true(apply_variation(&r->variation, &spec));
    assert_true(start(&v, &spec));
    for (v.row = 0; v.row < ROWS; v.row++) {
        sample s = ordinary_row(v.row);
        stream->bend(v.row, uniforms[v.row], &s);
        (void)step_weighted(v.filter, s.x, s.y, s.weight, NULL);
    }
    v.count = read_state(&v, v.state);
    if (!near_the_end(&v)) {
        double error = learn_again(&v, 1000 + (size_t)(2 * r->memory * (2 * log((double)REAL_MAX) + 72)));
        if (!(error < r->limit))
            complain(&v, "ordinary data is not learnt afterwards: mean squared error", error);
    }
    stop(&v);
}

static void what_can_be_learnt_again_is(void **state)
{
    (void)state;
    failures = 0;
    for (size_t r = 0; r < COUNT_OF(recoveries); r++)
        for (size_t s = 0; s < COUNT_OF(streams); s++)
            if ((recoveries[r].what & streams[s].what) == recoveries[r].what && (full || (r + s) % 10 == 0))
                recover(&recoveries[r], &streams[s]);
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
    SKIP_WITHOUT_ISA();
    full = argc > 1 && strcmp(argv[1], "full") == 0;
    draw_rows();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_taken_whole_or_refused),
        cmocka_unit_test(what_once_broke_holds),
        cmocka_unit_test(what_can_be_learnt_again_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
