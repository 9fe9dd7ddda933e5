/*
 * libFuzzer on filters: bytes are a spec, valid or not, and then a program of calls, with samples of every kind. What
 * okra/filter.h promises is checked after each call: a refusal leaves no trace, a block is its steps, a step reports
 * what a prediction says, a twin goes on with the same bits, and what is called good is finite.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "state.h"

enum { LARGEST = 1 << 17 }; /* of a filter, in bytes, to be quick */

typedef struct bed {
    program *p;
    okra_filter *filter;
    void *memory;         /* the filter's, where it is ours and not its own */
    okra_filter *newborn; /* as it was at first; NULL once its state was written from outside: it may be one that no
                             stream leads to */
    int precision;
    size_t inputs, outputs, size; /* size: of a number */
    bool had_long_block;          /* which takes longest: once is enough */
} bed;

/* ---- calls, of either precision ------------------------------------------------------------------------------ */

static okra_status step(okra_filter *filter, const void *x, const void *y, double weight, void *yhat)
{
    return okra_get_spec(filter)->precision == OKRA_F32 ? okra_step_f32(filter, x, y, (float)weight, yhat, NULL)
                                                        : okra_step(filter, x, y, weight, yhat, NULL);
}

static okra_status run(okra_filter *filter, size_t n, const void *X, const void *Y, const void *weights, void *Yhat,
                       size_t *done)
{
    return okra_get_spec(filter)->precision == OKRA_F32 ? okra_run_f32(filter, n, X, Y, weights, Yhat, NULL, done)
                                                        : okra_run(filter, n, X, Y, weights, Yhat, NULL, done);
}

static okra_status predict_with(const okra_filter *filter, void *scratch, size_t n, const void *X, void *Yhat)
{
    return okra_get_spec(filter)->precision == OKRA_F32 ? okra_predict_f32(filter, scratch, n, X, Yhat, NULL)
                                                        : okra_predict(filter, scratch, n, X, Yhat, NULL);
}

static okra_status predict(const okra_filter *filter, size_t n, const void *X, void *Yhat)
{
    void *scratch = state_room(okra_scratch_size(filter));
    okra_status status = predict_with(filter, scratch, n, X, Yhat);
    free(scratch);
    return status;
}

static okra_status predict_variance(const okra_filter *filter, void *scratch, size_t n, const void *X, void *Yhat,
                                    void *variance)
{
    return okra_get_spec(filter)->precision == OKRA_F32 ? okra_predict_f32(filter, scratch, n, X, Yhat, variance)
                                                        : okra_predict(filter, scratch, n, X, Yhat, variance);
}

/* ---- the program --------------------------------------------------------------------------------------------- */

static double read_weight(program *p) { return program_byte(p) < 128 ? 1 : program_number(p); }

static bool is_refusal(okra_status status)
{
    return status == OKRA_E_SAMPLE || status == OKRA_E_RANGE || status == OKRA_E_DIVERGED || status == OKRA_E_FULL;
}

static void do_step(bed *b)
{
    void *x = program_numbers(b->p, b->precision, b->inputs), *y = program_numbers(b->p, b->precision, b->outputs);
    void *said = state_room(b->outputs * b->size), *yhat = state_room(b->outputs * b->size);
    size_t size;
    unsigned char *before = state_read(a_filter(b->filter), &size);
    okra_status asked = predict(b->filter, 1, x, said), status = step(b->filter, x, y, read_weight(b->p), yhat);
    if (status) {
        fuzz_expect(is_refusal(status) && state_untouched(yhat, b->outputs * b->size));
        fuzz_expect(state_is(a_filter(b->filter), before, size));
    } else {
        fuzz_expect(!asked && memcmp(said, yhat, b->outputs * b->size) == 0);
        fuzz_expect(numbers_finite(b->precision, b->outputs, yhat));
        free(before);
    }
    free(x), free(y), free(said), free(yhat);
}

/* A twin takes the samples of a block one by one, until one is refused. */
static void check_block(const bed *b, okra_filter *twin, size_t n, const char *X, const char *Y, const void *weights)
{
    size_t row = b->outputs * b->size, done, i = 0;
    char *Yhat = state_room(n * row), *yhat = state_room(row);
    okra_status blocked = run(b->filter, n, X, Y, weights, Yhat, &done), stepped = OKRA_OK;
    while (i < n && !stepped) {
        double weight = weights ? number_at(b->precision, weights, i) : 1;
        stepped = step(twin, X + i * b->inputs * b->size, Y + i * row, weight, yhat);
        if (!stepped)
            fuzz_expect(memcmp(yhat, Yhat + i++ * row, row) == 0);
    }
    fuzz_expect(blocked == stepped && done == i && state_same(a_filter(b->filter), a_filter(twin)));
    free(Yhat), free(yhat);
}

