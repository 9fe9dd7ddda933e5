/*
 * One source, two precisions. Sources that include this header are compiled twice, with OKRA_PRECISION 64 and 32, and
 * use `real` for numbers whose type depends on it. Symbols that such sources share have the precision in their name:
 * the header that declares one also has `#define thing OKRA_TYPED(thing)`, so that the code uses the plain name and the
 * two precisions link separately.
 */
#ifndef OKRA_REAL_H
#define OKRA_REAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

#if OKRA_PRECISION == 64
#define OKRA_TYPED(name)  okra_##name##_f64
#define OKRA_PUBLIC(name) name /* okra_step    */
typedef double real;
#define REAL_MAX   DBL_MAX
#define REAL_MIN   DBL_MIN
#define REAL_LEAST 0x1p-1074
#define real_fma   fma
#define real_rint  rint
#define real_abs   fabs
#define real_exp   exp
#define real_ldexp ldexp
#define real_log   log
#define real_sqrt  sqrt
#elif OKRA_PRECISION == 32
#define OKRA_TYPED(name)  okra_##name##_f32
#define OKRA_PUBLIC(name) name##_f32 /* okra_step_f32 */
typedef float real;
#define REAL_MAX          FLT_MAX
#define REAL_MIN          FLT_MIN
#define REAL_LEAST        0x1p-149F
#define real_fma          fmaf
#define real_rint         rintf
#define real_abs          fabsf
#define real_exp          expf
#define real_ldexp        ldexpf
#define real_log          logf
#define real_sqrt         sqrtf
#else
#error "compile this source once with OKRA_PRECISION=64 and once with 32"
#endif

#endif
