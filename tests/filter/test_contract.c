/* The promises of okra/filter.h, kept by every recipe in the table with every map that it may have, with one output and
 * with three. */
#include "typed.h"

#include <pthread.h>

enum { ROWS = 1100, D = 5 };

static size_t allocations;

#define COUNTED(type, name, parameters, arguments) \
    type __real_##name parameters;                 \
    type __wrap_##name parameters;                 \
    type __wrap_##name parameters                  \
    {                                              \
        allocations++;                             \
        return __real_##name arguments;            \
    }
COUNTED(void *, malloc, (size_t n), (n))
COUNTED(void *, calloc, (size_t n, size_t m), (n, m))
COUNTED(void *, realloc, (void *p, size_t n), (p, n))
COUNTED(void *, aligned_alloc, (size_t a, size_t n), (a, n))
void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
    allocations++;
    __real_free(p);
}

/* ---- one recipe, one number of outputs, and a stream for it ---------------------------------------------- */

typedef struct bed {
    okra_spec spec;
    size_t outputs;
    real *X, *Y, *weights, *Yhat;
} bed;

static void make_bed(bed *b, const okra_spec *spec)
{
    size_t outputs = spec->outputs;
    *b = (bed){.spec = *spec, .outputs = outputs};
    b->X = make_normals(1, ROWS * D), b->Y = make_normals(2, ROWS * outputs);
    b->weights = make_normals(3, ROWS), b->Yhat = make_normals(4, ROWS * outputs);
    for (size_t i = 0; i < ROWS; i++)
        b->weights[i] = i % 10 ? real_abs(b->weights[i]) : 0;
}

static void free_bed(bed *b) { free(b->X), free(b->Y), free(b->weights), free(b->Yhat); }

/* Everything that a filter has learnt, counters and arrays, as one string of bytes. */
static unsigned char *snapshot(const okra_filter *filter, size_t *bytes)
{
    okra_array array;
    okra_counter counter;
    size_t total = 0;
    for (size_t i = 0; okra_counter_at(filter, i, &counter) == OKRA_OK; i++)
        total += sizeof counter.value;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++)
        total += array.rows * array.cols * sizeof(real);
    unsigned char *all = malloc(total + 1), *at = all;
    for (size_t i = 0; okra_counter_at(filter, i, &counter) == OKRA_OK; i++, at += sizeof counter.value)
        memcpy(at, &counter.value, sizeof counter.value);
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++) {
        assert_ok(okra_array_read(filter, array.name, at));
        at += array.rows * array.cols * sizeof(real);
    }
    *bytes = total;
    return all;
}

static bool same_state(const okra_filter *a, const okra_filter *b)
{
    size_t na, nb;
    unsigned char *sa = snapshot(a, &na), *sb = snapshot(b, &nb);
    bool same = na == nb && memcmp(sa, sb, na) == 0;
    free(sa), free(sb);
    return same;
}

static okra_filter *learnt_filter(const bed *b, size_t rows)
{
    okra_filter *filter = make_filter(&b->spec);
    size_t done;
    assert_ok(run(filter, rows, b->X, b->Y, NULL, NULL, &done));
    assert_int_equal(done, rows);
    return filter;
}

/* ---- the promises ---------------------------------------------------------------------------------------- */

static void reset_equals_fresh(const bed *b)
{
    okra_filter *used = learnt_filter(b, ROWS), *fresh = make_filter(&b->spec);
    assert_false(same_state(used, fresh));
    assert_ok(okra_reset(used));
    assert_true(same_state(used, fresh));
    assert_ok(run(used, ROWS, b->X, b->Y, NULL, NULL, NULL));
    assert_ok(run(fresh, ROWS, b->X, b->Y, NULL, NULL, NULL));
    assert_true(same_state(used, fresh));
    okra_free(used), okra_free(fresh);
}

static void clone_is_an_independent_twin(const bed *b)
{
    okra_filter *first = learnt_filter(b, 500), *twin, *witness = learnt_filter(b, 500);
    assert_ok(okra_clone(first, &twin));
    assert_true(same_state(first, twin));
    assert_ok(run(first, 100, b->X, b->Y, NULL, NULL, NULL));
    assert_true(same_state(twin, witness)); /* untouched by what its original learns */
    okra_free(first);
    assert_ok(run(twin, 300, b->X + 500 * D, b->Y + 500 * b->outputs, NULL, NULL, NULL));
    assert_ok(run(witness, 300, b->X + 500 * D, b->Y + 500 * b->outputs, NULL, NULL, NULL));
    assert_true(same_state(twin, witness));
    okra_free(twin), okra_free(witness);
}

