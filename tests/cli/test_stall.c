/*
 * Partners that stall: a reader of the output that does not read for a while, a writer of the input that pauses in the
 * middle of a number. They are waited for, and no row is lost or out of place; a signal meanwhile does what it always
 * does, once the reader goes on, and a second one ends it there and then.
 */
#include "harness.h"

#include <fcntl.h>
#include <okra/model_file.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than two rings of 8192 rows and two pipes of 64 KiB hold. */
enum { ROWS = 60000 };

#define LMS "run", "--quiet", "--recipe", "lms", "--mu", "0.1"

static int prepare(void **state)
{
    if (enter_directory(state))
        return -1;
    FILE *file = fopen("in.csv", "w");
    assert_non_null(file);
    fputs("x,y\n", file);
    for (int n = 0; n < ROWS; n++)
        fprintf(file, "%d.25,%d\n", n % 7, n % 13);
    assert_int_equal(fclose(file), 0);
    outcome whole = okra(NULL, LMS, "--out", "whole.csv", "in.csv");
    assert_done(whole);
    outcome_free(&whole);
    return 0;
}

/* Sends the rows from a child, by pieces of odd sizes with pauses between some. */
static pid_t send_in_pieces(const live *program, useconds_t pause)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    close(program->out); /* or a reader that leaves would not be missed */
    signal(SIGPIPE, SIG_DFL);
    char *text = read_file("in.csv");
    for (size_t at = 0, length = strlen(text), k = 0; at < length; k++) {
        size_t piece = k % 3 == 0 ? 1 : 4999, left = length - at;
        ssize_t put = write(program->in, text + at, piece < left ? piece : left);
        if (put < 0)
            _exit(0);
        at += (size_t)put;
        if (k % 32 == 5)
            usleep(pause);
    }
    _exit(0);
}

static void keep_output(const live *program, const char *name)
{
    char piece[1 << 14];
    ssize_t got;
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    while ((got = read(program->out, piece, sizeof piece)) > 0)
        assert_int_equal(fwrite(piece, 1, (size_t)got, file), (size_t)got);
    assert_int_equal(fclose(file), 0);
}

static live start_run(void)
{
    int err = open("err.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    live program = live_okra(err, LMS, "--save", "m.okra");
    close(err);
    return program;
}

/* Until what the program writes is no longer taken from it: its pipe is full, and then its rings. */
static void await_stall(const live *program)
{
    int held = 0;
    for (unsigned tries = 0; held < 60000 && tries < 1000 * patience(); tries++) {
        usleep(10000);
        assert_int_equal(ioctl(program->out, FIONREAD, &held), 0);
    }
    assert_true(held >= 60000);
    usleep(300000);
}

static void who_stalls_is_waited_for(void **state)
{
    (void)state;
    live program = start_run();
    pid_t sender = send_in_pieces(&program, 2000);
    close_input(&program);
    await_stall(&program);
    keep_output(&program, "got.csv");
    assert_int_equal(end_live(&program), 0);
    assert_int_equal(waitpid(sender, NULL, 0), sender);
    char *got = read_file("got.csv"), *whole = read_file("whole.csv");
    assert_true(strcmp(got, whole) == 0);
    free(got);
    free(whole);
}

/* The rows that the saved model has seen. */
static size_t rows_saved(void)
{
    okra_filter *model;
    okra_metadata *metadata;
    okra_message why;
    if (okra_load("m.okra", 0, &model, &metadata, &why))
        fail_msg("%s", why.text);
    size_t rows = strtoul(okra_metadata_get(metadata, "run.rows"), NULL, 10);
    okra_free(model);
    okra_metadata_free(metadata);
    return rows;
}

/* The output is that of the first rows, whole ones, and the model has learnt just these. */
static void ended_by_a_signal(int number, int times)
{
    unlink("m.okra");
    live program = start_run();
    pid_t sender = send_in_pieces(&program, 0);
    await_stall(&program);
    for (int i = 0; i < times; i++) {
        kill(program.child, number);
        usleep(50000); /* it cannot go on yet */
    }
    keep_output(&program, "got.csv");
    int in = program.in; /* it ends though its input goes on */
    program.in = -1;
    assert_int_equal(end_live(&program), 128 + number);
    close(in);
    assert_int_equal(waitpid(sender, NULL, 0), sender);
    char *got = read_file("got.csv"), *whole = read_file("whole.csv");
    size_t length = strlen(got);
    assert_true(length > 0 && got[length - 1] == '\n' && strncmp(got, whole, length) == 0);
    assert_int_equal(rows_saved(), count_lines(got) - 1);
    free(got);
    free(whole);
}

static void a_signal_during_a_stall_ends_it_cleanly(void **state)
{
    (void)state;
    for (const int *number = end_signals; *number; number++)
        ended_by_a_signal(*number, 1);
}

/* A closing terminal sends one by way of the shell and one by itself. */
static void hanging_up_twice_does_not_kill(void **state)
{
    (void)state;
    ended_by_a_signal(SIGHUP, 2);
}

/* Two signals while the output is stuck: it dies without being read. The old model is whole. */
static void a_second_signal_kills(void **state)
{
    (void)state;
    size_t rows = rows_saved();
    live program = start_run();
    pid_t sender = send_in_pieces(&program, 0);
    await_stall(&program);
    kill(program.child, SIGTERM);
    usleep(50000);
    kill(program.child, SIGTERM);
    int out = program.out; /* stays open and unread */
    program.out = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_int_equal(end_live(&program), 128 + SIGTERM);
    close(out);
    assert_int_equal(waitpid(sender, NULL, 0), sender);
    assert_int_equal(rows_saved(), rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_stalls_is_waited_for),
        cmocka_unit_test(a_signal_during_a_stall_ends_it_cleanly),
        cmocka_unit_test(hanging_up_twice_does_not_kill),
        cmocka_unit_test(a_second_signal_kills),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests_name("cli stall", tests, prepare, leave_directory);
}
