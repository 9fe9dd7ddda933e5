/*
 * Messages, inside libokra-io: one line each, whatever file names and fields they quote.
 */
#ifndef OKRA_IO_SAY_H
#define OKRA_IO_SAY_H

#include <stddef.h>
#include <stdint.h>

#include <okra/status.h>

#include "../json/utf8.h"

/* What messages call a file: its path, or the end of one that is longer. */
enum { OKRA_NAME = 256 };

/* Writes a message of one line, as okra_plain_text() makes it. */
void okra_say(okra_message *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says what a status means, and returns it: in sight of those who check what follows. */
static inline okra_status okra_say_status(okra_status status, okra_message *why)
{
    okra_say(why, "%s", okra_strerror(status));
    return status;
}

void okra_name_file(char name[OKRA_NAME], const char *path);

/* The C library's word for an errno, in the C locale. */
const char *okra_error_text(int error);

/* Says why a file could not be opened for reading, and what to do; returns OKRA_E_OPEN. */
okra_status okra_cannot_open(const char *name, int error, okra_message *why);

/* .. why it could not be `done`, which is "written" or a step of that; returns OKRA_E_WRITE. `besides` ends the line.
 */
okra_status okra_cannot_write(const char *name, const char *done, int error, const char *besides, okra_message *why);

#endif
