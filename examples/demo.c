/*
 * `make demo`: an unknown nonlinear system is learnt online, sample by sample, and changes abruptly half-way. Four
 * learners see the same stream: a linear one, the paper's two, and okra's default. Shows progress, the error of each,
 * and a picture of their learning curves over a few runs.
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

enum { INPUTS = 5, SAMPLES = 50000, WINDOW = 250, BLOCK = 1000, RUNS = 2, LEARNERS = 4 };
static const double noise = 0.05;

/* What is tried, and how it is drawn: another dash for each, so that a print in black and white tells them apart. */
static const struct {
    const char *recipe, *title, *style;
} entries[LEARNERS] = {
    {"lms", "lms, linear", "dt 3 lw 1.5 lc rgb '#777777'"},
    {"rff-klms", "rff-klms, 300 random features", "dt 4 lw 1.5 lc rgb '#3a6ea5'"},
    {"rff-krls", "rff-krls, the same features", "dt 2 lw 1.5 lc rgb '#a65f00'"},
    {"auto", "auto, the default", "dt 1 lw 2 lc rgb '#1f6f3f'"},
};

typedef struct learner {
    okra_filter *filter;
    double curve[RUNS][SAMPLES / WINDOW]; /* mean squared error of each window */
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

static void make_learner(learner *l, const char *recipe)
{
    okra_spec spec;
    okra_status status = okra_spec_init(&spec, recipe, INPUTS, 1);
    if (!status && strncmp(recipe, "rff", 3) == 0) {
        spec.sigma = 5;
        spec.mu = 1;
        spec.beta = 0.999; /* of rff-krls: forgets, so that it can follow */
    }
    if (!status)
        status = okra_create(&spec, &l->filter);
    if (status)
        stop(recipe, okra_strerror(status));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Predicts and learns samples [first, first + BLOCK) of a run, and adds up the squared errors. */
static void learn(learner *l, size_t run, size_t first, const double *X, const double *Y)
{
    double yhat[BLOCK], start = now();
    okra_status status = okra_run(l->filter, BLOCK, X, Y, NULL, yhat, NULL, NULL);
    l->seconds += now() - start;
    if (status)
        stop("learning", okra_strerror(status));
    for (size_t i = 0; i < BLOCK; i++) {
        double error = Y[i] - yhat[i];
        l->curve[run][(first + i) / WINDOW] += error * error / WINDOW;
    }
}

/* One run: a system, another one half-way, and fresh learners. */
static void go_through(learner *learners, size_t run, void (*progress)(size_t done))
{
    static double X[BLOCK * INPUTS], Y[BLOCK];
    plant unknown = {.inputs = {.seed = 2016, .run = (uint32_t)run, .stream = 2},
                     .noise = {.seed = 2016, .run = (uint32_t)run, .stream = 3}};
    for (size_t i = 0; i < LEARNERS; i++)
        make_learner(&learners[i], entries[i].recipe);
    for (size_t n = 0; n < SAMPLES; n += BLOCK) {
        if (n % (SAMPLES / 2) == 0)
            change(&unknown, (uint32_t)(2 * run + n / (SAMPLES / 2)));
        generate(&unknown, BLOCK, X, Y);
        for (size_t i = 0; i < LEARNERS; i++)
            learn(&learners[i], run, n, X, Y);
        progress(run * SAMPLES + n + BLOCK);
    }
    for (size_t i = 0; i < LEARNERS; i++)
        okra_free(learners[i].filter);
}

static void show_progress(size_t done)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1] = "";
    if (!isatty(STDERR_FILENO))
        return;
    const size_t all = (size_t)RUNS * SAMPLES;
    memset(bar, '#', done * WIDTH / all);
    fprintf(stderr, "\rlearning [%-*s] %3zu%%%s", WIDTH, bar, 100 * done / all, done == all ? "\n" : "");
}

/* ---- the report ------------------------------------------------------------------------------------------ */

/* The mean over the runs, the least and the most. */
typedef struct point {
    double mean, min, max;
} point;

static point point_at(const learner *l, size_t window)
{
    point p = {.min = (double)INFINITY};
    for (size_t run = 0; run < RUNS; run++) {
        double mse = l->curve[run][window];
        p.mean += mse / RUNS;
        p.min = fmin(p.min, mse);
        p.max = fmax(p.max, mse);
    }
    return p;
}

