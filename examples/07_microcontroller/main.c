/*
 * okra on a microcontroller: learns Example 2 of the paper, y = w0.x + 0.1 (w1.x)^2 + noise, in float32, in memory of
 * its own, without a heap. The stream is that of `okra signal ex2`; only the computer is smaller.
 */
#include <math.h>

#include "board.h"
#include "okra.h"

/* Others can be named on the command line, as in -DFEATURES=32. */
#ifndef RECIPE
#define RECIPE "rff-klms"
#endif
#ifndef MAP
#define MAP OKRA_MAP_QMC /* of few features, more is had from quasi-random ones */
#endif
#ifndef FEATURES
#define FEATURES 64
#endif
#ifndef BLOCK
#define BLOCK 50
#endif
#ifndef MEMORY
#define MEMORY 4096
#endif
#ifndef SAMPLES
#define SAMPLES 15000
#endif

enum { INPUTS = 5, REPORTS = 5, REPORT = SAMPLES / REPORTS };
_Static_assert(REPORT % BLOCK == 0, "SAMPLES must be a multiple of 5 BLOCK");

/* The filter's memory. okra_size() says how much it needs; here the number is fixed, and okra_init() checks it. */
static unsigned char memory[MEMORY];

/* ---- the stream ----------------------------------------------------------------------------------------------------
 */

enum { COEFFICIENTS_STREAM = 11, INPUTS_STREAM = 12, NOISE_STREAM = 13 };

static double w0_w1[2 * INPUTS];
static okra_random input = {.seed = 1, .stream = INPUTS_STREAM}, noise = {.seed = 1, .stream = NOISE_STREAM};

static void start_stream(void)
{
    okra_random coefficients = {.seed = 1, .stream = COEFFICIENTS_STREAM};
    okra_random_normal(&coefficients, 2 * INPUTS, w0_w1);
}

/* In double, as on the desktop: this simulates the data source, and is not measured. */
static void next_sample(float *x, float *y)
{
    double u[INPUTS], v, linear = 0, square = 0;
    okra_random_normal(&input, INPUTS, u);
    okra_random_normal(&noise, 1, &v);
    for (int j = 0; j < INPUTS; j++) {
        linear += w0_w1[j] * u[j];
        square += w0_w1[INPUTS + j] * u[j];
        x[j] = (float)u[j];
    }
    *y = (float)(linear + 0.1 * square * square + 0.05 * v);
}

/* ---- text without printf, which would bring a heap along ------------------------------------------------------------
 */

static void print_digits(uint32_t value, uint32_t base, int min)
{
    char text[12], *p = text + sizeof text - 1;
    for (*p = '\0'; value > 0 || min > 0; value /= base, min--)
        *--p = "0123456789abcdef"[value % base];
    board_print(p);
}

static void print_count(const char *before, uint32_t value, const char *after)
{
    board_print(before);
    print_digits(value, 10, 1);
    board_print(after);
}

/* In dB to two places, and its bits, for those who compare. */
static void print_error(uint32_t sample, float mse)
{
    float decibels = 10 * log10f(mse);
    uint32_t hundredths = (uint32_t)(fabsf(decibels) * 100 + 0.5f);
    union {
        float value;
        uint32_t bits;
    } exact = {mse};
    print_count("after ", sample, decibels < 0 ? " samples: error -" : " samples: error ");
    print_digits(hundredths / 100, 10, 1);
    board_print(".");
    print_digits(hundredths % 100, 10, 2);
    board_print(" dB (");
    print_digits(exact.bits, 16, 8);
    board_print(")\n");
}

/* ---- learning
 * -------------------------------------------------------------------------------------------------------- */

/* Learns a block sample by sample; adds its squared errors and the instructions that the steps took. */
static okra_status learn_block(okra_filter *filter, float *squares, uint32_t *instructions)
{
    static float X[BLOCK][INPUTS], Y[BLOCK], Yhat[BLOCK];
    okra_status status = OKRA_OK;
    for (int i = 0; i < BLOCK; i++)
        next_sample(X[i], Y + i);
    uint32_t before = board_instructions();
    for (int i = 0; i < BLOCK && !status; i++)
        status = okra_step_f32(filter, X[i], Y + i, 1, Yhat + i, NULL);
    *instructions += board_instructions() - before;
    for (int i = 0; i < BLOCK; i++)
        *squares += (Y[i] - Yhat[i]) * (Y[i] - Yhat[i]);
    return status;
}

static okra_status learn(okra_filter *filter, uint32_t *instructions)
{
    okra_status status = OKRA_OK;
    float squares = 0;
    for (int n = BLOCK; n <= SAMPLES && !status; n += BLOCK) {
        status = learn_block(filter, &squares, instructions);
        if (!status && n % REPORT == 0) {
            print_error((uint32_t)n, squares / REPORT);
            squares = 0;
        }
    }
    return status;
}

static okra_status make_filter(okra_filter **filter)
{
    okra_spec spec;
    okra_status status = okra_spec_init(&spec, RECIPE, INPUTS, 1);
    if (status)
        return status;
    spec.precision = OKRA_F32;
    spec.map = MAP;
    spec.features = FEATURES;
    spec.sigma = 5;
    spec.mu = 1;
    print_count("a filter of ", FEATURES, " features needs ");
    print_count("", (uint32_t)okra_size(&spec), " bytes");
    print_count(" of ", sizeof memory, "\n");
    return okra_init(memory, sizeof memory, &spec, filter);
}

int main(void)
{
    okra_filter *filter;
    uint32_t instructions = 0, before = board_instructions();
    okra_status status = make_filter(&filter);
    if (!status && board_instructions() != before)
        print_count("made in ", board_instructions() - before, " instructions\n");
    start_stream();
    if (!status)
        status = learn(filter, &instructions);
    if (instructions)
        print_count("a step takes ", instructions / SAMPLES, " instructions\n");
    if (board_stack())
        print_count("stack: ", (uint32_t)board_stack(), " bytes\n");
    if (status) {
        board_print(okra_strerror(status));
        board_print("\n");
    }
    return status;
}
