/*
 * Every signal against its published recursion, written out again: slowly, with whole arrays instead of a state, from
 * the same random numbers. The streams of numbers are part of what is promised, so they stand here as numbers.
 */
#include "check.h"

#include "lab/signal.h"

#include <okra/lab.h>

enum { COEFFICIENTS = 11, INPUTS = 12, NOISE = 13, OTHER = 14, STREAMS_OF_A_BRANCH = 64 };
enum { N = 700, MAX_INPUTS = 4, BRANCH = 3 };

static double X[N * MAX_INPUTS], y[N], normals[N * MAX_INPUTS], noise[N];

/* ---- what the oracles share ----------------------------------------------------------------------------------- */

typedef struct constant {
    const char *name;
    double value;
} constant;

/* Coefficients belong to the system, so they are those of every branch. */
static okra_random sequence(uint32_t stream)
{
    uint32_t branch = stream == COEFFICIENTS ? 0 : BRANCH * STREAMS_OF_A_BRANCH;
    return (okra_random){.seed = 77, .run = 5, .stream = stream + branch};
}

static void draw_normals(uint32_t stream, size_t n, double *out)
{
    okra_random random = sequence(stream);
    okra_random_normal(&random, n, out);
}

/* X and y of a signal with these constants, and the noise that it must have used. */
static void generate(const char *name, const constant *constants, size_t n_constants)
{
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, name));
    for (size_t i = 0; i < n_constants; i++)
        assert_ok(okra_signal_spec_set(&spec, constants[i].name, constants[i].value, NULL));
    spec.seed = 77, spec.run = 5, spec.branch = BRANCH;
    assert_ok(okra_signal_create(&spec, &signal));
    assert_true(okra_signal_inputs(signal) <= MAX_INPUTS);
    okra_signal_next(signal, 0, X, y);
    okra_signal_next(signal, N, okra_signal_inputs(signal) ? X : NULL, y);
    okra_signal_free(signal);
    draw_normals(NOISE, N, noise);
}

#define GENERATE(name, ...)                                                 \
    do {                                                                    \
        const constant constants_[] = {__VA_ARGS__};                        \
        generate(name, constants_, sizeof constants_ / sizeof *constants_); \
    } while (0)

/* ---- the paper's examples --------------------------------------------------------------------------------------- */

static void example1(void **state)
{
    (void)state;
    enum { D = 3, M = 4 };
    double numbers[M + M * D];
    GENERATE("ex1", {"dim", D}, {"centres", M}, {"sigma", 1.7}, {"centre-sigma", 0.6}, {"weight-sigma", 2.5},
             {"sigma-x", 0.8}, {"noise", 0.3});
    draw_normals(COEFFICIENTS, M + M * D, numbers);
    draw_normals(INPUTS, N * D, normals);
    for (size_t n = 0; n < N; n++) {
        double wanted = 0.3 * noise[n];
        for (size_t m = 0; m < M; m++) {
            double distance = 0;
            for (size_t j = 0; j < D; j++)
                distance = hypot(distance, 0.8 * normals[n * D + j] - 0.6 * numbers[M + m * D + j]);
            wanted += 2.5 * numbers[m] * exp(-0.5 * pow(distance / 1.7, 2));
        }
        for (size_t j = 0; j < D; j++)
            assert_near(X[n * D + j], 0.8 * normals[n * D + j], 1e-15);
        assert_near(y[n], wanted, 1e-13);
    }
}

static void example2(void **state)
{
    (void)state;
    enum { D = 4 };
    double w[2 * D];
    GENERATE("ex2", {"dim", D}, {"square", -0.7}, {"noise", 0.2});
    draw_normals(COEFFICIENTS, COUNT_OF(w), w);
    draw_normals(INPUTS, N * D, normals);
    assert_memory_equal(X, normals, N * D * sizeof *X);
    for (size_t n = 0; n < N; n++) {
        double linear = 0, squared = 0;
        for (size_t j = 0; j < D; j++)
            linear += w[j] * X[n * D + j], squared += w[D + j] * X[n * D + j];
        assert_near(y[n], linear - 0.7 * pow(squared, 2) + 0.2 * noise[n], 1e-12);
    }
}

