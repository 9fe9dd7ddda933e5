/*
 * The vocabulary with vectors of 64 bytes, in plain C: what a file of such an instruction set would be made of. It is
 * slow, and runs everywhere: so the body of the primitives is tested for vectors as long as there are.
 */
#include <string.h>

#include "vec/vec.h"

/* Nothing here is fast, so let it at least be small: what others inline and unroll would take minutes to compile. */
#undef OKRA_ALWAYS_INLINE
#define OKRA_ALWAYS_INLINE __attribute__((unused))
#undef OKRA_UNROLL
#define OKRA_UNROLL(n)

#define VECTOR_BYTES 64
enum { VW = (int)(VECTOR_BYTES / sizeof(real)) };
typedef struct vreal {
    real lane[VW];
} vreal;

#if OKRA_PRECISION == 64
typedef uint64_t bits_of_real;
#define LOW_BITS 0x1.8p52
#else
typedef uint32_t bits_of_real;
#define LOW_BITS 0x1.8p23f
#endif

static bits_of_real to_bits(real a)
{
    bits_of_real bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static real of_bits(bits_of_real bits)
{
    real a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* Operations lane by lane, on the lanes a, b and c. */
#define LANEWISE for (int i = 0; i < VW; i++)
#define ONE(name, expression)             \
    static inline vreal v_##name(vreal x) \
    {                                     \
        LANEWISE                          \
        {                                 \
            real a = x.lane[i];           \
            x.lane[i] = (expression);     \
        }                                 \
        return x;                         \
    }
#define TWO(name, expression)                      \
    static inline vreal v_##name(vreal x, vreal y) \
    {                                              \
        LANEWISE                                   \
        {                                          \
            real a = x.lane[i], b = y.lane[i];     \
            x.lane[i] = (expression);              \
        }                                          \
        return x;                                  \
    }

static inline real s_fma(real a, real b, real c) { return real_fma(a, b, c); }

static inline vreal v_load(const real *p)
{
    vreal a;
    memcpy(&a, p, sizeof a);
    return a;
}

static inline void v_store(real *p, vreal a) { memcpy(p, &a, sizeof a); }

static inline vreal v_set1(real a)
{
    vreal all;
    LANEWISE all.lane[i] = a;
    return all;
}

/* clang-format off */
TWO(add, a + b)
TWO(sub, a - b)
TWO(mul, a * b)
TWO(div, a / b)
TWO(max, a > b ? a : b)
TWO(ldexp, real_ldexp(a, (int)b))
TWO(xor, of_bits(to_bits(a) ^ to_bits(b)))
ONE(round, real_rint(a))
ONE(sqrt, real_sqrt(a))
ONE(abs, real_abs(a))
ONE(odd_sign, of_bits(to_bits(a + LOW_BITS) << (OKRA_PRECISION - 1)))
/* clang-format on */

static inline vreal v_fma(vreal a, vreal b, vreal c)
{
    LANEWISE c.lane[i] = real_fma(a.lane[i], b.lane[i], c.lane[i]);
    return c;
}

static inline real v_sum(vreal a)
{
    real sum = 0;
    LANEWISE sum += a.lane[i];
    return sum;
}

static inline vreal v_hadamard(vreal a)
{
    for (int h = 1; h < VW; h *= 2)
        for (int i = 0; i < VW; i++)
            if (!(i & h)) {
                real x = a.lane[i], y = a.lane[i + h];
                a.lane[i] = x + y, a.lane[i + h] = x - y;
            }
    return a;
}

static inline bool v_finite(vreal a)
{
    bool all = true;
    LANEWISE all = all && real_abs(a.lane[i]) <= REAL_MAX;
    return all;
}

static inline bool v_any_at_least(vreal a, vreal b)
{
    bool any = false;
    LANEWISE any = any || a.lane[i] >= b.lane[i];
    return any;
}

#if OKRA_PRECISION == 64
static inline vreal v_uniform(const uint64_t *bits)
{
    vreal u;
    LANEWISE u.lane[i] = ((double)(bits[i] >> 12) + 0.5) * 0x1p-52;
    return u;
}

static inline void v_split(vreal a, vreal *m, vreal *e)
{
    LANEWISE
    {
        int exponent;
        double mantissa = frexp(a.lane[i], &exponent);
        bool small = mantissa < M_SQRT1_2;
        m->lane[i] = small ? 2 * mantissa : mantissa;
        e->lane[i] = small ? exponent - 1 : exponent;
    }
}
#endif

#define VEC_TABLE OKRA_TYPED(vec_wide)
#include "vec/body.h"
