#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

void okra_say(okra_message *why, const char *format, ...)
{
    if (!why)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    for (char *p = why->text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
}

/* The end of a long path says more than its beginning. */
void okra_name_file(char name[OKRA_NAME], const char *path)
{
    size_t length = strlen(path), room = OKRA_NAME - 1;
    if (length <= room)
        memcpy(name, path, length + 1);
    else
        snprintf(name, OKRA_NAME, "...%s", path + length - (room - 3));
}

const char *okra_error_text(int error)
{
    locale_t c = okra_c_locale();
    return c ? strerror_l(error, c) : "out of memory";
}
