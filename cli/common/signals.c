/*
 * Handlers that set flags. sem_post() is one of the few calls that a handler may make, so that no wake-up is lost
 * between looking at the flags and going to sleep.
 */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

static volatile sig_atomic_t end_asked, report_asked;
static sem_t *volatile waker;

static void wake(void)
{
    int before = errno;
    if (waker)
        sem_post(waker);
    errno = before;
}

static void note_end(int number)
{
    end_asked = number;
    wake();
}

static void note_report(int number)
{
    (void)number;
    report_asked = 1;
    wake();
}

static void watch(int number, void (*handler)(int), int flags)
{
    struct sigaction before, now = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&now.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &now, NULL);
}

void signals_expect_report(void) { watch(SIGUSR1, note_report, SA_RESTART); }

/* A terminal that closes sends SIGHUP more than once, by way of the shell and by itself: the second must not kill. */
static const struct {
    int number;
    bool once;
} ends[] = {{SIGTERM, true}, {SIGINT, true}, {SIGQUIT, true}, {SIGHUP, false}};

void signals_watch(sem_t *semaphore)
{
    waker = semaphore;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        watch(ends[i].number, note_end, ends[i].once ? (int)SA_RESETHAND : 0);
}

void signals_unwatch(void) { waker = NULL; }

bool signals_noted(void) { return end_asked || report_asked; }

int signals_end(void) { return end_asked; }

bool signals_report(void)
{
    bool asked = report_asked;
    report_asked = 0;
    return asked;
}

void signals_die(void)
{
    struct rlimit none = {0};
    if (!end_asked)
        return;
    if (getrlimit(RLIMIT_CORE, &none) == 0) {
        none.rlim_cur = 0; /* SIGQUIT would leave one, and nothing has gone wrong */
        setrlimit(RLIMIT_CORE, &none);
    }
    signal(end_asked, SIG_DFL);
    raise(end_asked);
}
