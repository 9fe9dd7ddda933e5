/*
 * A command in a folder that is the same every time, run under planned faults (tests/trust/fault.c) and judged by what
 * it leaves: either what it leaves without faults, or one line of error and nothing broken.
 */
#ifndef OKRA_TEST_FAULT_CASE_H
#define OKRA_TEST_FAULT_CASE_H

#include "harness.h"

enum { FAULT_CASE_ARGUMENTS = 28, FAULT_CASE_FILES = 6 };

typedef struct fault_case {
    const char *name;
    const char *arguments[FAULT_CASE_ARGUMENTS];
    const char *results[FAULT_CASE_FILES]; /* files that it writes */
    const char *begins[FAULT_CASE_FILES];  /* where they begin as copies of these; NULL: they are not there */
    const char *piped;                     /* what it reads through a pipe, a file; its output is a pipe too */
    bool timed;                            /* its standard output tells times */
    bool teams;                            /* of threads that OpenMP makes, which ends the program if it cannot */
    bool decodes;                          /* by libFLAC, which tells a lack of memory as a damaged file */
    bool resumes;                          /* run again without faults, it makes up for everything */
} fault_case;

/* What a case leaves, but for times. */
typedef struct trace {
    char *out, *files[FAULT_CASE_FILES];
} trace;

typedef struct verdict {
    bool met;  /* the fault was met */
    bool told; /* in one line, with status 1; otherwise nothing shows */
} verdict;

/* Runs it without faults; what it leaves, to be given to trace_free(). */
trace fault_case_reference(const fault_case *s);
void trace_free(trace *t);

/*
 * Runs it with a plan of faults, and complains unless it ends with status 0 and what `wanted` has, or with status
 * 1 and one line that has one of the words (NULL: any line). Whatever happens, no temporary file is left, and models
 * are whole.
 */
verdict fault_case_run(const fault_case *s, const char *plan, const trace *wanted, const char *const *words);

/* How many complaints there have been: a test fails where there is one. */
size_t fault_case_complaints(void);

#endif
