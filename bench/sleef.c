/*
 * RFF-KLMS around SLEEF's cosine, as well as it can be done: frequencies in blocks of four vectors, so that the
 * projection streams; the update of one sample applied in the pass of the next; sqrt(2/D) moved into the step. What
 * remains different from ours is the cosine. Compiled for AVX2 and FMA, contraction on.
 */
#include "baselines.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "probe.h"

#ifdef OKRA_HAVE_SLEEF
#include <sleef.h>

#if OKRA_PRECISION == 64
typedef __m256d vreal;
typedef Sleef___m256d_2 vpair;
#define vec_cos    Sleef_cosd4_u10avx2
#define vec_sincos Sleef_sincosd4_u10avx2
#else
typedef __m256 vreal;
typedef Sleef___m256_2 vpair;
#define vec_cos    Sleef_cosf8_u10avx2
#define vec_sincos Sleef_sincosf8_u10avx2
#endif

enum { VW = sizeof(vreal) / sizeof(real), GROUP = 4, LANES = GROUP * VW };

struct sleef_map {
    size_t inputs, width, count;
    bool paired;
    real step;             /* 2 / D */
    real *omega, *phase;   /* [width / LANES][inputs][LANES], [width] */
    real *theta[2], *z[2]; /* [width] each: of the cosines, of the sines */
};

static inline vreal load(const real *p) { return *(const vreal *)p; }
static inline void store(real *p, vreal v) { *(vreal *)p = v; }

/* ---- making -------------------------------------------------------------------------------------------------- */

sleef_map *sleef_create(const frequencies *f)
{
    if (!probe_has_avx2())
        return NULL;
    sleef_map *m = bench_take(1, sizeof *m);
    size_t width = (f->count + LANES - 1) / LANES * LANES;
    *m = (sleef_map){.inputs = f->inputs, .width = width, .count = f->count, .paired = f->paired};
    m->step = (real)2 / (real)f->features;
    m->omega = bench_take(width * f->inputs, sizeof(real));
    m->phase = bench_take(width, sizeof(real));
    for (int k = 0; k < 2; k++)
        m->theta[k] = bench_take(width, sizeof(real)), m->z[k] = bench_take(width, sizeof(real));
    for (size_t i = 0; i < f->count; i++) {
        m->phase[i] = f->phase[i];
        for (size_t j = 0; j < f->inputs; j++)
            m->omega[(i / LANES * f->inputs + j) * LANES + i % LANES] = f->omega[i * f->inputs + j];
    }
    return m;
}

void sleef_free(sleef_map *m)
{
    if (!m)
        return;
    for (int k = 0; k < 2; k++)
        free(m->theta[k]), free(m->z[k]);
    free(m->omega), free(m->phase), free(m);
}

/* ---- one pass ------------------------------------------------------------------------------------------------ */

static inline void project(const sleef_map *m, size_t block, const real *x, vreal *t)
{
    const real *omega = m->omega + block * m->inputs;
    for (int k = 0; k < GROUP; k++)
        t[k] = load(m->phase + block + k * VW);
    for (size_t j = 0; j < m->inputs; j++)
        for (int k = 0; k < GROUP; k++)
            t[k] += load(omega + j * LANES + k * VW) * x[j];
}

/* theta += gain z of the sample before; z becomes the fresh feature; adds theta z. */
static inline vreal learn(real *theta, real *z, real gain, vreal fresh, vreal sum)
{
    vreal weight = load(theta) + load(z) * gain;
    store(theta, weight);
    store(z, fresh);
    return sum + weight * fresh;
}

/* The features beyond the last frequency must stay out of the sum: their weights are put back to zero. */
static void clear_padding(sleef_map *m)
{
    for (int k = 0; k < 2; k++)
        memset(m->z[k] + m->count, 0, (m->width - m->count) * sizeof(real));
}

static real pass(sleef_map *m, real gain, const real *x)
{
    vreal sum = {0}, t[GROUP];
    for (size_t block = 0; block < m->width; block += LANES) {
        project(m, block, x, t);
        for (int k = 0; k < GROUP; k++) {
            size_t i = block + (size_t)k * VW;
            if (m->paired) {
                vpair both = vec_sincos(t[k]);
                sum = learn(m->theta[0] + i, m->z[0] + i, gain, both.y, sum);
                sum = learn(m->theta[1] + i, m->z[1] + i, gain, both.x, sum);
            } else {
                sum = learn(m->theta[0] + i, m->z[0] + i, gain, vec_cos(t[k]), sum);
            }
        }
    }
    clear_padding(m);
    real total = 0;
    for (int k = 0; k < VW; k++)
        total += sum[k];
    return total;
}

/* theta is kept over sqrt(2/D): the features of a pass are plain cosines. */
void sleef_lms(sleef_map *m, real mu, size_t n, const real *X, const real *Y, real *Yhat)
{
    real gain = 0;
    for (size_t s = 0; s < n; s++) {
        real inner = pass(m, gain, X + s * m->inputs);
        Yhat[s] = inner;
        gain = mu * m->step * (Y[s] - Yhat[s]);
    }
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->width; i += VW) {
            store(m->theta[k] + i, load(m->theta[k] + i) + load(m->z[k] + i) * gain);
            store(m->z[k] + i, (vreal){0});
        }
}

/* ---- waves --------------------------------------------------------------------------------------------------- */

bool sleef_waves(size_t n, const real *angles, real *cosines, real *sines)
{
    size_t i = 0;
    for (; i < n; i += VW) { /* arrays are padded: bench_take() */
        vreal t;
        memcpy(&t, angles + i, sizeof t);
        if (sines) {
            vpair both = vec_sincos(t);
            memcpy(sines + i, &both.x, sizeof t);
            memcpy(cosines + i, &both.y, sizeof t);
        } else {
            vreal c = vec_cos(t);
            memcpy(cosines + i, &c, sizeof t);
        }
    }
    return true;
}

#else

sleef_map *sleef_create(const frequencies *f)
{
    (void)f;
    return NULL;
}

void sleef_free(sleef_map *m) { (void)m; }

void sleef_lms(sleef_map *m, real mu, size_t n, const real *X, const real *Y, real *Yhat)
{
    (void)m, (void)mu, (void)n, (void)X, (void)Y, (void)Yhat;
}

bool sleef_waves(size_t n, const real *angles, real *cosines, real *sines)
{
    (void)n, (void)angles, (void)cosines, (void)sines;
    return false;
}

#endif
