#include "missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "number.h"

static const char usual_words[] = OKRA_MISSING_WORDS;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool add_item(okra_missing *m, const char *begin, const char *end)
{
    double number;
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    if (begin == end)
        return true;
    bool is_number = okra_parse_real(begin, end, &number) == OKRA_NUMBER_REAL;
    if ((is_number ? m->n_numbers : m->n_words) == OKRA_MISSING_MAX)
        return false;
    if (is_number) {
        m->numbers[m->n_numbers++] = number;
    } else {
        m->lengths[m->n_words] = (size_t)(end - begin);
        m->words[m->n_words++] = begin;
    }
    return true;
}

okra_status okra_missing_read(okra_missing *m, const char *list, const char *path, okra_message *why)
{
    *m = (okra_missing){.text = strdup(list ? list : usual_words)};
    if (!m->text)
        return okra_error(OKRA_E_MEMORY, why, "%s: out of memory", path);
    for (const char *at = m->text, *end;; at = end + 1) {
        end = at + strcspn(at, ",");
        if (!add_item(m, at, end))
            return okra_error(OKRA_E_PARAMETER, why,
                              "%s: more than %d words or numbers stand for a missing value: give fewer", path,
                              OKRA_MISSING_MAX);
        if (!*end)
            return OKRA_OK;
    }
}

void okra_missing_free(okra_missing *m)
{
    free(m->text);
    *m = (okra_missing){0};
}

bool okra_missing_says(const okra_missing *m, const char *begin, const char *end)
{
    size_t length = (size_t)(end - begin);
    for (size_t i = 0; i < m->n_words; i++)
        if (m->lengths[i] == length && strncasecmp_l(m->words[i], begin, length, okra_c_locale()) == 0)
            return true;
    return false;
}

void okra_missing_blank(const okra_missing *m, double *row, size_t n)
{
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < m->n_numbers; i++)
            if (row[c] == m->numbers[i])
                row[c] = (double)NAN;
}
