#include "kernel.h"

#include <math.h>

const okra_choice okra_kernel_choices[] = {
    {"gaussian", OKRA_GAUSSIAN, "exp(-|r|^2 / 2 sigma^2)"},
    {"laplacian", OKRA_LAPLACIAN, "exp(-|r|_1 / sigma)"},
    {NULL, 0, NULL},
};

typedef struct kernel {
    int id;
    double (*value)(double sigma, size_t d, const double *x, const double *y);
    void (*draw_unit)(okra_random *random, size_t d, double *omega); /* at width 1 */
} kernel;

static double gaussian(double sigma, size_t d, const double *x, const double *y)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++) {
        double r = (x[j] - y[j]) / sigma;
        sum += r * r;
    }
    return exp(-sum / 2);
}

static double laplacian(double sigma, size_t d, const double *x, const double *y)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += fabs(x[j] - y[j]) / sigma;
    return exp(-sum);
}

/* A product of Cauchy densities, each by its inverse distribution function. */
static void draw_cauchy(okra_random *random, size_t d, double *omega)
{
    okra_random_uniform(random, d, omega);
    for (size_t j = 0; j < d; j++)
        omega[j] = tan(M_PI * (omega[j] - 0.5));
}

static const kernel kernels[] = {
    {OKRA_GAUSSIAN, gaussian, okra_random_normal},
    {OKRA_LAPLACIAN, laplacian, draw_cauchy},
};

static const kernel *find(int id)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].id == id)
            return &kernels[i];
    return NULL;
}

double okra_kernel_value(int id, double sigma, size_t d, const double *x, const double *y)
{
    const kernel *k = find(id);
    return k ? k->value(sigma, d, x, y) : (double)NAN;
}

void okra_kernel_draw(int id, double sigma, okra_random *random, size_t d, double *omega)
{
    find(id)->draw_unit(random, d, omega);
    for (size_t j = 0; j < d; j++)
        omega[j] /= sigma;
}
