/*
 * kill -9 at any moment: what is left is a model that loads, and --resume makes of it, byte for byte, the output of a
 * run that was never killed. 10 rounds, or as many as the argument says: `test_cli_crash 1000`.
 */
#include "harness.h"

#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <okra/model_file.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 1500, MAX_KILLS = 4 };

static size_t rounds = 10;

/* What came of them. */
static struct {
    size_t kills, loaded, resumed, temporaries;
} seen;

/* What a round runs: recipes of every kind of state, in turn. */
static const char *const shapes[][12] = {
    {"--target", "y"}, /* auto */
    {"--recipe", "rff-krls", "--map", "orf", "--features", "24", "--sigma", "1,2", "--beta", "0.999"},
    {"--recipe", "rff-nlms", "--features", "40", "--on-drift", "reset", "--warmup", "64", "--scale", "auto"},
    {"--recipe", "rff-krls", "--map", "linear+qmc", "--features", "20", "--precision", "f32", "--on-drift", "report"},
    {"--recipe", "rff-krls", "--features", "30", "--scale", "auto", "--interval", "90", "--horizon", "3", "--sigma",
     "auto"},
    {"--recipe", "rff-klms", "--features", "50", "--lags", "3", "--target-lags", "2", "--precision", "f32"},
    {"--recipe", "qklms", "--capacity", "60", "--epsilon", "0.3", "--target-lags", "2", "--score-from", "10%"},
    {"--recipe", "krls", "--capacity", "20", "--sigma", "2", "--scale", "auto", "--keep", "a,b", "--digits", "9"},
    {"--recipe", "rls", "--lags", "4", "--target-lags", "4", "--bad-rows", "skip"},
};

static const char *const outs[] = {"out.csv", "out.npy", "out.f64", "out.tsv", "out.csv.gz"};

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
        fprintf(file, "%.17g,%.17g,%.17g\n", noise[n][0], noise[n][1],
                (n < ROWS / 2 ? 1 : -3) * sin(noise[n][0]) + 0.5 * noise[n][1]); /* it drifts */
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
        int err = open("err.txt", O_WRONLY | O_CREAT | O_APPEND, 0666);
        dup2(err, STDERR_FILENO); /* where drifts are noted */
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

static const char *const resumed[] = {"--save",   "m.okra",    "--checkpoint", "120",
                                      "--resume", "--metrics", "now.json",     NULL};

static void assert_loads(void)
{
    okra_filter *model;
    okra_message why;
    if (access("m.okra", F_OK) != 0)
        return; /* killed before the first checkpoint */
    if (okra_load("m.okra", 0, &model, NULL, &why))
        fail_msg("%s", why.text);
    okra_free(model);
    seen.loaded++;
}

/* Those of runs that were killed while they saved; each is gone when a run has saved that comes a minute later. */
static void drop_temporaries(void)
{
    glob_t left;
    if (glob("m.okra.*.tmp", 0, NULL, &left) == 0) {
        seen.temporaries += left.gl_pathc;
        for (size_t i = 0; i < left.gl_pathc; i++)
            unlink(left.gl_pathv[i]);
        globfree(&left);
    }
}

/* A checkpoint ends a member of a compressed file, so that only what was compressed is the same. */
static bool same_files(const char *a, const char *b)
{
    if (strstr(a, ".gz")) {
        char command[128];
        snprintf(command, sizeof command, "gzip -dc %s > plain && gzip -dc %s | cmp - plain", a, b);
        return system(command) == 0;
    }
    unsigned char *bytes[2];
    size_t size[2];
    assert_ok(okra_file_load(a, &bytes[0], &size[0], NULL));
    assert_ok(okra_file_load(b, &bytes[1], &size[1], NULL));
    bool same = size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    return same;
}

/* Everything that a summary says, but for the time it took. */
static bool same_metrics(const char *full)
{
    json_t *all[] = {json_load_file(full, 0, NULL), json_load_file("now.json", 0, NULL)};
    for (size_t i = 0; i < 2; i++)
        assert_true(json_object_del(all[i], "seconds") == 0 && json_object_del(all[i], "rows_per_second") == 0);
    bool same = json_equal(all[0], all[1]);
    json_decref(all[0]);
    json_decref(all[1]);
    return same;
}

/* A chance from 0 to 1. */
static double chance(okra_random *random)
{
    double x;
    okra_random_uniform(random, 1, &x);
    return x;
}

/* What is never killed, made once of each kind: the output, the metrics, and how long it takes. */
typedef struct whole_run {
    char out[32], metrics[32];
    double seconds;
} whole_run;

