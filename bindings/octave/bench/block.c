/*
 * block INPUTS FEATURES SAMPLES ROUNDS: processor seconds of okra_run() over SAMPLES samples of Example 2, a line a
 * round: what bench.m holds Octave's against.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <okra/lab.h>
#include <okra/okra.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static okra_status make(size_t inputs, size_t features, okra_signal **signal, okra_filter **filter)
{
    okra_signal_spec source;
    okra_spec spec;
    okra_status status = okra_signal_spec_init(&source, "ex2");
    status = status ? status : okra_signal_spec_set(&source, "dim", (double)inputs, NULL);
    status = status ? status : okra_signal_create(&source, signal);
    status = status ? status : okra_spec_init(&spec, "rff-klms", inputs, 1);
    if (status)
        return status;
    spec.sigma = 5, spec.features = features;
    return okra_create(&spec, filter);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    size_t inputs = strtoul(argv[1], NULL, 10), features = strtoul(argv[2], NULL, 10);
    size_t samples = strtoul(argv[3], NULL, 10), rounds = strtoul(argv[4], NULL, 10);
    okra_signal *signal = NULL;
    okra_filter *filter = NULL;
    double *X = calloc(samples * inputs, sizeof *X), *y = calloc(samples, sizeof *y),
           *yhat = calloc(samples, sizeof *y);
    okra_status status = X && y && yhat ? make(inputs, features, &signal, &filter) : OKRA_E_MEMORY;
    if (!status)
        okra_signal_next(signal, samples, X, y);
    for (size_t r = 0; r < rounds && !status; r++) {
        double start = now();
        status = okra_run(filter, samples, X, y, NULL, yhat, NULL, NULL);
        printf("%.9f\n", now() - start);
    }
    okra_free(filter), okra_signal_free(signal);
    free(X), free(y), free(yhat);
    return (int)status;
}
