/*
 * `make demo`: an unknown nonlinear system is learnt online, sample by sample, and changes abruptly half-way. RFF-KLMS
 * and a linear LMS see the same stream. Shows progress, the error of both, and a picture of their learning curves.
 *
 *     demo DIRECTORY      writes learning-curve.csv, .gp and .png there
 *
 * The system is Example 2 of the paper: y = w0.x + 0.1 (w1.x)^2 + noise, x in R^5, noise deviation 0.05.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <okra/okra.h>

enum { INPUTS = 5, SAMPLES = 60000, WINDOW = 200, BLOCK = 1000 };
static const double noise = 0.05;

/* One of the two learners. */
typedef struct learner {
    const char *recipe, *title;
    okra_filter *filter;
    double curve[SAMPLES / WINDOW]; /* mean squared error of each window */
    double seconds;
} learner;

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "demo: %s: %s\n", what, why);
    exit(1);
}

/* ---- the system ------------------------------------------------------------------------------------------ */

typedef struct plant {
    okra_random inputs, noise;
    double w0[INPUTS], w1[INPUTS];
} plant;

/* Another system of the same kind: fresh coefficients. */
static void change(plant *p, uint32_t number)
{
    okra_random random = {.seed = 2016, .run = number, .stream = 1};
    okra_random_normal(&random, INPUTS, p->w0);
    okra_random_normal(&random, INPUTS, p->w1);
}

static void generate(plant *p, size_t n, double *X, double *Y)
{
    okra_random_normal(&p->inputs, n * INPUTS, X);
    okra_random_normal(&p->noise, n, Y);
    for (size_t i = 0; i < n; i++) {
        double linear = 0, square = 0;
        for (size_t j = 0; j < INPUTS; j++) {
            linear += p->w0[j] * X[i * INPUTS + j];
            square += p->w1[j] * X[i * INPUTS + j];
        }
        Y[i] = linear + 0.1 * square * square + noise * Y[i];
    }
}

/* ---- learning -------------------------------------------------------------------------------------------- */

static void make_learner(learner *l)
{
    okra_spec spec;
    okra_status status = okra_spec_init(&spec, l->recipe, INPUTS, 1);
    if (!status && spec.features) {
        spec.sigma = 5;
        spec.mu = 1;
    }
    if (!status)
        status = okra_create(&spec, &l->filter);
    if (status)
        stop(l->recipe, okra_strerror(status));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Predicts and learns samples [first, first + BLOCK) and adds up the squared errors. */
static void learn(learner *l, size_t first, const double *X, const double *Y)
{
    double yhat[BLOCK], start = now();
    okra_status status = okra_run(l->filter, BLOCK, X, Y, NULL, yhat, NULL, NULL);
    l->seconds += now() - start;
    if (status)
        stop(l->recipe, okra_strerror(status));
    for (size_t i = 0; i < BLOCK; i++) {
        double error = Y[i] - yhat[i];
        l->curve[(first + i) / WINDOW] += error * error / WINDOW;
    }
}

static void show_progress(size_t done)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1] = "";
    if (!isatty(STDERR_FILENO))
        return;
    memset(bar, '#', done * WIDTH / SAMPLES);
    fprintf(stderr, "\rlearning [%-*s] %3zu%%%s", WIDTH, bar, 100 * done / SAMPLES, done == SAMPLES ? "\n" : "");
}

/* ---- the report
 * ------------------------------------------------------------------------------------------------------ */

/* Mean error in dB over the last tenth of the half that ends at `end`. */
static double floor_db(const learner *l, size_t end)
{
    double sum = 0;
    const size_t windows = SAMPLES / WINDOW / 20;
    for (size_t i = 0; i < windows; i++)
        sum += l->curve[end / WINDOW - 1 - i] / (double)windows;
    return 10 * log10(sum);
}

static FILE *create_file(char *path, size_t size, const char *directory, const char *name)
{
    if ((size_t)snprintf(path, size, "%s/%s", directory, name) >= size)
        stop(directory, "the name is too long");
    FILE *file = fopen(path, "w");
    if (!file)
        stop(path, "cannot be written");
    return file;
}

