/* Messages, inside libokra-io: always one line, even if a file name or a field has line ends. */
#ifndef OKRA_IO_MESSAGE_H
#define OKRA_IO_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <okra/status.h>

#include "../json/text.h"

/* The name of a file in messages: its path, or the end of a long one. */
enum { OKRA_NAME = 256 };

/* Writes a message of one line, as okra_plain_text() makes it. */
void okra_message_set(okra_message *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the message and returns the status. Macros, so that static analysers see which status it is. okra_refuse() is
 * for files. */
#define okra_error(status, why, ...) (okra_message_set(why, __VA_ARGS__), (status))
#define okra_refuse(why, ...)        okra_error(OKRA_E_FORMAT, why, __VA_ARGS__)

static inline okra_status okra_status_error(okra_status status, okra_message *why)
{
    return okra_error(status, why, "%s", okra_strerror(status));
}

/* Whether a path stands for standard input or output. */
static inline bool okra_is_standard(const char *path) { return !path || strcmp(path, "-") == 0; }

void okra_name_file(char name[OKRA_NAME], const char *path);

/* The C library's text for an errno, in the C locale. */
const char *okra_error_text(int error);

/* Says why a file could not be opened for reading, and what to do; returns OKRA_E_OPEN. */
okra_status okra_cannot_open(const char *name, int error, okra_message *why);

/* Says why it could not be `done` ("written", or a step of that); returns OKRA_E_WRITE. `besides` ends the line. */
okra_status okra_cannot_write(const char *name, const char *done, int error, const char *besides, okra_message *why);

#endif
