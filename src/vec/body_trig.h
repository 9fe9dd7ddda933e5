/*
 * Fourier features, alone and fused with LMS.
 *
 * A cosine with a phase, in turns: with r = t - rint(t) and s = 1/4 - |r|, cos(2 pi t) = sin(2 pi s) = s P(s^2). The
 * reduction rounds once, t = 1/4 gives exactly 0, and the map's scale is folded into P.
 *
 * A pair, in half turns: with n = rint(2 t) and f = 2 t - n, cos(2 pi t) and sin(2 pi t) are cos(pi f) and sin(pi f),
 * both negated where n is odd. One reduction and one projection give two features. No t makes both zero, so padding
 * lanes need an amplitude of 0; only the last group has any, so only groups past `plain` are multiplied by amplitudes.
 */

/* ---- a group of features -------------------------------------------------------------------------------------- */

/* The polynomials' coefficients in every lane. */
typedef struct trig_coefs {
    vreal sine[SIN_TERMS], cosine[COS_TERMS];
} trig_coefs;

INLINE void load_coefs(const trig_map *map, trig_coefs *c)
{
    for (int k = 0; k < SIN_TERMS; k++)
        c->sine[k] = v_set1(map->sine[k]);
    for (int k = 0; k < COS_TERMS; k++)
        c->cosine[k] = v_set1(map->cosine[k]);
}

/* t = phase + turns . x, for `count` vectors of lanes. `turns` points at their lanes of input 0; inputs are LANES
 * apart.
 */
INLINE void group_turns(int count, size_t inputs, const real *turns, const real *phase, const real *x, vreal *t)
{
    UP_TO(count) t[k] = v_load(phase + k * VW);
    for (size_t j = 0; j < inputs; j++) {
        vreal xj = v_set1(x[j]);
        UP_TO(count) t[k] = v_fma(v_load(turns + j * LANES + k * VW), xj, t[k]);
    }
}

INLINE void group_cosines(int count, const trig_coefs *c, const vreal *t, vreal *z)
{
    vreal s[GROUP], u[GROUP];
    UP_TO(count) z[k] = v_round(t[k]);
    UP_TO(count) s[k] = v_sub(v_set1((real)0.25), v_abs(v_sub(t[k], z[k])));
    UP_TO(count) u[k] = v_mul(s[k], s[k]);
    UP_TO(count) z[k] = v_fma(c->sine[SIN_TERMS - 1], u[k], c->sine[SIN_TERMS - 2]);
    _Pragma("GCC unroll 8") for (int i = SIN_TERMS - 3; i >= 0; i--) UP_TO(count) z[k] = v_fma(z[k], u[k], c->sine[i]);
    UP_TO(count) z[k] = v_mul(z[k], s[k]);
}

/* The two polynomials go side by side: 8 chains instead of 4; the sine's is one term shorter. */
INLINE void group_pairs(int count, const trig_coefs *c, const vreal *t, vreal *zc, vreal *zs)
{
    vreal f[GROUP], u[GROUP], sign[GROUP];
    UP_TO(count) f[k] = v_add(t[k], t[k]);
    UP_TO(count) zc[k] = v_round(f[k]);
    UP_TO(count) f[k] = v_sub(f[k], zc[k]);
    UP_TO(count) sign[k] = v_odd_sign(zc[k]);
    UP_TO(count) u[k] = v_mul(f[k], f[k]);
    UP_TO(count) f[k] = v_xor(f[k], sign[k]);
    UP_TO(count) zc[k] = v_fma(c->cosine[COS_TERMS - 1], u[k], c->cosine[COS_TERMS - 2]);
    UP_TO(count) zs[k] = v_fma(c->sine[SIN_TERMS - 1], u[k], c->sine[SIN_TERMS - 2]);
    _Pragma("GCC unroll 8") for (int i = SIN_TERMS - 3; i >= 0; i--)
    {
        UP_TO(count) zc[k] = v_fma(zc[k], u[k], c->cosine[i + 1]);
        UP_TO(count) zs[k] = v_fma(zs[k], u[k], c->sine[i]);
    }
    UP_TO(count) zc[k] = v_fma(zc[k], u[k], c->cosine[0]);
    UP_TO(count) zs[k] = v_mul(zs[k], f[k]);
    UP_TO(count) zc[k] = v_xor(zc[k], sign[k]);
}

/* ---- passes over a map ---------------------------------------------------------------------------------------- */

enum { FEATURES, FEATURES_DOT, UPDATE_FEATURES_DOT };

