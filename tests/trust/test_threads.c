/*
 * What okra/filter.h promises to threads, for every recipe with every map: filters are independent of each other, and
 * any number of threads may ask one that nobody changes, also how sure it is. The bits are those of one thread alone;
 * that nothing is shared which should not be is what ThreadSanitizer sees here (make test PRESET=tsan).
 *
 * With the argument `first`, the first calls that the process ever makes come from all threads at once: the choice of
 * instruction set is made by whoever is first.
 */
#include "typed.h"

#include <pthread.h>

enum { ROWS = 160, D = 5, OUTPUTS = 2, THREADS = 4 };

#define variance_of OKRA_PUBLIC(okra_predict)
#define map_apply   OKRA_PUBLIC(okra_map_apply)

/* ---- threads that start together ----------------------------------------------------------------------------- */

static void in_threads(void *(*work)(void *), void *contexts, size_t size, size_t threads)
{
    pthread_t ids[THREADS];
    assert_true(threads <= THREADS);
    for (size_t t = 0; t < threads; t++)
        assert_int_equal(pthread_create(&ids[t], NULL, work, (char *)contexts + t * size), 0);
    for (size_t t = 0; t < threads; t++)
        assert_int_equal(pthread_join(ids[t], NULL), 0);
}

/* ---- every recipe with every map ----------------------------------------------------------------------------- */

typedef void use(const okra_spec *spec);

static void for_every_spec(use *with)
{
    for (size_t r = 0; okra_recipe_at(r); r++) {
        okra_spec spec = make_spec(okra_recipe_at(r)->name, D, OUTPUTS);
        const okra_choice *map = maps_of(okra_recipe_at(r));
        if (!map)
            with(&spec);
        for (; map && map->name; map++) {
            okra_spec other = spec;
            other.map = map->value, other.sigma = 2, other.features = 38;
            other.mu = map->value & OKRA_MAP_LINEAR ? 0.02 : spec.mu;
            with(&other);
        }
    }
}

/* ---- filters of their own ------------------------------------------------------------------------------------ */

/* A filter's whole life: made, taught in a block and in steps, asked, and looked into. No check of cmocka's in here:
 * those belong to the main thread. */
typedef struct life {
    const okra_spec *spec;
    const real *X, *Y;
    real Yhat[2 * ROWS * OUTPUTS];
    okra_filter *filter; /* at its end */
    okra_status status;
} life;

static okra_status teach(life *l)
{
    enum { HALF = ROWS / 2 };
    okra_status status = run(l->filter, HALF, l->X, l->Y, NULL, l->Yhat, NULL);
    for (size_t i = HALF; i < ROWS && !status; i++)
        status = step(l->filter, l->X + i * D, l->Y + i * OUTPUTS, l->Yhat + i * OUTPUTS);
    return status ? status : predict(l->filter, ROWS, l->X, l->Yhat + (size_t)ROWS * OUTPUTS);
}

static void *live(void *context)
{
    life *l = context;
    l->status = okra_create(l->spec, &l->filter);
    if (!l->status)
        l->status = teach(l);
    return NULL;
}

static void check_life(const life *one, const life *alone)
{
    assert_ok(one->status);
    assert_memory_equal(one->Yhat, alone->Yhat, sizeof one->Yhat);
    assert_true(fingerprint(one->filter) == fingerprint(alone->filter));
}

/* The same filter in every thread; what it is alone comes after, so that the threads are the first to make it. */
static void live_in_every_thread(const okra_spec *spec)
{
    real *X = make_normals(1, (size_t)ROWS * D), *Y = make_normals(2, (size_t)ROWS * OUTPUTS);
    static life lives[THREADS + 1];
    for (size_t t = 0; t <= THREADS; t++)
        lives[t] = (life){.spec = spec, .X = X, .Y = Y};
    in_threads(live, lives, sizeof *lives, THREADS);
    live(&lives[THREADS]);
    for (size_t t = 0; t < THREADS; t++)
        check_life(&lives[t], &lives[THREADS]);
    for (size_t t = 0; t <= THREADS; t++)
        okra_free(lives[t].filter);
    free(X), free(Y);
}

static void test_filters_are_independent(void **state)
{
    (void)state;
    for_every_spec(live_in_every_thread);
}

/* Recipes side by side, each thread going through all of them from another one on. */
enum { MAX_SPECS = 256 };
static okra_spec specs[MAX_SPECS];
static uint64_t prints[THREADS + 1][MAX_SPECS];
static size_t n_specs;

