/*
 * Roff, escaped.
 */
#include "roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include <okra/version.h>

/* ---- characters ---------------------------------------------------------------------------------------------- */

/* What roff would read otherwise, or print as another character than the one that a shell or a compiler knows. */
static const char *escaped(char c)
{
    switch (c) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    case '"':
        return "\\(dq";
    default:
        return NULL;
    }
}

void roff_escape(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *other = escaped(text[i]);
        if (text[i] == '.' && (i == 0 || text[i - 1] == '\n'))
            fputs("\\&.", stdout); /* a full stop that begins a line would be a command */
        else if (other)
            fputs(other, stdout);
        else
            putchar(text[i]);
    }
}

void roff_plain(const char *text) { roff_escape(text, strlen(text)); }

void roff_font(char font, const char *text, size_t n)
{
    printf("\\f%c", font);
    roff_escape(text, n);
    fputs("\\fR", stdout);
}

/* ---- running text -------------------------------------------------------------------------------------------- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

static size_t word_length(const char *text)
{
    size_t n = 0;
    while (is_word(text[n]))
        n++;
    return n;
}

/* Whether a word is among those of a text, between characters that are none of a word. */
static bool is_among(const char *names, const char *word, size_t n)
{
    for (const char *at = names; at && *at;) {
        size_t length = word_length(at);
        if (length == n && strncmp(at, word, n) == 0)
            return true;
        at += length ? length : 1;
    }
    return false;
}

/* 'okra run': the length of a quoted command with its quotes; 0 if the text is something else. */
static size_t quoted_command(const char *text)
{
    const char *end = strncmp(text, "'okra", 5) == 0 ? strchr(text + 1, '\'') : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

/* Letters and blanks, a letter at either end. */
static bool is_phrase(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isalpha((unsigned char)text[i]) && text[i] != ' ')
            return false;
    return n > 0 && text[0] != ' ' && text[n - 1] != ' ';
}

/* `name` or *a phrase*: the length with its marks; 0 if the text is something else, a pointer say. */
static size_t marked(const char *text)
{
    const char *end = *text == '`' || *text == '*' ? strchr(text + 1, *text) : NULL;
    size_t inner = end ? (size_t)(end - text) - 1 : 0;
    return inner && (*text == '`' || is_phrase(text + 1, inner)) ? inner + 2 : 0;
}

/* Writes what begins here in a font of its own, and returns its length; 0 if it is plain. */
static size_t set_apart(const char *text, bool fresh, const char *names)
{
    size_t n = quoted_command(text);
    if (n) {
        roff_escape("'", 1), roff_font('B', text + 1, n - 2), roff_escape("'", 1);
        return n;
    }
    if (!fresh)
        return 0;
    if ((n = marked(text))) {
        roff_font('I', text + 1, n - 2);
        return n;
    }
    n = word_length(text);
    if (n > 2 && strncmp(text, "--", 2) == 0) {
        roff_font('B', text, n);
        return n;
    }
    if (n > 5 && strncmp(text, "okra_", 5) == 0 && strncmp(text + n, "()", 2) == 0) {
        roff_font('B', text, n), fputs("()", stdout);
        return n + 2;
    }
    if (n && is_among(names, text, n)) {
        roff_font('I', text, n);
        return n;
    }
    return 0;
}

/* A blank, or the end of an input line that is long enough; not after a sentence, where roff would make two of it. */
static bool may_end_line(const char *text, size_t column)
{
    return *text == ' ' && column > 60 && (isalnum((unsigned char)text[-1]) || text[-1] == ',');
}

void roff_prose(const char *text, const char *names)
{
    bool fresh = true; /* no word has begun */
    for (size_t column = 0, n; *text; text += n) {
        n = set_apart(text, fresh, names);
        if (n == 0 && may_end_line(text, column)) {
            putchar('\n');
            column = 0, n = 1;
        } else {
            if (n == 0 && *text == '.' && column > 0)
                putchar('.'); /* within a line a full stop is one */
            else if (n == 0)
                roff_escape(text, 1);
            n = n ? n : 1;
            column += n;
        }
        fresh = !is_word(text[n - 1]);
    }
    putchar('\n');
}

/* ---- parts of a page ----------------------------------------------------------------------------------------- */

void roff_begin(const char *name, int section, const char *date, const char *volume)
{
    fputs(".\\\" Made from the tables and headers of okra: see manual/ in its sources.\n.TH ", stdout);
    for (; *name; name++) {
        char upper = (char)toupper((unsigned char)*name);
        roff_escape(&upper, 1);
    }
    printf(" %d \"%s\" \"okra %s\" \"%s\"\n", section, date, OKRA_VERSION, volume);
    puts(".nh\n.ad l"); /* words as they are written, to be found and copied */
}

void roff_section(const char *title)
{
    fputs(".SH \"", stdout);
    roff_plain(title);
    puts("\"");
}

void roff_subsection(const char *title)
{
    fputs(".SS \"", stdout);
    roff_plain(title);
    puts("\"");
}

void roff_paragraph(void) { puts(".PP"); }

void roff_verbatim_begin(void) { puts(".PP\n.RS 4\n.nf"); }

void roff_verbatim_end(void) { puts(".fi\n.RE"); }

void roff_row(int width, const char *left, bool first)
{
    printf(".TP %d\n", width);
    roff_font('B', left, strlen(left));
    puts(first ? "\n.PD 0" : ""); /* a gap before the first only */
}

void roff_rows_end(void) { puts(".PD"); }

void roff_item(const char *left, const char *right)
{
    puts(".TP");
    if (left)
        roff_font('B', left, strlen(left));
    if (right) {
        putchar(' ');
        roff_font('I', right, strlen(right));
    }
    putchar('\n');
}
