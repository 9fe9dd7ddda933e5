#include "relevance.h"

#include <stdlib.h>
#include <string.h>

#include "../common/json_file.h"
#include "../common/message.h"
#include "../common/output.h"
#include "../common/params.h"
#include "../common/text.h"

int relevance_settle(const okra_spec *spec)
{
    char able[256] = "";
    size_t used = 0;
    const okra_recipe *recipe;
    if (okra_recipe_find(spec->recipe)->relevance || spec->widths[0] == OKRA_WIDTHS_AUTO)
        return EXIT_DONE;
    for (size_t i = 0; (recipe = okra_recipe_at(i)) && used < sizeof able; i++)
        if (recipe->relevance)
            used += (size_t)snprintf(able + used, sizeof able - used, "%s%s", used ? ", " : "", recipe->name);
    bool finds = recipe_param(okra_recipe_find(spec->recipe), "widths");
    return message_fail(EXIT_USAGE, "--relevance: recipe %s does not know which inputs matter: use %s%s", spec->recipe,
                        finds ? "--widths auto, or the recipe " : "", able);
}

/* ---- in order ------------------------------------------------------------------------------------------------- */

/* An input of the map: a column, with a lag. */
typedef struct tap {
    size_t at; /* among them */
    double relevance;
} tap;

/* The taps, the most relevant first. `known` says whether the model knows them. */
typedef struct ranking {
    tap *taps;
    size_t n;
    bool known, lacks_memory;
} ranking;

static int by_relevance(const void *left, const void *right)
{
    const tap *a = left, *b = right;
    if (a->relevance != b->relevance)
        return a->relevance < b->relevance ? 1 : -1;
    return a->at < b->at ? -1 : 1;
}

/* Free its taps. */
static ranking rank(const okra_filter *model)
{
    ranking r = {0};
    okra_spec bare;
    if (okra_bare_spec(model, &bare))
        return r;
    double *relevance = calloc(bare.inputs, sizeof *relevance);
    r.taps = calloc(bare.inputs, sizeof *r.taps);
    r.lacks_memory = !relevance || !r.taps;
    r.known = !r.lacks_memory && okra_get_relevance(model, relevance) == OKRA_OK;
    r.n = r.known ? bare.inputs : 0;
    for (size_t i = 0; i < r.n; i++)
        r.taps[i] = (tap){i, relevance[i]};
    if (r.n > 0)
        qsort(r.taps, r.n, sizeof *r.taps, by_relevance);
    free(relevance);
    return r;
}

/* "hr" if there are no lags, else "hr[t]", "hr[t-3]"; a target always has one. To be freed; NULL if there is no
 * memory. */
static char *tap_name(const okra_spec *spec, size_t at, const column_names *names)
{
    okra_text text = {0};
    char number[COLUMN_NUMBER], lag[COLUMN_NUMBER] = "";
    size_t inputs = spec->inputs * spec->lags;
    bool target = at >= inputs;
    size_t column = target ? spec->inputs + (at - inputs) / spec->target_lags : at / spec->lags;
    size_t back = target ? spec->horizon + (at - inputs) % spec->target_lags : spec->lag_from + at % spec->lags;
    if (back > 0)
        snprintf(lag, sizeof lag, "[t-%zu]", back);
    else if (spec->lags > 1)
        snprintf(lag, sizeof lag, "[t]");
    okra_text_add(&text, names->name(names->of, column, number));
    okra_text_add(&text, lag);
    return okra_text_take(&text);
}

/* ---- as JSON, and as text ------------------------------------------------------------------------------------- */

static void put(okra_json_writer *w, const char *key, const okra_filter *model, const ranking *r, size_t most,
                const column_names *names)
{
    okra_json_open(w, key, '[');
    for (size_t i = 0; i < r->n && i < most; i++) {
        char *name = tap_name(okra_get_spec(model), r->taps[i].at, names);
        w->out.lacks_memory |= !name;
        okra_json_open_line(w, NULL, '{');
        okra_json_put_text(w, "input", name ? name : "");
        okra_json_put_real(w, RELEVANCE_KEY, r->taps[i].relevance);
        okra_json_close(w);
        free(name);
    }
    okra_json_close(w);
}

