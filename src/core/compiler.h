/* What libokra uses beyond ISO C11: hints that a compiler may not know, and constants that its math.h may lack. */
#ifndef OKRA_COMPILER_H
#define OKRA_COMPILER_H

#include <math.h>

/* With these options a compiler silently takes every test for NaN to be false. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "okra must tell NaN from numbers: compile it without -ffast-math, -Ofast and -ffinite-math-only"
#endif

#if defined(__GNUC__)
#define OKRA_ALWAYS_INLINE      inline __attribute__((always_inline))
#define OKRA_FORMAT(text, args) __attribute__((format(printf, text, args)))
#define OKRA_PRAGMA(text)       _Pragma(#text)
#define OKRA_UNROLL(times)      OKRA_PRAGMA(GCC unroll times)
#else
#define OKRA_ALWAYS_INLINE inline
#define OKRA_FORMAT(text, args)
#define OKRA_UNROLL(times)
#endif

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifndef M_SQRT2
#define M_SQRT2 1.41421356237309504880
#endif
#ifndef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef M_LN2
#define M_LN2 0.69314718055994530942
#endif

/* Text for people only: left out if a build asks for it, for machines with little memory. */
#ifdef OKRA_NO_HELP
#define HELP(text) ""
#else
#define HELP(text) text
#endif

#endif