static void write_curves(const char *directory, const learner *learners)
{
    char path[512];
    FILE *csv = create_file(path, sizeof path, directory, "learning-curve.csv");
    fprintf(csv, "n,%s,%s\n", learners[0].recipe, learners[1].recipe);
    for (size_t w = 0; w < SAMPLES / WINDOW; w++)
        fprintf(csv, "%zu,%.6g,%.6g\n", (w + 1) * WINDOW, learners[0].curve[w], learners[1].curve[w]);
    if (fclose(csv))
        stop(path, "cannot be written");
}

static void write_script(const char *directory, const learner *learners)
{
    char path[512];
    FILE *gp = create_file(path, sizeof path, directory, "learning-curve.gp");
    fprintf(
        gp,
        "set terminal pngcairo size 1000,600 font 'sans,13'\n"
        "set output 'learning-curve.png'\n"
        "set datafile separator ','\n"
        "set title 'An unknown nonlinear system, learnt online; it changes half-way'\n"
        "set xlabel 'samples'\nset ylabel 'mean squared error (dB)'\n"
        "set rmargin 4\nset grid lw 1 lt 1 lc rgb '#e4e4e4'\nset border lc rgb '#555555'\nset key top right\n"
        "set xrange [0:%d]\nset yrange [-30:15]\n"
        "set arrow from %d,-30 to %d,15 nohead dt 3 lc rgb '#888888'\n"
        "plot 'learning-curve.csv' every ::1 using 1:(10*log10($3)) with lines lw 1.5 lc rgb '#999999' title '%s', \\\n"
        "     '' every ::1 using 1:(10*log10($2)) with lines lw 2 lc rgb '#1f6f3f' title '%s', \\\n"
        "     %g with lines dt 2 lc rgb '#bb4444' title 'noise'\n",
        SAMPLES, SAMPLES / 2, SAMPLES / 2, learners[1].title, learners[0].title, 20 * log10(noise));
    if (fclose(gp))
        stop(path, "cannot be written");
}

static void report(const char *directory, const learner *learners)
{
    printf("\n%-34s %18s %18s %16s\n", "", "before the change", "after", "time per sample");
    for (int i = 0; i < 2; i++)
        printf("%-34s %15.1f dB %15.1f dB %13.0f ns\n", learners[i].title, floor_db(&learners[i], SAMPLES / 2),
               floor_db(&learners[i], SAMPLES), 1e9 * learners[i].seconds / SAMPLES);
    printf("%-34s %15.1f dB %15.1f dB\n\n", "noise: nobody can do better", 20 * log10(noise), 20 * log10(noise));

    if (chdir(directory) == 0 && system("gnuplot learning-curve.gp") == 0)
        printf("learning curves: %s/learning-curve.png (data and gnuplot script beside it)\n", directory);
    else
        printf("learning curves: %s/learning-curve.csv (install gnuplot for the picture)\n", directory);
}

int main(int argc, char **argv)
{
    static learner learners[] = {{.recipe = "rff-klms", .title = "rff-klms, 300 random features"},
                                 {.recipe = "lms", .title = "lms, linear"}};
    static double X[BLOCK * INPUTS], Y[BLOCK];
    const char *directory = argc > 1 ? argv[1] : ".";
    plant unknown = {.inputs = {.seed = 2016, .stream = 2}, .noise = {.seed = 2016, .stream = 3}};

    if (mkdir(directory, 0777) != 0 && access(directory, W_OK) != 0)
        stop(directory, "cannot be written; name another directory");
    for (int i = 0; i < 2; i++)
        make_learner(&learners[i]);
    printf("y = w0.x + 0.1 (w1.x)^2 + noise: %d samples, one at a time, each predicted before it is learnt\n", SAMPLES);
    for (size_t n = 0; n < SAMPLES; n += BLOCK) {
        if (n % (SAMPLES / 2) == 0)
            change(&unknown, (uint32_t)(n / (SAMPLES / 2)));
        generate(&unknown, BLOCK, X, Y);
        for (int i = 0; i < 2; i++)
            learn(&learners[i], n, X, Y);
        show_progress(n + BLOCK);
    }
    write_curves(directory, learners);
    write_script(directory, learners);
    report(directory, learners);
    for (int i = 0; i < 2; i++)
        okra_free(learners[i].filter);
    return 0;
}
