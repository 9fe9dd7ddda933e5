/*
 * Standard error: errors in one line, notes, the progress bar.
 */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <okra/io.h>
enum { LINE = 1024 };

/* There is one terminal, so at most one bar: every message clears it first. */
static bool bar_on_screen;

/* .. and one error, the first. */
static bool errors_off;

static void wipe_bar(void)
{
    if (bar_on_screen)
        fputs("\r\033[K", stderr);
    bar_on_screen = false;
}

void message_clear(void) { wipe_bar(); }

static const char *program_name = "okra";
static bool holding, silent;
static char held[LINE];

void message_as(const char *name) { program_name = name; }

const char *message_name(void) { return program_name; }

void message_hold(bool notes)
{
    holding = true;
    silent = !notes;
}

const char *message_held(void) { return held; }

/* File names and fields may hold line ends; an error must stay one line. */
static void write_line(char line[static LINE], const char *format, va_list arguments)
{
    vsnprintf(line, LINE, format, arguments);
    okra_plain_text(line);
}

static void print_line(const char *format, va_list arguments)
{
    char line[LINE];
    write_line(line, format, arguments);
    wipe_bar();
    fprintf(stderr, "%s: %s\n", program_name, line);
}

void message_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (holding)
        write_line(held, format, arguments);
    else if (!errors_off)
        print_line(format, arguments);
    va_end(arguments);
}

void message_quiet(void) { errors_off = true; }

void message_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!silent)
        print_line(format, arguments);
    va_end(arguments);
}

double message_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- progress ------------------------------------------------------------------------------------------------ */

progress_bar progress_bar_start(bool wanted)
{
    double now = message_clock();
    return (progress_bar){.shown = wanted && isatty(STDERR_FILENO), .started = now, .drawn = now};
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
    if (share > 1e-6) { /* earlier, an estimate of the time left would be noise */
        long left = (long)(seconds * (1 - share) / share);
        fprintf(stderr, "  %ld:%02ld left", left / 60, left % 60);
    }
}

void progress_bar_show(progress_bar *bar, uint64_t rows, double share)
{
    if (!bar->shown)
        return;
    double now = message_clock();
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

void progress_bar_end(progress_bar *bar)
{
    wipe_bar();
    bar->shown = false;
}