static void predict_changes_nothing(const bed *b)
{
    okra_filter *asked = learnt_filter(b, 500), *witness = learnt_filter(b, 500);
    assert_ok(predict(asked, ROWS, b->X, b->Yhat));
    assert_true(same_state(asked, witness));
    assert_ok(run(asked, 100, b->X, b->Y, NULL, NULL, NULL));
    assert_ok(run(witness, 100, b->X, b->Y, NULL, NULL, NULL));
    assert_true(same_state(asked, witness));
    okra_free(asked), okra_free(witness);
}

/* What predict says is what the next step reports, to the bit. */
static void predict_is_what_a_step_reports(const bed *b)
{
    okra_filter *filter = make_filter(&b->spec);
    real before[3], reported[3];
    for (size_t i = 0; i < 50; i++) {
        assert_ok(predict(filter, 1, b->X + i * D, before));
        assert_ok(step(filter, b->X + i * D, b->Y + i * b->outputs, reported));
        assert_memory_equal(before, reported, b->outputs * sizeof(real));
    }
    okra_free(filter);
}

static void a_block_equals_steps(const bed *b)
{
    static const size_t sizes[] = {1, 2, 3, 255, 256, 257, ROWS};
    for (int weighted = 0; weighted < 2; weighted++) {
        okra_filter *stepped = make_filter(&b->spec);
        real *single = make_normals(5, ROWS * b->outputs);
        for (size_t i = 0; i < ROWS; i++)
            assert_ok(step_weighted(stepped, b->X + i * D, b->Y + i * b->outputs, weighted ? b->weights[i] : 1,
                                    single + i * b->outputs));
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            okra_filter *blocked = make_filter(&b->spec);
            for (size_t i = 0, n; i < ROWS; i += n) {
                n = sizes[s] < ROWS - i ? sizes[s] : ROWS - i;
                assert_ok(run(blocked, n, b->X + i * D, b->Y + i * b->outputs, weighted ? b->weights + i : NULL,
                              b->Yhat + i * b->outputs, NULL));
            }
            assert_memory_equal(b->Yhat, single, ROWS * b->outputs * sizeof(real));
            assert_true(same_state(blocked, stepped));
            okra_free(blocked);
        }
        free(single);
        okra_free(stepped);
    }
}

/* A weight of 0 changes nothing but the count, and so does -0, whose reciprocal is no large number. */
static void no_weight_learns_nothing(const bed *b)
{
    okra_filter *weighed = learnt_filter(b, 50), *witness = learnt_filter(b, 50);
    for (size_t i = 50; i < 54; i++)
        assert_ok(step_weighted(weighed, b->X + i * D, b->Y + i * b->outputs, i % 2 ? (real)-0.0 : 0, b->Yhat));
    assert_ok(okra_counter_write(weighed, "learnt", 50));
    assert_ok(okra_counter_write(weighed, "rows", 50));
    assert_true(same_state(weighed, witness));
    okra_free(weighed), okra_free(witness);
}

static void nothing_is_allocated_after_create(const bed *b)
{
    okra_filter *filter = make_filter(&b->spec);
    real yhat[3];
    void *scratch = malloc(okra_scratch_size(filter));
    size_t before = allocations;
    assert_ok(step(filter, b->X, b->Y, yhat));
    assert_ok(run(filter, ROWS, b->X, b->Y, b->weights, b->Yhat, NULL));
    assert_ok(predict_with(filter, scratch, ROWS, b->X, b->Yhat));
    assert_ok(okra_reset(filter));
    assert_int_equal(allocations, before);
    free(scratch);
    okra_free(filter);
    assert_true(allocations > before); /* the count counts */
}

static void refused_samples_leave_no_trace(const bed *b)
{
    okra_filter *filter = learnt_filter(b, 300), *witness = learnt_filter(b, 300);
    const real bad[] = {(real)NAN, (real)INFINITY, -(real)INFINITY};
    real x[D], y[3], yhat[3] = {7, 7, 7};
    for (size_t k = 0; k < COUNT_OF(bad); k++) {
        memcpy(x, b->X, sizeof x), memcpy(y, b->Y, b->outputs * sizeof(real));
        x[D - 1] = bad[k];
        assert_status(step(filter, x, y, yhat), OKRA_E_SAMPLE);
        assert_status(predict(filter, 1, x, yhat), OKRA_E_SAMPLE);
        y[b->outputs - 1] = bad[k];
        assert_status(step(filter, b->X, y, yhat), OKRA_E_SAMPLE);
        assert_status(step_weighted(filter, b->X, b->Y, bad[k], yhat), OKRA_E_SAMPLE);
    }
    assert_status(step_weighted(filter, b->X, b->Y, -1, yhat), OKRA_E_SAMPLE);
    assert_true(yhat[0] == 7);
    assert_true(same_state(filter, witness));
    okra_free(filter), okra_free(witness);
}

