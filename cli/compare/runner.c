/*
 * One learner's way through the rows.
 */
#include "runner.h"

#include <math.h>
#include <stdlib.h>

enum { RUNNER_ROWS = 256 }; /* at a time */

okra_status runner_start(runner *e, const okra_spec *spec, const okra_filter *model)
{
    okra_filter *twin = NULL;
    *e = (runner){0};
    e->status = model ? okra_clone(model, &twin) : learner_start(&e->learner, spec);
    if (twin)
        learner_adopt(&e->learner, twin);
    e->yhat = calloc(RUNNER_ROWS * spec->outputs, sizeof *e->yhat);
    if (!e->status && !e->yhat)
        e->status = OKRA_E_MEMORY;
    return e->status;
}

void runner_free(runner *e)
{
    learner_free(&e->learner);
    free(e->yhat);
    e->yhat = NULL;
}

/* How many of rows [first, last) are good, up to the first that is not, or to a block. */
static size_t good_rows(const block *b, size_t first, size_t last)
{
    size_t n = 0;
    while (n < RUNNER_ROWS && first + n < last && b->weight[first + n] >= 0)
        n++;
    return n;
}

/* A run of good rows, or one that was skipped: their predictions. Returns how many there were. */
static size_t take_rows(runner *e, const row_table *s, size_t first, size_t last)
{
    const block *b = &s->rows;
    size_t n = good_rows(b, first, last), done = 0;
    bool skipped = n == 0, weighed = s->from->columns.weight != NO_COLUMN;
    if (!e->status && skipped)
        e->status = okra_skip(e->learner.model);
    else if (!e->status)
        e->status = learner_run(&e->learner, n, b->u + first * s->inputs, b->y + first * s->targets,
                                weighed ? b->weight + first : NULL, e->yhat, NULL, &done);
    n += skipped;
    e->rows += skipped && !e->status ? 1 : done;
    for (size_t i = done * s->targets; i < n * s->targets; i++)
        e->yhat[i] = (double)NAN;
    return n;
}

void runner_go(runner *e, const row_table *s, size_t first, size_t last, double *errors)
{
    for (size_t i = first, n; i < last; i += n) {
        n = take_rows(e, s, i, last);
        for (size_t k = 0; k < n && errors; k++)
            learner_error(&e->learner, s->rows.y + (i + k) * s->targets, e->yhat + k * s->targets,
                          errors + (i + k - first) * s->targets);
    }
}

/* A row is scored if each of its targets is present and was predicted. */
static bool counts(const double *errors, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (isnan(errors[j]))
            return false;
    return true;
}

void runner_score(const row_table *s, size_t first, size_t last, const double *errors, score *to)
{
    for (size_t i = first; i < last; i++, errors += s->targets)
        if (counts(errors, s->targets))
            score_add(to, s->rows.y + i * s->targets, errors, NULL, NULL);
}
