/* Errors carry the library's words, and an identifier that is made from the library's own list of statuses. */
#include "gateway.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* "OKRA_E_SAMPLE" is told as okra:sample. */
static void identify(okra_status status, char id[64])
{
    const char *name = "OKRA_E_UNKNOWN";
    switch (status) {
#define NAME_OF(enumerator, value, text) \
    case enumerator:                     \
        name = #enumerator;              \
        break;
        OKRA_STATUS_LIST(NAME_OF)
#undef NAME_OF
    }
    int length = snprintf(id, 64, "okra:%s", name + strlen("OKRA_E_"));
    for (int i = 0; i < length; i++)
        id[i] = (char)tolower((unsigned char)id[i]);
}

void fail(okra_status status, const char *format, ...)
{
    char id[64], text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    identify(status, id);
    mexErrMsgIdAndTxt(id, "%s", text);
    __builtin_unreachable();
}

void expect(okra_status status)
{
    if (status)
        fail(status, "%s", okra_strerror(status));
}

void expect_said(okra_status status, const okra_message *why)
{
    if (status)
        fail(status, "%s", why->text);
}
