/*
 * Kernel values of an input with every centre of a dictionary, each at about the cost of a feature.
 *
 * With everything scaled, and relative to an origin, the gaussian kernel is 2^-|x - c|^2. The expanded form, -|x - c|^2
 * = 2 c.x - |c|^2 - |x|^2, costs one multiply-add per input. It suffers from cancellation: its error is a few eps
 * (|c|^2 + |x|^2). So the caller uses it while that sum is small, and else the direct form, from the original numbers.
 * (Rounding may leave the expanded form slightly above zero, so the nearest centre's distance is computed again.) The
 * other kernels are always direct: the laplacian kernel, 2^-|x - c|_1; the cauchy kernel, a product and one division;
 * and the materns, from the root of |x - c|^2, which would turn the expanded form's error of eps into sqrt(eps).
 *
 * 2^t = 2^n P(f) with n = rint(t), |f| <= 1/2; P is minimax: 3e-16 with 11 terms, 2e-9 with 7 (Remez exchange, 50
 * digits).
 *
 * A kernel's direct form has its id, OKRA_GAUSSIAN ..: a case in group_values() and in kernels(), and in other_next()
 * if it is not a function of |x - c|^2.
 */
#include <okra/spec.h>

#if OKRA_PRECISION == 64
/* clang-format off */
static const real exp2_coef[] = {
    1.00000000000000000000e+00, 6.93147180559949949163e-01, 2.40226506959102220629e-01, 5.55041086644476877598e-02,
    9.61812910756760543196e-03, 1.33335582301697774636e-03, 1.54035304857293284166e-04, 1.52526572576461852881e-05,
    1.32154224777602152851e-06, 1.02086907544644315573e-07, 7.07580342250630663555e-09,
};
#else
static const real exp2_coef[] = {
    9.99999999919035764684e-01f, 6.93147206709289642745e-01f, 2.40226515048660549390e-01f, 5.55032721549838584107e-02f,
    9.61799453198380893681e-03f, 1.34004318626208471232e-03f, 1.54780183771119394034e-04f,
};
/* clang-format on */
#endif
enum { EXP2_TERMS = sizeof exp2_coef / sizeof *exp2_coef };

/* Below this, 2^t counts as 0, which keeps the exponent field in range. */
#define EXP2_LEAST ((real)(OKRA_PRECISION == 64 ? -1000 : -120))

/* Four times 2^t, steps interleaved. */
INLINE void group_exp2(const vreal *t, vreal *k2)
{
    vreal n[GROUP], f[GROUP];
    EACH f[k] = v_max(t[k], v_set1(EXP2_LEAST));
    EACH n[k] = v_round(f[k]);
    EACH f[k] = v_sub(f[k], n[k]);
    EACH k2[k] = v_fma(v_set1(exp2_coef[EXP2_TERMS - 1]), f[k], v_set1(exp2_coef[EXP2_TERMS - 2]));
    OKRA_UNROLL(16) for (int i = EXP2_TERMS - 3; i >= 0; i--) EACH k2[k] = v_fma(k2[k], f[k], v_set1(exp2_coef[i]));
    EACH k2[k] = v_ldexp(k2[k], n[k]);
}

/* The quantity of a kernel that is not a function of |x - c|^2: -|x - c|_1 (laplacian), the product of 1 + (x_j -
 * c_j)^2 (cauchy). Starts at its initial value, then takes one coordinate after the other, r = x_j - c_j scaled. */
INLINE vreal other_start(int how) { return v_set1(how == OKRA_CAUCHY ? 1 : 0); }

INLINE vreal other_next(int how, vreal other, vreal r)
{
    switch (how) {
    case OKRA_LAPLACIAN:
        return v_sub(other, v_abs(r));
    case OKRA_CAUCHY:
        return v_mul(other, v_fma(r, r, v_set1(1)));
    default:
        return other;
    }
}