static void example3(void **state)
{
    (void)state;
    double d = -0.4;
    GENERATE("ex3", {"sigma-u", 0.9}, {"start", -0.4}, {"noise", 0.25});
    draw_normals(INPUTS, N, normals);
    for (size_t n = 0; n < N; n++) {
        double u = 0.9 * normals[n];
        d = d / (1 + pow(d, 2)) + pow(u, 3);
        assert_near(X[n], u, 0);
        assert_near(y[n], d + 0.25 * noise[n], 1e-12);
    }
}

static void example4(void **state)
{
    (void)state;
    double d[N + 2] = {-3, -3};
    GENERATE("ex4", {"variance-v", 0.49}, {"variance-eta", 0.36}, {"start", -3}, {"noise", 0.1});
    draw_normals(INPUTS, 2 * N, normals);
    for (size_t n = 0; n < N; n++) {
        double v = 0.7 * normals[2 * n + 1], u = v / 2 + 0.6 * normals[2 * n];
        double now = d[n + 2] = u + v / 2 - 0.2 * d[n + 1] + 0.35 * d[n];
        double bent = now < 0 ? -pow(now, 2) * (1 - exp(0.7 * now)) / 3 : now / (3 * sqrt(0.1 + 0.9 * pow(now, 2)));
        assert_near(X[2 * n], u, 1e-15);
        assert_near(X[2 * n + 1], v, 1e-15);
        assert_near(y[n], bent + 0.1 * noise[n], 1e-14);
    }
}

/* ---- differential equations ---------------------------------------------------------------------------------------
 */

typedef struct mackey_glass {
    double b, g, power, h;
    size_t delay, every; /* in steps of the integration */
} mackey_glass;

static double mackey_glass_slope(const mackey_glass *c, double x, double delayed)
{
    return c->b * delayed / (1 + pow(delayed, c->power)) - c->g * x;
}

/* From time i to i + 1, over the whole history x[0 .. i]; the past before it is constant. */
static double mackey_glass_step(const mackey_glass *c, const double *x, size_t i)
{
    double from = i < c->delay ? x[0] : x[i - c->delay], to = i + 1 < c->delay ? x[0] : x[i + 1 - c->delay];
    double middle = 0.5 * (from + to), k1 = mackey_glass_slope(c, x[i], from);
    double k2 = mackey_glass_slope(c, x[i] + 0.5 * c->h * k1, middle);
    double k3 = mackey_glass_slope(c, x[i] + 0.5 * c->h * k2, middle);
    double k4 = mackey_glass_slope(c, x[i] + c->h * k3, to);
    return x[i] + c->h * (k1 / 6 + k2 / 3 + k3 / 3 + k4 / 6);
}

/* The largest exponent of these systems is below 0.01, and they run for 3000 units of time or less: roundings of 1e-16
 * grow by e^30 at most, and by e^12 or so as they are. */
static void assert_mackey_glass(const mackey_glass *c, double deviation)
{
    size_t steps = (300 + N) * c->every;
    double *x = malloc((steps + 1) * sizeof *x), start;
    okra_random random = sequence(OTHER);
    okra_random_uniform(&random, 1, &start);
    x[0] = 0.5 + start;
    for (size_t i = 0; i < steps; i++)
        x[i + 1] = mackey_glass_step(c, x, i);
    double min = x[300 * c->every], max = min;
    for (size_t n = 0; n < N; n++) {
        double now = x[(301 + n) * c->every];
        assert_near(y[n], now + deviation * noise[n], 1e-9);
        min = fmin(min, now), max = fmax(max, now);
    }
    assert_true(max - min > 0.1); /* it has not settled, where everything would agree */
    free(x);
}

