/*
 * Standard error: errors in one line, notes, the progress bar.
 */
#include "talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <okra/io.h>

/* There is one terminal, so one bar at most: whoever speaks wipes it first. */
static bool bar_on_screen;

/* .. and one error, the first. */
static bool hushed;

static void wipe_bar(void)
{
    if (bar_on_screen)
        fputs("\r\033[K", stderr);
    bar_on_screen = false;
}

void talk_clear(void) { wipe_bar(); }

/* A file name or a field may hold line ends and worse; an error stays one line. */
static void say_line(const char *format, va_list arguments)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    okra_plain_text(line);
    wipe_bar();
    fprintf(stderr, "okra: %s\n", line);
}

void talk_failure(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!hushed)
        say_line(format, arguments);
    va_end(arguments);
}

void talk_hush(void) { hushed = true; }

void talk_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_line(format, arguments);
    va_end(arguments);
}

double talk_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- progress ------------------------------------------------------------------------------------------------ */

progress progress_start(bool wanted)
{
    double now = talk_clock();
    return (progress){.shown = wanted && isatty(STDERR_FILENO), .started = now, .drawn = now};
}

static void draw_share(double share, double seconds)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    int full = (int)(share * WIDTH);
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "[%s] %3d%%", bar, (int)(share * 100));
    if (share > 1e-6) { /* before that, a guess at the time left would be noise */
        long left = (long)(seconds * (1 - share) / share);
        fprintf(stderr, "  %ld:%02ld left", left / 60, left % 60);
    }
}

void progress_show(progress *bar, uint64_t rows, double share)
{
    if (!bar->shown)
        return;
    double now = talk_clock();
    if (now - bar->drawn < 0.1)
        return;
    bar->drawn = now;
    wipe_bar();
    fprintf(stderr, "%10llu rows  ", (unsigned long long)rows);
    if (share >= 0)
        draw_share(share < 1 ? share : 1, now - bar->started);
    else
        fprintf(stderr, "%.0f s", now - bar->started);
    fflush(stderr);
    bar_on_screen = true;
}

void progress_end(progress *bar)
{
    wipe_bar();
    bar->shown = false;
}
