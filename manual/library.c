/*
 * okra(3): the public headers as a page. A declaration comes first, then what its comment says.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/status.h>

#include "header.h"
#include "manual.h"
#include "roff.h"

/* ---- comments ------------------------------------------------------------------------------------------------ */

enum { PARAGRAPH = 8192 };

/* Running text, as far as it has been read. */
typedef struct flow {
    char text[PARAGRAPH];
    size_t used;
    bool item; /* it belongs to an item of a list */
} flow;

static void flow_end(flow *f)
{
    if (f->used)
        roff_prose(f->text, NULL);
    f->used = 0;
}

static void flow_add(flow *f, const char *line, size_t n)
{
    if (f->used + n + 2 >= sizeof f->text) {
        fputs("manual: a paragraph is too long: see PARAGRAPH in library.c\n", stderr);
        exit(EXIT_FAILURE);
    }
    if (f->used)
        f->text[f->used++] = ' ';
    memcpy(f->text + f->used, line, n);
    f->used += n;
    f->text[f->used] = '\0';
}

/* "OKRA_E_SAMPLE   x or y is not finite.", after a line that ends in a colon or another such: the status's length. */
static size_t listed_status(const flow *f, const char *line)
{
    size_t n = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    bool announced = f->item || (f->used && f->text[f->used - 1] == ':');
    return announced && strncmp(line, "OKRA_E_", 7) == 0 && line[n] == ' ' ? n : 0;
}

static void begin_item(flow *f, const char *line, size_t n, size_t length)
{
    flow_end(f);
    puts(".TP");
    roff_font('B', line, n);
    putchar('\n');
    f->item = true;
    n += strspn(line + n, " ");
    flow_add(f, line + n, length - n);
}

/* Lines that are set in are code, or formulas. */
static const char *print_code_lines(const char *line)
{
    roff_verbatim_begin();
    while (strncmp(line, "    ", 4) == 0) {
        size_t n = strcspn(line, "\n");
        roff_escape(line + 4, n - 4);
        putchar('\n');
        line += n + 1;
    }
    roff_verbatim_end();
    return line;
}

static void print_comment(const char *text)
{
    flow f = {.used = 0};
    while (*text) {
        size_t n = strcspn(text, "\n"), status = listed_status(&f, text);
        if (strncmp(text, "    ", 4) == 0) {
            flow_end(&f);
            text = print_code_lines(text);
            continue;
        }
        if (n == 0) {
            flow_end(&f);
            f.item = false;
            if (text[1] && strncmp(text + 1, "    ", 4) != 0)
                roff_paragraph();
        } else if (status) {
            begin_item(&f, text, status, n);
        } else {
            flow_add(&f, text, n);
        }
        text += n + (text[n] == '\n');
    }
    flow_end(&f);
}

/* ---- declarations -------------------------------------------------------------------------------------------- */

static size_t identifier(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return n;
}

/* Bold, parameters in italics: they are the names before a comma, a bracket or a parenthesis. Lines end after commas.
 */
static void print_prototype(const char *declaration)
{
    size_t n;
    const char *name = function_name(declaration, &n), *rest = declaration;
    puts(".HP 4");
    while (*rest) {
        n = identifier(rest);
        bool parameter = rest > name && n && rest[n] && strchr(",)[", rest[n]) && strncmp(rest, "void)", 5) != 0;
        if (*rest == ' ')
            fputs(rest[-1] == ',' ? " " : "\\ ", stdout);
        else
            roff_font(parameter ? 'I' : 'B', rest, n ? n : 1);
        rest += n ? n : 1;
    }
    putchar('\n');
}

/* ---- structs and enums ---------------------------------------------------------------------------------------- */

enum { MEMBER_WIDTH = 30 }; /* of a member; what its comment says begins there */

/* The text of a comment that begins in this line, in one paragraph; returns the line after it. */
static const char *read_remark(const char *comment, flow *f)
{
    const char *end = strstr(comment, "*/"), *at = comment + 2;
    while (at < end) {
        at += strspn(at, " *\n");
        size_t n = strcspn(at, "\n");
        n = at + n < end ? n : at < end ? (size_t)(end - at) : 0;
        while (n > 0 && at[n - 1] == ' ')
            n--;
        if (n)
            flow_add(f, at, n);
        at += n + strspn(at + n, " ");
    }
    return end + 2 + strcspn(end + 2, "\n") + 1;
}

/* A line between the braces: a member, what its comment says, or both. Returns the line after them. */
static const char *print_member(const char *line)
{
    flow remark = {.used = 0};
    size_t length = strcspn(line, "\n"), indent = strspn(line, " ");
    const char *comment = strstr(line, "/*"), *next = line + length + 1;
    size_t n = comment && comment < next ? (size_t)(comment - line) : length;
    if (comment && comment < next)
        next = read_remark(comment, &remark);
    while (n > indent && line[n - 1] == ' ')
        n--;
    if (n > indent && remark.used)
        printf(".TP %d\n", MEMBER_WIDTH);
    else if (n > indent || remark.used)
        puts(".PP");
    if (n > indent) {
        roff_font('B', line + indent, n - indent);
        putchar('\n');
    }
    flow_end(&remark);
    return next;
}

