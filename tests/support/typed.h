/* For tests that are compiled once per precision: the public calls of that precision under one name, and data of its
 * type. */
#ifndef OKRA_TESTS_TYPED_H
#define OKRA_TESTS_TYPED_H

#include "check.h"

#include "core/real.h"

/* Ordinary steps, and predictions in scratch of their own. */
static inline okra_status step(okra_filter *f, const real *x, const real *y, real *yhat)
{
    return OKRA_PUBLIC(okra_step)(f, x, y, 1, yhat, NULL);
}

static inline okra_status step_weighted(okra_filter *f, const real *x, const real *y, real weight, real *yhat)
{
    return OKRA_PUBLIC(okra_step)(f, x, y, weight, yhat, NULL);
}

static inline okra_status run(okra_filter *f, size_t n, const real *X, const real *Y, const real *weights, real *Yhat,
                              size_t *done)
{
    return OKRA_PUBLIC(okra_run)(f, n, X, Y, weights, Yhat, NULL, done);
}

#define predict_variance OKRA_PUBLIC(okra_predict)

static inline okra_status predict_with(const okra_filter *f, void *scratch, size_t n, const real *X, real *Yhat)
{
    return predict_variance(f, scratch, n, X, Yhat, NULL);
}

static inline okra_status predict(const okra_filter *f, size_t n, const real *X, real *Yhat)
{
    void *scratch = calloc(1, okra_scratch_size(f) + 1);
    okra_status status = predict_with(f, f ? scratch : NULL, n, X, Yhat);
    free(scratch);
    return status;
}

#if OKRA_PRECISION == 64
#define REAL_EPS DBL_EPSILON
#else
#define REAL_EPS ((double)FLT_EPSILON)
#endif

/* A spec of the recipe in this precision, small and not a multiple of any vector. */
static inline okra_spec make_spec(const char *recipe, size_t inputs, size_t outputs)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, recipe, inputs, 1));
    spec.precision = OKRA_PRECISION;
    spec.outputs = outputs;
    if (spec.features)
        spec.features = strcmp(recipe, "auto") == 0 ? 38 : 37; /* pairs */
    if (spec.sigma < 0)
        spec.sigma = 2, spec.scale = OKRA_SCALE_NONE; /* bare */
    if (spec.capacity)
        spec.capacity = 70, spec.sigma = 2;
    return spec;
}

/* The maps that a recipe may have, ended by a NULL name; NULL if it has no choice. */
static inline const okra_choice *maps_of(const okra_recipe *recipe)
{
    for (size_t i = 0; i < recipe->n_params; i++)
        if (strcmp(recipe->params[i].param->name, "map") == 0)
            return recipe->params[i].param->choices;
    return NULL;
}

static inline okra_filter *make_filter(const okra_spec *spec)
{
    okra_filter *filter;
    assert_ok(okra_create(spec, &filter));
    return filter;
}

/* n standard normals of the stream, to be freed by the caller. */
static inline real *make_normals(uint32_t stream, size_t n)
{
    double *z = malloc((n + 1) * sizeof *z);
    real *out = malloc((n + 1) * sizeof *out);
    okra_random random = {.seed = 99, .stream = stream};
    okra_random_normal(&random, n, z);
    for (size_t i = 0; i < n; i++)
        out[i] = (real)z[i];
    free(z);
    return out;
}

/* A number that depends on every bit of what a filter has learnt, its counters and arrays: equal for equal states. */
static inline uint64_t fingerprint(const okra_filter *filter)
{
    okra_array array;
    okra_counter counter;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; okra_counter_at(filter, i, &counter) == OKRA_OK; i++)
        hash = (hash ^ counter.value) * 1099511628211u;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++) {
        size_t bytes = array.rows * array.cols * sizeof(real);
        unsigned char *values = malloc(bytes + 1);
        assert_ok(okra_array_read(filter, array.name, values));
        for (size_t k = 0; k < bytes; k++)
            hash = (hash ^ values[k]) * 1099511628211u;
        free(values);
    }
    return hash;
}

/* Gives a new filter of the same spec what another has learnt: counters first, then arrays. */
static inline void copy_state(const okra_filter *from, okra_filter *to)
{
    okra_array array;
    okra_counter counter;
    for (size_t i = 0; okra_counter_at(from, i, &counter) == OKRA_OK; i++)
        assert_ok(okra_counter_write(to, counter.name, counter.value));
    for (size_t i = 0; okra_array_at(from, i, &array) == OKRA_OK; i++) {
        real *copy = malloc((array.rows * array.cols + 1) * sizeof *copy);
        assert_ok(okra_array_read(from, array.name, copy));
        assert_ok(okra_array_write(to, array.name, copy));
        free(copy);
    }
}

/* Where OKRA_ISA asks for what this machine lacks, there is nothing to test. */
#define SKIP_WITHOUT_ISA() \
    do {                   \
        if (!okra_isa())   \
            return 77;     \
    } while (0)

#endif