static const whole_run *make_whole(size_t shape, size_t out)
{
    static whole_run made[COUNT_OF(shapes)][COUNT_OF(outs)];
    whole_run *w = &made[shape][out];
    if (w->out[0])
        return w;
    snprintf(w->out, sizeof w->out, "full%zu.%s", shape, strchr(outs[out], '.') + 1);
    snprintf(w->metrics, sizeof w->metrics, "full%zu-%zu.json", shape, out);
    assert_int_equal(await(start(shapes[shape], w->out, (const char *const[]){"--metrics", w->metrics, NULL})), 0);
    unlink("m.okra");
    double began = now();
    assert_int_equal(await(start(shapes[shape], outs[out], resumed)), 0);
    w->seconds = now() - began;
    assert_true(same_files(w->out, outs[out]));
    return w;
}

/* One round: killed up to MOST_KILLS times, at moments spread over the time that a whole run takes. */
static void crash_and_resume(size_t round, okra_random *random)
{
    size_t kind = round % COUNT_OF(shapes), format = round / COUNT_OF(shapes) % COUNT_OF(outs);
    const char *const *shape = shapes[kind], *out = outs[format];
    const whole_run *whole = make_whole(kind, format);
    unlink("m.okra");
    int status = -1;
    for (size_t kill_number = 0; status != 0 && kill_number < MAX_KILLS; kill_number++) {
        pid_t child = start(shape, out, resumed);
        usleep((useconds_t)(1e6 * whole->seconds * chance(random)));
        kill(child, SIGKILL);
        status = await(child);
        seen.kills += status == 128 + SIGKILL;
        assert_true(status == 0 || status == 128 + SIGKILL);
        assert_loads();
    }
    if (status != 0)
        assert_int_equal(await(start(shape, out, resumed)), 0);
    if (!same_files(whole->out, out) || !same_metrics(whole->metrics))
        fail_msg("round %zu (%s, %s): not what a run that was never killed says", round, shape[1], out);
    seen.resumed++;
    drop_temporaries();
}

static void a_killed_run_goes_on(void **state)
{
    (void)state;
    okra_random random = {.seed = (uint64_t)time(NULL)};
    write_stream();
    print_message("seed %llu\n", (unsigned long long)random.seed);
    for (size_t round = 0; round < rounds; round++)
        crash_and_resume(round, &random);
    print_message("%zu rounds, %zu kills, %zu models loaded, %zu identical resumptions, %zu temporaries left\n", rounds,
                  seen.kills, seen.loaded, seen.resumed, seen.temporaries);
    assert_true(seen.kills > 0);
}

/* ---- what the killed leave behind ------------------------------------------------------------------------------ */

/* The number of a process that was. */
static pid_t dead_process(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    await(child);
    return child;
}

/* Written so many seconds ago. */
static void leave_file(const char *name, time_t ago)
{
    write_file(name, "half a model");
    const struct timespec times[] = {{.tv_sec = time(NULL) - ago}, {.tv_sec = time(NULL) - ago}};
    assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
}

static bool is_there(const char *name)
{
    struct stat info;
    return lstat(name, &info) == 0;
}

/* Theirs and only theirs: not those of the living, nor fresh ones, nor what has another name or is no plain file. */
static void temporaries_of_the_dead_are_removed(void **state)
{
    (void)state;
    char stale[2][64], kept[8][64];
    int dead = (int)dead_process();
    snprintf(stale[0], 64, "s.okra.%d.tmp", dead);
    snprintf(stale[1], 64, "s.okra.%d-17.tmp", dead);
    snprintf(kept[0], 64, "s.okra.%d.tmp", (int)getpid());
    snprintf(kept[1], 64, "s.okra.%d.tmp.old", dead);
    snprintf(kept[2], 64, "s.okra.%dx.tmp", dead);
    snprintf(kept[3], 64, "other.okra.%d.tmp", dead);
    snprintf(kept[4], 64, "s.okra.0%d.tmp", dead);
    snprintf(kept[5], 64, "s.okra.%d-1.tmp", dead); /* fresh */
    snprintf(kept[6], 64, "s.okra.%d-2.tmp", dead); /* a link */
    snprintf(kept[7], 64, "s.okra.%d-3.tmp", dead); /* a folder */
    for (size_t i = 0; i < 2; i++)
        leave_file(stale[i], 3600);
    for (size_t i = 0; i < 6; i++)
        leave_file(kept[i], i < 5 ? 3600 : 5);
    assert_int_equal(symlink("in.csv", kept[6]), 0);
    assert_int_equal(mkdir(kept[7], 0777), 0);
    outcome result = okra("x,y\n1,2\n2,3\n", "run", "--quiet", "--recipe", "lms", "--save", "s.okra");
    assert_done(result);
    outcome_free(&result);
    for (size_t i = 0; i < 2; i++)
        assert_false(is_there(stale[i]));
    for (size_t i = 0; i < 8; i++)
        if (!is_there(kept[i]))
            fail_msg("%s was removed", kept[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_run_goes_on),
        cmocka_unit_test(temporaries_of_the_dead_are_removed),
    };
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* threads that nobody needs here take longer to start than a run */
    if (argc > 1)
        rounds = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("cli crash", tests, enter_directory, leave_directory);
}
