/*
 * okra paper: the paper's figures and tables, reproduced.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "draw/figure.h"
#include "common/metrics.h"
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
    return talk_fail(EXIT_USAGE, "the paper has no '%s': %s", what,
                     nearest_hint(&search, "", "'okra help paper' lists them", hint));
}

static int check_names(const arguments *options)
{
    int status = EXIT_DONE;
    if (options->n_operands == 0)
        return talk_fail(EXIT_USAGE,
                         "say what to reproduce: fig1, fig2a, fig2b, fig3a, fig3b, table1, krls-time or all");
    for (size_t i = 0; i < options->n_operands && !status; i++)
        status = check_name(options->operands[i]);
    return status;
}

static int take_request(const arguments *options, paper_request *request)
{
    uint64_t runs = 0, threads = 0;
    request->seed = 1;
    int status = arguments_count(options, "runs", 1, 1000000000, &runs);
    if (!status)
        status = arguments_count(options, "seed", 0, UINT64_MAX, &request->seed);
    if (!status)
        status = arguments_count(options, "threads", 1, 1024, &threads);
    if (status)
        return status;
    request->runs = (size_t)runs;
    request->threads = (int)threads;
    request->quiet = arguments_value(options, "quiet") != NULL;
    request->directory = arguments_value(options, "out") ? arguments_value(options, "out") : "paper";
    return request->share.rank == 0 ? figure_make_directory(request->directory) : EXIT_DONE;
}

/* ---- doing it ----------------------------------------------------------------------------------------------- */

static int do_figure(const paper_experiment *e, const paper_request *request, json_t *summary)
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
    json_object_set_new(summary, e->name, paper_summary(e, outcomes, runs));
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

static int do_table(const char *name, const paper_request *request, json_t *summary)
{
    json_t *rows = paper_times(request, strcmp(name, "krls-time") == 0);
    if (!rows)
        return EXIT_IO;
    json_object_set_new(summary, name, rows);
    return EXIT_DONE;
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

static int do_word(const arguments *options, size_t at, const paper_request *request, json_t *summary)
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

static int do_all(const arguments *options, const paper_request *request, json_t *summary)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < options->n_operands && !status; i++)
        status = do_word(options, i, request, summary);
    return status;
}

/* DIR/summary.json keeps what earlier calls wrote of other figures. */
static int write_summary(const paper_request *request, json_t *fresh)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/summary.json", request->directory);
    json_t *whole = json_load_file(path, 0, NULL);
    if (!json_is_object(whole)) {
        json_decref(whole);
        whole = json_object();
    }
    json_object_update(whole, fresh);
    int failed = json_dump_file(whole, path, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(10));
    json_decref(whole);
    if (metrics_lack_memory())
        return talk_fail(EXIT_IO, "'%s': out of memory", path);
    return failed ? talk_fail(EXIT_IO, "'%s' cannot be written: name another --out DIR", path) : EXIT_DONE;
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
    json_t *summary = json_object();
    if (alone)
        signals_watch(NULL);
    status = do_all(options, &request, summary);
    if (json_object_size(summary) > 0) {
        int written = write_summary(&request, summary);
        status = status ? status : written;
    }
    json_decref(summary);
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
    {"runs", "N", "realisations (as in the paper: 100 or 1000)"},
    {"seed", "S", "of data and features (1)"},
    {"threads", "T", "threads; the results do not depend on it (all cores)"},
    {"out", "DIR", "where the files go (paper)"},
    {"quiet", NULL, "no progress bar"},
    {"help", NULL, "this text"},
    {NULL, NULL, NULL},
};

const cli_command paper_command = {
    .name = "paper",
    .operand = "WHAT..",
    .many_operands = true,
    .operand_at = paper_word_at,
    .help = "reproduce the paper's figures and tables",
    .more = "WHAT is fig1, fig2a, fig2b, fig3a, fig3b, table1, krls-time or all. Several are done in the order given. "
            "Writes DIR/WHAT.csv (n, then the mean "
            "squared error of "
            "each curve), WHAT.gp, WHAT.png and WHAT.svg, and DIR/summary.json with floors, dictionary sizes and times "
            "beside those that "
            "the paper printed.",
    .examples = "  okra paper fig2a fig3a --runs 10 --out figures\n",
    .options = paper_options,
    .run = cmd_paper,
};