/* A block stops at its first bad sample, having learnt those before it. */
static void a_block_stops_at_a_bad_sample(const bed *b)
{
    static const size_t places[] = {0, 1, 255, 256, 700};
    for (size_t k = 0; k < COUNT_OF(places); k++) {
        okra_filter *filter = make_filter(&b->spec), *witness = learnt_filter(b, places[k]);
        real keep = b->X[places[k] * D + 2];
        size_t done = 12345;
        b->X[places[k] * D + 2] = (real)NAN;
        assert_status(run(filter, ROWS, b->X, b->Y, NULL, b->Yhat, &done), OKRA_E_SAMPLE);
        b->X[places[k] * D + 2] = keep;
        assert_int_equal(done, places[k]);
        assert_true(same_state(filter, witness));
        okra_free(filter), okra_free(witness);
    }
}

/* Diverging in the middle of a block leaves the state of the last good step, as single steps do. */
static void a_block_stops_where_steps_diverge(const bed *b)
{
    okra_spec spec = b->spec;
    spec.leak = 0, spec.mu = 1e5; /* over ROWS samples even a float overflows */
    okra_filter *stepped = make_filter(&spec), *blocked = make_filter(&spec);
    okra_status status = OKRA_OK;
    size_t steps = 0, done;
    for (; steps < ROWS && !status; steps += !status)
        status = step(stepped, b->X + steps * D, b->Y + steps * b->outputs, NULL);
    assert_int_equal(run(blocked, ROWS, b->X, b->Y, NULL, b->Yhat, &done), status);
    if (spec.loss == OKRA_LOSS_SQUARE &&
        strstr(okra_recipe_find(spec.recipe)->filter, "lms") == okra_recipe_find(spec.recipe)->filter)
        assert_status(status, OKRA_E_DIVERGED); /* the others have no step size, or do not step where it matters */
    assert_int_equal(done, steps);
    assert_true(same_state(stepped, blocked));
    okra_free(stepped), okra_free(blocked);
}

/* Counters and arrays, in that order, make a twin that goes on with the same bits. */
static void state_can_be_carried_over(const bed *b)
{
    okra_filter *from = learnt_filter(b, 400), *to = make_filter(&b->spec);
    okra_counter counter;
    okra_array array;
    okra_stats stats;
    assert_ok(okra_get_stats(from, &stats));
    for (size_t i = 0; okra_counter_at(from, i, &counter) == OKRA_OK; i++) {
        assert_ok(okra_counter_write(to, counter.name, counter.value));
        if (counter.max < UINT64_MAX)
            assert_status(okra_counter_write(to, counter.name, counter.max + 1), OKRA_E_PARAMETER);
    }
    for (size_t i = 0; okra_array_at(from, i, &array) == OKRA_OK; i++) {
        real *copy = malloc(array.rows * array.cols * sizeof *copy);
        assert_true(array.rows * array.cols > 0);
        if (strcmp(array.name, "theta") == 0 && stats.features > 0) /* an ensemble has several */
            assert_true(array.rows == b->outputs && array.cols == stats.features);
        assert_ok(okra_array_read(from, array.name, copy));
        assert_ok(okra_array_write(to, array.name, copy));
        copy[array.rows * array.cols - 1] = (real)NAN;
        assert_status(okra_array_write(to, array.name, copy), OKRA_E_SAMPLE);
        free(copy);
    }
    assert_true(same_state(from, to));
    real *after[2] = {make_normals(6, ROWS * b->outputs), make_normals(7, ROWS * b->outputs)};
    assert_ok(run(from, ROWS, b->X, b->Y, NULL, after[0], NULL));
    assert_ok(run(to, ROWS, b->X, b->Y, NULL, after[1], NULL));
    assert_memory_equal(after[0], after[1], ROWS * b->outputs * sizeof(real));
    assert_status(okra_array_read(from, "nonsense", after[0]), OKRA_E_ARRAY);
    assert_status(okra_counter_write(from, "nonsense", 0), OKRA_E_ARRAY);
    free(after[0]), free(after[1]);
    okra_free(from), okra_free(to);
}

