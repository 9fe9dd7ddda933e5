/*
 * The instruction sets of this build, a row each, the best last: the name, as in OKRA_ISA=NAME and NAME.c, which
 * defines the table OKRA_TYPED(vec_NAME); and whether this machine can run it. Whoever includes this says what to make
 * of a row: it is here for all that are listed, so it has no guard.
 */
ISA(scalar, true)
#ifdef OKRA_HAVE_AVX2
/* The compiler's runtime reads CPUID and XGETBV: the answer is yes only where the system saves the wide registers too.
 */
ISA(avx2, (__builtin_cpu_init(), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")))
#endif
#ifdef OKRA_HAVE_NEON
ISA(neon, true) /* part of the architecture */
#endif
