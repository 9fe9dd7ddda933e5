/*
 * okra paper: the paper's figures and tables, reproduced.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/model_file.h>

#include "commands.h"
#include "draw/figure.h"
#include "common/json_file.h"
#include "lab/paper.h"
#include "common/signals.h"
#include "common/text.h"

/* ---- what there is ------------------------------------------------------------------------------------------ */

static const char *const tables[] = {"table1", "krls-time"};

const char *paper_figure_at(size_t i)
{
    const paper_experiment *e = paper_experiment_at(i);
    return e ? e->name : NULL;
}

/* Figures, tables, all. */
static const char *paper_word_at(size_t i)
{
    size_t figures = 0, n_tables = sizeof tables / sizeof *tables;
    while (paper_figure_at(figures))
        figures++;
    if (i < figures)
        return paper_figure_at(i);
    return i < figures + n_tables ? tables[i - figures] : i == figures + n_tables ? "all" : NULL;
}

static int check_name(const char *what)
{
    char hint[HINT_TEXT];
    const char *word;
    nearest search = nearest_to(what);
    for (size_t i = 0; (word = paper_word_at(i)); i++) {
        if (strcmp(what, word) == 0)
            return EXIT_DONE;
        nearest_offer(&search, word);
    }
    return message_fail(EXIT_USAGE, "the paper has no '%s': %s", what,
                        nearest_hint(&search, "", "'okra help paper' lists them", hint));
}

static int check_names(const arguments *options)
{
    int status = EXIT_DONE;
    if (options->n_operands == 0)
        return message_fail(EXIT_USAGE,
                            "name what to reproduce: fig1, fig2a, fig2b, fig3a, fig3b, table1, krls-time or all");
    for (size_t i = 0; i < options->n_operands && !status; i++)
        status = check_name(options->operands[i]);
    return status;
}

static int take_request(const arguments *options, paper_request *request)
{
    int status = arguments_read(options, request);
    if (status)
        return status;
    return request->share.rank == 0 ? figure_make_directory(request->directory) : EXIT_DONE;
}

/* ---- doing it ----------------------------------------------------------------------------------------------- */

static int do_figure(const paper_experiment *e, const paper_request *request, okra_json_writer *summary)
{
    paper_outcome outcomes[PAPER_CURVES];
    size_t runs = 0;
    int status = paper_run(e, request, outcomes, &runs);
    if (status)
        return status;
    if (request->share.rank > 0) {
        paper_free(e, outcomes);
        return EXIT_DONE;
    }
    status = paper_draw(e, request, outcomes, runs);
    okra_json_open(summary, e->name, '{');
    paper_summary(summary, e, outcomes, runs);
    okra_json_close(summary);
    for (size_t k = 0; k < e->n_curves; k++) {
        printf("%-6s %-24s floor %7.2f dB", e->name, e->curves[k].title, paper_floor_db(&outcomes[k], runs));
        if (outcomes[k].result.centres > 0)
            printf("   dictionary %.1f", outcomes[k].result.centres);
        putchar('\n');
    }
    fflush(stdout);
    paper_free(e, outcomes);
    return status;
}

static int do_table(const char *name, const paper_request *request, okra_json_writer *summary)
{
    okra_json_writer before = *summary;
    okra_json_open(summary, name, '{');
    int status = paper_times(summary, request, strcmp(name, "krls-time") == 0);
    okra_json_close(summary);
    if (status) /* half a table is none */
        summary->out.length = before.out.length, summary->filled = before.filled;
    return status;
}

static bool means(const char *what, const char *name) { return strcmp(what, "all") == 0 || strcmp(what, name) == 0; }

/* Whether the word at `at` is the first that means `name`. */
static bool wanted(const arguments *options, size_t at, const char *name)
{
    bool before = false;
    for (size_t i = 0; i < at; i++)
        before = before || means(options->operands[i], name);
    return !before && means(options->operands[at], name);
}

static int do_word(const arguments *options, size_t at, const paper_request *request, okra_json_writer *summary)
{
    const paper_experiment *e;
    int status = EXIT_DONE;
    for (size_t i = 0; (e = paper_experiment_at(i)) && !status; i++)
        if (wanted(options, at, e->name))
            status = do_figure(e, request, summary);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        if (wanted(options, at, tables[i]))
            status = do_table(tables[i], request, summary);
    return status;
}

static int do_all(const arguments *options, const paper_request *request, okra_json_writer *summary)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < options->n_operands && !status; i++)
        status = do_word(options, i, request, summary);
    return status;
}

/* ---- the summary -------------------------------------------------------------------------------------------- */

/* Members of objects, each as its JSON stands in a text. */
enum { MAX_MEMBERS = 64 };

typedef struct member {
    char name[64];
    const char *json;
    size_t length;
} member;

typedef struct members {
    member all[MAX_MEMBERS];
    size_t n;
} members;

/* The member of that name, or a new one; NULL if it is none of ours. */
static member *find_member(members *m, const char *name)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->all[i].name, name) == 0)
            return &m->all[i];
    if (m->n == MAX_MEMBERS || strlen(name) >= sizeof m->all->name)
        return NULL;
    snprintf(m->all[m->n].name, sizeof m->all->name, "%s", name);
    return &m->all[m->n++];
}