static void callers_memory_serves_as_well(const bed *b)
{
    size_t bytes = okra_size(&b->spec);
    unsigned char *memory = malloc(bytes + 8);
    okra_filter *inside, *own = learnt_filter(b, 200);
    for (size_t shift = 0; shift < 8; shift += 7) {
        assert_status(okra_init(memory + shift, 100, &b->spec, &inside), OKRA_E_BUFFER);
        assert_null(inside);
        memset(memory, 0xA5, bytes + 8);
        assert_ok(okra_init(memory + shift, bytes, &b->spec, &inside));
        assert_ok(run(inside, 200, b->X, b->Y, NULL, NULL, NULL));
        assert_true(same_state(inside, own));
        okra_free(inside); /* allowed, and does nothing */
        for (size_t i = bytes + shift; i < bytes + 8; i++)
            assert_int_equal(memory[i], 0xA5);
    }
    free(memory);
    okra_free(own);
}

typedef struct reader {
    const bed *b;
    const okra_filter *filter;
    real *Yhat;
    okra_status status;
} reader;

static void *read_in_thread(void *context)
{
    reader *r = context;
    void *scratch = malloc(okra_scratch_size(r->filter));
    for (int round = 0; round < 5 && !r->status; round++)
        r->status = predict_with(r->filter, scratch, ROWS, r->b->X, r->Yhat);
    free(scratch);
    return NULL;
}

