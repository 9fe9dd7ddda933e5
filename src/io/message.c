#include "message.h"

#include <okra/io.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

void okra_message_set(okra_message *why, const char *format, ...)
{
    if (!why)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    okra_plain_text(why->text);
}

void okra_plain_text(char *text)
{
    const unsigned char *from = (const unsigned char *)text;
    char *to = text;
    while (*from) {
        uint32_t character;
        size_t length = okra_utf8(from, &character);
        if (length == 0 || okra_is_command(character))
            *to++ = '?';
        else
            memmove(to, from, length), to += length;
        from += length ? length : 1;
    }
    *to = '\0';
}

/* The end of a long path says more than its beginning. */
void okra_name_file(char name[OKRA_NAME], const char *path)
{
    size_t length = strlen(path), max = OKRA_NAME - 1;
    if (length <= max)
        memcpy(name, path, length + 1);
    else
        snprintf(name, OKRA_NAME, "...%s", path + length - (max - 3));
}

const char *okra_error_text(int error)
{
    locale_t c = okra_c_locale();
    return c ? strerror_l(error, c) : "out of memory";
}

okra_status okra_cannot_open(const char *name, int error, okra_message *why)
{
    if (error == ENOENT)
        return okra_error(OKRA_E_OPEN, why, "%s: no such file: check the name and the folder", name);
    if (error == EACCES)
        return okra_error(OKRA_E_OPEN, why, "%s: permission denied: you need the right to read it", name);
    if (error == EISDIR)
        return okra_error(OKRA_E_OPEN, why, "%s: is a directory: name a file in it", name);
    return okra_error(OKRA_E_OPEN, why, "%s: cannot be opened: %s: name another file", name, okra_error_text(error));
}

static const char *remedy_of_writing(int error)
{
    switch (error) {
    case ENOMEM:
        return "free some memory";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "free some room or choose another place";
    case ENOENT:
        return "check the name and the folder";
    case EISDIR:
        return "name a file in it";
    case EACCES:
    case EPERM:
    case EROFS:
        return "you need the right to write there";
    default:
        return "choose another place";
    }
}

okra_status okra_cannot_write(const char *name, const char *done, int error, const char *besides, okra_message *why)
{
    if (error == EPIPE)
        return okra_error(OKRA_E_WRITE, why, "%s: the program that was reading it has closed it", name);
    return okra_error(OKRA_E_WRITE, why, "%s: cannot be %s: %s: %s%s", name, done, okra_error_text(error),
                      remedy_of_writing(error), besides);
}
