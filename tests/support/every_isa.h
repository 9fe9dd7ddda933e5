/* For tests of the vector primitives, compiled once per precision: every instruction set that this machine has, and
 * one of long vectors that every machine has. */
#ifndef OKRA_TESTS_EVERY_ISA_H
#define OKRA_TESTS_EVERY_ISA_H

#include "check.h"

#include "vec/isa.h"
#include "vec/vec.h"

#if OKRA_PRECISION == 64
#define EPS DBL_EPSILON
#else
#define EPS ((double)FLT_EPSILON)
#endif

/* 0, 1, W - 1, W, W + 1 for every vector width and group in use, and a long one. */
static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000};
enum { MAX = 1024 };

static inline void fill(uint32_t stream, size_t n, real *out)
{
    okra_random random = {.seed = 5, .stream = stream};
    for (size_t i = 0; i < n; i++) {
        double z;
        okra_random_normal(&random, 1, &z);
        out[i] = (real)z;
    }
}

/* Vectors of 64 bytes, see wide.c. */
extern const vec_table OKRA_TYPED(vec_wide);

typedef void check_table(const vec_table *vec);

/* Runs a check on each table; a name per table would say little more than the failing line does. */
static inline void on_every_isa(check_table *check)
{
    for (int isa = 0; isa < OKRA_ISA_COUNT; isa++)
        if (okra_isa_usable((okra_isa_id)isa))
            check(vec_of(isa));
    check(&OKRA_TYPED(vec_wide));
}

#define ON_EVERY_ISA(name)                \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        on_every_isa(check_##name);       \
    }

#endif
