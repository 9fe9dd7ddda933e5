/*
 * The result of tuning: a command line to paste, the errors of the default and of the winner, and the finalists.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/json_file.h"
#include "../common/params.h"
#include "../common/message.h"
#include "../common/text.h"
#include "tune.h"

/* ---- as a command line --------------------------------------------------------------------------------------- */

/* Options of the stream, printed as they were given. */
static const char *const handed_on[] = {"in",     "target", "inputs",  "without", "weight",
                                        "format", "header", "columns", "missing", "bad-rows"};

/* Recipe, and every parameter that is not as the recipe has it. */
static void print_model(FILE *out, const okra_spec *spec)
{
    okra_spec plain;
    const okra_recipe *recipe = okra_recipe_find(spec->recipe);
    okra_spec_init(&plain, recipe->name, spec->inputs, 1);
    print_pasted_option(out, "recipe", recipe->name);
    for (size_t i = 0; i < recipe->n_params; i++) {
        const char *name = recipe->params[i].param->name;
        char value[OKRA_VALUE_TEXT], usual[OKRA_VALUE_TEXT];
        if (!okra_spec_get(spec, name, value, sizeof value) && !okra_spec_get(&plain, name, usual, sizeof usual) &&
            strcmp(value, usual) != 0)
            print_pasted_option(out, name, value);
    }
}

static void print_command(FILE *out, const candidate *c, const arguments *options)
{
    fputs("okra run", out);
    print_model(out, &c->spec);
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++) {
        const char *value = arguments_value(options, handed_on[i]);
        if (value)
            print_pasted_option(out, handed_on[i], value);
    }
    if (options->operand)
        print_pasted_file(out, options->operand);
}

int tune_print(const tuning *t, const arguments *options)
{
    print_command(stdout, t->winner, options);
    putchar('\n');
    return EXIT_DONE;
}

typedef struct command {
    const candidate *c;
    const arguments *options; /* NULL: of the model only */
} command;

static void print_either(FILE *out, const void *with)
{
    const command *of = with;
    if (of->options)
        print_command(out, of->c, of->options);
    else
        print_model(out, &of->c->spec);
}

/* To be freed; NULL if there is no memory, which is noted. */
static char *text_of(const tuning *t, const candidate *c, const arguments *options)
{
    char *text = printed_text(print_either, &(command){c, options});
    if (!text)
        atomic_store(t->lacks_memory, true);
    return text;
}

/* ---- finalists ----------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const candidate *x = *(const candidate *const *)a, *y = *(const candidate *const *)b;
    int by_error = (x->late > y->late) - (x->late < y->late);
    return by_error ? by_error : (x > y) - (x < y);
}

/* Those that went through all rows, the best first; to be freed. NULL if there is no memory, which is noted. */
static const candidate **finalists(const tuning *t, size_t *n)
{
    const candidate **list = calloc(t->n, sizeof *list);
    *n = 0;
    for (size_t i = 0; list && i < t->n; i++)
        if (!t->candidates[i].out)
            list[(*n)++] = &t->candidates[i];
    if (list)
        qsort(list, *n, sizeof *list, compare);
    else
        atomic_store(t->lacks_memory, true);
    return list;
}

/* ---- as text ------------------------------------------------------------------------------------------------- */

static void print_candidate(const tuning *t, const candidate *c)
{
    char *text = text_of(t, c, NULL);
    fprintf(stderr, "%-12.6g %-12.6g%s%s%s\n", tune_nmse(t, c, 0, c->rows), c->late, text ? text : " out of memory",
            c->is_default ? "  (default)" : "", c == t->winner ? "  (winner)" : "");
    free(text);
}

void tune_note(const tuning *t)
{
    enum { SHOWN = 8 };
    size_t n;
    const candidate **list = finalists(t, &n);
    message_clear();
    fprintf(stderr, "%zu candidates, %zu rows; chosen by the error after row %zu\n%-12s %-12s options\n", t->n,
            t->rows->rows.n, tune_late(t->rows->rows.n), "nmse", "nmse_late");
    for (size_t i = 0; list && i < n; i++)
        if (i < SHOWN || list[i] == t->plain || list[i] == t->winner)
            print_candidate(t, list[i]);
    free(list);
    if (t->winner == t->plain)
        message_note("no candidate is clearly better than the default");
}

/* ---- as JSON ------------------------------------------------------------------------------------------------- */

static void describe(okra_json_writer *w, const char *key, const tuning *t, const candidate *c,
                     const arguments *options)
{
    char *text = text_of(t, c, options);
    okra_json_open(w, key, '{');
    okra_json_put_text(w, "command", text ? text : "");
    okra_json_put_real(w, "nmse", tune_nmse(t, c, 0, c->rows));
    okra_json_put_real(w, "nmse_late", c->late);
    okra_json_put_bool(w, "default", c->is_default);
    okra_json_close(w);
    free(text);
}

static void make(okra_json_writer *w, const tuning *t, const arguments *options)
{
    size_t n;
    const candidate **list = finalists(t, &n);
    okra_json_open(w, NULL, '{');
    okra_json_put_count(w, "rows", t->rows->rows.n);
    okra_json_put_count(w, "late_from", tune_late(t->rows->rows.n));
    okra_json_put_count(w, "candidates", t->n);
    describe(w, "winner", t, t->winner, options);
    if (t->plain)
        describe(w, "default", t, t->plain, options);
    else
        okra_json_put_null(w, "default");
    okra_json_open(w, "finalists", '[');
    for (size_t i = 0; list && i < n; i++)
        describe(w, NULL, t, list[i], options);
    okra_json_close(w), okra_json_close(w);
    free(list);
}

int tune_write(const tuning *t, const arguments *options, output *out)
{
    okra_json_writer made = {.indent = 2};
    make(&made, t, options);
    made.out.lacks_memory |= atomic_load(t->lacks_memory);
    return json_file_write(out, &made);
}