/* -|x - c|^2 of the group of centres from lane `at` on, scaled, and the other quantity. */
INLINE void group_distances(const centre_set *set, int how, size_t at, const real *x, vreal xx, vreal *t, vreal *other)
{
    const real *rows =
        (how == GAUSSIAN_EXPANDED ? set->twice : set->centre) + at / LANES * set->inputs * LANES + at % LANES;
    if (how == GAUSSIAN_EXPANDED)
        EACH t[k] = v_sub(v_load(set->square + at + (size_t)k * VW), xx);
    else
        EACH t[k] = v_set1(0), other[k] = other_start(how);
    for (size_t j = 0; j < set->inputs; j++, rows += LANES) {
        vreal xj = v_set1(x[j]);
        if (how == GAUSSIAN_EXPANDED) {
            EACH t[k] = v_fma(v_load(rows + k * VW), xj, t[k]);
        } else {
            EACH
            {
                vreal r = v_mul(v_sub(xj, v_load(rows + k * VW)), v_set1(set->scale));
                t[k] = v_fma(v_sub(v_set1(0), r), r, t[k]);
                other[k] = other_next(how, other[k], r);
            }
        }
    }
}

/* With a = ln 2 |x - c|: 2^-|x - c| times 1 + a (matern32) or 1 + a + a^2 / 3 (matern52). Distances are limited as 2^t
 * is: beyond, the polynomial would dominate, and infinity would give NaN. */
INLINE void group_matern(int how, const vreal *t, vreal *value)
{
    const real ln2 = (real)M_LN2, third = (real)(M_LN2 * M_LN2 / 3);
    vreal power[GROUP], factor[GROUP];
    EACH power[k] = v_max(v_sub(v_set1(0), v_sqrt(v_sub(v_set1(0), t[k]))), v_set1(EXP2_LEAST));
    if (how == OKRA_MATERN32)
        EACH factor[k] = v_set1(-ln2);
    else
        EACH factor[k] = v_fma(v_set1(third), power[k], v_set1(-ln2));
    EACH factor[k] = v_fma(factor[k], power[k], v_set1(1));
    group_exp2(power, value);
    EACH value[k] = v_mul(value[k], factor[k]);
}

/* Kernel values from the results of group_distances(). A product that overflows gives 0. */
INLINE void group_values(int how, const vreal *t, const vreal *other, vreal *value)
{
    switch (how) {
    case OKRA_LAPLACIAN:
        group_exp2(other, value);
        break;
    case OKRA_CAUCHY:
        EACH value[k] = v_div(v_set1(1), other[k]);
        break;
    case OKRA_MATERN32:
    case OKRA_MATERN52:
        group_matern(how, t, value);
        break;
    default: /* the gaussian kernel, in either form */
        group_exp2(t, value);
    }
}

INLINE real kernels_pass(const centre_set *set, int how, const real *x, real xx, const real *alpha, real *t, real *k2,
                         real *best)
{
    vreal sum = v_set1(0), max = v_set1(-(real)INFINITY), square_x = v_set1(xx);
    OKRA_UNROLL(1) for (size_t at = 0; at < set->width; at += STRIDE)
    {
        vreal near[GROUP], other[GROUP], value[GROUP], weight[GROUP];
        group_distances(set, how, at, x, square_x, near, other);
        EACH max = v_max(max, near[k]);
        EACH v_store(t + at + (size_t)k * VW, near[k]);
        group_values(how, near, other, value);
        if (k2)
            EACH v_store(k2 + at + (size_t)k * VW, value[k]);
        EACH weight[k] = v_load(alpha + at + (size_t)k * VW);
        sum = v_add(sum, group_dot(GROUP, weight, value));
    }
    real lanes[VW];
    v_store(lanes, max);
    *best = lanes[0];
    for (int i = 1; i < VW; i++)
        *best = lanes[i] > *best ? lanes[i] : *best;
    return v_sum(sum);
}

static real kernels(const centre_set *set, int how, const real *x, real xx, const real *alpha, real *t, real *k,
                    real *best)
{
#define CASE(form) \
    case form:     \
        return kernels_pass(set, form, x, xx, alpha, t, k, best)
    switch (how) { /* a loop for each form, without branches inside */
        CASE(GAUSSIAN_EXPANDED);
        CASE(OKRA_LAPLACIAN);
        CASE(OKRA_CAUCHY);
        CASE(OKRA_MATERN32);
        CASE(OKRA_MATERN52);
    default:
        return kernels_pass(set, OKRA_GAUSSIAN, x, xx, alpha, t, k, best);
    }
#undef CASE
}
