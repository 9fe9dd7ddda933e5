/*
 * Fourier features, alone and fused with LMS.
 *
 * A cosine with a phase, in cycles: with r = t - rint(t) and s = 1/4 - |r|, cos(2 pi t) = sin(2 pi s) = s P(s^2). The
 * reduction rounds once, t = 1/4 gives exactly 0, and the map's scale is folded into P.
 *
 * A pair, in half cycles: with n = rint(2 t) and f = 2 t - n, cos(2 pi t) and sin(2 pi t) are cos(pi f) and sin(pi f),
 * both negated if n is odd. One reduction and one projection give two features. No t makes both zero, so padding lanes
 * need an amplitude of 0; only the last group has any, so only groups past `plain` are multiplied by amplitudes.
 */

/* ---- a group of features -------------------------------------------------------------------------------------- */

/* The coefficients of the polynomials, in every lane. */
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

/* t = phase + cycles . x, for `count` vectors of lanes. `cycles` points at their lanes of input 0; inputs are LANES
 * apart.
 */
INLINE void group_cycles(int count, size_t inputs, const real *cycles, const real *phase, const real *x, vreal *t)
{
    UP_TO(count) t[k] = v_load(phase + k * VW);
    for (size_t j = 0; j < inputs; j++) {
        vreal xj = v_set1(x[j]);
        UP_TO(count) t[k] = v_fma(v_load(cycles + j * LANES + k * VW), xj, t[k]);
    }
}

INLINE void group_cosines(int count, const trig_coefs *c, const vreal *t, vreal *z)
{
    vreal s[GROUP], u[GROUP];
    UP_TO(count) z[k] = v_round(t[k]);
    UP_TO(count) s[k] = v_sub(v_set1((real)0.25), v_abs(v_sub(t[k], z[k])));
    UP_TO(count) u[k] = v_mul(s[k], s[k]);
    UP_TO(count) z[k] = v_fma(c->sine[SIN_TERMS - 1], u[k], c->sine[SIN_TERMS - 2]);
    OKRA_UNROLL(8) for (int i = SIN_TERMS - 3; i >= 0; i--) UP_TO(count) z[k] = v_fma(z[k], u[k], c->sine[i]);
    UP_TO(count) z[k] = v_mul(z[k], s[k]);
}

/* The two polynomials are interleaved; the sine's is one term shorter. */
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
    OKRA_UNROLL(8) for (int i = SIN_TERMS - 3; i >= 0; i--)
    {
        UP_TO(count) zc[k] = v_fma(zc[k], u[k], c->cosine[i + 1]);
        UP_TO(count) zs[k] = v_fma(zs[k], u[k], c->sine[i]);
    }
    UP_TO(count) zc[k] = v_fma(zc[k], u[k], c->cosine[0]);
    UP_TO(count) zs[k] = v_mul(zs[k], f[k]);
    UP_TO(count) zc[k] = v_xor(zc[k], sign[k]);
}

/* The features of the lanes from `at` on, from their cycles; zs only for pairs. */
INLINE void group_features(int count, const trig_coefs *c, const trig_map *map, size_t at, bool paired, bool plain,
                           const vreal *t, vreal *zc, vreal *zs)
{
    if (!paired) {
        group_cosines(count, c, t, zc);
        return;
    }
    group_pairs(count < 2 ? count : 2, c, t, zc, zs);
    if (count > 2) /* two at a time fit the registers */
        group_pairs(count - 2, c, t + 2, zc + 2, zs + 2);
    if (!plain) {
        UP_TO(count) zc[k] = v_mul(zc[k], v_load(map->amplitude + at + (size_t)k * VW));
        UP_TO(count) zs[k] = v_mul(zs[k], v_load(map->amplitude + at + (size_t)k * VW));
    }
}

/* ---- passes over a map ---------------------------------------------------------------------------------------- */

enum { FEATURES, FEATURES_DOT, UPDATE_FEATURES_DOT };

/* The arguments of a pass. */
typedef struct trig_pass_state {
    const trig_map *map;
    trig_coefs coef;
    const real *phase, *x;
    real *theta, *z;
    vreal step, sum;
} trig_pass_state;

/* What a pass does with `count` vectors of new features. The sum of an incomplete group equals, bit for bit, that of a
 * full group whose other vectors are zero. */
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

