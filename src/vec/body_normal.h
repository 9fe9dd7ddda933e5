/*
 * Box and Muller: sqrt(-2 ln u) times cos and sin of 2 pi v. A group is 4 counters, and gives the 4 cosine numbers,
 * then the 4 sine numbers: an order that suits any vector width.
 */
enum { COUNTERS = 4, NORMALS = 2 * COUNTERS };

/* ln u for u in (0, 1): u = m 2^e with m in [sqrt 1/2, sqrt 2), ln m = 2 atanh((m - 1)/(m + 1)); 11 terms leave 2e-18.
 */
INLINE vreal v_log(vreal u)
{
    vreal m, e, one = v_set1(1.0);
    v_split(u, &m, &e);
    vreal s = v_div(v_sub(m, one), v_add(m, one)), q = v_mul(s, s), p = v_set1(2.0 / 21);
    OKRA_UNROLL(10) for (int k = 9; k >= 0; k--) p = v_fma(p, q, v_set1(2.0 / (2 * k + 1)));
    return v_fma(e, v_set1(0.69314718055994530942), v_mul(p, s));
}

/* cos(2 pi t), by the same polynomial as in maps. */
INLINE vreal v_cos_cycles(vreal t, const double *sine)
{
    vreal s = v_sub(v_set1(0.25), v_abs(v_sub(t, v_round(t)))), u = v_mul(s, s), p = v_set1(sine[SIN_TERMS - 1]);
    OKRA_UNROLL(8) for (int i = SIN_TERMS - 2; i >= 0; i--) p = v_fma(p, u, v_set1(sine[i]));
    return v_mul(p, s);
}

/* A group may have fewer numbers than a vector. */
INLINE void store_counters(real *out, vreal a)
{
    real lanes[VW];
    v_store((int)VW <= (int)COUNTERS ? out : lanes, a);
    if ((int)VW > (int)COUNTERS)
        memcpy(out, lanes, COUNTERS * sizeof *out);
}

static void normals(const uint32_t key[2], uint32_t stream, uint32_t run, uint64_t first_group, size_t groups,
                    real *out)
{
    trig_map unit = {.paired = false};
    trig_set_scale(&unit, 1);
    for (size_t g = 0; g < groups; g++, out += NORMALS) {
        uint64_t bits[2][(int)VW > (int)COUNTERS ? (int)VW : (int)COUNTERS] = {{0}};
        OKRA_UNROLL(4) for (int c = 0; c < COUNTERS; c++)
        {
            uint64_t index = (first_group + g) * COUNTERS + (uint64_t)c;
            uint32_t words[4];
            philox4x32(key, (uint32_t[4]){(uint32_t)index, (uint32_t)(index >> 32), stream, run}, words);
            bits[0][c] = (uint64_t)words[1] << 32 | words[0];
            bits[1][c] = (uint64_t)words[3] << 32 | words[2];
        }
        for (int c = 0; c < COUNTERS; c += VW) {
            vreal radius = v_sqrt(v_mul(v_set1(-2.0), v_log(v_uniform(bits[0] + c)))), t = v_uniform(bits[1] + c);
            store_counters(out + c, v_mul(radius, v_cos_cycles(t, unit.sine)));
            store_counters(out + COUNTERS + c, v_mul(radius, v_cos_cycles(v_sub(t, v_set1(0.25)), unit.sine)));
        }
    }
}