static void do_block(bed *b)
{
    okra_filter *twin;
    size_t n = program_count(b->p, 20);
    void *X = program_numbers(b->p, b->precision, n * b->inputs),
         *Y = program_numbers(b->p, b->precision, n * b->outputs);
    void *weights = program_byte(b->p) % 2 ? program_numbers(b->p, b->precision, n) : NULL;
    fuzz_expect(!okra_clone(b->filter, &twin));
    check_block(b, twin, n, X, Y, weights);
    okra_free(twin);
    free(X), free(Y), free(weights);
}

/* Rows enough for more than one of the chunks that a block is cut into, from a few numbers. */
static void do_long_block(bed *b)
{
    enum { FEW = 7 };
    okra_filter *twin;
    if (b->had_long_block || program_byte(b->p) % 4)
        return;
    b->had_long_block = true;
    size_t n = 250 + program_count(b->p, 20), columns = b->inputs > b->outputs ? b->inputs : b->outputs;
    char *few = program_numbers(b->p, b->precision, FEW), *many = state_room(n * columns * b->size);
    for (size_t i = 0; i < n * columns; i++)
        memcpy(many + i * b->size, few + i % FEW * b->size, b->size);
    fuzz_expect(!okra_clone(b->filter, &twin));
    check_block(b, twin, n, many, many, NULL);
    okra_free(twin);
    free(few), free(many);
}

static void check_variance(const bed *b, void *scratch, size_t n, const void *X, const void *Yhat)
{
    size_t room = n * b->outputs * b->size;
    void *same = state_room(room), *variance = state_room(room);
    okra_status status = predict_variance(b->filter, scratch, n, X, same, variance);
    if (status == OKRA_OK) {
        fuzz_expect(n == 0 || memcmp(same, Yhat, room) == 0);
        for (size_t i = 0; i < n * b->outputs; i++)
            fuzz_expect(number_at(b->precision, variance, i) >= 0); /* infinite if nothing is known */
    }
    free(same), free(variance);
}

static void do_predict(bed *b)
{
    size_t n = program_count(b->p, 5), room = n * b->outputs * b->size, size;
    void *X = program_numbers(b->p, b->precision, n * b->inputs), *Yhat = state_room(room), *same = state_room(room);
    unsigned char *before = state_read(a_filter(b->filter), &size);
    char *scratch = state_room(okra_scratch_size(b->filter) + 1);
    okra_status status = predict(b->filter, n, X, Yhat);
    fuzz_expect(status == OKRA_OK || status == OKRA_E_SAMPLE || status == OKRA_E_RANGE);
    fuzz_expect(predict_with(b->filter, scratch + 1, n, X, same) == status);
    if (!status) {
        fuzz_expect(n == 0 || memcmp(Yhat, same, room) == 0);
        fuzz_expect(numbers_finite(b->precision, n * b->outputs, Yhat));
        check_variance(b, scratch + 1, n, X, Yhat);
    }
    fuzz_expect(state_is(a_filter(b->filter), before, size));
    free(X), free(Yhat), free(same), free(scratch);
}

static void replace(bed *b, okra_filter *filter, void *memory)
{
    okra_free(b->filter);
    free(b->memory);
    b->filter = filter;
    b->memory = memory;
}

static void do_clone(bed *b)
{
    okra_filter *twin;
    fuzz_expect(!okra_clone(b->filter, &twin) && state_same(a_filter(b->filter), a_filter(twin)));
    replace(b, twin, NULL);
}

/* Goes on in memory of ours, which begins anywhere and has no byte to spare. */
static void do_move(bed *b)
{
    const okra_spec *spec = okra_get_spec(b->filter);
    if (!b->newborn)
        return;
    size_t bytes = okra_size(spec), offset = program_count(b->p, 63);
    char *memory = state_room(bytes + offset);
    okra_filter *moved;
    fuzz_expect(okra_init(memory + offset, bytes - 64, spec, &moved) == OKRA_E_BUFFER && !moved);
    fuzz_expect(!okra_init(memory + offset, bytes, spec, &moved));
    state_copy(a_filter(b->filter), a_filter(moved));
    fuzz_expect(state_same(a_filter(b->filter), a_filter(moved)));
    replace(b, moved, memory);
}

static void do_reset(bed *b)
{
    okra_stats stats;
    fuzz_expect(!okra_reset(b->filter) && (!b->newborn || state_same(a_filter(b->filter), a_filter(b->newborn))));
    fuzz_expect(!okra_get_stats(b->filter, &stats) && stats.learnt == 0 && stats.centres == 0);
}