/* Members in a table. */
static void print_braced(const char *text)
{
    size_t n = strcspn(text, "\n");
    roff_font('B', text, n);
    puts("\n.PD 0\n.RS 4");
    for (text += n + 1; *text && *text != '}';)
        text = print_member(text);
    puts(".RE\n.PP");
    roff_font('B', text, strcspn(text, "\n"));
    puts("\n.PD");
}

static void print_code(const char *text, bool heads)
{
    size_t n = strlen(text);
    if (!heads)
        roff_paragraph();
    if (strstr(text, "{\n")) {
        print_braced(text);
        return;
    }
    puts(".nf");
    roff_font('B', text, text[n - 1] == '\n' ? n - 1 : n);
    puts("\n.fi");
}

static bool is_declaration(const header_part *part)
{
    return part->kind == HEADER_FUNCTION || part->kind == HEADER_CODE;
}

/* The status values are listed under ERRORS, with their meanings. */
static bool is_generated(const header_part *part) { return strstr(part->text, "OKRA_STATUS_LIST(") != NULL; }

/* What belongs together, from part i on; returns the part after it. */
static size_t print_group(const header *h, size_t i)
{
    const char *comment = h->parts[i].kind == HEADER_TEXT ? h->parts[i].text : NULL;
    bool heads = i == 0 || h->parts[i - 1].kind == HEADER_CHAPTER; /* a heading has made its gap */
    size_t begin = comment ? i + 1 : i, end = begin;
    while (end < h->n && is_declaration(&h->parts[end]) && (h->parts[end].joined || (end == begin && !comment)))
        end++;
    for (size_t k = begin; k < end; k++) {
        if (h->parts[k].kind == HEADER_FUNCTION)
            print_prototype(h->parts[k].text);
        else if (!is_generated(&h->parts[k]))
            print_code(h->parts[k].text, heads && k == begin);
        if (k + 1 < end && k == begin)
            puts(".PD 0"); /* no gaps between them */
    }
    if (end > begin + 1)
        puts(".PD");
    if (comment && end > begin)
        puts(".RS 4");
    if (comment && (!heads || end > begin))
        roff_paragraph();
    if (comment)
        print_comment(comment);
    if (comment && end > begin)
        puts(".RE");
    return end > i ? end : i + 1;
}

/* ---- the page ------------------------------------------------------------------------------------------------ */

/* "okra/filter.h", as it is included. */
static const char *included_as(const char *path)
{
    const char *found = strstr(path, "/okra/");
    for (const char *next = found; next; next = strstr(next + 1, "/okra/"))
        found = next;
    return found ? found + 1 : path;
}

static bool is_umbrella(const char *path) { return strcmp(included_as(path), "okra/okra.h") == 0; }

static void print_chapter(char *title)
{
    title[0] = (char)toupper((unsigned char)title[0]);
    roff_subsection(title);
}

static void print_header(const header *h, const char *path)
{
    size_t i = 0;
    if (!is_umbrella(path))
        roff_section(included_as(path));
    while (i < h->n) {
        if (h->parts[i].kind == HEADER_CHAPTER)
            print_chapter(h->parts[i++].text);
        else
            i = print_group(h, i);
    }
}

/* libokra has its umbrella; a header of another library begins with its name. */
static bool is_door(const char *path)
{
    header h;
    bool door = header_read(&h, path) && h.n && strncmp(h.parts[0].text, "libokra-", 8) == 0;
    header_free(&h);
    return door || is_umbrella(path);
}

static void print_synopsis(const char *const *headers)
{
    roff_section("SYNOPSIS");
    puts(".nf");
    for (; *headers; headers++)
        if (is_door(*headers)) {
            fputs("\\fB#include <", stdout);
            roff_plain(included_as(*headers));
            puts(">\\fR");
        }
    puts(".fi");
    roff_paragraph();
    puts("Link with \\fB\\-lokra \\-lm\\fR, and before them with \\fB\\-lokra\\-io\\fR (files) "
         "or\n\\fB\\-lokra\\-lab\\fR (signals, theory, networks) if they are used.");
}

static void print_errors(void)
{
    roff_section("ERRORS");
    roff_prose("Calls that can fail return one of these; okra_strerror() gives the text:", NULL);
#define PRINT_STATUS(name, value, text) roff_item(#name, #value), roff_prose(text, NULL);
    OKRA_STATUS_LIST(PRINT_STATUS)
#undef PRINT_STATUS
}

bool manual_library(const char *const *headers, const char *date)
{
    roff_begin("okra", 3, date, "Library Functions");
    roff_section("NAME");
    puts("okra, libokra, libokra\\-io, libokra\\-lab \\- online kernel regression and adaptation");
    print_synopsis(headers);
    roff_section("DESCRIPTION");
    for (; *headers; headers++) {
        header h;
        bool there = header_read(&h, *headers);
        if (there)
            print_header(&h, *headers);
        header_free(&h);
        if (!there)
            return false;
    }
    print_errors();
    roff_section("SEE ALSO");
    puts(".BR okra (1),\n.BR okra\\-mpi (1)");
    return true;
}

bool manual_functions(const char *const *headers)
{
    bool there = true;
    for (; *headers && there; headers++) {
        header h;
        there = header_read(&h, *headers);
        for (size_t i = 0; i < h.n; i++)
            if (h.parts[i].kind == HEADER_FUNCTION) {
                size_t n;
                const char *name = function_name(h.parts[i].text, &n);
                printf("%.*s\n", (int)n, name);
            }
        header_free(&h);
    }
    return there;
}