/* The frequencies from lane `at` on. */
INLINE const real *cycles_at(const trig_map *map, size_t at)
{
    return map->cycles + at / LANES * LANES * map->inputs + at % LANES;
}

/* `count` vectors of frequencies, the first of them at lane `at`. All arguments but p and `at` are constants at each
 * call, so that the branches are compiled away. */
INLINE void trig_group(int count, trig_pass_state *p, size_t at, bool paired, bool plain, int what)
{
    const trig_map *map = p->map;
    vreal t[GROUP], zc[GROUP], zs[GROUP];
    group_cycles(count, map->inputs, cycles_at(map, at), p->phase + at, p->x, t);
    group_features(count, &p->coef, map, at, paired, plain, t, zc, zs);
    use_features(count, p, at, zc, what);
    if (paired)
        use_features(count, p, map->width + at, zs, what);
}

/* Clears the padding that no group writes. A pass that updates need not: the pass before has cleared it. */
INLINE void clear_padding(const trig_map *map, size_t from, bool paired, real *z)
{
    memset(z + from, 0, (map->width - from) * sizeof *z);
    if (paired)
        memset(z + map->width + from, 0, (map->width - from) * sizeof *z);
}

/* One pass over all frequencies. The group that may be incomplete comes first: it overlaps least, and at the end the
 * caller would wait for it. If speed matters most, it is cut to the vectors it has; else it is processed in full, with
 * its padding. The bits are the same. */
INLINE real trig_pass(trig_pass_state *p, bool paired, int what)
{
    const trig_map *map = p->map;
    size_t n = map->frequencies, whole = n / STRIDE * STRIDE, rest = (n - whole + VW - 1) / VW;
    size_t plain = paired ? map->plain : whole;
    bool cut = what == UPDATE_FEATURES_DOT;
    p->sum = v_set1(0);
    if (cut && rest == 1)
        trig_group(1, p, whole, paired, false, what);
    else if (cut && rest == 2)
        trig_group(GROUP < 2 ? GROUP : 2, p, whole, paired, false, what);
    else if (cut && rest == 3)
        trig_group(GROUP < 3 ? GROUP : 3, p, whole, paired, false, what);
    else if (rest > 0)
        trig_group(GROUP, p, whole, paired, false, what);
    for (size_t at = 0; at < plain; at += STRIDE)
        trig_group(GROUP, p, at, paired, true, what);
    for (size_t at = plain; paired && at < whole; at += STRIDE)
        trig_group(GROUP, p, at, paired, false, what);
    if (!cut)
        clear_padding(map, rest > 0 ? whole + STRIDE : whole, paired, p->z);
    return v_sum(p->sum);
}

/* A separate pass. */
INLINE real trig_once(const trig_map *map, const real *phase, const real *x, real *theta, real *z, bool paired,
                      int what)
{
    trig_pass_state p = {.map = map, .phase = phase, .x = x, .theta = theta, .z = z};
    load_coefs(map, &p.coef);
    return trig_pass(&p, paired, what);
}

static void trig(const trig_map *map, const real *phase, const real *x, real *z)
{
    if (map->paired)
        trig_once(map, phase, x, z, z, true, FEATURES);
    else
        trig_once(map, phase, x, z, z, false, FEATURES);
}

static real trig_dot(const trig_map *map, const real *phase, const real *x, const real *theta, real *z)
{
    real *weights = (real *)theta; /* only read */
    return map->paired ? trig_once(map, phase, x, weights, z, true, FEATURES_DOT)
                       : trig_once(map, phase, x, weights, z, false, FEATURES_DOT);
}

/* ---- LMS over a block ----------------------------------------------------------------------------------------- */

/* Computes the gain of a sample whose prediction is known; false if it could make a weight overflow. */
INLINE bool take_gain(lms_block *b, size_t i, real yhat)
{
    real rate = b->importance ? b->mu * b->importance[i] : b->mu, gain = rate * (b->Y[i] - yhat);
    real max_abs = b->max_abs + real_abs(gain) * b->z_max;
    if (!(max_abs <= REAL_MAX))
        return false;
    b->max_abs = max_abs, b->gain = gain;
    if (b->Yhat)
        b->Yhat[i] = yhat;
    return true;
}

