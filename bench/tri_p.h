/* The baseline of the UD factor: RLS that carries P itself, as a packed lower triangle, as fast as it can be made. */
#ifndef OKRA_BENCH_TRI_P_H
#define OKRA_BENCH_TRI_P_H

#include <stddef.h>

typedef struct tri_p tri_p;

tri_p *tri_p_create(size_t features, double lambda, double beta);
void tri_p_free(tri_p *filter);

/* n samples, Z of n x features row by row; returns the mean squared error. */
double tri_p_run(tri_p *filter, size_t n, const double *Z, const double *y);

#endif
