/* The drift test on simulated errors: still where nothing happens, quick where something does. */
#include "check.h"

/* ---- errors ---------------------------------------------------------------------------------------------------- */

typedef enum law { GAUSS, STUDENT3, LAPLACE, CORRELATED, ROUNDED, N_LAWS } law;

static okra_random source;
static double memory; /* of the correlated ones */

static double normal(void)
{
    double x;
    okra_random_normal(&source, 1, &x);
    return x;
}

static void begin(uint64_t seed)
{
    source = (okra_random){.seed = seed};
    memory = 0;
}

static double draw(law kind)
{
    double z = normal(), a, b, c;
    switch (kind) {
    case STUDENT3:
        a = normal(), b = normal(), c = normal();
        return z / sqrt((a * a + b * b + c * c) / 3);
    case LAPLACE:
        a = normal(), b = normal();
        return z * sqrt(a * a + b * b);
    case CORRELATED:
        memory = 0.9 * memory + sqrt(1 - 0.81) * z;
        return memory;
    case ROUNDED:
        return round(z); /* 38% of them are 0 */
    default:
        return z;
    }
}

static size_t drifts_in(okra_drift *drift, law kind, double size, size_t rows)
{
    size_t drifts = 0;
    for (size_t i = 0; i < rows; i++)
        drifts += okra_drift_update(drift, size * draw(kind));
    return drifts;
}

/* Rows until the drift is told; `max` + 1 if it is not. */
static size_t delay(okra_drift *drift, law kind, double size, size_t max)
{
    size_t rows = 1;
    while (rows <= max && !okra_drift_update(drift, size * draw(kind)))
        rows++;
    return rows;
}

/* ---- false alarms ---------------------------------------------------------------------------------------------- */

/* 10^9 rows had none; one in a million is allowed. */
static void is_still_where_nothing_happens(void **state)
{
    (void)state;
    for (law kind = 0; kind < N_LAWS; kind++) {
        okra_drift drift;
        begin(1 + kind);
        okra_drift_init(&drift);
        size_t drifts = drifts_in(&drift, kind, 1, 1000000);
        if (drifts > 1)
            fail_msg("law %d: %zu drifts", (int)kind, drifts);
    }
}

/* A beginning knows little. 500 of them, a million rows in all. */
static void beginnings_are_still(void **state)
{
    (void)state;
    static const law kinds[] = {GAUSS, STUDENT3, LAPLACE};
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        size_t drifts = 0;
        begin(10 + k);
        for (size_t run = 0; run < 500; run++) {
            okra_drift drift;
            okra_drift_init(&drift);
            drifts += drifts_in(&drift, kinds[k], 1, 2000);
        }
        assert_true(drifts <= 1);
    }
}

static void no_single_row_decides(void **state)
{
    (void)state;
    okra_drift drift;
    begin(2);
    okra_drift_init(&drift);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(drifts_in(&drift, GAUSS, 1, 300), 0);
        assert_false(okra_drift_update(&drift, 1e300));
        assert_false(okra_drift_update(&drift, -1e300));
        assert_false(okra_drift_update(&drift, 0));
    }
}

/* ---- drifts ---------------------------------------------------------------------------------------------------- */

/*
 * The excess grows by log 4 - log 4 / 2 a row to h = 16 x 4.93 x (1 + 16/79) = 95: 137 rows in the mean, with a
 * deviation of sqrt(95 x 4.93 / 0.693^3) = 38. Twice the mean and six deviations leave room for the estimates of v.
 */
static void a_doubled_deviation_is_found(void **state)
{
    (void)state;
    static const law kinds[] = {GAUSS, STUDENT3};
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        double sum = 0;
        begin(20 + k);
        for (size_t run = 0; run < 100; run++) {
            okra_drift drift;
            okra_drift_init(&drift);
            assert_int_equal(drifts_in(&drift, kinds[k], 1, 5000), 0);
            size_t rows = delay(&drift, kinds[k], 2, 500);
            assert_true(rows <= 500);
            sum += (double)rows;
        }
        assert_true(sum / 100 < 200);
    }
}

/* A clipped excess of at most 6 - log 4 / 2 a row: at least 95 / 5.3 = 18 rows. */
static void a_large_change_is_found_soon(void **state)
{
    (void)state;
    begin(30);
    for (size_t run = 0; run < 100; run++) {
        okra_drift drift;
        okra_drift_init(&drift);
        assert_int_equal(drifts_in(&drift, GAUSS, 1, 5000), 0);
        size_t rows = delay(&drift, GAUSS, 1000, 100);
        assert_true(rows >= 15 && rows <= 30);
    }
}

