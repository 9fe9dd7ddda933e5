/*
 * okra run while it runs: rows answered at once, signals, and memory that does not grow.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_openpt */
#endif
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define LMS "run", "--recipe", "lms", "--mu", "0.5"

static int open_err(void) { return open("err.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); }

/* Waits until a file has this text in it, ten seconds at most. */
static void await(const char *name, const char *part)
{
    for (int tries = 0; tries < 1000; tries++) {
        char *text = access(name, F_OK) == 0 ? read_file(name) : strdup("");
        bool there = strstr(text, part);
        free(text);
        if (there)
            return;
        usleep(10000);
    }
    fail_msg("no '%s' in %s", part, name);
}

static void every_row_is_answered_at_once(void **state)
{
    (void)state;
    int err = open_err();
    live program = live_okra(err, LMS);
    send_text(&program, "x,y\n");
    expect_text(program.out, "n,y,yhat,error\n");
    send_text(&program, "1,4\n1");
    expect_text(program.out, "1,4,0,4\n");
    usleep(150000); /* long enough for a progress bar, which a file must not get */
    send_text(&program, ",4\n");
    expect_text(program.out, "2,4,4,0\n");
    send_text(&program, "2,8\n0,3"); /* the last row has no line end */
    expect_text(program.out, "3,8,6,2\n");
    close_input(&program);
    expect_text(program.out, "4,3,3,0\n");
    assert_int_equal(end_live(&program), 0);
    close(err);
    char *said = read_file("err.txt");
    assert_memory_equal(said, "rows ", 5);
    free(said);
}

/* --line-buffered does for a regular file what a pipe has anyway. */
static void a_file_can_be_followed(void **state)
{
    (void)state;
    int err = open_err();
    live program = live_okra(err, LMS, "--line-buffered", "--out", "follow.csv");
    send_text(&program, "x,y\n1,4\n");
    await("follow.csv", "1,4,0,4\n");
    send_text(&program, "1,4\n");
    await("follow.csv", "2,4,4,0\n");
    assert_int_equal(end_live(&program), 0);
    close(err);
}

/* A terminal for standard error. */
static int open_terminal(int *other_side)
{
    *other_side = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*other_side < 0 || grantpt(*other_side) != 0 || unlockpt(*other_side) != 0)
        return -1;
    return open(ptsname(*other_side), O_RDWR | O_NOCTTY | O_CLOEXEC);
}

static void a_terminal_gets_a_progress_bar(void **state)
{
    (void)state;
    int seen, err = open_terminal(&seen);
    if (err < 0) {
        print_message("no pseudo-terminal here: %s\n", strerror(errno));
        skip();
    }
    live program = live_okra(err, LMS);
    send_text(&program, "x,y\n1,4\n");
    expect_text(program.out, "n,y,yhat,error\n1,4,0,4\n");
    usleep(250000); /* the bar waits a tenth of a second */
    send_text(&program, "1,4\n");
    struct pollfd waiting = {.fd = seen, .events = POLLIN};
    assert_int_equal(poll(&waiting, 1, 10000 * (int)patience()), 1);
    char text[256];
    ssize_t length = read(seen, text, sizeof text - 1);
    assert_true(length > 0);
    text[length] = '\0';
    assert_has(text, "rows");
    assert_null(strchr(text, '\n'));
    assert_int_equal(end_live(&program), 0);
    close(err);
    close(seen);
}

/* ---- signals ------------------------------------------------------------------------------------------------- */

static void a_summary_can_be_asked_for(void **state)
{
    (void)state;
    int err = open_err();
    live program = live_okra(err, LMS, "--quiet");
    send_text(&program, "x,y\n1,4\n");
    expect_text(program.out, "n,y,yhat,error\n1,4,0,4\n");
    kill(program.child, SIGUSR1); /* while it waits for a row */
    await("err.txt", "rows             1\n");
    send_text(&program, "1,4\n");
    expect_text(program.out, "2,4,4,0\n");
    kill(program.child, SIGUSR1);
    await("err.txt", "rows             2\n");
    assert_int_equal(end_live(&program), 0);
    close(err);
}

/* Ended as if the input had: summary, metrics, model; and then by the signal, so that parents see why. */
static void ends_cleanly_by(int number)
{
    int err = open_err();
    live program = live_okra(err, LMS, "--metrics", "m.json", "--save", "m.okra");
    send_text(&program, "x,y\n1,4\n1,4\n");
    expect_text(program.out, "n,y,yhat,error\n1,4,0,4\n2,4,4,0\n");
    kill(program.child, number);
    int in = program.in;
    program.in = -1; /* the pipe stays open: nothing but the signal ends it */
    assert_int_equal(end_live(&program), 128 + number);
    close(in);
    close(err);
    char *said = read_file("err.txt"), *metrics = read_file("m.json");
    assert_has(said, "rows             2\n");
    assert_has(metrics, "\"rows\": 2");
    free(said);
    free(metrics);
    outcome rest = okra("x,y\n2,8\n0,3\n", "run", "--load", "m.okra", "--quiet");
    assert_done(rest);
    assert_string_equal(rest.out, "n,y,yhat,error\n1,8,6,2\n2,3,3,0\n");
    outcome_free(&rest);
}

static void signals_end_it_cleanly(void **state)
{
    (void)state;
    for (const int *number = end_signals; *number; number++)
        ends_cleanly_by(*number);
}

/* `nohup okra run` and background jobs: what the parent ignores stays ignored. */
static void stays_ignored(int number)
{
    int err = open_err();
    signal(number, SIG_IGN);
    live program = live_okra(err, LMS, "--quiet");
    signal(number, SIG_DFL);
    send_text(&program, "x,y\n1,4\n");
    expect_text(program.out, "n,y,yhat,error\n1,4,0,4\n");
    kill(program.child, number);
    send_text(&program, "1,4\n");
    expect_text(program.out, "2,4,4,0\n");
    assert_int_equal(end_live(&program), 0);
    close(err);
}

static void an_ignored_signal_stays_ignored(void **state)
{
    (void)state;
    for (const int *number = end_signals; *number; number++)
        stays_ignored(*number);
}

/* A reader that goes away ends an endless stream. */
static void a_reader_that_leaves_ends_it(void **state)
{
    (void)state;
    int err = open_err();
    live program = live_okra(err, LMS);
    send_text(&program, "x,y\n1,4\n");
    expect_text(program.out, "n,y,yhat,error\n1,4,0,4\n");
    close(program.out);
    for (int i = 0; i < 5; i++) { /* the failure may be seen a row later */
        if (write(program.in, "1,4\n", 4) != 4)
            break;
        usleep(50000);
    }
    program.out = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_int_equal(end_live(&program), 1);
    close(err);
    char *said = read_file("err.txt");
    assert_has(said, "standard output");
    assert_has(said, "closed");
    assert_int_equal(count_lines(said), 1);
    free(said);
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

/* Sends rows from a child, because a pipe holds few of them. */
static void send_rows(const live *program, size_t rows)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *file = fdopen(program->in, "w");
        fputs("x1,x2,y\n", file);
        for (size_t n = 0; n < rows; n++)
            fprintf(file, "%zu.25,%zu.5,%zu\n", n % 7, n % 11, n % 13);
        _exit(fclose(file) == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The most memory that a program has had so far, in kB. */
static long max_memory(pid_t process)
{
    char path[64], line[256];
    long peak = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *status = fopen(path, "r");
    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %ld kB", &peak);
    fclose(status);
    return peak;
}

/* After so many rows, while it waits for more. */
static long memory_after(size_t rows)
{
    int err = open_err();
    char done[64];
    live program = live_okra(err, "run", "--quiet", "--features", "20", "--lags", "3", "--scale", "auto", "--sigma",
                             "auto", "--out", "many.csv");
    send_rows(&program, rows);
    snprintf(done, sizeof done, "rows             %zu\n", rows);
    bool there = false;
    for (int tries = 0; tries < 500 && !there; tries++) {
        kill(program.child, SIGUSR1);
        usleep(20000);
        char *said = read_file("err.txt");
        there = strstr(said, done);
        free(said);
    }
    assert_true(there);
    long peak = max_memory(program.child);
    assert_int_equal(end_live(&program), 0);
    close(err);
    return peak;
}

/*
 * A hundred times the rows in the same memory. Rings, buffers and model are there from the start; what differs is which
 * of their pages have been touched: both rings, 2048 rows of at most 5 numbers each, and the file buffers, 256 kB in
 * all at most, are full long before row 10,000. A leak of one byte a row would be 990 kB.
 */
static void memory_does_not_grow(void **state)
{
    (void)state;
    if (patience() > 1)
        skip(); /* it would be the memory of whatever makes it slow */
    long few = memory_after(10000), many = memory_after(1000000);
    assert_true(few > 0);
    if (many > few + 512)
        fail_msg("%ld kB for 10,000 rows, %ld kB for 1,000,000", few, many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_answered_at_once),  cmocka_unit_test(a_file_can_be_followed),
        cmocka_unit_test(a_terminal_gets_a_progress_bar), cmocka_unit_test(a_summary_can_be_asked_for),
        cmocka_unit_test(signals_end_it_cleanly),         cmocka_unit_test(an_ignored_signal_stays_ignored),
        cmocka_unit_test(a_reader_that_leaves_ends_it),   cmocka_unit_test(memory_does_not_grow),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests_name("cli live", tests, enter_directory, leave_directory);
}