/* What goes through a pass. */
typedef struct trig_pass_state {
    const trig_map *map;
    trig_coefs coef;
    const real *phase, *x;
    real *theta, *z;
    vreal step, sum;
} trig_pass_state;

/* What a pass does with `count` vectors of fresh features. A group that is not whole has the sum of one whose other
 * vectors are zero, bit for bit. */
INLINE void use_features(int count, trig_pass_state *p, size_t at, const vreal *fresh, int what)
{
    vreal weight[GROUP];
    real *theta = p->theta + at, *z = p->z + at;
    if (what != FEATURES)
        UP_TO(count) weight[k] = v_load(theta + k * VW);
    if (what == UPDATE_FEATURES_DOT) {
        UP_TO(count) weight[k] = v_fma(p->step, v_load(z + k * VW), weight[k]);
        UP_TO(count) v_store(theta + k * VW, weight[k]);
    }
    UP_TO(count) v_store(z + k * VW, fresh[k]);
    if (what != FEATURES)
        p->sum = v_add(p->sum, group_dot(count, weight, fresh));
}

/* `count` vectors of frequencies, the first of them at lane `at`. Everything but p and `at` is a constant at each call,
 * so that the branches vanish. */
INLINE void trig_group(int count, trig_pass_state *p, size_t at, bool paired, bool plain, int what)
{
    const trig_map *map = p->map;
    vreal t[GROUP], zc[GROUP], zs[GROUP];
    const real *turns = map->turns + at / LANES * LANES * map->inputs + at % LANES;
    group_turns(count, map->inputs, turns, p->phase + at, p->x, t);
    if (!paired) {
        group_cosines(count, &p->coef, t, zc);
        use_features(count, p, at, zc, what);
        return;
    }
    group_pairs(count, &p->coef, t, zc, zs);
    if (!plain) {
        UP_TO(count) t[k] = v_load(map->amplitude + at + (size_t)k * VW);
        UP_TO(count) zc[k] = v_mul(zc[k], t[k]);
        UP_TO(count) zs[k] = v_mul(zs[k], t[k]);
    }
    use_features(count, p, at, zc, what);
    use_features(count, p, map->width + at, zs, what);
}

/* Padding that no group has written; a pass that updates finds it as the pass before has left it. */
INLINE void clear_padding(const trig_map *map, size_t from, bool paired, real *z)
{
    memset(z + from, 0, (map->width - from) * sizeof *z);
    if (paired)
        memset(z + map->width + from, 0, (map->width - from) * sizeof *z);
}

INLINE real trig_pass_of(const trig_map *map, const real *phase, const real *x, real g, real *theta, real *z,
                         bool paired, int what)
{
    trig_pass_state p = {.map = map, .phase = phase, .x = x, .theta = theta, .z = z, .step = v_set1(g)};
    p.sum = v_set1(0);
    load_coefs(map, &p.coef);
    size_t at = 0, n = map->frequencies, plain = paired ? map->plain : n / STRIDE * STRIDE;
    for (; at < plain; at += STRIDE)
        trig_group(GROUP, &p, at, paired, true, what);
    if (paired)
        for (; at + STRIDE <= n; at += STRIDE)
            trig_group(GROUP, &p, at, paired, false, what);
    switch ((n - at + VW - 1) / VW) {
    case 1:
        trig_group(1, &p, at, paired, false, what);
        break;
    case 2:
        trig_group(2, &p, at, paired, false, what);
        break;
    case 3:
        trig_group(3, &p, at, paired, false, what);
        break;
    case 4:
        trig_group(4, &p, at, paired, false, what);
        break;
    default:
        break;
    }
    if (what != UPDATE_FEATURES_DOT)
        clear_padding(map, at + (n - at + VW - 1) / VW * VW, paired, z);
    return v_sum(p.sum);
}

INLINE real trig_pass(const trig_map *map, const real *phase, const real *x, real g, real *theta, real *z, int what)
{
    return map->paired ? trig_pass_of(map, phase, x, g, theta, z, true, what)
                       : trig_pass_of(map, phase, x, g, theta, z, false, what);
}

static void trig(const trig_map *map, const real *phase, const real *x, real *z)
{
    trig_pass(map, phase, x, 0, z, z, FEATURES);
}

static real trig_dot(const trig_map *map, const real *phase, const real *x, const real *theta, real *z)
{
    return trig_pass(map, phase, x, 0, (real *)theta, z, FEATURES_DOT); /* only read */
}

static real trig_lms(const trig_map *map, const real *phase, const real *x, real g, real *theta, real *z)
{
    return trig_pass(map, phase, x, g, theta, z, UPDATE_FEATURES_DOT);
}
