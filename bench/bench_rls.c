/*
 * Recursive least squares through the public API (the UD factor) against its rivals, interleaved: a packed triangle of
 * P, as fast as it can be made, and OpenBLAS's symv and syr. All see the same features of Example 2. Prints
 * microseconds per sample and ratios.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/okra.h>

#ifdef OKRA_HAVE_OPENBLAS
#include <cblas.h>
void openblas_set_num_threads(int n);
#endif

#include "clock.h"
#include "tri_p.h"

enum { ROUNDS = 9, OUTPUTS = 4 };
static const double lambda = 1e-2, beta = 0.9995;

typedef struct problem {
    size_t features, samples;
    double *Z, *y, *y4; /* y4: the same target, OUTPUTS times */
    float *Zf, *yf;
    okra_filter *ud, *cyclic, *four, *single;
    tri_p *triangle;
    double *p, *theta, *u; /* for BLAS */
    double scale;
} problem;

static void *allocate(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) {
        fputs("bench_rls: out of memory\n", stderr);
        exit(1);
    }
    memset(p, 0, bytes);
    return p;
}

static void check(okra_status status)
{
    if (status) {
        fprintf(stderr, "bench_rls: %s\n", okra_strerror(status));
        exit(1);
    }
}

/* Features of Example 2: one fewer than asked for, because the linear filters add a bias. */
static void make_data(problem *p)
{
    size_t n = p->samples, inner = p->features - 1;
    double *X = allocate(n * 5 * sizeof *X), *z = allocate(n * inner * sizeof *z);
    okra_random random = {.seed = 1};
    okra_spec spec;
    okra_map *map;
    check(okra_spec_init(&spec, "rff-klms", 5));
    spec.features = inner, spec.sigma = 5;
    check(okra_map_create(&spec, &map));
    okra_random_normal(&random, n * 5, X);
    okra_random_normal(&random, n, p->y);
    check(okra_map_apply(map, n, X, z));
    for (size_t i = 0; i < n; i++) {
        double sum = X[5 * i] - X[5 * i + 1] + 0.5 * X[5 * i + 2];
        p->y[i] = sum + 0.1 * sum * sum + 0.05 * p->y[i];
        p->yf[i] = (float)p->y[i];
        for (size_t o = 0; o < OUTPUTS; o++)
            p->y4[i * OUTPUTS + o] = p->y[i];
        memcpy(p->Z + i * inner, z + i * inner, inner * sizeof *z);
    }
    for (size_t i = 0; i < n * inner; i++)
        p->Zf[i] = (float)p->Z[i];
    okra_map_free(map);
    free(X), free(z);
}

static okra_filter *make_filter(size_t features, size_t outputs, size_t cyclic, int precision)
{
    okra_spec spec;
    okra_filter *filter;
    check(okra_spec_init(&spec, "rls", features - 1));
    spec.lambda = lambda, spec.beta = beta, spec.cyclic = cyclic, spec.outputs = outputs, spec.precision = precision;
    check(okra_create(&spec, &filter));
    return filter;
}

static void make_problem(problem *p, size_t features)
{
    *p = (problem){.features = features, .samples = features <= 300 ? 256 : 64};
    size_t n = p->samples;
    p->Z = allocate(n * features * sizeof(double)), p->y = allocate(n * sizeof(double));
    p->Zf = allocate(n * features * sizeof(float)), p->yf = allocate(n * sizeof(float));
    p->y4 = allocate(n * OUTPUTS * sizeof(double));
    make_data(p);
    p->ud = make_filter(features, 1, 0, OKRA_F64);
    p->cyclic = make_filter(features, 1, 8, OKRA_F64);
    p->four = make_filter(features, OUTPUTS, 0, OKRA_F64);
    p->single = make_filter(features, 1, 0, OKRA_F32);
    p->triangle = tri_p_create(features - 1, lambda, beta);
    p->p = allocate(features * features * sizeof(double)), p->theta = allocate(features * sizeof(double));
    p->u = allocate(features * sizeof(double));
    p->scale = 1;
    for (size_t i = 0; i < features; i++)
        p->p[i * features + i] = 1 / lambda;
}

static void free_problem(problem *p)
{
    void *arrays[] = {p->Z, p->y, p->y4, p->Zf, p->yf, p->p, p->theta, p->u};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    okra_free(p->ud), okra_free(p->cyclic), okra_free(p->four), okra_free(p->single);
    tri_p_free(p->triangle);
}

static void run_filter(const problem *p, okra_filter *filter, const double *Y)
{
    check(okra_run(filter, p->samples, p->Z, Y, NULL, NULL, NULL));
}

static void run_ud(void *context) { run_filter(context, ((problem *)context)->ud, ((problem *)context)->y); }
static void run_cyclic(void *context) { run_filter(context, ((problem *)context)->cyclic, ((problem *)context)->y); }
static void run_four(void *context) { run_filter(context, ((problem *)context)->four, ((problem *)context)->y4); }

static void run_single(void *context)
{
    problem *p = context;
    check(okra_run_f32(p->single, p->samples, p->Zf, p->yf, NULL, NULL, NULL));
}

static void run_triangle(void *context)
{
    problem *p = context;
    tri_p_run(p->triangle, p->samples, p->Z, p->y);
}

#ifdef OKRA_HAVE_OPENBLAS
/* P = scale x the stored matrix, so that forgetting costs nothing. */
static void run_blas(void *context)
{
    problem *p = context;
    size_t inner = p->features - 1;
    int n = (int)inner, stride = (int)p->features;
    for (size_t s = 0; s < p->samples; s++) {
        const double *z = p->Z + s * inner;
        double e = p->y[s] - cblas_ddot(n, p->theta, 1, z, 1);
        cblas_dsymv(CblasRowMajor, CblasLower, n, 1, p->p, stride, z, 1, 0, p->u, 1);
        double total = beta + p->scale * cblas_ddot(n, p->u, 1, z, 1);
        cblas_daxpy(n, p->scale / total * e, p->u, 1, p->theta, 1);
        cblas_dsyr(CblasRowMajor, CblasLower, n, -p->scale / total, p->u, 1, p->p, stride);
        p->scale /= beta;
        if (p->scale > 1e30) {
            cblas_dscal(stride * stride, p->scale, p->p, 1);
            p->scale = 1;
        }
    }
}
#endif

int main(void)
{
    static const size_t sizes[] = {100, 300, 1000};
    printf("RLS, %s: microseconds per sample, and ratios to the UD factor\n", okra_isa());
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        problem p;
        make_problem(&p, sizes[i]);
        contender c[] = {
            {"UD factor", run_ud, &p, 0},
            {"UD, cyclic regularisation every 8", run_cyclic, &p, 0},
            {"UD, four outputs", run_four, &p, 0},
            {"UD, float32", run_single, &p, 0},
            {"triangle of P", run_triangle, &p, 0},
#ifdef OKRA_HAVE_OPENBLAS
            {"OpenBLAS symv + syr", run_blas, &p, 0},
#endif
        };
        size_t n = sizeof c / sizeof *c;
#ifdef OKRA_HAVE_OPENBLAS
        openblas_set_num_threads(1);
#endif
        race(c, n, ROUNDS);
        printf("D = %zu\n", sizes[i]);
        for (size_t k = 0; k < n; k++)
            printf("  %-36s %9.2f us   x %.2f\n", c[k].name, 1e6 * c[k].best / (double)p.samples,
                   c[k].best / c[0].best);
        free_problem(&p);
    }
    return 0;
}
