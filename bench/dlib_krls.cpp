#include "dlib_krls.h"

#include <dlib/svm.h>

extern "C" void openblas_set_num_threads(int);

extern "C" double dlib_krls_run(size_t n, const double *X, const double *y, double sigma, double tolerance, size_t tail,
                                size_t *centres)
{
    typedef dlib::matrix<double, 5, 1> sample;
    typedef dlib::radial_basis_kernel<sample> kernel;
    dlib::krls<kernel> filter(kernel(1 / (2 * sigma * sigma)), tolerance, 10000);
    double square = 0;
    openblas_set_num_threads(1); // as everybody else in the race
    for (size_t i = 0; i < n; i++) {
        sample x;
        for (long j = 0; j < 5; j++)
            x(j) = X[5 * i + static_cast<size_t>(j)];
        double e = y[i] - filter(x);
        if (i >= n - tail)
            square += e * e;
        filter.train(x, y[i]);
    }
    *centres = filter.dictionary_size();
    return square / static_cast<double>(tail);
}
