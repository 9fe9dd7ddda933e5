/*
 * Contenders take turns on a chunk of rows, so that whatever slows the machine down for a while slows all of them; who
 * goes first changes, because the first finds the rows out of the cache. Only learning is timed, in processor time.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "compare.h"
#include "../common/refusal.h"
#include "../common/talk.h"

enum { CHUNK = 256 }; /* long enough that coming back to cold caches does not show */

static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- a chunk ------------------------------------------------------------------------------------------------- */

/* What a row's errors come to, over the targets; NaN where one is missing. */
static double square(const double *errors, size_t targets)
{
    double sum = 0;
    for (size_t j = 0; j < targets; j++)
        sum += errors[j] * errors[j];
    return sum / (double)targets;
}

static void add_to_curve(contender *k, const stock *s, const double *errors, double before)
{
    double each = (k->seconds - before) / (double)s->rows.n;
    for (size_t i = 0; i < s->rows.n; i++)
        curve_add(&k->curve, square(errors + i * s->targets, s->targets), before + each * (double)(i + 1));
}

static void take_chunk(contender *k, const stock *s, double *errors)
{
    double before = k->seconds, started = cpu_clock();
    entrant_go(&k->entrant, s, 0, s->rows.n, errors);
    k->seconds += cpu_clock() - started;
    add_to_curve(k, s, errors, before);
    uint64_t from = s->from->score_from;
    size_t first = from <= s->before ? 0 : from - s->before < s->rows.n ? (size_t)(from - s->before) : s->rows.n;
    entrant_score(s, first, s->rows.n, errors + first * s->targets, &k->score);
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

static int start(comparison *c, const roster *recipes)
{
    c->contenders = calloc(recipes->n, sizeof *c->contenders);
    if (!c->contenders)
        return talk_fail(EXIT_IO, "out of memory");
    for (; c->n < recipes->n; c->n++) {
        contender *k = &c->contenders[c->n];
        k->entry = &recipes->entries[c->n];
        okra_status status = entrant_start(&k->entrant, &k->entry->spec, k->entry->saved.model);
        if (!status && !score_start(&k->score, c->rows->targets, 0))
            status = OKRA_E_MEMORY;
        if (status) {
            c->n++; /* what it has is to be freed */
            return refuse_model(&k->entry->spec, status);
        }
    }
    return EXIT_DONE;
}

static int take_rows(comparison *c, uint64_t most, double *errors, progress *bar)
{
    stock *s = c->rows;
    int status = EXIT_DONE;
    for (size_t turn = 0; !status && s->rows.state == BLOCK_GOOD && s->before + s->rows.n < most; turn++) {
        uint64_t left = most - s->before - s->rows.n;
        status = stock_fill(s, left < CHUNK ? (size_t)left : CHUNK);
        for (size_t k = 0; k < c->n && !status && s->rows.n > 0; k++)
            take_chunk(&c->contenders[(turn + k) % c->n], s, errors);
        progress_show(bar, s->before + s->rows.n, okra_table_progress(s->from->table));
    }
    if (!status && s->before + s->rows.n == 0)
        status = talk_fail(EXIT_IO, "%s: there are no rows to compare on", okra_table_get(s->from->table)->path);
    return status;
}

int compare_run(comparison *c, const roster *recipes, stock *rows, uint64_t most, bool quiet)
{
    *c = (comparison){.rows = rows};
    double *errors = calloc(CHUNK * rows->targets, sizeof *errors);
    progress bar = progress_start(!quiet);
    int status = errors ? start(c, recipes) : talk_fail(EXIT_IO, "out of memory");
    if (!status)
        status = take_rows(c, most, errors, &bar);
    progress_end(&bar);
    free(errors);
    return status;
}

void compare_free(comparison *c)
{
    for (size_t k = 0; k < c->n; k++) {
        entrant_free(&c->contenders[k].entrant);
        score_free(&c->contenders[k].score);
    }
    free(c->contenders);
    *c = (comparison){0};
}

char compare_mark(size_t k) { return (char)('a' + k); }

/* The same rows for all of them, but for those that stopped on the way: the longest score knows best. */
double compare_variance(const comparison *c)
{
    const score *longest = &c->contenders[0].score;
    for (size_t k = 1; k < c->n; k++)
        if (c->contenders[k].score.rows > longest->rows)
            longest = &c->contenders[k].score;
    double nmse = score_value(longest, "nmse"), mse = score_value(longest, "mse");
    return nmse > 0 ? mse / nmse : 1;
}
