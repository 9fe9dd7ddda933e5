/*
 * Linearising a power amplifier by predistortion. The amplifier compresses loud samples, turns their phase and
 * remembers the sample before. A filter learns its inverse, the input from the outputs, as complex numbers: two targets
 * that share one map. Put before the amplifier, that inverse undoes it.
 *
 *     cc 04_amplifier.c $(pkg-config --cflags --libs okra) -lm
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <okra/okra.h>

enum { SAMPLES = 20000, TAPS = 3 };
typedef double complex cplx;

static cplx number(double re, double im) { return re + (cplx)I * im; }

/* ---- the amplifier and what it is given ------------------------------------------------------------------- */

/* Noise in a band, as a transmitter with many carriers has it; hardly a sample above 1. */
static void make_signal(uint64_t seed, cplx *signal)
{
    okra_random random = {.seed = seed};
    double part[2];
    cplx state = 0;
    for (size_t n = 0; n < SAMPLES; n++) {
        okra_random_normal(&random, 2, part);
        state = 0.7 * state + 0.18 * number(part[0], part[1]);
        signal[n] = cabs(state) > 1 ? state / cabs(state) : state;
    }
}

/* out = w g(|w|^2) with w = x[n] + 0.15 x[n-1]: AM/AM and AM/PM after a memory of one sample. */
static void amplify(const cplx *in, cplx *out)
{
    cplx before = 0;
    for (size_t n = 0; n < SAMPLES; n++) {
        cplx w = in[n] + 0.15 * before;
        double power = creal(w * conj(w));
        before = in[n];
        out[n] = w / (1 + 0.3 * power) * cexp(number(0, 0.5 * power / (1 + power)));
    }
}

/* |got - wanted|^2 over |wanted|^2, in dB: what is wrong in the band, and leaks into those beside it. */
static double error_db(const cplx *got, const cplx *wanted)
{
    double wrong = 0, all = 0;
    for (size_t n = TAPS; n < SAMPLES; n++) {
        wrong += pow(cabs(got[n] - wanted[n]), 2);
        all += pow(cabs(wanted[n]), 2);
    }
    return 10 * log10(wrong / all);
}

/* ---- the inverse -------------------------------------------------------------------------------------------- */

/* Rows of TAPS complex numbers, the newest first; a complex number is two inputs, or two outputs. */
static void embed(const cplx *signal, double *rows)
{
    for (size_t n = 0; n < SAMPLES; n++)
        for (size_t k = 0; k < TAPS; k++) {
            cplx tap = n >= k ? signal[n - k] : 0;
            *rows++ = creal(tap), *rows++ = cimag(tap);
        }
}

/* Learns the input of the amplifier from its output, then answers which input gives the output wanted. */
static okra_status predistort(const char *recipe, const cplx *in, const cplx *out, const cplx *wanted, cplx *drive)
{
    static double rows[SAMPLES * 2 * TAPS], answers[SAMPLES * 2];
    okra_spec spec;
    okra_filter *inverse = NULL;
    okra_status status = okra_spec_init(&spec, recipe, 2 * TAPS, 1);
    if (status)
        return status;
    spec.outputs = 2;
    if (spec.features) { /* the linear recipe has none */
        spec.map = OKRA_MAP_LINEAR + OKRA_MAP_ORF;
        spec.sigma = 2;
    }
    spec.lambda = 1e-6;
    status = okra_create(&spec, &inverse);
    embed(out, rows);
    if (!status) /* C lays a complex number out as two doubles: the rows of targets are there already */
        status = okra_run(inverse, SAMPLES, rows, (const double *)in, NULL, NULL, NULL, NULL);
    embed(wanted, rows);
    void *scratch = malloc(okra_scratch_size(inverse) + 1);
    if (!status)
        status = okra_predict(inverse, scratch, SAMPLES, rows, answers, NULL);
    free(scratch);
    for (size_t n = 0; n < SAMPLES; n++)
        drive[n] = number(answers[2 * n], answers[2 * n + 1]);
    okra_free(inverse);
    return status;
}

int main(void)
{
    static const char *const recipes[] = {"rls", "rff-krls"};
    static cplx training[SAMPLES], heard[SAMPLES], wanted[SAMPLES], drive[SAMPLES], sent[SAMPLES];
    make_signal(1, training);
    make_signal(2, wanted); /* another signal than the one that it learns from */
    amplify(training, heard);
    amplify(wanted, sent);
    printf("amplifier alone                   %6.1f dB\n", error_db(sent, wanted));
    for (int i = 0; i < 2; i++) {
        okra_status status = predistort(recipes[i], training, heard, wanted, drive);
        if (status) {
            fprintf(stderr, "04_amplifier: %s: %s\n", recipes[i], okra_strerror(status));
            return 1;
        }
        amplify(drive, sent);
        printf("after its inverse, by %-8s    %6.1f dB\n", recipes[i], error_db(sent, wanted));
    }
    return 0;
}