static void mackey_glass_series(void **state)
{
    (void)state;
    GENERATE("mackey-glass", {"sample", 1}, {"noise", 0.25});
    assert_mackey_glass(&(mackey_glass){0.2, 0.1, 10, 0.1, 170, 10}, 0.25);
    GENERATE("mackey-glass", {"tau", 20.04}, {"b", 0.25}, {"g", 0.12}, {"power", 9}, {"step", 0.2}, {"sample", 0.75});
    assert_mackey_glass(&(mackey_glass){0.25, 0.12, 9, 0.2, 100, 4}, 0);
    GENERATE("mackey-glass", {"tau", 18}, {"step", 1}, {"sample", 0.001}); /* a step at least */
    assert_mackey_glass(&(mackey_glass){0.2, 0.1, 10, 1, 18, 1}, 0);
}

static void lorenz_slope(const double c[3], const double p[3], double slope[3])
{
    slope[0] = c[0] * p[1] - c[0] * p[0];
    slope[1] = c[1] * p[0] - p[0] * p[2] - p[1];
    slope[2] = p[0] * p[1] - c[2] * p[2];
}

/* Runge and Kutta, as it is in the books. */
static void lorenz_step(const double c[3], double h, double p[3])
{
    double k1[3], k2[3], k3[3], k4[3], at[3];
    lorenz_slope(c, p, k1);
    for (int i = 0; i < 3; i++)
        at[i] = p[i] + h * k1[i] / 2;
    lorenz_slope(c, at, k2);
    for (int i = 0; i < 3; i++)
        at[i] = p[i] + h * k2[i] / 2;
    lorenz_slope(c, at, k3);
    for (int i = 0; i < 3; i++)
        at[i] = p[i] + h * k3[i];
    lorenz_slope(c, at, k4);
    for (int i = 0; i < 3; i++)
        p[i] += h * (k1[i] / 6 + k2[i] / 3 + k3[i] / 3 + k4[i] / 6);
}

/* 1700 samples of 0.004 are 7 units of time, over which roundings grow by e^7. */
static void lorenz_series(void **state)
{
    (void)state;
    const double c[3] = {9, 30, 2.5};
    double p[3];
    GENERATE("lorenz", {"s", c[0]}, {"r", c[1]}, {"b", c[2]}, {"step", 0.004}, {"noise", 0.5});
    draw_normals(OTHER, 3, p);
    p[2] += 25;
    for (int part = 0; part < 4 * 1000; part++)
        lorenz_step(c, 0.001, p);
    for (size_t n = 0; n < N; n++) {
        for (int part = 0; part < 4; part++)
            lorenz_step(c, 0.001, p);
        assert_near(y[n], p[0] + 0.5 * noise[n], 1e-9);
    }
}

/* ---- the others ---------------------------------------------------------------------------------------------------
 */

static void assert_channel(size_t taps, size_t period)
{
    okra_random random = sequence(OTHER);
    double h[8] = {0};
    draw_normals(INPUTS, N, normals);
    assert_memory_equal(X, normals, N * sizeof *X);
    for (size_t n = 0; n < N; n++) {
        double length = 0, sum = 0;
        if (n % period == 0)
            okra_random_normal(&random, taps, h);
        for (size_t k = 0; k < taps; k++)
            length = hypot(length, h[k]);
        for (size_t k = 0; k < taps && k <= n; k++)
            sum += h[k] / length * X[n - k];
        assert_near(y[n], tanh(1.5 * sum) + 0.3 * noise[n], 1e-14);
    }
}

static void channel_series(void **state)
{
    (void)state;
    GENERATE("channel", {"switch", 37}, {"taps", 4}, {"noise", 0.3});
    assert_channel(4, 37);
    GENERATE("channel", {"switch", 1}, {"taps", 1}, {"noise", 0.3});
    assert_channel(1, 1);
}