static void note_spec(const okra_spec *spec)
{
    assert_true(n_specs < MAX_SPECS);
    specs[n_specs++] = *spec;
}

typedef struct tour {
    size_t from;
    uint64_t *prints;
    const real *X, *Y;
    okra_status status;
} tour;

/* Of the predictions: a state is read by the main thread alone. */
static uint64_t hash_of(const real *numbers, size_t n)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < n * sizeof *numbers; i++)
        hash = (hash ^ ((const unsigned char *)numbers)[i]) * 1099511628211u;
    return hash;
}

static void *go_round(void *context)
{
    tour *t = context;
    life *l = calloc(1, sizeof *l);
    if (!l)
        t->status = OKRA_E_MEMORY;
    for (size_t i = 0; i < n_specs && !t->status; i++) {
        size_t k = (i + t->from) % n_specs;
        *l = (life){.spec = &specs[k], .X = t->X, .Y = t->Y};
        live(l);
        t->status = l->status;
        t->prints[k] = hash_of(l->Yhat, COUNT_OF(l->Yhat));
        okra_free(l->filter);
    }
    free(l);
    return NULL;
}

static void test_recipes_run_side_by_side(void **state)
{
    (void)state;
    tour tours[THREADS + 1];
    real *X = make_normals(1, (size_t)ROWS * D), *Y = make_normals(2, (size_t)ROWS * OUTPUTS);
    n_specs = 0;
    for_every_spec(note_spec);
    for (size_t t = 0; t <= THREADS; t++)
        tours[t] = (tour){.from = t * n_specs / THREADS, .prints = prints[t], .X = X, .Y = Y};
    in_threads(go_round, tours, sizeof *tours, THREADS);
    go_round(&tours[THREADS]);
    for (size_t t = 0; t <= THREADS; t++) {
        assert_ok(tours[t].status);
        assert_memory_equal(prints[t], prints[THREADS], n_specs * sizeof **prints);
    }
    free(X), free(Y);
}

/* ---- one filter, asked by all -------------------------------------------------------------------------------- */

typedef struct question {
    const okra_filter *filter;
    const real *X;
    real Yhat[ROWS * OUTPUTS], variance[ROWS * OUTPUTS];
    okra_status status, sure;
} question;

static void *ask(void *context)
{
    question *q = context;
    void *scratch = malloc(okra_scratch_size(q->filter) + 1);
    q->status = scratch ? predict_with(q->filter, scratch, ROWS, q->X, q->Yhat) : OKRA_E_MEMORY;
    if (!q->status) /* again one by one: short questions meet more often */
        for (size_t i = 0; i < ROWS && !q->status; i++)
            q->status = predict_with(q->filter, scratch, 1, q->X + i * D, q->Yhat + i * OUTPUTS);
    if (!q->status)
        q->sure = variance_of(q->filter, scratch, ROWS, q->X, q->Yhat, q->variance);
    free(scratch);
    return NULL;
}

/* Others ask while one reads the state out, as who saves a model does. */
typedef struct look {
    const okra_filter *filter;
    okra_status status;
} look;

static void *look_inside(void *context)
{
    look *l = context;
    okra_array array;
    okra_stats stats;
    l->status = okra_get_stats(l->filter, &stats);
    for (size_t i = 0; !l->status && okra_array_at(l->filter, i, &array) == OKRA_OK; i++) {
        real *copy = malloc(array.rows * array.cols * sizeof *copy + 1);
        l->status = copy ? okra_array_read(l->filter, array.name, copy) : OKRA_E_MEMORY;
        free(copy);
    }
    return NULL;
}

static okra_filter *learnt(const okra_spec *spec, const real *X, const real *Y)
{
    okra_filter *filter = make_filter(spec);
    assert_ok(run(filter, ROWS, X, Y, NULL, NULL, NULL));
    return filter;
}

