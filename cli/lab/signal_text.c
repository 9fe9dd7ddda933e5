/*
 * The table of signals in words.
 */
#include "signal_text.h"

#include <stdio.h>

#include <okra/io.h>

const char *signal_defaults(const okra_signal_kind *kind, char text[DEFAULTS_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (const okra_signal_param *p = kind->params; p->name && used < DEFAULTS_TEXT; p++) {
        char value[OKRA_REAL_TEXT];
        okra_format_real(p->value, value);
        used += (size_t)snprintf(text + used, DEFAULTS_TEXT - used, "%s%s=%s", used ? " " : "", p->name, value);
    }
    return text;
}
