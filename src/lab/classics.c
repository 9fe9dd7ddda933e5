/* Classic benchmark signals. */
#include <math.h>
#include <string.h>

#include "signal.h"

/* ---- Mackey-Glass: x' = b x(t - tau) / (1 + x(t - tau)^n) - g x ------------------------------------------------- */

enum { MG_TAU, MG_B, MG_G, MG_POWER, MG_STEP, MG_SAMPLE, MG_NOISE };

static const okra_signal_param mackey_glass_params[] = {
    {"tau", 17, 0.1, 1000, "delay", false},
    {"b", 0.2, 0, 10, "gain of the delayed term", false},
    {"g", 0.1, 0, 10, "decay", false},
    {"power", 10, 1, 100, "exponent of the delayed term", false},
    {"step", 0.1, 0.001, 1, "step of the integration", false},
    {"sample", 6, 0.001, 1000, "time from one sample to the next", false},
    {"noise", 0, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

/* The delay line in integration steps. */
static size_t mg_length(const okra_signal_spec *spec)
{
    return (size_t)lround(spec->values[MG_TAU] / spec->values[MG_STEP]) + 1;
}

/* The delay line, then its position. */
static size_t mg_state(const okra_signal_spec *spec) { return mg_length(spec) + 1; }

static double mg_slope(const okra_signal *s, double x, double delayed)
{
    return signal_value(s, MG_B) * delayed / (1 + pow(delayed, signal_value(s, MG_POWER))) - signal_value(s, MG_G) * x;
}

/* One step of Runge and Kutta; the delayed value is interpolated half-way. */
static double mg_advance(okra_signal *s)
{
    size_t length = mg_length(&s->spec), at = (size_t)s->state[length], last = (at + length - 1) % length;
    double h = signal_value(s, MG_STEP), x = s->state[last], d0 = s->state[at], d1 = s->state[(at + 1) % length];
    double k1 = mg_slope(s, x, d0), k2 = mg_slope(s, x + h / 2 * k1, (d0 + d1) / 2);
    double k3 = mg_slope(s, x + h / 2 * k2, (d0 + d1) / 2), k4 = mg_slope(s, x + h * k3, d1);
    double next = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    s->state[at] = next;
    s->state[length] = (double)((at + 1) % length);
    return next;
}

static double mg_sample(okra_signal *s)
{
    long steps = lround(signal_value(s, MG_SAMPLE) / signal_value(s, MG_STEP));
    double x = 0;
    for (long k = 0; k < (steps > 0 ? steps : 1); k++)
        x = mg_advance(s);
    return x;
}

/* A constant past, slightly different in every run; then a transient is dropped. */
static void mg_start(okra_signal *s)
{
    double start;
    okra_random_uniform(&s->other, 1, &start);
    for (size_t i = 0; i < mg_length(&s->spec); i++)
        s->state[i] = 0.5 + start;
    for (int k = 0; k < 300; k++)
        mg_sample(s);
}

static void mg_next(okra_signal *s, size_t n, double *X, double *y)
{
    (void)X;
    for (size_t i = 0; i < n; i++)
        y[i] = mg_sample(s) + signal_value(s, MG_NOISE) * y[i];
}

const signal_class signal_mackey_glass = {
    .kind = {"mackey-glass", "a delay differential equation, chaotic for tau above 17", mackey_glass_params},
    .state_of = mg_state,
    .start = mg_start,
    .next = mg_next};

/* ---- Lorenz: the x coordinate ----------------------------------------------------------------------------------- */

enum { LORENZ_SIGMA, LORENZ_RHO, LORENZ_B, LORENZ_STEP, LORENZ_NOISE };

static const okra_signal_param lorenz_params[] = {
    {"s", 10, 0, 1000, "sigma of the equations", false},
    {"r", 28, 0, 1000, "rho of the equations", false},
    {"b", 8.0 / 3, 0, 1000, "beta of the equations", false},
    {"step", 0.02, 1e-6, 0.1, "time from one sample to the next", false},
    {"noise", 0, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

static void lorenz_slope(const okra_signal *s, const double p[3], double out[3])
{
    out[0] = signal_value(s, LORENZ_SIGMA) * (p[1] - p[0]);
    out[1] = p[0] * (signal_value(s, LORENZ_RHO) - p[2]) - p[1];
    out[2] = p[0] * p[1] - signal_value(s, LORENZ_B) * p[2];
}

static void lorenz_advance(okra_signal *s)
{
    double h = signal_value(s, LORENZ_STEP) / 4, k[4][3], at[3];
    for (int part = 0; part < 4; part++) {
        lorenz_slope(s, s->state, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int c = 0; c < 3; c++)
                at[c] = s->state[c] + (stage < 3 ? h / 2 : h) * k[stage - 1][c];
            lorenz_slope(s, at, k[stage]);
        }
        for (int c = 0; c < 3; c++)
            s->state[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

static void lorenz_start(okra_signal *s)
{
    okra_random_normal(&s->other, 3, s->state);
    s->state[2] += 25;
    for (int k = 0; k < 1000; k++)
        lorenz_advance(s);
}

static void lorenz_next(okra_signal *s, size_t n, double *X, double *y)
{
    (void)X;
    for (size_t i = 0; i < n; i++) {
        lorenz_advance(s);
        y[i] = s->state[0] + signal_value(s, LORENZ_NOISE) * y[i];
    }
}

const signal_class signal_lorenz = {.kind = {"lorenz", "the x coordinate of Lorenz's equations", lorenz_params},
                                    .state = 3,
                                    .start = lorenz_start,
                                    .next = lorenz_next};

/* ---- a nonlinear channel that switches -------------------------------------------------------------------------- */

enum { CHANNEL_SWITCH, CHANNEL_TAPS, CHANNEL_NOISE };

static const okra_signal_param channel_params[] = {
    {"switch", 1000, 1, 1e15, "samples from one abrupt change to the next", true},
    {"taps", 5, 1, 1000, "length of the linear part", true},
    {"noise", 0.05, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

static size_t channel_taps(const okra_signal_spec *spec) { return (size_t)spec->values[CHANNEL_TAPS]; }

/* The impulse response, then the last inputs. */
static size_t channel_state(const okra_signal_spec *spec) { return 2 * channel_taps(spec); }

/* A fresh impulse response of unit length. */
static void channel_draw(okra_signal *s)
{
    size_t taps = channel_taps(&s->spec);
    double square = 0;
    okra_random_normal(&s->other, taps, s->state);
    for (size_t k = 0; k < taps; k++)
        square += s->state[k] * s->state[k];
    for (size_t k = 0; k < taps; k++)
        s->state[k] /= sqrt(square);
}

static void channel_next(okra_signal *s, size_t n, double *X, double *y)
{
    size_t taps = channel_taps(&s->spec);
    uint64_t period = (uint64_t)signal_value(s, CHANNEL_SWITCH);
    double *past = s->state + taps;
    okra_random_normal(&s->input, n, X);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        if (s->n + i > 0 && (s->n + i) % period == 0)
            channel_draw(s);
        memmove(past + 1, past, (taps - 1) * sizeof *past);
        past[0] = X[i];
        for (size_t k = 0; k < taps; k++)
            sum += s->state[k] * past[k];
        y[i] = tanh(1.5 * sum) + signal_value(s, CHANNEL_NOISE) * y[i];
    }
}

const signal_class signal_channel = {
    .kind = {"channel", "a linear channel behind a saturation, drawn again now and then", channel_params},
    .inputs = 1,
    .state_of = channel_state,
    .start = channel_draw,
    .next = channel_next};

/* ---- sinc ------------------------------------------------------------------------------------------------------- */

enum { SINC_SPAN, SINC_NOISE };

static const okra_signal_param sinc_params[] = {
    {"span", 3, 1e-9, 1e9, "inputs are uniform from -span to span", false},
    {"noise", 0.1, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

static void sinc_next(okra_signal *s, size_t n, double *X, double *y)
{
    double span = signal_value(s, SINC_SPAN);
    okra_random_uniform(&s->input, n, X);
    for (size_t i = 0; i < n; i++) {
        X[i] = span * (2 * X[i] - 1);
        double t = M_PI * X[i];
        y[i] = (fabs(t) < 1e-9 ? 1 : sin(t) / t) + signal_value(s, SINC_NOISE) * y[i];
    }
}

const signal_class signal_sinc = {.kind = {"sinc", "sin(pi x) / pi x", sinc_params}, .inputs = 1, .next = sinc_next};
