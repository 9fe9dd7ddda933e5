#include "json_limits.h"

#include <stdbool.h>

/* Short texts may be as dense as they like. */
enum { VALUES_FREE = 64 };

typedef struct scan {
    const okra_json_limits *limits;
    int depth;
    unsigned arrays; /* a bit for each level: it is an array */
    size_t values, most;
} scan;

static const char *open_level(scan *s, bool array)
{
    if (s->depth == s->limits->depth)
        return "nested too deeply";
    if (!array && s->depth > 0 && s->arrays >> (s->depth - 1) & 1)
        return "an object inside an array";
    unsigned bit = 1u << s->depth++;
    s->arrays = array ? s->arrays | bit : s->arrays & ~bit;
    return NULL;
}

static const char *take(scan *s, char c)
{
    const char *wrong = NULL;
    if (c == '{' || c == '[')
        wrong = open_level(s, c == '[');
    else if ((c == '}' || c == ']') && s->depth > 0)
        s->depth--;
    if ((c == '{' || c == '[' || c == ',') && s->values++ == s->most)
        wrong = "too many values for its length";
    return wrong;
}

const char *okra_json_look_over(const char *text, size_t length, const okra_json_limits *limits, size_t *line,
                                size_t *column)
{
    scan s = {.limits = limits,
              .most = limits->bytes_a_value ? length / limits->bytes_a_value + VALUES_FREE : (size_t)-1};
    bool quoted = false;
    *line = *column = 1;
    for (size_t i = 0; i < length; i++, ++*column) {
        const char *wrong = quoted ? NULL : take(&s, text[i]);
        if (wrong)
            return wrong;
        if (text[i] == '"')
            quoted = !quoted;
        else if (quoted && text[i] == '\\')
            i++, ++*column;
        else if (text[i] == '\n')
            ++*line, *column = 0;
    }
    return NULL;
}
