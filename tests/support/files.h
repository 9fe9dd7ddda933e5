/* Files for tests: a fresh directory, which is the current one, and whole files in it. */
#ifndef OKRA_TESTS_FILES_H
#define OKRA_TESTS_FILES_H

#include "check.h"

/* Setup and teardown, of a group or of every test: a fresh directory; all that is in it is removed with it. */
int enter_directory(void **state);
int leave_directory(void **state);

void write_bytes(const char *name, const void *bytes, size_t length);

/* The contents of a file, and a NUL after them, to be freed. */
void *read_bytes(const char *name, size_t *length);

/* The same of text. */
void write_file(const char *name, const char *text);
char *read_file(const char *name);

#endif
