/*
 * The bodies of the vector primitives, compiled for every instruction set and precision. Included at the end of a file
 * that defines the vocabulary: the type `vreal` of VW numbers and v_load, v_store (aligned or not), v_set1, v_add,
 * v_sub, v_mul, v_div, v_fma(a, b, c) = a b + c, v_round (to nearest), v_sqrt, v_abs, v_max, v_odd_sign(n) (the sign
 * bit if an integer is odd), v_xor (of bits), v_hadamard (the transform of the lanes), v_sum (of the lanes), v_finite
 * (true if all lanes are), v_any_at_least, v_ldexp(a, n) = a 2^n for integers n and normal results; for double also
 * v_uniform and v_split; and s_fma for single numbers. It then names its table VEC_TABLE.
 */
#include <string.h>

#include "../core/philox.h"

#ifndef VECTOR_BYTES
#define VECTOR_BYTES 32 /* the default maximum; a vocabulary of longer vectors defines it */
#endif

/* Vectors in flight: enough to hide the latency of dependent multiply-adds, few enough for 16 registers. With vectors
 * of 64 bytes, as many as a block has. */
enum { GROUP = LANES / VW < 4 ? LANES / VW : 4, STRIDE = GROUP * VW };
_Static_assert(LANES % STRIDE == 0, "a block is whole groups");

#define UP_TO(count) OKRA_UNROLL(4) for (int k = 0; k < (count); k++)
#define EACH         UP_TO(GROUP)
#define INLINE       static OKRA_ALWAYS_INLINE

#if OKRA_PRECISION == 64 && defined(OKRA_NO_F64) /* float32 filters need double for random numbers only */
#include "body_normal.h"

const vec_table VEC_TABLE = {.normals = normals};
#else
#include "body_linear.h"
#include "body_trig.h"
#include "body_hadamard.h"
#include "body_kernel.h"
#include "body_ud.h"
#include "body_sym.h"
#include "body_matrix.h"
#if OKRA_PRECISION == 64
#include "body_normal.h"
#endif

const vec_table VEC_TABLE = {
    .trig = trig,
    .trig_dot = trig_dot,
    .trig_lms = trig_lms,
    .trig_predict = trig_predict,
    .dot = dot,
    .axpy = axpy,
    .axpby = axpby,
    .amax = amax,
    .finite = finite_prefix,
    .find_first = find_first,
    .multiply = multiply,
    .hadamard = hadamard,
    .kernels = kernels,
    .ud_product = ud_product,
    .ud_update = ud_update,
    .ud_update_product = ud_update_product,
    .ud_gains = ud_gains,
    .sym_product = sym_product,
    .sym_update = sym_update,
    .sym_update_product = sym_update_product,
    .matrix_add = matrix_add,
#if OKRA_PRECISION == 64
    .normals = normals,
#endif
};
#endif
