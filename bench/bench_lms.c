/*
 * RFF-KLMS through the public API, against the loop that anyone would write first: a row of omega at a time and libm's
 * cos. Prints nanoseconds per sample and the ratios that matter: naive / block, step / block.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <okra/okra.h>

#include "clock.h"

enum { SAMPLES = 500, ROUNDS = 60 };

typedef struct problem {
    okra_spec spec;
    okra_filter *filter;
    double *omega, *phase; /* radians, what the naive loop uses */
    double *X, *Y, *Yhat, *theta, *z;
} problem;

static void *allocate(size_t count)
{
    void *p = calloc(count, sizeof(double));
    if (!p) {
        fputs("bench_lms: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void make_problem(problem *p, size_t d, size_t features)
{
    okra_random random = {.seed = 1};
    p->X = allocate(SAMPLES * d), p->Y = allocate(SAMPLES), p->Yhat = allocate(SAMPLES);
    p->omega = allocate(features * d), p->phase = allocate(features);
    p->theta = allocate(features), p->z = allocate(features);
    okra_random_normal(&random, SAMPLES * d, p->X);
    okra_random_normal(&random, SAMPLES, p->Y);
    okra_random_normal(&random, features * d, p->omega);
    okra_random_uniform(&random, features, p->phase);
    okra_spec_init(&p->spec, "rff-klms", d);
    p->spec.features = features;
    p->spec.omega = p->omega;
    p->spec.phase = p->phase;
    okra_status status = okra_create(&p->spec, &p->filter);
    if (status) {
        fprintf(stderr, "bench_lms: %s\n", okra_strerror(status));
        exit(1);
    }
}

static void free_problem(problem *p)
{
    double *arrays[] = {p->omega, p->phase, p->X, p->Y, p->Yhat, p->theta, p->z};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    okra_free(p->filter);
}

static void naive(void *context)
{
    problem *p = context;
    size_t d = p->spec.inputs, features = p->spec.features;
    double scale = sqrt(2.0 / (double)features);
    for (size_t n = 0; n < SAMPLES; n++) {
        double yhat = 0;
        for (size_t i = 0; i < features; i++) {
            double t = p->phase[i];
            for (size_t j = 0; j < d; j++)
                t += p->omega[i * d + j] * p->X[n * d + j];
            p->z[i] = scale * cos(t);
            yhat += p->theta[i] * p->z[i];
        }
        double gain = p->spec.mu * (p->Y[n] - yhat);
        for (size_t i = 0; i < features; i++)
            p->theta[i] += gain * p->z[i];
        p->Yhat[n] = yhat;
    }
}

static void block(void *context)
{
    problem *p = context;
    okra_run(p->filter, SAMPLES, p->X, p->Y, NULL, p->Yhat, NULL);
}

static void steps(void *context)
{
    problem *p = context;
    for (size_t n = 0; n < SAMPLES; n++)
        okra_step(p->filter, p->X + n * p->spec.inputs, p->Y + n, p->Yhat + n);
}

int main(void)
{
    static const size_t sizes[][2] = {{1, 100}, {5, 100}, {5, 300}, {20, 1000}};
    printf("rff-klms, double, %s: ns per sample\n", okra_isa());
    printf("%4s %6s %10s %10s %10s %14s %13s\n", "d", "D", "naive", "block", "step", "naive/block", "step/block");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        problem p;
        make_problem(&p, sizes[i][0], sizes[i][1]);
        contender c[] = {{"naive", naive, &p, 0}, {"block", block, &p, 0}, {"step", steps, &p, 0}};
        race(c, 3, ROUNDS);
        printf("%4zu %6zu %10.0f %10.0f %10.0f %14.1f %13.2f\n", sizes[i][0], sizes[i][1], 1e9 * c[0].best / SAMPLES,
               1e9 * c[1].best / SAMPLES, 1e9 * c[2].best / SAMPLES, c[0].best / c[1].best, c[2].best / c[1].best);
        free_problem(&p);
    }
    return 0;
}
