/* The four examples of the paper (section 5), with the constants that its dictionary sizes imply. */
#include <math.h>

#include "signal.h"

/* ---- Example 1: y = sum_m a_m kappa(c_m, x) + noise ----------------------------------------------------------- */

enum { EX1_DIM, EX1_CENTRES, EX1_SIGMA, EX1_CENTRE_SIGMA, EX1_WEIGHT_SIGMA, EX1_SIGMA_X, EX1_NOISE };

static const okra_signal_param ex1_params[] = {
    {"dim", 5, 1, 1000, "numbers in an input", true},
    {"centres", 10, 1, 100000, "terms of the expansion", true},
    {"sigma", 5, 1e-9, 1e9, "width of the gaussian kernel", false},
    {"centre-sigma", 1, 0, 1e9, "deviation of the centres", false},
    {"weight-sigma", 5, 0, 1e9, "deviation of the weights", false},
    {"sigma-x", 1, 0, 1e9, "deviation of the inputs", false},
    {"noise", 0.1, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

static size_t ex1_inputs(const okra_signal_spec *spec) { return (size_t)spec->values[EX1_DIM]; }

/* a[M], then c[M][d] */
static size_t ex1_state(const okra_signal_spec *spec)
{
    return (size_t)spec->values[EX1_CENTRES] * (ex1_inputs(spec) + 1);
}

static void ex1_start(okra_signal *s)
{
    size_t centres = (size_t)signal_value(s, EX1_CENTRES);
    okra_random random = signal_random(&s->spec, SIGNAL_COEFFICIENTS);
    okra_random_normal(&random, centres * (s->inputs + 1), s->state);
    for (size_t i = 0; i < centres * (s->inputs + 1); i++)
        s->state[i] *= signal_value(s, i < centres ? EX1_WEIGHT_SIGMA : EX1_CENTRE_SIGMA);
}

static void ex1_next(okra_signal *s, size_t n, double *X, double *y)
{
    size_t centres = (size_t)signal_value(s, EX1_CENTRES), d = s->inputs;
    double sigma = signal_value(s, EX1_SIGMA), sigma_x = signal_value(s, EX1_SIGMA_X),
           noise = signal_value(s, EX1_NOISE);
    okra_random_normal(&s->input, n * d, X);
    for (size_t i = 0; i < n * d; i++)
        X[i] *= sigma_x;
    for (size_t i = 0; i < n; i++) {
        const double *c = s->state + centres, *x = X + i * d;
        y[i] *= noise;
        for (size_t m = 0; m < centres; m++, c += d) {
            double square = 0;
            for (size_t j = 0; j < d; j++)
                square += (x[j] - c[j]) * (x[j] - c[j]);
            y[i] += s->state[m] * exp(-square / (2 * sigma * sigma));
        }
    }
}

const signal_class signal_ex1 = {.kind = {"ex1", "Example 1: a kernel expansion, sum of a_m kappa(c_m, x)", ex1_params},
                                 .inputs_of = ex1_inputs,
                                 .state_of = ex1_state,
                                 .start = ex1_start,
                                 .next = ex1_next};

/* ---- Example 2: y = w0.x + 0.1 (w1.x)^2 + noise --------------------------------------------------------------- */

enum { EX2_DIM, EX2_SQUARE, EX2_NOISE };

static const okra_signal_param ex2_params[] = {
    {"dim", 5, 1, 1000, "numbers in an input", true},
    {"square", 0.1, -1e9, 1e9, "weight of the square", false},
    {"noise", 0.05, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

static size_t ex2_inputs(const okra_signal_spec *spec) { return (size_t)spec->values[EX2_DIM]; }

/* w0[d], w1[d] */
static size_t ex2_state(const okra_signal_spec *spec) { return 2 * ex2_inputs(spec); }

static void ex2_start(okra_signal *s)
{
    okra_random random = signal_random(&s->spec, SIGNAL_COEFFICIENTS);
    okra_random_normal(&random, 2 * s->inputs, s->state);
}

static void ex2_next(okra_signal *s, size_t n, double *X, double *y)
{
    size_t d = s->inputs;
    const double *w0 = s->state, *w1 = s->state + d;
    double square = signal_value(s, EX2_SQUARE), noise = signal_value(s, EX2_NOISE);
    okra_random_normal(&s->input, n * d, X);
    for (size_t i = 0; i < n; i++) {
        double p0 = 0, p1 = 0;
        for (size_t j = 0; j < d; j++) {
            p0 += w0[j] * X[i * d + j];
            p1 += w1[j] * X[i * d + j];
        }
        y[i] = p0 + square * p1 * p1 + noise * y[i];
    }
}

const signal_class signal_ex2 = {.kind = {"ex2", "Example 2: y = w0.x + 0.1 (w1.x)^2 + noise", ex2_params},
                                 .inputs_of = ex2_inputs,
                                 .state_of = ex2_state,
                                 .start = ex2_start,
                                 .next = ex2_next};

/* ---- Example 3: d_n = d_n-1 / (1 + d_n-1^2) + u_n-1^3, x_n = u_n-1 ---------------------------------------------- */

enum { EX3_SIGMA_U, EX3_START, EX3_NOISE };

static const okra_signal_param ex3_params[] = {
    {"sigma-u", 0.15, 0, 1e9, "deviation of the input", false},
    {"start", 1, -1e9, 1e9, "d_1", false},
    {"noise", 0.01, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

static void ex3_start(okra_signal *s) { s->state[0] = signal_value(s, EX3_START); }

static void ex3_next(okra_signal *s, size_t n, double *X, double *y)
{
    double sigma = signal_value(s, EX3_SIGMA_U), noise = signal_value(s, EX3_NOISE);
    okra_random_normal(&s->input, n, X);
    for (size_t i = 0; i < n; i++) {
        double before = s->state[0];
        X[i] *= sigma;
        s->state[0] = before / (1 + before * before) + X[i] * X[i] * X[i];
        y[i] = s->state[0] + noise * y[i];
    }
}

const signal_class signal_ex3 = {.kind = {"ex3", "Example 3: a series driven by the cube of its input", ex3_params},
                                 .inputs = 1,
                                 .state = 1,
                                 .start = ex3_start,
                                 .next = ex3_next};

/* ---- Example 4: a linear recursion in (u, v) behind a static nonlinearity --------------------------------------- */

enum { EX4_VARIANCE_V, EX4_VARIANCE_ETA, EX4_START, EX4_NOISE };

static const okra_signal_param ex4_params[] = {
    {"variance-v", 0.0156, 0, 1e9, "variance of v", false},
    {"variance-eta", 0.0156, 0, 1e9, "variance of the other part of u = v / 2 + eta", false},
    {"start", 1, -1e9, 1e9, "d_1 and d_2", false},
    {"noise", 0.001, 0, 1e9, "deviation of the noise", false},
    {NULL, 0, 0, 0, NULL, false},
};

static void ex4_start(okra_signal *s) { s->state[0] = s->state[1] = signal_value(s, EX4_START); }

static double ex4_bend(double d)
{
    return d >= 0 ? d / (3 * sqrt(0.1 + 0.9 * d * d)) : -d * d * (1 - exp(0.7 * d)) / 3;
}

static void ex4_next(okra_signal *s, size_t n, double *X, double *y)
{
    double deviation_v = sqrt(signal_value(s, EX4_VARIANCE_V)), deviation_eta = sqrt(signal_value(s, EX4_VARIANCE_ETA));
    double noise = signal_value(s, EX4_NOISE);
    okra_random_normal(&s->input, 2 * n, X);
    for (size_t i = 0; i < n; i++) {
        double v = deviation_v * X[2 * i + 1], u = 0.5 * v + deviation_eta * X[2 * i];
        double d = u + 0.5 * v - 0.2 * s->state[0] + 0.35 * s->state[1];
        X[2 * i] = u, X[2 * i + 1] = v;
        s->state[1] = s->state[0];
        s->state[0] = d;
        y[i] = ex4_bend(d) + noise * y[i];
    }
}

const signal_class signal_ex4 = {
    .kind = {"ex4", "Example 4: a recursion in (u, v) behind a static nonlinearity", ex4_params},
    .inputs = 2,
    .state = 2,
    .start = ex4_start,
    .next = ex4_next};
