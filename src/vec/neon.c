/* The vocabulary in Advanced SIMD, which every 64-bit ARM has: 2 doubles or 4 floats. */
#include <arm_neon.h>

#include "vec.h"

static inline real s_fma(real a, real b, real c) { return real_fma(a, b, c); }

/* Masks of two or four lanes, each all bits or none: whether any lane is set, and whether all are. */
static inline bool any_lane(uint32x4_t mask) { return vmaxvq_u32(mask) != 0; }
static inline bool all_lanes(uint32x4_t mask) { return vminvq_u32(mask) != 0; }

#if OKRA_PRECISION == 64
enum { VW = 2 };
typedef float64x2_t vreal;

static inline vreal v_load(const real *p) { return vld1q_f64(p); }
static inline void v_store(real *p, vreal a) { vst1q_f64(p, a); }
static inline vreal v_set1(real a) { return vdupq_n_f64(a); }
static inline vreal v_add(vreal a, vreal b) { return vaddq_f64(a, b); }
static inline vreal v_sub(vreal a, vreal b) { return vsubq_f64(a, b); }
static inline vreal v_mul(vreal a, vreal b) { return vmulq_f64(a, b); }
static inline vreal v_div(vreal a, vreal b) { return vdivq_f64(a, b); }
static inline vreal v_sqrt(vreal a) { return vsqrtq_f64(a); }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return vfmaq_f64(c, a, b); }
static inline vreal v_round(vreal a) { return vrndnq_f64(a); }
static inline vreal v_abs(vreal a) { return vabsq_f64(a); }
/* A NaN in a gives b, as in the other instruction sets; vmaxq would return NaN. */
static inline vreal v_max(vreal a, vreal b) { return vmaxnmq_f64(a, b); }
static inline real v_sum(vreal a) { return vaddvq_f64(a); }

static inline bool v_finite(vreal a) { return all_lanes(vreinterpretq_u32_u64(vcleq_f64(v_abs(a), v_set1(REAL_MAX)))); }

static inline bool v_any_at_least(vreal a, vreal b) { return any_lane(vreinterpretq_u32_u64(vcgeq_f64(a, b))); }

/* n + 1.5 2^52 has n in its low bits; shifted to the exponent field, it adds n to the exponent. */
static inline uint64x2_t low_bits(vreal n) { return vreinterpretq_u64_f64(v_add(n, v_set1(0x1.8p52))); }

static inline vreal v_ldexp(vreal a, vreal n)
{
    return vreinterpretq_f64_u64(vaddq_u64(vreinterpretq_u64_f64(a), vshlq_n_u64(low_bits(n), 52)));
}

static inline vreal v_odd_sign(vreal n) { return vreinterpretq_f64_u64(vshlq_n_u64(low_bits(n), 63)); }

static inline vreal v_xor(vreal a, vreal b)
{
    return vreinterpretq_f64_u64(veorq_u64(vreinterpretq_u64_f64(a), vreinterpretq_u64_f64(b)));
}

/* A level of butterflies: each lane's partner, plus the lane itself with the sign of its position. */
static inline vreal v_hadamard(vreal a)
{
    static const real signs[VW] = {0.0, -0.0};
    return v_add(vextq_f64(a, a, 1), v_xor(a, v_load(signs)));
}

/* As in scalar.c, two at a time. */
static inline vreal v_uniform(const uint64_t *bits)
{
    uint64x2_t top = vorrq_u64(vshrq_n_u64(vld1q_u64(bits), 12), vdupq_n_u64(0x3FF0000000000000u));
    return v_sub(vreinterpretq_f64_u64(top), v_set1(1 - 0x1p-53));
}

static inline void v_split(vreal a, vreal *m, vreal *e)
{
    uint64x2_t bits = vreinterpretq_u64_f64(a);
    uint64x2_t field = vshrq_n_u64(vaddq_u64(bits, vdupq_n_u64(0x3FF0000000000000u - 0x3FE6A09E667F3BCDu)), 52);
    *e = v_sub(vcvtq_f64_u64(field), v_set1(1023));
    uint64x2_t exponent = vshlq_n_u64(vsubq_u64(field, vdupq_n_u64(1023)), 52);
    *m = vreinterpretq_f64_u64(vsubq_u64(bits, exponent));
}
#else
enum { VW = 4 };
typedef float32x4_t vreal;

static inline vreal v_load(const real *p) { return vld1q_f32(p); }
static inline void v_store(real *p, vreal a) { vst1q_f32(p, a); }
static inline vreal v_set1(real a) { return vdupq_n_f32(a); }
static inline vreal v_add(vreal a, vreal b) { return vaddq_f32(a, b); }
static inline vreal v_sub(vreal a, vreal b) { return vsubq_f32(a, b); }
static inline vreal v_mul(vreal a, vreal b) { return vmulq_f32(a, b); }
static inline vreal v_div(vreal a, vreal b) { return vdivq_f32(a, b); }
static inline vreal v_sqrt(vreal a) { return vsqrtq_f32(a); }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return vfmaq_f32(c, a, b); }
static inline vreal v_round(vreal a) { return vrndnq_f32(a); }
static inline vreal v_abs(vreal a) { return vabsq_f32(a); }
static inline vreal v_max(vreal a, vreal b) { return vmaxnmq_f32(a, b); }
static inline real v_sum(vreal a) { return vaddvq_f32(a); }
static inline bool v_finite(vreal a) { return all_lanes(vcleq_f32(v_abs(a), v_set1(REAL_MAX))); }
static inline bool v_any_at_least(vreal a, vreal b) { return any_lane(vcgeq_f32(a, b)); }

static inline uint32x4_t low_bits(vreal n) { return vreinterpretq_u32_f32(v_add(n, v_set1(0x1.8p23f))); }

static inline vreal v_ldexp(vreal a, vreal n)
{
    return vreinterpretq_f32_u32(vaddq_u32(vreinterpretq_u32_f32(a), vshlq_n_u32(low_bits(n), 23)));
}

static inline vreal v_odd_sign(vreal n) { return vreinterpretq_f32_u32(vshlq_n_u32(low_bits(n), 31)); }

static inline vreal v_xor(vreal a, vreal b)
{
    return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)));
}

static inline vreal v_hadamard(vreal a)
{
    static const real near[VW] = {0.0f, -0.0f, 0.0f, -0.0f}, far[VW] = {0.0f, 0.0f, -0.0f, -0.0f};
    a = v_add(vrev64q_f32(a), v_xor(a, v_load(near)));
    return v_add(vextq_f32(a, a, 2), v_xor(a, v_load(far)));
}
#endif

#define VEC_TABLE OKRA_TYPED(vec_neon)
#include "body.h"
