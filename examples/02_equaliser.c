/*
 * A channel equaliser. Symbols +-1 go through a channel that smears them over three samples and an amplifier that
 * saturates; the receiver sees that and noise. A model learns from a known preamble to tell the symbol of two samples
 * ago from the last five received; after that it only decides. A linear equaliser of the same taps is beside it.
 *
 *     cc 02_equaliser.c $(pkg-config --cflags --libs okra) -lm
 */
#include <math.h>
#include <stdio.h>

#include <okra/okra.h>

enum { TAPS = 5, DELAY = 2, PREAMBLE = 5000, MESSAGE = 200000 };

/* ---- the link --------------------------------------------------------------------------------------------- */

typedef struct radio {
    okra_random symbols, noise;
    double sent[DELAY + 1]; /* the last symbols, the newest first */
} radio;

static void transmit(radio *link)
{
    double uniform;
    okra_random_uniform(&link->symbols, 1, &uniform);
    for (int i = DELAY; i > 0; i--)
        link->sent[i] = link->sent[i - 1];
    link->sent[0] = uniform < 0.5 ? -1 : 1;
}

/* What arrives: h * s through q + 0.2 q^2 - 0.1 q^3, and noise. */
static double receive(radio *link)
{
    double normal, q = 0.3482 * link->sent[0] + 0.8704 * link->sent[1] + 0.3482 * link->sent[2];
    okra_random_normal(&link->noise, 1, &normal);
    return q + 0.2 * q * q - 0.1 * q * q * q + 0.15 * normal;
}

/* ---- the equaliser ---------------------------------------------------------------------------------------- */

/* A model keeps the taps by itself: it is given what is received, and the symbol if it is known. */
static okra_status make_equaliser(const char *recipe, double mu, okra_filter **equaliser)
{
    okra_spec spec;
    okra_status status = okra_spec_init(&spec, recipe, 1, 1);
    spec.lags = TAPS;
    spec.mu = mu;
    spec.sigma = 1;
    return status ? status : okra_create(&spec, equaliser);
}

static okra_status equalise(okra_filter *equaliser, size_t *wrong)
{
    radio link = {.symbols = {.seed = 1, .stream = 1}, .noise = {.seed = 1, .stream = 2}, .sent = {1, 1, 1}};
    okra_status status = OKRA_OK;
    *wrong = 0;
    for (size_t n = 0; n < PREAMBLE + MESSAGE && !status; n++) {
        double received, said;
        transmit(&link);
        received = receive(&link);
        if (n < PREAMBLE) {
            status = okra_step(equaliser, &received, &link.sent[DELAY], 1, NULL, NULL);
        } else {
            status = okra_step(equaliser, &received, NULL, 1, &said, NULL);
            *wrong += (said > 0) != (link.sent[DELAY] > 0);
        }
    }
    return status;
}

static okra_status show(const char *recipe, double mu)
{
    okra_filter *equaliser = NULL;
    size_t wrong;
    okra_status status = make_equaliser(recipe, mu, &equaliser);
    if (!status)
        status = equalise(equaliser, &wrong);
    okra_free(equaliser);
    if (status)
        fprintf(stderr, "02_equaliser: %s: %s\n", recipe, okra_strerror(status));
    else
        printf("%-9s %6zu of %d symbols wrong: %.5f\n", recipe, wrong, MESSAGE, (double)wrong / MESSAGE);
    return status;
}

int main(void) { return show("rls", 0) || show("rff-nlms", 0.2) || show("rff-krls", 0); }