static void forget_newborn(bed *b)
{
    okra_free(b->newborn);
    b->newborn = NULL;
}

/* Numbers of the program's into one of the arrays. */
static void do_write_array(bed *b)
{
    okra_array array;
    if (okra_array_at(b->filter, program_count(b->p, 7), &array))
        return;
    size_t n = array.rows * array.cols, size;
    void *numbers = program_numbers(b->p, b->precision, n), *back = state_room(n * b->size);
    unsigned char *before = state_read(a_filter(b->filter), &size);
    okra_status status = okra_array_write(b->filter, array.name, numbers);
    fuzz_expect(status == OKRA_OK || status == OKRA_E_SAMPLE);
    if (status) {
        fuzz_expect(state_is(a_filter(b->filter), before, size));
    } else {
        /* some arrays are put right as they are written; then what is read is what can be written */
        fuzz_expect(!okra_array_read(b->filter, array.name, back) && !okra_array_write(b->filter, array.name, back));
        fuzz_expect(!okra_array_read(b->filter, array.name, numbers) && memcmp(back, numbers, n * b->size) == 0);
        free(before);
        forget_newborn(b);
    }
    free(numbers), free(back);
}

static void do_write_counter(bed *b)
{
    okra_counter counter;
    if (okra_counter_at(b->filter, program_count(b->p, 12), &counter))
        return;
    uint64_t value = program_count(b->p, 30), most = counter.max;
    if (program_byte(b->p) % 4 == 0)
        value += most - 15;
    fuzz_expect(okra_counter_write(b->filter, counter.name, value) == (value > most ? OKRA_E_PARAMETER : OKRA_OK));
    forget_newborn(b);
}

static void do_misuse(bed *b)
{
    double wide[8] = {0};
    float narrow[8] = {0};
    size_t size, done;
    unsigned char *before = state_read(a_filter(b->filter), &size);
    fuzz_expect(okra_step(b->filter, NULL, wide, 1, wide, NULL) == OKRA_E_NULL);
    fuzz_expect(okra_run(NULL, 1, wide, wide, NULL, wide, NULL, &done) == OKRA_E_NULL);
    fuzz_expect(okra_array_write(b->filter, "no such array", wide) == OKRA_E_ARRAY);
    if (b->precision == OKRA_F64) /* doubles suit either */
        fuzz_expect(okra_step_f32(b->filter, narrow, narrow, 1, narrow, NULL) == OKRA_E_PRECISION);
    fuzz_expect(state_is(a_filter(b->filter), before, size));
}

static void go_through(bed *b)
{
    static void (*const calls[])(bed *) = {
        do_step,    do_step,  do_step, do_step,  do_step, do_block,       do_block,         do_block,  do_predict,
        do_predict, do_clone, do_move, do_reset, do_step, do_write_array, do_write_counter, do_misuse, do_long_block};
    enum { CALLS = sizeof calls / sizeof *calls, MAX = 16 };
    for (int i = 0; i < MAX && !program_over(b->p); i++)
        calls[program_count(b->p, CALLS - 1)](b);
}

/* ---- making -------------------------------------------------------------------------------------------------- */

static okra_filter *make(const okra_spec *spec)
{
    okra_message why = {""};
    okra_filter *filter;
    okra_status good = okra_spec_check(spec, &why);
    size_t bytes = okra_size(spec);
    if (good) {
        fuzz_message(&why);
        fuzz_expect(bytes == 0 && okra_create(spec, &filter) == good && !filter);
        return NULL;
    }
    if (bytes > LARGEST)
        return NULL;
    fuzz_expect(okra_create(spec, &filter) == (bytes ? OKRA_OK : OKRA_E_SIZE));
    return filter;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    program p = {data, data + size};
    okra_spec spec;
    program_spec(&p, &spec);
    if (spec.sigma == OKRA_SIGMA_AUTO)
        spec.sigma = 1;
    spec.lags = spec.horizon = 1, spec.lag_from = spec.target_lags = 0, spec.scale = OKRA_SCALE_NONE; /* bare */
    double *given = program_frequencies(&p, &spec, spec.inputs);
    bed b = {
        .p = &p, .filter = make(&spec), .precision = spec.precision, .inputs = spec.inputs, .outputs = spec.outputs};
    b.size = number_size(b.precision);
    free(given);
    if (b.filter && !okra_clone(b.filter, &b.newborn))
        go_through(&b);
    forget_newborn(&b);
    replace(&b, NULL, NULL);
    return 0;
}