static void sinc_series(void **state)
{
    (void)state;
    static const double spans[] = {2.5, 1e-9}; /* and where the quotient is 1 */
    for (size_t s = 0; s < COUNT_OF(spans); s++) {
        okra_random random = sequence(INPUTS);
        GENERATE("sinc", {"span", spans[s]}, {"noise", 0.4});
        okra_random_uniform(&random, N, normals);
        for (size_t n = 0; n < N; n++) {
            double x = spans[s] * (2 * normals[n] - 1);
            assert_near(X[n], x, 0);
            assert_near(y[n], sin(M_PI * x) / (M_PI * x) + 0.4 * noise[n], 1e-15);
        }
    }
}

/* ---- echo: far end, loudspeaker, room ------------------------------------------------------------------------------
 */

enum { REHEARSAL = 32768 };

typedef struct echo_constants {
    size_t taps, syllable;
    double decay, clip, snr, resonance;
} echo_constants;

/* n samples of the far end from standard normals: noise through a pair of poles at radius r and an angle of pi / 8, as
 * much as it takes for a variance of 1; under the syllables; limited. */
static void far_end(const echo_constants *c, size_t n, const double *in, double *u)
{
    double r = c->resonance, a = 2 * r * cos(M_PI / 8), r2 = r * r, gain = 0, v1 = 0, v2 = 0;
    /* the variance of an autoregression of second order: the sum of its squared impulse response */
    for (int k = 0; k < 2000; k++) {
        double h = (k == 0) + a * v1 - r2 * v2;
        gain += h * h, v2 = v1, v1 = h;
    }
    v1 = v2 = 0;
    for (size_t t = 0; t < n; t++) {
        okra_random random = sequence(OTHER);
        double peak, v = a * v1 - r2 * v2 + in[t] / sqrt(gain);
        v2 = v1, v1 = v;
        random.next = t / c->syllable;
        okra_random_uniform(&random, 1, &peak);
        double swell = pow(sin(M_PI * (double)(t % c->syllable) / (double)c->syllable), 2);
        u[t] = (1 + 3 * peak) / 12 * swell * v;
        u[t] = u[t] > 0.999 ? 0.999 : u[t] < -0.999 ? -0.999 : u[t];
    }
}

static double echo_at(const echo_constants *c, const double *path, const double *u, size_t t)
{
    double sum = 0;
    for (size_t k = 0; k < c->taps && k <= t; k++)
        sum += path[k] * c->clip * tanh(u[t - k] / c->clip);
    return sum;
}

static double power_of(const double *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum / (double)n;
}

static void assert_echo(const echo_constants *c)
{
    static double path[REHEARSAL + 32], u[REHEARSAL], e[REHEARSAL];
    draw_normals(COEFFICIENTS, c->taps + REHEARSAL, path);
    for (size_t k = 0; k < c->taps; k++)
        path[k] *= exp(-(double)k / c->decay);
    far_end(c, REHEARSAL, path + c->taps, u);
    for (size_t t = 0; t < REHEARSAL; t++)
        e[t] = echo_at(c, path, u, t);
    double far = sqrt(power_of(u, REHEARSAL)), back = sqrt(power_of(e, REHEARSAL));
    draw_normals(INPUTS, N, normals);
    far_end(c, N, normals, u);
    for (size_t t = 0; t < N; t++) {
        double echo = 0.5 * far / back * echo_at(c, path, u, t);
        assert_near(X[t], u[t], 1e-13);
        assert_near(y[t], echo + 0.5 * far * pow(10, -c->snr / 20) * noise[t], 1e-12);
    }
}

static void echo_series(void **state)
{
    (void)state;
    GENERATE("echo", {"taps", 5}, {"decay", 2.5}, {"clip", 0.3}, {"snr", 15}, {"syllable", 40}, {"resonance", 0.7});
    assert_echo(&(echo_constants){5, 40, 2.5, 0.3, 15, 0.7});
    GENERATE("echo", {"taps", 1}, {"snr", 3}, {"syllable", 2}, {"resonance", 0});
    assert_echo(&(echo_constants){1, 2, 4, 0.2, 3, 0});
    GENERATE("echo", {"taps", 24}, {"decay", 20}, {"clip", 10}, {"syllable", 99}, {"resonance", 0.95});
    assert_echo(&(echo_constants){24, 99, 20, 10, 40, 0.95});
}

