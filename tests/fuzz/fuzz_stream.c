/*
 * libFuzzer on models: bytes are the spec of a model, valid or not, with lags, a horizon, a scale and a width to be
 * found, and then a program of rows and other calls. A row that is refused leaves no trace; what is predicted is a
 * number, or NaN if a lag is missing; and a twin, loaded from a file, made from state arrays or read from JSON, goes
 * on with the same bits.
 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "program.h"
#include "state.h"

enum { LARGEST = 1 << 19 }; /* of a model, in bytes, to be quick */

typedef struct bed {
    program *p;
    okra_filter *model, *twin; /* the twin is given all that the model is; NULL: there is none yet */
    int precision;
    size_t inputs, targets, size; /* size: of a number */
    bool exported;                /* to JSON, which takes longest, once */
} bed;

/* ---- rows ---------------------------------------------------------------------------------------------------- */

typedef enum kind { STEP, STEP_VARIANCE, PREDICT, SKIP, KINDS } kind;

typedef struct row {
    kind kind;
    void *u, *y; /* y: NULL now and then */
    double weight;
} row;

static okra_status take_f64(okra_filter *model, const row *r, void *yhat, void *variance)
{
    if (r->kind == STEP)
        return okra_step(model, r->u, r->y, r->weight, yhat, NULL);
    return okra_step(model, r->u, r->y, r->kind == PREDICT ? 1 : r->weight, yhat, r->kind == PREDICT ? NULL : variance);
}

static okra_status take_f32(okra_filter *model, const row *r, void *yhat, void *variance)
{
    if (r->kind == STEP)
        return okra_step_f32(model, r->u, r->y, (float)r->weight, yhat, NULL);
    return okra_step_f32(model, r->u, r->y, r->kind == PREDICT ? 1 : (float)r->weight, yhat,
                         r->kind == PREDICT ? NULL : variance);
}

/* What a model says to a row, in rooms for its numbers. */
static okra_status take(const bed *b, okra_filter *model, const row *r, void *yhat, void *variance)
{
    if (r->kind == SKIP)
        return okra_skip(model);
    okra_freeze(model, r->kind == PREDICT);
    okra_status status =
        b->precision == OKRA_F32 ? take_f32(model, r, yhat, variance) : take_f64(model, r, yhat, variance);
    okra_freeze(model, false);
    return status;
}

/* The same, of a model that is as before where it says no. */
static okra_status take_or_leave(const bed *b, const row *r, void *yhat, void *variance)
{
    size_t size;
    unsigned char *before = state_read(a_model(b->model), &size);
    okra_status status = take(b, b->model, r, yhat, variance);
    if (status)
        fuzz_expect(state_is(a_model(b->model), before, size));
    else
        free(before);
    return status;
}

static bool is_refusal(okra_status status)
{
    return status == OKRA_E_SAMPLE || status == OKRA_E_RANGE || status == OKRA_E_DIVERGED || status == OKRA_E_FULL ||
           status == OKRA_E_UNSUPPORTED;
}

static void check_predicted(const bed *b, const row *r, const void *yhat, const void *variance)
{
    for (size_t c = 0; c < b->targets && r->kind != SKIP; c++) {
        fuzz_expect(!isinf(number_at(b->precision, yhat, c)));
        fuzz_expect(r->kind != STEP_VARIANCE || !(number_at(b->precision, variance, c) < 0));
    }
}

/* Reading a state takes longer than a row: it is done where `watched`. */
static void take_row(bed *b, const row *r, bool watched)
{
    size_t room = b->targets * b->size;
    void *yhat = state_room(room), *variance = state_room(room), *same = state_room(room), *vary = state_room(room);
    okra_status status = watched ? take_or_leave(b, r, yhat, variance) : take(b, b->model, r, yhat, variance);
    if (status)
        fuzz_expect(is_refusal(status) && r->kind != SKIP);
    else
        check_predicted(b, r, yhat, variance);
    if (b->twin) {
        fuzz_expect(take(b, b->twin, r, same, vary) == status);
        fuzz_expect(memcmp(yhat, same, room) == 0 && memcmp(variance, vary, room) == 0);
    }
    free(yhat), free(variance), free(same), free(vary);
}

static void do_row(bed *b)
{
    program *p = b->p;
    unsigned how = program_byte(p);
    row r = {.kind = how < 160 ? STEP : (kind)(how % KINDS), .weight = 1};
    r.u = program_numbers(p, b->precision, b->inputs);
    if (how % 16 != 15)
        r.y = program_numbers(p, b->precision, b->targets);
    if (how % 16 == 14)
        r.weight = program_number(p);
    take_row(b, &r, true);
    free(r.u), free(r.y);
}