/* Adds the members of an object; those that were there before get their new values. False if it is no object. */
static bool add_members(members *m, const char *text)
{
    okra_json_reader reader;
    json_file_read(&reader, text);
    bool object = okra_json_next(&reader) == OKRA_JSON_OBJECT;
    while (object && okra_json_next(&reader) == OKRA_JSON_KEY) {
        member *found = find_member(m, reader.text);
        const char *begin = text + reader.offset;
        begin += strspn(begin, ": \t\r\n");
        okra_json_skip(&reader, okra_json_next(&reader)); /* the next call reports an error again */
        if (found)
            found->json = begin, found->length = (size_t)(text + reader.offset - begin);
    }
    bool whole = object && okra_json_next(&reader) == OKRA_JSON_END;
    okra_json_stop(&reader);
    return whole;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const member *)a)->name, ((const member *)b)->name);
}

/* What was there, and what is new, by name; to be freed. NULL if there is no memory. */
static char *join(const char *old, const char *fresh)
{
    members m = {0};
    okra_json_writer w = {.indent = 2};
    if (!old || !add_members(&m, old))
        m.n = 0;
    if (!add_members(&m, fresh))
        return NULL;
    qsort(m.all, m.n, sizeof *m.all, by_name);
    okra_json_open(&w, NULL, '{');
    for (size_t i = 0; i < m.n; i++)
        okra_json_put_json(&w, m.all[i].name, m.all[i].json, m.all[i].length);
    okra_json_close(&w);
    return okra_text_take(&w.out);
}

/* A file as text; NULL if it cannot be read. */
static char *read_text(const char *path)
{
    unsigned char *bytes;
    size_t size;
    if (okra_file_load(path, &bytes, &size, NULL))
        return NULL;
    char *text = strndup((const char *)bytes, size);
    free(bytes);
    return text;
}

/* DIR/summary.json keeps what earlier calls wrote of other figures. */
static int write_summary(const paper_request *request, okra_json_writer *made)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/summary.json", request->directory);
    char *fresh = okra_text_take(&made->out), *old = read_text(path), *text = fresh ? join(old, fresh) : NULL;
    okra_status status = text ? okra_file_save(path, text, strlen(text), NULL) : OKRA_E_MEMORY;
    free(fresh), free(old), free(text);
    if (status == OKRA_E_MEMORY)
        return message_fail(EXIT_IO, "'%s': out of memory", path);
    return status ? message_fail(EXIT_IO, "'%s' cannot be written: name another --out DIR", path) : EXIT_DONE;
}

int paper_command_run(const arguments *options, const paper_share *share)
{
    paper_request request = {.share = *share};
    bool alone = share->ranks < 2;
    int status = check_names(options);
    if (!status)
        status = take_request(options, &request);
    if (share->agree)
        status = share->agree(status);
    if (status)
        return status;
    okra_json_writer summary = {.indent = 2};
    okra_json_open(&summary, NULL, '{');
    if (alone)
        signals_watch(NULL);
    status = do_all(options, &request, &summary);
    bool any = summary.filled;
    okra_json_close(&summary);
    int written = any ? write_summary(&request, &summary) : EXIT_DONE;
    status = status ? status : written;
    free(summary.out.bytes);
    if (!status && share->rank == 0) {
        fputs("in ", stdout);
        print_plain(stdout, request.directory);
        puts("/");
    }
    if (alone) {
        signals_unwatch();
        signals_die();
    }
    return status;
}

static int cmd_paper(const arguments *options) { return paper_command_run(options, &(paper_share){0}); }

const cli_option paper_options[] = {
    {"runs", "N", "realisations", TO_COUNT(paper_request, runs, 1, 1000000000),
     .absent = "as in the paper: 100 or 1000"},
    {"seed", "S", "of data and features", TO_COUNT(paper_request, seed, 0, UINT64_MAX), .fallback = "1"},
    {"threads", "T", "threads; the results do not depend on it", TO_COUNT(paper_request, threads, 1, 1024),
     .absent = "all cores"},
    {"out", "DIR", "where the files go", TO_TEXT(paper_request, directory), .fallback = "paper"},
    {"quiet", NULL, "no progress bar", TO_FLAG(paper_request, quiet)},
    HELP_OPTION,
};

const cli_command paper_command = {
    .name = "paper",
    .operand = "WHAT..",
    .many_operands = true,
    .operand_at = paper_word_at,
    .help = "reproduce the paper's figures and tables",
    .more = "WHAT is fig1, fig2a, fig2b, fig3a, fig3b, table1, krls-time or all. Several are done in the order given. "
            "Writes DIR/WHAT.csv (n, then the mean squared error of each curve), WHAT.gp, WHAT.png and WHAT.svg, and "
            "DIR/summary.json with error floors, dictionary sizes and times, next to those in the paper.",
    .examples = "  okra paper fig2a fig3a --runs 10 --out figures\n",
    .options = paper_options,
    .run = cmd_paper,
};
