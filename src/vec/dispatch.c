/* The table of each instruction set, and the coefficients that all share. */
#include "isa.h"
#include "vec.h"

const vec_table *vec_of(int isa)
{
#define ISA(name, usable) &OKRA_TYPED(vec_##name),
    static const vec_table *const tables[] = {
#include "isa_list.h"
    };
#undef ISA
    return isa >= 0 && isa < OKRA_ISA_COUNT ? tables[isa] : NULL;
}

/*
 * sin(pi f) = f P(f^2) and cos(pi f) = Q(f^2) on |f| <= 1/2, minimax in absolute error: 9e-17 and 4e-18 with 8 and 9
 * terms, 3e-9 and 2e-10 with 5 and 6 (Remez exchange, 50 digits). Times 2^(2k+1), term k of P is exactly that of sin(2
 * pi s), |s| <= 1/4.
 */
#if OKRA_PRECISION == 64
static const double sin_pi[SIN_TERMS] = {
    3.14159265358979000737e+00, -5.16771278004938494632e+00, 2.55016403984457262766e+00, -5.99264528495874748693e-01,
    8.21458755966319731368e-02, -7.37034746985587227441e-03, 4.65942070838558331999e-04, -2.10856916857358401749e-05,
};
static const double cos_pi[COS_TERMS] = {
    1.00000000000000000000e+00,  -4.93480220054467633162e+00, 4.05871212641649758979e+00,
    -1.33526276884346462026e+00, 2.35330630129808537898e-01,  -2.58068887393530475849e-02,
    1.92955628359081448296e-03,  -1.04566580727493289361e-04, 4.14959169069257582610e-06,
};
#else
static const double sin_pi[SIN_TERMS] = {
    3.14159258004689379007e+00,  -5.16770687903859826662e+00, 2.55003137909250465754e+00,
    -5.98045184650160099871e-01, 7.72201485948771637613e-02,
};
static const double cos_pi[COS_TERMS] = {
    9.99999999780660564497e-01,  -4.93480213722950900035e+00, 4.05870916437092521534e+00,
    -1.33521205687119048910e+00, 2.34937559425338143848e-01,  -2.43967167472654532234e-02,
};
#endif

void trig_set_scale(trig_map *map, double scale)
{
    for (int k = 0; k < SIN_TERMS; k++)
        map->sine[k] = (real)(scale * (map->paired ? sin_pi[k] : ldexp(sin_pi[k], 2 * k + 1)));
    for (int k = 0; k < COS_TERMS; k++)
        map->cosine[k] = (real)(scale * cos_pi[k]);
}
