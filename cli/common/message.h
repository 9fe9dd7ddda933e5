/*
 * What the program says on standard error: one-line errors, notes, and the progress bar. Results never pass here.
 */
#ifndef OKRA_CLI_MESSAGE_H
#define OKRA_CLI_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Exit statuses, as promised in --help. */
enum { EXIT_DONE = 0, EXIT_IO = 1, EXIT_USAGE = 2, EXIT_DIVERGED = 3 };

/* The program's name, which messages begin with ("okra"). */
void message_as(const char *name);
const char *message_name(void);

/* From here on what message_fail() says is kept, the last of it in message_held(), and not said; what message_note()
 * says only with `notes`. */
void message_hold(bool notes);
const char *message_held(void);

/* Says `okra: ...` in one line, whatever the arguments hold: what is worth knowing and no failure. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a failure; is exit_status, for `return message_fail(..)`. A macro, so that compilers and checkers see
 * that it is never EXIT_DONE. */
#define message_fail(exit_status, ...) (message_error(__VA_ARGS__), (exit_status))
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One failure is told: those that follow from it, on the same full disk say, are not. */
void message_quiet(void);

/* Wipes the progress bar off the line, for whoever is about to write to standard error by himself. */
void message_clear(void);

/* Seconds of a clock that only goes forward. */
double message_clock(void);

/* A progress bar for rows, drawn at most ten times a second. */
typedef struct progress_bar {
    bool shown;
    double started, drawn; /* times of message_clock() */
} progress_bar;

/* `wanted` false, or a standard error that is no terminal, makes a bar that is never seen. */
progress_bar progress_bar_start(bool wanted);

/* `share` is the part of the work that is done, 0 to 1; negative if nobody knows. */
void progress_bar_show(progress_bar *bar, uint64_t rows, double share);

/* Removes the bar; errors and summaries do not need it, because message_fail() does so by itself. */
void progress_bar_end(progress_bar *bar);

#endif
