/* From an instruction set to its table, and the coefficients that every table shares. */
#include "isa.h"
#include "vec.h"

const vec_table *vec_of(int isa)
{
    switch (isa) {
#ifdef OKRA_HAVE_AVX2
    case OKRA_ISA_AVX2:
        return &vec_avx2;
#endif
    case OKRA_ISA_SCALAR:
        return &vec_scalar;
    default:
        return NULL;
    }
}

/*
 * sin(2 pi s) = s P(s^2) on |s| <= 1/4, minimax in absolute error: 9e-17 with 8 terms, 3e-9 with 5 (Remez exchange, 50
 * digits). Below, the coefficients of sin(pi s) on |s| <= 1/2; 2^(2k+1) turns term k into that of sin(2 pi s), exactly.
 */
#if OKRA_PRECISION == 64
static const double sin_pi[COS_TERMS] = {
    3.14159265358979000737e+00, -5.16771278004938494632e+00, 2.55016403984457262766e+00, -5.99264528495874748693e-01,
    8.21458755966319731368e-02, -7.37034746985587227441e-03, 4.65942070838558331999e-04, -2.10856916857358401749e-05,
};
#else
static const double sin_pi[COS_TERMS] = {
    3.14159258004689379007e+00,  -5.16770687903859826662e+00, 2.55003137909250465754e+00,
    -5.98045184650160099871e-01, 7.72201485948771637613e-02,
};
#endif

void trig_set_scale(trig_map *map, double scale)
{
    for (int k = 0; k < COS_TERMS; k++)
        map->coef[k] = (real)(scale * ldexp(sin_pi[k], 2 * k + 1));
}
