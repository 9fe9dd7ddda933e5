/*
 * One learner's way through the rows.
 */
#include "entrant.h"

#include <math.h>
#include <stdlib.h>

okra_status entrant_start(entrant *e, const okra_spec *spec)
{
    *e = (entrant){0};
    e->status = learner_start(&e->learner, spec);
    e->yhat = calloc(spec->outputs, sizeof *e->yhat);
    if (!e->status && !e->yhat)
        e->status = OKRA_E_MEMORY;
    return e->status;
}

void entrant_free(entrant *e)
{
    learner_free(&e->learner);
    free(e->yhat);
    e->yhat = NULL;
}

static okra_status take_row(entrant *e, const stock *s, size_t i)
{
    const double *u = s->u + i * s->inputs, *y = s->y + i * s->targets;
    if (s->weight[i] < 0) {
        for (size_t j = 0; j < s->targets; j++)
            e->yhat[j] = (double)NAN;
        return okra_skip(e->learner.model);
    }
    return learner_step(&e->learner, u, y, s->weight[i], e->yhat, NULL);
}

void entrant_go(entrant *e, const stock *s, size_t first, size_t last, double *errors)
{
    for (size_t i = first; i < last; i++) {
        if (!e->status)
            e->status = take_row(e, s, i);
        e->rows += !e->status;
        for (size_t j = 0; e->status && j < s->targets; j++)
            e->yhat[j] = (double)NAN;
        if (errors)
            learner_error(&e->learner, s->y + i * s->targets, e->yhat, errors + (i - first) * s->targets);
    }
}

/* A row counts where each of its targets was there and was predicted. */
static bool counts(const double *errors, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (isnan(errors[j]))
            return false;
    return true;
}

void entrant_score(const stock *s, size_t first, size_t last, const double *errors, score *to)
{
    for (size_t i = first; i < last; i++, errors += s->targets)
        if (counts(errors, s->targets))
            score_add(to, s->y + i * s->targets, errors);
}
