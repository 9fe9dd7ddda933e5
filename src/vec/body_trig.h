/*
 * Random Fourier features, alone and fused with LMS.
 *
 * Cosine in turns: with r = t - rint(t) and s = 1/4 - |r|, cos(2 pi t) = sin(2 pi s) = s P(s^2). The reduction rounds
 * once, t = 1/4 gives exactly 0, and the map's scale is folded into P.
 */

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
