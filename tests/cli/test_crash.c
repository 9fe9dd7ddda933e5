/*
 * kill -9 at any moment: what is left is a model that loads, and --resume makes of it, byte for byte, the output of a
 * run that was never killed. 10 rounds, or as many as the argument says: `test_cli_crash 200`.
 */
#include "harness.h"

#include <fcntl.h>
#include <okra/model_file.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 4000, MOST_KILLS = 4 };

static size_t rounds = 10;

/* What a round runs: recipes of every kind of state, in turn. */
static const char *const shapes[][12] = {
    {"--recipe", "rff-krls", "--features", "30", "--scale", "auto", "--interval", "90", "--horizon", "3", "--sigma",
     "auto"},
    {"--recipe", "rff-klms", "--features", "50", "--lags", "3", "--target-lags", "2", "--precision", "f32"},
    {"--recipe", "qklms", "--capacity", "60", "--epsilon", "0.3", "--target-lags", "2", "--score-from", "10%"},
    {"--recipe", "krls", "--capacity", "20", "--sigma", "2", "--scale", "auto", "--keep", "a,b", "--digits", "9"},
    {"--recipe", "rls", "--lags", "4", "--target-lags", "4", "--bad-rows", "skip"},
};

static const char *const outs[] = {"out.csv", "out.npy", "out.f64", "out.tsv"};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void write_stream(void)
{
    static double noise[ROWS][2];
    okra_random random = {.seed = 3};
    okra_random_normal(&random, ROWS * 2, &noise[0][0]);
    FILE *file = fopen("in.csv", "w");
    assert_non_null(file);
    fputs("a,b,y\n", file);
    for (size_t n = 0; n < ROWS; n++)
        fprintf(file, "%.17g,%.17g,%.17g\n", noise[n][0], noise[n][1], sin(noise[n][0]) + 0.5 * noise[n][1]);
    assert_int_equal(fclose(file), 0);
}

/* okra run with a round's shape, `out`, and further options. */
static pid_t start(const char *const *shape, const char *out, const char *const *more)
{
    const char *arguments[40] = {OKRA_PROGRAM, "run", "--quiet", "--out", out};
    size_t n = 5;
    for (size_t i = 0; i < 12 && shape[i]; i++)
        arguments[n++] = shape[i];
    for (; *more; more++)
        arguments[n++] = *more;
    arguments[n++] = "in.csv";
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execv(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    return child;
}

static int await(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *const reference[] = {"--metrics", "full.json", NULL};
static const char *const resumed[] = {"--save",   "m.okra",    "--checkpoint", "300",
                                      "--resume", "--metrics", "now.json",     NULL};

static void assert_loads(void)
{
    okra_model *model;
    okra_message why;
    if (access("m.okra", F_OK) != 0)
        return; /* killed before the first checkpoint */
    if (okra_model_load("m.okra", &model, NULL, &why))
        fail_msg("%s", why.text);
    okra_model_free(model);
}

static bool same_files(const char *a, const char *b)
{
    char command[256];
    snprintf(command, sizeof command, "cmp -s %s %s", a, b);
    return system(command) == 0;
}

/* Everything that a summary says, but for the time it took. */
static bool same_metrics(void)
{
    return system("grep -v second full.json > full.txt; grep -v second now.json > now.txt; cmp -s full.txt now.txt") ==
           0;
}

/* A chance from 0 to 1. */
static double chance(okra_random *random)
{
    double x;
    okra_random_uniform(random, 1, &x);
    return x;
}

/* One round: killed up to MOST_KILLS times, at moments spread over the time that a whole run takes. */
static void crash_and_resume(size_t round, okra_random *random, size_t *kills)
{
    const char *const *shape = shapes[round % COUNT_OF(shapes)];
    const char *out = outs[round % COUNT_OF(outs)], *full = strchr(out, '.') + 1;
    char path[32];
    snprintf(path, sizeof path, "full.%s", full);
    assert_int_equal(await(start(shape, path, reference)), 0);
    unlink("m.okra");
    double began = now();
    assert_int_equal(await(start(shape, out, resumed)), 0);
    double whole = now() - began;
    assert_true(same_files(path, out));
    unlink("m.okra");
    int status = -1;
    for (size_t kill_number = 0; status != 0 && kill_number < MOST_KILLS; kill_number++) {
        pid_t child = start(shape, out, resumed);
        usleep((useconds_t)(1e6 * whole * chance(random)));
        kill(child, SIGKILL);
        status = await(child);
        *kills += status == 128 + SIGKILL;
        assert_true(status == 0 || status == 128 + SIGKILL);
        assert_loads();
    }
    if (status != 0)
        assert_int_equal(await(start(shape, out, resumed)), 0);
    if (!same_files(path, out) || !same_metrics())
        fail_msg("round %zu (%s, %s): not what a run that was never killed says", round, shape[1], out);
}

static void a_killed_run_goes_on(void **state)
{
    (void)state;
    okra_random random = {.seed = (uint64_t)time(NULL)};
    size_t kills = 0;
    write_stream();
    print_message("seed %llu\n", (unsigned long long)random.seed);
    for (size_t round = 0; round < rounds; round++)
        crash_and_resume(round, &random, &kills);
    print_message("%zu rounds, %zu kills\n", rounds, kills);
    assert_true(kills > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_killed_run_goes_on)};
    if (argc > 1)
        rounds = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("cli crash", tests, enter_directory, leave_directory);
}