/* As many rows as a warm-up takes, from a few numbers. */
static void do_rows(bed *b)
{
    enum { FEW = 5 };
    size_t n = 1 + program_count(b->p, 39), columns = b->inputs + b->targets, at = 0;
    char *few = program_numbers(b->p, b->precision, FEW), *row_of = state_room(columns * b->size);
    unsigned unlearnt = program_byte(b->p); /* one row in so many is predicted only */
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < columns; c++, at++)
            memcpy(row_of + c * b->size, few + (at * at / 3) % FEW * b->size, b->size);
        row r = {.kind = unlearnt && i % unlearnt == 0 ? PREDICT : STEP, .weight = 1};
        r.u = row_of, r.y = row_of + b->inputs * b->size;
        take_row(b, &r, i % 16 == 15); /* the first estimate is made there */
    }
    free(few), free(row_of);
}

/* ---- twins --------------------------------------------------------------------------------------------------- */

static void be_twins(bed *b, okra_filter *twin)
{
    fuzz_expect(state_same(a_model(b->model), a_model(twin)));
    fuzz_expect(!b->twin || state_same(a_model(b->model), a_model(b->twin)));
    okra_free(b->twin);
    b->twin = twin;
}

/* The one that was saved goes on as the twin, or the one that was loaded. */
static void do_load(bed *b)
{
    size_t size;
    unsigned char *bytes = fuzz_pack(b->model, &size);
    okra_filter *loaded = fuzz_unpack(bytes, size);
    fuzz_expect(fuzz_same_model(b->model, loaded));
    be_twins(b, loaded);
    free(bytes);
    if (program_byte(b->p) % 2) {
        b->twin = b->model;
        b->model = loaded;
    }
}

static void do_json(bed *b)
{
    if (b->exported || program_byte(b->p) % 2)
        return;
    b->exported = true;
    size_t size, back_size;
    unsigned char *bytes = fuzz_pack(b->model, &size), *back;
    char *json;
    fuzz_expect(!okra_export(bytes, size, 0, &json, NULL));
    fuzz_expect(!okra_import(json, strlen(json), 0, &back, &back_size, NULL));
    fuzz_expect(size == back_size && memcmp(bytes, back, size) == 0);
    be_twins(b, fuzz_unpack(back, back_size));
    free(bytes), free(json), free(back);
}

static void do_copy(bed *b)
{
    okra_spec spec = *okra_get_spec(b->model);
    okra_filter *copy;
    fuzz_expect(!okra_create(&spec, &copy));
    state_copy(a_model(b->model), a_model(copy));
    be_twins(b, copy);
}

static void do_reset(bed *b)
{
    fuzz_expect(!okra_reset(b->model) && (!b->twin || !okra_reset(b->twin)));
    fuzz_expect(!b->twin || state_same(a_model(b->model), a_model(b->twin)));
}

static void go_through(bed *b)
{
    static void (*const calls[])(bed *) = {do_row, do_row,  do_row,  do_row,  do_row,  do_row, do_row,  do_rows,
                                           do_row, do_rows, do_load, do_copy, do_json, do_row, do_reset};
    enum { CALLS = sizeof calls / sizeof *calls, MAX = 12 };
    for (int i = 0; i < MAX && !program_over(b->p); i++)
        calls[program_count(b->p, CALLS - 1)](b);
    fuzz_expect(!b->twin || fuzz_same_model(b->model, b->twin));
}

/* ---- making -------------------------------------------------------------------------------------------------- */

/* The frequencies that were given, or NULL. */
static double *read_spec(program *p, okra_spec *spec)
{
    *spec = (okra_spec){.scale = (int)program_byte(p) % 3 % 2};
    program_spec(p, spec);
    spec->inputs = program_count(p, 3);
    spec->lags = program_byte(p) < 100 ? 1 : program_count(p, 3);
    spec->lag_from = program_byte(p) < 150 ? 0 : program_count(p, 2);
    spec->target_lags = program_byte(p) < 100 ? 0 : program_count(p, 2);
    spec->horizon = program_byte(p) < 100 ? 1 : program_count(p, 4);
    spec->warmup = program_count(p, 40);
    if (spec->sigma > 0 && program_byte(p) < 60)
        spec->sigma = OKRA_SIGMA_AUTO;
    return program_frequencies(p, spec, spec->inputs * spec->lags + spec->outputs * spec->target_lags);
}

static okra_filter *make(const okra_spec *spec)
{
    okra_message why = {""};
    okra_filter *model;
    okra_status good = okra_spec_check(spec, &why);
    size_t bytes = okra_size(spec);
    if (good) {
        fuzz_message(&why);
        fuzz_expect(bytes == 0 && okra_create(spec, &model) == good && !model);
        return NULL;
    }
    if (bytes > LARGEST)
        return NULL;
    fuzz_expect(okra_create(spec, &model) == (bytes ? OKRA_OK : OKRA_E_SIZE));
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    program p = {data, data + size};
    okra_spec spec;
    double *given = read_spec(&p, &spec);
    bed b = {.p = &p, .model = make(&spec), .precision = spec.precision, .inputs = spec.inputs};
    b.targets = spec.outputs;
    b.size = number_size(b.precision);
    free(given);
    if (b.model)
        go_through(&b);
    okra_free(b.model);
    okra_free(b.twin);
    return 0;
}
