/* The search of widths against the evidence by its definition, in long double. */
#include "check.h"

#include "filter/width_search.h"
#include "map/map.h"
#include "vec/isa.h"

typedef long double wide;

enum { INPUTS = 4, PAIRS = 10, FEATURES = INPUTS + 1 + 2 * PAIRS, ROWS = 150, POINT = INPUTS + 1 };

/* A ring of samples whose targets depend on the first two inputs, the first one more. */
static void fill_ring(sample_ring *ring, double third)
{
    okra_random random = {.seed = 3};
    for (size_t t = 0; t < ROWS; t++) {
        double x[INPUTS], noise;
        okra_random_normal(&random, INPUTS, x), okra_random_normal(&random, 1, &noise);
        double y = sin(2 * x[0]) + x[1] * x[1] / 4 + third * x[2] + 0.1 * noise;
        ring_push(ring, x, &y, t % 10 == 0 ? 0.5 : 1);
    }
}

typedef struct setting {
    void *memory;
    feature_map base;
    width_search search;
    sample_ring ring;
    member_features scale;
    matrix_space space;
} setting;

static void lay_out(setting *s, const okra_spec *spec, okra_block *block)
{
    const vec_table *vec = vec_of(okra_isa_chosen());
    okra_spec base = *spec;
    base.map = OKRA_MAP_ORF, base.sigma = 1;
    size_t stride = search_stride(spec);
    map_lay_out(&s->base, &base, vec, block);
    search_lay_out(&s->search, spec, vec, s->base.state, block);
    ring_lay_out(&s->ring, INPUTS, 1, ROWS, block);
    member_lay_out_features(&s->scale, spec, 0, vec, block);
    s->space.stride = stride;
    s->space.z = okra_block_take(block, SEARCH_BLOCK * stride, sizeof(real));
    s->space.a = okra_block_take(block, stride * stride, sizeof(real));
    s->space.inverse = okra_block_take(block, stride * stride, sizeof(real));
    s->space.work = okra_block_take(block, member_scratch(&s->search.f), sizeof(real));
}

static setting make_setting(double third)
{
    setting s = {.memory = NULL};
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, "auto", INPUTS, 1));
    spec.features = 2 * PAIRS, spec.sigma = sqrt(2.0 * INPUTS);
    okra_block measure = okra_block_measure();
    lay_out(&s, &spec, &measure);
    s.memory = okra_block_allocate(okra_block_bytes(&measure));
    okra_block block = okra_block_at(s.memory);
    lay_out(&s, &spec, &block);
    okra_spec base = spec;
    base.map = OKRA_MAP_ORF, base.kernel = OKRA_GAUSSIAN, base.sigma = 1;
    assert_ok(s.base.klass->init_params(s.base.state, &base));
    for (size_t c = 0; c <= INPUTS; c++)
        s.scale.scale[c] = 0, s.scale.scale[POINT + c] = 1;
    search_reset(&s.search);
    fill_ring(&s.ring, third);
    return s;
}

