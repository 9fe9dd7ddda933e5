/*
 * RLS with P as a packed triangle of tiles, 4 rows by 4 columns. One pass over it applies one sample's rank-one update
 * and forms P z for the next: two multiply-adds for the update and the product with the row part, one more for the
 * column part, and one store. Forgetting is a scalar that is carried along and multiplied in before it overflows. It
 * loses positivity sooner or later: that is what the UD factor is for.
 */
#include "tri_p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double v4 __attribute__((vector_size(32)));

enum { T = 4 };

struct tri_p {
    size_t features, n; /* n: padded to whole tiles */
    double lambda, beta, scale;
    double *p;                        /* tile rows, each from column 0 to the diagonal */
    double *u, *next, *k, *theta, *z; /* P z, the next one, the gain, the weights, a padded input */
};

static double *allocate(size_t n)
{
    double *a = aligned_alloc(64, (n * sizeof *a + 63) / 64 * 64);
    if (!a)
        abort();
    memset(a, 0, (n * sizeof *a + 63) / 64 * 64);
    return a;
}

tri_p *tri_p_create(size_t features, double lambda, double beta)
{
    tri_p *f = malloc(sizeof *f);
    if (!f)
        abort();
    size_t n = (features + T - 1) / T * T, tiles = n / T * (n / T + 1) / 2;
    *f = (tri_p){.features = features, .n = n, .lambda = lambda, .beta = beta, .scale = 1};
    f->p = allocate(tiles * T * T);
    f->u = allocate(n), f->next = allocate(n), f->k = allocate(n), f->theta = allocate(n), f->z = allocate(n);
    double *tile = f->p;
    for (size_t i = 0; i < n / T; i++) {
        tile += i * T * T;
        for (size_t r = 0; r < T; r++)
            tile[r * T + r] = 1 / lambda;
        tile += T * T;
    }
    return f;
}

void tri_p_free(tri_p *f)
{
    double *arrays[] = {f->p, f->u, f->next, f->k, f->theta, f->z};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(f);
}

static inline v4 load(const double *p) { return *(const v4 *)p; }
static inline double sum(v4 a) { return (a[0] + a[2]) + (a[1] + a[3]); }

static double dot(size_t n, const double *a, const double *b)
{
    v4 s = {0}, t = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        s += load(a + i) * load(b + i);
        t += load(a + i + 4) * load(b + i + 4);
    }
    for (; i < n; i += 4)
        s += load(a + i) * load(b + i);
    return sum(s + t);
}

/* P -= k u' of the sample before, then next = P z. */
static void pass(const tri_p *f)
{
    double *restrict tile = f->p, *restrict q = f->next;
    const double *restrict u = f->u, *restrict z = f->z, *restrict k = f->k;
    memset(q, 0, f->n * sizeof *q);
    for (size_t i = 0; i < f->n; i += T) {
        v4 a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
        v4 k0 = a0 + k[i], k1 = a0 + k[i + 1], k2 = a0 + k[i + 2], k3 = a0 + k[i + 3];
        v4 z0 = a0 + z[i], z1 = a0 + z[i + 1], z2 = a0 + z[i + 2], z3 = a0 + z[i + 3];
        for (size_t j = 0; j < i; j += T, tile += T * T) {
            v4 uj = load(u + j), zj = load(z + j), qj = load(q + j);
            v4 t0 = load(tile) - k0 * uj, t1 = load(tile + T) - k1 * uj;
            v4 t2 = load(tile + 2 * T) - k2 * uj, t3 = load(tile + 3 * T) - k3 * uj;
            *(v4 *)tile = t0, *(v4 *)(tile + T) = t1, *(v4 *)(tile + 2 * T) = t2, *(v4 *)(tile + 3 * T) = t3;
            a0 += t0 * zj, a1 += t1 * zj, a2 += t2 * zj, a3 += t3 * zj;
            qj += t0 * z0, qj += t1 * z1, qj += t2 * z2, qj += t3 * z3;
            *(v4 *)(q + j) = qj;
        }
        v4 uj = load(u + i), zj = load(z + i); /* the diagonal tile is kept whole */
        v4 t0 = load(tile) - k0 * uj, t1 = load(tile + T) - k1 * uj;
        v4 t2 = load(tile + 2 * T) - k2 * uj, t3 = load(tile + 3 * T) - k3 * uj;
        *(v4 *)tile = t0, *(v4 *)(tile + T) = t1, *(v4 *)(tile + 2 * T) = t2, *(v4 *)(tile + 3 * T) = t3;
        tile += T * T;
        q[i] += sum(a0 + t0 * zj), q[i + 1] += sum(a1 + t1 * zj);
        q[i + 2] += sum(a2 + t2 * zj), q[i + 3] += sum(a3 + t3 * zj);
    }
}

static void rescale(tri_p *f)
{
    size_t numbers = f->n / T * (f->n / T + 1) / 2 * T * T;
    for (size_t i = 0; i < numbers; i++)
        f->p[i] *= f->scale;
    for (size_t i = 0; i < f->n; i++)
        f->k[i] *= f->scale;
    f->scale = 1;
}

double tri_p_run(tri_p *f, size_t n, const double *Z, const double *y)
{
    double square = 0;
    for (size_t s = 0; s < n; s++) {
        memcpy(f->z, Z + s * f->features, f->features * sizeof *f->z);
        pass(f);
        double *swap = f->u;
        f->u = f->next, f->next = swap;
        double e = y[s] - dot(f->n, f->theta, f->z), total = f->beta + f->scale * dot(f->n, f->u, f->z);
        double gain = f->scale / total;
        for (size_t i = 0; i < f->n; i += T) {
            *(v4 *)(f->theta + i) += e * gain * load(f->u + i);
            *(v4 *)(f->k + i) = gain * load(f->u + i);
        }
        square += e * e;
        f->scale /= f->beta;
        if (f->scale > 1e30)
            rescale(f);
    }
    return square / (double)n;
}
