/*
 * A command in a folder that is the same every time, run under planned faults (tests/trust/fault.c) and judged by what
 * it leaves: either what it leaves without faults, or one line of error and nothing broken.
 */
#ifndef OKRA_TEST_SCENE_H
#define OKRA_TEST_SCENE_H

#include "harness.h"

enum { SCENE_ARGUMENTS = 28, SCENE_FILES = 6 };

typedef struct scene {
    const char *name;
    const char *arguments[SCENE_ARGUMENTS];
    const char *results[SCENE_FILES]; /* files that it writes */
    const char *begins[SCENE_FILES];  /* where they begin as copies of these; NULL: they are not there */
    const char *piped;                /* what it reads through a pipe, a file; its output is a pipe too */
    bool timed;                       /* its standard output tells times */
    bool teams;                       /* of threads that OpenMP makes, which ends the program where it cannot */
    bool decodes;                     /* by libFLAC, which tells a lack of memory as a damaged file */
    bool resumes;                     /* run again without faults, it makes up for everything */
} scene;

/* What a scene leaves, but for times. */
typedef struct trace {
    char *out, *files[SCENE_FILES];
} trace;

typedef struct verdict {
    bool met;  /* the fault was met */
    bool told; /* in one line, with status 1; otherwise nothing shows */
} verdict;

/* Runs it without faults; what it leaves, to be given to trace_free(). */
trace scene_reference(const scene *s);
void trace_free(trace *t);

/*
 * Runs it with a plan of faults, and complains unless it ends with status 0 and what `wanted` has, or with status
 * 1 and one line that has one of the words (NULL: any line). Whatever happens, no temporary file is left, and models
 * are whole.
 */
verdict scene_play(const scene *s, const char *plan, const trace *wanted, const char *const *words);

/* How many complaints there have been: a test fails where there is one. */
size_t scene_complaints(void);

#endif
