/*
 * Golden vectors: the program says what another implementation of the algorithms said (golden/README.md).
 */
#include "harness.h"

#include <jansson.h>
#include <okra/io.h>

enum { SAMPLES = 2000, MAX_COLUMNS = 16 };

#define STREAM      OKRA_GOLDEN_DIR "/stream.csv"
#define FEATURES    OKRA_GOLDEN_DIR "/features.csv"
#define PREDICTIONS OKRA_GOLDEN_DIR "/predictions.csv"

static void read_column(const char *path, const char *name, double values[SAMPLES])
{
    okra_table *reader;
    okra_message why;
    double row[MAX_COLUMNS];
    assert_int_equal(okra_table_open(path, NULL, &reader, &why), OKRA_OK);
    size_t columns = okra_table_get(reader)->columns, c = 0;
    assert_true(columns <= MAX_COLUMNS);
    while (c < columns && strcmp(okra_table_column_name(reader, c), name) != 0)
        c++;
    assert_true(c < columns);
    bool more = true;
    for (size_t n = 0; n <= SAMPLES; n++) {
        assert_int_equal(okra_table_next(reader, row, &more, &why), OKRA_OK);
        assert_int_equal(more, n < SAMPLES);
        if (more)
            values[n] = row[c];
    }
    okra_table_close(reader);
}

/* The largest difference over the largest prediction. */
static double disagreement(const char *ours, const char *golden_column)
{
    static double a[SAMPLES], b[SAMPLES];
    double largest = 0, difference = 0;
    read_column(ours, "yhat", a);
    read_column(PREDICTIONS, golden_column, b);
    for (size_t n = 0; n < SAMPLES; n++) {
        largest = fmax(largest, fabs(b[n]));
        difference = isnan(a[n]) ? (double)INFINITY : fmax(difference, fabs(a[n] - b[n]));
    }
    return difference / largest;
}

/* A column of the golden predictions, and how to get it from the program. */
typedef struct golden_row {
    const char *column;
    const char *options[12];
    double bound, bound_f32; /* on the disagreement */
    int centres;             /* at the end; 0: there are none, or they were not told */
} golden_row;

/*
 * In double precision the bounds are the golden files' own expectation, with room. Float32 has roundings of 2^-24:
 * - LMS: one per sample, as good as independent, and 2000 of them come to sqrt(2000) 2^-24 = 2.7e-6; four times that.
 * - RLS: the condition number of P, from 1 / lambda down to 1 / 2000, is 2e7, and its factors feel the square root of
 *   it: 2^-24 sqrt(2e7) = 2.7e-4.
 * - KRLS: samples at the threshold go the other way, and a centre more or less is a direction of length sqrt(nu).
 */
#define LMS_F32  (4 * 2.7e-6)
#define RLS_F32  2.7e-4
#define KRLS_F32 2.2e-2

static golden_row rows[] = {
    {"rffklms", {"--recipe=rff-klms", "--mu=1", "--omega=" FEATURES}, 1e-10, LMS_F32, 0},
    {"rffnlms", {"--recipe=rff-nlms", "--mu=0.5", "--reg=1e-6", "--omega=" FEATURES}, 1e-10, LMS_F32, 0},
    {"qklms", {"--recipe=qklms", "--mu=1", "--sigma=5", "--epsilon=5"}, 1e-9, LMS_F32, 0},
    {"klms", {"--recipe=klms", "--mu=1", "--sigma=5"}, 1e-9, LMS_F32, SAMPLES},
    {"knlms_coherence",
     {"--recipe=knlms", "--mu=0.5", "--sigma=5", "--coherence=0.97", "--reg=1e-2"},
     1e-9,
     LMS_F32,
     0},
    {"rffkrls",
     {"--recipe=rff-krls", "--beta=0.9995", "--lambda=1e-4", "--cyclic=0", "--omega=" FEATURES},
     1e-8,
     RLS_F32,
     0},
    {"krls_ald", {"--recipe=krls", "--sigma=5", "--nu=5e-4"}, 1e-4, KRLS_F32, 132},
};

static double run_row(const golden_row *row, const char *precision)
{
    const char *arguments[32] = {OKRA_PROGRAM, "run",       "--quiet",     "--out",   "ours.csv",
                                 "--metrics",  "ours.json", "--precision", precision, STREAM};
    size_t n = 10;
    for (size_t i = 0; row->options[i]; i++)
        arguments[n++] = row->options[i];
    outcome result = run_program(&(call){0}, arguments);
    assert_done(result);
    outcome_free(&result);
    return disagreement("ours.csv", row->column);
}

static void assert_centres(int centres)
{
    json_t *metrics = json_load_file("ours.json", 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(metrics, "centres")), centres);
    json_decref(metrics);
}

static void agrees(void **state)
{
    const golden_row *row = *state;
    assert_near(run_row(row, "f64"), 0, row->bound);
    if (row->centres)
        assert_centres(row->centres);
}

/* Real float32: near, but no nearer than 24 bits allow. */
static void agrees_in_single_precision(void **state)
{
    const golden_row *row = *state;
    double off = run_row(row, "f32");
    assert_near(off, 0, row->bound_f32);
    assert_true(off > 1e-10);
}

int main(void)
{
    struct CMUnitTest tests[2 * COUNT_OF(rows)];
    static char names[COUNT_OF(rows)][32];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        snprintf(names[i], sizeof names[i], "%s in float32", rows[i].column);
        tests[2 * i] = (struct CMUnitTest){.name = rows[i].column, .test_func = agrees, .initial_state = &rows[i]};
        tests[2 * i + 1] =
            (struct CMUnitTest){.name = names[i], .test_func = agrees_in_single_precision, .initial_state = &rows[i]};
    }
    return cmocka_run_group_tests_name("cli golden", tests, enter_directory, leave_directory);
}
