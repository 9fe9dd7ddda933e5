/*
 * The bodies of the vector primitives, once for every instruction set and precision. Included at the end of a file that
 * defines the vocabulary: the type `vreal` of VW numbers and v_load, v_store (aligned or not), v_set1, v_add, v_sub,
 * v_mul, v_fma(a, b, c) = a b + c, v_round (to nearest), v_abs, v_max, v_sum (of the lanes), v_finite (true where all
 * lanes are); for double also v_div, v_sqrt, v_uniform and v_split. It then names its table VEC_TABLE.
 *
 * Cosine in turns: with r = t - rint(t) and s = 1/4 - |r|, cos(2 pi t) = sin(2 pi s) = s P(s^2). The reduction rounds
 * once, t = 1/4 gives exactly 0, and the map's scale is folded into P.
 */
#include <string.h>

#include "../core/philox.h"

/* Vectors in flight: enough to hide the latency of dependent multiply-adds, few enough for 16 registers. */
enum { GROUP = 4, STRIDE = GROUP * VW };
_Static_assert(LANES % STRIDE == 0, "a block is whole groups");

#define EACH   _Pragma("GCC unroll 4") for (int k = 0; k < GROUP; k++)
#define INLINE static inline __attribute__((always_inline))

/* The features of one group of lanes. `turns` points at the group's lanes of input 0; inputs are LANES apart. */
INLINE void group_features(const trig_map *map, const vreal *coef, const real *turns, const real *phase, const real *x,
                           vreal *z)
{
    vreal s[GROUP], u[GROUP];
    EACH s[k] = v_load(phase + k * VW);
    for (size_t j = 0; j < map->inputs; j++) {
        vreal xj = v_set1(x[j]);
        EACH s[k] = v_fma(v_load(turns + j * LANES + k * VW), xj, s[k]);
    }
    EACH z[k] = v_round(s[k]);
    EACH s[k] = v_sub(v_set1((real)0.25), v_abs(v_sub(s[k], z[k])));
    EACH u[k] = v_mul(s[k], s[k]);
    EACH z[k] = v_fma(coef[COS_TERMS - 1], u[k], coef[COS_TERMS - 2]);
    _Pragma("GCC unroll 8") for (int i = COS_TERMS - 3; i >= 0; i--) EACH z[k] = v_fma(z[k], u[k], coef[i]);
    EACH z[k] = v_mul(z[k], s[k]);
}

/* One group's share of a dot product: a short chain of its own, so that groups overlap; the same in every primitive. */
INLINE vreal group_dot(const vreal *a, const vreal *b)
{
    vreal sum = v_mul(a[0], b[0]);
    _Pragma("GCC unroll 3") for (int k = 1; k < GROUP; k++) sum = v_fma(a[k], b[k], sum);
    return sum;
}

enum { FEATURES, FEATURES_DOT, UPDATE_FEATURES_DOT };

/* One pass over the map. `what` is a constant at each call, so that the branches on it vanish. */
INLINE real trig_pass(const trig_map *map, const real *x, real g, real *theta, real *z, int what)
{
    vreal coef[COS_TERMS], sum = v_set1(0), step = v_set1(g);
    for (int k = 0; k < COS_TERMS; k++)
        coef[k] = v_set1(map->coef[k]);
    const real *turns = map->turns;
    for (size_t block = 0; block < map->width; block += LANES, turns += map->inputs * LANES) {
        _Pragma("GCC unroll 1") for (size_t i = 0; i < LANES; i += STRIDE)
        {
            vreal fresh[GROUP], weight[GROUP];
            real *old = z + block + i, *w = theta + block + i;
            group_features(map, coef, turns + i, map->phase + block + i, x, fresh);
            if (what != FEATURES)
                EACH weight[k] = v_load(w + k * VW);
            if (what == UPDATE_FEATURES_DOT) {
                EACH weight[k] = v_fma(step, v_load(old + k * VW), weight[k]);
                EACH v_store(w + k * VW, weight[k]);
            }
            EACH v_store(old + k * VW, fresh[k]);
            if (what != FEATURES)
                sum = v_add(sum, group_dot(weight, fresh));
        }
    }
    return v_sum(sum);
}

static void trig(const trig_map *map, const real *x, real *z) { trig_pass(map, x, 0, z, z, FEATURES); }

static real trig_dot(const trig_map *map, const real *x, const real *theta, real *z)
{
    return trig_pass(map, x, 0, (real *)theta, z, FEATURES_DOT); /* only read */
}

static real trig_lms(const trig_map *map, const real *x, real g, real *theta, real *z)
{
    return trig_pass(map, x, g, theta, z, UPDATE_FEATURES_DOT);
}

