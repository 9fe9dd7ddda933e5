/*
 * Golden vectors: the program says what another implementation of the algorithms said (golden/README.md).
 */
#include "harness.h"

#include <okra/io.h>

enum { SAMPLES = 2000, MOST_COLUMNS = 16 };

#define STREAM      OKRA_GOLDEN_DIR "/stream.csv"
#define FEATURES    OKRA_GOLDEN_DIR "/features.csv"
#define PREDICTIONS OKRA_GOLDEN_DIR "/predictions.csv"

static void read_column(const char *path, const char *name, double values[SAMPLES])
{
    okra_reader *reader;
    okra_message why;
    double row[MOST_COLUMNS];
    assert_int_equal(okra_reader_open(path, &reader, &why), OKRA_OK);
    size_t columns = okra_reader_columns(reader), c = 0;
    assert_true(columns <= MOST_COLUMNS);
    while (c < columns && strcmp(okra_reader_column_name(reader, c), name) != 0)
        c++;
    assert_true(c < columns);
    bool more = true;
    for (size_t n = 0; n <= SAMPLES; n++) {
        assert_int_equal(okra_reader_next(reader, row, &more, &why), OKRA_OK);
        assert_int_equal(more, n < SAMPLES);
        if (more)
            values[n] = row[c];
    }
    okra_reader_close(reader);
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

static double run_klms(const char *precision)
{
    outcome result = okra(NULL, "run", "--recipe", "rff-klms", "--mu", "1", "--precision", precision, "--omega",
                          FEATURES, "--out", "ours.csv", STREAM);
    assert_done(result);
    outcome_free(&result);
    return disagreement("ours.csv", "rffklms");
}

static void rff_klms_agrees(void **state)
{
    (void)state;
    assert_true(run_klms("f64") < 1e-10);
}

/* Real float32: near, but no nearer than 24 bits allow. */
static void rff_klms_agrees_in_single_precision(void **state)
{
    (void)state;
    double off = run_klms("f32");
    assert_true(off < 1e-5);
    assert_true(off > 1e-10);
}

static void rff_nlms_agrees(void **state)
{
    (void)state;
    outcome result = okra(NULL, "run", "--recipe", "rff-nlms", "--mu", "0.5", "--reg", "1e-6", "--omega", FEATURES,
                          "--out", "ours.csv", STREAM);
    assert_done(result);
    outcome_free(&result);
    assert_true(disagreement("ours.csv", "rffnlms") < 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rff_klms_agrees),
        cmocka_unit_test(rff_klms_agrees_in_single_precision),
        cmocka_unit_test(rff_nlms_agrees),
    };
    return cmocka_run_group_tests_name("cli golden", tests, enter_directory, leave_directory);
}
