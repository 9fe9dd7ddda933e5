/*
 * Takes headers apart. They are ours, so the rules are those that they keep: a comment that explains something begins a
 * line and stands before it, a blank line ends what belongs together, and functions begin with OKRA_API.
 */
#include "header.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines of a file, one after the other. */
typedef struct source {
    FILE *file;
    char *line;
    size_t room;
} source;

/* The next line, its end included; false at the end of the file. */
static bool next_line(source *s) { return getline(&s->line, &s->room, s->file) >= 0; }

static bool begins(const char *text, const char *beginning) { return strncmp(text, beginning, strlen(beginning)) == 0; }

/* ---- parts --------------------------------------------------------------------------------------------------- */

static void out_of_memory(void)
{
    fputs("manual: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

static void append(char **text, const char *more)
{
    size_t length = *text ? strlen(*text) : 0, n = strlen(more) + 1;
    char *longer = realloc(*text, length + n);
    if (!longer)
        out_of_memory();
    memcpy(longer + length, more, n);
    *text = longer;
}

static header_part *add_part(header *h, header_kind kind, bool joined)
{
    header_part *parts = realloc(h->parts, (h->n + 1) * sizeof *parts);
    if (!parts)
        out_of_memory();
    h->parts = parts;
    parts[h->n] = (header_part){.kind = kind, .joined = joined};
    return &parts[h->n++];
}

/* ---- comments ------------------------------------------------------------------------------------------------ */

/* "---- creating and freeing ----" */
static bool is_ruled(const char *text) { return begins(text, "---- "); }

static void unrule(char *text)
{
    size_t n = strcspn(text + 5, "\n");
    while (n > 0 && strchr("- ", text[5 + n - 1]))
        n--;
    memmove(text, text + 5, n);
    text[n] = '\0';
}

/* A line of a comment without what begins and ends comments. */
static void append_comment_line(char **text, char *line)
{
    char *end = strstr(line, "*/");
    if (end) {
        while (end > line && end[-1] == ' ')
            end--;
        memcpy(end, "\n", 2);
    }
    line += begins(line, "/*") || begins(line, " *") ? 2 : 0;
    line += *line == ' ';
    append(text, (*text && **text) || *line != '\n' ? line : ""); /* blank lines before the first are none of it */
}

/* The source is at its first line, and will be at its last. */
static char *read_comment(source *s)
{
    char *text = NULL;
    bool more = true;
    while (more) {
        more = !strstr(s->line, "*/");
        append_comment_line(&text, s->line);
        more = more && next_line(s);
    }
    return text;
}

/* ---- declarations -------------------------------------------------------------------------------------------- */

typedef struct scan {
    bool comment; /* within one */
    int depth;    /* of braces */
    bool over;    /* a semicolon has ended it */
} scan;

static void scan_line(scan *state, const char *line)
{
    for (; *line; line++) {
        if (begins(line, state->comment ? "*/" : "/*")) {
            state->comment = !state->comment;
            line++;
        } else if (!state->comment) {
            state->depth += *line == '{' ? 1 : *line == '}' ? -1 : 0;
            state->over = state->over || (*line == ';' && state->depth == 0);
        }
    }
}

/* Up to the semicolon and the comment behind it; of a macro, the lines that it has. */
static char *read_declaration(source *s)
{
    scan state = {0};
    char *text = NULL;
    bool macro = *s->line == '#';
    do {
        append(&text, s->line);
        scan_line(&state, s->line);
        if (macro ? !strstr(s->line, "\\\n") : state.over && !state.comment)
            break;
    } while (next_line(s));
    return text;
}

/* In one line, without what only compilers care for. */
static void straighten(char *declaration)
{
    char *to = declaration;
    for (const char *from = declaration + strlen("OKRA_API "); *from; from++) {
        bool blank = *from == ' ' || *from == '\n';
        if (!blank)
            *to++ = *from;
        else if (to > declaration && to[-1] != ' ' && from[1])
            *to++ = ' ';
    }
    *to = '\0';
}

const char *function_name(const char *declaration, size_t *length)
{
    size_t end = strcspn(declaration, "("), begin = end;
    while (begin > 0 && !strchr(" *", declaration[begin - 1]))
        begin--;
    *length = end - begin;
    return declaration + begin;
}

/* ---- headers ------------------------------------------------------------------------------------------------- */

/* What is for the compiler: conditions, guards, the braces of extern "C". */
static bool is_scaffold(const char *line)
{
    static const char *const beginnings[] = {
        "#if", "#else", "#endif", "#include", "#undef", "#define OKRA_API", "extern \"C\"", "}\n"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(line, beginnings[i]))
            return true;
    return begins(line, "#define ") && !strchr(line + strlen("#define "), ' ');
}

/* Between these remarks is a table for the compiler, which has readers of its own. */
static void pass_table(source *s)
{
    while (!strstr(s->line, "clang-format on") && next_line(s))
        ;
}

static void add_comment(header *h, source *s, bool joined)
{
    char *text = read_comment(s);
    header_part *part = add_part(h, is_ruled(text) ? HEADER_CHAPTER : HEADER_TEXT, joined);
    if (part->kind == HEADER_CHAPTER)
        unrule(text);
    part->text = text;
}

static void add_declaration(header *h, source *s, bool joined)
{
    bool function = begins(s->line, "OKRA_API ");
    char *text = read_declaration(s);
    if (function)
        straighten(text);
    add_part(h, function ? HEADER_FUNCTION : HEADER_CODE, joined)->text = text;
}

bool header_read(header *h, const char *path)
{
    source s = {.file = fopen(path, "r")};
    bool joined = false;
    *h = (header){0};
    if (!s.file) {
        fprintf(stderr, "manual: '%s': %s\n", path, strerror(errno));
        return false;
    }
    while (next_line(&s)) {
        bool blank = *s.line == '\n';
        if (strstr(s.line, "clang-format off"))
            pass_table(&s);
        else if (begins(s.line, "/*"))
            add_comment(h, &s, joined);
        else if (!blank && !is_scaffold(s.line))
            add_declaration(h, &s, joined);
        joined = !blank;
    }
    free(s.line);
    return fclose(s.file) == 0;
}

void header_free(header *h)
{
    for (size_t i = 0; i < h->n; i++)
        free(h->parts[i].text);
    free(h->parts);
    *h = (header){0};
}
