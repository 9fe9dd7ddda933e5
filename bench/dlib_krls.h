/* dlib's krls behind a C function, to be raced against ours. C++, because dlib is. */
#ifndef OKRA_BENCH_DLIB_KRLS_H
#define OKRA_BENCH_DLIB_KRLS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A fresh dlib::krls with a gaussian kernel of that width and ALD tolerance over n samples of 5 inputs: predicts each,
 * then trains on it. Returns the mean squared error over the last `tail` samples; *centres is the size of its
 * dictionary.
 */
double dlib_krls_run(size_t n, const double *X, const double *y, double sigma, double tolerance, size_t tail,
                     size_t *centres);

#ifdef __cplusplus
}
#endif
#endif
