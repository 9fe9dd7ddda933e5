/*
 * Runners take turns on a chunk of rows, so that a slow moment of the machine slows all of them. The first one rotates,
 * because it finds the rows out of the cache. Only learning is timed, in processor time.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "compare.h"
#include "../common/refusal.h"
#include "../common/message.h"

enum { CHUNK = 256 }; /* long enough that coming back to cold caches does not show */

static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- a chunk ------------------------------------------------------------------------------------------------- */

/* What a row's errors come to, over the targets; NaN if one is missing. */
static double square(const double *errors, size_t targets)
{
    double sum = 0;
    for (size_t j = 0; j < targets; j++)
        sum += errors[j] * errors[j];
    return sum / (double)targets;
}

static void add_to_curve(compared *k, const row_table *s, const double *errors, double before)
{
    double each = (k->seconds - before) / (double)s->rows.n;
    for (size_t i = 0; i < s->rows.n; i++)
        curve_add(&k->curve, square(errors + i * s->targets, s->targets), before + each * (double)(i + 1));
}

static void take_chunk(compared *k, const row_table *s, double *errors)
{
    double before = k->seconds, started = cpu_clock();
    runner_go(&k->runner, s, 0, s->rows.n, errors);
    k->seconds += cpu_clock() - started;
    add_to_curve(k, s, errors, before);
    uint64_t from = s->from->score_from;
    size_t first = from <= s->before ? 0 : from - s->before < s->rows.n ? (size_t)(from - s->before) : s->rows.n;
    runner_score(s, first, s->rows.n, errors + first * s->targets, &k->score);
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

static int start(comparison *c, const recipe_list *recipes)
{
    c->runners = calloc(recipes->n, sizeof *c->runners);
    if (!c->runners)
        return message_fail(EXIT_IO, "out of memory");
    for (; c->n < recipes->n; c->n++) {
        compared *k = &c->runners[c->n];
        k->entry = &recipes->entries[c->n];
        okra_status status = runner_start(&k->runner, &k->entry->spec, k->entry->resume.model);
        if (!status && !score_start(&k->score, c->rows->targets, 0))
            status = OKRA_E_MEMORY;
        if (status) {
            c->n++; /* what it has is to be freed */
            return refuse_model(&k->entry->spec, status);
        }
    }
    return EXIT_DONE;
}

static int take_rows(comparison *c, uint64_t max_rows, double *errors, progress_bar *bar)
{
    row_table *s = c->rows;
    int status = EXIT_DONE;
    for (size_t turn = 0; !status && s->rows.state == BLOCK_GOOD && s->before + s->rows.n < max_rows; turn++) {
        uint64_t left = max_rows - s->before - s->rows.n;
        status = row_table_fill(s, left < CHUNK ? (size_t)left : CHUNK);
        for (size_t k = 0; k < c->n && !status && s->rows.n > 0; k++)
            take_chunk(&c->runners[(turn + k) % c->n], s, errors);
        progress_bar_show(bar, s->before + s->rows.n, okra_table_progress(s->from->table));
    }
    if (!status && s->before + s->rows.n == 0)
        status = message_fail(EXIT_IO, "%s: no rows to compare on", okra_table_get(s->from->table)->path);
    return status;
}

int compare_run(comparison *c, const recipe_list *recipes, row_table *rows, uint64_t max_rows, bool quiet)
{
    *c = (comparison){.rows = rows};
    double *errors = calloc(CHUNK * rows->targets, sizeof *errors);
    progress_bar bar = progress_bar_start(!quiet);
    int status = errors ? start(c, recipes) : message_fail(EXIT_IO, "out of memory");
    if (!status)
        status = take_rows(c, max_rows, errors, &bar);
    progress_bar_end(&bar);
    free(errors);
    return status;
}

void compare_free(comparison *c)
{
    for (size_t k = 0; k < c->n; k++) {
        runner_free(&c->runners[k].runner);
        score_free(&c->runners[k].score);
    }
    free(c->runners);
    *c = (comparison){0};
}

char compare_mark(size_t k) { return (char)('a' + k); }

/* All have the same rows, except those that stopped early, so the longest score is used. */
double compare_variance(const comparison *c)
{
    const score *longest = &c->runners[0].score;
    for (size_t k = 1; k < c->n; k++)
        if (c->runners[k].score.rows > longest->rows)
            longest = &c->runners[k].score;
    double nmse = score_value(longest, "nmse"), mse = score_value(longest, "mse");
    return nmse > 0 ? mse / nmse : 1;
}