static void ask_in_every_thread(const okra_spec *spec)
{
    real *X = make_normals(3, (size_t)ROWS * D), *Y = make_normals(4, (size_t)ROWS * OUTPUTS);
    okra_filter *filter = learnt(spec, X, Y);
    uint64_t before = fingerprint(filter);
    static question questions[THREADS + 1];
    look reading = {.filter = filter};
    pthread_t reader;
    for (size_t t = 0; t <= THREADS; t++)
        questions[t] = (question){.filter = filter, .X = X};
    assert_int_equal(pthread_create(&reader, NULL, look_inside, &reading), 0);
    in_threads(ask, questions, sizeof *questions, THREADS);
    assert_int_equal(pthread_join(reader, NULL), 0);
    ask(&questions[THREADS]);
    assert_ok(reading.status);
    for (size_t t = 0; t <= THREADS; t++) {
        assert_ok(questions[t].status);
        assert_int_equal(questions[t].sure, questions[THREADS].sure);
        assert_memory_equal(questions[t].Yhat, questions[THREADS].Yhat, sizeof questions[t].Yhat);
        assert_memory_equal(questions[t].variance, questions[THREADS].variance, sizeof questions[t].variance);
    }
    assert_true(fingerprint(filter) == before);
    okra_free(filter);
    free(X), free(Y);
}

static void test_one_filter_is_asked_by_all(void **state)
{
    (void)state;
    for_every_spec(ask_in_every_thread);
}

/* ---- maps ---------------------------------------------------------------------------------------------------- */

/* A map uses memory of its own, so that each thread has one. */
typedef struct mapping {
    const okra_spec *spec;
    const real *X;
    real Z[ROWS * 64];
    okra_status status;
} mapping;

static void *map_rows(void *context)
{
    mapping *m = context;
    okra_map *map;
    m->status = okra_map_create(m->spec, &map);
    if (!m->status && okra_map_outputs(map) <= 64)
        m->status = map_apply(map, ROWS, m->X, m->Z);
    okra_map_free(map);
    return NULL;
}

static void test_maps_are_independent(void **state)
{
    (void)state;
    okra_spec spec = make_spec("rff-klms", D, 1);
    real *X = make_normals(5, (size_t)ROWS * D);
    static mapping mappings[THREADS + 1];
    for (const okra_choice *map = maps_of(okra_recipe_find("rff-klms")); map->name; map++) {
        spec.map = map->value, spec.features = 38, spec.sigma = 2;
        for (size_t t = 0; t <= THREADS; t++)
            mappings[t] = (mapping){.spec = &spec, .X = X};
        in_threads(map_rows, mappings, sizeof *mappings, THREADS);
        map_rows(&mappings[THREADS]);
        for (size_t t = 0; t <= THREADS; t++) {
            assert_ok(mappings[t].status);
            assert_memory_equal(mappings[t].Z, mappings[THREADS].Z, sizeof mappings[t].Z);
        }
    }
    free(X);
}

/* ---- the very first call ------------------------------------------------------------------------------------- */

typedef struct beginning {
    pthread_barrier_t *together;
    life life;
} beginning;

static void *begin(void *context)
{
    beginning *b = context;
    pthread_barrier_wait(b->together);
    live(&b->life);
    return NULL;
}

/* Data without a call of the library's, which must not have been called yet. */
static void test_first_calls(void **state)
{
    (void)state;
    static real X[ROWS * D], Y[ROWS * OUTPUTS];
    static beginning all[THREADS + 1];
    pthread_barrier_t together;
    okra_spec spec = {.recipe = "rff-klms"};
    for (size_t i = 0; i < COUNT_OF(X); i++)
        X[i] = (real)(i * 7919 % 1000) / 1000;
    for (size_t i = 0; i < COUNT_OF(Y); i++)
        Y[i] = (real)(i * 104729 % 1000) / 1000;
    assert_ok(okra_spec_init(&spec, "rff-klms", D, 1)); /* fills in a struct: no vectors in that */
    spec.outputs = OUTPUTS, spec.precision = OKRA_PRECISION, spec.features = 37;
    assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
    for (size_t t = 0; t <= THREADS; t++)
        all[t] = (beginning){.together = &together, .life = {.spec = &spec, .X = X, .Y = Y}};
    in_threads(begin, all, sizeof *all, THREADS);
    live(&all[THREADS].life);
    for (size_t t = 0; t <= THREADS; t++) {
        check_life(&all[t].life, &all[THREADS].life);
        okra_free(all[t].life.filter);
    }
    pthread_barrier_destroy(&together);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest first[] = {cmocka_unit_test(test_first_calls)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters_are_independent),
        cmocka_unit_test(test_recipes_run_side_by_side),
        cmocka_unit_test(test_one_filter_is_asked_by_all),
        cmocka_unit_test(test_maps_are_independent),
    };
    if (argc == 2 && strcmp(argv[1], "first") == 0)
        return cmocka_run_group_tests(first, NULL, NULL);
    SKIP_WITHOUT_ISA();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
