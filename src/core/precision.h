/* The precisions of a build: both, or only one with OKRA_NO_F64 or OKRA_NO_F32, for small memories. */
#ifndef OKRA_PRECISION_H
#define OKRA_PRECISION_H

#if defined(OKRA_NO_F64) && defined(OKRA_NO_F32)
#error "OKRA_NO_F64 and OKRA_NO_F32 leave no precision: define one of them at most"
#endif

/* NAME_f64 or NAME_f32, by the precision of a spec, which has been checked. */
#if defined(OKRA_NO_F64)
#define OKRA_OF_PRECISION(precision, name) ((void)(precision), &name##_f32)
#elif defined(OKRA_NO_F32)
#define OKRA_OF_PRECISION(precision, name) ((void)(precision), &name##_f64)
#else
#define OKRA_OF_PRECISION(precision, name) ((precision) == OKRA_F32 ? &name##_f32 : &name##_f64)
#endif

#endif
