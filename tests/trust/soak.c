/*
 * A long life: a thousand million samples through RFF-KLMS, a hundred million through small RFF-KRLS, in one process
 * and one filter each. Memory and error must stay flat to the end, and silence must neither wind a filter up nor slow
 * it down. Compiled once per precision. Without arguments a short form, for every change; `soak full` is the long one
 * whose figures the documentation quotes. Times are told, and never decide.
 */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "typed.h"

enum { D = 2, BLOCK = 1000, TENTHS = 10 };

static bool full;
static int failures;

static void verdict(bool good, const char *what, const char *format, ...)
{
    va_list args;
    printf("%-4s f%d %-34s ", good ? "ok" : "FAIL", OKRA_PRECISION, what);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    failures += !good;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Pages of memory in use. */
static long resident(void)
{
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages;
}

/* ---- an endless stream -------------------------------------------------------------------------------------- */

/*
 * y = sin(2 x0) + x1^2 / 2 + noise. Inputs and noise go round in buffers whose lengths have no common factor: the whole
 * repeats after 1e12 samples, and costs next to nothing.
 */
enum { LENGTH_0 = 10007, LENGTH_1 = 9973, LENGTH_NOISE = 9967 };

static real x0[LENGTH_0], f0[LENGTH_0], x1[LENGTH_1], f1[LENGTH_1], noise[LENGTH_NOISE];

typedef struct source {
    size_t at_0, at_1, at_noise;
    real X[BLOCK * D], Y[BLOCK], Yhat[BLOCK];
} source;

static void fill_buffers(void)
{
    okra_random random = {.seed = 3};
    for (size_t i = 0; i < LENGTH_0; i++) {
        double z[3];
        okra_random_normal(&random, 3, z);
        x0[i] = (real)z[0], f0[i] = (real)sin(2 * z[0]);
        if (i < LENGTH_1)
            x1[i] = (real)z[1], f1[i] = (real)(z[1] * z[1] / 2);
        if (i < LENGTH_NOISE)
            noise[i] = (real)(0.1 * z[2]);
    }
}

static size_t next_of(size_t *at, size_t length)
{
    size_t now = *at;
    *at = now + 1 < length ? now + 1 : 0;
    return now;
}

static void next_block(source *s)
{
    for (size_t i = 0; i < BLOCK; i++) {
        size_t a = next_of(&s->at_0, LENGTH_0), b = next_of(&s->at_1, LENGTH_1),
               c = next_of(&s->at_noise, LENGTH_NOISE);
        s->X[D * i] = x0[a], s->X[D * i + 1] = x1[b], s->Y[i] = f0[a] + f1[b] + noise[c];
    }
}

typedef enum silence { SIGNAL, NO_TARGETS, NOTHING } silence;

static void hush(source *s, silence how)
{
    if (how != SIGNAL)
        memset(s->Y, 0, sizeof s->Y);
    if (how == NOTHING)
        memset(s->X, 0, sizeof s->X);
}

/* ---- a segment of it ---------------------------------------------------------------------------------------- */

typedef struct segment {
    double mse, ns; /* mean squared error, and processor time a sample */
    okra_status status;
} segment;

/* n samples, a multiple of BLOCK. Time is that of learning; making the samples and their errors is left out. */
static segment live(okra_filter *filter, source *s, size_t n, silence how)
{
    segment r = {0};
    double sum = 0, spent = 0;
    for (size_t i = 0; i < n && !r.status; i += BLOCK) {
        next_block(s);
        hush(s, how);
        double start = seconds(), part = 0;
        r.status = run(filter, BLOCK, s->X, s->Y, NULL, s->Yhat, NULL);
        spent += seconds() - start;
        for (size_t k = 0; k < BLOCK; k++) {
            double e = (double)s->Y[k] - (double)s->Yhat[k];
            part += e * e;
        }
        sum += part;
    }
    r.mse = sum / (double)n;
    r.ns = 1e9 * spent / (double)n;
    return r;
}

static double decibels(double power) { return 10 * log10(power); }

/* Numbers of the state that are not finite, and those that are below the normal range. */
static void look(const okra_filter *filter, size_t *bad, size_t *denormal)
{
    okra_array array;
    *bad = *denormal = 0;
    for (size_t i = 0; okra_array_at(filter, i, &array) == OKRA_OK; i++) {
        size_t n = array.rows * array.cols;
        real *copy = malloc((n + 1) * sizeof *copy);
        assert_ok(okra_array_read(filter, array.name, copy));
        for (size_t k = 0; k < n; k++) {
            if (!(real_abs(copy[k]) <= REAL_MAX))
                ++*bad;
            else if (fpclassify(copy[k]) == FP_SUBNORMAL)
                ++*denormal;
        }
        free(copy);
    }
}

/* ---- the long life ------------------------------------------------------------------------------------------ */

/*
 * How far apart two means of n squared errors may be by chance, in dB: a mean of n squares of normals has a deviation
 * of sqrt(2 / n) of itself. Errors of a filter that learns are alike over some samples, 16 are allowed for; 5
 * deviations of a difference.
 */
static double chance_db(size_t n) { return decibels(1 + 5 * sqrt(2) * sqrt(2 * 16 / (double)n)); }

static void soak(const char *name, okra_filter *filter, size_t n, double allowance)
{
    source *s = calloc(1, sizeof *s);
    enum { MILLION = 1000000 };
    size_t tenth = n / TENTHS, edge = tenth > 2 * MILLION ? MILLION : tenth / 2, bad, denormal;
    double mse[TENTHS] = {0}, first_ns = 0, last_ns = 0;
    long pages[TENTHS] = {0};
    okra_status status = OKRA_OK;
    printf("\n%s, f%d, %zu samples\n%8s %12s %10s %10s %8s\n", name, OKRA_PRECISION, n, "", "samples", "RSS, KiB",
           "MSE, dB", "ns");
    for (int t = 0; t < TENTHS && !status; t++) {
        segment head = live(filter, s, edge, SIGNAL), middle = live(filter, s, tenth - 2 * edge, SIGNAL),
                tail = live(filter, s, edge, SIGNAL);
        double share = (double)edge / (double)tenth;
        status = head.status ? head.status : middle.status ? middle.status : tail.status;
        mse[t] = share * (head.mse + tail.mse) + (tenth > 2 * edge ? (1 - 2 * share) * middle.mse : 0);
        double ns = share * (head.ns + tail.ns) + (tenth > 2 * edge ? (1 - 2 * share) * middle.ns : 0);
        pages[t] = resident();
        first_ns = t == 0 ? head.ns : first_ns, last_ns = tail.ns;
        printf("%7d%% %12zu %10ld %10.3f %8.1f\n", 100 * (t + 1) / TENTHS, (size_t)(t + 1) * tenth,
               pages[t] * (sysconf(_SC_PAGESIZE) / 1024), decibels(mse[t]), ns);
        fflush(stdout);
    }
    look(filter, &bad, &denormal);
    verdict(!status && bad == 0, "every sample taken, all finite", "%s, %zu numbers not finite, %zu denormal",
            okra_strerror(status), bad, denormal);
    verdict(pages[TENTHS - 1] - pages[1] <= 2, "memory flat", "%ld pages more than after the second tenth",
            pages[TENTHS - 1] - pages[1]);
    double rise = decibels(mse[TENTHS - 1] / mse[1]), max = chance_db(tenth) + allowance;
    verdict(rise <= max, "floor flat", "last tenth %+.4f dB from the second, %.4f allowed", rise, max);
    verdict(true, "speed", "the last %zu samples took %.2f of the time of the first", edge, last_ns / first_ns);
    free(s);
}

/*
 * Silence after a life: everything finite, and next to nothing below the normal range, where some processors take a
 * hundred times as long; the time that a sample takes then, over that of the signal before.
 */
static void fall_silent(okra_filter *filter, silence how, const char *what, size_t n)
{
    source *s = calloc(1, sizeof *s);
    size_t bad, denormal;
    okra_filter *twin;
    assert_ok(okra_clone(filter, &twin));
    segment before = live(twin, s, BLOCK * 100, SIGNAL), first = live(twin, s, n / 2, how),
            last = live(twin, s, n / 2, how);
    look(twin, &bad, &denormal);
    verdict(!before.status && !first.status && !last.status && bad == 0 && denormal <= 4, what,
            "%zu samples, time of the last half over that of signal %.2f, error %.2g, %zu numbers denormal", n,
            last.ns / before.ns, sqrt(last.mse), denormal);
    okra_free(twin);
    free(s);
}

static okra_filter *make(const char *recipe, size_t features, double beta)
{
    okra_spec spec;
    assert_ok(okra_spec_init(&spec, recipe, D, 1));
    spec.precision = OKRA_PRECISION, spec.features = features, spec.sigma = 1;
    if (strcmp(recipe, "rff-krls") == 0)
        spec.beta = beta, spec.map = OKRA_MAP_ORF;
    return make_filter(&spec);
}

static void soak_klms(void)
{
    okra_filter *filter = make("rff-klms", 64, 1);
    size_t n = full ? 1000000000 : 1000000, quiet = full ? 20000000 : 200000;
    soak("rff-klms, D = 64", filter, n, 0);
    fall_silent(filter, NO_TARGETS, "targets fall silent", quiet);
    fall_silent(filter, NOTHING, "all falls silent", quiet);
    okra_free(filter);
}

/*
 * Without forgetting a sample weighs 1/n. In float32 that is below eps after 1/eps, 8 million: steps are then lost in
 * the rounding of theta, and its own is no longer averaged out. It is 0.2 dB here, and nothing with beta = 0.999999.
 */
static void soak_krls(double beta)
{
    const double allowance = OKRA_PRECISION == 32 && beta >= 1 ? 0.3 : 0;
    char name[64];
    okra_filter *filter = make("rff-krls", 16, beta);
    size_t n = full ? 100000000 : 200000, quiet = full ? 5000000 : 100000;
    snprintf(name, sizeof name, "rff-krls, D = 16, beta %g", beta);
    soak(name, filter, n, allowance);
    fall_silent(filter, NO_TARGETS, "targets fall silent", quiet);
    fall_silent(filter, NOTHING, "all falls silent", quiet);
    okra_free(filter);
}

/* ---- forgetting in silence ---------------------------------------------------------------------------------- */

/*
 * A memory of n samples after a long silence, the filter is as good as it was before: forgetting has not wound up. The
 * excess error of RLS is about D (1 - beta) / 2 of the noise, so its floor is known to a few percent; the first five
 * memories are left for learning.
 */
static void silence_then_signal(double beta, silence how, const char *what, size_t quiet)
{
    source *s = calloc(1, sizeof *s);
    okra_filter *filter = make("rff-krls", 16, beta);
    char label[64];
    size_t settle = (size_t)(5 / (1 - beta)) / BLOCK * BLOCK + BLOCK, measured = 100 * BLOCK;
    snprintf(label, sizeof label, "beta %g, %s, then signal", beta, what);
    live(filter, s, settle, SIGNAL);
    segment before = live(filter, s, measured, SIGNAL), silent = live(filter, s, quiet, how),
            shock = live(filter, s, settle, SIGNAL), after = live(filter, s, measured, SIGNAL);
    double rise = decibels(after.mse / before.mse);
    bool taken = !before.status && !silent.status && !shock.status && !after.status;
    verdict(taken && rise <= chance_db(measured), label,
            "%zu silent samples: %.2f dB before, %.2f dB in the first %zu after, %.2f dB then", quiet,
            decibels(before.mse), decibels(shock.mse), settle, decibels(after.mse));
    okra_free(filter);
    free(s);
}

static void windup(void)
{
    static const double betas[] = {0.9, 0.99, 0.999};
    printf("\nsilence, then signal: rff-krls, D = 16, f%d\n", OKRA_PRECISION);
    for (size_t b = 0; b < COUNT_OF(betas); b++) {
        silence_then_signal(betas[b], NOTHING, "all silent", full ? 1000000 : 100000);
        silence_then_signal(betas[b], NO_TARGETS, "no targets", full ? 1000000 : 100000);
    }
}

int main(int argc, char **argv)
{
    SKIP_WITHOUT_ISA();
    full = argc > 1 && strcmp(argv[1], "full") == 0;
    fill_buffers();
    windup();
    soak_krls(1);
    soak_krls(0.999);
    if (OKRA_PRECISION == 32)
        soak_krls(0.999999);
    soak_klms();
    return failures > 0;
}
