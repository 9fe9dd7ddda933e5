/*
 * The harness: fork, exec, and files for the three streams, so that no pipe can fill and hang a test.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif
#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <okra/io.h>

/* ---- running ------------------------------------------------------------------------------------------------- */

unsigned patience(void)
{
    const char *times = getenv("OKRA_PATIENCE");
    int wanted = times ? atoi(times) : 1;
    return wanted > 1 ? (unsigned)wanted : 1;
}

static void redirect(int fd, const char *path, int flags)
{
    int opened = open(path, flags, 0666);
    if (opened < 0 || dup2(opened, fd) < 0)
        _exit(126);
    close(opened);
}

static void close_reader(void)
{
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0)
        _exit(126);
    close(ends[0]);
    close(ends[1]);
}

/* A pipe holds 64 KiB: what goes in is there before the program starts, and what comes out is read when it has ended.
 */
static void fill_pipe(int pipe[2], const char *text)
{
    assert_int_equal(pipe2(pipe, O_CLOEXEC), 0);
    assert_true(strlen(text) <= 1 << 16);
    assert_int_equal(write(pipe[1], text, strlen(text)), (ssize_t)strlen(text));
}

static void empty_pipe(int pipe[2], const char *name)
{
    char piece[1 << 12];
    ssize_t got;
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    close(pipe[1]);
    while ((got = read(pipe[0], piece, sizeof piece)) > 0)
        assert_int_equal(fwrite(piece, 1, (size_t)got, file), (size_t)got);
    assert_int_equal(fclose(file), 0);
    close(pipe[0]);
}

static void become_program(const call *how, const char *const *arguments, int in, int out)
{
    redirect(STDIN_FILENO, how->input ? "in.captured" : "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, how->out ? how->out : "out.captured", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, "err.captured", O_WRONLY | O_CREAT | O_TRUNC);
    if (how->piped && (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0))
        _exit(126);
    if (how->closed_pipe)
        close_reader();
    if (how->nobody && geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        _exit(126);
    alarm(300 * patience()); /* a program that hangs is a failure, not a wait */
    execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
}

outcome run_program(const call *how, const char *const *arguments)
{
    if (how->input)
        write_file("in.captured", how->input);
    write_file("out.captured", "");
    int in[2] = {-1, -1}, out[2] = {-1, -1}, status;
    if (how->piped) {
        fill_pipe(in, how->input ? how->input : "");
        close(in[1]);
        fill_pipe(out, "");
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_program(how, arguments, in[0], out[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (how->piped) {
        close(in[0]);
        empty_pipe(out, "out.captured");
    }
    return (outcome){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                     .out = read_file("out.captured"),
                     .err = read_file("err.captured")};
}

void outcome_free(outcome *result)
{
    free(result->out);
    free(result->err);
    result->out = result->err = NULL;
}

/* ---- live ---------------------------------------------------------------------------------------------------- */

live start_live(int err, const char *const *arguments)
{
    int in[2], out[2];
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        alarm(300 * patience());
        execv(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (live){.child = child, .in = in[1], .out = out[0]};
}

const int end_signals[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP, 0};

void send_text(const live *program, const char *text)
{
    assert_int_equal(write(program->in, text, strlen(text)), (ssize_t)strlen(text));
}

void expect_text(int fd, const char *wanted)
{
    char got[1024] = "";
    size_t length = 0;
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    while (length < strlen(wanted)) {
        assert_int_equal(poll(&waiting, 1, 10000 * (int)patience()), 1);
        ssize_t more = read(fd, got + length, sizeof got - 1 - length);
        assert_true(more > 0);
        length += (size_t)more;
        got[length] = '\0';
    }
    assert_string_equal(got, wanted);
}

void close_input(live *program)
{
    if (program->in >= 0)
        close(program->in);
    program->in = -1;
}

int end_live(live *program)
{
    int status;
    close_input(program);
    assert_int_equal(waitpid(program->child, &status, 0), program->child);
    close(program->out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- looking ------------------------------------------------------------------------------------------------- */

size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

void check_has(const char *text, const char *part, const char *file, int line)
{
    if (strstr(text, part))
        return;
    print_error("no '%s' in:\n%s\n", part, text);
    _fail(file, line);
}

void assert_plain(const char *text)
{
    char *lines = strdup(text), *rest = lines, *line;
    while ((line = strsep(&rest, "\n"))) {
        char *plain = strdup(line);
        okra_plain_text(plain);
        if (strcmp(plain, line) != 0)
            fail_msg("a terminal would obey: %s", plain);
        free(plain);
    }
    free(lines);
}

void check_refused(outcome result, int status, const char *const *parts, const char *file, int line)
{
    if (result.status != status) {
        print_error("exit status %d, not %d; it said: %s\n", result.status, status, result.err);
        _fail(file, line);
    }
    if (strncmp(result.err, "okra: ", 6) != 0 || count_lines(result.err) != 1) {
        print_error("not one line of error: %s\n", result.err);
        _fail(file, line);
    }
    for (; *parts; parts++)
        check_has(result.err, *parts, file, line);
    outcome_free(&result);
}

void check_done(const outcome *result, const char *file, int line)
{
    if (result->status == 0)
        return;
    print_error("exit status %d; it said: %s\n", result->status, result->err);
    _fail(file, line);
}

void make_signal(const char *name, const char *rows, const char *file)
{
    outcome made = okra(NULL, "signal", name, "--samples", rows, "--out", file);
    assert_done(made);
    outcome_free(&made);
}

double json_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("no number '%s'", key);
    return json_number_value(value);
}

const char *cell(const char *csv, size_t row, size_t column)
{
    static char text[256];
    for (; row > 0; row--) {
        csv = strchr(csv, '\n');
        assert_non_null(csv);
        csv++;
    }
    for (; column > 0; column--) {
        csv += strcspn(csv, ",\n");
        assert_int_equal(*csv, ',');
        csv++;
    }
    snprintf(text, sizeof text, "%.*s", (int)strcspn(csv, ",\n"), csv);
    return text;
}
