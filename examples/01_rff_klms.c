/*
 * RFF-KLMS in 20 lines: a nonlinear system is learnt from its inputs and outputs, one sample at a time. Every sample is
 * predicted before it is learnt, so the error is prequential. The linear filter sees the same samples.
 *
 *     cc 01_rff_klms.c $(pkg-config --cflags --libs okra) -lm
 */
#include <math.h>
#include <stdio.h>

#include <okra/okra.h>

enum { SAMPLES = 50000, WINDOW = 5000 };
static const double noise = 0.05;

/* Learns y = sin(x1 x2) + x1 + noise, inputs from -1.5 to 1.5, with a recipe; *db is the mean squared error of the last
 * WINDOW samples. */
static okra_status learn(const char *recipe, double mu, double *db)
{
    okra_spec spec;
    okra_filter *filter = NULL;
    okra_random random = {.seed = 1}, disturbance = {.seed = 2};
    double x[2], y, yhat, sum = 0;
    okra_status status = okra_spec_init(&spec, recipe, 2, 1);
    spec.mu = mu; /* the step size; the kernel's width, spec.sigma, is 1, and there are 300 features */
    if (!status)
        status = okra_create(&spec, &filter);
    for (int n = 0; n < SAMPLES && !status; n++) {
        okra_random_uniform(&random, 2, x);
        x[0] = 3 * x[0] - 1.5, x[1] = 3 * x[1] - 1.5;
        okra_random_normal(&disturbance, 1, &y);
        y = sin(x[0] * x[1]) + x[0] + noise * y;
        status = okra_step(filter, x, &y, 1, &yhat, NULL);
        sum += n < SAMPLES - WINDOW ? 0 : (y - yhat) * (y - yhat);
    }
    *db = 10 * log10(sum / WINDOW);
    okra_free(filter);
    return status;
}

int main(void)
{
    const double mu = 0.5;
    double linear, kernel;
    okra_status status = learn("lms", 0.01, &linear);
    if (!status)
        status = learn("rff-klms", mu, &kernel);
    if (status) {
        fprintf(stderr, "01_rff_klms: %s\n", okra_strerror(status));
        return 1;
    }
    printf("lms, linear               %6.1f dB\n", linear);
    printf("rff-klms, 300 features    %6.1f dB\n", kernel);
    printf("theory of rff-klms        %6.1f dB\n", 10 * log10(noise * noise * 2 / (2 - mu)));
    printf("noise: nobody does better %6.1f dB\n", 20 * log10(noise));
    return 0;
}
