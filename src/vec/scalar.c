/* The vocabulary with one lane. It runs everywhere, and is the oracle for tests of the other instruction sets. */
#include <string.h>

#include "vec.h"

enum { VW = 1 };
typedef real vreal;

/* Fused if the machine can; two roundings if fma() would be a slow call. Always the same in one build. */
static inline real s_fma(real a, real b, real c)
{
#if OKRA_PRECISION == 64 ? defined(__FP_FAST_FMA) : defined(__FP_FAST_FMAF)
    return real_fma(a, b, c);
#else
    return a * b + c;
#endif
}

static inline vreal v_load(const real *p) { return *p; }
static inline void v_store(real *p, vreal a) { *p = a; }
static inline vreal v_set1(real a) { return a; }
static inline vreal v_add(vreal a, vreal b) { return a + b; }
static inline vreal v_sub(vreal a, vreal b) { return a - b; }
static inline vreal v_mul(vreal a, vreal b) { return a * b; }
static inline vreal v_div(vreal a, vreal b) { return a / b; }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return s_fma(a, b, c); }
static inline vreal v_sqrt(vreal a) { return real_sqrt(a); }
static inline vreal v_abs(vreal a) { return real_abs(a); }
static inline vreal v_max(vreal a, vreal b) { return a > b ? a : b; }
static inline real v_sum(vreal a) { return a; }
static inline vreal v_hadamard(vreal a) { return a; }
static inline bool v_finite(vreal a) { return real_abs(a) <= REAL_MAX; }
static inline bool v_any_at_least(vreal a, vreal b) { return a >= b; }
static inline vreal v_ldexp(vreal a, vreal n) { return real_ldexp(a, (int)n); }

/* n + 1.5 2^(bits of the mantissa) has n in its low bits. The lowest bit, moved to the top, is the sign of (-1)^n. */
#if OKRA_PRECISION == 64
typedef uint64_t bits_of_real;
#define LOW_BITS 0x1.8p52
#else
typedef uint32_t bits_of_real;
#define LOW_BITS 0x1.8p23f
#endif

static inline bits_of_real to_bits(real a)
{
    bits_of_real bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline real of_bits(bits_of_real bits)
{
    real a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static inline vreal v_round(vreal a)
{
#if OKRA_PRECISION == 32 && defined(__ARM_FP) && !defined(__ARM_FEATURE_DIRECTED_ROUNDING)
    /* The same bits as rintf(), if that would be a call: after adding 2^23 there are no bits for a fraction. */
    real size = real_abs(a), whole = size < 0x1p23f ? size + 0x1p23f - 0x1p23f : size;
    return of_bits(to_bits(whole) | (to_bits(a) & 0x80000000u));
#else
    return real_rint(a);
#endif
}

static inline vreal v_odd_sign(vreal n) { return of_bits(to_bits(n + LOW_BITS) << (OKRA_PRECISION - 1)); }
static inline vreal v_xor(vreal a, vreal b) { return of_bits(to_bits(a) ^ to_bits(b)); }

#if OKRA_PRECISION == 64
/* The top 52 bits as the midpoint of one of 2^52 intervals of (0, 1): never 0, never 1. */
static inline vreal v_uniform(const uint64_t *bits)
{
    return of_bits(*bits >> 12 | 0x3FF0000000000000u) - (1 - 0x1p-53);
}

/* a = m 2^e with m in [sqrt 1/2, sqrt 2): after subtracting the bits of sqrt 1/2, the exponent field is e. */
static inline void v_split(vreal a, vreal *m, vreal *e)
{
    uint64_t bits = to_bits(a), field = (bits + (0x3FF0000000000000u - 0x3FE6A09E667F3BCDu)) >> 52;
    *e = (double)(int64_t)field - 1023;
    *m = of_bits(bits - ((field - 1023) << 52));
}
#endif

#define VEC_TABLE OKRA_TYPED(vec_scalar)
#include "body.h"
