#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif
#include "child.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* What it says on standard error (that something is not installed) is not for the reader of a table. */
static void become(const char *const *arguments, int in, int out)
{
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(in, STDIN_FILENO), dup2(out, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
    setenv("OMP_NUM_THREADS", "1", 1); /* one core, as all others in the race */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
}

static bool is_ready(child *c)
{
    char line[64] = "";
    return c->to && c->from && fgets(line, sizeof line, c->from) && strcmp(line, "ready\n") == 0;
}

bool child_start(child *c, const char *const *arguments)
{
    int in[2], out[2];
    bench_expect(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "no more pipes");
    fflush(NULL);
    *c = (child){.process = fork()};
    bench_expect(c->process >= 0, "no more processes");
    if (c->process == 0)
        become(arguments, in[0], out[1]);
    close(in[0]), close(out[1]);
    c->to = fdopen(in[1], "w"), c->from = fdopen(out[0], "r");
    if (is_ready(c))
        return true;
    child_end(c);
    return false;
}

void child_go(void *context)
{
    child *c = context;
    char line[64] = "";
    fputs("go\n", c->to);
    fflush(c->to);
    bench_expect(fgets(line, sizeof line, c->from) != NULL, "the baseline in another process has died");
    c->seconds = strtod(line, NULL);
}

void child_end(child *c)
{
    if (c->to)
        (void)fclose(c->to);
    if (c->from)
        (void)fclose(c->from);
    (void)waitpid(c->process, NULL, 0);
}
