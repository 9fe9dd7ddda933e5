/* The vocabulary in AVX2 and FMA: 4 doubles or 8 floats. Compiled with those instructions enabled; run only if
 * okra_isa_usable() says so. */
#include <immintrin.h>

#include "vec.h"

static inline real s_fma(real a, real b, real c) { return real_fma(a, b, c); }

#if OKRA_PRECISION == 64
enum { VW = 4 };
typedef __m256d vreal;

static inline vreal v_load(const real *p) { return _mm256_loadu_pd(p); }
static inline void v_store(real *p, vreal a) { _mm256_storeu_pd(p, a); }
static inline vreal v_set1(real a) { return _mm256_set1_pd(a); }
static inline vreal v_add(vreal a, vreal b) { return _mm256_add_pd(a, b); }
static inline vreal v_sub(vreal a, vreal b) { return _mm256_sub_pd(a, b); }
static inline vreal v_mul(vreal a, vreal b) { return _mm256_mul_pd(a, b); }
static inline vreal v_div(vreal a, vreal b) { return _mm256_div_pd(a, b); }
static inline vreal v_sqrt(vreal a) { return _mm256_sqrt_pd(a); }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return _mm256_fmadd_pd(a, b, c); }
static inline vreal v_round(vreal a) { return _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
static inline vreal v_abs(vreal a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
static inline vreal v_max(vreal a, vreal b) { return _mm256_max_pd(a, b); }

static inline real v_sum(vreal a)
{
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

static inline bool v_finite(vreal a)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(v_abs(a), v_set1(REAL_MAX), _CMP_LE_OQ)) == 0xF;
}

static inline bool v_any_at_least(vreal a, vreal b) { return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GE_OQ)) != 0; }

/* n + 1.5 2^52 has n in its low bits; shifted to the exponent field, it adds n to the exponent. */
static inline vreal v_ldexp(vreal a, vreal n)
{
    __m256i exponent = _mm256_slli_epi64(_mm256_castpd_si256(v_add(n, v_set1(0x1.8p52))), 52);
    return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(a), exponent));
}

static inline vreal v_odd_sign(vreal n)
{
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(v_add(n, v_set1(0x1.8p52))), 63));
}
static inline vreal v_xor(vreal a, vreal b) { return _mm256_xor_pd(a, b); }

/* A level of butterflies within a vector: each lane's partner, plus the lane itself with the sign of its position. */
static inline vreal v_hadamard(vreal a)
{
    a = v_add(_mm256_permute_pd(a, 5), v_xor(a, _mm256_setr_pd(0.0, -0.0, 0.0, -0.0)));
    return v_add(_mm256_permute2f128_pd(a, a, 1), v_xor(a, _mm256_setr_pd(0.0, 0.0, -0.0, -0.0)));
}

static inline __m256i set_bits(uint64_t bits) { return _mm256_set1_epi64x((long long)bits); }

/* As in scalar.c, four at a time. */
static inline vreal v_uniform(const uint64_t *bits)
{
    __m256i top = _mm256_srli_epi64(_mm256_loadu_si256((const __m256i *)bits), 12);
    return v_sub(_mm256_castsi256_pd(_mm256_or_si256(top, set_bits(0x3FF0000000000000u))), v_set1(1 - 0x1p-53));
}

static inline void v_split(vreal a, vreal *m, vreal *e)
{
    __m256i bits = _mm256_castpd_si256(a);
    __m256i shifted = _mm256_add_epi64(bits, set_bits(0x3FF0000000000000u - 0x3FE6A09E667F3BCDu));
    __m256i field = _mm256_srli_epi64(shifted, 52);
    /* 2^52 with a small integer in its low bits is 2^52 plus that integer. */
    *e = v_sub(_mm256_castsi256_pd(_mm256_or_si256(field, set_bits(0x4330000000000000u))), v_set1(0x1p52 + 1023));
    __m256i exponent = _mm256_slli_epi64(_mm256_sub_epi64(field, set_bits(1023)), 52);
    *m = _mm256_castsi256_pd(_mm256_sub_epi64(bits, exponent));
}
#else
enum { VW = 8 };
typedef __m256 vreal;

static inline vreal v_load(const real *p) { return _mm256_loadu_ps(p); }
static inline void v_store(real *p, vreal a) { _mm256_storeu_ps(p, a); }
static inline vreal v_set1(real a) { return _mm256_set1_ps(a); }
static inline vreal v_add(vreal a, vreal b) { return _mm256_add_ps(a, b); }
static inline vreal v_sub(vreal a, vreal b) { return _mm256_sub_ps(a, b); }
static inline vreal v_mul(vreal a, vreal b) { return _mm256_mul_ps(a, b); }
static inline vreal v_div(vreal a, vreal b) { return _mm256_div_ps(a, b); }
static inline vreal v_sqrt(vreal a) { return _mm256_sqrt_ps(a); }
static inline vreal v_fma(vreal a, vreal b, vreal c) { return _mm256_fmadd_ps(a, b, c); }
static inline vreal v_round(vreal a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
static inline vreal v_abs(vreal a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
static inline vreal v_max(vreal a, vreal b) { return _mm256_max_ps(a, b); }

static inline real v_sum(vreal a)
{
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

static inline bool v_finite(vreal a)
{
    return _mm256_movemask_ps(_mm256_cmp_ps(v_abs(a), v_set1(REAL_MAX), _CMP_LE_OQ)) == 0xFF;
}

static inline bool v_any_at_least(vreal a, vreal b) { return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)) != 0; }

static inline vreal v_odd_sign(vreal n)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(v_add(n, v_set1(0x1.8p23f))), 31));
}
static inline vreal v_xor(vreal a, vreal b) { return _mm256_xor_ps(a, b); }

static inline vreal v_hadamard(vreal a)
{
    const float p = 0.0f, m = -0.0f;
    a = v_add(_mm256_permute_ps(a, 0xB1), v_xor(a, _mm256_setr_ps(p, m, p, m, p, m, p, m)));
    a = v_add(_mm256_permute_ps(a, 0x4E), v_xor(a, _mm256_setr_ps(p, p, m, m, p, p, m, m)));
    return v_add(_mm256_permute2f128_ps(a, a, 1), v_xor(a, _mm256_setr_ps(p, p, p, p, m, m, m, m)));
}

static inline vreal v_ldexp(vreal a, vreal n)
{
    __m256i exponent = _mm256_slli_epi32(_mm256_castps_si256(v_add(n, v_set1(0x1.8p23f))), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a), exponent));
}
#endif

#define VEC_TABLE OKRA_TYPED(vec_avx2)
#include "body.h"
