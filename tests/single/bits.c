/*
 * A line for every recipe, map and kernel: a hash of all predictions and of all that was learnt, in the precision BITS.
 * The same source is compiled against the library and against the single file; what they print must be the same.
 */
#include <stdio.h>
#include <string.h>

#ifdef OKRA_SINGLE
#include "okra.h"
#else
#include <okra/okra.h>
#endif

#if BITS == 64
typedef double number;
#define TYPED(name) name
#else
typedef float number;
#define TYPED(name) name##_f32
#endif

enum { INPUTS = 3, SAMPLES = 150, THIRD = SAMPLES / 3, MEMORY = 1 << 20, ROOM = 1 << 14 };

static number X[SAMPLES * INPUTS], Y[SAMPLES], Yhat[SAMPLES];
static unsigned char memory[MEMORY], scratch[MEMORY];
static int failed;

/* FNV-1a */
static void mix(uint64_t *hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    while (bytes-- > 0)
        *hash = (*hash ^ *p++) * 1099511628211u;
}

static void make_stream(void)
{
    double x[INPUTS], noise;
    okra_random random = {.seed = 3, .stream = 7};
    for (int i = 0; i < SAMPLES; i++) {
        okra_random_normal(&random, INPUTS, x);
        okra_random_normal(&random, 1, &noise);
        for (int j = 0; j < INPUTS; j++)
            X[i * INPUTS + j] = (number)x[j];
        Y[i] = (number)(x[0] - x[1] * x[2] + 0.1 * noise);
    }
}

/* A third by steps, a third as a block, a third only asked for. */
static okra_status learn(okra_filter *filter)
{
    okra_status status = OKRA_OK;
    for (int i = 0; i < THIRD && !status; i++)
        status = TYPED(okra_step)(filter, X + INPUTS * i, Y + i, 1, Yhat + i, NULL);
    if (!status)
        status = TYPED(okra_run)(filter, THIRD, X + INPUTS * THIRD, Y + THIRD, NULL, Yhat + THIRD, NULL, NULL);
    if (!status)
        status = TYPED(okra_predict)(filter, scratch, THIRD, X + INPUTS * 2 * THIRD, Yhat + 2 * THIRD, NULL);
    return status;
}

static okra_status mix_filter(const okra_filter *filter, uint64_t *hash)
{
    static number values[ROOM];
    okra_array array;
    okra_counter counter;
    okra_status status = OKRA_OK;
    for (size_t i = 0; okra_counter_at(filter, i, &counter) == OKRA_OK; i++)
        mix(hash, &counter.value, sizeof counter.value);
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK && !status; i++) {
        size_t n = array.rows * array.cols;
        status = n <= ROOM ? okra_array_read(filter, array.name, values) : OKRA_E_BUFFER;
        if (!status)
            mix(hash, values, n * sizeof *values);
    }
    return status;
}

static void show(const char *recipe, int map, int kernel, okra_status status, uint64_t hash)
{
    printf("%s map %d kernel %d f%d %016llx\n", recipe, map, kernel, BITS, (unsigned long long)hash);
    if (status) {
        fprintf(stderr, "%s, map %d, kernel %d, f%d: %s\n", recipe, map, kernel, BITS, okra_strerror(status));
        failed = 1;
    }
}

/* With the recipe's own map where that is 0. In the caller's memory: a heap may be missing. */
static void try_filter(const okra_recipe *recipe, int map, int kernel)
{
    okra_spec spec;
    okra_filter *filter;
    uint64_t hash = 14695981039346656037u;
    okra_status status = okra_spec_init(&spec, recipe->name, INPUTS, 1);
    spec.precision = BITS, spec.kernel = kernel, spec.sigma = 2, spec.features = 38, spec.capacity = 60;
    spec.scale = OKRA_SCALE_NONE; /* which is for models */
    if (map)
        spec.map = map;
    if (!status)
        status = okra_init(memory, sizeof memory, &spec, &filter);
    if (!status)
        status = learn(filter);
    mix(&hash, Yhat, sizeof Yhat);
    if (!status)
        status = mix_filter(filter, &hash);
    show(recipe->name, map, kernel, status, hash);
}

/* Every map of a recipe that has a choice, and every kernel. */
static void try_recipe(const okra_recipe *recipe)
{
    try_filter(recipe, 0, OKRA_GAUSSIAN);
    for (size_t i = 0; i < recipe->n_params; i++) {
        const okra_param *p = recipe->params[i].param;
        for (const okra_choice *c = p->choices; c && c->name; c++)
            if (strcmp(p->name, "map") == 0)
                try_filter(recipe, c->value, OKRA_GAUSSIAN);
            else if (strcmp(p->name, "kernel") == 0)
                try_filter(recipe, 0, c->value);
    }
}

/* One that finds scale and width by itself: the half of the library around the filters. Without a heap there is none.
 */
static void try_model(void)
{
    okra_spec spec;
    okra_filter *model;
    uint64_t hash = 14695981039346656037u;
    okra_status status = okra_spec_init(&spec, "auto", INPUTS, 1);
    spec.precision = BITS, spec.features = 38, spec.lags = 2, spec.horizon = 1, spec.warmup = 40;
    if (!status)
        status = okra_create(&spec, &model);
#ifdef OKRA_NO_HEAP
    failed |= status != OKRA_E_MEMORY;
    return;
#endif
    for (int i = 0; i < SAMPLES && !status; i++) {
        status = TYPED(okra_step)(model, X + INPUTS * i, Y + i, 1, Yhat, NULL);
        mix(&hash, Yhat, sizeof *Yhat);
    }
    show("model", 0, 0, status, hash);
    if (!status)
        okra_free(model);
}

int main(void)
{
    make_stream();
    for (size_t i = 0; okra_recipe_at(i); i++)
        try_recipe(okra_recipe_at(i));
    try_model();
    return failed;
}
