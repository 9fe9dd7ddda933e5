/*
 * The instruction sets of this build, a row each, the best last: the name, as in OKRA_ISA=NAME and NAME.c, which
 * defines the table OKRA_TYPED(vec_NAME); and whether this machine can run it. The including file defines ISA(), the
 * meaning of a row. There is no guard, because it is included more than once.
 */
ISA(scalar, true)
#ifdef OKRA_HAVE_AVX2
/* The compiler's runtime reads CPUID and XGETBV: true only if the system saves the wide registers too. */
ISA(avx2, (__builtin_cpu_init(), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")))
#endif
#ifdef OKRA_HAVE_NEON
ISA(neon, true) /* part of the architecture */
#endif
