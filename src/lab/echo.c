/*
 * A far-end and microphone pair: speech-like sound through a loudspeaker that saturates and a room that echoes, with
 * noise at the near end. A task for a nonlinear echo canceller: a linear one leaves an echo.
 *
 * Far end: u = LEVEL p sin^2(pi phase) v, limited to +-LIMIT; v is noise with one resonance, p a syllable's loudness.
 *
 * Loudspeaker: s = clip tanh(u / clip).
 *
 * Microphone: y = sum_k h_k s[t - k] + noise, with h_k normal and falling as exp(-k / decay).
 */
#include <math.h>
#include <string.h>

#include "signal.h"

enum { ECHO_TAPS, ECHO_DECAY, ECHO_CLIP, ECHO_SNR, ECHO_SYLLABLE, ECHO_RESONANCE };

static const okra_signal_param params[] = {
    {"taps", 16, 1, 100000, "length of the linear part", true},
    {"decay", 4, 0.1, 1e9, "taps over which the echo path falls to 1/e", false},
    {"clip", 0.2, 1e-3, 1e3, "where the loudspeaker saturates; the far end is from -1 to 1", false},
    {"snr", 40, -100, 200, "echo over near-end noise, in dB", false},
    {"syllable", 2000, 2, 1e9, "samples of a syllable", false},
    {"resonance", 0.9, 0, 0.999, "of the far end: radius of its pair of poles", false},
    {NULL, 0, 0, 0, NULL, false},
};

/* Of v: a formant at an eighth of half the sampling rate, 500 Hz at 8000. */
#define ANGLE (M_PI / 8)

/* A loud syllable reaches full scale at 3 deviations. */
#define LEVEL (1.0 / 3)

/* Integers of 16 bits do not reach 1. */
#define LIMIT 0.999

enum { V1, V2, NOISE, N_NUMBERS };

static size_t echo_taps(const okra_signal_spec *spec) { return (size_t)spec->values[ECHO_TAPS]; }

static size_t echo_state(const okra_signal_spec *spec) { return 2 * echo_taps(spec) + N_NUMBERS; }

static double *path(okra_signal *s) { return s->state; }

static double *past_output(okra_signal *s) { return s->state + echo_taps(&s->spec); }

static double *numbers(okra_signal *s) { return s->state + 2 * echo_taps(&s->spec); }

/* The next v, of unit variance, from a standard normal. */
static double resonate(okra_signal *s, double normal)
{
    double *v = numbers(s), r = signal_value(s, ECHO_RESONANCE), a = 2 * r * cos(ANGLE), b = -r * r;
    double variance = (1 - b) / ((1 + b) * ((1 - b) * (1 - b) - a * a));
    double now = a * v[V1] + b * v[V2] + normal / sqrt(variance);
    v[V2] = v[V1], v[V1] = now;
    return now;
}

/* The loudness of sample n: each syllable rises and falls, and has a random loudness. */
static double loudness(const okra_signal *s, uint64_t n)
{
    uint64_t length = (uint64_t)signal_value(s, ECHO_SYLLABLE);
    okra_random random = s->other;
    random.next = n / length;
    double peak, swell = sin(M_PI * (double)(n % length) / (double)length);
    okra_random_uniform(&random, 1, &peak);
    return LEVEL * (0.25 + 0.75 * peak) * swell * swell;
}

static double far_end(okra_signal *s, uint64_t n, double normal)
{
    return fmax(-LIMIT, fmin(LIMIT, loudness(s, n) * resonate(s, normal)));
}

/* The echo at the microphone. */
static double echo_of(okra_signal *s, double u)
{
    size_t taps = echo_taps(&s->spec);
    double clip = signal_value(s, ECHO_CLIP), sum = 0, *past = past_output(s);
    memmove(past + 1, past, (taps - 1) * sizeof *past);
    past[0] = clip * tanh(u / clip);
    for (size_t k = 0; k < taps; k++)
        sum += path(s)[k] * past[k];
    return sum;
}

static void draw_path(okra_signal *s, okra_random *random)
{
    size_t taps = echo_taps(&s->spec);
    okra_random_normal(random, taps, path(s));
    for (size_t k = 0; k < taps; k++)
        path(s)[k] *= exp(-(double)k / signal_value(s, ECHO_DECAY));
}

/* The power of far end and echo depends on all constants, so it is measured over some syllables that are not used. */
static void measure_power(okra_signal *s, okra_random *random, double *far, double *echo)
{
    enum { SAMPLES = 1 << 15 };
    *far = *echo = 0;
    for (uint64_t n = 0; n < SAMPLES; n++) {
        double normal;
        okra_random_normal(random, 1, &normal);
        double u = far_end(s, n, normal), e = echo_of(s, u);
        *far += u * u / SAMPLES;
        *echo += e * e / SAMPLES;
    }
    memset(past_output(s), 0, (echo_taps(&s->spec) + N_NUMBERS) * sizeof(double));
}

/* The echo has half the far end's deviation, so that it is not clipped, and the noise is below it by the SNR. */
static void echo_start(okra_signal *s)
{
    double far, echo;
    okra_random random = signal_random(&s->spec, SIGNAL_COEFFICIENTS);
    draw_path(s, &random);
    measure_power(s, &random, &far, &echo);
    for (size_t k = 0; k < echo_taps(&s->spec); k++)
        path(s)[k] *= 0.5 * sqrt(far / echo);
    numbers(s)[NOISE] = 0.5 * sqrt(far) * pow(10, -signal_value(s, ECHO_SNR) / 20);
}

static void echo_next(okra_signal *s, size_t n, double *X, double *y)
{
    okra_random_normal(&s->input, n, X);
    for (size_t i = 0; i < n; i++) {
        X[i] = far_end(s, s->n + i, X[i]);
        y[i] = echo_of(s, X[i]) + numbers(s)[NOISE] * y[i];
    }
}

const signal_class signal_echo = {
    .kind = {"echo", "far end and microphone: a loudspeaker that saturates, in a room", params},
    .inputs = 1,
    .state_of = echo_state,
    .start = echo_start,
    .next = echo_next};