/* E log|e| of a standard normal is -0.635: a geometric mean of 0.530. The end of a run under suspicion may be a few
 * rows before the change. */
static void says_what_happened(void **state)
{
    (void)state;
    okra_drift drift;
    begin(3);
    okra_drift_init(&drift);
    assert_int_equal(drifts_in(&drift, GAUSS, 0.1, 20000), 0);
    size_t rows = delay(&drift, GAUSS, 5, 100);
    assert_near(drift.before, 0.053, 0.003);                                /* deviation / sqrt(20,000) is 0.8% */
    assert_near(log(drift.after), log(2.65), 5 * 1.1 / sqrt((double)rows)); /* deviation of log|e| is 1.11 */
    assert_true(drift.ago >= rows - 2 && drift.ago <= rows + 10);
    assert_int_equal(drifts_in(&drift, GAUSS, 5, 20000), 0); /* one change is told once */
    assert_true(delay(&drift, GAUSS, 50, 100) <= 100);       /* and the next one again */
}

static void slow_growth_is_found(void **state)
{
    (void)state;
    okra_drift drift;
    size_t drifts = 0;
    begin(4);
    okra_drift_init(&drift);
    for (size_t i = 0; i < 200000; i++)
        drifts += okra_drift_update(&drift, draw(GAUSS) * exp((double)i / 40000));
    assert_true(drifts >= 1 && drifts <= 10);
}

static void a_fall_is_no_drift(void **state)
{
    (void)state;
    okra_drift drift;
    begin(5);
    okra_drift_init(&drift);
    for (double size = 1; size > 1e-6; size /= 4)
        assert_int_equal(drifts_in(&drift, GAUSS, size, 3000), 0);
    assert_true(delay(&drift, GAUSS, 1e-4, 200) <= 200); /* the new level is the usual one */
}

/* ---- against the test in full ---------------------------------------------------------------------------------- */

/* Page's test as the head of src/stream/drift.c puts it, with lists in the place of running sums: the rows under
 * suspicion, and the blocks that count. */
typedef struct slow_test {
    size_t n, rows, suspects, waiting, blocks;
    double start[16], level, above[64], g, fall;
    double *suspect, *suspect_x, *block; /* of those that count, then of those that wait */
} slow_test;

enum { SLOW_MAX = 1 << 16 };

static double sum_of(const double *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

/* The long-run variance of x, from the blocks that count. */
static double slow_variance(const slow_test *s)
{
    double squares = 0;
    for (size_t i = 0; i < s->blocks; i++)
        squares += s->block[i] * s->block[i] / 64;
    return s->blocks ? fmax(squares / (double)s->blocks, M_PI * M_PI / 2) : M_PI * M_PI / 2;
}

/* What 16 rows say of the level: their mean |e| in the place of a Gaussian's. */
static void slow_start(slow_test *s, double error)
{
    s->start[s->n++] = fabs(error);
    if (s->n == 16)
        s->level = 2 * log(sum_of(s->start, 16) / 16) - 0.8187801, s->rows = 1;
}

/* All rows since g was 0, their x and how far they were above the level; those join the level once g is 0 again. */
static void slow_weigh(slow_test *s, double x)
{
    double above = fmax(-6, fmin(6, x - s->level));
    size_t in_block = (s->n++ - 16) % 64;
    s->suspect[s->suspects] = above, s->suspect_x[s->suspects++] = x;
    s->above[in_block] = above;
    s->g = sum_of(s->suspect, s->suspects) - (double)s->suspects * log(4) / 2;
    s->fall = fmax(0, s->fall - above - log(4) / 2);
    if (in_block == 63)
        s->block[s->blocks + s->waiting++] = sum_of(s->above, 64);
    if (s->g <= 0 || s->rows < 256) {
        s->rows += s->suspects;
        s->level += sum_of(s->suspect, s->suspects) / (double)s->rows;
        s->g = 0, s->suspects = 0;
    }
    if (s->g <= 0 && s->fall <= 0)
        s->blocks += s->waiting, s->waiting = 0;
}

/* As okra_drift_update(), and what it is to say. */
static bool slow_update(slow_test *s, double error, double *before, double *after, size_t *ago)
{
    if (s->n < 16) {
        slow_start(s, error);
        return false;
    }
    slow_weigh(s, log(error * error));
    double h = 16 * slow_variance(s) * (1 + 16 / ((double)s->blocks + 1));
    bool risen = s->g > h;
    if (risen) {
        *before = exp(s->level / 2);
        *after = exp(sum_of(s->suspect_x, s->suspects) / (double)s->suspects / 2);
        *ago = s->suspects;
    }
    if (risen || s->fall > 8 * h)
        *s = (slow_test){.suspect = s->suspect, .suspect_x = s->suspect_x, .block = s->block};
    return risen;
}

/* Errors that rise, fall and rise again, by much and by little; the same rows tell, and tell the same. */
static void is_the_test_in_full(void **state)
{
    (void)state;
    static const double sizes[] = {1, 2, 0.1, 30, 1e-3, 1.5e-3, 1e-3, 1};
    static const law kinds[] = {GAUSS, STUDENT3, CORRELATED};
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        slow_test s = {.suspect = malloc(SLOW_MAX * sizeof(double)),
                       .suspect_x = malloc(SLOW_MAX * sizeof(double)),
                       .block = malloc(SLOW_MAX * sizeof(double))};
        okra_drift drift;
        double before = 0, after = 0;
        size_t ago = 0, told = 0;
        begin(40 + k);
        okra_drift_init(&drift);
        for (size_t i = 0; i < 3000 * COUNT_OF(sizes); i++) {
            double error = sizes[i / 3000] * draw(kinds[k]);
            bool risen = okra_drift_update(&drift, error);
            assert_int_equal(risen, slow_update(&s, error, &before, &after, &ago));
            assert_near(drift.level, s.level, 1e-9); /* sums of at most 24,000 numbers below 64 */
            if (risen) {
                assert_near(drift.before, before, 1e-9 * before);
                assert_near(drift.after, after, 1e-9 * after);
                assert_int_equal(drift.ago, ago);
            }
            told += risen;
        }
        assert_true(told >= 2);
        free(s.suspect), free(s.suspect_x), free(s.block);
    }
}