void relevance_put(okra_json_writer *w, const okra_filter *model, const column_names *names)
{
    ranking r = rank(model);
    w->out.lacks_memory |= r.lacks_memory;
    if (r.known)
        put(w, RELEVANCE_KEY, model, &r, RELEVANCE_SHOWN, names);
    free(r.taps);
}

static int characters(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void print_line(FILE *to, const char *name, int width, double relevance)
{
    enum { BAR = 20 };
    int left = width - characters(name);
    print_plain(to, name);
    fprintf(to, "%*s  %.2f", left > 0 ? left : 0, "", relevance);
    for (int i = 0, n = (int)(BAR * relevance + 0.5); i < n; i++)
        fputs(i > 0 ? "#" : "  #", to);
    fputc('\n', to);
}

void relevance_print(FILE *to, int column, okra_json_reader *reader)
{
    enum { WIDEST = 24 };
    char *names[RELEVANCE_SHOWN] = {NULL};
    double values[RELEVANCE_SHOWN] = {0};
    int n = 0, width = 0;
    okra_json_event event;
    while ((event = okra_json_next(reader)) != OKRA_JSON_ARRAY_END && event < OKRA_JSON_END && n < RELEVANCE_SHOWN) {
        if (event == OKRA_JSON_STRING) {
            free(names[n]);
            names[n] = strdup(reader->text);
        } else if (event == OKRA_JSON_NUMBER)
            values[n++] = strtod(reader->text, NULL);
    }
    while (event != OKRA_JSON_ARRAY_END && event < OKRA_JSON_END)
        event = okra_json_next(reader);
    for (int i = 0; i < n; i++)
        if (names[i] && characters(names[i]) > width)
            width = characters(names[i]);
    for (int i = 0; i < n; i++) {
        fprintf(to, "%*s", i > 0 ? column : 0, "");
        print_line(to, names[i] ? names[i] : "?", width < WIDEST ? width : WIDEST, values[i]);
    }
    for (int i = 0; i < RELEVANCE_SHOWN; i++)
        free(names[i]);
}

/* ---- as a file ------------------------------------------------------------------------------------------------ */

static bool ends_in_json(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".json") == 0;
}

/* A field of CSV. */
static void put_field(output *out, const char *text)
{
    bool quoted = strpbrk(text, ",;\t\"\r\n") || *text == ' ' || *text == '#';
    char piece[3] = "";
    output_text(out, quoted ? "\"" : "");
    for (; *text; text++) {
        snprintf(piece, sizeof piece, "%s%c", *text == '"' ? "\"" : "", *text);
        output_text(out, piece);
    }
    output_text(out, quoted ? "\"" : "");
}

static int write_csv(output *out, const okra_filter *model, const ranking *r, const column_names *names)
{
    output_text(out, "input,relevance");
    int status = output_row(out);
    for (size_t i = 0; !status && i < r->n; i++) {
        char *name = tap_name(okra_get_spec(model), r->taps[i].at, names);
        if (!name)
            return message_fail(EXIT_IO, "%s: out of memory", out->name);
        put_field(out, name);
        free(name);
        output_text(out, ",");
        output_real(out, r->taps[i].relevance);
        status = output_row(out);
    }
    return status;
}

static int write_json(output *out, const okra_filter *model, const ranking *r, const column_names *names)
{
    okra_json_writer w = {.indent = 2};
    put(&w, NULL, model, r, SIZE_MAX, names);
    return json_file_write(out, &w);
}

int relevance_write(const char *path, const okra_filter *model, const column_names *names)
{
    output out;
    ranking r = rank(model);
    int status = r.lacks_memory ? message_fail(EXIT_IO, "%s: out of memory", path) : output_open(&out, path);
    if (!status) {
        status = (ends_in_json(path) ? write_json : write_csv)(&out, model, &r, names);
        int closed = output_close(&out);
        status = status ? status : closed;
    }
    if (!status && !r.known)
        message_note("--relevance: which inputs matter is not known yet: it takes more than 64 rows");
    free(r.taps);
    return status;
}
