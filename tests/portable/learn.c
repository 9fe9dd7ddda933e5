/* learn RECIPE FEATURES BITS BLOCKS: learns so many blocks of 1000 samples of 5 inputs; for instructions.sh, which
 * counts what that takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <okra/okra.h>

enum { INPUTS = 5, BLOCK = 1000 };

static double X[BLOCK * INPUTS], Y[BLOCK];
static float Xf[BLOCK * INPUTS], Yf[BLOCK];

static void make_samples(void)
{
    okra_random random = {.seed = 1};
    okra_random_normal(&random, BLOCK * INPUTS, X);
    for (size_t i = 0; i < BLOCK; i++)
        Y[i] = sin(X[i * INPUTS]) + X[i * INPUTS + 1];
    for (size_t i = 0; i < BLOCK * INPUTS; i++)
        Xf[i] = (float)X[i];
    for (size_t i = 0; i < BLOCK; i++)
        Yf[i] = (float)Y[i];
}

int main(int argc, char **argv)
{
    okra_spec spec;
    okra_filter *filter;
    if (argc != 5 || okra_spec_init(&spec, argv[1], INPUTS, 1))
        return 2;
    spec.features = strtoul(argv[2], NULL, 10), spec.precision = atoi(argv[3]), spec.sigma = 5;
    okra_status status = okra_create(&spec, &filter);
    make_samples();
    for (unsigned long blocks = strtoul(argv[4], NULL, 10); blocks > 0 && !status; blocks--)
        status = spec.precision == OKRA_F64 ? okra_run(filter, BLOCK, X, Y, NULL, NULL, NULL, NULL)
                                            : okra_run_f32(filter, BLOCK, Xf, Yf, NULL, NULL, NULL, NULL);
    okra_free(filter);
    if (status)
        fprintf(stderr, "%s\n", okra_strerror(status));
    return status != OKRA_OK;
}