/* Some of what far_end() limits is in what is compared, on either side. */
static void echo_reaches_its_limits(void **state)
{
    (void)state;
    enum { LONG = 60000 };
    double *u = malloc(LONG * sizeof *u), *mic = malloc(LONG * sizeof *mic), min = 0, max = 0;
    okra_signal_spec spec;
    okra_signal *signal;
    assert_ok(okra_signal_spec_init(&spec, "echo"));
    assert_ok(okra_signal_spec_set(&spec, "syllable", 2, NULL)); /* every other sample is at a peak */
    assert_ok(okra_signal_create(&spec, &signal));
    okra_signal_next(signal, LONG, u, mic);
    for (size_t t = 0; t < LONG; t++)
        min = fmin(min, u[t]), max = fmax(max, u[t]);
    assert_near(max, 0.999, 0);
    assert_near(min, -0.999, 0);
    okra_signal_free(signal);
    free(u), free(mic);
}

/* ---- the table ------------------------------------------------------------------------------------------------------
 */

/* Defaults are what published figures rest on, and ranges what the pages promise. */
static const struct {
    const char *signal, *name;
    double value, low, high;
} table[] = {
    {"ex1", "dim", 5, 1, 1000},
    {"ex1", "centres", 10, 1, 100000},
    {"ex1", "sigma", 5, 1e-9, 1e9},
    {"ex1", "centre-sigma", 1, 0, 1e9},
    {"ex1", "weight-sigma", 5, 0, 1e9},
    {"ex1", "sigma-x", 1, 0, 1e9},
    {"ex1", "noise", 0.1, 0, 1e9},
    {"ex2", "dim", 5, 1, 1000},
    {"ex2", "square", 0.1, -1e9, 1e9},
    {"ex2", "noise", 0.05, 0, 1e9},
    {"ex3", "sigma-u", 0.15, 0, 1e9},
    {"ex3", "start", 1, -1e9, 1e9},
    {"ex3", "noise", 0.01, 0, 1e9},
    {"ex4", "variance-v", 0.0156, 0, 1e9},
    {"ex4", "variance-eta", 0.0156, 0, 1e9},
    {"ex4", "start", 1, -1e9, 1e9},
    {"ex4", "noise", 0.001, 0, 1e9},
    {"mackey-glass", "tau", 17, 0.1, 1000},
    {"mackey-glass", "b", 0.2, 0, 10},
    {"mackey-glass", "g", 0.1, 0, 10},
    {"mackey-glass", "power", 10, 1, 100},
    {"mackey-glass", "step", 0.1, 0.001, 1},
    {"mackey-glass", "sample", 6, 0.001, 1000},
    {"mackey-glass", "noise", 0, 0, 1e9},
    {"lorenz", "s", 10, 0, 1000},
    {"lorenz", "r", 28, 0, 1000},
    {"lorenz", "b", 8.0 / 3, 0, 1000},
    {"lorenz", "step", 0.02, 1e-6, 0.1},
    {"lorenz", "noise", 0, 0, 1e9},
    {"channel", "switch", 1000, 1, 1e15},
    {"channel", "taps", 5, 1, 1000},
    {"channel", "noise", 0.05, 0, 1e9},
    {"sinc", "span", 3, 1e-9, 1e9},
    {"sinc", "noise", 0.1, 0, 1e9},
    {"echo", "taps", 16, 1, 100000},
    {"echo", "decay", 4, 0.1, 1e9},
    {"echo", "clip", 0.2, 1e-3, 1e3},
    {"echo", "snr", 40, -100, 200},
    {"echo", "syllable", 2000, 2, 1e9},
    {"echo", "resonance", 0.9, 0, 0.999},
};

