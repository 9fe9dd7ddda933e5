/*
 * What a call from Python is compared with: the same filter, the same samples, the same loop, in C. cost.py loads it
 * and takes turns with it.
 */
#include <time.h>

#include <okra/okra.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* others may have the core for a while */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* RFF-KLMS of `features` features; NULL if it cannot be had. */
OKRA_API okra_filter *loops_filter(size_t inputs, size_t features);

/* Seconds of this thread's time for n steps, and for a run of n samples, of a filter as it begins; below 0 if a call
 * was refused. */
OKRA_API double loops_steps(okra_filter *filter, size_t n, const double *X, const double *y, double *yhat);
OKRA_API double loops_run(okra_filter *filter, size_t n, const double *X, const double *y, double *yhat);

okra_filter *loops_filter(size_t inputs, size_t features)
{
    okra_spec spec;
    okra_filter *filter = NULL;
    if (okra_spec_init(&spec, "rff-klms", inputs, 1))
        return NULL;
    spec.features = features;
    spec.sigma = 5;
    okra_create(&spec, &filter);
    return filter;
}

double loops_steps(okra_filter *filter, size_t n, const double *X, const double *y, double *yhat)
{
    size_t inputs = okra_get_spec(filter)->inputs;
    okra_reset(filter);
    double from = now();
    for (size_t i = 0; i < n; i++)
        if (okra_step(filter, X + i * inputs, y + i, 1, yhat + i, NULL))
            return -1;
    return now() - from;
}

double loops_run(okra_filter *filter, size_t n, const double *X, const double *y, double *yhat)
{
    okra_reset(filter);
    double from = now();
    if (okra_run(filter, n, X, y, NULL, yhat, NULL, NULL))
        return -1;
    return now() - from;
}
