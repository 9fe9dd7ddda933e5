/*
 * Chooses the columns of an input: those that the options name, those that the model file names, or both if they agree.
 */
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "../common/message.h"

/* ---- what the options say ------------------------------------------------------------------------------------- */

static const char *const said[N_PARTS] = {"--target", "--weight", "--inputs", "--without", "--keep"};

typedef struct request {
    column_list lists[N_PARTS];
    column_request columns;
} request;

/* Of a pair of files, --target names the second, whose channels come last. */
static int request_mic(request *r, const okra_table *table)
{
    r->columns.lists[TARGET] = &r->lists[TARGET];
    for (size_t c = 0; c < okra_table_get(table)->columns; c++) {
        const char *name = okra_table_column_name(table, c);
        if (strncmp(name, "mic", 3) == 0 && !column_list_add(&r->lists[TARGET], name, false))
            return message_fail(EXIT_IO, "out of memory");
    }
    return EXIT_DONE;
}

static int read_request(request *r, const input *in)
{
    *r = (request){0};
    int paired = in->set->mic ? request_mic(r, in->table) : EXIT_DONE;
    if (paired)
        return paired;
    for (part p = 0; p < N_PARTS; p++) {
        const char *text = p == TARGET && in->set->mic ? NULL : in->set->parts[p];
        r->columns.said[p] = said[p];
        if (!text)
            continue;
        r->columns.lists[p] = &r->lists[p];
        int status = column_list_split(&r->lists[p], text, said[p]);
        if (status)
            return status;
    }
    return EXIT_DONE;
}

static void free_request(request *r)
{
    for (part p = 0; p < N_PARTS; p++)
        column_list_free(&r->lists[p]);
}

/* ---- what the model says -------------------------------------------------------------------------------------- */

static int refuse_column(const input *in, const char *option, size_t is)
{
    char label[COLUMN_LABEL];
    return message_fail(EXIT_USAGE, "%s: the model in %s has %s here: leave %s out", option, in->resume->path,
                        is == NO_COLUMN ? "none" : column_label(in->table, is, label), option);
}

static int compare_list(const input *in, const char *option, size_t n, const size_t *given, size_t m, const size_t *is)
{
    for (size_t i = 0; i < n || i < m; i++)
        if (i >= n || i >= m || given[i] != is[i])
            return refuse_column(in, option, i < m ? is[i] : NO_COLUMN);
    return EXIT_DONE;
}

/* Options may repeat the model's columns. */
static int compare_columns(const input *in, const column_request *asked, const columns *given)
{
    const columns *is = &in->columns;
    int status = EXIT_DONE;
    if (asked->lists[TARGET])
        status = compare_list(in, said[TARGET], given->n_targets, given->targets, is->n_targets, is->targets);
    if (!status && (asked->lists[INPUT] || asked->lists[LEFT_OUT]))
        status = compare_list(in, said[asked->lists[INPUT] ? INPUT : LEFT_OUT], given->n_inputs, given->inputs,
                              is->n_inputs, is->inputs);
    if (!status && asked->lists[WEIGHT] && given->weight != is->weight)
        status = refuse_column(in, said[WEIGHT], is->weight);
    return status;
}

/* Kept columns are no part of a model. */
static column_request request_of_model(const input *in, const resume_columns *lists, const request *r,
                                       const char *names)
{
    const okra_spec *spec = okra_get_spec(in->resume->model);
    column_request wanted = {.no_inputs = spec->inputs == 0,
                             .targets_may_miss = !in->learns && spec->target_lags == 0,
                             .said = {names, names, names, names, said[KEPT]}};
    wanted.lists[TARGET] = &lists->targets;
    wanted.lists[INPUT] = spec->inputs > 0 ? &lists->inputs : NULL;
    wanted.lists[WEIGHT] = in->learns && lists->weight.n > 0 ? &lists->weight : NULL;
    wanted.lists[KEPT] = r->columns.lists[KEPT];
    wanted.kept_as_text = r->columns.kept_as_text;
    return wanted;
}

static int choose_recorded(input *in, const resume_columns *lists, const request *r)
{
    columns given = {0};
    bool asked =
        r->columns.lists[TARGET] || r->columns.lists[INPUT] || r->columns.lists[WEIGHT] || r->columns.lists[LEFT_OUT];
    column_request wanted = request_of_model(in, lists, r, in->resume->path);
    int status = asked ? columns_choose(&given, in->table, &r->columns) : EXIT_DONE;
    if (!status)
        status = columns_choose(&in->columns, in->table, &wanted);
    if (!status && asked)
        status = compare_columns(in, &r->columns, &given);
    columns_free(&given);
    return status;
}

/* A model made by a program says how many columns it takes, but not which. */
static int choose_for_model(input *in, request *r)
{
    const okra_spec *spec = okra_get_spec(in->resume->model);
    r->columns.no_inputs = spec->inputs == 0;
    int status = columns_choose(&in->columns, in->table, &r->columns);
    if (!status && (in->columns.n_inputs != spec->inputs || in->columns.n_targets != spec->outputs))
        status = message_fail(EXIT_USAGE,
                              "%s: the model has %zu inputs and %zu targets, but %s has %zu and %zu: choose them with "
                              "--inputs and --target",
                              in->resume->path, spec->inputs, spec->outputs, okra_table_get(in->table)->path,
                              in->columns.n_inputs, in->columns.n_targets);
    return status;
}

/* A file of numbers cannot hold text. */
static bool is_text_output(const char *path)
{
    const okra_format *format = path ? okra_format_of(path) : NULL;
    return !format || format->text;
}

static void note_unnamed(const input *in)
{
    bool named = okra_table_column_name(in->table, 0);
    message_note("%s has %s header, but the rows that %s learnt had %s: columns are matched by number",
                 okra_table_get(in->table)->path, named ? "a" : "no", in->resume->path, named ? "none" : "one");
}

int input_choose_columns(input *in)
{
    request r;
    resume_columns lists = {0};
    int status = read_request(&r, in);
    r.columns.kept_as_text = okra_table_get(in->table)->format->text && is_text_output(in->set->out);
    if (!status && in->resume->model)
        status = resume_read_columns(in->resume, in->table, &lists);
    if (!status && lists.has && lists.unnamed && !in->set->quiet)
        note_unnamed(in);
    if (!status && lists.has)
        status = choose_recorded(in, &lists, &r);
    else if (!status && in->resume->model)
        status = choose_for_model(in, &r);
    else if (!status)
        status = columns_choose(&in->columns, in->table, &r.columns);
    resume_columns_free(&lists);
    free_request(&r);
    return status;
}