INLINE size_t lms_pass(const trig_map *map, const real *phase, lms_block *b, size_t i, bool paired)
{
    trig_pass_state p = {.map = map, .phase = phase, .theta = b->theta, .z = b->z};
    load_coefs(map, &p.coef);
    for (; i < b->n; i++) {
        p.x = b->X + i * map->inputs, p.step = v_set1(b->gain);
        real yhat = trig_pass(&p, paired, UPDATE_FEATURES_DOT);
        b->pending = take_gain(b, i, yhat);
        if (!b->pending)
            break;
    }
    return i;
}

static size_t trig_lms(const trig_map *map, const real *phase, lms_block *b)
{
    size_t i = 0;
    if (!b->pending && b->n > 0) {
        b->pending = take_gain(b, 0, trig_dot(map, phase, b->X, b->theta, b->z));
        if (!b->pending)
            return 0;
        i = 1;
    }
    return map->paired ? lms_pass(map, phase, b, i, true) : lms_pass(map, phase, b, i, false);
}

/* ---- predictions of a batch ----------------------------------------------------------------------------------- */

/*
 * Frequencies are read once for all samples of a batch, and two samples share each load. Every sample's sum equals that
 * of trig_dot, bit for bit: the same groups in the same order.
 */
enum { BATCH = 16 };

typedef struct trig_batch {
    const trig_map *map;
    trig_coefs coef;
    const real *phase, *X, *theta;
    size_t n;
    vreal sum[BATCH];
} trig_batch;

INLINE void add_prediction(int count, trig_batch *b, size_t i, size_t at, bool paired, bool plain, const vreal *t)
{
    vreal zc[GROUP], zs[GROUP], weight[GROUP];
    group_features(count, &b->coef, b->map, at, paired, plain, t, zc, zs);
    UP_TO(count) weight[k] = v_load(b->theta + at + (size_t)k * VW);
    vreal sum = v_add(b->sum[i], group_dot(count, weight, zc));
    if (paired) {
        UP_TO(count) weight[k] = v_load(b->theta + b->map->width + at + (size_t)k * VW);
        sum = v_add(sum, group_dot(count, weight, zs));
    }
    b->sum[i] = sum;
}

INLINE void batch_group(int count, trig_batch *b, size_t at, bool paired, bool plain)
{
    size_t inputs = b->map->inputs, i = 0;
    vreal t[GROUP], other[GROUP];
    for (; i + 2 <= b->n; i += 2) {
        const real *cycles = cycles_at(b->map, at), *x = b->X + i * inputs;
        UP_TO(count) t[k] = other[k] = v_load(b->phase + at + (size_t)k * VW);
        for (size_t j = 0; j < inputs; j++, cycles += LANES) {
            vreal xj = v_set1(x[j]), yj = v_set1(x[inputs + j]);
            UP_TO(count)
            {
                vreal w = v_load(cycles + k * VW);
                t[k] = v_fma(w, xj, t[k]);
                other[k] = v_fma(w, yj, other[k]);
            }
        }
        add_prediction(count, b, i, at, paired, plain, t);
        add_prediction(count, b, i + 1, at, paired, plain, other);
    }
    if (i < b->n) {
        group_cycles(count, inputs, cycles_at(b->map, at), b->phase + at, b->X + i * inputs, t);
        add_prediction(count, b, i, at, paired, plain, t);
    }
}

INLINE void batch_pass(trig_batch *b, bool paired)
{
    const trig_map *map = b->map;
    size_t n = map->frequencies, whole = n / STRIDE * STRIDE, plain = paired ? map->plain : whole;
    if (whole < n)
        batch_group(GROUP, b, whole, paired, false);
    for (size_t at = 0; at < plain; at += STRIDE)
        batch_group(GROUP, b, at, paired, true);
    for (size_t at = plain; paired && at < whole; at += STRIDE)
        batch_group(GROUP, b, at, paired, false);
}

static void trig_predict(const trig_map *map, const real *phase, size_t n, const real *X, const real *theta, real *yhat)
{
    trig_batch b = {.map = map, .phase = phase, .theta = theta};
    load_coefs(map, &b.coef);
    for (size_t first = 0; first < n; first += BATCH) {
        b.n = n - first < BATCH ? n - first : BATCH;
        b.X = X + first * map->inputs;
        for (size_t i = 0; i < b.n; i++)
            b.sum[i] = v_set1(0);
        if (map->paired)
            batch_pass(&b, true);
        else
            batch_pass(&b, false);
        for (size_t i = 0; i < b.n; i++)
            yhat[first + i] = v_sum(b.sum[i]);
    }
}
