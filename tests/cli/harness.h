/*
 * Runs the real program (OKRA_PROGRAM, from the build) the way a user does, and looks at what comes back. Every test
 * group works in a fresh directory, which is the current one.
 */
#ifndef OKRA_TEST_HARNESS_H
#define OKRA_TEST_HARNESS_H

#include <jansson.h>
#include <sys/types.h>

#include "files.h"

/* How to run it; what is zero is the usual. */
typedef struct call {
    const char *input; /* text for standard input; NULL: none */
    const char *out;   /* file that standard output goes to instead of being captured, /dev/full say */
    bool piped;        /* standard input and output are pipes, of 64 KiB at most */
    bool closed_pipe;  /* standard output is a pipe that nobody reads */
    bool nobody;       /* without root's power to open every file */
} call;

typedef struct outcome {
    int status;      /* exit status; 128 + the signal's number if one killed it */
    char *out, *err; /* standard output and error */
} outcome;

/* OKRA_PATIENCE: how many times longer than usual the program may take, under valgrind say; 1 if that is not set. */
unsigned patience(void);

outcome run_program(const call *how, const char *const *arguments);
void outcome_free(outcome *result);

/* okra(input, "run", "--mu", "1", ..) */
#define okra(text, ...)    okra_how(((call){.input = (text)}), __VA_ARGS__)
#define okra_how(how, ...) run_program(&(how), (const char *const[]){OKRA_PROGRAM, __VA_ARGS__, NULL})

/*
 * Fails unless the program ended with this status and said one line, `okra: ...`, that has every one of the parts, in
 * any order; frees the outcome.
 */
#define assert_refused(result, status, ...) \
    check_refused((result), (status), (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)
void check_refused(outcome result, int status, const char *const *parts, const char *file, int line);

/* Fails unless it ended with status 0; says what it said otherwise. */
#define assert_done(result) check_done(&(result), __FILE__, __LINE__)
void check_done(const outcome *result, const char *file, int line);

/* ---- live ---- */

/* The program between two pipes, running. */
typedef struct live {
    pid_t child;
    int in, out;
} live;

/* live_okra(err, "run", ..): started, with standard error at `err`. */
#define live_okra(err, ...) start_live((err), (const char *const[]){OKRA_PROGRAM, __VA_ARGS__, NULL})
live start_live(int err, const char *const *arguments);

void send_text(const live *program, const char *text);

/* What comes within ten seconds must be this. */
void expect_text(int fd, const char *wanted);

/* What asks a stream to end; a 0 ends the list. */
extern const int end_signals[];

/* No more input; waits for the end and gives the status, as in outcome. */
void close_input(live *program);
int end_live(live *program);

/* Fails unless `text` has `part` in it. */
#define assert_has(text, part) check_has((text), (part), __FILE__, __LINE__)
void check_has(const char *text, const char *part, const char *file, int line);

/* Fails where a text has what a terminal would obey, or what is not UTF-8. */
void assert_plain(const char *text);

/* The first rows of a signal of okra signal, as a file. */
void make_signal(const char *name, const char *rows, const char *file);

/* The number of that key, which must be there. */
double json_number(const json_t *object, const char *key);

/* The cell of a CSV text: row 0 is the header; the text of the field, in a static buffer. */
const char *cell(const char *csv, size_t row, size_t column);

/* The number of lines of a text. */
size_t count_lines(const char *text);

#endif