static void many_threads_may_ask_at_once(const bed *b)
{
    enum { THREADS = 4 };
    okra_filter *filter = learnt_filter(b, ROWS);
    pthread_t threads[THREADS];
    reader readers[THREADS];
    assert_ok(predict(filter, ROWS, b->X, b->Yhat));
    for (int t = 0; t < THREADS; t++) {
        readers[t] = (reader){.b = b, .filter = filter, .Yhat = make_normals(8, ROWS * b->outputs)};
        assert_int_equal(pthread_create(&threads[t], NULL, read_in_thread, &readers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
        assert_ok(readers[t].status);
        assert_memory_equal(readers[t].Yhat, b->Yhat, ROWS * b->outputs * sizeof(real));
        free(readers[t].Yhat);
    }
    okra_free(filter);
}

/* Of a block that fails, the rows before the bad one are the predictions; the first bad row decides. */
static void predictions_stop_at_a_bad_row(const bed *b)
{
    enum { BAD = 300, ASKED = 310 };
    static const real bad[] = {(real)NAN, OKRA_PRECISION == 64 ? (real)1e307 : (real)1e38};
    okra_filter *filter = learnt_filter(b, 200);
    void *scratch = malloc(okra_scratch_size(filter));
    real *X = make_normals(1, ASKED * D), *variance = make_normals(5, ASKED * b->outputs), *good = b->Yhat;
    assert_ok(predict(filter, BAD, X, good));
    for (size_t k = 0; k < COUNT_OF(bad); k++) {
        real *Yhat = make_normals(6, ASKED * b->outputs);
        for (size_t j = 0; j < D; j++)
            X[BAD * D + j] = bad[k];
        okra_status one = predict(filter, 1, X + BAD * D, Yhat);
        assert_true(k == 0 ? one == OKRA_E_SAMPLE : one == OKRA_E_RANGE || one == OKRA_OK);
        X[(BAD + 1) * D] = (real)NAN;
        assert_status(predict_with(filter, scratch, ASKED, X, Yhat), one ? one : OKRA_E_SAMPLE);
        assert_memory_equal(Yhat, good, BAD * b->outputs * sizeof *Yhat);
        memset(Yhat, 0, BAD * sizeof *Yhat);
        if (okra_recipe_find(b->spec.recipe)->variance) {
            assert_status(predict_variance(filter, scratch, ASKED, X, Yhat, variance), one ? one : OKRA_E_SAMPLE);
            assert_memory_equal(Yhat, good, BAD * b->outputs * sizeof *Yhat);
        }
        free(Yhat);
    }
    free(X), free(variance), free(scratch);
    okra_free(filter);
}

static void the_table_tells_who_knows_a_variance(const bed *b)
{
    okra_filter *filter = make_filter(&b->spec);
    void *scratch = malloc(okra_scratch_size(filter));
    bool knows = okra_recipe_find(b->spec.recipe)->variance;
    real variance;
    assert_status(predict_variance(filter, scratch, 0, NULL, NULL, &variance), knows ? OKRA_OK : OKRA_E_UNSUPPORTED);
    free(scratch);
    okra_free(filter);
}

static void wrong_calls_are_refused(const bed *b)
{
    okra_filter *filter = make_filter(&b->spec);
    real x[D] = {0}, y[3] = {0}, yhat[3];
    double xd[D] = {0}, yd[3] = {0};
    float xf[D] = {0}, yf[3] = {0};
    okra_status in_double = okra_step(filter, xd, yd, 1, NULL, NULL),
                in_float = okra_step_f32(filter, xf, yf, 1, NULL, NULL);
    assert_status(in_float, OKRA_PRECISION == 64 ? OKRA_E_PRECISION : OKRA_OK);
    assert_ok(in_double);
    assert_status(step(NULL, x, y, yhat), OKRA_E_NULL);
    assert_status(step(filter, NULL, y, yhat), OKRA_E_NULL);
    assert_status(run(filter, 1, NULL, y, NULL, yhat, NULL), OKRA_E_NULL);
    assert_ok(run(filter, 0, NULL, NULL, NULL, NULL, NULL));
    assert_status(predict(filter, 1, x, NULL), OKRA_E_NULL);
    assert_status(predict_with(filter, NULL, 1, x, yhat), OKRA_E_NULL);
    assert_status(okra_clone(NULL, &filter), OKRA_E_NULL);
    assert_status(okra_reset(NULL), OKRA_E_NULL);
    okra_free(NULL);
    okra_free(filter);
}

/* ---- every promise for every recipe ---------------------------------------------------------------------- */

static void keep(void (*promise)(const bed *), const okra_spec *spec)
{
    bed b;
    make_bed(&b, spec);
    promise(&b);
    free_bed(&b);
}

/* Other forms of an algorithm: parameters by name, for the recipes that have them. */
static const char *const variants[][3][2] = {
    {{"loss", "huber"}},
    {{"loss", "mcc"}, {"loss-scale", "0.5"}},
    {{"loss", "quantile"}, {"quantile", "0.8"}},
    {{"leak", "0.01"}},
    {{"mu", "auto"}, {"leak", "0.01"}, {"loss", "cauchy"}},
    {{"forget", "prior"}, {"beta", "0.98"}},
    {{"forget", "prior"}, {"beta", "0.9"}, {"loss", "huber"}},
    {{"order", "1"}},
    {{"order", "9"}, {"tolerance", "0.5"}},
};

static bool take_variant(size_t v, okra_spec *spec)
{
    for (size_t i = 0; i < COUNT_OF(variants[v]) && variants[v][i][0]; i++)
        if (okra_spec_set(spec, variants[v][i][0], variants[v][i][1], NULL))
            return false;
    return okra_spec_check(spec, NULL) == OKRA_OK;
}

static void for_every_recipe(void (*promise)(const bed *))
{
    for (size_t r = 0; okra_recipe_at(r); r++)
        for (size_t outputs = 1; outputs <= 3; outputs += 2) {
            okra_spec spec = make_spec(okra_recipe_at(r)->name, D, outputs);
            for (const okra_choice *map = maps_of(okra_recipe_at(r)); map && map->name; map++) {
                okra_spec other = spec;
                other.map = map->value;
                other.sigma = 2;
                if (map->value != OKRA_MAP_RFF)
                    other.features = 38, other.sigma_more[0] = 5; /* a multiple of no vector, and two widths */
                if (map->value & OKRA_MAP_LINEAR)
                    other.mu = 0.02;
                keep(promise, &other);
            }
            if (!maps_of(okra_recipe_at(r)))
                keep(promise, &spec);
            for (size_t v = 0; v < COUNT_OF(variants); v++) {
                okra_spec other = spec;
                if (take_variant(v, &other))
                    keep(promise, &other);
            }
        }
}

#define PROMISES(X)                         \
    X(reset_equals_fresh)                   \
    X(clone_is_an_independent_twin)         \
    X(predict_changes_nothing)              \
    X(predict_is_what_a_step_reports)       \
    X(a_block_equals_steps)                 \
    X(no_weight_learns_nothing)             \
    X(nothing_is_allocated_after_create)    \
    X(refused_samples_leave_no_trace)       \
    X(a_block_stops_at_a_bad_sample)        \
    X(a_block_stops_where_steps_diverge)    \
    X(state_can_be_carried_over)            \
    X(callers_memory_serves_as_well)        \
    X(many_threads_may_ask_at_once)         \
    X(predictions_stop_at_a_bad_row)        \
    X(the_table_tells_who_knows_a_variance) \
    X(wrong_calls_are_refused)

#define TEST_FUNCTION(name)               \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        for_every_recipe(name);           \
    }
PROMISES(TEST_FUNCTION)

int main(void)
{
    SKIP_WITHOUT_ISA();
#define TEST_ROW(name) cmocka_unit_test(test_##name),
    const struct CMUnitTest tests[] = {PROMISES(TEST_ROW)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
