/*
 * Messages on standard error: one-line errors, notes, and the progress bar. Results never go here.
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

/* From here on errors are kept instead of printed: message_held() has the last one. Notes are printed only with
 * `notes`. */
void message_hold(bool notes);
const char *message_held(void);

/* Prints a note, `okra: ...`, always as one line. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for an error; evaluates to exit_status, for `return message_fail(..)`. A macro, so that compilers and
 * checkers see that it is never EXIT_DONE. */
#define message_fail(exit_status, ...) (message_error(__VA_ARGS__), (exit_status))
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on errors are not printed: they would follow from the first one. */
void message_quiet(void);

/* Clears the progress bar, before other output to standard error. */
void message_clear(void);

/* Seconds of a clock that only goes forward. */
double message_clock(void);

/* A progress bar for rows, drawn at most ten times a second. */
typedef struct progress_bar {
    bool shown;
    double started, drawn; /* times of message_clock() */
} progress_bar;

/* The bar is shown only if `wanted` and standard error is a terminal. */
progress_bar progress_bar_start(bool wanted);

/* `share` is the part of the work that is done, 0 to 1; negative if unknown. */
void progress_bar_show(progress_bar *bar, uint64_t rows, double share);

/* Removes the bar. Messages do so themselves. */
void progress_bar_end(progress_bar *bar);

#endif
