/* The frequencies of our own maps in radians, and the loop that anyone would write first. */
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "bench.h"
#include "baselines.h"

/* ---- frequencies --------------------------------------------------------------------------------------------- */

static real *read_cycles(const okra_filter *filter, const char *name, size_t n)
{
    double *cycles = bench_take(n, sizeof *cycles);
    real *radians = bench_take(n, sizeof *radians);
    bench_check(okra_array_read(filter, name, cycles));
    for (size_t i = 0; i < n; i++)
        radians[i] = (real)(2 * M_PI * cycles[i]);
    free(cycles);
    return radians;
}

static size_t rows_of(const okra_filter *filter, const char *name)
{
    okra_array array;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++)
        if (strcmp(array.name, name) == 0)
            return array.rows;
    return 0;
}

frequencies frequencies_of(const okra_spec *spec)
{
    okra_spec twin = *spec;
    okra_filter *filter;
    twin.precision = OKRA_F64;
    bench_check(okra_create(&twin, &filter));
    frequencies f = {.inputs = spec->inputs, .features = spec->features, .count = rows_of(filter, "omega")};
    bench_expect(f.count == f.features || 2 * f.count == f.features, "a map with a number of frequencies of its own");
    f.paired = f.count < f.features;
    f.omega = read_cycles(filter, "omega", f.count * f.inputs);
    f.phase = f.paired ? bench_take(f.count, sizeof(real)) : read_cycles(filter, "phase", f.count);
    okra_free(filter);
    return f;
}

void frequencies_free(frequencies *f) { free(f->omega), free(f->phase); }

/* ---- the naive loop ------------------------------------------------------------------------------------------ */

static void naive_features(const frequencies *f, const real *x, real *z)
{
    real scale = sqrt((real)2 / (real)f->features);
    for (size_t i = 0; i < f->count; i++) {
        real t = f->phase[i];
        for (size_t j = 0; j < f->inputs; j++)
            t += f->omega[i * f->inputs + j] * x[j];
        z[i] = scale * cos(t);
        if (f->paired)
            z[f->count + i] = scale * sin(t);
    }
}

void naive_lms(const frequencies *f, real mu, size_t n, const real *X, const real *Y, real *theta, real *z, real *Yhat)
{
    for (size_t s = 0; s < n; s++) {
        real yhat = 0;
        naive_features(f, X + s * f->inputs, z);
        for (size_t i = 0; i < f->features; i++)
            yhat += theta[i] * z[i];
        real gain = mu * (Y[s] - yhat);
        for (size_t i = 0; i < f->features; i++)
            theta[i] += gain * z[i];
        Yhat[s] = yhat;
    }
}
