/*
 * Words: nearest matches, columns of text, text in memory, and text for terminals and shells.
 */
#define _GNU_SOURCE /* fopencookie */
#include "text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>

/* ---- nearest ------------------------------------------------------------------------------------------------- */

enum { LONGEST_WORD = 63 };

static int fold(char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Edits that turn a into b: insertions, deletions, replacements, and swaps of neighbours, the commonest slip. */
static size_t edits(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b), rows[3][LONGEST_WORD + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++)
        above[j] = j;
    for (size_t i = 1; i <= m; i++) {
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t replaced = above[j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));
            row[j] = smaller(replaced, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]))
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = above, above = row, row = oldest;
    }
    return above[n];
}

nearest nearest_to(const char *word)
{
    size_t length = strlen(word);
    /* Past a third of its letters a word was meant to be another one. */
    return (nearest){.word = word, .distance = length <= LONGEST_WORD ? (length + 2) / 3 + 1 : 0};
}

void nearest_offer(nearest *search, const char *candidate)
{
    if (search->distance == 0 || strlen(candidate) > LONGEST_WORD || !*candidate)
        return;
    size_t distance = edits(search->word, candidate);
    if (distance < search->distance && distance < strlen(candidate)) {
        search->distance = distance;
        search->best = candidate;
    }
}

const char *nearest_hint(const nearest *search, const char *prefix, const char *otherwise, char hint[HINT_TEXT])
{
    if (search->best)
        snprintf(hint, HINT_TEXT, "did you mean '%s%s'?", prefix, search->best);
    else
        snprintf(hint, HINT_TEXT, "%s", otherwise);
    return hint;
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

enum { PAGE_WIDTH = 100 };

void print_entry(int indent, const char *left, int column, const char *right)
{
    int at = printf("%*s%s", indent, "", left);
    if (at > 0 && at + 2 > column && *right) {
        putchar('\n');
        at = 0;
    }
    bool fresh = true;
    while (*right) {
        size_t word = strcspn(right, " ");
        if (!fresh && at + 1 + (int)word > PAGE_WIDTH) {
            putchar('\n');
            at = 0;
            fresh = true;
        }
        int gap = fresh ? column - at : 1;
        at += printf("%*s%.*s", gap, "", (int)word, right);
        fresh = false;
        right += word;
        right += strspn(right, " ");
    }
    putchar('\n');
}

/* ---- in memory ----------------------------------------------------------------------------------------------- */

typedef struct growing {
    char *text;
    size_t length;
} growing;

static ssize_t grow(void *cookie, const char *bytes, size_t n)
{
    growing *g = cookie;
    char *larger = realloc(g->text, g->length + n + 1);
    if (!larger)
        return 0;
    g->text = larger;
    memcpy(larger + g->length, bytes, n);
    g->length += n;
    larger[g->length] = '\0';
    return (ssize_t)n;
}

/* Not open_memstream(): glibc's drops what does not fit, without an error. */
char *printed_text(void (*print)(FILE *out, const void *with), const void *with)
{
    growing g = {0};
    FILE *out = fopencookie(&g, "w", (cookie_io_functions_t){.write = grow});
    if (!out)
        return NULL;
    print(out, with);
    bool whole = !ferror(out);
    whole = fclose(out) == 0 && whole;
    if (!whole)
        free(g.text);
    return whole ? g.text : NULL;
}

/* ---- terminals ----------------------------------------------------------------------------------------------- */

static size_t character_length(const char *text)
{
    unsigned char first = (unsigned char)*text;
    return first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
}

/* The bytes of the character at `text`; 0 if okra_plain_text() would replace it, or it is none. */
static size_t plain_length(const char *text)
{
    char copy[5] = "";
    size_t length = strnlen(text, character_length(text));
    memcpy(copy, text, length);
    okra_plain_text(copy);
    return strncmp(copy, text, length) == 0 ? length : 0;
}

/* In pieces, which need no memory and end with a whole character. */
void print_plain(FILE *out, const char *text)
{
    char plain[256];
    while (*text) {
        size_t length = strnlen(text, sizeof plain - 1), min = sizeof plain - 4;
        while (text[length] && length > min && (text[length] & 0xC0) == 0x80)
            length--;
        memcpy(plain, text, length);
        plain[length] = '\0';
        okra_plain_text(plain);
        fputs(plain, out);
        text += length;
    }
}

/* ---- shells -------------------------------------------------------------------------------------------------- */

/* zsh takes =NAME for the place of a program. */
static bool needs_no_quotes(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@";
    return *word && *word != '=' && word[strspn(word, plain)] == '\0';
}

void print_shell_word(FILE *out, const char *word)
{
    if (needs_no_quotes(word)) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}

static bool is_plain(const char *text)
{
    size_t length;
    while (*text && (length = plain_length(text)) > 0)
        text += length;
    return !*text;
}

/* Of what $'..' has a meaning for, and of '!', which recalls earlier commands, the number is written too. */
static void print_escaped(FILE *out, const char *word)
{
    fputs("$'", out);
    while (*word) {
        size_t length = strchr("'\\!", *word) ? 0 : plain_length(word);
        if (length > 0)
            fprintf(out, "%.*s", (int)length, word);
        else
            fprintf(out, "\\%03o", (unsigned)(unsigned char)*word);
        word += length > 0 ? length : 1;
    }
    putc('\'', out);
}

void print_pasted_word(FILE *out, const char *word)
{
    if (is_plain(word))
        print_shell_word(out, word);
    else
        print_escaped(out, word);
}

void print_pasted_option(FILE *out, const char *name, const char *value)
{
    fprintf(out, " --%s%c", name, strncmp(value, "--", 2) == 0 ? '=' : ' ');
    print_pasted_word(out, value);
}

void print_pasted_file(FILE *out, const char *path)
{
    fputs(*path == '-' && path[1] ? " ./" : " ", out);
    print_pasted_word(out, path);
}