/* L at (log w, log lambda): features, sums, elimination without pivoting, all written out. */
static double evidence(const setting *s, const double *point)
{
    static wide a[FEATURES + 1][FEATURES + 1];
    array_view omega;
    s->base.klass->array(s->base.state, 0, &omega);
    const double *cycles = omega.data;
    wide count = 0, value = 0, lambda = expl((wide)point[INPUTS]), w = logl(sqrtl(2.0L * INPUTS));
    memset(a, 0, sizeof a);
    for (size_t t = 0; t < ROWS; t++) {
        wide z[FEATURES + 1] = {0};
        const double *x = ring_x(&s->ring, t);
        for (size_t j = 0; j < INPUTS; j++)
            z[j] = (wide)x[j];
        z[INPUTS] = 1;
        for (size_t p = 0; p < PAIRS; p++) {
            wide angle = 0;
            for (size_t j = 0; j < INPUTS; j++)
                angle += 2 * (wide)M_PI * (wide)cycles[array_place(&omega, p, j)] * (wide)fmax(-4, fmin(4, x[j])) /
                         expl((wide)point[j]);
            z[INPUTS + 1 + p] = cosl(angle) / sqrtl(PAIRS), z[INPUTS + 1 + PAIRS + p] = sinl(angle) / sqrtl(PAIRS);
        }
        z[FEATURES] = (wide)*ring_y(&s->ring, t);
        wide weight = (wide)ring_weight(&s->ring, t);
        count += weight;
        for (size_t i = 0; i <= FEATURES; i++)
            for (size_t j = 0; j <= FEATURES; j++)
                a[i][j] += weight * z[i] * z[j];
    }
    for (size_t i = 0; i < FEATURES; i++) {
        wide prior = i <= INPUTS ? 1e-3L : lambda;
        a[i][i] += prior + 1e-13L * count; /* what keeps the pivots positive */
        value -= logl(prior) / 2;
    }
    for (size_t k = 0; k < FEATURES; k++) {
        value += logl(a[k][k]) / 2;
        for (size_t i = k + 1; i <= FEATURES; i++)
            for (size_t j = FEATURES + 1; j-- > k;)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    value += count / 2 * logl(a[FEATURES][FEATURES] / count);
    for (size_t j = 0; j < INPUTS; j++)
        value += ((wide)point[j] - w) * ((wide)point[j] - w) / 4;
    return (double)(value / count);
}

static void begin(setting *s) { search_begin(&s->search, &s->ring, 0, &s->scale, NULL, 0); }

/* Each gradient against differences of the value by definition, at the point where it was taken. */
static void gradient_is_that_of_the_evidence(void **state)
{
    (void)state;
    setting s = make_setting(0);
    double point[POINT], before[POINT] = {0};
    size_t seen = 0;
    for (begin(&s); !search_is_done(&s.search);) {
        memcpy(point, s.search.point, sizeof point);
        memcpy(before, s.search.gradient, sizeof before);
        search_advance(&s.search, &s.space);
        if (memcmp(before, s.search.gradient, sizeof before) == 0)
            continue;
        seen++;
        for (size_t j = 0; j < POINT; j++) {
            const double h = 1e-4;
            double up[POINT], down[POINT];
            memcpy(up, point, sizeof up), memcpy(down, point, sizeof down);
            up[j] += h, down[j] -= h;
            double slope = (evidence(&s, up) - evidence(&s, down)) / (2 * h);
            assert_near(s.search.gradient[j], slope, 1e-6 + 1e-5 * fabs(slope)); /* h^2, times third derivatives */
        }
    }
    assert_int_equal(seen, 8); /* for few rows */
    okra_block_release(s.memory);
}

/* What is found is better than where it started, and its value is the evidence. */
static void finds_what_is_more_probable(void **state)
{
    (void)state;
    setting s = make_setting(0);
    double start[POINT], best[POINT], widths[INPUTS];
    for (begin(&s); !search_is_done(&s.search);)
        search_advance(&s.search, &s.space);
    memcpy(best, s.search.best, sizeof best);
    for (size_t j = 0; j < INPUTS; j++)
        start[j] = log(sqrt(2.0 * INPUTS));
    start[INPUTS] = log(1e-3);
    assert_true(evidence(&s, best) < evidence(&s, start) - 0.05);
    assert_near(search_value(&s.search), evidence(&s, best), 1e-9);
    double lambda = search_lambda(&s.search, widths);
    assert_near(lambda, exp(best[INPUTS]), 1e-12 * lambda);
    assert_true(widths[0] < widths[1]);
    for (size_t j = 2; j < INPUTS; j++) /* nothing depends on these */
        assert_true(widths[j] > 2 * widths[0]);
    okra_block_release(s.memory);
}

/* Widths in use are where it starts: it cannot end with a worse value. A state written over a search that is under way
 * makes it end with the same bits. */
static void goes_on_from_a_state(void **state)
{
    (void)state;
    setting a = make_setting(0.5), b = make_setting(0);
    const double widths[INPUTS] = {1, 2, 8, 9};
    size_t parts = 0;
    array_view from, to;
    search_begin(&a.search, &a.ring, 0, &a.scale, widths, 1e-2);
    for (; parts < 100; parts++)
        search_advance(&a.search, &a.space);
    assert_false(search_is_done(&a.search));
    for (size_t i = 0; search_array(&a.search, i, &from); i++) {
        assert_true(search_array(&b.search, i, &to));
        memcpy(to.data, from.data, from.rows * from.cols * sizeof(double));
    }
    memcpy(b.space.a, a.space.a, a.space.stride * a.space.stride * sizeof(double));
    memcpy(b.space.inverse, a.space.inverse, a.space.stride * a.space.stride * sizeof(double));
    assert_true(search_after_load(&b.search));
    while (!search_is_done(&a.search)) {
        search_advance(&a.search, &a.space), search_advance(&b.search, &b.space);
        assert_memory_equal(a.search.point, b.search.point, POINT * sizeof(double));
    }
    assert_true(search_is_done(&b.search));
    assert_memory_equal(a.search.best, b.search.best, POINT * sizeof(double));
    double start[POINT];
    for (size_t j = 0; j < INPUTS; j++)
        start[j] = log(widths[j]);
    start[INPUTS] = log(1e-2);
    assert_true(search_value(&a.search) <= evidence(&a, start) + 1e-9);
    okra_block_release(a.memory), okra_block_release(b.memory);
}

/* Numbers from a file that make no sense end the search. */
static void drops_what_makes_no_sense(void **state)
{
    (void)state;
    setting s = make_setting(0);
    array_view number;
    begin(&s);
    assert_true(search_array(&s.search, 0, &number));
    for (size_t i = 0; i < 6; i++) { /* those that say where it is */
        static const double wrong[] = {-1, 0.5, 1e9, (double)NAN};
        for (size_t k = 0; k < COUNT_OF(wrong); k++) {
            begin(&s);
            ((double *)number.data)[i] = wrong[k];
            if (i == 4 && wrong[k] > 1) /* any sum of weights */
                continue;
            assert_false(search_after_load(&s.search));
            assert_true(search_is_done(&s.search));
        }
    }
    okra_block_release(s.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_is_that_of_the_evidence),
        cmocka_unit_test(finds_what_is_more_probable),
        cmocka_unit_test(goes_on_from_a_state),
        cmocka_unit_test(drops_what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