static real dot(size_t n, const real *a, const real *b)
{
    vreal sum = v_set1(0);
    size_t i = 0;
    for (; i + STRIDE <= n; i += STRIDE) {
        vreal p[GROUP], q[GROUP];
        EACH p[k] = v_load(a + i + k * VW);
        EACH q[k] = v_load(b + i + k * VW);
        sum = v_add(sum, group_dot(p, q));
    }
    real rest = 0;
    for (; i < n; i++)
        rest = s_fma(a[i], b[i], rest);
    return v_sum(sum) + rest;
}

static void axpy(size_t n, real g, const real *x, real *y)
{
    vreal step = v_set1(g);
    size_t i = 0;
    for (; i + VW <= n; i += VW)
        v_store(y + i, v_fma(step, v_load(x + i), v_load(y + i)));
    for (; i < n; i++)
        y[i] = s_fma(g, x[i], y[i]);
}

static real amax(size_t n, const real *a)
{
    vreal most = v_set1(0);
    size_t i = 0;
    for (; i + VW <= n; i += VW)
        most = v_max(most, v_abs(v_load(a + i)));
    real lanes[VW], result = 0;
    v_store(lanes, most);
    for (int k = 0; k < VW; k++)
        result = lanes[k] > result ? lanes[k] : result;
    for (; i < n; i++)
        result = real_abs(a[i]) > result ? real_abs(a[i]) : result;
    return result;
}

static size_t finite_prefix(size_t n, const real *a)
{
    size_t i = 0;
    while (i + VW <= n && v_finite(v_load(a + i)))
        i += VW;
    while (i < n && real_abs(a[i]) <= REAL_MAX)
        i++;
    return i;
}

#if OKRA_PRECISION == 64
/*
 * Box and Muller: sqrt(-2 ln u) times cos and sin of 2 pi v. A group is 4 counters, and gives the 4 cosine numbers,
 * then the 4 sine numbers: an order that any vector width can keep.
 */
enum { COUNTERS = 4, NORMALS = 2 * COUNTERS };

/* ln u for u in (0, 1): u = m 2^e with m in [sqrt 1/2, sqrt 2), ln m = 2 atanh((m - 1)/(m + 1)); 11 terms leave 2e-18.
 */
INLINE vreal v_log(vreal u)
{
    vreal m, e, one = v_set1(1.0);
    v_split(u, &m, &e);
    vreal s = v_div(v_sub(m, one), v_add(m, one)), q = v_mul(s, s), p = v_set1(2.0 / 21);
    _Pragma("GCC unroll 10") for (int k = 9; k >= 0; k--) p = v_fma(p, q, v_set1(2.0 / (2 * k + 1)));
    return v_fma(e, v_set1(0.69314718055994530942), v_mul(p, s));
}

/* cos(2 pi t), by the map's own polynomial. */
INLINE vreal v_cos_turns(vreal t, const double *coef)
{
    vreal s = v_sub(v_set1(0.25), v_abs(v_sub(t, v_round(t)))), u = v_mul(s, s), p = v_set1(coef[COS_TERMS - 1]);
    _Pragma("GCC unroll 8") for (int i = COS_TERMS - 2; i >= 0; i--) p = v_fma(p, u, v_set1(coef[i]));
    return v_mul(p, s);
}

static void normals(const uint32_t key[2], uint32_t stream, uint32_t run, uint64_t first_group, size_t groups,
                    real *out)
{
    trig_map unit;
    trig_set_scale(&unit, 1);
    for (size_t g = 0; g < groups; g++, out += NORMALS) {
        uint64_t bits[2][COUNTERS];
        _Pragma("GCC unroll 4") for (int c = 0; c < COUNTERS; c++)
        {
            uint64_t index = (first_group + g) * COUNTERS + (uint64_t)c;
            uint32_t words[4];
            philox4x32(key, (uint32_t[4]){(uint32_t)index, (uint32_t)(index >> 32), stream, run}, words);
            bits[0][c] = (uint64_t)words[1] << 32 | words[0];
            bits[1][c] = (uint64_t)words[3] << 32 | words[2];
        }
        for (int c = 0; c < COUNTERS; c += VW) {
            vreal radius = v_sqrt(v_mul(v_set1(-2.0), v_log(v_uniform(bits[0] + c)))), t = v_uniform(bits[1] + c);
            v_store(out + c, v_mul(radius, v_cos_turns(t, unit.coef)));
            v_store(out + COUNTERS + c, v_mul(radius, v_cos_turns(v_sub(t, v_set1(0.25)), unit.coef)));
        }
    }
}
#endif

const vec_table VEC_TABLE = {
    .trig = trig,
    .trig_dot = trig_dot,
    .trig_lms = trig_lms,
    .dot = dot,
    .axpy = axpy,
    .amax = amax,
    .finite = finite_prefix,
#if OKRA_PRECISION == 64
    .normals = normals,
#endif
};
