/*
 * Predicts, learns and scores the rows of a block.
 */
#include <math.h>
#include <stdio.h>

#include "../common/refusal.h"
#include "session.h"
#include "../common/message.h"

static int refuse(const session *s, const block *b, size_t i, okra_status status)
{
    return refuse_row(okra_table_get(s->in->table)->path, b->line[i], okra_get_spec(s->learner.model), status);
}

/* ---- gaps ------------------------------------------------------------------------------------------------------ */

static bool count_missing(size_t n, const double *values, uint64_t *missing)
{
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        bool lacks = isnan(values[i]);
        missing[i] += lacks;
        found |= lacks;
    }
    return found;
}

/* Counts a gap: a row without a prediction. Rows before the first prediction are none: lags are being filled, or a
 * mean stands in. */
static void count_gap(session *s, const block *b, size_t i, bool learnt)
{
    const columns *c = &s->in->columns;
    const okra_spec *spec = okra_get_spec(s->learner.model);
    bool lacks = count_missing(c->n_inputs, b->u + i * c->n_inputs, s->missing) && spec->lag_from == 0;
    if (spec->target_lags > 0)
        count_missing(c->n_targets, b->y + i * c->n_targets, s->missing + c->n_inputs);
    s->progress.gaps += lacks || (isnan(b->yhat[i * c->n_targets]) && learnt);
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

/* Reports that the data has changed, and that the model is fitted again. Rows before `to` are learnt. */
static void note_restart(session *s, const block *b, size_t to)
{
    enum { TOLD = 10 };
    uint64_t restarts = learner_counter(&s->learner, "restarts");
    bool more = restarts > s->restarts;
    s->restarts = restarts;
    if (!more || s->set.quiet || restarts > TOLD)
        return;
    /* the first sample since */
    uint64_t rows = learner_counter(&s->learner, "samples") - learner_counter(&s->learner, "regime");
    size_t at = rows <= to ? to - (size_t)rows : 0;
    message_note("%s:%llu: the scale of most columns has changed, or what the target depends on: scale and widths are "
                 "found again from here on (restart %llu)%s",
                 okra_table_get(s->in->table)->path, (unsigned long long)b->line[at], (unsigned long long)restarts,
                 restarts == TOLD ? "; further ones are only counted" : "");
}

static okra_status watch_drift(session *s, const block *b, size_t i)
{
    const columns *c = &s->in->columns;
    drift_place place = {.table = s->in->table, .targets = c->targets, .row = s->progress.consumed, .line = b->line[i]};
    bool found = drift_take(&s->drift, &s->learner, b->y + i * c->n_targets, b->error + i * c->n_targets, &place);
    if (!found || s->set.on_drift != DRIFT_RESET)
        return OKRA_OK;
    drift_restart(&s->drift);
    return okra_restart(s->learner.model);
}

/* ---- learning -------------------------------------------------------------------------------------------------- */

/* A row is scored if each of its targets is present and was predicted. */
static void score_row(session *s, const block *b, size_t i)
{
    size_t targets = s->in->columns.n_targets, at = i * targets;
    for (size_t j = 0; j < targets; j++)
        if (isnan(b->error[at + j]))
            return;
    bool intervals = s->set.percent;
    score_add(&s->score, b->y + at, b->error + at, intervals ? b->lo + at : NULL, intervals ? b->hi + at : NULL);
}

/* Error, interval, score and drift of a predicted row. */
static okra_status finish_row(session *s, block *b, size_t i, bool learnt)
{
    size_t at = i * s->in->columns.n_targets;
    learner_error(&s->learner, b->y + at, b->yhat + at, b->error + at);
    if (s->set.percent)
        learner_interval(&s->learner, s->set.q, b->yhat + at, b->variance + at, b->lo + at, b->hi + at);
    s->progress.consumed++;
    s->progress.rows++;
    count_gap(s, b, i, learnt);
    if (s->progress.consumed > s->in->score_from)
        score_row(s, b, i);
    return watch_drift(s, b, i);
}

/*
 * Rows [from, to), all good, as one block: the same bits as one by one. *done of them were taken. Until the first row
 * is learnt, and with --on-drift reset, rows are taken one by one.
 */
static okra_status learn_rows(session *s, block *b, size_t from, size_t to, size_t *done)
{
    const columns *c = &s->in->columns;
    bool weighed = s->learns && c->weight != NO_COLUMN;
    size_t n = to - from;
    if (s->set.on_drift == DRIFT_RESET || learner_learnt(&s->learner) == 0)
        n = 1;
    okra_status status = learner_run(&s->learner, n, b->u + from * c->n_inputs, b->y + from * c->n_targets,
                                     weighed ? b->weight + from : NULL, b->yhat + from * c->n_targets,
                                     s->set.percent ? b->variance + from * c->n_targets : NULL, done);
    note_restart(s, b, from + *done);
    bool learnt = learner_learnt(&s->learner) > 0;
    for (size_t i = from; i < from + *done; i++) {
        okra_status relearnt = finish_row(s, b, i, learnt);
        status = status ? status : relearnt;
    }
    return status;
}

static int skip_row(session *s, const block *b)
{
    if (s->progress.skipped++ == 0)
        s->first_bad = b->why;
    s->progress.consumed++;
    okra_status status = okra_skip(s->learner.model);
    return status ? message_fail(EXIT_IO, "%s", okra_strerror(status)) : EXIT_DONE;
}

int session_take_block(session *s, block *b)
{
    size_t i = 0;
    int status = EXIT_DONE;
    while (i < b->n && !status) {
        size_t end = i, done = 1;
        while (end < b->n && b->weight[end] >= 0)
            end++;
        if (end == i) {
            status = skip_row(s, b);
        } else {
            okra_status refused = learn_rows(s, b, i, end, &done);
            if (refused)
                status = refuse(s, b, i + done < b->n ? i + done : b->n - 1, refused);
        }
        i += done;
    }
    b->n = i; /* rows after a refused one are not written */
    return status;
}