/* ---- promises -------------------------------------------------------------------------------------------------- */

static void the_unit_does_not_matter(void **state)
{
    (void)state;
    static const double units[] = {1, 1e-200, 1e200};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        okra_drift drift;
        begin(6);
        okra_drift_init(&drift);
        assert_int_equal(drifts_in(&drift, GAUSS, units[i], 3000), 0);
        static size_t first;
        size_t rows = delay(&drift, GAUSS, 3 * units[i], 400);
        assert_true(rows <= 400);
        first = i == 0 ? rows : first;
        assert_int_equal(rows, first);
    }
}

static void what_is_no_number_is_passed_over(void **state)
{
    (void)state;
    static const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    okra_drift drift;
    begin(7);
    okra_drift_init(&drift);
    drifts_in(&drift, GAUSS, 1, 1000);
    okra_drift before = drift;
    for (size_t i = 0; i < COUNT_OF(odd); i++)
        assert_false(okra_drift_update(&drift, odd[i]));
    assert_memory_equal(&drift, &before, sizeof drift);
    assert_false(okra_drift_update(NULL, 1));
    okra_drift_init(NULL);
}

static void a_copy_is_a_twin(void **state)
{
    (void)state;
    okra_drift drift, twin;
    begin(8);
    okra_drift_init(&drift);
    drifts_in(&drift, GAUSS, 1, 3000);
    drifts_in(&drift, GAUSS, 2, 50); /* under suspicion */
    twin = drift;
    for (size_t i = 0; i < 1000; i++) {
        double error = 2 * draw(GAUSS);
        assert_int_equal(okra_drift_update(&drift, error), okra_drift_update(&twin, error));
    }
    assert_memory_equal(&drift, &twin, sizeof drift);
}

/* From nothing at all to something is a rise; nothing at all is none. */
static void perfect_predictions_are_still(void **state)
{
    (void)state;
    okra_drift drift;
    okra_drift_init(&drift);
    for (size_t i = 0; i < 10000; i++)
        assert_false(okra_drift_update(&drift, 0));
    assert_true(delay(&drift, GAUSS, 1, 100) <= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_still_where_nothing_happens),
        cmocka_unit_test(beginnings_are_still),
        cmocka_unit_test(no_single_row_decides),
        cmocka_unit_test(a_doubled_deviation_is_found),
        cmocka_unit_test(a_large_change_is_found_soon),
        cmocka_unit_test(says_what_happened),
        cmocka_unit_test(slow_growth_is_found),
        cmocka_unit_test(a_fall_is_no_drift),
        cmocka_unit_test(is_the_test_in_full),
        cmocka_unit_test(the_unit_does_not_matter),
        cmocka_unit_test(what_is_no_number_is_passed_over),
        cmocka_unit_test(a_copy_is_a_twin),
        cmocka_unit_test(perfect_predictions_are_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