static void constants_are_as_published(void **state)
{
    (void)state;
    size_t row = 0;
    for (size_t k = 0; okra_signal_at(k); k++) {
        okra_signal_spec spec;
        const okra_signal_kind *kind = okra_signal_at(k);
        assert_ptr_equal(okra_signal_find(kind->name), kind);
        assert_ok(okra_signal_spec_init(&spec, kind->name));
        assert_true(spec.kind == kind && spec.seed == 1 && spec.run == 0 && spec.branch == 0);
        for (size_t i = 0; kind->params[i].name; i++, row++) {
            assert_true(row < COUNT_OF(table));
            assert_string_equal(kind->name, table[row].signal);
            assert_string_equal(kind->params[i].name, table[row].name);
            assert_near(kind->params[i].value, table[row].value, 0);
            assert_near(kind->params[i].low, table[row].low, 0);
            assert_near(kind->params[i].high, table[row].high, 0);
            assert_near(spec.values[i], table[row].value, 0);
        }
    }
    assert_int_equal(row, COUNT_OF(table));
    assert_null(okra_signal_find("nothing"));
    assert_null(okra_signal_find(NULL));
}

/* The ends of a range are inside, and what is refused changes nothing. */
static void ranges_have_ends(void **state)
{
    (void)state;
    for (size_t row = 0, i = 0; row < COUNT_OF(table); row++) {
        okra_signal_spec spec;
        okra_message why;
        i = row > 0 && strcmp(table[row].signal, table[row - 1].signal) == 0 ? i + 1 : 0;
        assert_ok(okra_signal_spec_init(&spec, table[row].signal));
        assert_ok(okra_signal_spec_set(&spec, table[row].name, table[row].low, &why));
        assert_near(spec.values[i], table[row].low, 0);
        assert_ok(okra_signal_spec_set(&spec, table[row].name, table[row].high, NULL));
        double above = nextafter(table[row].high, (double)INFINITY), below = nextafter(table[row].low, -1e300);
        assert_status(okra_signal_spec_set(&spec, table[row].name, above, &why), OKRA_E_PARAMETER);
        assert_non_null(strstr(why.text, "out of range: it must be "));
        assert_status(okra_signal_spec_set(&spec, table[row].name, below, NULL), OKRA_E_PARAMETER);
        assert_near(spec.values[i], table[row].high, 0);
    }
}

static void what_is_missing_is_refused(void **state)
{
    (void)state;
    okra_signal_spec spec, none = {0};
    okra_signal *signal = (okra_signal *)&spec;
    okra_message why;
    assert_status(okra_signal_spec_init(NULL, "ex1"), OKRA_E_NULL);
    assert_status(okra_signal_spec_init(&spec, NULL), OKRA_E_NULL);
    assert_ok(okra_signal_spec_init(&spec, "ex1"));
    assert_status(okra_signal_create(NULL, &signal), OKRA_E_NULL);
    assert_status(okra_signal_create(&spec, NULL), OKRA_E_NULL);
    assert_status(okra_signal_create(&none, &signal), OKRA_E_PARAMETER);
    assert_null(signal);
    assert_status(okra_signal_spec_set(NULL, "dim", 1, NULL), OKRA_E_NULL);
    assert_status(okra_signal_spec_set(&none, "dim", 1, &why), OKRA_E_NULL);
    assert_string_equal(why.text, okra_strerror(OKRA_E_NULL));
    assert_status(okra_signal_spec_set(&spec, "tau", 1, NULL), OKRA_E_PARAMETER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example1),
        cmocka_unit_test(example2),
        cmocka_unit_test(example3),
        cmocka_unit_test(example4),
        cmocka_unit_test(mackey_glass_series),
        cmocka_unit_test(lorenz_series),
        cmocka_unit_test(channel_series),
        cmocka_unit_test(sinc_series),
        cmocka_unit_test(echo_series),
        cmocka_unit_test(echo_reaches_its_limits),
        cmocka_unit_test(constants_are_as_published),
        cmocka_unit_test(ranges_have_ends),
        cmocka_unit_test(what_is_missing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