/* Mean error in dB over the last tenth of the half that ends at `end`. */
static double floor_db(const learner *l, size_t end)
{
    double sum = 0;
    const size_t windows = SAMPLES / WINDOW / 20;
    for (size_t i = 0; i < windows; i++)
        sum += point_at(l, end / WINDOW - 1 - i).mean / (double)windows;
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
    fputs("n", csv);
    for (size_t i = 0; i < LEARNERS; i++)
        fprintf(csv, ",%s,%s_min,%s_max", entries[i].recipe, entries[i].recipe, entries[i].recipe);
    for (size_t w = 0; w < SAMPLES / WINDOW; w++) {
        fprintf(csv, "\n%zu", (w + 1) * WINDOW);
        for (size_t i = 0; i < LEARNERS; i++) {
            point p = point_at(&learners[i], w);
            fprintf(csv, ",%.6g,%.6g,%.6g", p.mean, p.min, p.max);
        }
    }
    fputs("\n", csv);
    if (fclose(csv))
        stop(path, "cannot be written");
}

static void write_script(const char *directory)
{
    char path[512];
    FILE *gp = create_file(path, sizeof path, directory, "learning-curve.gp");
    fprintf(gp,
            "set terminal pngcairo size 1000,600 font 'sans,13'\n"
            "set output 'learning-curve.png'\n"
            "set datafile separator ','\n"
            "set title 'An unknown nonlinear system, learnt online; it changes half-way'\n"
            "set xlabel 'samples'\nset ylabel 'mean squared error (dB); band: %d runs'\n"
            "set grid lw 1 lt 1 lc rgb '#e4e4e4'\nset border lc rgb '#555555'\n"
            "set key below maxrows 2 samplen 4\n"
            "set xrange [0:%d]\nset yrange [-30:15]\n"
            "set style fill solid 0.15 noborder\n"
            "set arrow from %d,-30 to %d,15 nohead dt 3 lc rgb '#888888'\n"
            "db(x) = 10*log10(x)\n"
            "plot ",
            RUNS, SAMPLES, SAMPLES / 2, SAMPLES / 2);
    for (size_t i = 0; i < LEARNERS; i++)
        fprintf(gp,
                "'learning-curve.csv' every ::1 using 1:(db($%zu)):(db($%zu)) with filledcurves %s notitle, \\\n     ",
                3 + 3 * i, 4 + 3 * i, strstr(entries[i].style, "lc"));
    for (size_t i = 0; i < LEARNERS; i++)
        fprintf(gp, "'' every ::1 using 1:(db($%zu)) with lines %s title '%s', \\\n     ", 2 + 3 * i, entries[i].style,
                entries[i].title);
    fprintf(gp, "%g with lines dt 5 lw 1.5 lc rgb '#bb4444' title 'noise'\n", 20 * log10(noise));
    if (fclose(gp))
        stop(path, "cannot be written");
}

static void report(const char *directory, const learner *learners)
{
    printf("\n%-34s %18s %18s %16s\n", "", "before the change", "after", "time per sample");
    for (size_t i = 0; i < LEARNERS; i++)
        printf("%-34s %15.1f dB %15.1f dB %13.0f ns\n", entries[i].title, floor_db(&learners[i], SAMPLES / 2),
               floor_db(&learners[i], SAMPLES), 1e9 * learners[i].seconds / SAMPLES / RUNS);
    printf("%-34s %15.1f dB %15.1f dB\n\n", "noise: nobody can do better", 20 * log10(noise), 20 * log10(noise));

    if (chdir(directory) == 0 && system("gnuplot learning-curve.gp") == 0)
        printf("learning curves: %s/learning-curve.png (data and gnuplot script beside it)\n", directory);
    else
        printf("learning curves: %s/learning-curve.csv (install gnuplot for the picture)\n", directory);
}

int main(int argc, char **argv)
{
    static learner learners[LEARNERS];
    const char *directory = argc > 1 ? argv[1] : ".";
    if (mkdir(directory, 0777) != 0 && access(directory, W_OK) != 0)
        stop(directory, "cannot be written; name another directory");
    printf("y = w0.x + 0.1 (w1.x)^2 + noise: %d samples, one at a time, each predicted before it is learnt; %d runs\n",
           SAMPLES, RUNS);
    for (size_t run = 0; run < RUNS; run++)
        go_through(learners, run, show_progress);
    write_curves(directory, learners);
    write_script(directory);
    report(directory, learners);
    return 0;
}
